"""Writing a playgroup to a document, and its results to a table for spreadsheets."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from django.db.models import F

from decks.bans.history import published
from decks.decks.legality import format_of
from decks.models import Announced, BanList

from ...models import GameSet, Playgroup, Round, Seat, SetResult
from ...record import queries, ratings
from ...setlog import document as setlog
from ..evenings import queries as evening_queries
from ..evenings.queries import BYE, EveningRows
from .document import VERSION
from .serializing import Json, fields, serialize_result, serialize_season

COLUMNS = (
    *("day", "set", "ruleset", "players", "player", "seat", "rank", "victory_points"),
    *("games_played", "games_won", "games_at_21", "hero", "coalition_type", "rating"),
)
BOM = "\ufeff"  # without it Excel takes the accents of names for other letters
# The wide signs begin a formula, too, in programs made for Chinese and Japanese.
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_dumps = partial(json.dumps, ensure_ascii=False, default=lambda at: at.isoformat())


def export_group(group: Playgroup) -> Iterator[str]:
    """Yield the document's text, a set at a time. A few queries for each set and evening."""
    # First, since people play while the sets are written: rounds that have begun, then who sat at
    # which set, and then all whom these name, as they are called now. What comes later is left out.
    evenings = [
        (evening_queries.read_evening(each), list(each.attendees.order_by("pk")))
        for each in group.evenings.order_by("number")
    ]
    sat: dict[int, list[int | None]] = {}
    seats = Seat.objects.filter(game_set__playgroup=group).order_by("number")
    for key, player in seats.values_list("game_set", "player"):
        sat.setdefault(key, []).append(player)
    players = list(group.players.order_by("pk"))
    names = {player.pk: player.name for player in players}
    seasons = group.seasons.order_by("starts_on").select_related("table")
    head = {
        "version": VERSION,
        "playgroup": fields(group, "name", "visibility", "zone", "ruleset", "house_rules"),
        "players": [
            {
                "name": player.name,
                "guest": player.is_guest,
                "merged_into": names.get(player.merged_into_id or 0),
            }
            for player in players
        ],
        "seasons": [serialize_season(season) for season in seasons],
        "house": _house(group, group.house) if group.house else None,
    }
    # Sets are written inside the head, before its closing brace: they are too many for the memory.
    yield _dumps(head, indent=1).removesuffix("\n}") + ',\n "sets": ['
    places: dict[int, int] = {}  # of the sets so far; a draft comes before its tables
    for game_set in group.sets.order_by("created_at", "pk").iterator():
        if game_set.pk not in sat:
            continue
        draft = places.get(game_set.draft_id) if game_set.draft_id else None
        yield ",\n" if places else "\n"
        places[game_set.pk] = len(places)
        people = [names[player] for player in sat[game_set.pk] if player]
        yield _dumps(_set(game_set, people) | ({} if draft is None else {"draft": draft}))
    yield "\n]"
    if evenings:
        written = [
            {
                **fields(rows.evening, "name", "ruleset", "rounds_planned", "usual_size"),
                **fields(rows.evening, "minutes", "starts_at", "ended_at"),
                "people": [{"name": names[one.player_id], "here": one.here} for one in came],
                "rounds": [_round(rows, each, places, names) for each in rows.rounds],
            }
            for rows, came in evenings
        ]
        yield f',\n "evenings": {_dumps(written, indent=1)}'
    yield "}\n"


def _house(group: Playgroup, house: BanList) -> Json:
    """Return the entries of a playgroup's own ban list, except those that never took effect."""
    # Its announcements are there if there are any, without drafts, and as words only: what they
    # change are the entries.
    entries = house.entries.exclude(ends_on=F("starts_on")).select_related("card")
    bans = [
        {
            "card": entry.card.name if entry.card else None,
            "rule": entry.rule or None,
            "cards": sorted(card.name for card in entry.cards.all()),
            **fields(entry, "status", "reason", first="starts_on", end="ends_on"),
        }
        for entry in entries.prefetch_related("cards").order_by("starts_on", "pk")
    ]
    announcements = []
    for row in published(house):
        legal = row.lines.filter(status=Announced.LEGAL).exclude(reason="").order_by("pk")
        lines = legal.values_list("card__name", "rule", "reason")
        why_legal = [
            {"card": card, "rule": rule or None, "reason": why} for card, rule, why in lines
        ]
        words = fields(row, "title", "text", "published_at")
        announcements.append({"day": row.on, **words, "why_legal": why_legal})
    shown = {"illegal_decks": house.illegal_decks, "bans": bans}
    if house.format != format_of(group.ruleset):
        shown["format"] = house.format
    return shown | ({"announcements": announcements} if announcements else {})


def _set(game_set: GameSet, people: Sequence[str]) -> Json:
    ordered = Seat.objects.filter(game_set=game_set).order_by("number")
    seats = list(ordered.select_related("deck__deck"))
    hidden = queries.hidden_decks(game_set)
    # What was named at the table; a deck's hero follows from its list.
    heroes = [
        {"name": seat.hero, "type": seat.coalition_type} if seat.hero else None for seat in seats
    ]
    return {
        "created_at": game_set.created_at,
        "people": people,
        "decks": [
            None
            if seat.deck is None or seat.deck.deck_id in hidden
            else fields(
                seat.deck, name="deck.name", list="text", ruleset="ruleset", type="coalition_type"
            )
            for seat in seats
        ],
        **({"heroes": heroes} if any(heroes) else {}),
        "times": [(game.started_at, game.ended_at) for game in queries.games(game_set)],
        "log": setlog.write(queries.set_log(game_set)),
    }


def _round(
    rows: EveningRows, round: Round, sets: Mapping[int, int], names: Mapping[int, str]
) -> Json:
    """Return a round of an evening; ``sets`` are the places of sets in the document."""
    seated: dict[int, list[str]] = {}
    for place in rows.places_of(round):
        seated.setdefault(place.table, []).append(names[place.player_id])
    tables = {number: sets[table.game_set_id] for number, table in rows.tables_of(round).items()}
    quality = (round.repeats, round.fewest, round.spread)
    clock = fields(round, added="clock_added", paused_at="paused_at", stopped="clock_stopped")
    return fields(round, "begun_at", "draws") | {
        "quality": None if round.repeats is None else quality,
        "byes": seated.pop(BYE, []),
        "tables": [
            {"number": number, "people": people, "set": tables.get(number)}
            for number, people in seated.items()
        ],
        **({"clock": clock} if any(clock.values()) else {}),
    }


# --- results for spreadsheets ---
def export_results(group: Playgroup) -> Iterator[str]:
    yield BOM + _line(COLUMNS)
    results = SetResult.objects.filter(game_set__playgroup=group).order_by("finished_at", "rank")
    for result in results.select_related("game_set", "seat", "player").iterator():
        row = {
            **serialize_result(result),
            **fields(result, "victory_points", day="played_on", players="size"),
            **fields(result, seat="seat.number", games_at_21="games_at_cap"),
            **fields(result.game_set, "ruleset", set="code"),
            "player": result.player.name if result.player else "",
            "rating": "" if result.mu is None else ratings.shown(result.mu),
        }
        yield _line(row[column] for column in COLUMNS)


def is_results_csv(data: bytes) -> bool:
    begin = data.removeprefix(BOM.encode())[:100].replace(b'"', b"")  # older ones have none
    return begin.startswith(",".join(COLUMNS[:3]).encode())


def _line(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_ALL).writerow(map(_without_formula, cells))
    return line.getvalue()


def _without_formula(cell: object) -> object:
    """Return a cell that no spreadsheet runs as a formula.

    >>> [_without_formula(cell) for cell in ("=1+1", "＝1+1", " @A1", "\\tA", "Ann", -1)]
    ["'=1+1", "'＝1+1", "' @A1", "'\\tA", 'Ann', -1]
    """
    is_formula = isinstance(cell, str) and FORMULA.match(cell)
    return f"'{cell}" if is_formula else cell
