"""What the database stores: the record of sets, the people who play them, and their tallies."""

from .people import Claim, Invitation, Membership, Player, Playgroup, Season
from .record import (
    EventRow,
    Game,
    GameRegister,
    GameSet,
    LedgerRow,
    Scorekeeper,
    Seat,
    SeatLink,
    SetResult,
    Sideboarding,
)
from .tallies import Tally

__all__ = [
    "Claim",
    "EventRow",
    "Game",
    "GameRegister",
    "GameSet",
    "Invitation",
    "LedgerRow",
    "Membership",
    "Player",
    "Playgroup",
    "Scorekeeper",
    "Season",
    "Seat",
    "SeatLink",
    "SetResult",
    "Sideboarding",
    "Tally",
]
