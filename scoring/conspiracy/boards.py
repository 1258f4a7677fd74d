"""What games of Conspiracy add to a board: the vote, goads, the command zone and its seals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..models import GameSet
from ..pages.additions import Additions
from ..pages.board import CurrentGame
from ..rules.formats.conspiracy import PutConspiracy
from ..rules.formats.conspiracy.state import Agenda, ConspiracyGame, ConspiracyPlayer, facts_of, of
from ..rules.move import Move
from . import drafts, sealing, votes
from .cards import VOTES
from .naming import Texts, check_face_up


class Placed(NamedTuple):
    """A conspiracy that was put face down; ``number`` is its place among its player's, from 1."""

    seat: int
    number: int
    agenda: Agenda


@dataclass(frozen=True, slots=True)
class Seals:
    """The seals of some seats, as seen from a browser that can open those with its ``tags``."""

    state: ConspiracyGame
    seats: Collection[int]
    tags: frozenset[str]

    @property
    def placed(self) -> list[Placed]:
        return [
            Placed(seat, number, agenda)
            for seat in self.seats
            for number, agenda in enumerate(facts_of(self.state, seat).agendas, 1)
        ]

    @property
    def own(self) -> list[Placed]:
        """Those of this browser that may be turned up at any time."""
        return [
            one
            for one in self.placed
            if one.agenda.tag in self.tags
            and one.agenda.is_face_down
            and one.seat in self.state.in_game
        ]

    @property
    def must_open(self) -> int:
        """How many this browser has to open now, since their player is out or the game is over."""
        return sum(
            one.seat in self.state.telling
            and one.agenda.tag in self.tags
            and not one.agenda.is_proved
            for one in self.placed
        )

    @property
    def must_tell(self) -> list[Placed]:
        """Those that have to be revealed now, and that another browser sealed."""
        return [
            one
            for one in self.placed
            if one.seat in self.state.telling
            and one.agenda.is_face_down
            and one.agenda.tag not in self.tags
        ]


class ConspiracyAdditions(Additions):
    own_phone = ("vote", "seal and reveal their conspiracies")

    def rows(self, current: CurrentGame) -> dict[int, ConspiracyPlayer]:
        return {seat: facts_of(current.state, seat) for seat in current.state.players}

    def board(self, current: CurrentGame) -> dict[str, Any]:
        state = of(current.state)
        public = [one.card for seat in state.players for one in facts_of(state, seat).public]
        return {"state": state, "texts": Texts(public), "vote_cards": VOTES}

    def for_seat(self, current: CurrentGame, seat: int, cookies: Mapping[str, str]) -> Any:
        state = of(current.state)
        if seat not in state.players:
            return None
        return {
            "seat": seat,
            "player": facts_of(state, seat),
            "calls": votes.closed(state, seat) is None,
            "seals": Seals(state, (seat,), sealing.tags(cookies, current.game_set)),
        }

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> Seals:
        state = of(current.state)
        return Seals(state, sorted(state.players), sealing.tags(cookies, current.game_set))

    def check(self, move: Move, typed: Mapping[str, str]) -> None:
        if isinstance(move, PutConspiracy):
            check_face_up(move.card)

    def notes(self, game_set: GameSet) -> dict[str, Any] | None:
        return drafts.notes(game_set)
