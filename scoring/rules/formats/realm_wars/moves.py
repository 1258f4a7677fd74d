"""What is reported of a game of Realm Wars, and what is refused."""

from typing import ClassVar

from ... import errors, fields
from ...damage import AMOUNT_MAX
from ...effects import GameChanged
from ...engine import COUNT_MAX, Story, check_own_state, require_in_game
from ...move import Move
from ...state import GameState
from ...words import Sentence, count, listed
from .effects import DeckChanged, LegendPlayed, PhaseBegan, PriorityPassed, ZoneChanged
from .state import BATTLEFIELD, PHASES, ZONES, lord_of, war_of, zones_to_burn


# --- refusals ---
class ZoneBurns(errors.RuleError):
    text = "The {zone} of {player} is already burning: its damage can't change."


class NoDevelopments(errors.RuleError):
    code = "no_change"
    text = "That changes no developments."
    advice = "Give a number other than 0."


class NotInBattlefieldPhase(errors.RuleError):
    text = "Zones are attacked in the battlefield phase only, and this is the {phase} phase."
    advice = "Go on to that phase first."


class OwnZone(errors.RuleError):
    text = "{player} is on the team that attacks."
    advice = "Choose a zone of the other team."


class AttackedAlready(errors.RuleError):
    text = "The team is already attacking the {zone} of {player}: one zone per phase."
    advice = "Undo that attack, or begin an extra battlefield phase."


class LastPhase(errors.RuleError):
    text = "The battlefield phase is the last of the turn."
    advice = "Pass the turn, or choose the extra phase."


class NotYourPriority(errors.RuleError):
    text = "The team of {player} does not have priority."
    advice = "The other team passes first."


class LegendCounts(errors.RuleError):
    text = "{player} has already played an Eternal War legend: it counts once."


class DecksAsTheyAre(errors.RuleError):
    code = "no_change"
    text = "Those decks are already marked that way."


class CommanderAlready(errors.RuleError):
    code = "no_change"
    text = "{player} is already the Commander."


# --- moves ---
class DamageZone(Move):
    type: ClassVar[str] = "zone_damage"
    title: ClassVar[str] = "Damage to which zone?"

    players: tuple[int, ...] = fields.seats("Whose zone")
    zone: str = fields.choice("Zone", ZONES)
    amount: int = fields.number("Damage", 1, AMOUNT_MAX)

    def decide(self, story: Story) -> None:
        for seat in self.players:
            _require_unburnt(story.state, seat, self.zone)
        for seat in self.players:
            _change(story, seat, self.zone, damage=self.amount)
        check_own_state(story)

    def sentence(self) -> Sentence:
        return [*listed(self.players), f": {self.zone} takes {self.amount} damage"]


class RepairZone(Move):
    type: ClassVar[str] = "repair"
    title: ClassVar[str] = "Remove damage from which zone?"

    player: int = fields.seat("Whose zone")
    zone: str = fields.choice("Zone", ZONES)
    amount: int = fields.number("Damage removed", 1, AMOUNT_MAX)

    def decide(self, story: Story) -> None:
        _require_unburnt(story.state, self.player, self.zone)
        _change(story, self.player, self.zone, damage=-self.amount)

    def sentence(self) -> Sentence:
        return [self.player, f": {self.amount} damage removed from the {self.zone}"]


class ChangeDevelopments(Move):
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
        check_own_state(story)

    def sentence(self) -> Sentence:
        verb = "gets" if self.by > 0 else "loses"
        return [self.player, f": {self.zone} {verb} {count(abs(self.by), 'development')}"]


class Attack(Move):
    type: ClassVar[str] = "assault"
    title: ClassVar[str] = "Which zone is attacked?"
    is_step: ClassVar[bool] = True

    player: int = fields.seat("Whose zone")
    zone: str = fields.choice("Zone", ZONES)

    def decide(self, story: Story) -> None:
        war = war_of(story.state)
        require_in_game(war, self.player)
        if war.phase != BATTLEFIELD:
            raise NotInBattlefieldPhase(phase=war.phase)
        if self.player in war.side_of(war.active):
            raise OwnZone(player=self.player)
        if war.attacked:
            seat, zone = war.attacked
            raise AttackedAlready(player=seat, zone=zone)
        story.add(GameChanged({"attacked": (self.player, self.zone)}))

    def sentence(self) -> Sentence:
        return ["Attack on ", self.player, f"’s {self.zone}"]


class BeginPhase(Move):
    """The next phase of the turn begins, or the named phase, extra or after skipped phases."""

    type: ClassVar[str] = "phase"
    title: ClassVar[str] = "Which phase begins?"
    is_step: ClassVar[bool] = True

    to: str = fields.choice("Phase", PHASES, "")

    def decide(self, story: Story) -> None:
        phase = self.to or war_of(story.state).next_phase
        if not phase:
            raise LastPhase()
        story.add(PhaseBegan(phase))

    def sentence(self) -> Sentence:
        return [f"Phase: {self.to}" if self.to else "Next phase"]


class PassPriority(Move):
    type: ClassVar[str] = "pass_priority"
    title: ClassVar[str] = "Pass priority?"
    is_step: ClassVar[bool] = True

    def decide(self, story: Story) -> None:
        war = war_of(story.state)
        if war.passes:
            story.add(PriorityPassed(war.active_team, 0))
        else:
            story.add(PriorityPassed(1 - war.priority, 1))

    def sentence(self) -> Sentence:
        return ["Priority passed"]


class Act(Move):
    """A player of the team with priority takes an action: both teams may pass again."""

    type: ClassVar[str] = "act"
    title: ClassVar[str] = "Who takes an action?"

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        war = war_of(story.state)
        require_in_game(war, self.player)
        if war.team_of(self.player) != war.priority:
            raise NotYourPriority(player=self.player)
        story.add(GameChanged({"passes": 0}))

    def sentence(self) -> Sentence:
        return [self.player, " takes an action"]


class PlayLegend(Move):
    type: ClassVar[str] = "legend"
    title: ClassVar[str] = "Who played an Eternal War legend?"

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if lord_of(story.state, self.player).legend:
            raise LegendCounts(player=self.player)
        war = war_of(story.state)
        team = war.team_of(self.player)
        story.add(LegendPlayed(self.player, war.sides[team], zones_to_burn(war, team) + 1))

    def sentence(self) -> Sentence:
        return [self.player, " plays an Eternal War legend"]


class EmptyDeck(Move):
    type: ClassVar[str] = "deck"
    title: ClassVar[str] = "Whose deck?"

    players: tuple[int, ...] = fields.seats("Deck of")
    empty: bool = fields.flag("It is empty")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, *self.players)
        changed = [
            seat for seat in self.players if lord_of(story.state, seat).decked is not self.empty
        ]
        if not changed:
            raise DecksAsTheyAre()
        for seat in changed:
            mates = set(war_of(story.state).side_of(seat)) - set(changed)
            plays_on = any(not lord_of(story.state, mate).decked for mate in mates)
            story.add(DeckChanged(seat, self.empty, self.empty and plays_on))
        check_own_state(story)

    def sentence(self) -> Sentence:
        if len(self.players) == 1:
            return [*self.players, "’s deck is empty" if self.empty else "’s deck has cards"]
        return [*listed(self.players), f"’s decks {'are empty' if self.empty else 'have cards'}"]


class NameCommander(Move):
    type: ClassVar[str] = "commander"
    title: ClassVar[str] = "Who is the Commander?"

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        war = war_of(story.state)
        if self.player in war.commanders:
            raise CommanderAlready(player=self.player)
        old = war.leader_of(self.player)
        named = tuple(self.player if seat == old else seat for seat in war.commanders)
        # The team that has the turn is marked by its Commander.
        active = self.player if war.active == old else war.active
        story.add(GameChanged({"commanders": named, "active": active}))

    def sentence(self) -> Sentence:
        return [self.player, " is the Commander"]


OF_PLAYERS = frozenset((DamageZone, RepairZone, ChangeDevelopments, PlayLegend, EmptyDeck))
OF_FORMAT = OF_PLAYERS | {Attack, BeginPhase, PassPriority, Act, NameCommander}


def _require_unburnt(state: GameState, seat: int, zone: str) -> None:
    require_in_game(state, seat)
    if lord_of(state, seat).capital[zone].burning:
        raise ZoneBurns(player=seat, zone=zone)


def _change(story: Story, seat: int, name: str, damage: int = 0, developments: int = 0) -> None:
    zone = lord_of(story.state, seat).capital[name]
    counts = zone.damage + damage, zone.developments + developments
    for what, number in zip(("damage", "developments"), counts, strict=True):
        if not 0 <= number <= COUNT_MAX:
            raise errors.OutOfBounds(
                player=seat, number=number, what=f"{what} there", lowest=0, highest=COUNT_MAX
            )
    story.add(ZoneChanged(seat, name, damage, developments))
