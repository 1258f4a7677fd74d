"""Writing a playgroup to a document."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django.db.models import F

from decks.bans.announced import published
from decks.models import Announced, AnnouncementLine, BanList

from ..models import GameSet, Playgroup, Round, Seat
from ..play import queries
from ..setlog import document as setlog
from .document import VERSION
from .evenings import queries as evening_queries
from .evenings.queries import BYE, EveningRows


def export_group(group: Playgroup) -> Iterator[str]:
    """Yield the document's text, a set at a time. A few queries for each set and evening."""
    # Before the sets: a round may begin while they are written.
    evenings = [
        (
            evening_queries.read(each),
            list(each.attendees.order_by("pk").values_list("player", "here")),
        )
        for each in group.evenings.order_by("number")
    ]
    head = json.dumps(_head(group), ensure_ascii=False, indent=1)
    # Sets are written inside the head, before its closing brace: they are too many for the memory.
    yield head.removesuffix("\n}") + ',\n "sets": ['
    places: dict[int, int] = {}  # of the sets so far; a draft comes before its tables
    for place, game_set in enumerate(group.sets.order_by("created_at", "pk").iterator()):
        places[game_set.pk] = place
        draft = places.get(game_set.draft_id) if game_set.draft_id else None
        fields = _set(game_set) | ({} if draft is None else {"draft": draft})
        yield ",\n" if place else "\n"
        yield json.dumps(fields, ensure_ascii=False)
    yield "\n]"
    if evenings:
        written = [_evening(rows, came, places) for rows, came in evenings]
        yield f',\n "evenings": {json.dumps(written, ensure_ascii=False, indent=1)}'
    yield "}\n"


def _head(group: Playgroup) -> dict[str, Any]:
    return {
        "version": VERSION,
        "playgroup": {
            name: getattr(group, name)
            for name in ("name", "visibility", "zone", "ruleset", "house_rules")
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
            {
                "name": season.name,
                "first": season.starts_on.isoformat(),
                "last": season.ends_on.isoformat(),
            }
            for season in group.seasons.order_by("starts_on")
        ],
        "house": _house(group.house) if group.house else None,
    }


def _iso(at: date | None) -> str | None:
    return at.isoformat() if at else None


def _house(house: BanList) -> dict[str, Any]:
    """Return the entries of a playgroup's own ban list, except those that never took effect.

    Its announcements are there if there are any, without drafts.
    """
    entries = house.entries.exclude(ends_on=F("starts_on")).select_related("card")
    announcements = _announcements(house)
    return {
        "illegal_decks": house.illegal_decks,
        "bans": [
            {
                "card": entry.card.name if entry.card else None,
                "rule": entry.rule or None,
                "cards": sorted(card.name for card in entry.cards.all()),
                "status": entry.status,
                "reason": entry.reason,
                "first": entry.starts_on.isoformat(),
                "end": _iso(entry.ends_on),
            }
            for entry in entries.prefetch_related("cards").order_by("starts_on", "pk")
        ],
        **({"announcements": announcements} if announcements else {}),
    }


def _announcements(house: BanList) -> list[dict[str, Any]]:
    """Return the words of announcements: what they change are the entries. Two queries."""
    rows = published(house)
    lines = AnnouncementLine.objects.filter(announcement__in=rows, status=Announced.LEGAL)
    why_legal: dict[int, list[dict[str, Any]]] = {row.pk: [] for row in rows}
    for line in lines.exclude(reason="").select_related("card").order_by("pk"):
        why_legal[line.announcement_id].append(
            {
                "card": line.card.name if line.card else None,
                "rule": line.rule or None,
                "reason": line.reason,
            }
        )
    return [
        {
            "day": row.on.isoformat(),
            "title": row.title,
            "text": row.text,
            "published_at": _iso(row.published_at),
            "why_legal": why_legal[row.pk],
        }
        for row in rows
    ]


def _set(game_set: GameSet) -> dict[str, Any]:
    ordered = Seat.objects.filter(game_set=game_set).order_by("number")
    seats = list(ordered.select_related("player", "deck__deck"))
    # What was named at the table; a deck's hero follows from its list.
    heroes = [
        {"name": seat.hero, "type": seat.coalition_type} if seat.hero else None for seat in seats
    ]
    return {
        "created_at": game_set.created_at.isoformat(),
        "people": [seat.player.name for seat in seats if seat.player],
        "decks": [_deck(seat) for seat in seats],
        **({"heroes": heroes} if any(heroes) else {}),
        "times": [
            [game.started_at.isoformat(), _iso(game.ended_at)] for game in queries.games(game_set)
        ],
        "log": setlog.write(queries.set_log(game_set)),
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


def _evening(
    rows: EveningRows, came: list[tuple[int, bool]], sets: Mapping[int, int]
) -> dict[str, Any]:
    """Return an evening; ``sets`` are the places of sets in the document."""
    evening = rows.evening
    return {
        "name": evening.name,
        "ruleset": evening.ruleset,
        "rounds_planned": evening.rounds_planned,
        "usual_size": evening.usual_size,
        "minutes": evening.minutes,
        "starts_at": evening.starts_at.isoformat(),
        "ended_at": _iso(evening.ended_at),
        "people": [{"name": rows.players[key].name, "here": here} for key, here in came],
        "rounds": [_round(rows, each, sets) for each in rows.rounds],
    }


def _round(rows: EveningRows, round: Round, sets: Mapping[int, int]) -> dict[str, Any]:
    seated: dict[int, list[str]] = {}
    for place in rows.places_of(round):
        seated.setdefault(place.table, []).append(rows.players[place.player_id].name)
    tables = {number: sets[table.game_set_id] for number, table in rows.tables_of(round).items()}
    quality = (round.repeats, round.fewest, round.spread)
    return {
        "begun_at": _iso(round.begun_at),
        "draws": round.draws,
        "quality": None if round.repeats is None else quality,
        "byes": seated.pop(BYE, []),
        "tables": [
            {"number": number, "people": people, "set": tables.get(number)}
            for number, people in seated.items()
        ],
    }
