"""What the database stores: the record of sets, the people who play them, and their tallies."""

from .evenings import Attendee, Evening, Place, Round, RoundTable
from .facts import SetFacts
from .imports import Import
from .news import CalendarLink, Delivery, Webhook
from .people import AccountChoices, Claim, Invitation, Membership, Player, Playgroup, Season
from .record import (
    EventRow,
    Game,
    GameRegister,
    GameSet,
    LedgerRow,
    Scorekeeper,
    Seat,
    SeatLink,
    Sideboarding,
)
from .results import SetResult
from .season_tables import SeasonPlace, SeasonTable
from .tallies import Tally

__all__ = [
    "AccountChoices",
    "Attendee",
    "CalendarLink",
    "Claim",
    "Delivery",
    "Evening",
    "EventRow",
    "Game",
    "GameRegister",
    "GameSet",
    "Import",
    "Invitation",
    "LedgerRow",
    "Membership",
    "Place",
    "Player",
    "Playgroup",
    "Round",
    "RoundTable",
    "Scorekeeper",
    "Season",
    "SeasonPlace",
    "SeasonTable",
    "Seat",
    "SeatLink",
    "SetFacts",
    "SetResult",
    "Sideboarding",
    "Tally",
    "Webhook",
]
