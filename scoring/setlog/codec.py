"""Moves and states to JSON and back. ``names`` are people's in a set log, seat numbers as text in
the database."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from operator import itemgetter
from typing import Any, cast

from coalition_site.lib.untrusted import Node

from ..rules.corrections import Amend, Entry, Strike, Undo
from ..rules.fields import Names, Seats, field_names, read_values, stored_values, write_values
from ..rules.formats import RULESETS
from ..rules.log import Recent, RecentEvent
from ..rules.move import Move
from ..rules.state import GameState, Status, Zone

MOVES: Mapping[str, type[Move]] = {
    move.type: move
    for ruleset in RULESETS.values()
    for move in sorted(ruleset.moves, key=lambda move: move.type)
}
"""The moves of all formats by their names in a set log."""

CORRECTIONS: Mapping[str, str] = {"undo": "", "strike": "event", "amend": "event with"}
"""The fields of the corrections, which every format has, by their names in a set log."""

# Of a game of any format; ``own`` are those of its format.
SHARED_FACTS = ("active", "monarch", "hero_taken", "status", "winner", "ended_by", "drew")
_shared_facts = itemgetter(*SHARED_FACTS)
# Eight sit at the largest table, a draft.
SEAT_BY_KEY: Seats = {str(seat): seat for seat in range(1, 9)}
KEY_BY_SEAT: Names = {seat: key for key, seat in SEAT_BY_KEY.items()}


def read_entry(
    node: Node, seats: Seats, also: str = "", moves: frozenset[type[Move]] | None = None
) -> Entry:
    """``also`` lists further fields that may stand beside it; ``moves`` are a format's, by default
    all.

    :raises MalformedDocument: if the form is wrong, with the path.
    """
    if not isinstance(node.value, dict) or "type" not in node.value:
        raise node.refuse("must be an object with a type")
    name = node.field("type").one_of(known_types(moves))
    if name in MOVES:
        required, optional = field_names(MOVES[name])
        values = node.fields(f"type {required}", f"{optional} {also}")
        move: Move = read_values(MOVES[name], values, seats)
        return move
    values = node.fields(f"type {CORRECTIONS[name]}", also)
    if name == "undo":
        return Undo()
    number = values["event"].number(1)
    return Strike(number) if name == "strike" else Amend(number, read_move(values["with"], seats))


@cache
def known_types(moves: frozenset[type[Move]] | None) -> tuple[str, ...]:
    """
    >>> from ..rules.moves import Draw
    >>> known_types(frozenset({Draw}))
    ('draw', 'undo', 'strike', 'amend')
    """
    return *(name for name, move in MOVES.items() if moves is None or move in moves), *CORRECTIONS


def read_move(node: Node, seats: Seats) -> Move:
    # Looked at before it is read: there may be hundreds, one in the other.
    if isinstance(node.value, dict) and node.value.get("type") in tuple(CORRECTIONS):
        raise node.refuse("must not be a correction itself")
    return cast(Move, read_entry(node, seats))


def write_entry(entry: Entry, names: Names) -> dict[str, Any]:
    """
    >>> from ..rules.moves import PassTurn
    >>> write_entry(PassTurn(), {})
    {'type': 'turn'}
    """
    match entry:
        case Undo():
            return {"type": "undo"}
        case Strike(number):
            return {"type": "strike", "event": number}
        case Amend(number, replacement):
            return {"type": "amend", "event": number, "with": write_entry(replacement, names)}
    return {"type": entry.type, **write_values(entry, names)}


def stored_entry(data: Mapping[str, Any]) -> Entry:
    """Return an entry as ``write_entry`` wrote it with ``KEY_BY_SEAT``, unchecked; no undo."""
    match data["type"]:
        case "strike":
            return Strike(data["event"])
        case "amend":
            return Amend(data["event"], stored_move(data["with"]))
    return stored_move(data)


def stored_move(data: Mapping[str, Any]) -> Move:
    values = dict(data)
    move: Move = stored_values(MOVES[values.pop("type")], values)
    return move


def write_state(state: GameState) -> dict[str, Any]:
    players: list[list[Any]] = []
    for seat, player in state.players.items():
        players.append([seat, *map(vars(player).__getitem__, player.stored)])
    return {
        "ruleset": state.ruleset.key,
        "players": players,
        **dict(zip(SHARED_FACTS, _shared_facts(vars(state)), strict=True)),
        "own": list(map(vars(state).__getitem__, state.stored)),
    }


def read_state(data: dict[str, Any]) -> GameState:
    ruleset = RULESETS[data["ruleset"]]
    players = {}
    for seat, *facts in data["players"]:
        named = _read_facts(ruleset.player, facts)
        players[seat] = ruleset.player(**named | {"hero": Zone(named["hero"])})
    shared = dict(zip(SHARED_FACTS, _shared_facts(data), strict=True))
    shared |= {"status": Status(data["status"]), "drew": tuple(data["drew"])}
    own = _read_facts(ruleset.game, data["own"])
    return ruleset.game(ruleset=ruleset, players=players, **shared, **own)


def _read_facts(of: Any, facts: Sequence[Any]) -> dict[str, Any]:
    """Return stored facts by their names; another version's row may have fewer, or more."""
    named = dict(zip(of.stored, facts, strict=False))
    for name, fact in named.items():
        if isinstance(fact, list):
            named[name] = _read_list(fact, _records_of(of)[name])
    return named


@cache
def _records_of(of: type[Any]) -> dict[str, Any]:
    return {field.name: field.metadata.get("of") for field in fields(of)}


def _read_list(fact: Any, of: Any = None) -> Any:
    """Return a fact as it was: JSON has no tuples."""
    if not isinstance(fact, list):
        return fact
    return tuple(of(*map(_read_list, part)) if of else _read_list(part) for part in fact)


def write_recent(recent: Recent) -> dict[str, Any]:
    lines: list[list[Any]] = []
    for line in recent.lines:
        changes = list(line.points.items()), list(line.life.items()), list(line.poison.items())
        move = write_entry(line.move, KEY_BY_SEAT)
        lines.append([line.number, move, *changes, line.passed_to, line.news])
    return {"lines": lines, "targets": list(recent.targets.items())}


def read_recent(data: dict[str, Any]) -> Recent:
    lines: list[RecentEvent] = []
    for number, move, points, life, poison, passed_to, news in data["lines"]:
        changes = dict(points), dict(life), dict(poison)
        of_event = tuple(map(tuple, news))
        lines.append(RecentEvent(number, stored_move(move), *changes, passed_to, of_event))
    return Recent(tuple(lines), dict(data["targets"]))
