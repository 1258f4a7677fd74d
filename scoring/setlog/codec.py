"""Moves and states to JSON and back.

A move has the form of a set log's event. Players are named by whatever ``names`` says: people's
names in a set log, seat numbers as text in the database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from functools import partial
from typing import Any

from coalition_site.lib.untrusted import Node, StoredNode

from ..rules import moves as mv
from ..rules.fields import Names, Seats, read_seat, read_seats, specs
from ..rules.formats import RULESETS
from ..rules.own import OwnMove
from ..rules.recent import Recent, RecentLine
from ..rules.state import GameState, PlayerState, Status

OWN_MOVES: Mapping[str, type[OwnMove]] = {
    move.type: move
    for ruleset in RULESETS.values()
    for move in sorted(ruleset.moves, key=lambda move: move.__name__)
    if issubclass(move, OwnMove)
}
"""The formats' own moves by what a set log calls them."""

SEAT_BY_KEY: Seats = {str(seat): seat for seat in range(1, 9)}
KEY_BY_SEAT: Names = {seat: key for key, seat in SEAT_BY_KEY.items()}


def read_entry(
    node: Node, seats: Seats, also: str = "", moves: Collection[type] | None = None
) -> mv.Entry:
    """Return the entry of a log; ``also`` lists further fields that may stand beside it.

    ``moves`` are those that a format knows; without them all formats' are read.

    :raises MalformedDocument: if the form is wrong, with the path.
    """
    if not isinstance(node.value, dict) or "type" not in node.value:
        raise node.refuse("must be an object with a type")
    kind = Node(node.value["type"], f"{node.path}.type" if node.path else "type")
    known = list(_CLASSES) if moves is None else known_types(moves)
    required, optional, read = _READERS[kind.one_of(known)]
    fields = node.fields(f"type {required}", f"{optional} {also}")
    return read(fields, seats)


def known_types(moves: Collection[type]) -> list[str]:
    """Return what a set log calls the moves of a format, and the corrections.

    >>> known_types([mv.Draw])
    ['draw', 'undo', 'strike', 'amend']
    """
    return [name for name, of in _CLASSES.items() if of is None or of in moves]


def read_move(node: Node, seats: Seats) -> mv.Move:
    """Return the move of an event that is no correction.

    :raises MalformedDocument: if the form is wrong, with the path.
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
        case OwnMove():
            return {"type": entry.type, **_write_own(entry, names)}
    raise TypeError(f"no entry of a log: {entry!r}")


def _write_own(move: OwnMove, names: Names) -> dict[str, Any]:
    return {
        name: spec.write(getattr(move, name), names)
        for name, (spec, default) in specs(move).items()
        if getattr(move, name) != default
    }


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


def _read_hit(node: Node, seats: Seats) -> mv.Hit:
    fields = node.fields("source target amount kind", "infect lifelink toxic")
    kind = mv.Kind(fields["kind"].one_of([kind.value for kind in mv.Kind]))
    source = None
    if fields["source"].value is not None:
        source = read_seat(fields["source"], seats)
    elif kind is not mv.Kind.OTHER:
        raise fields["source"].refuse("may be null only for other damage")
    if "toxic" in fields and kind is not mv.Kind.COMBAT:
        raise fields["toxic"].refuse("goes with combat damage only")
    return mv.Hit(
        source=source,
        target=read_seat(fields["target"], seats),
        amount=fields["amount"].number(1, mv.AMOUNT_MAX),
        kind=kind,
        infect="infect" in fields and fields["infect"].truth(),
        lifelink="lifelink" in fields and fields["lifelink"].truth(),
        toxic=fields["toxic"].number(1, mv.TOXIC_MAX) if "toxic" in fields else 0,
    )


def _read_changes(node: Node, seats: Seats) -> dict[int, int]:
    changes: dict[int, int] = {}
    for name, item in node.entries():
        if name not in seats:
            raise item.refuse(f"must be one of the players: {', '.join(seats)}")
        by = item.number(-mv.CHANGE_MAX, mv.CHANGE_MAX)
        if by == 0:
            raise item.refuse("must not be 0")
        changes[seats[name]] = by
    return dict(sorted(changes.items()))


def _read_damage(fields: dict[str, Node], seats: Seats) -> mv.DealDamage:
    return mv.DealDamage(tuple(_read_hit(hit, seats) for hit in fields["hits"].items()))


def _read_hold(fields: dict[str, Node], seats: Seats) -> mv.Hold:
    holds = fields["cannot_lose"].truth(), fields["cannot_win"].truth()
    return mv.Hold(read_seat(fields["player"], seats), *holds)


def _read_turn(fields: dict[str, Node], seats: Seats) -> mv.PassTurn:
    return mv.PassTurn(read_seat(fields["player"], seats) if "player" in fields else None)


def _read_hero(fields: dict[str, Node], seats: Seats) -> mv.MoveHero:
    zone = fields["to"].one_of([zone.value for zone in mv.Zone])
    return mv.MoveHero(read_seat(fields["player"], seats), mv.Zone(zone))


def _read_monarch(fields: dict[str, Node], seats: Seats) -> mv.CrownMonarch:
    player = fields["player"]
    return mv.CrownMonarch(None if player.value is None else read_seat(player, seats))


def _reason(fields: dict[str, Node]) -> dict[str, str]:
    return {"reason": fields["reason"].text()} if "reason" in fields else {}


def _read_own(move: type[OwnMove], fields: dict[str, Node], seats: Seats) -> OwnMove:
    said = {
        name: spec.read(fields[name], seats)
        for name, (spec, _) in specs(move).items()
        if name in fields
    }
    return move(**said)


def _own_reader(move: type[OwnMove]) -> tuple[str, str, _Reader]:
    of = specs(move)
    required = " ".join(name for name, (_, default) in of.items() if default is MISSING)
    optional = " ".join(name for name, (_, default) in of.items() if default is not MISSING)
    return required, optional, partial(_read_own, move)


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
    "concede": ("player", "", lambda f, s: mv.Concede(read_seat(f["player"], s))),
    "concede_to": ("player", "", lambda f, s: mv.ConcedeTo(read_seat(f["player"], s))),
    "lose": ("players", "reason", lambda f, s: mv.Lose(read_seats(f["players"], s), **_reason(f))),
    "win": ("player", "reason", lambda f, s: mv.Win(read_seat(f["player"], s), **_reason(f))),
    "draw": ("", "reason", lambda f, s: mv.Draw(**_reason(f))),
    "undo": ("", "", lambda f, s: mv.Undo()),
    "strike": ("event", "", lambda f, s: mv.Strike(f["event"].number(1))),
    "amend": (
        "event with",
        "",
        lambda f, s: mv.Amend(f["event"].number(1), read_move(f["with"], s)),
    ),
    **{move.type: _own_reader(move) for move in OWN_MOVES.values()},
}


# What each type of event is read as; corrections belong to every format.
_CLASSES: Mapping[str, type | None] = {
    "damage": mv.DealDamage,
    "life": mv.ChangeLife,
    "poison": mv.ChangePoison,
    "hold": mv.Hold,
    "turn": mv.PassTurn,
    "hero": mv.MoveHero,
    "monarch": mv.CrownMonarch,
    "concede": mv.Concede,
    "concede_to": mv.ConcedeTo,
    "lose": mv.Lose,
    "win": mv.Win,
    "draw": mv.Draw,
    **OWN_MOVES,
    **dict.fromkeys(("undo", "strike", "amend")),
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
        "drew": state.drew,
        "own": [getattr(state, field.name) for field in _own_fields(state, GameState)],
    }


def _own_fields(record: Any, base: type) -> tuple[Field[Any], ...]:
    """Return the fields that a format adds to a state of its own."""
    return fields(record)[len(fields(base)) :]


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
        *(getattr(player, field.name) for field in _own_fields(player, PlayerState)),
    ]


def read_state(data: dict[str, Any]) -> GameState:
    """Return the state that ``write_state`` wrote."""
    ruleset = RULESETS[data["ruleset"]]
    return ruleset.game(
        ruleset=ruleset,
        players={seat: _read_player(ruleset.player, *facts) for seat, *facts in data["players"]},
        active=data["active"],
        monarch=data["monarch"],
        hero_taken=data["hero_taken"],
        status=Status(data["status"]),
        winner=data["winner"],
        ended_by=data["ended_by"],
        drew=tuple(data["drew"]),
        **_read_own_facts(ruleset.game, GameState, data["own"]),
    )


def _read_player(
    player: type[PlayerState],
    life: int,
    poison: int,
    points: int,
    out: str | None,
    barred: bool,
    cannot_lose: bool,
    cannot_win: bool,
    hero: str,
    *own: Any,
) -> PlayerState:
    of_all = life, poison, points, out, barred, cannot_lose, cannot_win, mv.Zone(hero)
    return player(*of_all, **_read_own_facts(player, PlayerState, own))


def _read_own_facts(record: type, base: type, facts: Iterable[Any]) -> dict[str, Any]:
    named = zip(_own_fields(record, base), facts, strict=True)
    return {field.name: _read_fact(fact, field.metadata.get("of")) for field, fact in named}


def _read_fact(fact: Any, of: Callable[..., Any] | None = None) -> Any:
    """Return a fact as it was: JSON has no tuples."""
    if not isinstance(fact, list):
        return fact
    return tuple(of(*map(_read_fact, one)) if of else _read_fact(one) for one in fact)


def write_recent(recent: Recent) -> dict[str, Any]:
    """Return what is recent as JSON."""
    return {
        "lines": [
            [line.number, write_entry(line.move, KEY_BY_SEAT)]
            + [list(changes.items()) for changes in (line.points, line.life, line.poison)]
            + [line.passed_to, line.told]
            for line in recent.lines
        ],
        "targets": list(recent.targets.items()),
    }


def read_recent(data: dict[str, Any]) -> Recent:
    """Return what ``write_recent`` wrote."""
    lines = tuple(
        RecentLine(
            number,
            read_move(StoredNode(move, ""), SEAT_BY_KEY),
            dict(points),
            dict(life),
            dict(poison),
            passed_to,
            _read_fact(told),
        )
        for number, move, points, life, poison, passed_to, told in data["lines"]
    )
    return Recent(lines, dict(data["targets"]))
