"""What the pages show of a table, worked out for templates that know no rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from coalition_site.lib.bidi import isolated
from decks.models import Playing

from ..forms.taps import hit_key
from ..models import EventRow, Game, Seat
from ..play.queries import Table, entry_of, played_log
from ..rules import engine
from ..rules import moves as mv
from ..rules.effects import Ending, Leaving
from ..rules.errors import RuleError
from ..rules.own import OwnMove
from ..rules.recent import RecentLine
from ..rules.state import GameState, PlayerState, Status
from ..rules.words import Sentence, listed, signed
from ..setlog import codec
from . import additions, wording
from .current import CurrentGame
from .wording import plain

ARMS = ("", "pale", "fess", "bend", "chevron", "saltire", "cross", "chief", "lozenge")
OUT = {Leaving.LIFE: "Out", Leaving.POISON: "Out by poison", Leaving.CONCEDED: "Conceded"}


@dataclass(frozen=True)
class Who:
    """A player as every page shows one: a shield and a name."""

    seat: int
    name: str

    @property
    def arms(self) -> str:
        """The ordinary on the seat's shield, by its name among the icons."""
        return ARMS[self.seat]


def who(table: Table, seat: int) -> Who:
    return Who(seat, table.names[seat])


def parts(table: Table, sentence: Sentence) -> list[Who | str]:
    """Return a sentence with players instead of seat numbers."""
    return [who(table, part) if isinstance(part, int) else part for part in sentence]


def text(table: Table, entry: mv.Entry) -> str:
    """Return what an entry says, as plain text."""
    return plain(wording.told(entry), table.names)


def setbar(table: Table, game: Game, state: GameState) -> dict[str, Any]:
    """Return the line on top of a game's pages."""
    number = game.number
    return {
        "number": number,
        "of": table.ruleset.games,
        "title": title(table, number),
        "pips": [
            (pip, "done" if pip < number else "now" if pip == number else "")
            for pip in range(1, table.ruleset.games + 1)
        ],
        "active": who(table, state.active) if _has_turn(state) else None,
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


def title(table: Table, number: int) -> str:
    """Return what a game is called, as in "Game 2 of 3"; where one game is all, by its format."""
    games = table.ruleset.games
    return f"Game {number} of {games}" if games > 1 else table.ruleset.name


def in_set(table: Table, number: int) -> str:
    """Return what a game is called within its set, as in "game 2"."""
    return f"game {number}" if table.ruleset.games > 1 else table.ruleset.name


def _player(current: CurrentGame, seat: int, added: Any) -> dict[str, Any]:
    """Return a player's row; ``added`` is what the format shows in it besides."""
    table, state, newest = current.table, current.state, current.newest
    player = state.players[seat]
    return {
        "seat": seat,
        "text": str(seat),
        "name": table.names[seat],
        "arms": ARMS[seat],
        "added": added,
        "points": player.points,
        "cap": state.ruleset.cap,
        "life": player.life,
        "poison": player.poison,
        "hero": player.hero.value.capitalize() if mv.MoveHero in state.ruleset.moves else "",
        "hold": _hold(player),
        "out": OUT.get(player.out, "Out") if player.out else "",
        "active": seat == state.active and _has_turn(state),
        "monarch": seat == state.monarch,
        "points_by": _delta(newest and newest.points.get(seat)),
        "life_by": _delta(newest and newest.life.get(seat)),
        "poison_by": _delta(newest and newest.poison.get(seat)),
    }


def _hold(player: PlayerState) -> str:
    held = [verb for verb in ("lose", "win") if getattr(player, f"cannot_{verb}")]
    return f"Can't {' or '.join(held)}" if held else ""


def _delta(by: int | None) -> str:
    return signed(by) if by else ""


def latest(game: Game) -> int | None:
    """Return the number of the latest event in force."""
    lines = codec.read_recent(game.recent).lines
    return lines[0].number if lines else None


def board(current: CurrentGame) -> dict[str, Any]:
    """Return what the scorekeeper's page and the public one show of a game. No query."""
    table, game, state = current.table, current.game, current.state
    newest, format_adds = current.newest, additions.of(table)
    peek = [(line.number, text(table, line.move)) for line in current.recent.lines]
    return {
        "table": table,
        "game": game,
        "code": table.game_set.code,
        "format": table.ruleset.format,
        "takes_hits": mv.DealDamage in table.ruleset.moves,
        "offers": codec.known_types(table.ruleset.moves),
        "names": table.names,
        "bar": setbar(table, game, state),
        "players": [
            _player(current, seat, format_adds.row(current, seat)) for seat in sorted(state.players)
        ],
        "added": format_adds.board(current),
        "peek": peek,
        "newest": newest,
        "came": [plain(list(sentence), table.names) for sentence in newest.told] if newest else [],
        "undo": _undo(current),
        "said": _said(table, state, newest),
        "passed_to": newest and newest.passed_to and who(table, newest.passed_to),
        "ending": state.is_over and ending(table, state),
    }


def _undo(current: CurrentGame) -> tuple[int, str, bool] | None:
    """Return what Undo takes back: its number, in words, and whether the game then goes on."""
    line = current.last_line
    if line is None:
        return None
    came_later = isinstance(line.move, OwnMove) and line.move.after_end
    reopens = current.state.is_over and not came_later
    return line.number, plain(wording.brief(line.move), current.table.names), reopens


def _said(table: Table, state: GameState, newest: RecentLine | None) -> str:
    """Return what a screen reader hears of the latest event."""
    if newest is None:
        return ""
    names = {seat: isolated(name) for seat, name in table.names.items()}
    changes = [f"{signed(by)} VP {names[seat]}" for seat, by in newest.points.items()]
    changes += [f"{names[seat]} {state.players[seat].life} life" for seat in newest.life]
    came = [plain(list(sentence), table.names) for sentence in newest.told]
    return ". ".join([text(table, newest.move), *changes, *came])


def pad(current: CurrentGame, collected: Iterable[mv.Hit] = ()) -> dict[str, Any]:
    """Return what the pad needs besides the board; ``collected`` are hits not sent yet."""
    table, state, targets = current.table, current.state, current.recent.targets
    struck_by = {
        seat: [source for source, last in targets.items() if last == seat] for seat in table.names
    }
    return {
        "keys": [
            {
                "seat": seat,
                "text": str(seat),
                "name": table.names[seat],
                "arms": ARMS[seat],
                "gone": player.out is not None,
                "last": ""
                if player.out
                else " ".join(f"last-{source}" for source in struck_by[seat]),
            }
            for seat, player in sorted(state.players.items())
        ],
        "kinds": table.ruleset.kinds,
        "next": table.names[state.next_after(state.active)],
        "seen": state.stamp,
        "stamp": f"{current.game.number}-{state.stamp}",
        "collected": [(hit_key(hit), *_collected(table, hit)) for hit in collected],
    }


def _collected(table: Table, hit: mv.Hit) -> tuple[str, str]:
    return plain(wording.brief(mv.DealDamage((hit,))), table.names), wording.kind(hit)


def ending(table: Table, state: GameState) -> dict[str, Any]:
    """Return who won a game and why, in words."""
    cap = state.ruleset.cap
    by = state.ended_by or ""
    why = wording.sentence_case(wording.ended_by(by, cap))
    if state.status is Status.ENDED:
        return {"title": why, "why": "", "winner": None}
    if state.winner is None:
        stay = "" if cap is None else " Nobody gets a bonus, VP stay."
        return {"title": "A draw", "why": f"{why}.{stay}", "winner": None}
    winners = plain(listed(state.winners), table.names)
    return {
        "title": f"{winners} {'win' if len(state.winners) > 1 else 'wins'}",
        "why": why + ("." if cap is None else _in_points(table, state, state.winner)),
        "winner": who(table, state.winner),
    }


def _in_points(table: Table, state: GameState, winner: int) -> str:
    """Return what a win means in VP."""
    points = state.players[winner].points
    names = [isolated(table.names[seat]) for seat, one in state.players.items() if one.barred]
    void = f" {' and '.join(names)} conceded: no VP." if names else ""
    by_points = points == state.ruleset.cap and state.ended_by == Ending.VICTORY_POINTS
    return f".{void}" if by_points else f": {points} VP with the bonus.{void}"


def asked(table: Table, game: Game, what: str, move: mv.Move | None) -> dict[str, Any]:
    """Return what an ending will do, told before it is done; ``move`` is None while unclear."""
    state = codec.read_state(game.state)
    context: dict[str, Any] = {
        "what": what,
        "title": TITLES[what],
        "reasons": REASONS.get(what, ()),
        "choices": [who(table, seat) for seat in sorted(state.in_game)],
        "chosen": getattr(move, "players", ()),
        "seat": getattr(move, "player", None),
        "reason": getattr(move, "reason", ""),
    }
    if move is None:
        return context
    context["title"] = _question(table, move)
    context["confirm"] = f"Yes: {context['title'].removesuffix('?')}"
    has_penalty = table.ruleset.cap is not None
    if isinstance(move, mv.Concede) and has_penalty and len(state.opponents_of(move.player)) == 1:
        winner = state.opponents_of(move.player)[0]
        together = mv.ConcedeTo(winner)
        context["together"] = {
            "to": who(table, winner),
            "effects": _foreseen(table, game, state, together),
        }
    return context | {"effects": _foreseen(table, game, state, move)}


def _question(table: Table, move: mv.Move) -> str:
    match move:
        case mv.Lose(players):
            verb = "loses" if len(players) == 1 else "lose"
            return f"{plain(listed(players), table.names)} {verb}?"
        case mv.Win(seat):
            return f"{table.names[seat]} wins?"
        case mv.Draw() | mv.PassTurn():
            return TITLES["draw" if isinstance(move, mv.Draw) else "turn"]
        case _:
            return f"{text(table, move)}?"


TITLES = {
    "concede": "Who concedes?",
    "concede_to": "All concede to whom?",
    "lose": "Who loses?",
    "win": "Who wins?",
    "draw": "A draw?",
    "turn": "Pass the turn again?",
}
REASONS = {
    "lose": ("decked", "card effect"),
    "win": ("card effect",),
    "draw": ("agreed", "time", "endless loop"),
}
ZONES = tuple((zone.value, zone.value.capitalize()) for zone in mv.Zone)


def _foreseen(table: Table, game: Game, state: GameState, move: mv.Move) -> list[list[Who | str]]:
    try:
        events = engine.decide(state, move)
    except RuleError as refusal:
        return [[refusal.told(table.names)]]
    told = wording.effects(events, state.ruleset.cap)
    after = engine.play(state, events)
    if isinstance(move, mv.Concede):
        told += _price(table, game, move.player)
    if isinstance(move, mv.ConcedeTo) and table.ruleset.cap is not None:
        told.append(["Nobody loses VP, everybody may play on in the set."])
    if not after.is_over:
        told.append([*listed(after.in_game), " play on."])
    return [parts(table, sentence) for sentence in told]


def _price(table: Table, game: Game, seat: int) -> list[Sentence]:
    """Return what conceding costs besides the points of this game."""
    ruleset = table.ruleset
    price: list[Sentence] = []
    if ruleset.conceding_voids_set:
        price.append([seat, " stands at 0 in the whole set."])
    elif game.number > 1:
        price.append(["The points of earlier games stay."])
    if game.number < ruleset.games:
        price.append([seat, " plays no later game of this set."])
    return price


def differences(table: Table, before: GameState, after: GameState) -> list[list[Who | str]]:
    """Return how two states of a game differ, as sentences."""
    told: list[Sentence] = []
    for seat, was in before.players.items():
        now = after.players[seat]
        for old, new, what in ((was.points, now.points, "VP"), (was.life, now.life, "life")):
            if old != new:
                told.append([seat, f": {old} {what} → {new}"])
        if was.poison != now.poison:
            told.append([seat, f": {was.poison} poison → {now.poison}"])
        if was.out != now.out:
            told.append(
                [seat, " is back in the game" if now.out is None else f" is out: {now.out}"]
            )
        if was.hero != now.hero:
            told.append(["Hero of ", seat, f": {was.hero.value} → {now.hero.value}"])
        if _hold(was) != _hold(now):
            told.append([seat, f": {_hold(now) or 'no hold'}"])
        told += [[seat, f": {fact}"] for fact in now.changes(was)]
    told += [[fact] for fact in after.changes(before)]
    if before.monarch != after.monarch:
        told.append(wording.told(mv.CrownMonarch(after.monarch)))
    if before.active != after.active:
        told.append(["Turn of ", after.active])
    if (before.status, before.winner, before.ended_by) != (
        after.status,
        after.winner,
        after.ended_by,
    ):
        told.append([_outcome(table, after)])
    return [parts(table, sentence) for sentence in told]


def _outcome(table: Table, state: GameState) -> str:
    if not state.is_over:
        return "The game goes on."
    told = ending(table, state)
    return f"{told['title']}: {told['why']}".removesuffix(": ")


def log_lines(
    table: Table, game: Game, rows: list[EventRow], by: Mapping[int, str], shown: range
) -> list[dict[str, Any]]:
    """Return lines of a game's log, the latest first, each with what came of it and of the line.

    ``rows`` is the whole log, ``shown`` the numbers of the lines to return. ``by`` are the
    scorekeepers' names by their numbers; where there are two, a line tells its own.
    """
    log = played_log(game, rows, upto=shown.stop - 1)
    in_force = {line.number: line for line in log.lines}
    cap = table.ruleset.cap
    lines = []
    for row in rows[shown.start - 1 : shown.stop - 1]:
        line = in_force.get(row.seq)
        entry = line.move if line else entry_of(row)
        lines.append(
            {
                "number": row.seq,
                "parts": parts(table, wording.told(entry)),
                "at": row.at,
                "by": by.get(row.by, "") if len(by) > 1 else "",
                "is_correction": row.corrects is not None,
                "effects": [
                    plain(effect, table.names) for effect in wording.effects(line.events, cap)
                ]
                if line
                else [],
                "taken_back": _row(rows, log.taken_back.get(row.seq)),
                "amended": _row(rows, log.amended.get(row.seq)),
                "was": text(table, entry_of(row)) if row.seq in log.amended else "",
            }
        )
    return lines[::-1]


def _row(rows: list[EventRow], number: int | None) -> EventRow | None:
    return rows[number - 1] if number else None


def seats(table: Table, found: list[Seat]) -> list[dict[str, Any]]:
    """Return seats with the decks they carry, as they were judged when they were brought."""
    return [{"who": who(table, seat.number), **_brought(seat)} for seat in found]


def _brought(seat: Seat) -> dict[str, Any]:
    if seat.deck is None:
        return {"name": ""}
    report = seat.deck_report
    return {
        "name": seat.deck.deck.name,
        "code": seat.deck.deck.code,
        "revision": seat.deck.number,
        "hero": report["hero"],
        "type": report["coalition_type"],
        "legal": report["legal"],
        "is_allowed": report["playing"] == Playing.ALLOW,
        "problems": [problem["message"] for problem in report["problems"]],
        "judged_on": date.fromisoformat(report["judged_on"]),
    }


def decks(table: Table, found: list[Seat]) -> list[dict[str, Any]]:
    """Return the decks that were brought."""
    return [one for one in seats(table, found) if one["name"]]
