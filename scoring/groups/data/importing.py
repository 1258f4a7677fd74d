"""Making a playgroup from a document, whole or seen by nobody."""

from collections.abc import Collection, Generator, Iterable, Iterator
from datetime import date
from itertools import chain, count
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from coalition_site.lib.keys import new_key
from coalition_site.lib.untrusted import Node
from decks.bans import commands as banning
from decks.bans.commands import BanRefused
from decks.bans.forms import REASON_MAX as LINE_MAX
from decks.bans.forms import TEXT_MAX
from decks.decks import legality
from decks.decks.commands import save_deck
from decks.models import TITLE_MAX, Announced, BanList, Card, DeckRevision, Playing, Rule, Status
from decks.rules.entries import LIST_MAX, Unreadable
from decks.rules.rulesets import RULESETS as DECK_RULESETS

from ...models import (
    Game,
    GameSet,
    Player,
    Playgroup,
    Season,
    SeasonPlace,
    SeasonTable,
    Seat,
)
from ...models.people import HOUSE_RULES_MAX, Role, Visibility
from ...models.record import CARD_MAX, SeatHero
from ...models.tallies import SUMS
from ...record import chaining, commands, decks, queries, seating
from ...record.errors import GroupRefused
from ...rules.formats import FORMATS, RULESETS, is_ranked
from ...setlog import document as setlog
from ...setlog.document import NAME_MAX, SetLog
from ..seasons.rows import RATINGS
from ..sets import membership as set_membership
from ..settings import commands as settings
from .document import (
    VERSION,
    Fields,
    Known,
    read_card,
    read_day,
    read_items,
    read_lines,
    read_name,
    read_optional,
    read_player,
    read_rating,
    read_time,
)
from .evenings import import_evening

REASON_MAX = 5000
RANK_MAX, SUM_MAX = 2**15 - 1, 2**31 - 1
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
        *_, (group, _) = store_group(fields, logs, owner)
    return group


def read_fields(document: Any) -> Fields:
    fields = Node(document, "").fields("version playgroup players seasons sets", "house evenings")
    fields["version"].number(VERSION, VERSION)
    return fields


def read_logs(fields: Fields) -> Iterator[tuple[Fields, SetLog]]:
    for node in fields["sets"].items(may_be_empty=True):
        of_set = node.fields("created_at people decks times log", "draft heroes")
        log = setlog.read(of_set["log"], latest=queries.a_day_from_now())
        if failure := setlog.play(log).failure:
            reason = failure.refusal.message(log.name_by_seat)
            raise of_set["log"].refuse(f"game {failure.game}, event {failure.event}: {reason}")
        yield of_set, log


def store_group(fields: Fields, logs: Logs, owner: User | None) -> Iterator[tuple[Playgroup, int]]:
    """Store a playgroup, and yield it with the number of its sets after each short step."""
    # Nobody sees it before the last step, since its record could not be deleted again.
    group = _import_settings(fields["playgroup"], owner)
    known = Known(group, {}, [])
    yield group, 0
    steps = [
        _import_players(fields["players"], known),
        _import_seasons(fields["seasons"], known),
    ]
    if "house" in fields and fields["house"].value is not None:
        steps.append(_import_house(fields["house"], group))
    steps += [_import_set(of_set, log, known) for of_set, log in logs]
    if "evenings" in fields:
        evenings = fields["evenings"].items(may_be_empty=True)
        steps += [import_evening(node, number, known) for number, node in enumerate(evenings, 1)]
    for _ in chain(*steps):
        yield group, len(known.sets)
    group.visibility = fields["playgroup"].field("visibility").value
    group.save(update_fields=["visibility"])
    if owner:
        group.memberships.create(user=owner, role=Role.OWNER, joined_at=timezone.now())
    yield group, len(known.sets)


def _import_settings(node: Node, owner: User | None) -> Playgroup:
    fields = node.fields("name visibility zone ruleset house_rules")
    ranked = [key for key, ruleset in RULESETS.items() if ruleset.is_ranked]
    # Without an owner, those of playgroups without members.
    own = Q(memberships__user=owner) | Q(visibility=Visibility.PUBLIC)
    names = Playgroup.objects.filter(own).values_list("name", flat=True)
    fields["visibility"].one_of(Visibility.values)
    try:
        zone = ZoneInfo(fields["zone"].text()).key
    except (KeyError, ValueError, OSError) as error:  # unknown, a path, or too long for a file
        raise fields["zone"].refuse("must be a time zone, as in Europe/Berlin") from error
    group = settings.create_playgroup(
        _free_name(read_name(fields["name"]), {name.casefold() for name in names}),
        None,
        visibility=Visibility.PRIVATE,
        ruleset=fields["ruleset"].one_of(ranked),
        zone=zone,
    )
    group.house_rules = read_lines(fields["house_rules"], HOUSE_RULES_MAX)
    group.save(update_fields=["house_rules"])
    return group


def _free_name(name: str, taken: Collection[str]) -> str:
    """
    >>> _free_name("Monday", {"monday", "tuesday"})
    'Monday (copy)'
    >>> _free_name("Monday", {"monday", "monday (copy)"})
    'Monday (copy 2)'
    >>> _free_name("x" * 80, {"x" * 80}) == "x" * 73 + " (copy)"
    True
    """
    copies = (f" (copy {number})" for number in count(2))
    names = (name[: NAME_MAX - len(copy)] + copy for copy in chain(("", " (copy)"), copies))
    return next(free for free in names if free.casefold() not in taken)


def _import_players(node: Node, known: Known) -> Iterator[None]:
    merged: list[tuple[Player, Node]] = []
    for item in node.items(may_be_empty=True):
        fields = item.fields("name guest merged_into")
        name, is_guest = read_name(fields["name"]), fields["guest"].truth()
        try:
            player = known.players[name] = seating.add_player(known.group, name, is_guest=is_guest)
        except GroupRefused as error:  # the database decides which names are the same
            raise fields["name"].refuse("appears twice") from error
        if fields["merged_into"].value is not None:
            merged.append((player, fields["merged_into"]))
        yield
    # Only now: a player may be merged into another who comes later in the document.
    for player, into in merged:
        at: Player | None = read_player(into, known.players)
        player.merged_into = at
        while at and at != player:
            at = at.merged_into
        if at:
            raise into.refuse("is merged into this one")
        player.save(update_fields=["merged_into"])
        yield


def _import_seasons(node: Node, known: Known) -> Iterator[None]:
    for item in node.items(may_be_empty=True):
        fields = item.fields("name first last", "table")
        first, last = read_day(fields["first"]), read_day(fields["last"])
        if last < first:
            raise fields["last"].refuse("is before the first day")
        try:
            season = settings.add_season(known.group, read_name(fields["name"]), first, last)
        except GroupRefused as error:
            raise item.refuse(str(error)) from error
        if "table" in fields:
            _import_table(fields["table"], season, known)
        yield


def _import_table(node: Node, season: Season, known: Known) -> None:
    fields = node.fields("closed_at format places")
    table = SeasonTable.objects.create(
        season=season,
        closed_at=read_time(fields["closed_at"]),
        format=fields["format"].one_of([*filter(is_ranked, FORMATS)]),
    )
    places: dict[Player, SeasonPlace] = {}
    for item in fields["places"].items(may_be_empty=True):
        of_place = item.fields(" ".join(("player", "rank", *SUMS, *RATINGS)))
        player = read_player(of_place["player"], known.players)
        if player in places:
            raise of_place["player"].refuse("appears twice")
        places[player] = SeasonPlace(
            table=table,
            player=player,
            rank=read_optional(of_place["rank"], lambda field: field.number(1, RANK_MAX)),
            **{name: of_place[name].number(name == "sets", SUM_MAX) for name in SUMS},
            **{name: read_optional(of_place[name], read_rating) for name in RATINGS},
        )
    SeasonPlace.objects.bulk_create(places.values())


# --- house bans ---
def _import_house(node: Node, group: Playgroup) -> Iterator[None]:
    fields = node.fields("illegal_decks bans", "format announcements")
    format = fields["format"].one_of(FORMATS) if "format" in fields else ""
    try:
        house = settings.house_list(group, format)
    except GroupRefused as error:
        raise node.refuse(str(error)) from error
    house.illegal_decks = fields["illegal_decks"].one_of(Playing.values)
    house.save(update_fields=["illegal_decks"])
    for item in fields["bans"].items(may_be_empty=True):
        ban = item.fields("card rule cards status reason first end")
        card = read_optional(ban["card"], read_card)
        subject: Card | Rule = card or Rule(ban["rule"].one_of(Rule.values))
        cards = [read_card(one) for one in ban["cards"].items(may_be_empty=True)]
        status = ban["status"].one_of(Status.values)
        reason = read_lines(ban["reason"], REASON_MAX)
        first, end = read_day(ban["first"]), read_optional(ban["end"], read_day)
        try:
            entry = banning.ban(house, subject, status, reason, first, None, cards)
            if end:
                banning.end(entry, end, None)
        except BanRefused as error:
            raise item.refuse(str(error)) from error
        yield
    if "announcements" in fields:
        for item in fields["announcements"].items():
            _import_announcement(item, house)
            yield


def _import_announcement(node: Node, house: BanList) -> None:
    # Store the words of an announcement: what it changed are the house bans.
    fields = node.fields("day title text published_at why_legal")
    on = read_day(fields["day"])
    if house.announcements.filter(on=on).exists():
        raise node.refuse("there is another announcement of that day")
    announcement = house.announcements.create(
        on=on,
        title=fields["title"].text(TITLE_MAX),
        text=read_lines(fields["text"], TEXT_MAX),
        published_at=read_time(fields["published_at"]),
    )
    for item in fields["why_legal"].items(may_be_empty=True):
        line = item.fields("card rule reason")
        card = read_optional(line["card"], read_card)
        rule = "" if card else line["rule"].one_of(Rule.values)
        if announcement.lines.filter(card=card, rule=rule).exists():
            raise item.refuse("appears twice")
        reason = line["reason"].text(LINE_MAX, lines=True)
        announcement.lines.create(card=card, rule=rule, status=Announced.LEGAL, reason=reason)


# --- sets ---
def _import_set(fields: Fields, log: SetLog, known: Known) -> Generator[None]:
    """Store a set in two short steps; its draft, if any, is among those before it."""
    seated = read_items(fields["people"], len(log.names))
    people = [read_player(node, known.players).name for node in seated]
    if len(set(people)) != len(people):
        raise fields["people"].refuse("must name each player once")
    draft = known.draft_at(fields["draft"], log) if "draft" in fields else None
    game_set = commands.store_set(log)
    created = read_time(fields["created_at"])
    with chaining.sealing(game_set):
        game_set.created_at, game_set.draft = created, draft
    game_set.save(update_fields=["created_at", "draft", "seal"])
    games = queries.games(game_set)
    for game, times in zip(games, read_items(fields["times"], len(games)), strict=True):
        _set_times(game, times)
    seats = Seat.objects.filter(game_set=game_set).order_by("number")
    on = created.astimezone(known.group.time_zone).date()
    for seat, deck in zip(seats, read_items(fields["decks"], len(log.names)), strict=True):
        if deck.value is not None:
            _bring_deck(game_set, known.group, seat, deck, on)
    if "heroes" in fields:
        for seat, hero in zip(seats, read_items(fields["heroes"], len(log.names)), strict=True):
            if hero.value is not None:
                named = hero.fields("name type")
                type = read_optional(named["type"], lambda field: field.text(CARD_MAX).strip())
                name = named["name"].text(CARD_MAX).strip()
                decks.name_hero(game_set, seat.number, SeatHero(name, type or ""))
    decks.copy_heroes(game_set)
    yield
    try:
        names = dict(enumerate(people, 1))
        set_membership.take_set(game_set, known.group, names, are_players=True)
    except GroupRefused as error:
        raise fields["people"].refuse(str(error)) from error
    known.sets.append(game_set)
    yield


def _set_times(game: Game, node: Node) -> None:
    started, ended = read_items(node, 2)
    game.started_at = read_time(started)
    if game.ended_at and ended.value is not None:
        at = read_time(ended)
        rows = [] if at == game.ended_at else queries.rows(game)
        known = max((row.seq for row in rows if row.at == game.ended_at), default=0)
        # Else it is the time of an earlier event, and the end has none.
        if known and queries.replayed_log(game, rows[:known]).state.is_over:
            raise node.refuse("must end when the log says")
        game.ended_at = game.first_ended_at = at
    game.save(update_fields=["started_at", "ended_at", "first_ended_at"])


def _bring_deck(game_set: GameSet, group: Playgroup, seat: Seat, node: Node, on: date) -> None:
    fields = node.fields("name list ruleset type")
    ruleset = DECK_RULESETS[fields["ruleset"].one_of(DECK_RULESETS)]
    text = fields["list"].text(LIST_MAX, lines=True)
    try:
        cards = legality.read(text, ruleset)
    except Unreadable as error:
        raise fields["list"].refuse(str(error)) from error
    chosen = fields["type"].text() if fields["type"].value else ""
    revision = DeckRevision(text=text, ruleset=ruleset.key, coalition_type=chosen)
    deck = save_deck(read_name(fields["name"]), revision, cards, key=new_key())
    seat.deck = deck.revisions.get()
    try:
        house = seating.house_of(group, game_set.rules.key)
        seat.deck_report = legality.report_to_store(seat.deck, game_set.rules.key, house, on)
    except legality.OtherFormat as error:
        raise fields["ruleset"].refuse("is of another format than the set's") from error
    seat.save(update_fields=["deck", "deck_report"])
