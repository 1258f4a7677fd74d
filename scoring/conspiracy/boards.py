"""What games of Conspiracy add to a board: the vote, goads, the command zone and its seals."""

from collections.abc import Collection, Mapping
from typing import Any

from ..models import Game, GameSet
from ..record.queries import CurrentGame, preparation
from ..rules.errors import RuleError
from ..rules.formats.conspiracy.council import CallVote, OthersCall
from ..rules.formats.conspiracy.ready import SCOREKEEPER, missing, sayable
from ..rules.formats.conspiracy.state import (
    WILL,
    ConspiracyGame,
    ConspiracyPlayer,
    facts_of,
    game_of,
)
from ..rules.formats.conspiracy.zone import PutConspiracy
from ..rules.move import Move
from ..rules.possible import refusal
from ..tables.additions import Additions
from . import drafts, sealing
from .cards import VOTES
from .naming import check_face_up, texts_of


class ConspiracyAdditions(Additions):
    own_phone = ("vote", "seal and reveal their conspiracies")
    reported = "their own life, poison, hits and the crown"

    def rows(self, current: CurrentGame) -> dict[int, ConspiracyPlayer]:
        return {seat: facts_of(current.state, seat) for seat in current.state.players}

    def board(self, current: CurrentGame) -> dict[str, Any]:
        state = game_of(current.state)
        public = [one.card for seat in state.players for one in facts_of(state, seat).public]
        return {"state": state, "texts": texts_of(*public), "vote_cards": VOTES}

    def for_seat(self, current: CurrentGame, seat: int, cookies: Mapping[str, str]) -> Any:
        state = game_of(current.state)
        if seat not in state.players:
            return None
        return {
            "seat": seat,
            "player": facts_of(state, seat),
            "calls": no_call(state, seat) is None,
            "seals": seals(state, (seat,), sealing.stored(cookies, current.game_set)),
            "ready": current.game.ready.get(str(seat), []),
            "may_say": [] if state.has_begun else sayable(state, preparation(current.game), seat),
        }

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> dict[str, Any]:
        state = game_of(current.state)
        shown = seals(state, sorted(state.players), sealing.stored(cookies, current.game_set))
        if not state.has_begun:
            prepared = preparation(current.game)
            shown["missing"] = missing(state, prepared)
            shown["say"] = sayable(state, prepared, SCOREKEEPER)
        return shown

    def check(self, move: Move, typed: Mapping[str, str], game: Game | None) -> None:
        if isinstance(move, PutConspiracy):
            check_face_up(move.card, typed.get("asked", ""))

    def notes(self, game_set: GameSet) -> dict[str, Any] | None:
        return drafts.notes(game_set)


def seals(state: ConspiracyGame, seats: Collection[int], tags: Collection[str]) -> dict[str, Any]:
    """Each with its seat and its place, from 1; a browser can open those with its ``tags``."""
    placed = [
        (seat, number, agenda)
        for seat in seats
        for number, agenda in enumerate(facts_of(state, seat).agendas, 1)
    ]
    own = [each for each in placed if each[2].tag in tags]
    owed = [each for each in placed if each[0] in state.telling]
    return {
        "tags": tags,
        # May be turned up at any time.
        "own": [each for each in own if each[2].is_face_down and each[0] in state.in_game],
        # This browser has to open them now, since their player is out or the game is over.
        "must_open": sum(each in own and not each[2].is_proved for each in owed),
        # Another browser sealed them, so that their players have to say them.
        "must_tell": [each for each in owed if each not in own and each[2].is_face_down],
    }


def no_call(state: ConspiracyGame, seat: int) -> RuleError | None:
    return others_turn(state, seat) or refusal(state, CallVote(seat, WILL, ("yes", "no")))


def others_turn(state: ConspiracyGame, seat: int) -> RuleError | None:
    has_turn = state.is_over or state.active == seat
    return None if has_turn else OthersCall(player=state.active)
