"""A playgroup as a document: its people, seasons, house bans, and every set with its log and decks.

What counts is worked out anew when it is read: tallies and ratings are not in it. Neither are
accounts and links, which are of the site that it was on.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import chain, count
from math import inf
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from coalition_site.lib.keys import new_key
from coalition_site.lib.untrusted import Node
from decks import legality
from decks.bans import commands as banning
from decks.bans.commands import BanRefused
from decks.commands import save_deck
from decks.models import BanList, Card, Playing, Rule, Status
from decks.queries import find_cards
from decks.rules.entries import LIST_MAX, Unreadable
from decks.rules.rulesets import RULESETS as DECK_RULESETS

from ..models import Game, GameSet, Player, Playgroup, Seat, SetResult
from ..models.people import HOUSE_RULES_MAX, Visibility
from ..play import commands, queries, seating
from ..play.errors import GroupRefused
from ..play.queries import Table
from ..results import ratings
from ..rules.formats import RULESETS
from ..setlog import document as setlog
from ..setlog.document import NAME_MAX, SetLog
from . import playgroups, set_membership, settings
from . import queries as group_queries
from .import_limits import at_most

Fields = Mapping[str, Node]
VERSION = 1
FIRST, LAST = date(1990, 1, 1), date(2100, 12, 31)  # of days; nothing was played before
REASON_MAX = 5000
# What a page brings while taps wait. On a busy machine of two cores 3000 events kept SQLite's
# writers waiting for 0.6 s, 40 sets of three games for 2 s, 200 bans for 1.7 s, 1000 players for
# 0.9 s, and an event that a correction plays again for 20 µs.
AT_ONCE = {
    "sets": 40,
    "players": 1000,
    "seasons": 200,
    "house bans": 200,
    "events": 3000,
    "events that corrections play again": 20_000,
}
SECONDS = 3  # that taps wait for a page at most, whatever it is that takes so long
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_FORMULA = frozenset("=+-@＝＋－＠")
_BREAKS = frozenset("\t\r\n")
COLUMNS = (
    *("day", "set", "ruleset", "players", "player", "seat", "rank", "victory_points"),
    *("games_played", "games_won", "games_at_21", "hero", "coalition_type", "rating"),
)


# --- out ---
def write(group: Playgroup) -> Iterator[str]:
    """Yield the document's text, a set at a time. A few queries for each set."""
    head = {
        "version": VERSION,
        "playgroup": {
            "name": group.name,
            "visibility": group.visibility,
            "zone": group.zone,
            "ruleset": group.ruleset,
            "house_rules": group.house_rules,
        },
        "players": [
            {
                "name": player.name,
                "guest": player.is_guest,
                "merged_into": player.merged_into.name if player.merged_into else None,
            }
            for player in group.players.select_related("merged_into").order_by("pk")
        ],
        "seasons": [
            {"name": one.name, "first": one.starts_on.isoformat(), "last": one.ends_on.isoformat()}
            for one in group.seasons.order_by("starts_on")
        ],
        "house": _house(group.house) if group.house else None,
    }
    yield json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}") + ',\n "sets": ['
    places: dict[int, int] = {}  # of the sets so far; a draft comes before its tables
    for place, game_set in enumerate(group.sets.order_by("created_at", "pk").iterator()):
        places[game_set.pk] = place
        draft = places.get(game_set.draft_id) if game_set.draft_id else None
        written = _written(Table(game_set)) | ({} if draft is None else {"draft": draft})
        yield ",\n" if place else "\n"
        yield json.dumps(written, ensure_ascii=False)
    yield "\n]}\n"


def _house(house: BanList) -> dict[str, Any]:
    """Return what a playgroup's own list says and said, but for what never took effect."""
    entries = house.entries.exclude(ends_on=F("starts_on")).select_related("card")
    return {
        "illegal_decks": house.illegal_decks,
        "bans": [
            {
                "card": one.card.name if one.card else None,
                "rule": one.rule or None,
                "cards": sorted(card.name for card in one.cards.all()),
                "status": one.status,
                "reason": one.reason,
                "first": one.starts_on.isoformat(),
                "end": one.ends_on.isoformat() if one.ends_on else None,
            }
            for one in entries.prefetch_related("cards").order_by("starts_on", "pk")
        ],
    }


def _written(table: Table) -> dict[str, Any]:
    seats = Seat.objects.filter(game_set=table.game_set).order_by("number")
    sat = list(seats.select_related("player", "deck__deck"))
    return {
        "created_at": table.game_set.created_at.isoformat(),
        "people": [seat.player.name for seat in sat if seat.player],
        "decks": [_deck(seat) for seat in sat],
        "times": [
            [game.started_at.isoformat(), game.ended_at.isoformat() if game.ended_at else None]
            for game in queries.games(table.game_set)
        ],
        "log": setlog.write(queries.set_log(table)),
    }


def _deck(seat: Seat) -> dict[str, Any] | None:
    if seat.deck is None:
        return None
    return {
        "name": seat.deck.deck.name,
        "list": seat.deck.text,
        "ruleset": seat.deck.ruleset,
        "type": seat.deck.coalition_type,
    }


def write_csv(group: Playgroup) -> Iterator[str]:
    """Yield a table of all results for spreadsheets, a line at a time. One query."""
    yield _line(COLUMNS)
    results = SetResult.objects.filter(game_set__playgroup=group).order_by("finished_at", "rank")
    for one in results.select_related("game_set", "seat", "player").iterator():
        report = one.seat.deck_report or {}
        yield _line(
            (
                *(one.played_on, one.game_set.code, one.game_set.ruleset, one.size),
                *(one.player.name, one.seat.number, one.rank, one.victory_points),
                *(one.games_played, one.games_won, one.games_at_cap),
                *(report.get("hero"), report.get("coalition_type"), _shown(one.mu)),
            )
        )


def _plain(cell: object) -> object:
    """Return a cell of which a spreadsheet takes no text for a formula; some read wide signs too.

    >>> _plain("=1+1"), _plain("＝1+1"), _plain(" @A1"), _plain("\\tA"), _plain("Ann"), _plain(-1)
    ("'=1+1", "'＝1+1", "' @A1", "'\\tA", 'Ann', -1)
    """
    if not isinstance(cell, str):
        return cell
    begins_so = cell.lstrip()[:1] in _FORMULA or cell[:1] in _BREAKS
    return f"'{cell}" if begins_so else cell


def _shown(mu: float | None) -> int | str:
    return "" if mu is None else ratings.shown(mu)


def _line(cells: tuple[object, ...]) -> str:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL).writerow(map(_plain, cells))
    return line.getvalue()


def is_table(data: bytes) -> bool:
    """Say whether a file is such a table."""
    begin = data.removeprefix(b"\xef\xbb\xbf")[:100].replace(b'"', b"")  # older ones have none
    return begin.startswith(",".join(COLUMNS[:3]).encode())


# --- in ---
def crowded(document: Any) -> str:
    """Return of what a document has more than is read while a browser waits; "" if of nothing."""
    sets = _listed(document, "sets")
    logs = [_listed(game, "events") for one in sets for game in _listed(one, "log", "games")]
    counts = {
        "sets": len(sets),
        "players": len(_listed(document, "players")),
        "seasons": len(_listed(document, "seasons")),
        "house bans": len(_listed(document, "house", "bans")),
        "events": sum(max(len(_listed(event, "hits")), 1) for log in logs for event in log),
        "events that corrections play again": sum(map(_played_again, logs)),
    }
    for what, most in AT_ONCE.items():
        if counts[what] > most:
            return f"{counts[what]} {what}, and this page brings {most}"
    return ""


def _listed(value: Any, *path: str) -> list[Any]:
    """Return the list at a path, an empty one where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _played_again(log: list[Any]) -> int:
    """Return how many events a log's corrections play again: each those after the corrected one.

    >>> _played_again([{"type": "turn"}, {"type": "turn"}, {"type": "strike", "event": 1}])
    2
    """
    corrected = (
        (number, one["event"])
        for number, one in enumerate(log, 1)
        if isinstance(one, dict) and type(one.get("event")) is int
    )
    return sum(max(number - event, 0) for number, event in corrected)


def read(document: Any, owner: User | None, *, within: float = inf) -> Playgroup:
    """Make a playgroup from a document, whole or not at all; its sets get links of their own.

    Beside a playgroup of the owner's, or a public one, of its name it is called a copy. Its logs
    are tried before others have to wait for it, ``within`` so many seconds.

    :raises MalformedLog: if it is no such document, or a log can't be played; with the place.
    :raises TookTooLong: if others would have to wait longer.
    """
    fields = Node(document, "").fields("version playgroup players seasons sets", "house")
    fields["version"].number(VERSION, VERSION)
    sets = [_read_log(node) for node in fields["sets"].items(may_be_empty=True)]
    with transaction.atomic(), at_most(within):
        return _read(fields, sets, owner)


def _read_log(node: Node) -> tuple[Fields, SetLog]:
    """Return a set's fields, and its log, which can be played."""
    fields = node.fields("created_at people decks times log", "draft")
    log = setlog.read(fields["log"], latest=queries.a_day_from_now())
    failure = setlog.play(log).failure
    if failure:
        told = failure.refusal.told(log.name_by_seat)
        raise fields["log"].refuse(f"game {failure.game}, event {failure.event}: {told}")
    return fields, log


def _read(fields: Fields, logs: Iterable[tuple[Fields, SetLog]], owner: User | None) -> Playgroup:
    group = _read_group(fields["playgroup"], owner)
    players = _read_players(fields["players"], group)
    for node in fields["seasons"].items(may_be_empty=True):
        _read_season(node, group)
    if "house" in fields and fields["house"].value is not None:
        _read_house(fields["house"], group)
    sets: list[Table] = []
    for of_set, log in logs:
        sets.append(_read_set(of_set, log, group, players, sets))
    return group


def _read_group(node: Node, owner: User | None) -> Playgroup:
    fields = node.fields("name visibility zone ruleset house_rules")
    group = playgroups.create_playgroup(
        _unlike(_name(fields["name"]), group_queries.names_met(owner.pk if owner else None)),
        owner,
        visibility=fields["visibility"].one_of(Visibility.values),
        ruleset=fields["ruleset"].one_of([key for key, one in RULESETS.items() if one.is_ranked]),
        zone=_zone(fields["zone"]),
    )
    if fields["house_rules"].value:
        group.house_rules = fields["house_rules"].text(HOUSE_RULES_MAX, lines=True)
        group.save(update_fields=["house_rules"])
    return group


def _name(node: Node) -> str:
    return node.text(NAME_MAX).strip()


def _unlike(name: str, met: Collection[str]) -> str:
    """Return a name to tell a playgroup by, beside those that its owner comes upon.

    >>> _unlike("Monday", {"monday", "tuesday"}), _unlike("Monday", {"monday", "monday (copy)"})
    ('Monday (copy)', 'Monday (copy 2)')
    """
    copies = (f" (copy {number})" for number in count(2))
    names = (name[: NAME_MAX - len(copy)] + copy for copy in chain(("", " (copy)"), copies))
    return next(one for one in names if one.casefold() not in met)


def _zone(node: Node) -> str:
    try:
        return ZoneInfo(node.text()).key
    except (KeyError, ValueError, OSError) as error:  # unknown, a path, or too long for a file
        raise node.refuse("must be a time zone, as in Europe/Berlin") from error


def _read_players(node: Node, group: Playgroup) -> dict[str, Player]:
    players: dict[str, Player] = {}
    merged: list[tuple[Player, Node]] = []
    for item in node.items(may_be_empty=True):
        fields = item.fields("name guest merged_into")
        name, is_guest = _name(fields["name"]), fields["guest"].truth()
        try:
            players[name] = seating.add_player(group, name, is_guest=is_guest)
        except GroupRefused as error:  # by the database, which knows what it takes for the same
            raise fields["name"].refuse("stands here twice") from error
        if fields["merged_into"].value is not None:
            merged.append((players[name], fields["merged_into"]))
    for player, into in merged:
        player.merged_into = _one_of(players, into)
        _check_ends(player, into)
        player.save(update_fields=["merged_into"])
    return players


def _one_of(players: Mapping[str, Player], node: Node) -> Player:
    found = players.get(_name(node))
    if found is None:
        raise node.refuse(f"must be one of {', '.join(players)}")
    return found


def _check_ends(player: Player, node: Node) -> None:
    """Refuse players that are merged into one another in a circle."""
    seen = {player}
    while player := player.merged_into:
        if player in seen:
            raise node.refuse("is merged into this one")
        seen.add(player)


def _read_season(node: Node, group: Playgroup) -> None:
    fields = node.fields("name first last")
    first, last = _day(fields["first"]), _day(fields["last"])
    if last < first:
        raise fields["last"].refuse("is before the first day")
    try:
        settings.add_season(group, _name(fields["name"]), first, last)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error


def _read_house(node: Node, group: Playgroup) -> None:
    fields = node.fields("illegal_decks bans")
    try:
        house = settings.house_list(group)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error
    house.illegal_decks = fields["illegal_decks"].one_of(Playing.values)
    house.save(update_fields=["illegal_decks"])
    for item in fields["bans"].items(may_be_empty=True):
        _read_ban(item, house)


def _read_ban(node: Node, house: BanList) -> None:
    fields = node.fields("card rule cards status reason first end")
    if fields["card"].value is None:
        subject: Card | Rule = Rule(fields["rule"].one_of(Rule.values))
    else:
        subject = _card(fields["card"])
    cards = [_card(one) for one in fields["cards"].items(may_be_empty=True)]
    status = fields["status"].one_of(Status.values)
    reason = fields["reason"]
    said = reason.text(REASON_MAX, lines=True) if reason.value else ""
    first = _day(fields["first"])
    end = None if fields["end"].value is None else _day(fields["end"])
    try:
        entry = banning.ban(house, subject, status, said, first, None, cards)
        if end:
            banning.end(entry, end, None)
    except BanRefused as error:
        raise node.refuse(str(error)) from error


def _card(node: Node) -> Card:
    name = node.text()
    card = find_cards([name]).get(name)
    if card is None:
        raise node.refuse(f"There is no card called {name}")
    return card


def _day(node: Node) -> date:
    try:
        found = date.fromisoformat(node.text())
    except ValueError as error:
        raise node.refuse("must be a day, as in 2026-03-09") from error
    if not FIRST <= found <= LAST:
        raise node.refuse(f"must be a day from {FIRST} to {LAST}")
    return found


def _moment(node: Node) -> datetime:
    try:
        found = datetime.fromisoformat(node.text())
    except ValueError as error:
        raise node.refuse("must be a date and time as in ISO 8601") from error
    if found.tzinfo is None:
        raise node.refuse("must say its zone")
    if not EARLIEST <= found <= queries.a_day_from_now():
        raise node.refuse(f"must be a time from {FIRST} to now")
    return found


def _read_set(
    fields: Fields,
    log: SetLog,
    group: Playgroup,
    players: Mapping[str, Player],
    before: Sequence[Table],
) -> Table:
    """Store a set; ``before`` are those that stand before it, of which one may be its draft."""
    people = [_one_of(players, one).name for one in _as_many(fields["people"], log.names)]
    if len(set(people)) != len(people):
        raise fields["people"].refuse("must name each player once")
    draft = _draft(fields["draft"], log, before) if "draft" in fields else None
    table = commands.store(log)
    created = _moment(fields["created_at"])
    GameSet.objects.filter(pk=table.game_set.pk).update(created_at=created, draft=draft)
    games = queries.games(table.game_set)
    for game, times in zip(games, _as_many(fields["times"], games), strict=True):
        _give_times(game, times)
    seats = Seat.objects.filter(game_set=table.game_set).order_by("number")
    for seat, deck in zip(seats, _as_many(fields["decks"], log.names), strict=True):
        if deck.value is not None:
            _give_deck(table, group, seat, deck, created.astimezone(ZoneInfo(group.zone)).date())
    try:
        set_membership.take(table, group, dict(enumerate(people, 1)))
    except GroupRefused as error:
        raise fields["people"].refuse(str(error)) from error
    return table


def _draft(node: Node, log: SetLog, before: Sequence[Table]) -> GameSet:
    """Return the draft that a set names by its place among those before it."""
    known = dict(enumerate(before))
    found = known.get(node.value) if type(node.value) is int else None
    if found is None or found.ruleset.splits_into != log.ruleset.key:
        raise node.refuse("must be the place, from 0, of a draft before it")
    if not set(log.names) <= set(found.names.values()):
        raise node.refuse("is a draft of other players")
    return found.game_set


def _as_many(node: Node, as_these: Sequence[object]) -> list[Node]:
    items = node.items(may_be_empty=True)
    if len(items) != len(as_these):
        raise node.refuse(f"must have {len(as_these)} items")
    return items


def _give_times(game: Game, node: Node) -> None:
    started, ended = _as_many(node, "12")
    game.started_at = _moment(started)
    if game.ended_at and ended.value is not None:
        at = _moment(ended)
        if at != game.ended_at and game.events.filter(at=game.ended_at).exists():
            raise node.refuse("must end when the log says")
        game.ended_at = game.first_ended_at = at
    game.save(update_fields=["started_at", "ended_at", "first_ended_at"])


def _give_deck(table: Table, group: Playgroup, seat: Seat, node: Node, on: date) -> None:
    """Let a seat carry a deck, judged as on the day of the set."""
    fields = node.fields("name list ruleset type")
    ruleset = DECK_RULESETS[fields["ruleset"].one_of(list(DECK_RULESETS))]
    text = fields["list"].text(LIST_MAX, lines=True)
    try:
        found = legality.read(text, ruleset)
    except Unreadable as error:
        raise fields["list"].refuse(str(error)) from error
    chosen = fields["type"].text() if fields["type"].value else ""
    name = _name(fields["name"])
    deck = save_deck(name, text, found, ruleset, chosen, key=new_key())
    seat.deck = deck.revisions.get()
    try:
        house = seating.house_of(group, table.ruleset.key)
        seat.deck_report = legality.on_record(seat.deck, table.ruleset.key, house, on)
    except legality.OtherFormat as error:
        raise fields["ruleset"].refuse("is one of another format than the set's") from error
    seat.save(update_fields=["deck", "deck_report"])
