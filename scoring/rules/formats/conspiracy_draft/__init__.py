"""The draft of Conspiracy (003), as far as it is public; its players then split into tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ... import fields
from ...effects import Effect, GameChanged, PlayerChanged, PlayerLeft
from ...engine import Story, require_in_game
from ...errors import RuleError
from ...move import Move
from ...ruleset import Ruleset
from ...state import GameState, PlayerState, Status, changed
from ...words import Sentence
from .state import DraftGame, DraftPlayer, Note, direction_of, draft_of, player_of

NUMBER_MAX = 99_999
GAMES_MAX = 99  # after a draft
DRAWS_MAX = 20  # of the tables of one game
OVER = "the draft is over"
WENT = "left the draft"


class NotFaceUp(RuleError):
    text = "{player} has no {card} face up."
    advice = "Choose one of the cards that are."


class NothingNoted(RuleError):
    text = "A note needs a number, a name, or both."


class LastAtDraft(RuleError):
    text = "{player} can't leave: one player alone would be left."
    advice = "End the draft instead."


class StillDrafting(RuleError):
    text = "The draft is not over."
    advice = "End it first, then split."


class DrawnAgain(RuleError):
    text = "The tables were drawn again meanwhile. Look again at who sits where."


class RoundBegan(Effect):
    number: int

    def applied(self, state: GameState) -> GameState:
        return changed(draft_of(state), round=self.number, passed=0)

    def sentence(self) -> Sentence:
        return [f"Round {self.number}: pass {direction_of(self.number)}"]


class BeginRound(Move):
    type: ClassVar[str] = "round"
    title: ClassVar[str] = "The next draft round?"
    is_step: ClassVar[bool] = True

    def decide(self, story: Story) -> None:
        story.add(RoundBegan(draft_of(story.state).round + 1))

    def sentence(self) -> Sentence:
        return ["Next draft round"]


class PassPacks(Move):
    """All have drafted a card and pass the rest. Tables count picks only if they like."""

    type: ClassVar[str] = "packs_passed"
    title: ClassVar[str] = "Have all picked a card?"
    is_step: ClassVar[bool] = True

    def decide(self, story: Story) -> None:
        story.add(GameChanged({"passed": draft_of(story.state).passed + 1}))

    def sentence(self) -> Sentence:
        return ["All picked a card, and pass"]


class DraftFaceUp(Move):
    type: ClassVar[str] = "face_up"
    title: ClassVar[str] = "Who drafts which card face up?"

    player: int = fields.seat("Who")
    card: str = fields.text("Card")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        _add(story, self.player, face_up=self.card)

    def sentence(self) -> Sentence:
        return [self.player, f" drafts {self.card} face up"]


class TurnDown(Move):
    """The card's ability was used: it joins its player's other cards, or goes ``into_pack``, for
    others to draft."""

    type: ClassVar[str] = "turned_down"
    title: ClassVar[str] = "Who turns which card face down?"

    player: int = fields.seat("Who")
    card: str = fields.text("Card")
    into_pack: bool = fields.flag("It goes into a booster pack")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        _turn_down(story, self.player, self.card)

    def sentence(self) -> Sentence:
        if self.into_pack:
            return [self.player, f" puts {self.card} into a booster pack"]
        return [self.player, f" turns {self.card} face down"]


def _add(story: Story, seat: int, **added: object) -> None:
    player = player_of(story.state, seat)
    changes = {name: (*getattr(player, name), one) for name, one in added.items()}
    story.add(PlayerChanged(seat, changes))


def _turn_down(story: Story, player: int, name: str) -> None:
    """:raises NotFaceUp: if the card isn't."""
    face_up = list(player_of(story.state, player).face_up)
    card = {card.casefold(): card for card in face_up}.get(name.casefold())
    if card is None:
        raise NotFaceUp(player=player, card=name)
    face_up.remove(card)
    story.add(PlayerChanged(player, {"face_up": tuple(face_up)}))


class Reveal(Move):
    """A card is revealed as it is drafted, and then lies face down with the others. Many such cards
    let their player note something at the same time."""

    type: ClassVar[str] = "reveal"
    title: ClassVar[str] = "Who reveals which card?"

    player: int = fields.seat("Who")
    card: str = fields.text("Card")
    number: int | None = fields.number("Number to note, if any", 0, NUMBER_MAX, None)
    name: str = fields.text("Name or types to note, if any", may_lack=True)

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        _add(story, self.player, revealed=self.card)
        if _note(self).text:
            _add(story, self.player, notes=_note(self))

    def sentence(self) -> Sentence:
        noted = _note(self).text
        return [self.player, f" reveals {self.card}" + (f" and notes {noted}" if noted else "")]


class TakeNote(Move):
    """Something is noted for a card, after the draft, too, if it was forgotten. Some cards are
    turned ``down`` as that is noted."""

    type: ClassVar[str] = "note"
    title: ClassVar[str] = "Who notes what?"
    after_end: ClassVar[bool] = True

    player: int = fields.seat("Who")
    card: str = fields.text("For the card")
    number: int | None = fields.number("Number", 0, NUMBER_MAX, None)
    name: str = fields.text("Name or types", may_lack=True)
    down: bool = fields.flag("The card is turned face down")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if self.number is None and not self.name:
            raise NothingNoted()
        _add(story, self.player, notes=_note(self))
        if self.down:
            _turn_down(story, self.player, self.card)

    def sentence(self) -> Sentence:
        down = " and turns it face down" if self.down else ""
        return [self.player, f" notes {_note(self).text} for {self.card}{down}"]


def _note(move: Reveal | TakeNote) -> Note:
    return Note(move.card, move.number, move.name)


class LeaveDraft(Move):
    """A player passes no more packs and will sit at no table; possible until tables are seated."""

    type: ClassVar[str] = "leaves"
    title: ClassVar[str] = "Who leaves?"
    after_end: ClassVar[bool] = True

    player: int = fields.seat("Who")

    def decide(self, story: Story) -> None:
        require_in_game(story.state, self.player)
        if len(story.state.in_game) <= 2:
            raise LastAtDraft(player=self.player)
        story.add(PlayerLeft(self.player, WENT))

    def sentence(self) -> Sentence:
        return [self.player, " leaves the draft"]


class EndDraft(Move):
    type: ClassVar[str] = "drafted"
    title: ClassVar[str] = "Is the draft over?"
    is_step: ClassVar[bool] = True

    def decide(self, story: Story) -> None:
        story.add(GameChanged({"status": Status.ENDED, "ended_by": OVER}))

    def sentence(self) -> Sentence:
        return ["End of the draft"]


class DrawTables(Move):
    """Everybody rolls again for a seat at the tables of a game: the ``draw``-th time."""

    type: ClassVar[str] = "drawn_again"
    after_end: ClassVar[bool] = True

    game: int = fields.number("Game", 1, GAMES_MAX)
    draw: int = fields.number("Draw", 2, DRAWS_MAX)

    def decide(self, story: Story) -> None:
        state = draft_of(story.state)
        if not state.is_over:
            raise StillDrafting()
        if self.draw != state.times_drawn(self.game) + 1:
            raise DrawnAgain()
        draws = [state.times_drawn(game) for game in range(1, max(self.game, len(state.draws)) + 1)]
        draws[self.game - 1] = self.draw
        story.add(GameChanged({"draws": tuple(draws)}))

    def sentence(self) -> Sentence:
        return [f"The tables of game {self.game} are drawn again: draw {self.draw}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConspiracyDraft(Ruleset):
    """A pod that drafts: nobody wins, and it leaves no results."""

    format: ClassVar[str] = "conspiracy-draft"
    moves: ClassVar[frozenset[type]] = frozenset(
        (
            *(BeginRound, PassPacks, DraftFaceUp, TurnDown, Reveal, TakeNote, LeaveDraft),
            *(EndDraft, DrawTables),
        )
    )
    own_moves: ClassVar[frozenset[type]] = frozenset(
        (PassPacks, DraftFaceUp, TurnDown, Reveal, TakeNote)
    )
    has_turns: ClassVar[bool] = False
    player: ClassVar[type[PlayerState]] = DraftPlayer
    game: ClassVar[type[GameState]] = DraftGame
    splits_into: ClassVar[str] = "conspiracy"

    players_min: int = 3
    players_max: int = 8
    players_usual: range = range(6, 9)
    is_ranked: bool = False

    def is_own(self, state: GameState, move: Move, seat: int) -> bool:
        """Whoever is in the draft may say that all have picked a card."""
        if isinstance(move, PassPacks):
            return seat in state.in_game
        return Ruleset.is_own(self, state, move, seat)

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        draft = draft_of(state)
        players = {names[seat]: player_of(state, seat) for seat in sorted(state.players)}
        return {
            "round": draft.round,
            "picks_passed": draft.passed,
            "pass": draft.direction,
            "out": {name: player.out for name, player in players.items() if player.out},
            "face_up": {name: list(player.face_up) for name, player in players.items()},
            "revealed": {name: list(player.revealed) for name, player in players.items()},
            "notes": {
                name: [note._asdict() for note in player.notes] for name, player in players.items()
            },
        }


CONSPIRACY_DRAFT = ConspiracyDraft(
    key="conspiracy-draft",
    name="Conspiracy draft",
    summary="One pod: rounds, cards face up, notes. Then all split into tables of three to five.",
    seating_note="As you sit in the draft. More than eight people make several pods: start a draft "
    "for each.",
)
