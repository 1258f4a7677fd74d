"""Refusals of the rules: expected, typed, and worded for players."""

from collections.abc import Mapping

from coalition_site.lib.refusals import Refused


class RuleError(Refused):
    """The rules refuse a move; nothing has changed. ``code`` never changes. A fact named ``player``
    is a seat number, which the message replaces by a name. ``advice`` is what to do now;
    ``hindsight`` if the refused move is a later event, which a correction would make impossible.

    >>> NotInGame(player=2).message({2: "Bo"})
    'Bo is not in this game any more.'
    >>> LaterImpossible(number=3, refusal=GameIsOver()).message({})
    'Then event 3 could not have happened: This game is over.'
    """

    code = "refused"
    text = "That can't be done."
    advice = ""
    hindsight = ""

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
    code = "not_of_this_format"
    text = "There is no such thing in {format}."


class Malformed(RuleError):
    code = "malformed"
    text = "{field}: {problem}."


class NotInGame(RuleError):
    code = "not_in_game"
    text = "{player} is not in this game any more."


class NotDealtIn(RuleError):
    code = "not_dealt_in"
    text = "{player} does not play this game."


class OutOfBounds(RuleError):
    code = "out_of_bounds"
    text = "{player} would have {number} {what}: between {lowest} and {highest} is possible."


class OnHold(RuleError):
    code = "on_hold"
    text = "A card says that {player} can't {verb} the game."
    advice = "Take that off first."


class HeroAlreadyThere(RuleError):
    code = "hero_already_there"
    text = "{player}'s hero is already in that zone ({zone})."


class HeroFirstToHand(RuleError):
    """906.8: from outside, a hero goes to hand first."""

    code = "hero_first_to_hand"
    text = "{player}'s hero goes from outside to hand first."


class HeroNotOnOthersTurn(RuleError):
    """906.8"""

    code = "hero_not_your_turn"
    text = "It is not {player}'s turn: a hero can go to hand only on its player's own turn."


class HeroOnceATurn(RuleError):
    """906.8"""

    code = "hero_once_a_turn"
    text = "{player} has already taken the hero to hand this turn: that is possible once a turn."


class NothingToUndo(RuleError):
    code = "nothing_to_undo"
    text = "There is nothing to undo in this game."


class NotTheLatest(RuleError):
    code = "not_the_latest"
    text = "Event {number} is not the latest any more. Look again before you undo."


class NoSuchEvent(RuleError):
    code = "no_such_event"
    text = (
        "Event {number} can't be corrected: it is not there, already taken back, or a correction."
    )


class OtherType(RuleError):
    code = "other_type"
    text = (
        "Event {number} can only be amended to an event of its own type. "
        "Strike it and enter a new event."
    )


class LaterImpossible(RuleError):
    code = "later_impossible"
    text = "Then event {number} could not have happened: {refusal}"

    def __init__(self, *, number: int, refusal: RuleError) -> None:
        self.number, self.refusal = number, refusal
        self.advice = refusal.hindsight
        super().__init__(number=number, refusal=refusal)

    def why(self, names: Mapping[int, str]) -> str:
        return f"{self.refusal._fact(names)} {self.advice}".rstrip()


class LogIsFull(RuleError):
    code = "log_is_full"
    text = (
        "The log of this game is full: it has {most} entries, and corrections count as entries. "
        "Nothing more can be entered."
    )


class LogIsNearlyFull(RuleError):
    code = "log_is_nearly_full"
    text = (
        "The log of this game is nearly full: it takes {most} entries, and the last {last} are for "
        "corrections and for the end of the game."
    )
    advice = "End the game, or correct what is wrong."


class GameBuiltOn(RuleError):
    code = "game_built_on"
    text = "A later game has started: this game must stay over, and who conceded it can't change."


class AlreadySplit(RuleError):
    code = "already_split"
    text = "The tables are seated already: this must stay over, and who stayed can't change."


class RepeatedId(RuleError):
    code = "id_with_other_content"
    text = "This tap was already recorded with other content. Enter it again."


class CannotStart(RuleError):
    code = "cannot_start"
    text = "This game can't start."


class NoFurtherGame(CannotStart):
    code = "no_further_game"
    text = "The set has all its games: no other game can start."


class GameInProgress(CannotStart):
    code = "game_in_progress"
    text = "A game is still in progress. Finish it first."


class TooFewPlayers(CannotStart):
    code = "too_few_players"
    text = "Fewer than two players would be left. Call the set instead."


class NotThere(CannotStart):
    code = "not_there"
    text = "{player} is not in the set any more."


class NobodyLeavesBefore(CannotStart):
    code = "nobody_leaves_before"
    text = "Nobody can leave before the only game. Start a table without whoever does not play."


class WrongTurnOrder(CannotStart):
    code = "wrong_turn_order"
    text = "The turn order must name every player of the game once, the starting player first."


class GameHasEvents(RuleError):
    code = "game_has_events"
    text = "This game has begun: undo its events first."


class PointsMissing(RuleError):
    code = "points_missing"
    text = "The VP of {player} are missing."
    advice = "Give 0 to whoever has none."


class OverCap(RuleError):
    """906.10d"""

    code = "over_cap"
    text = "{player} can't have {points} VP: {most} is the most in a game."


class WinnerConceded(RuleError):
    code = "winner_conceded"
    text = "{player} can't have conceded and won."


class ConcededPoints(RuleError):
    """906.10g"""

    code = "conceded_points"
    text = "{player} conceded: their {points} VP of this game are void."
    advice = "Give them 0."


class LastOneWins(RuleError):
    """104.2a"""

    code = "last_one_wins"
    text = "Not everybody can have conceded: the last one left wins."


class EndsOtherwise(RuleError):
    code = "ends_otherwise"
    text = "A game that was {game} does not end like this: {how}."
    advice = "Choose how it ended, or that it was not noted."


class CapWins(RuleError):
    """906.11"""

    code = "cap_wins"
    text = "{player} can't have {points} VP and not win: whoever reaches {points} wins."
    advice = "If two reached it at once, it was a tie."


class BonusDoesNotFit(RuleError):
    """906.10e; 000 win condition"""

    code = "bonus_does_not_fit"
    text = "{player} won, and can't have {points} VP: with the bonus a winner has {fits} then."


class NoSuchGame(RuleError):
    code = "no_such_game"
    text = "That game is not there any more. Here is the table as it stands."


class SetIsCalled(RuleError):
    code = "set_is_called"
    text = "The set was called: it is finished."


class SetIsFinished(RuleError):
    code = "set_is_finished"
    text = "The set is finished: its decks stay as they were played."


class SetNotBetweenGames(RuleError):
    code = "set_not_between_games"
    text = "A set can be called between games only, once one was played."


class TableIsBusy(RuleError):
    code = "table_is_busy"
    text = "Too many taps at once. Send it again."


class WrongFormat(RuleError):
    code = "wrong_format"
    text = "That deck is for another format. Choose one for the format of this table."


class IllegalDeck(RuleError):
    code = "illegal_deck"
    text = (
        "The deck of {player} is not legal, and the list of this table takes legal decks only. "
        "{problems}"
    )
