"""Making a playgroup from a document, whole or seen by nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from coalition_site.lib.untrusted import Node
from decks.bans import commands as banning
from decks.bans.commands import BanRefused
from decks.models import BanList, Card, Playing, Rule, Status

from ..models import GameSet, Membership, Player, Playgroup
from ..models.people import HOUSE_RULES_MAX, Role, Visibility
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
from .importing_sets import import_set

REASON_MAX = 5000
Logs = Iterable[tuple[Fields, SetLog]]


def import_group(document: Any, owner: User | None) -> Playgroup:
    """Make a playgroup from a document, in one transaction; its sets get links of their own.

    It is called a copy if its owner, or the public, has a playgroup of that name. Logs are played
    before the transaction begins, so that nobody waits for that.

    :raises MalformedDocument: if it is no such document, or a log can't be played; with the place.
    """
    fields = read_fields(document)
    logs = list(read_logs(fields))
    with transaction.atomic():
        *_, (group, _) = store(fields, logs, owner)
    return group


def read_fields(document: Any) -> Fields:
    """Return the fields of a playgroup's document.

    :raises MalformedDocument: if it is none.
    """
    fields = Node(document, "").fields("version playgroup players seasons sets", "house evenings")
    fields["version"].number(VERSION, VERSION)
    return fields


def read_logs(fields: Fields) -> Iterator[tuple[Fields, SetLog]]:
    """Yield the fields and the log of each set, once it was played. No query."""
    return map(_read_log, fields["sets"].items(may_be_empty=True))


def _read_log(node: Node) -> tuple[Fields, SetLog]:
    """Return a set's fields, and its log, which can be played."""
    fields = node.fields("created_at people decks times log", "draft heroes")
    log = setlog.read(fields["log"], latest=queries.a_day_from_now())
    failure = setlog.play(log).failure
    if failure:
        reason = failure.refusal.message(log.name_by_seat)
        raise fields["log"].refuse(f"game {failure.game}, event {failure.event}: {reason}")
    return fields, log


def store(fields: Fields, logs: Logs, owner: User | None) -> Iterator[tuple[Playgroup, int]]:
    """Store a playgroup, and yield it with the number of its sets after each short step.

    Nobody sees it before the last step, since its record could not be deleted again.
    """
    group = _import_settings(fields["playgroup"], owner)
    players: dict[str, Player] = {}
    tables: list[GameSet] = []
    steps = [
        _import_players(fields["players"], group, players),
        _import_seasons(fields["seasons"], group),
    ]
    if "house" in fields and fields["house"].value is not None:
        steps.append(_import_house(fields["house"], group))
    steps.append(_import_sets(logs, group, players, tables))
    if "evenings" in fields:
        evenings = fields["evenings"].items(may_be_empty=True)
        steps.append(import_evenings(evenings, Known(group, players, tables)))
    for _ in chain([None], *steps):
        yield group, len(tables)
    group.visibility = fields["playgroup"].field("visibility").value
    group.save(update_fields=["visibility"])
    if owner:
        Membership.objects.create(
            playgroup=group, user=owner, role=Role.OWNER, joined_at=timezone.now()
        )
    yield group, len(tables)


def _import_sets(
    logs: Logs, group: Playgroup, players: dict[str, Player], tables: list[GameSet]
) -> Iterator[None]:
    """Store sets, and add them to ``tables``."""
    for of_set, log in logs:
        tables.append((yield from import_set(of_set, log, group, players, tables)))
        yield


def _import_settings(node: Node, owner: User | None) -> Playgroup:
    """Make a playgroup that nobody sees yet."""
    fields = node.fields("name visibility zone ruleset house_rules")
    ranked = [key for key, ruleset in RULESETS.items() if ruleset.is_ranked]
    taken = group_queries.taken_names(owner.pk if owner else None)
    fields["visibility"].one_of(Visibility.values)
    group = playgroups.create_playgroup(
        _free_name(read_name(fields["name"]), taken),
        None,
        visibility=Visibility.PRIVATE,
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


def _import_players(node: Node, group: Playgroup, players: dict[str, Player]) -> Iterator[None]:
    """Store players, and add them to ``players`` by name."""
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
        yield
    # Only now: a player may be merged into another who comes later in the document.
    for player, into in merged:
        player.merged_into = read_player(into, players)
        _check_no_circle(player, into)
        player.save(update_fields=["merged_into"])
        yield


def _check_no_circle(player: Player, node: Node) -> None:
    """Refuse players that are merged into each other in a circle."""
    seen = {player}
    while into := player.merged_into:
        if into in seen:
            raise node.refuse("is merged into this one")
        seen.add(into)
        player = into


def _import_seasons(node: Node, group: Playgroup) -> Iterator[None]:
    for item in node.items(may_be_empty=True):
        _import_season(item, group)
        yield


def _import_season(node: Node, group: Playgroup) -> None:
    fields = node.fields("name first last")
    first, last = read_day(fields["first"]), read_day(fields["last"])
    if last < first:
        raise fields["last"].refuse("is before the first day")
    try:
        settings.add_season(group, read_name(fields["name"]), first, last)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error


def _import_house(node: Node, group: Playgroup) -> Iterator[None]:
    fields = node.fields("illegal_decks bans", "announcements")
    try:
        house = settings.house_list(group)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error
    house.illegal_decks = fields["illegal_decks"].one_of(Playing.values)
    house.save(update_fields=["illegal_decks"])
    for item in fields["bans"].items(may_be_empty=True):
        _import_ban(item, house)
        yield
    if "announcements" in fields:
        for item in fields["announcements"].items():
            import_announcement(item, house)
            yield


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
