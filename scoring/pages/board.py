"""The board of a game and the pad below it, as templates show them that know no rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coalition_site.lib.bidi import isolated
from coalition_site.lib.pages import Page

from ..forms.taps import hit_key
from ..models import Game, GameSet
from ..rules.corrections import Entry
from ..rules.damage import DealDamage, Hit
from ..rules.effects import Ending, Leaving, ended_by
from ..rules.moves import MoveHero
from ..rules.recent import Recent, RecentEvent
from ..rules.state import GameState, PlayerState, Status, Zone
from ..rules.words import Sentence, listed, signed
from ..setlog import codec
from . import additions, wording
from .wording import plain

ARMS = ("", "pale", "fess", "bend", "chevron", "saltire", "cross", "chief", "lozenge")
ZONES = tuple((zone.value, zone.value.capitalize()) for zone in Zone)
OUT: dict[str, str] = {
    Leaving.LIFE: "Out",
    Leaving.POISON: "Out by poison",
    Leaving.CONCEDED: "Conceded",
}


@dataclass(frozen=True)
class Who:
    """A player as every page shows one: a shield and a name."""

    seat: int
    name: str

    @property
    def arms(self) -> str:
        """The ordinary on the seat's shield, by its name among the icons."""
        return ARMS[self.seat]


def who(game_set: GameSet, seat: int) -> Who:
    return Who(seat, game_set.names[seat])


def parts(game_set: GameSet, sentence: Sentence) -> list[Who | str]:
    """Return a sentence with players instead of seat numbers."""
    return [who(game_set, part) if isinstance(part, int) else part for part in sentence]


def text(game_set: GameSet, entry: Entry) -> str:
    """Return what an entry says, as plain text."""
    return plain(entry.sentence(), game_set.names)


@dataclass(frozen=True, slots=True)
class CurrentGame:
    """A game as it stands, decoded once for everything that a page shows of it.

    ``latest`` is the latest event in force. ``newest`` is the same one if it was recorded last;
    None after a correction, since the board then marks no change.
    """

    game_set: GameSet
    game: Game
    state: GameState
    recent: Recent
    latest: RecentEvent | None
    newest: RecentEvent | None


def read(game_set: GameSet, game: Game) -> CurrentGame:
    """Return a game as it stands. No query."""
    state, recent = game.current_state, game.recent_events
    latest = recent.lines[0] if recent.lines else None
    newest = latest if latest and latest.number == game.length else None
    return CurrentGame(game_set, game, state, recent, latest, newest)


def setbar(game_set: GameSet, game: Game, state: GameState) -> dict[str, Any]:
    """Return the bar at the top of a game's pages."""
    number = game.number
    return {
        "number": number,
        "of": game_set.rules.games,
        "title": title(game_set, number),
        "pips": [
            (pip, "done" if pip < number else "now" if pip == number else "")
            for pip in range(1, game_set.rules.games + 1)
        ],
        "active": who(game_set, state.active) if _has_turn(state) else None,
        "headline": "" if state.is_over else state.headline,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
    }


def _has_turn(state: GameState) -> bool:
    return state.ruleset.has_turns and not state.is_over


def format_name(key: str) -> str:
    """Return what people call a format.

    >>> format_name("realm-wars")
    'Realm Wars'
    """
    return key.replace("-", " ").title()


def title(game_set: GameSet, number: int) -> str:
    """Return what a game is called, as in "Game 2 of 3"; where one game is all, by its format."""
    games = game_set.rules.games
    return f"Game {number} of {games}" if games > 1 else game_set.rules.name


def in_set(game_set: GameSet, number: int) -> str:
    """Return what a game is called within its set, as in "game 2"."""
    return f"game {number}" if game_set.rules.games > 1 else game_set.rules.name


def _player(current: CurrentGame, seat: int) -> dict[str, Any]:
    """Return a player's row of the board."""
    game_set, state, newest = current.game_set, current.state, current.newest
    player = state.players[seat]
    return {
        "seat": seat,
        "text": str(seat),
        "name": game_set.names[seat],
        "arms": ARMS[seat],
        "points": player.points,
        "cap": state.ruleset.cap,
        "life": player.life,
        "poison": player.poison,
        "hero": player.hero.value.capitalize() if MoveHero in state.ruleset.moves else "",
        "hold": hold(player),
        "out": OUT.get(player.out, "Out") if player.out else "",
        "active": seat == state.active and _has_turn(state),
        "monarch": seat == state.monarch,
        "points_by": _delta(newest.points.get(seat) if newest else None),
        "life_by": _delta(newest.life.get(seat) if newest else None),
        "poison_by": _delta(newest.poison.get(seat) if newest else None),
    }


def hold(player: PlayerState) -> str:
    """Return what cards keep a player from, as in "Can't lose or win"; usually nothing."""
    verbs = [verb for verb in ("lose", "win") if getattr(player, f"cannot_{verb}")]
    return f"Can't {' or '.join(verbs)}" if verbs else ""


def _delta(by: int | None) -> str:
    return signed(by) if by else ""


def latest_number(game: Game) -> int | None:
    """Return the number of the latest event in force."""
    lines = game.recent_events.lines
    return lines[0].number if lines else None


@dataclass(kw_only=True)
class Board:
    """What the scorekeeper's page and the public page both show of a game.

    ``added`` is what the format adds. ``peek`` are the latest events, each with its number.
    ``newest`` says whether the changes of the last event are marked, and ``came`` what came of it.
    ``undo`` is what Undo takes back: its number, its text, and whether that reopens the game.
    """

    game_set: GameSet
    game: Game
    code: str
    format: str
    takes_hits: bool
    offers: Collection[str]
    names: Mapping[int, str]
    bar: dict[str, Any]
    players: Sequence[dict[str, Any]]
    added: Any
    peek: Sequence[tuple[int, str]]
    newest: bool
    came: Sequence[str]
    undo: tuple[int, str, bool] | None
    announcement: str
    passed_to: Who | None
    ending: dict[str, Any] | None


@dataclass(kw_only=True)
class GamePage(Page):
    """A page about a game: what its board shows are variables of its template too.

    There is no board before the first game of a set.
    """

    board: Board | None
    problem: str = ""

    def context(self) -> dict[str, Any]:
        return (vars(self.board) if self.board else {}) | vars(self)


def board(current: CurrentGame) -> Board:
    """Return what the scorekeeper's page and the public page both show of a game. No query."""
    game_set, game, state = current.game_set, current.game, current.state
    newest, of_format = current.newest, additions.of(game_set)
    rows = of_format.rows(current)
    peek = [(line.number, text(game_set, line.move)) for line in current.recent.lines]
    return Board(
        game_set=game_set,
        game=game,
        code=game_set.code,
        format=game_set.rules.format,
        takes_hits=DealDamage in game_set.rules.moves,
        offers=codec.known_types(game_set.rules.moves),
        names=game_set.names,
        bar=setbar(game_set, game, state),
        players=[
            _player(current, seat) | {"added": rows.get(seat)} for seat in sorted(state.players)
        ],
        added=of_format.board(current),
        peek=peek,
        newest=newest is not None,
        came=[plain(list(sentence), game_set.names) for sentence in newest.news] if newest else [],
        undo=_undo(current),
        announcement=_announcement(game_set, state, newest),
        passed_to=who(game_set, newest.passed_to) if newest and newest.passed_to else None,
        ending=ending(game_set, state) if state.is_over else None,
    )


def _undo(current: CurrentGame) -> tuple[int, str, bool] | None:
    """Return what Undo takes back: its number, its text, and whether that reopens the game."""
    line = current.latest
    if line is None:
        return None
    # Not if the move came after the end, as some do: the game was over before it.
    reopens = current.state.is_over and not line.move.after_end
    return line.number, plain(line.move.brief(), current.game_set.names), reopens


def _announcement(game_set: GameSet, state: GameState, newest: RecentEvent | None) -> str:
    """Return what a screen reader reads out after an event."""
    if newest is None:
        return ""
    names = {seat: isolated(name) for seat, name in game_set.names.items()}
    changes = [f"{signed(by)} VP {names[seat]}" for seat, by in newest.points.items()]
    changes += [f"{names[seat]} {state.players[seat].life} life" for seat in newest.life]
    came = [plain(list(sentence), game_set.names) for sentence in newest.news]
    return ". ".join([text(game_set, newest.move), *changes, *came])


@dataclass(kw_only=True)
class Pad:
    """What the pad shows: ``keys`` of players and ``kinds`` of hits, and hits not sent yet.

    ``next`` is whose turn comes next. ``seen`` names the state that the pad is for, ``drawn_for``
    its game too, and ``stamp`` also whom each player hit last.
    """

    keys: Sequence[dict[str, Any]]
    kinds: Collection[str]
    next: str
    seen: str
    drawn_for: str
    stamp: str
    collected: Sequence[tuple[str, str, str]]


def pad(current: CurrentGame, collected: Iterable[Hit] = ()) -> Pad:
    """Return what the pad needs besides the board; ``collected`` are hits not sent yet."""
    game_set, state = current.game_set, current.state
    # Who is out is not hit again.
    targets = {
        source: target
        for source, target in sorted(current.recent.targets.items())
        if not state.players[target].out
    }
    # A notice above the pad, of a turn that passed on its own, goes with the next event.
    passed_on = ".passed" if current.newest and current.newest.passed_to else ""
    drawn_for = f"{current.game.number}-{state.stamp}{passed_on}"
    # By class name: the style sheet then marks whom the chosen source hit last, without a script.
    hit_last_by = {
        seat: [f"last-{source}" for source, target in targets.items() if target == seat]
        for seat in game_set.names
    }
    return Pad(
        keys=[
            {
                "seat": seat,
                "text": str(seat),
                "name": game_set.names[seat],
                "arms": ARMS[seat],
                "gone": player.out is not None,
                "last": " ".join(hit_last_by[seat]),
            }
            for seat, player in sorted(state.players.items())
        ],
        kinds=game_set.rules.kinds,
        next=game_set.names[state.next_after(state.active)],
        seen=state.stamp,
        drawn_for=drawn_for,
        stamp=".".join([drawn_for, *(f"{source}{target}" for source, target in targets.items())]),
        collected=[(hit_key(hit), *_collected(game_set, hit)) for hit in collected],
    )


def _collected(game_set: GameSet, hit: Hit) -> tuple[str, str]:
    return plain(DealDamage((hit,)).brief(), game_set.names), hit.label


def ending(game_set: GameSet, state: GameState) -> dict[str, Any]:
    """Return who won a game and why."""
    cap = state.ruleset.cap
    why = wording.sentence_case(ended_by(state.ended_by or "", cap))
    if state.status is Status.ENDED:
        return {"title": why, "why": "", "winner": None}
    if state.winner is None:
        points = "" if cap is None else " Nobody gets a bonus. Everybody keeps their VP."
        return {"title": "A draw", "why": f"{why}.{points}", "winner": None}
    winners = plain(listed(state.winners), game_set.names)
    return {
        "title": f"{winners} {'win' if len(state.winners) > 1 else 'wins'}",
        "why": why + ("." if cap is None else _with_points(game_set, state, state.winner)),
        "winner": who(game_set, state.winner),
    }


def _with_points(game_set: GameSet, state: GameState, winner: int) -> str:
    """Return the rest of the sentence: the winner's VP, and whose VP are void."""
    points = state.players[winner].points
    conceded = [isolated(game_set.names[seat]) for seat in state.players if seat in state.barred]
    void = f" {' and '.join(conceded)} conceded: no VP." if conceded else ""
    by_points = points == state.ruleset.cap and state.ended_by == Ending.VICTORY_POINTS
    return f".{void}" if by_points else f": {points} VP with the bonus.{void}"
