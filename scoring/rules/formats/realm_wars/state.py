"""How a game of Realm Wars stands: teams, capitals, phase and priority."""

from dataclasses import field
from itertools import pairwise
from typing import ClassVar, NamedTuple

from ...state import GameState, PlayerState, with_player

KINGDOM, QUEST, BATTLEFIELD = ZONES = "kingdom", "quest", "battlefield"
CAPITAL = "capital"
PHASES = KINGDOM, QUEST, CAPITAL, BATTLEFIELD
ZONE_BURNS_AT = 8
ZONES_A_PLAYER = 2
"""How many zones of the other team must burn for each of the own players: 4 of 6, or 6 of 9."""

CONCEDED = "the other team conceded"
NO_CARDS = "all decks empty"


class Zone(NamedTuple):
    damage: int = 0
    developments: int = 0
    burning: bool = False

    @property
    def burns_at(self) -> int:
        return ZONE_BURNS_AT + self.developments


class Team(NamedTuple):
    """A team as it stands; ``burning`` of its own zones burn, at ``burns_at`` it loses."""

    seats: tuple[int, ...]
    commander: int
    burning: int
    burns_at: int
    is_active: bool


class Lord(PlayerState):
    """``zones`` are the capital's; ``legend``: an Eternal War legend was played."""

    stored: ClassVar[tuple[str, ...]] = (*PlayerState.stored, "zones", "legend", "decked")

    zones: tuple[Zone, ...] = field(default=(Zone(),) * len(ZONES), metadata={"of": Zone})
    legend: bool = False
    decked: bool = False

    @property
    def capital(self) -> dict[str, Zone]:
        return dict(zip(ZONES, self.zones, strict=True))

    @property
    def burning(self) -> int:
        return sum(zone.burning for zone in self.zones)

    def changes(self, was: PlayerState) -> list[str]:
        assert isinstance(was, Lord)
        changes = []
        for name, before, now in zip(ZONES, was.zones, self.zones, strict=True):
            if before.damage != now.damage:
                changes.append(f"{name} {before.damage} damage → {now.damage}")
            if before.developments != now.developments:
                changes.append(f"{name} {before.developments} developments → {now.developments}")
            if before.burning != now.burning:
                changes.append(f"{name} {'burns' if now.burning else 'does not burn'}")
        if was.legend != self.legend:
            changes.append("Eternal War legend" if self.legend else "no Eternal War legend")
        if was.decked != self.decked:
            changes.append("deck empty" if self.decked else "cards in the deck")
        return changes


class War(GameState):
    """``active`` is the Commander whose team has the turn. ``commanders`` are by team. ``priority``
    is a team, 0 or 1; ``passes`` counts those in a row. ``attacked`` is player and zone of this
    battlefield phase, empty before the attack."""

    stored: ClassVar[tuple[str, ...]] = ("commanders", "phase", "priority", "passes", "attacked")

    commanders: tuple[int, ...] = ()
    phase: str = KINGDOM
    priority: int = 0
    passes: int = 0
    attacked: tuple[int, str] | tuple[()] = ()

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self.ruleset.teams(len(self.players))

    @property
    def teams(self) -> tuple[Team, ...]:
        return tuple(
            Team(
                seats,
                self.commanders[team],
                burning(self, team),
                zones_to_burn(self, 1 - team),
                team == self.active_team,
            )
            for team, seats in enumerate(self.sides)
        )

    @property
    def active_team(self) -> int:
        return self.team_of(self.active)

    @property
    def marks(self) -> str:
        commander = self.commanders[self.priority]
        return "-".join(map(str, (self.phase, self.priority, commander, *self.attacked)))

    @property
    def turns(self) -> str:
        return f"{self.active}{self.next_after(self.active)}"

    @property
    def headline(self) -> str:
        return f"{self.phase.capitalize()} phase"

    @property
    def acting(self) -> tuple[int, ...]:
        return self.sides[self.priority]

    @property
    def next_phase(self) -> str:
        return dict(pairwise(PHASES)).get(self.phase, "")

    def team_of(self, seat: int) -> int:
        return next(team for team, seats in enumerate(self.sides) if seat in seats)

    def side_of(self, seat: int) -> tuple[int, ...]:
        return self.sides[self.team_of(seat)]

    def leader_of(self, seat: int) -> int:
        return self.commanders[self.team_of(seat)]

    def next_after(self, seat: int) -> int:
        return self.commanders[1 - self.team_of(seat)]

    def changes(self, was: GameState) -> list[str]:
        assert isinstance(was, War)
        changes = []
        if was.phase != self.phase:
            changes.append(f"{was.phase} phase → {self.phase}")
        if was.attacked != self.attacked:
            changes.append("another zone is attacked" if self.attacked else "no zone is attacked")
        if (was.priority, was.passes) != (self.priority, self.passes):
            changes.append("the passing of priority")
        return changes


war_of, lord_of = War.of, Lord.of


def with_zone(state: GameState, seat: int, name: str, now: Zone) -> GameState:
    capital = {**lord_of(state, seat).capital, name: now}
    return with_player(state, seat, zones=tuple(capital.values()))


def burning(state: War, team: int) -> int:
    return sum(lord_of(state, seat).burning for seat in state.sides[team])


def zones_to_burn(state: War, team: int) -> int:
    """Return how many zones of the other team must burn for a team to win. A legend of Eternal War
    makes it one more for each player who has played one, by the letter of a loose sentence."""
    seats = state.sides[team]
    return ZONES_A_PLAYER * len(seats) + sum(lord_of(state, seat).legend for seat in seats)
