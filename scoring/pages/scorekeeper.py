"""The scorekeeper's page: the board, and below it the pad or what is between games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from ..models import Game, GameSet, Scorekeeper
from ..play import queries
from ..rules.damage import Hit
from ..rules.ruleset import Ruleset
from ..rules.sets import SetState
from . import additions, board, seats, standings, wording
from .pad import Pad, pad
from .set_clock import SetClock, set_clock


@dataclass(kw_only=True)
class Between:
    """What the page shows before the first game, between games, and after the last."""

    game_set: GameSet
    seats_link: str
    title: str
    finished: bool
    called: bool
    ruleset: Ruleset
    podium: Sequence[standings.Place]
    next: standings.NextGame | None
    sequel: additions.Sequel | None


@dataclass(kw_only=True)
class ScorePage(board.GamePage):
    """The scorekeeper's page; ``keeper`` is what the format adds to it.

    ``others`` keep the score too, and ``by`` is who of them wrote last: an answer to a tap doesn't
    say. ``starts`` says who starts and ``rolls`` by which dice, until something has happened. A
    browser that ``keeps_pad`` gets what is around the pad. Where the format adds something, it
    ``has_sheet`` with the looks of that, for which no other phone waits.
    """

    code: str
    etag: str = ""
    is_tap: bool = True
    others: Sequence[Scorekeeper] = ()
    by: str = ""
    keeper: Any = None
    starts: str = ""
    rolls: Mapping[int, str] = field(default_factory=dict)
    pad: Pad | None = None
    keeps_pad: bool = False
    between: Between | None = None
    may_play_again: bool = False
    has_sheet: bool = False
    set_clock: SetClock | None = None

    def context(self) -> dict[str, Any]:
        """Return what the board, the pad and what is between games show as variables, too."""
        return super().context() | vars(self.pad or self.between)


def page(
    game_set: GameSet,
    played: Sequence[Game],
    collected: Sequence[Hit],
    typed: QueryDict | None,
    cookies: Mapping[str, str],
    stays: Callable[[str], bool],
) -> ScorePage:
    """Return the page as it answers a tap; while a game goes on, ``played`` may be that game only.

    ``collected`` are hits not sent yet, ``typed`` is what was refused. ``stays`` says of a stamp
    whether the pad that the phone shows may stay.
    """
    page = ScorePage(
        code=game_set.code,
        board=None,
        has_sheet=additions.has_any(game_set),
        set_clock=set_clock(game_set, played),
    )
    current, result = board.read(game_set, played[-1]) if played else None, None
    if current and not current.state.is_over:
        page.pad = pad(current, collected, typed, stays)
        page.keeps_pad = page.pad.keys is None
        if not current.latest and game_set.rules.has_turns:
            whole = len(played) == current.game.number
            started = standings.started(game_set, played if whole else queries.games(game_set))
            page.starts, page.rolls = started.starts, started.rolls
    else:
        state = queries.set_state(game_set, list(played))
        page.between, result = _between(game_set, played, state), standings.result(game_set, state)
    if current:
        page.board = board.board(
            current, page.rolls, result, is_scored_here=True, keeps_counters=page.keeps_pad
        )
        page.keeper = additions.of(game_set).for_scorekeeper(current, cookies)
    return page


def _between(game_set: GameSet, played: Sequence[Game], state: SetState) -> Between:
    return Between(
        game_set=game_set,
        seats_link=seats.things(game_set),
        title=wording.sentence_case(board.in_set(game_set, 1)),
        finished=state.is_finished,
        called=game_set.called,
        ruleset=game_set.rules,
        podium=standings.podium(game_set, state) if game_set.rules.is_ranked else [],
        next=None if state.is_finished else standings.next_game(game_set, state),
        sequel=additions.sequel_of(game_set, played, state),
    )
