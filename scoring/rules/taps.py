"""Taps that do not name everybody: the state of the game decides whom they mean."""

from collections.abc import Iterable, Mapping

from .corrections import Entry
from .damage import Aim, DealDamage, Hit
from .errors import RuleError
from .move import Move
from .moves import ChangeLife, ChangePoison
from .state import GameState
from .values import Value


class Volley(Value):
    collected: tuple[Hit, ...]  # for one event
    aim: Aim  # its last hit

    def at(self, state: GameState, last: Mapping[int, int]) -> DealDamage:
        """:raises NoTarget: if there is nobody to hit with the last hit."""
        return DealDamage((*self.collected, *self.aim.at(state, last).hits))

    def hinges(self, active: str) -> tuple[str, ...]:
        return self.aim.hinges(active)

    def may_have_become(self, entry: Entry) -> bool:
        if not isinstance(entry, DealDamage):
            return False
        first = len(self.collected)
        rest = DealDamage(entry.hits[first:])
        return entry.hits[:first] == self.collected and self.aim.may_have_become(rest)


class ForAll(Value):
    """The same change of life or poison, not 0, for everybody in the game."""

    change: type[ChangeLife] | type[ChangePoison]
    by: int

    def at(self, state: GameState, last: Mapping[int, int]) -> Move:
        return self.change(dict.fromkeys(sorted(state.in_game), self.by))

    def hinges(self, active: str) -> tuple[str, ...]:
        return ("in",)

    def may_have_become(self, entry: Entry) -> bool:
        return type(entry) is self.change and set(entry.changes.values()) == {self.by}


class Meanwhile(RuleError):
    text = "Somebody else tapped first, and the game has moved on. Here it is now."


class TurnPassed(Meanwhile):
    text = "It is now {player}'s turn."


class NextChanged(Meanwhile):
    text = "{player} is now next."


class PlayersChanged(Meanwhile):
    text = "Meanwhile {player} {what}."


class Seen(Value):
    """What was tapped on a page that showed ``page`` of the game, as ``GameState.seen`` has it."""

    tapped: Move | Aim | Volley | ForAll
    page: str

    def at(self, state: GameState, last: Mapping[int, int]) -> Move:
        """:raises Meanwhile: if it would mean something else by now."""
        tapped, active = self.tapped, self.page[:1]
        require_seen(state, self.page, tapped.hinges(active))
        if isinstance(tapped, Move):
            return tapped
        move = tapped.at(state, last)
        require_seen(state, self.page, move.hinges(active))
        return move

    def may_have_become(self, entry: Entry) -> bool:
        tapped = self.tapped
        return entry == tapped if isinstance(tapped, Move) else tapped.may_have_become(entry)


def require_seen(state: GameState, page: str, hinges: Iterable[str]) -> None:
    """:raises Meanwhile: if the facts that a tap hinges on differ from those of its ``page``; of a
    game that is over, the rules say so themselves."""
    was, now = _facts(page), _facts(state.seen)
    changed = [name for name in hinges if was.get(name) != now.get(name)]
    if not changed or state.is_over:
        return
    match changed[0]:
        case "turn":
            raise TurnPassed(player=state.active)
        case "next":
            raise NextChanged(player=state.next_after(state.active))
        case "in":
            for seat in state.players:
                is_in = str(seat) in now["in"]
                if is_in != (str(seat) in was["in"]):
                    what = "is in the game again" if is_in else "has left the game"
                    raise PlayersChanged(player=seat, what=what)
    raise Meanwhile()


def _facts(seen: str) -> dict[str, str]:
    """
    >>> _facts("3124 gone1:0")
    {'turn': '3', 'next': '1', 'in': '1234', 'gone1': '0'}
    """
    turns, *sights = seen.split(" ")
    facts = {"turn": turns[:1], "next": turns[1:2] or turns, "in": "".join(sorted(turns))}
    return facts | dict(sight.partition(":")[::2] for sight in sights)


Tapped = Aim | Volley | ForAll | Seen
