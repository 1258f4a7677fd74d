"""Writing a playgroup to a document, and its results to a table for spreadsheets."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from django.db.models import F

from decks.bans.history import published
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
    # Before the sets: a round may begin while they are written.
    evenings = [
        (
            evening_queries.read_evening(each),
            [
                fields(one, name="player.name", here="here")
                for one in each.attendees.order_by("pk").select_related("player")
            ],
        )
        for each in group.evenings.order_by("number")
    ]
    players = group.players.order_by("pk").values_list("name", "is_guest", "merged_into__name")
    seasons = group.seasons.order_by("starts_on").select_related("table")
    head = {
        "version": VERSION,
        "playgroup": fields(group, "name", "visibility", "zone", "ruleset", "house_rules"),
        "players": [
            {"name": name, "guest": is_guest, "merged_into": into}
            for name, is_guest, into in players
        ],
        "seasons": [serialize_season(season) for season in seasons],
        "house": _house(group.house) if group.house else None,
    }
    # Sets are written inside the head, before its closing brace: they are too many for the memory.
    yield _dumps(head, indent=1).removesuffix("\n}") + ',\n "sets": ['
    places: dict[int, int] = {}  # of the sets so far; a draft comes before its tables
    for place, game_set in enumerate(group.sets.order_by("created_at", "pk").iterator()):
        places[game_set.pk] = place
        draft = places.get(game_set.draft_id) if game_set.draft_id else None
        yield ",\n" if place else "\n"
        yield _dumps(_set(game_set) | ({} if draft is None else {"draft": draft}))
    yield "\n]"
    if evenings:
        written = [
            {
                **fields(rows.evening, "name", "ruleset", "rounds_planned", "usual_size"),
                **fields(rows.evening, "minutes", "starts_at", "ended_at"),
                "people": people,
                "rounds": [_round(rows, each, places) for each in rows.rounds],
            }
            for rows, people in evenings
        ]
        yield f',\n "evenings": {_dumps(written, indent=1)}'
    yield "}\n"


def _house(house: BanList) -> Json:
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
    return shown | ({"announcements": announcements} if announcements else {})


def _set(game_set: GameSet) -> Json:
    ordered = Seat.objects.filter(game_set=game_set).order_by("number")
    seats = list(ordered.select_related("player", "deck__deck"))
    # What was named at the table; a deck's hero follows from its list.
    heroes = [
        {"name": seat.hero, "type": seat.coalition_type} if seat.hero else None for seat in seats
    ]
    return {
        "created_at": game_set.created_at,
        "people": [seat.player.name for seat in seats if seat.player],
        "decks": [
            None
            if seat.deck is None or game_set.hides_decks
            else fields(
                seat.deck, name="deck.name", list="text", ruleset="ruleset", type="coalition_type"
            )
            for seat in seats
        ],
        **({"heroes": heroes} if any(heroes) else {}),
        "times": [(game.started_at, game.ended_at) for game in queries.games(game_set)],
        "log": setlog.write(queries.set_log(game_set)),
    }


def _round(rows: EveningRows, round: Round, sets: Mapping[int, int]) -> Json:
    """Return a round of an evening; ``sets`` are the places of sets in the document."""
    seated: dict[int, list[str]] = {}
    for place in rows.places_of(round):
        seated.setdefault(place.table, []).append(rows.players[place.player_id].name)
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
