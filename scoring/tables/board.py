"""The board of a game, for templates that know no rules."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from django.urls import reverse
from django.utils.text import capfirst

from coalition_site.lib.bidi import isolated
from coalition_site.lib.parts import Part

from ..models import Game, GameSet
from ..record.queries import CurrentGame, current_game
from ..rules import engine
from ..rules.corrections import Entry
from ..rules.damage import DealDamage
from ..rules.effects import Ending, Leaving
from ..rules.log import RecentEvent
from ..rules.moves import ChangeLife, MoveHero
from ..rules.state import GameState, PlayerState, Status
from ..rules.words import Sentence, listed, plain, shortened, signed
from ..setlog import codec
from .additions import additions_of
from .so_far import SoFar, so_far

ARMS = ("", "pale", "fess", "bend", "chevron", "saltire", "cross", "chief", "lozenge")
OUT: dict[str, str] = {Leaving.POISON: "Out by poison", Leaving.CONCEDED: "Conceded"}


@dataclass(frozen=True)
class Who:
    seat: int
    name: str

    @property
    def text(self) -> str:
        return str(self.seat)  # as forms send it

    @property
    def arms(self) -> str:
        """The ordinary on the seat's shield, by its name among the icons."""
        return ARMS[self.seat]


def who(game_set: GameSet, seat: int) -> Who:
    return Who(seat, game_set.names[seat])


def parts(game_set: GameSet, sentence: Sentence) -> list[Who | str]:
    return [who(game_set, part) if isinstance(part, int) else part for part in sentence]


def text(game_set: GameSet, entry: Entry) -> str:
    return plain(entry.sentence(), game_set.names)


def title(game_set: GameSet, number: int) -> str:
    games = game_set.rules.games
    return f"Game {number} of {games}" if games > 1 else game_set.rules.title


def in_set(game_set: GameSet, number: int) -> str:
    return f"game {number}" if game_set.rules.games > 1 else game_set.rules.title


@dataclass(frozen=True)
class PlayerRow(Part, Who):
    """A player's row of the board. ``added`` is what the format adds; it must be hashable."""

    template: ClassVar[str] = "tables/_player.html"
    format: str
    points: int
    cap: int | None
    before: int | None  # VP of the games before; None in the first, as the rank in the set
    rank: int | None
    life: int
    poison: int
    leader: str  # the hero by name, and its type
    type: str
    hero: str  # the zone that it is in
    hold: str  # what cards keep the player from
    out: str
    active: bool
    monarch: bool
    points_by: str  # changes of the last event
    life_by: str
    poison_by: str
    roll: str  # of the dice before the game
    named_at: str  # the address where its seat gets a name
    has_counters: bool  # keys that change life and poison,
    keeps_counters: bool  # which the page has already
    confirmed: bool  # the player has confirmed this life
    added: Hashable


def _rows(
    current: CurrentGame,
    added: Mapping[int, Hashable],
    rolls: Mapping[int, str],
    of_set: SoFar | None,
    acting: Collection[int],
    *,
    is_scored_here: bool,
    keeps_counters: bool,
) -> list[PlayerRow]:
    game_set, state, newest = current.game_set, current.state, current.newest
    rules, confirmed, rows = state.ruleset, current.game.confirmed or {}, []
    is_quick = is_scored_here and game_set.playgroup_id is None
    named_at = reverse("names", args=[game_set.code]) if is_quick else ""
    points, life, poison = (newest.points, newest.life, newest.poison) if newest else ({}, {}, {})
    for seat, player in sorted(state.players.items()):
        leader = game_set.hero_of(seat)
        row = PlayerRow(
            format=rules.format,
            seat=seat,
            name=game_set.names[seat],
            points=player.points,
            cap=rules.cap,
            before=of_set.before[seat] if of_set else None,
            rank=of_set.ranks[seat] if of_set else None,
            life=player.life,
            poison=player.poison,
            leader=leader.name,
            type=leader.type,
            hero=player.hero.value.capitalize() if MoveHero in rules.moves else "",
            hold=hold(player),
            out=OUT.get(player.out, "Out") if player.out else "",
            active=seat in acting,
            monarch=seat == state.monarch,
            points_by=signed(points[seat]) if points.get(seat) else "",
            life_by=signed(life[seat]) if life.get(seat) else "",
            poison_by=signed(poison[seat]) if poison.get(seat) else "",
            roll=rolls.get(seat, ""),
            named_at=named_at,
            has_counters=is_scored_here and ChangeLife in rules.moves and not player.out,
            keeps_counters=keeps_counters,
            confirmed=confirmed.get(str(seat)) == player.life,
            added=added.get(seat),
        )
        rows.append(row)
    return rows


def hold(player: PlayerState) -> str:
    """Return what cards keep a player from, as in "Can't lose or win"; usually nothing."""
    if player.cannot_lose:
        return "Can't lose or win" if player.cannot_win else "Can't lose"
    return "Can't win" if player.cannot_win else ""


def board(
    current: CurrentGame,
    rolls: Mapping[int, str] | None = None,
    result: "Outcome | None" = None,
    *,
    is_scored_here: bool = False,
    keeps_counters: bool = False,
) -> dict[str, Any]:
    """Return what the scorekeeper's page and the public page both show of a game. No query.

    ``rolls`` are the dice by seat that decided who starts, until something has happened. The
    ``result`` of a set that is over stands in the place of how its last game ended. Where the
    game ``is_scored_here``, rows have the keys that change life and poison; they go without where
    the page ``keeps_counters`` that it has.
    """
    game_set, game, state, newest = current.game_set, current.game, current.state, current.newest
    names, rules, of_format = game_set.names, state.ruleset, additions_of(game_set)
    is_over, acting = state.is_over, state.acting
    has_turn = rules.has_turns and not is_over
    of_set = so_far(game_set, game, state) if game.number > 1 else None
    players = _rows(
        current,
        of_format.rows(current),
        rolls or {},
        of_set,
        acting if has_turn else (),
        is_scored_here=is_scored_here,
        keeps_counters=keeps_counters,
    )
    peek = [(line.number, text(game_set, line.move)) for line in current.recent.lines]
    happened = [plain(list(sentence), names) for sentence in newest.news] if newest else []
    said = [*happened, result.title] if result else happened
    due = [] if is_over else [plain(one, names) for one in engine.due(state)]
    due = [one for one in due if one not in happened]
    return {
        "game_set": game_set,
        "game": game,
        "code": game_set.code,
        "format": rules.format,
        "takes_hits": DealDamage in rules.moves,
        "offers": codec.known_types(rules.moves),
        "names": names,
        "bar": _bar(current, has_turn=has_turn),
        "players": players,
        "added": of_format.board(current),
        "peek": peek,
        "newest": newest is not None,  # whether the changes of the last event are marked
        "happened": happened,
        "due": due,
        "folds": len(due) > (1 if len(players) > 4 else 2),  # more would hide a row on a phone
        "acts": acting[0] if rules.has_teams and not is_over else None,  # the team's first
        "has_answers": of_format.has_answers,
        "so_far": of_set.sentences if of_set and not game_set.finished_at else None,
        "undo": _undo(current),
        "announcement": _announcement(peek[0][1], current, newest, said) if newest else "",
        "passed_to": who(game_set, newest.passed_to) if newest and newest.passed_to else None,
        "ending": result or (ending(game_set, state) if is_over else None),
        "seen": state.seen,
        "turns": state.turns,
    }


def _bar(current: CurrentGame, *, has_turn: bool) -> dict[str, Any]:
    game_set, state = current.game_set, current.state
    headline = "" if state.is_over else state.headline  # where no single player has the turn
    active = who(game_set, state.active) if has_turn and not headline else None
    return {"title": title(game_set, current.game.number), "active": active, "headline": headline}


def _undo(current: CurrentGame) -> tuple[int, str, bool] | None:
    # The latest line, what it says, and whether to undo it reopens the game.
    line = current.latest
    if line is None:
        return None
    # Not if the move came after the end, as some do: the game was over before it.
    reopens = current.state.is_over and not line.move.after_end
    names = current.game_set.names
    short = dict(zip(names, map(shortened, names.values()), strict=True))
    return line.number, plain(line.move.brief(), short), reopens


def about(game_set: GameSet, game: Game, **more: Any) -> dict[str, Any]:
    return {**board(current_game(game_set, game)), **more}


def _announcement(
    move: str, current: CurrentGame, newest: RecentEvent, happened: Sequence[str]
) -> str:
    # What a screen reader reads out after an event.
    names, players, changes = current.game_set.names, current.state.players, []
    for seat, by in newest.points.items():
        changes.append(f"{signed(by)} VP {isolated(names[seat])}")
    for seat in newest.life:
        changes.append(f"{isolated(names[seat])} {players[seat].life} life")
    return ". ".join([move, *changes, *happened])


class Outcome(NamedTuple):
    """Who won a game and why; ``title`` says that nobody did, or only that the game is over."""

    # Of a set it is who took it, with the ``points`` of all games.

    title: str
    why: str = ""
    winner: Who | None = None
    points: int | None = None


def ending(game_set: GameSet, state: GameState) -> Outcome:
    cap, names = state.ruleset.cap, game_set.names
    why = capfirst(state.ruleset.ending(state))
    if state.status is Status.ENDED:
        return Outcome(why)
    if state.winner is None:
        bonus = "" if cap is None else " Nobody gets a bonus. Everybody keeps their VP."
        return Outcome("A draw", f"{why}.{bonus}")
    points = state.players[state.winner].points
    is_by_points = points == cap and state.ended_by == Ending.VICTORY_POINTS
    why += "." if cap is None or is_by_points else f": {points} VP with the bonus."
    conceded = [isolated(names[seat]) for seat in state.players if seat in state.barred]
    if conceded and cap is not None:
        why += f" {' and '.join(conceded)} conceded: no VP."
    return Outcome(
        title=f"{plain(listed(state.winners), names)} {'win' if state.winners[1:] else 'wins'}",
        why=why,
        winner=who(game_set, state.winner),
    )
