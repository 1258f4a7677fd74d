"""Making a playgroup from a document, whole or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain, count
from math import inf
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction

from coalition_site.lib.untrusted import Node
from decks.bans import commands as banning
from decks.bans.commands import BanRefused
from decks.models import BanList, Card, Playing, Rule, Status

from ..models import GameSet, Player, Playgroup
from ..models.people import HOUSE_RULES_MAX, Visibility
from ..play import queries, seating
from ..play.errors import GroupRefused
from ..rules.formats import RULESETS
from ..setlog import document as setlog
from ..setlog.document import NAME_MAX, SetLog
from . import playgroups, settings
from . import queries as group_queries
from .announcements import import_announcement
from .document import VERSION, Fields, read_card, read_day, read_name, read_player
from .evenings.importing import Known, import_evenings
from .import_limits import at_most
from .importing_sets import import_set

REASON_MAX = 5000


def import_group(document: Any, owner: User | None, *, within: float = inf) -> Playgroup:
    """Make a playgroup from a document; its sets get links of their own.

    It is called a copy if its owner, or the public, has a playgroup of that name. Logs are played
    before the transaction begins, so that nobody waits for that; the rest may take ``within``
    seconds.

    :raises MalformedDocument: if it is no such document, or a log can't be played; with the place.
    :raises TookTooLong: if others would have to wait longer.
    """
    fields = Node(document, "").fields("version playgroup players seasons sets", "house evenings")
    fields["version"].number(VERSION, VERSION)
    sets = [_read_log(node) for node in fields["sets"].items(may_be_empty=True)]
    with transaction.atomic(), at_most(within):
        return _import(fields, sets, owner)


def _read_log(node: Node) -> tuple[Fields, SetLog]:
    """Return a set's fields, and its log, which can be played."""
    fields = node.fields("created_at people decks times log", "draft heroes")
    log = setlog.read(fields["log"], latest=queries.a_day_from_now())
    failure = setlog.play(log).failure
    if failure:
        reason = failure.refusal.message(log.name_by_seat)
        raise fields["log"].refuse(f"game {failure.game}, event {failure.event}: {reason}")
    return fields, log


def _import(fields: Fields, logs: Iterable[tuple[Fields, SetLog]], owner: User | None) -> Playgroup:
    group = _import_settings(fields["playgroup"], owner)
    players = _import_players(fields["players"], group)
    for node in fields["seasons"].items(may_be_empty=True):
        _import_season(node, group)
    if "house" in fields and fields["house"].value is not None:
        _import_house(fields["house"], group)
    tables: list[GameSet] = []
    for of_set, log in logs:
        tables.append(import_set(of_set, log, group, players, tables))
    if "evenings" in fields:
        evenings = fields["evenings"].items(may_be_empty=True)
        import_evenings(evenings, Known(group, players, tables))
    return group


def _import_settings(node: Node, owner: User | None) -> Playgroup:
    fields = node.fields("name visibility zone ruleset house_rules")
    ranked = [key for key, ruleset in RULESETS.items() if ruleset.is_ranked]
    taken = group_queries.taken_names(owner.pk if owner else None)
    group = playgroups.create_playgroup(
        _free_name(read_name(fields["name"]), taken),
        owner,
        visibility=fields["visibility"].one_of(Visibility.values),
        ruleset=fields["ruleset"].one_of(ranked),
        zone=_read_zone(fields["zone"]),
    )
    if fields["house_rules"].value:
        group.house_rules = fields["house_rules"].text(HOUSE_RULES_MAX, lines=True)
        group.save(update_fields=["house_rules"])
    return group


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken, nor longer than names may be.

    >>> _free_name("Monday", {"monday", "tuesday"})
    'Monday (copy)'
    >>> _free_name("Monday", {"monday", "monday (copy)"})
    'Monday (copy 2)'
    """
    copies = (f" (copy {number})" for number in count(2))
    names = (name[: NAME_MAX - len(copy)] + copy for copy in chain(("", " (copy)"), copies))
    return next(free for free in names if free.casefold() not in taken)


def _read_zone(node: Node) -> str:
    try:
        return ZoneInfo(node.text()).key
    except (KeyError, ValueError, OSError) as error:  # unknown, a path, or too long for a file
        raise node.refuse("must be a time zone, as in Europe/Berlin") from error


def _import_players(node: Node, group: Playgroup) -> dict[str, Player]:
    players: dict[str, Player] = {}
    merged: list[tuple[Player, Node]] = []
    for item in node.items(may_be_empty=True):
        fields = item.fields("name guest merged_into")
        name, is_guest = read_name(fields["name"]), fields["guest"].truth()
        try:
            players[name] = seating.add_player(group, name, is_guest=is_guest)
        except GroupRefused as error:  # the database decides which names are the same
            raise fields["name"].refuse("stands here twice") from error
        if fields["merged_into"].value is not None:
            merged.append((players[name], fields["merged_into"]))
    # Only now: a player may be merged into another who comes later in the document.
    for player, into in merged:
        player.merged_into = read_player(into, players)
        _check_no_circle(player, into)
        player.save(update_fields=["merged_into"])
    return players


def _check_no_circle(player: Player, node: Node) -> None:
    """Refuse players that are merged into each other in a circle."""
    seen = {player}
    while into := player.merged_into:
        if into in seen:
            raise node.refuse("is merged into this one")
        seen.add(into)
        player = into


def _import_season(node: Node, group: Playgroup) -> None:
    fields = node.fields("name first last")
    first, last = read_day(fields["first"]), read_day(fields["last"])
    if last < first:
        raise fields["last"].refuse("is before the first day")
    try:
        settings.add_season(group, read_name(fields["name"]), first, last)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error


def _import_house(node: Node, group: Playgroup) -> None:
    fields = node.fields("illegal_decks bans", "announcements")
    try:
        house = settings.house_list(group)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error
    house.illegal_decks = fields["illegal_decks"].one_of(Playing.values)
    house.save(update_fields=["illegal_decks"])
    for item in fields["bans"].items(may_be_empty=True):
        _import_ban(item, house)
    if "announcements" in fields:
        for item in fields["announcements"].items():
            import_announcement(item, house)


def _import_ban(node: Node, house: BanList) -> None:
    fields = node.fields("card rule cards status reason first end")
    if fields["card"].value is None:
        subject: Card | Rule = Rule(fields["rule"].one_of(Rule.values))
    else:
        subject = read_card(fields["card"])
    cards = [read_card(card) for card in fields["cards"].items(may_be_empty=True)]
    status = fields["status"].one_of(Status.values)
    reason = fields["reason"].text(REASON_MAX, lines=True) if fields["reason"].value else ""
    first = read_day(fields["first"])
    end = None if fields["end"].value is None else read_day(fields["end"])
    try:
        entry = banning.ban(house, subject, status, reason, first, None, cards)
        if end:
            banning.end(entry, end, None)
    except BanRefused as error:
        raise node.refuse(str(error)) from error
