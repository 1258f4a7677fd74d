"""Players, heroes, coalition types, and two players head to head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...models import Player
from ...results import ratings
from .. import statistics
from ..course import RatingChart
from ..forms.board import VersusForm
from ..leaderboard import LISTED, Row
from ..statistics import Meeting, Opponent, Totals
from ..teams import PLAYED_IN_TEAMS, Teams
from .bases import LivePage


@dataclass(kw_only=True)
class PlayerPage(LivePage):
    """A player's sums, rating, opponents, heroes and types, and all sets.

    ``formats`` are those that the player has played: their keys and names. ``picture`` is the
    address of the player's picture.
    """

    template: ClassVar[str] = "groups/player.html"
    player: Player
    row: Row
    formats: Sequence[tuple[str, str]]
    format: str
    scores: bool
    chart: RatingChart | None
    best: Sequence[Opponent]
    worst: Sequence[Opponent]
    heroes: Sequence[Totals]
    types: Sequence[Totals]
    page: statistics.Page
    picture: str
    enough: int = statistics.ENOUGH
    rated: int = ratings.PROVISIONAL
    may_claim: bool = False
    claimed: bool = False


@dataclass(kw_only=True)
class HeroesPage(LivePage):
    """All heroes and coalition types that decks had."""

    template: ClassVar[str] = "groups/heroes.html"
    heroes: Sequence[Totals]
    types: Sequence[Totals]
    most: int = statistics.ROWS_MAX


@dataclass(kw_only=True)
class TeamsPage(LivePage):
    """Whole teams, and pairs of teammates; ``names`` are the rulesets played in teams."""

    template: ClassVar[str] = "groups/teams.html"
    teams: Teams
    listed: int = LISTED
    names: str = " and ".join(ruleset.name for ruleset in PLAYED_IN_TEAMS)


@dataclass(kw_only=True)
class HeroPage(LivePage):
    """How a hero, or a coalition type, did; ``others`` are the types, or heroes, played with it."""

    template: ClassVar[str] = "groups/hero.html"
    what: str
    name: str
    line: Totals
    players: Sequence[Totals]
    others: Sequence[Totals]
    page: statistics.Page


@dataclass(kw_only=True)
class NobodyPage(LivePage):
    """There is no such hero or type."""

    template: ClassVar[str] = "groups/nobody.html"


@dataclass(kw_only=True)
class VersusPage(LivePage):
    """The choice of two players, and once both are chosen, how they did in their shared sets."""

    template: ClassVar[str] = "groups/versus.html"
    form: VersusForm
    one: Player | None = None
    other: Player | None = None
    meeting: Meeting | None = None
    page: statistics.Page | None = None
