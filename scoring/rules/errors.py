"""Refusals of the rules: expected, typed, and worded for players."""

import re
from collections.abc import Mapping

from coalition_site.lib.refusals import Refused


class RuleError(Refused):
    """The rules refuse a move; nothing has changed. ``code`` is the class's name unless it says
    otherwise. A fact named ``player`` is a seat number, which the message replaces by a name.
    ``advice`` is what to do now; ``hindsight`` if the refused move is a later event, which a
    correction would make impossible.

    >>> NotInGame(player=2).message({2: "Bo"}), NotInGame.code
    ('Bo is not in this game any more.', 'not_in_game')
    >>> LaterImpossible(number=3, refusal=GameIsOver()).message({})
    'Then event 3 could not have happened: This game is over.'
    """

    code = "refused"
    text = "That can't be done."
    advice = ""
    hindsight = ""

    def __init_subclass__(cls) -> None:
        if "code" not in vars(cls):
            cls.code = re.sub(r"\B([A-Z])", r"_\1", cls.__name__).lower()

    def __init__(self, **facts: "int | str | RuleError | None") -> None:
        self.facts = facts
        super().__init__(self.message({}))

    def message(self, names: Mapping[int, str]) -> str:
        return f"{self._fact(names)} {self.advice}".rstrip()

    def _fact(self, names: Mapping[int, str]) -> str:
        words = {
            name: names.get(fact, f"Seat {fact}")
            if name == "player" and isinstance(fact, int)
            else fact._fact(names)
            if isinstance(fact, RuleError)
            else fact
            for name, fact in self.facts.items()
        }
        return self.text.format(**words)


class GameIsOver(RuleError):
    code = "game_over"
    text = "This game is over."
    advice = "Undo its last event to go on playing it."


class NotOfThisFormat(RuleError):
    text = "There is no such thing in {format}."


class Malformed(RuleError):
    text = "{field}: {problem}."


class NotInGame(RuleError):
    text = "{player} is not in this game any more."


class NotDealtIn(RuleError):
    text = "{player} does not play this game."


class OutOfBounds(RuleError):
    text = "{player} would have {number} {what}: between {lowest} and {highest} is possible."


class OnHold(RuleError):
    text = "A card says that {player} can't {verb} the game."
    advice = "Take that off first."


class HeroAlreadyThere(RuleError):
    text = "{player}'s hero is already in that zone ({zone})."


class HeroFirstToHand(RuleError):
    """906.8: from outside, a hero goes to hand first."""

    text = "{player}'s hero goes from outside to hand first."


class HeroNotOnOthersTurn(RuleError):
    """906.8"""

    code = "hero_not_your_turn"
    text = "It is not {player}'s turn: a hero can go to hand only on its player's own turn."


class HeroOnceATurn(RuleError):
    """906.8"""

    text = "{player} has already taken the hero to hand this turn: that is possible once a turn."


class NothingToUndo(RuleError):
    text = "There is nothing to undo in this game."


class NotTheLatest(RuleError):
    text = "Event {number} is not the latest any more. Look again before you undo."


class NoSuchEvent(RuleError):
    text = (
        "Event {number} can't be corrected: it is not there, already taken back, or a correction."
    )


class OtherType(RuleError):
    text = (
        "Event {number} can only be amended to an event of its own type. "
        "Strike it and enter a new event."
    )


class LaterImpossible(RuleError):
    text = "Then event {number} could not have happened: {refusal}"

    def __init__(self, *, number: int, refusal: RuleError) -> None:
        self.number, self.refusal = number, refusal
        self.advice = refusal.hindsight
        super().__init__(number=number, refusal=refusal)

    def why(self, names: Mapping[int, str]) -> str:
        return f"{self.refusal._fact(names)} {self.advice}".rstrip()


class LogIsFull(RuleError):
    text = (
        "The log of this game is full: it has {most} entries, and corrections count as entries. "
        "Nothing more can be entered."
    )


class LogIsNearlyFull(RuleError):
    text = (
        "The log of this game is nearly full: it takes {most} entries, and the last {last} are for "
        "corrections and for the end of the game."
    )
    advice = "End the game, or correct what is wrong."


class GameBuiltOn(RuleError):
    text = "A later game has started: this game must stay over, and who conceded it can't change."


class AlreadySplit(RuleError):
    text = "The tables are seated already: this must stay over, and who stayed can't change."


class RepeatedId(RuleError):
    code = "id_with_other_content"
    text = "This tap was already recorded with other content. Enter it again."


class CannotStart(RuleError):
    text = "This game can't start."


class NoFurtherGame(CannotStart):
    text = "The set has all its games: no other game can start."


class GameInProgress(CannotStart):
    text = "A game is still in progress. Finish it first."


class TooFewPlayers(CannotStart):
    text = "Fewer than two players would be left. Call the set instead."


class NotThere(CannotStart):
    text = "{player} is not in the set any more."


class NobodyLeavesBefore(CannotStart):
    text = "Nobody can leave before the only game. Start a table without whoever does not play."


class WrongTurnOrder(CannotStart):
    text = "The turn order must name every player of the game once, the starting player first."


class GameHasEvents(RuleError):
    text = "This game has begun: undo its events first."


class PointsMissing(RuleError):
    text = "The VP of {player} are missing."
    advice = "Give 0 to whoever has none."


class OverCap(RuleError):
    """906.10d"""

    text = "{player} can't have {points} VP: {most} is the most in a game."


class WinnerConceded(RuleError):
    text = "{player} can't have conceded and won."


class ConcededPoints(RuleError):
    """906.10g"""

    text = "{player} conceded: their {points} VP of this game are void."
    advice = "Give them 0."


class LastOneWins(RuleError):
    """104.2a"""

    text = "Not everybody can have conceded: the last one left wins."


class EndsOtherwise(RuleError):
    text = "A game that was {game} does not end like this: {how}."
    advice = "Choose how it ended, or that it was not noted."


class CapWins(RuleError):
    """906.11"""

    text = "{player} can't have {points} VP and not win: whoever reaches {points} wins."
    advice = (
        "If two reached it at once, it was a tie. If a card kept one from winning, score the game "
        "move by move."
    )


class BonusDoesNotFit(RuleError):
    """906.10e; 000 win condition"""

    text = "{player} won, and can't have {points} VP: with the bonus a winner has {fits} then."


class NoSuchGame(RuleError):
    text = "That game is not there any more. Here is the table as it stands."


class SetIsCalled(RuleError):
    text = "The set was called: it is finished."


class SetIsFinished(RuleError):
    text = "The set is finished: its decks stay as they were played."


class SetNotBetweenGames(RuleError):
    text = "A set can be called between games only, once one was played."


class TableIsBusy(RuleError):
    text = "Too many taps at once. Send it again."


class TableIsGone(RuleError):
    text = "This table is not there any more."


class WrongFormat(RuleError):
    text = "That deck is for another format. Choose one for the format of this table."


class IllegalDeck(RuleError):
    text = (
        "The deck of {player} is not legal, and the list of this table takes legal decks only. "
        "{problems}"
    )
