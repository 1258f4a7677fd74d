"""The pad below the board: its keys, which of them are pressed, and the hits not sent yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from django.http import QueryDict

from coalition_site.lib.parts import Part

from ..forms.taps import hit_key
from ..models import GameSet
from ..rules.damage import DealDamage, Hit, Kind
from ..rules.formats import RULESETS
from .board import CurrentGame, Who
from .wording import plain


@dataclass(frozen=True)
class PlayerKey(Who):
    """The key of a player. ``last`` names, as classes of the style sheet, who hit the player last.

    The sheet then marks whom the chosen source hit last, without a script.
    """

    gone: bool
    last: str


@dataclass(frozen=True)
class Pressed:
    """The keys that are pressed, and what was typed beside them; ``targets`` may have "each".

    Those of a hit that ``is_refused`` are whatever somebody sent.
    """

    source: str | None
    kind: str | None = "combat"
    targets: tuple[str, ...] = ()
    together: bool = False
    signs: bool = False
    infect: bool = False
    lifelink: bool = False
    typed: str = ""
    toxic: str = ""
    is_refused: bool = False


@dataclass(frozen=True)
class HitKeys(Part):
    """All keys that enter a hit: from whom, to whom, which kind, how much."""

    template: ClassVar[str] = "scoring/_keys.html"
    players: tuple[PlayerKey, ...]
    kinds: tuple[Kind, ...]
    pressed: Pressed

    @property
    def is_stored(self) -> bool:
        return super().is_stored and not self.pressed.is_refused


@dataclass(kw_only=True)
class Pad:
    """What the page shows below the board during a game.

    There are no ``keys`` where those that the phone shows stay. ``typed`` is what was refused,
    ``next`` whose turn comes next. ``drawn_for`` names the state that the pad is for, and
    ``stamp`` whom each player hit last as well.
    ``scores`` are the kinds of damage that give VP up to ``cap``, 0 where there are none.
    """

    keys: HitKeys | None
    typed: Mapping[str, str]
    next: str
    drawn_for: str
    stamp: str
    scores: str
    cap: int
    collected: list[tuple[str, str, str]]


def _none_stays(stamp: str) -> bool:
    return False


def pad(
    current: CurrentGame,
    collected: Iterable[Hit] = (),
    typed: QueryDict | None = None,
    stays: Callable[[str], bool] = _none_stays,
) -> Pad:
    """Return the pad; ``collected`` are hits not sent yet, ``typed`` is what was refused.

    ``stays`` says of a stamp whether the pad that the phone shows may stay.
    """
    game_set, state = current.game_set, current.state
    hits = [(hit_key(hit), *_collected(game_set, hit)) for hit in collected]
    targets = {
        source: target
        for source, target in sorted(current.recent.targets.items())
        if not state.players[target].out
    }
    drawn_for = _drawn_for(current)
    stamp = ".".join([drawn_for, *(f"{source}{seat}" for source, seat in targets.items())])
    pressed = _pressed(state.active, bool(hits), typed)
    return Pad(
        keys=None if stays(stamp) else _keys(current, targets, pressed),
        typed=typed or {},
        next=_next(game_set, state.side_of(state.next_after(state.active))),
        # Keys that show what was refused are not those for the next hit.
        drawn_for=f"{drawn_for}.typed" if typed else drawn_for,
        stamp=stamp,
        scores=_scores(game_set.rules.key),
        cap=game_set.rules.cap or 0,
        collected=hits,
    )


def _next(game_set: GameSet, side: tuple[int, ...]) -> str:
    return game_set.names[side[0]] if len(side) == 1 else "the other team"


def _keys(current: CurrentGame, targets: Mapping[int, int], pressed: Pressed) -> HitKeys:
    return HitKeys(
        players=tuple(
            PlayerKey(
                seat,
                current.game_set.names[seat],
                player.out is not None,
                " ".join(f"last-{source}" for source in targets if targets[source] == seat),
            )
            for seat, player in sorted(current.state.players.items())
        ),
        kinds=current.game_set.rules.kinds,
        pressed=pressed,
    )


@cache
def _scores(ruleset: str) -> str:
    rules = RULESETS[ruleset]
    hits = [Hit(source=1, target=2, amount=1, kind=kind) for kind in rules.kinds]
    return " ".join(hit.kind for hit in hits if rules.scores(hit))


def _collected(game_set: GameSet, hit: Hit) -> tuple[str, str]:
    return plain(DealDamage((hit,)).brief(), game_set.names), hit.label


def _drawn_for(current: CurrentGame) -> str:
    # A game that was taken back may have begun again with other players.
    state, seats = current.state, current.game_set.names
    absent = "".join(f".no{seat}" for seat in seats if seat not in state.players)
    return f"{current.game.number}-{state.stamp}{absent}"


def _pressed(active: int, is_collecting: bool, typed: QueryDict | None) -> Pressed:
    """Return which keys are pressed: after a refusal, those that were before."""
    if typed is None or "kind" not in typed:  # not from these keys
        return Pressed(source=str(active), together=is_collecting)
    return Pressed(
        source=typed.get("source"),
        kind=typed.get("kind"),
        targets=tuple(typed.getlist("target")),
        together=is_collecting or "together" in typed,
        signs=bool(typed.get("signs")),
        infect=bool(typed.get("infect")),
        lifelink=bool(typed.get("lifelink")),
        typed=typed.get("typed", ""),
        toxic=typed.get("toxic", ""),
        is_refused=True,
    )
