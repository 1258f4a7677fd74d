"""Conspiracy (003): votes, goad, melee, the monarch, and conspiracies with secrets."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar

from ...corrections import Entry
from ...damage import Hit
from ...effects import Effect, GameChanged, PlayerChanged, PlayerLeft, TurnBegan
from ...engine import Story, due_to_monarch
from ...errors import RuleError
from ...log import GameLog
from ...move import Move
from ...moves import SHARED, Concede, ConcedeTo, CrownMonarch, Draw
from ...own import LIFE_AND_HITS
from ...ruleset import Prepared, Ruleset
from ...state import GameState, PlayerState, new_game
from ...taps import Tapped
from ...words import Sentence, count
from . import combat, council, ready, zone
from .combat import Attack, EndGoad, GoadCreature, MoveGoaded
from .council import CallVote, CastVote
from .state import ConspiracyGame, ConspiracyPlayer, facts_of, game_of
from .zone import Disclose, PutAgenda, PutConspiracy, TurnUp

DURING_A_VOTE = (CastVote, Concede, ConcedeTo, Draw)


class AlwaysAMonarch(RuleError):
    text = "Once there was a monarch, there is always exactly one."
    advice = "Crown another player, or correct a wrong crown in the log."


class MonarchDrew(Effect):
    player: int

    def sentence(self) -> Sentence:
        return [self.player, ", the monarch, draws a card at the end step"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conspiracy(Ruleset):
    format: ClassVar[str] = "conspiracy"
    hides_decks: ClassVar[bool] = True
    moves: ClassVar[frozenset[type]] = SHARED | {
        *(CallVote, CastVote, GoadCreature, MoveGoaded, EndGoad, Attack),
        *(PutConspiracy, PutAgenda, TurnUp, Disclose),
    }
    always_own: ClassVar[frozenset[type]] = frozenset(
        (CallVote, CastVote, PutConspiracy, PutAgenda, TurnUp, Disclose)
    )
    own_moves: ClassVar[frozenset[type]] = always_own | LIFE_AND_HITS | {CrownMonarch}
    player: ClassVar[type[PlayerState]] = ConspiracyPlayer
    game: ClassVar[type[GameState]] = ConspiracyGame

    players_min: int = 3
    players_usual: range = range(3, 6)
    life: int = 20

    def is_own(self, state: GameState, move: Move, seat: int) -> bool:
        if isinstance(move, CastVote) and move.chosen_by is not None:
            return False
        if isinstance(move, CallVote) and state.active != seat:
            return False
        return Ruleset.is_own(self, state, move, seat)

    def before_move(self, state: GameState, move: Move) -> None:
        voter = game_of(state).votes_next
        reveals = isinstance(move, TurnUp | Disclose) and move.player in game_of(state).telling
        if voter is not None and not isinstance(move, DURING_A_VOTE) and not reveals:
            raise council.VoteFirst(player=voter)

    def require_room(self, before: GameState, after: GameState) -> None:
        for seat in after.players:
            number, most = facts_of(after, seat).conspiracies, zone.CONSPIRACIES_MAX
            # An older release may have taken more.
            if number > max(most, facts_of(before, seat).conspiracies):
                raise zone.TooManyConspiracies(player=seat, number=number, most=most)

    def require_addable(self, state: GameState, move: Move) -> None:
        if isinstance(move, CrownMonarch) and move.player is None and state.monarch is not None:
            raise AlwaysAMonarch()

    def require_new(self, state: GameState, move: Move, prepared: Prepared) -> None:
        if isinstance(move, PutAgenda) and (refused := closed(state, prepared)):
            raise refused
        if isinstance(move, PutConspiracy) and not game_of(state).has_begun:
            # A life total that was set to what it was changed nothing, and so began nothing.
            start = new_game(state.ruleset, tuple(state.players))
            log = GameLog.recall(start, prepared().entries)
            if any(not isinstance(line.move, PutAgenda | PutConspiracy) for line in log.lines):
                raise zone.GameHasBegun()

    def require_ready(self, state: GameState, entry: Entry | Tapped, prepared: Prepared) -> None:
        if not game_of(state).has_begun:
            ready.require_ready(state, entry, prepared())

    def require_correctable(self, move: Move, ever: Set[type[Move]]) -> None:
        if isinstance(move, PutAgenda) and ever - {PutAgenda, PutConspiracy}:
            raise zone.SealStays()

    def after_damage(self, story: Story, hits: Sequence[Hit]) -> None:
        """Close the command zone, even if the damage changes nobody's life."""
        _begin(story)

    def before_effect(self, story: Story, effect: Effect) -> None:
        state = story.state
        if not isinstance(effect, TurnBegan) or state.is_over or state.monarch != state.active:
            return
        if state.active in state.in_game:
            story.add(MonarchDrew(state.active))

    def after_effect(self, story: Story, effect: Effect, before: GameState) -> None:
        if not isinstance(effect, PlayerChanged):  # putting a conspiracy leaves the zone open
            _begin(story)
        match effect:
            case TurnBegan(player=seat):
                combat.end_goads_of_turn(story, game_of(before), seat)
                cleared: dict[str, object] = {"attacked": ()}
                # A vote that goes on stays, and one that ended with its last voter leaving the
                # game, and thereby the turn.
                if game_of(story.before).votes_next is None:
                    cleared |= {"council": (), "ballots": (), "chose": None}
                story.add(GameChanged(cleared))
            case PlayerLeft(player=seat):
                for goad in game_of(story.state).goads:
                    if goad.controller == seat:  # the creatures leave the game as well
                        story.add(combat.GoadEnded(goad))
                if game_of(before).votes_next is not None and len(story.state.in_game) > 1:
                    council.close(story)

    def due(self, state: GameState) -> list[Sentence]:
        game = game_of(state)
        goaded = [one.brief for one in game.goaded if one.controller == game.active]
        melee: list[Sentence] = [[combat.melee_bonus(game.melee)]] if game.melee else []
        shared = due_to_monarch(state)
        return [*council.due(game), *shared, *melee, *goaded, *zone.due(game)]

    def recap(self, state: GameState, effects: Iterable[Effect], seat: int) -> list[str]:
        effects = list(effects)
        goads = sum(
            isinstance(effect, combat.CreatureGoaded) and effect.goad.by == seat
            for effect in effects
        )
        goaded = [f"goaded {count(goads, 'creature')}"] if goads else []
        return [*Ruleset.recap(self, state, effects, seat), *goaded]

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        game = game_of(state)
        vote, voter = game.vote, game.votes_next
        players = {names[seat]: facts_of(state, seat) for seat in sorted(state.players)}
        return {
            **Ruleset.outcome(self, state, names),
            "face_up": {name: list(player.face_up) for name, player in players.items()},
            "turned_up": {
                name: [
                    {"card": each.card, "names": list(each.names), "proved": each.is_proved}
                    for each in player.agendas
                    if not each.is_face_down
                ]
                for name, player in players.items()
            },
            "face_down": {
                name: [agenda.seal for agenda in player.face_down]
                for name, player in players.items()
            },
            "vote": vote
            and {
                "votes": dict(game.tally),
                "next": None if voter is None else names[voter],
                "finished": vote.finished,
            },
            "goads": [
                {"by": names[by], "creature": creature, "controller": names[controller]}
                for by, creature, controller in game.goads
            ],
            "attacked": [names[seat] for seat in game.attacked],
        }


def closed(state: GameState, prepared: Prepared) -> RuleError | None:
    """Return why nothing can be sealed in a game any more, even if its beginning was undone."""
    if game_of(state).has_begun:
        return zone.GameHasBegun()
    so_far = prepared()
    if ready.undone_start(so_far.entries) is None:
        return zone.GameHadBegun()
    first = next(iter(ready.keeping_closed(state, so_far)), None)
    return ready.SealersFirst(player=first) if first else None


def _begin(story: Story) -> None:
    if not game_of(story.state).has_begun:
        story.add(GameChanged({"has_begun": True}))


CONSPIRACY = Conspiracy(
    key="conspiracy",
    name="Conspiracy",
    summary="20 life, after the draft: the monarch, votes, goad, conspiracies with secret names.",
    seating_note="Draw the seats at random, and enter the players in that order.",
    start_note="Start the game, then add your conspiracies. None can be added after its first "
    "entry.",
)
