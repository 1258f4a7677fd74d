"""Storing the sets of a playgroup's document, with their decks and times."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from datetime import date
from zoneinfo import ZoneInfo

from coalition_site.lib.keys import new_key
from coalition_site.lib.untrusted import Node
from decks.checking import legality
from decks.commands import save_deck
from decks.rules.entries import LIST_MAX, Unreadable
from decks.rules.rulesets import RULESETS as DECK_RULESETS

from ..models import Game, GameSet, Player, Playgroup, Seat
from ..models.record import CARD_MAX, NOBODY, SeatHero
from ..play import chaining, commands, decks, queries, seating
from ..play.errors import GroupRefused
from ..setlog.document import SetLog
from . import set_membership
from .document import Fields, read_items, read_name, read_player, read_time


def import_set(
    fields: Fields,
    log: SetLog,
    group: Playgroup,
    players: Mapping[str, Player],
    before: Sequence[GameSet],
) -> Generator[None, None, GameSet]:
    """Store a set in two short steps; its draft, if any, is among those ``before`` it."""
    seated = read_items(fields["people"], len(log.names))
    people = [read_player(node, players).name for node in seated]
    if len(set(people)) != len(people):
        raise fields["people"].refuse("must name each player once")
    draft = _read_draft(fields["draft"], log, before) if "draft" in fields else None
    game_set = commands.store(log)
    created = read_time(fields["created_at"])
    with chaining.sealing(game_set):
        game_set.created_at, game_set.draft = created, draft
    game_set.save(update_fields=["created_at", "draft", "seal"])
    games = queries.games(game_set)
    for game, times in zip(games, read_items(fields["times"], len(games)), strict=True):
        _give_times(game, times)
    seats = Seat.objects.filter(game_set=game_set).order_by("number")
    on = created.astimezone(ZoneInfo(group.zone)).date()
    for seat, deck in zip(seats, read_items(fields["decks"], len(log.names)), strict=True):
        if deck.value is not None:
            _give_deck(game_set, group, seat, deck, on)
    if "heroes" in fields:
        for seat, hero in zip(seats, read_items(fields["heroes"], len(log.names)), strict=True):
            decks.name_hero(game_set, seat.number, _read_hero(hero))
    decks.copy_heroes(game_set)
    yield
    try:
        set_membership.take(game_set, group, dict(enumerate(people, 1)))
    except GroupRefused as error:
        raise fields["people"].refuse(str(error)) from error
    return game_set


def _read_draft(node: Node, log: SetLog, before: Sequence[GameSet]) -> GameSet:
    """Return the draft of a set, named by its place among the sets before it."""
    # Not before[value]: a negative place, or True, would be taken for a place.
    draft = dict(enumerate(before)).get(node.value) if type(node.value) is int else None
    if draft is None or draft.rules.splits_into != log.ruleset.key:
        raise node.refuse("must be the place, from 0, of a draft before it")
    if not set(log.names) <= set(draft.names.values()):
        raise node.refuse("is a draft of other players")
    return draft


def _give_times(game: Game, node: Node) -> None:
    started, ended = read_items(node, 2)
    game.started_at = read_time(started)
    if game.ended_at and ended.value is not None:
        at = read_time(ended)
        if at != game.ended_at and game.events.filter(at=game.ended_at).exists():
            raise node.refuse("must end when the log says")
        game.ended_at = game.first_ended_at = at
    game.save(update_fields=["started_at", "ended_at", "first_ended_at"])


def _read_hero(node: Node) -> SeatHero:
    """Return a hero that was named at the table, with its type if that was named too."""
    if node.value is None:
        return NOBODY
    fields = node.fields("name type")
    chosen = "" if fields["type"].value is None else fields["type"].text(CARD_MAX).strip()
    return SeatHero(fields["name"].text(CARD_MAX).strip(), chosen)


def _give_deck(game_set: GameSet, group: Playgroup, seat: Seat, node: Node, on: date) -> None:
    """Give a seat a deck, judged as it was on the day of the set."""
    fields = node.fields("name list ruleset type")
    ruleset = DECK_RULESETS[fields["ruleset"].one_of(DECK_RULESETS)]
    text = fields["list"].text(LIST_MAX, lines=True)
    try:
        cards = legality.read(text, ruleset)
    except Unreadable as error:
        raise fields["list"].refuse(str(error)) from error
    chosen = fields["type"].text() if fields["type"].value else ""
    deck = save_deck(read_name(fields["name"]), text, cards, ruleset, chosen, key=new_key())
    seat.deck = deck.revisions.get()
    try:
        house = seating.house_of(group, game_set.rules.key)
        seat.deck_report = legality.report_to_store(seat.deck, game_set.rules.key, house, on)
    except legality.OtherFormat as error:
        raise fields["ruleset"].refuse("is of another format than the set's") from error
    seat.save(update_fields=["deck", "deck_report"])
