"""Moves and states to JSON and back.

A move has the form of a set log's event. Players are named by whatever ``names`` says: people's
names in a set log, seat numbers as text in the database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import moves as mv
from .form import Node
from .formats import RULESETS
from .recent import Recent, RecentLine
from .state import GameState, PlayerState, Status

Seats = Mapping[str, int]
Names = Mapping[int, str]

CHANGE_MAX = 9_999
TOXIC_MAX = 99

SEAT_BY_KEY: Seats = {str(seat): seat for seat in range(1, 7)}
KEY_BY_SEAT: Names = {seat: key for key, seat in SEAT_BY_KEY.items()}


def read_entry(node: Node, seats: Seats, also: str = "") -> mv.Entry:
    """Return the entry of a log; ``also`` lists further fields that may stand beside it.

    :raises MalformedLog: if the form is wrong, with the path.
    """
    if not isinstance(node.value, dict) or "type" not in node.value:
        raise node.refuse("must be an object with a type")
    kind = Node(node.value["type"], f"{node.path}.type" if node.path else "type")
    required, optional, read = _READERS[kind.one_of(list(_READERS))]
    fields = node.fields(f"type {required}", f"{optional} {also}")
    return read(fields, seats)


def read_move(node: Node, seats: Seats) -> mv.Move:
    """Return the move of an event that is no correction.

    :raises MalformedLog: if the form is wrong, with the path.
    """
    entry = read_entry(node, seats)
    if isinstance(entry, mv.Correction):
        raise node.refuse("must not be a correction itself")
    return entry


def write_entry(entry: mv.Entry, names: Names) -> dict[str, Any]:
    """Return an entry as a set log's event, fields at their defaults left out.

    >>> write_entry(mv.PassTurn(), {})
    {'type': 'turn'}
    """
    match entry:
        case mv.DealDamage(hits):
            return {"type": "damage", "hits": [_write_hit(hit, names) for hit in hits]}
        case mv.ChangeLife(changes):
            return {"type": "life", "changes": _write_changes(changes, names)}
        case mv.ChangePoison(changes):
            return {"type": "poison", "changes": _write_changes(changes, names)}
        case mv.Hold(seat, cannot_lose, cannot_win):
            holds = {"cannot_lose": cannot_lose, "cannot_win": cannot_win}
            return {"type": "hold", "player": names[seat], **holds}
        case mv.PassTurn(None):
            return {"type": "turn"}
        case mv.PassTurn(int(seat)):
            return {"type": "turn", "player": names[seat]}
        case mv.MoveHero(seat, to):
            return {"type": "hero", "player": names[seat], "to": to.value}
        case mv.CrownMonarch(monarch):
            return {"type": "monarch", "player": None if monarch is None else names[monarch]}
        case mv.Concede(seat):
            return {"type": "concede", "player": names[seat]}
        case mv.ConcedeTo(seat):
            return {"type": "concede_to", "player": names[seat]}
        case mv.Lose(players, reason):
            return {"type": "lose", "players": [names[seat] for seat in players], "reason": reason}
        case mv.Win(seat, reason):
            return {"type": "win", "player": names[seat], "reason": reason}
        case mv.Draw(reason):
            return {"type": "draw", "reason": reason}
        case mv.Undo():
            return {"type": "undo"}
        case mv.Strike(number):
            return {"type": "strike", "event": number}
        case mv.Amend(number, replacement):
            return {"type": "amend", "event": number, "with": write_entry(replacement, names)}
    raise TypeError(f"no entry of a log: {entry!r}")


def _write_hit(hit: mv.Hit, names: Names) -> dict[str, Any]:
    signs = {"infect": hit.infect, "lifelink": hit.lifelink, "toxic": hit.toxic}
    return {
        "source": None if hit.source is None else names[hit.source],
        "target": names[hit.target],
        "amount": hit.amount,
        "kind": hit.kind.value,
        **{sign: value for sign, value in signs.items() if value},
    }


def _write_changes(changes: Mapping[int, int], names: Names) -> dict[str, int]:
    return {names[seat]: by for seat, by in changes.items()}


def _seat(node: Node, seats: Seats) -> int:
    if not isinstance(node.value, str) or node.value not in seats:
        raise node.refuse(f"must be one of the players: {', '.join(seats)}")
    return seats[node.value]


def read_seats(node: Node, seats: Seats) -> tuple[int, ...]:
    """Return a list of different players, at least one."""
    found: list[int] = []
    for item in node.items():
        seat = _seat(item, seats)
        if seat in found:
            raise item.refuse("stands here twice")
        found.append(seat)
    return tuple(found)


def read_seat(node: Node, seats: Seats) -> int:
    """Return one player."""
    return _seat(node, seats)


def _read_hit(node: Node, seats: Seats) -> mv.Hit:
    fields = node.fields("source target amount kind", "infect lifelink toxic")
    kind = mv.Kind(fields["kind"].one_of([kind.value for kind in mv.Kind]))
    source = None
    if fields["source"].value is not None:
        source = _seat(fields["source"], seats)
    elif kind is not mv.Kind.OTHER:
        raise fields["source"].refuse("may be null only for other damage")
    if "toxic" in fields and kind is not mv.Kind.COMBAT:
        raise fields["toxic"].refuse("goes with combat damage only")
    return mv.Hit(
        source=source,
        target=_seat(fields["target"], seats),
        amount=fields["amount"].number(1, mv.AMOUNT_MAX),
        kind=kind,
        infect="infect" in fields and fields["infect"].truth(),
        lifelink="lifelink" in fields and fields["lifelink"].truth(),
        toxic=fields["toxic"].number(1, TOXIC_MAX) if "toxic" in fields else 0,
    )


def _read_changes(node: Node, seats: Seats) -> dict[int, int]:
    changes: dict[int, int] = {}
    for name, item in node.entries():
        if name not in seats:
            raise item.refuse(f"must be one of the players: {', '.join(seats)}")
        by = item.number(-CHANGE_MAX, CHANGE_MAX)
        if by == 0:
            raise item.refuse("must not be 0")
        changes[seats[name]] = by
    return dict(sorted(changes.items()))


def _read_damage(fields: dict[str, Node], seats: Seats) -> mv.DealDamage:
    return mv.DealDamage(tuple(_read_hit(hit, seats) for hit in fields["hits"].items()))


def _read_hold(fields: dict[str, Node], seats: Seats) -> mv.Hold:
    holds = fields["cannot_lose"].truth(), fields["cannot_win"].truth()
    return mv.Hold(_seat(fields["player"], seats), *holds)


def _read_turn(fields: dict[str, Node], seats: Seats) -> mv.PassTurn:
    return mv.PassTurn(_seat(fields["player"], seats) if "player" in fields else None)


def _read_hero(fields: dict[str, Node], seats: Seats) -> mv.MoveHero:
    zone = fields["to"].one_of([zone.value for zone in mv.Zone])
    return mv.MoveHero(_seat(fields["player"], seats), mv.Zone(zone))


def _read_monarch(fields: dict[str, Node], seats: Seats) -> mv.CrownMonarch:
    player = fields["player"]
    return mv.CrownMonarch(None if player.value is None else _seat(player, seats))


def _reason(fields: dict[str, Node]) -> dict[str, str]:
    return {"reason": fields["reason"].text()} if "reason" in fields else {}


_Reader = Callable[[dict[str, Node], Seats], mv.Entry]

# An event's type: its required fields, its optional ones, and how to read them.
_READERS: Mapping[str, tuple[str, str, _Reader]] = {
    "damage": ("hits", "", _read_damage),
    "life": ("changes", "", lambda f, s: mv.ChangeLife(_read_changes(f["changes"], s))),
    "poison": ("changes", "", lambda f, s: mv.ChangePoison(_read_changes(f["changes"], s))),
    "hold": ("player cannot_lose cannot_win", "", _read_hold),
    "turn": ("", "player", _read_turn),
    "hero": ("player to", "", _read_hero),
    "monarch": ("player", "", _read_monarch),
    "concede": ("player", "", lambda f, s: mv.Concede(_seat(f["player"], s))),
    "concede_to": ("player", "", lambda f, s: mv.ConcedeTo(_seat(f["player"], s))),
    "lose": ("players", "reason", lambda f, s: mv.Lose(read_seats(f["players"], s), **_reason(f))),
    "win": ("player", "reason", lambda f, s: mv.Win(_seat(f["player"], s), **_reason(f))),
    "draw": ("", "reason", lambda f, s: mv.Draw(**_reason(f))),
    "undo": ("", "", lambda f, s: mv.Undo()),
    "strike": ("event", "", lambda f, s: mv.Strike(f["event"].number(1))),
    "amend": (
        "event with",
        "",
        lambda f, s: mv.Amend(f["event"].number(1), read_move(f["with"], s)),
    ),
}


def write_state(state: GameState) -> dict[str, Any]:
    """Return a game's state as JSON, players as a list in turn order."""
    return {
        "ruleset": state.ruleset.key,
        "players": [[seat, *_write_player(player)] for seat, player in state.players.items()],
        "active": state.active,
        "monarch": state.monarch,
        "hero_taken": state.hero_taken,
        "status": state.status.value,
        "winner": state.winner,
        "ended_by": state.ended_by,
    }


def _write_player(player: PlayerState) -> list[Any]:
    return [
        player.life,
        player.poison,
        player.points,
        player.out,
        player.barred,
        player.cannot_lose,
        player.cannot_win,
        player.hero.value,
    ]


def read_state(data: dict[str, Any]) -> GameState:
    """Return the state that ``write_state`` wrote."""
    return GameState(
        ruleset=RULESETS[data["ruleset"]],
        players={seat: _read_player(facts) for seat, *facts in data["players"]},
        active=data["active"],
        monarch=data["monarch"],
        hero_taken=data["hero_taken"],
        status=Status(data["status"]),
        winner=data["winner"],
        ended_by=data["ended_by"],
    )


def _read_player(facts: list[Any]) -> PlayerState:
    life, poison, points, out, barred, cannot_lose, cannot_win, hero = facts
    return PlayerState(life, poison, points, out, barred, cannot_lose, cannot_win, mv.Zone(hero))


def write_recent(recent: Recent) -> dict[str, Any]:
    """Return what is recent as JSON."""
    return {
        "lines": [
            [line.number, write_entry(line.move, KEY_BY_SEAT)]
            + [list(changes.items()) for changes in (line.points, line.life, line.poison)]
            + [line.passed_to]
            for line in recent.lines
        ],
        "targets": list(recent.targets.items()),
    }


def read_recent(data: dict[str, Any]) -> Recent:
    """Return what ``write_recent`` wrote."""
    lines = tuple(
        RecentLine(
            number,
            read_move(Node(move, ""), SEAT_BY_KEY),
            dict(points),
            dict(life),
            dict(poison),
            passed_to,
        )
        for number, move, points, life, poison, passed_to in data["lines"]
    )
    return Recent(lines, dict(data["targets"]))
