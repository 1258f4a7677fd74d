"""Players, heroes, coalition types, and two players head to head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from decks.pictures.addresses import Picture

from ...models import Player, Season
from ...results import ratings
from .. import course, meetings, statistics
from ..course import Curve, RatingChart
from ..elsewhere import Elsewhere
from ..forms.board import VersusForm
from ..grid import Line
from ..leaderboard import LISTED, Row
from ..meetings import Duel, Opponent
from ..statistics import Attended, Record, Totals
from ..teams import PLAYED_IN_TEAMS, Teams
from .bases import LivePage


@dataclass(kw_only=True)
class PlayerPage(LivePage):
    """A player's sums, rating, opponents, heroes and types, and all sets.

    ``formats`` are those that the player has played: their keys and names. ``streak`` is how many
    sets the player has won in a row now, ``picture`` the address of the player's picture.
    """

    template: ClassVar[str] = "groups/player.html"
    player: Player
    row: Row
    formats: Sequence[tuple[str, str]]
    format: str
    scores: bool
    chart: RatingChart | None
    curve: Curve | None
    records: Sequence[Record]
    streak: int
    elsewhere: Sequence[Elsewhere]
    best: Sequence[Opponent]
    worst: Sequence[Opponent]
    heroes: Sequence[Totals]
    types: Sequence[Totals]
    page: statistics.Page
    picture: str
    evenings: Sequence[Attended]
    enough: int = meetings.ENOUGH
    mean_of: int = course.MEAN_OF
    rated: int = ratings.PROVISIONAL
    may_claim: bool = False
    claimed: bool = False


@dataclass(kw_only=True)
class HeroesPage(LivePage):
    """All heroes and coalition types that decks had, and the decks that were brought."""

    template: ClassVar[str] = "groups/heroes.html"
    heroes: Sequence[Totals]
    types: Sequence[Totals]
    decks: Sequence[statistics.DeckResults]
    most: int = statistics.ROWS_MAX


@dataclass(kw_only=True)
class TeamsPage(LivePage):
    """Whole teams, and pairs of teammates, of a ``season`` or of all days.

    ``names`` are the rulesets played in teams.
    """

    template: ClassVar[str] = "groups/teams.html"
    teams: Teams
    seasons: Sequence[Season]
    season: Season | None
    listed: int = LISTED
    names: str = " and ".join(ruleset.title for ruleset in PLAYED_IN_TEAMS)


@dataclass(kw_only=True)
class HeroPage(LivePage):
    """How a hero, or a coalition type, did; ``others`` are the types, or heroes, played with it.

    ``art`` is the hero's picture, where the site shows pictures.
    """

    template: ClassVar[str] = "groups/hero.html"
    what: str
    name: str
    line: Totals
    players: Sequence[Totals]
    others: Sequence[Totals]
    page: statistics.Page
    art: Picture | None


@dataclass(kw_only=True)
class NobodyPage(LivePage):
    """There is no such hero or type."""

    template: ClassVar[str] = "groups/nobody.html"


@dataclass(kw_only=True)
class VersusPage(LivePage):
    """All pairs as a grid; once two players are chosen, how they did in their shared sets.

    ``formats`` are those in which anybody met: their keys and names.
    """

    template: ClassVar[str] = "groups/versus.html"
    form: VersusForm
    format: str = ""
    formats: Sequence[tuple[str, str]] = ()
    grid: Sequence[Line] = ()
    one: Player | None = None
    other: Player | None = None
    duel: Duel | None = None
    page: statistics.Page | None = None
