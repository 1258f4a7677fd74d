"""The scorekeeper's page: the board, and below it the pad or what is between games.

The pad has its keys, which of them are pressed, and the hits not recorded yet.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from django.http import QueryDict
from django.utils.text import capfirst

from coalition_site.lib.parts import Part
from coalition_site.lib.requests import Request

from .. import access
from ..models import Game, GameSet
from ..models.record import Phones
from ..record import proposals, queries
from ..record.queries import CurrentGame
from ..rules.damage import DealDamage, Hit, Kind
from ..rules.formats import RULESETS
from ..rules.sets import SetState
from ..rules.words import plain, shortened
from . import additions, board, proposed, seat_rows, standings
from .additions import additions_of
from .board import Who
from .common import UPRIGHT
from .finale import finale
from .set_clock import set_clock
from .taps import hit_key


@dataclass(frozen=True)
class PlayerKey(Who):
    """A player's key. ``last`` names, as classes of the style sheet, who hit the player last."""

    # The sheet then marks whom the chosen source hit last, without a script.

    gone: bool
    last: str


@dataclass(frozen=True)
class HitKeys(Part):
    """``sends`` is what the keys as they are drawn would send, or what was sent and refused."""

    template: ClassVar[str] = "tables/_keys.html"
    players: tuple[PlayerKey, ...]
    kinds: tuple[Kind, ...]
    is_collecting: bool
    sends: str
    is_refused: bool

    @property
    def pressed(self) -> QueryDict:
        return QueryDict(self.sends)

    @property
    def is_stored(self) -> bool:
        return super().is_stored and not self.is_refused


def page(
    request: Request,
    game_set: GameSet,
    played: Sequence[Game],
    *,
    collected: Sequence[Hit] = (),
    typed: QueryDict | None = None,
    shown: str = "",
    is_used: bool = False,
    tablet: str = "",
) -> dict[str, Any]:
    """Return what the page shows; while a game goes on, ``played`` may be that game only."""
    # ``collected`` are hits not recorded yet, ``typed`` is what was refused. Where the pad with the
    # stamp ``shown`` on the phone may stay, there are no ``keys``, and the page ``keeps_pad``.
    of_format = additions_of(game_set)
    context: dict[str, Any] = {
        "code": game_set.code,
        "tablet": tablet,
        "has_sheet": of_format is not additions.NOTHING,  # the looks of what the format adds
        "set_clock": set_clock(game_set, played) if game_set.minutes else None,
    }
    current = queries.current_game(game_set, played[-1]) if played else None
    result = None
    if current and not current.state.is_over:
        context |= pad(current, collected, typed, shown, is_used=is_used)
        context["keeps_pad"] = context["keys"] is None
        if game_set.phones == Phones.PROPOSE:
            waiting = proposals.waiting(current.game)
            context["proposed"] = proposed.chips(game_set, waiting)
        if not current.latest and game_set.rules.has_turns:
            whole = len(played) == current.game.number
            context |= standings.started(game_set, played if whole else queries.games(game_set))
    else:
        state = queries.set_state(game_set, list(played))
        context |= between(request, game_set, played, state)
        result = standings.result(game_set, state)
    if current is None:
        return context
    keeps, rolls = context.get("keeps_pad", False), context.get("rolls")
    # Quarters of a tablet have keys of their own.
    of_game = board.board(current, rolls, result, is_scored_here=not tablet, keeps_counters=keeps)
    if tablet:
        players = of_game["players"]
        context["far"], context["near"] = standings.sides(players, upright=tablet == UPRIGHT)
    return of_game | context | {"keeper": of_format.for_scorekeeper(current, request.COOKIES)}


def between(
    request: Request, game_set: GameSet, played: Sequence[Game], state: SetState
) -> dict[str, Any]:
    return {
        "game_set": game_set,
        "seats_link": seat_rows.seats_page_label(game_set),
        "title": capfirst(board.in_set(game_set, 1)),
        "finished": state.is_finished,
        "called": game_set.called,
        "ruleset": game_set.rules,
        "podium": standings.podium(game_set, state) if game_set.rules.is_ranked else [],
        "next": None if state.is_finished else standings.next_game(game_set, state),
        "sequel": additions.sequel_of(game_set, played, state),
        "may_play_again": state.is_finished and access.may_play_again(request, game_set),
        **(finale(request, game_set, list(played), state) if state.has_results else {}),
    }


def pad(
    current: CurrentGame,
    collected: Iterable[Hit],
    typed: QueryDict | None,
    shown: str,
    *,
    is_used: bool,
) -> dict[str, Any]:
    game_set, state = current.game_set, current.state
    hits = [
        (hit_key(hit), plain(DealDamage((hit,)).brief(), game_set.names), hit.label)
        for hit in collected
    ]
    stamp = f"{current.game.number}-{state.stamp}"
    for seat in game_set.names:  # a game that was taken back may have begun again with others
        stamp += "" if seat in state.players else f".no{seat}"
    # Names the state that the pad is for; keys that show what was refused are for no other hit.
    drawn_for, targets = f"{stamp}.typed" if typed else stamp, {}
    for source, target in sorted(current.recent.targets.items()):
        if not state.players[target].out:
            targets[source] = target
            stamp += f".{source}{target}"
    # A pad that somebody is using stays, too, during the same game.
    is_of_game = shown.partition("-")[0] == str(current.game.number)
    stays = shown == stamp or (is_used and is_of_game)
    next_side = state.side_of(state.next_after(state.active))
    return {
        "keys": None if stays else _keys(current, targets, bool(hits), typed),
        "typed": typed or {},
        "next": "the other team" if next_side[1:] else shortened(game_set.names[next_side[0]]),
        "drawn_for": drawn_for,
        "stamp": stamp,  # and whom each player hit last
        "scores": _scores(game_set.rules.key),
        "cap": game_set.rules.cap or 0,
        "collected": hits,
    }


def _keys(
    current: CurrentGame, targets: Mapping[int, int], is_collecting: bool, typed: QueryDict | None
) -> HitKeys:
    players = []
    for seat, player in sorted(current.state.players.items()):
        last = " ".join(f"last-{source}" for source in targets if targets[source] == seat)
        name, is_gone = current.game_set.names[seat], player.out is not None
        players.append(PlayerKey(seat, name, is_gone, last))
    sends, is_refused = f"source={current.state.active}&kind=combat", False
    if typed is not None and "kind" in typed:  # from these keys
        sends, is_refused = typed.urlencode(), True
    return HitKeys(tuple(players), current.game_set.rules.kinds, is_collecting, sends, is_refused)


@cache
def _scores(ruleset: str) -> str:
    rules = RULESETS[ruleset]
    hits = [Hit(source=1, target=2, amount=1, kind=kind) for kind in rules.kinds]
    return " ".join(hit.kind for hit in hits if rules.scores(hit))
