"""Realm Wars (004): two teams burn the zones of each other's capitals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from .. import errors, fields
from .. import events as ev
from .. import moves as mv
from ..engine import COUNT_MAX, Story, end_won, require_in_game
from ..own import OwnEvent, OwnMove
from ..ruleset import Ruleset
from ..state import GameState, PlayerState, with_player
from ..words import Sentence, count, listed

KINGDOM, QUEST, BATTLEFIELD = ZONES = "kingdom", "quest", "battlefield"
PHASES = KINGDOM, QUEST, "capital", BATTLEFIELD
ZONE_BURNS_AT = 8
ZONES_A_PLAYER = 2
"""How many zones of the other team must burn for each of the own players: 4 of 6, or 6 of 9."""

CONCEDED = "the other team conceded"
NO_CARDS = "all decks empty"


class Zone(NamedTuple):
    """One zone of a capital."""

    damage: int = 0
    developments: int = 0
    burning: bool = False

    @property
    def burns_at(self) -> int:
        """The damage at which it burns."""
        return ZONE_BURNS_AT + self.developments


class Team(NamedTuple):
    """A team as it stands; ``burning`` of its own zones burn, at ``burns_at`` it loses."""

    seats: tuple[int, ...]
    commander: int
    burning: int
    burns_at: int
    is_active: bool
    has_priority: bool


@dataclass(frozen=True, slots=True)
class Lord(PlayerState):
    """``zones`` are the capital's; ``legend`` says that an Eternal War legend was played."""

    zones: tuple[Zone, ...] = field(default=(Zone(),) * len(ZONES), metadata={"of": Zone})
    legend: bool = False
    decked: bool = False

    @property
    def capital(self) -> dict[str, Zone]:
        """The zones by their names."""
        return dict(zip(ZONES, self.zones, strict=True))

    @property
    def burning(self) -> int:
        """How many zones burn."""
        return sum(zone.burning for zone in self.zones)

    def changes(self, was: PlayerState) -> list[str]:
        """Return how zones, legend and deck differ."""
        assert isinstance(was, Lord)
        told = []
        for name, before, now in zip(ZONES, was.zones, self.zones, strict=True):
            if before.damage != now.damage:
                told.append(f"{name} {before.damage} damage → {now.damage}")
            if before.developments != now.developments:
                told.append(f"{name} {before.developments} developments → {now.developments}")
            if before.burning != now.burning:
                told.append(f"{name} {'burns' if now.burning else 'does not burn'}")
        if was.legend != self.legend:
            told.append("Eternal War legend" if self.legend else "no Eternal War legend")
        if was.decked != self.decked:
            told.append("deck empty" if self.decked else "cards in the deck")
        return told


@dataclass(frozen=True, slots=True)
class War(GameState):
    """``active`` is the Commander whose team has the turn. ``commanders`` are by team.

    ``priority`` is a team, 0 or 1; ``passes`` counts those in a row. ``attacked`` is player and
    zone of this battlefield phase, empty before the attack.
    """

    commanders: tuple[int, ...] = ()
    phase: str = KINGDOM
    priority: int = 0
    passes: int = 0
    attacked: tuple[int | str, ...] = ()

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of both teams."""
        return self.ruleset.teams(len(self.players))

    @property
    def teams(self) -> tuple[Team, ...]:
        """Both teams as they stand."""
        return tuple(
            Team(
                seats,
                self.commanders[team],
                burning(self, team),
                zones_to_burn(self, 1 - team),
                team == self.active_team,
                team == self.priority,
            )
            for team, seats in enumerate(self.sides)
        )

    @property
    def active_team(self) -> int:
        return self.team_of(self.active)

    @property
    def marks(self) -> str:
        """What of the game a pad depends on, besides who plays."""
        return "-".join(map(str, (self.phase, self.priority, *self.attacked)))

    @property
    def next_phase(self) -> str:
        """The phase after this one; none after the last."""
        return dict(pairwise(PHASES)).get(self.phase, "")

    def team_of(self, seat: int) -> int:
        """Return which team a player is of, 0 or 1."""
        return next(team for team, seats in enumerate(self.sides) if seat in seats)

    def side_of(self, seat: int) -> tuple[int, ...]:
        """Return the player's team."""
        return self.sides[self.team_of(seat)]

    def next_after(self, seat: int) -> int:
        """Return the Commander of the other team."""
        return self.commanders[1 - self.team_of(seat)]

    def changes(self, was: GameState) -> list[str]:
        """Return how phase, attack and priority differ."""
        assert isinstance(was, War)
        told = []
        if was.phase != self.phase:
            told.append(f"{was.phase} phase → {self.phase}")
        if was.attacked != self.attacked:
            told.append("another zone is attacked" if self.attacked else "no zone is attacked")
        if (was.priority, was.passes) != (self.priority, self.passes):
            told.append("the passing of priority")
        return told

    def reminders(self, latest: mv.Move | None) -> list[Sentence]:
        """Return what the document says of this moment, ``latest`` being the last move in force."""
        if self.is_over:
            return []
        return [*_of_the_phase(self, latest), *_of_the_move(self, latest)]


def burning(state: War, team: int) -> int:
    """Return how many zones of a team burn."""
    return sum(_of(state, seat).burning for seat in state.sides[team])


def zones_to_burn(state: War, team: int) -> int:
    """Return how many zones of the other team must burn for a team to win.

    Each of its players who has played an Eternal War legend makes it one more: the literal
    reading of a loose sentence.
    """
    seats = state.sides[team]
    return ZONES_A_PLAYER * len(seats) + sum(_of(state, seat).legend for seat in seats)


def _of_the_phase(state: War, latest: mv.Move | None) -> Iterable[Sentence]:
    if latest is None:
        yield [
            "Teammates may show each other their hands and talk, but touch only their own cards."
        ]
    if latest is None or isinstance(latest, mv.PassTurn | BeginPhase):
        yield [
            "“At the beginning of” this turn or phase triggers once for each player of the team."
        ]
    if isinstance(latest, BeginPhase) and latest.to:
        yield ["An extra or skipped phase goes for the whole team."]
    if state.phase == BATTLEFIELD and state.attacked:
        seat, zone = state.attacked
        yield ["Only the ", str(zone), " of ", int(seat), " is attacked, and defended from."]
    elif state.phase == BATTLEFIELD:
        yield [state.active, ", the Commander, chooses the one zone that the team attacks."]


def _of_the_move(state: War, latest: mv.Move | None) -> Iterable[Sentence]:
    match latest:
        case Act(player=seat):
            yield ["“Each opponent” on the card: one opposing player, whom ", seat, " chooses."]
            yield [_commander(state, seat), ", the Commander, orders what the team does at once."]
        case PassPriority() if state.passes:
            yield ["A team passes as one: only when none of its players wants to act."]
        case PassPriority():
            yield ["Both teams passed: the top of the stack resolves, or the phase ends."]
        case DamageZone(players=seats) if any(_is_burnt_down(state, seat) for seat in seats):
            yield _play_on([seat for seat in seats if _is_burnt_down(state, seat)])
        case EmptyDeck(players=seats, empty=True):
            yield _play_on(seats)


def _play_on(seats: Sequence[int]) -> Sentence:
    plays = "plays on" if len(seats) == 1 else "play on"
    return [*listed(seats), f" {plays}: only a team wins or loses."]


def _is_burnt_down(state: War, seat: int) -> bool:
    return _of(state, seat).burning == len(ZONES)


def _commander(state: War, seat: int) -> int:
    return state.commanders[state.team_of(seat)]


# --- refusals ---
class ZoneBurns(errors.RuleError):
    code = "zone_burns"
    text = "The {zone} of {player} burns already: it takes no more damage, and none off."


class NoDevelopments(errors.RuleError):
    code = "no_change"
    text = "No development would come or go."
    advice = "Give a number other than 0."


class NotInBattlefieldPhase(errors.RuleError):
    code = "not_in_battlefield_phase"
    text = "Zones are attacked in the battlefield phase only, and this is the {phase} phase."
    advice = "Go on to that phase first."


class OwnZone(errors.RuleError):
    code = "own_zone"
    text = "{player} is of the team that attacks."
    advice = "Choose a zone of the other team."


class AttackedAlready(errors.RuleError):
    code = "attacked_already"
    text = "The team attacks the {zone} of {player} already: one zone a phase."
    advice = "Undo that attack, or begin an extra battlefield phase."


class LastPhase(errors.RuleError):
    code = "last_phase"
    text = "The battlefield phase is the last of the turn."
    advice = "Pass the turn, or choose the extra phase."


class NotYourPriority(errors.RuleError):
    code = "not_your_priority"
    text = "The team of {player} does not have priority."
    advice = "The other team passes first."


class LegendCounts(errors.RuleError):
    code = "legend_counts"
    text = "{player} has played an Eternal War legend already: it counts once."


class DecksAsTheyAre(errors.RuleError):
    code = "no_change"
    text = "Those decks are so already."


class CommanderAlready(errors.RuleError):
    code = "no_change"
    text = "{player} is the Commander already."


# --- what follows ---
@dataclass(frozen=True, slots=True)
class ZoneChanged(OwnEvent):
    player: int
    zone: str
    damage: int = 0
    developments: int = 0

    def applied(self, state: GameState) -> GameState:
        old = _of(state, self.player).capital[self.zone]
        now = old._replace(
            damage=old.damage + self.damage, developments=old.developments + self.developments
        )
        return _with_zone(state, self.player, self.zone, now)


@dataclass(frozen=True, slots=True)
class ZoneBurned(OwnEvent):
    player: int
    zone: str

    def applied(self, state: GameState) -> GameState:
        burnt = _of(state, self.player).capital[self.zone]._replace(burning=True)
        return _with_zone(state, self.player, self.zone, burnt)

    def told(self) -> Sentence:
        return [f"The {self.zone} of ", self.player, " burns"]


@dataclass(frozen=True, slots=True)
class PhaseBegan(OwnEvent):
    phase: str

    def applied(self, state: GameState) -> GameState:
        first = {"phase": self.phase, "passes": 0, "attacked": ()}
        return _replaced(state, priority=_war(state).active_team, **first)

    def told(self) -> Sentence:
        return [f"{self.phase.capitalize()} phase"]


@dataclass(frozen=True, slots=True)
class ZoneAttacked(OwnEvent):
    player: int
    zone: str

    def applied(self, state: GameState) -> GameState:
        return _replaced(state, attacked=(self.player, self.zone))


@dataclass(frozen=True, slots=True)
class PriorityPassed(OwnEvent):
    """Priority went to a team; ``passes`` in a row, none where both teams had passed."""

    team: int
    passes: int

    def applied(self, state: GameState) -> GameState:
        return _replaced(state, priority=self.team, passes=self.passes)

    def told(self) -> Sentence:
        if self.passes:
            return []
        return [
            "Both teams passed: the top of the stack resolves, or the phase ends; "
            "the active team has priority"
        ]


@dataclass(frozen=True, slots=True)
class ActionTaken(OwnEvent):
    def applied(self, state: GameState) -> GameState:
        return _replaced(state, passes=0)


@dataclass(frozen=True, slots=True)
class LegendPlayed(OwnEvent):
    """``zones`` must burn now for the player's team to win."""

    player: int
    team: tuple[int, ...]
    zones: int

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, legend=True)

    def told(self) -> Sentence:
        return [*listed(self.team), f" win with {self.zones} zones burning now"]


@dataclass(frozen=True, slots=True)
class DeckChanged(OwnEvent):
    player: int
    empty: bool

    def applied(self, state: GameState) -> GameState:
        return with_player(state, self.player, decked=self.empty)


@dataclass(frozen=True, slots=True)
class CommanderNamed(OwnEvent):
    """If the team has the turn, it is marked by its new Commander."""

    player: int

    def applied(self, state: GameState) -> GameState:
        war = _war(state)
        team = war.team_of(self.player)
        named = tuple(
            self.player if one == team else seat for one, seat in enumerate(war.commanders)
        )
        active = self.player if team == war.active_team else war.active
        return _replaced(state, commanders=named, active=active)


@dataclass(frozen=True, slots=True)
class TeamLost(OwnEvent):
    team: tuple[int, ...]
    why: str

    def applied(self, state: GameState) -> GameState:
        return state

    def told(self) -> Sentence:
        return [*listed(self.team), f" lose: {self.why}"]


# --- what is reported ---
@dataclass(frozen=True, slots=True)
class DamageZone(OwnMove):
    """Damage to one zone of each of the players, at the same time."""

    type: ClassVar[str] = "zone_damage"
    title: ClassVar[str] = "Damage to which zone?"

    players: tuple[int, ...] = fields.seats("Whose zone")
    zone: str = fields.choice("Zone", ZONES)
    amount: int = fields.number("Damage", 1, mv.AMOUNT_MAX)

    def decide(self, story: Story) -> None:
        for seat in self.players:
            _require_unburnt(story.state, seat, self.zone)
        for seat in self.players:
            _change(story, seat, self.zone, damage=self.amount)
        story.state.ruleset.check(story)

    def told(self) -> Sentence:
        return [*listed(self.players), f": {self.zone} takes {self.amount} damage"]


@dataclass(frozen=True, slots=True)
class RepairZone(OwnMove):
    """A card takes damage off a zone."""

    type: ClassVar[str] = "repair"
    title: ClassVar[str] = "Take damage off which zone?"

    player: int = fields.seat("Whose zone")
    zone: str = fields.choice("Zone", ZONES)
    amount: int = fields.number("Damage off", 1, mv.AMOUNT_MAX)

    def decide(self, story: Story) -> None:
        _require_unburnt(story.state, self.player, self.zone)
        _change(story, self.player, self.zone, damage=-self.amount)

    def told(self) -> Sentence:
        return [self.player, f": {self.amount} damage off the {self.zone}"]


@dataclass(frozen=True, slots=True)
class ChangeDevelopments(OwnMove):
    """Developments come to a zone, or leave it."""

    type: ClassVar[str] = "development"
    title: ClassVar[str] = "Developments in which zone?"

    player: int = fields.seat("Whose zone")
    zone: str = fields.choice("Zone", ZONES)
    by: int = fields.number("How many more, or fewer with a minus", -9, 9)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if not self.by:
            raise NoDevelopments()
        _change(story, self.player, self.zone, developments=self.by)
        story.state.ruleset.check(story)

    def told(self) -> Sentence:
        verb = "gets" if self.by > 0 else "loses"
        return [self.player, f": {self.zone} {verb} {count(abs(self.by), 'development')}"]


@dataclass(frozen=True, slots=True)
class Attack(OwnMove):
    """The active team attacks one zone of one opposing player, as one army."""

    type: ClassVar[str] = "assault"
    title: ClassVar[str] = "Which zone is attacked?"

    player: int = fields.seat("Whose zone")
    zone: str = fields.choice("Zone", ZONES)

    def decide(self, story: Story) -> None:
        war = _war(story.state)
        require_in_game(war, self.player)
        if war.phase != BATTLEFIELD:
            raise NotInBattlefieldPhase(phase=war.phase)
        if self.player in war.side_of(war.active):
            raise OwnZone(player=self.player)
        if war.attacked:
            seat, zone = war.attacked
            raise AttackedAlready(player=seat, zone=zone)
        story.tell(ZoneAttacked(self.player, self.zone))

    def told(self) -> Sentence:
        return [f"Attack on the {self.zone} of ", self.player]


@dataclass(frozen=True, slots=True)
class BeginPhase(OwnMove):
    """The next phase of the turn begins, or the named one, extra or after skipped ones."""

    type: ClassVar[str] = "phase"
    title: ClassVar[str] = "Which phase begins?"

    to: str = fields.choice("Phase", PHASES, "")

    def decide(self, story: Story) -> None:
        phase = self.to or _war(story.state).next_phase
        if not phase:
            raise LastPhase()
        story.tell(PhaseBegan(phase))

    def told(self) -> Sentence:
        return [f"Phase: {self.to}" if self.to else "Next phase"]


@dataclass(frozen=True, slots=True)
class PassPriority(OwnMove):
    """The team with priority passes as one."""

    type: ClassVar[str] = "pass_priority"
    title: ClassVar[str] = "Pass priority?"

    def decide(self, story: Story) -> None:
        war = _war(story.state)
        if war.passes:
            story.tell(PriorityPassed(war.active_team, 0))
        else:
            story.tell(PriorityPassed(1 - war.priority, 1))

    def told(self) -> Sentence:
        return ["Priority passed"]


@dataclass(frozen=True, slots=True)
class Act(OwnMove):
    """A player of the team with priority takes an action: the passes start anew."""

    type: ClassVar[str] = "act"
    title: ClassVar[str] = "Who takes an action?"

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        war = _war(story.state)
        require_in_game(war, self.player)
        if war.team_of(self.player) != war.priority:
            raise NotYourPriority(player=self.player)
        story.tell(ActionTaken())

    def told(self) -> Sentence:
        return [self.player, " takes an action"]


@dataclass(frozen=True, slots=True)
class PlayLegend(OwnMove):
    """A player has played a legend of the Eternal War cycle."""

    type: ClassVar[str] = "legend"
    title: ClassVar[str] = "Who played an Eternal War legend?"

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if _of(story.state, self.player).legend:
            raise LegendCounts(player=self.player)
        war = _war(story.state)
        team = war.team_of(self.player)
        story.tell(LegendPlayed(self.player, war.sides[team], zones_to_burn(war, team) + 1))

    def told(self) -> Sentence:
        return [self.player, " plays an Eternal War legend"]


@dataclass(frozen=True, slots=True)
class EmptyDeck(OwnMove):
    """Players have no cards left in their decks, or some again."""

    type: ClassVar[str] = "deck"
    title: ClassVar[str] = "Whose deck?"

    players: tuple[int, ...] = fields.seats("Deck of")
    empty: bool = fields.truth("It is empty")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.players)
        changed = [seat for seat in self.players if _of(story.state, seat).decked is not self.empty]
        if not changed:
            raise DecksAsTheyAre()
        for seat in changed:
            story.tell(DeckChanged(seat, self.empty))
        story.state.ruleset.check(story)

    def told(self) -> Sentence:
        return ["Deck of ", *listed(self.players), " is empty" if self.empty else " has cards"]


@dataclass(frozen=True, slots=True)
class NameCommander(OwnMove):
    """Another player leads the team."""

    type: ClassVar[str] = "commander"
    title: ClassVar[str] = "Who is the Commander?"

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if self.player in _war(story.state).commanders:
            raise CommanderAlready(player=self.player)
        story.tell(CommanderNamed(self.player))

    def told(self) -> Sentence:
        return [self.player, " is the Commander"]


OWN = frozenset(
    (
        *(DamageZone, RepairZone, ChangeDevelopments, Attack, BeginPhase),
        *(PassPriority, Act, PlayLegend, EmptyDeck, NameCommander),
    )
)


# --- shared moves, as teams make them ---
def _pass_turn(story: Story, move: mv.PassTurn) -> None:
    war = _war(story.state)
    if move.player is not None:
        require_in_game(war, move.player)
    seat = war.next_after(war.active) if move.player is None else _commander(war, move.player)
    story.tell(ev.TurnBegan(seat))
    story.tell(PhaseBegan(PHASES[0]))


def _concede(story: Story, move: mv.Concede) -> None:
    war = _war(story.state)
    require_in_game(war, move.player)
    for seat in war.side_of(move.player):
        story.tell(ev.PlayerLeft(seat, ev.Leaving.CONCEDED))
    end_won(story, war.next_after(move.player), CONCEDED)


def _win(story: Story, move: mv.Win) -> None:
    require_in_game(story.state, move.player)
    end_won(story, _commander(_war(story.state), move.player), move.reason)


# --- small hands ---
def _war(state: GameState) -> War:
    assert isinstance(state, War)
    return state


def _of(state: GameState, seat: int) -> Lord:
    player = state.players[seat]
    assert isinstance(player, Lord)
    return player


def _replaced(state: GameState, **changes: Any) -> GameState:
    return replace(_war(state), **changes)


def _with_zone(state: GameState, seat: int, name: str, now: Zone) -> GameState:
    capital = {**_of(state, seat).capital, name: now}
    return with_player(state, seat, zones=tuple(capital.values()))


def _require_unburnt(state: GameState, seat: int, zone: str) -> None:
    require_in_game(state, seat)
    if _of(state, seat).capital[zone].burning:
        raise ZoneBurns(player=seat, zone=zone)


def _change(story: Story, seat: int, name: str, damage: int = 0, developments: int = 0) -> None:
    zone = _of(story.state, seat).capital[name]
    counts = {
        "damage": zone.damage + damage,
        "developments": zone.developments + developments,
    }
    for what, number in counts.items():
        if not 0 <= number <= COUNT_MAX:
            raise errors.OutOfBounds(
                player=seat, number=number, what=f"{what} there", lowest=0, highest=COUNT_MAX
            )
    story.tell(ZoneChanged(seat, name, damage, developments))


def _losing(state: War) -> dict[int, str]:
    """Return which teams lose now, and why."""
    losing = {}
    for team, seats in enumerate(state.sides):
        why = []
        if burning(state, team) >= zones_to_burn(state, 1 - team):
            why.append(f"{burning(state, team)} zones burning")
        if all(_of(state, seat).decked for seat in seats):
            why.append(NO_CARDS)
        if why:
            losing[team] = " and ".join(why)
    return losing


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmWars(Ruleset):
    """Realm Wars: two teams of two or three, one game, no life and no VP."""

    format: ClassVar[str] = "realm-wars"
    moves: ClassVar[frozenset[type]] = OWN | {mv.PassTurn, mv.Concede, mv.Win, mv.Draw}
    overrides: ClassVar[Mapping[type, Any]] = {
        mv.PassTurn: _pass_turn,
        mv.Concede: _concede,
        mv.Win: _win,
    }
    player: ClassVar[type[PlayerState]] = Lord
    game: ClassVar[type[GameState]] = War

    players_min: int = 4
    players_max: int = 6
    players_usual: range = range(4, 7, 2)

    def allows(self, players: int) -> bool:
        """Say whether so many can play: two teams of two or three."""
        return players in self.players_usual

    def teams(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Return the first half of the seats and the second."""
        half = players // 2
        return tuple(range(1, half + 1)), tuple(range(half + 1, players + 1))

    @property
    def players_told(self) -> str:
        """How many can play."""
        return " or ".join(map(str, self.players_usual))

    def begin(self, state: GameState) -> GameState:
        """Give the first of each team the command, and the turn to the starting player's team."""
        led = replace(_war(state), commanders=tuple(seats[0] for seats in _war(state).sides))
        return replace(led, active=_commander(led, state.active), priority=led.active_team)

    def check(self, story: Story) -> None:
        """Let zones burn, then teams lose, both at once being a draw."""
        for seat in story.state.players:
            for name, zone in _of(story.state, seat).capital.items():
                if not zone.burning and zone.damage >= zone.burns_at:
                    story.tell(ZoneBurned(seat, name))
        _end(story, _losing(_war(story.state)))

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        """Return what ``replay`` prints of a game: teams, zones, decks."""
        war = _war(state)
        lords = {names[seat]: _of(war, seat) for seat in sorted(war.players)}
        return {
            "winners": [names[seat] for seat in war.winners],
            "teams": [_team_outcome(team, names) for team in war.teams],
            "active": names[war.active],
            "phase": war.phase,
            "priority": names[war.commanders[war.priority]],
            "attacked": _attacked_outcome(war, names),
            "zones": {
                name: {zone: facts._asdict() for zone, facts in lord.capital.items()}
                for name, lord in lords.items()
            },
            "legends": [name for name, lord in lords.items() if lord.legend],
            "empty_decks": [name for name, lord in lords.items() if lord.decked],
            "out": {name: lord.out for name, lord in lords.items() if lord.out},
        }


def _end(story: Story, losing: Mapping[int, str]) -> None:
    war = _war(story.state)
    for team, why in losing.items():
        story.tell(TeamLost(war.sides[team], why))
    if len(losing) == len(war.sides):
        story.tell(ev.GameDrawn(" and ".join(dict.fromkeys(losing.values())), war.in_game))
    for team, why in losing.items():
        if len(losing) == 1:
            end_won(story, war.commanders[1 - team], why)


def _team_outcome(team: Team, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "players": [names[seat] for seat in team.seats],
        "commander": names[team.commander],
        "burning": team.burning,
        "loses_at": team.burns_at,
    }


def _attacked_outcome(war: War, names: Mapping[int, str]) -> dict[str, str] | None:
    if not war.attacked:
        return None
    seat, zone = war.attacked
    return {"player": names[int(seat)], "zone": str(zone)}


REALM_WARS = RealmWars(
    key="realm-wars",
    name="Realm Wars",
    summary="Two teams burn the zones of each other’s capitals: 4 of 6, or 6 of 9. One game.",
    start_note="Choose any player of the team that begins.",
    seating_note="Two teams: seats 1 and 2 against 3 and 4, or 1 to 3 against 4 to 6. The first of "
    "each team is its Commander.",
)
