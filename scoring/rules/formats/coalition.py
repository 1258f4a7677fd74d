"""Coalition: victory points by damage, three games to a set. Its rulesets are data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..damage import Hit, Kind
from ..moves import SHARED, MoveHero
from ..own import LIFE_AND_HITS
from ..results import EnterResult
from ..ruleset import Ruleset
from ..state import GameState


class CoalitionGame(GameState):
    """``played_on`` is the day of a result that was entered, "" where the game was scored."""

    stored: ClassVar[tuple[str, ...]] = ("played_on",)

    played_on: str = ""

    @property
    def entered_for(self) -> str:
        return self.played_on


@dataclass(frozen=True, slots=True, kw_only=True)
class Coalition(Ruleset):
    """``flat_bonus`` is what a winner gets on top of the cap; None raises the winner to the cap.
    Whoever is conceded to has the cap, and the flat bonus on top if ``conceding_adds_bonus``.
    ``hero_time`` is when a hero may go to hand, on its player's turn."""

    format: ClassVar[str] = "coalition"
    moves: ClassVar[frozenset[type]] = SHARED | {MoveHero, EnterResult}
    own_moves: ClassVar[frozenset[type]] = LIFE_AND_HITS
    game: ClassVar[type[GameState]] = CoalitionGame
    kinds: ClassVar[tuple[Kind, ...]] = tuple(Kind)

    games: int = 3
    life: int = 25
    cap: int = 21  # repeated by the constraint ledger_points_sign
    scoring_kinds: frozenset[Kind] = frozenset({Kind.COMBAT, Kind.HERO})
    flat_bonus: int | None = None
    conceding_adds_bonus: bool = True
    hero_time: str = "in a main phase while the stack is empty"
    hero_source: str = "906.8"

    def scores(self, hit: Hit) -> bool:
        """Return whether a hit can give its source points (906.10b, 906.10c)."""
        return hit.kind in self.scoring_kinds and hit.source not in (None, hit.target)

    def points(self, dealt: int, so_far: int) -> int:
        """Return what ``dealt`` damage is worth to somebody with ``so_far`` points (906.10d).

        >>> COALITION_906.points(9, 20)
        1
        """
        return min(dealt, self.cap - so_far)

    def bonus(self, so_far: int, *, conceded_to: bool = False) -> int:
        """Return the winner's bonus in points (906.10e; 000 win condition and conceding).

        >>> COALITION_906.bonus(16), COALITION_README.bonus(16)
        (5, 5)
        >>> COALITION_README.bonus(16, conceded_to=True)
        10
        >>> COALITION_README_21.bonus(16), COALITION_README_21.bonus(16, conceded_to=True)
        (5, 5)
        """
        missing = self.cap - so_far
        if self.flat_bonus is None:
            return missing
        if conceded_to:
            return missing + (self.flat_bonus if self.conceding_adds_bonus else 0)
        return self.flat_bonus

    def ending(self, state: GameState) -> str:
        entered = " (entered)" if state.entered_for else ""
        return f"{Ruleset.ending(self, state)}{entered}"

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        points = {names[seat]: state.players[seat].points for seat in sorted(state.players)}
        entered = {"entered_for": state.entered_for} if state.entered_for else {}
        return {"victory_points": points, **Ruleset.outcome(self, state, names), **entered}


COALITION_906 = Coalition(
    key="coalition-906",
    name="A win fills up to 21",
    summary="The winner is raised to 21. Conceding voids your VP of this game and keeps you out of "
    "the later games. From section 906, written for the Comprehensive Rules.",
)
COALITION_README = Coalition(
    key="coalition-readme",
    name="A win gives 5 more",
    summary="The winner gets 5 VP on top, even beyond 21. Three to five players. From the format’s "
    "overview.",
    players_min=3,
    players_usual=range(3, 6),
    minutes=120,
    flat_bonus=5,
    hero_time="at any time you could cast it, as a special action that doesn’t use the stack",
    hero_source="overview",
)
COALITION_README_21 = replace(
    COALITION_README,
    key="coalition-readme-21",
    name="A win gives 5 more, 21 after conceding",
    summary="As “A win gives 5 more”, but if all opponents concede together, the winner ends at 21 "
    "VP. The other reading of the format’s overview.",
    conceding_adds_bonus=False,
)
COALITION_2026 = Coalition(
    key="coalition-2026",
    name="2026: 60 + 15",
    summary="Up to 15 cards in the sideboard. Damage by heroes scores nothing. Conceding sets your "
    "VP in the whole set to 0. Ties go by life. The current public rules.",
    players_usual=range(3, 5),
    scoring_kinds=frozenset({Kind.COMBAT}),
    conceding_voids_set=True,
    orders_by_standing=True,
    life_breaks_ties=True,
    announces_heroes=True,
    start_note="No free mulligan; the first player does draw.",
)
