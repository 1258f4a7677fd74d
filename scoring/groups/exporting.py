"""Writing a playgroup to a document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import F

from decks.models import BanList

from ..models import GameSet, Playgroup, Seat
from ..play import queries
from ..setlog import document as setlog
from .announcements import written_announcements
from .document import VERSION
from .evenings.exporting import read_evenings, written_evenings


def export_group(group: Playgroup) -> Iterator[str]:
    """Yield the document's text, a set at a time. A few queries for each set and evening."""
    evenings = read_evenings(group)  # before the sets: a round may begin while they are written
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
        written = written_evenings(evenings, places)
        yield f',\n "evenings": {json.dumps(written, ensure_ascii=False, indent=1)}'
    yield "}\n"


def _head(group: Playgroup) -> dict[str, Any]:
    """Return all but the sets and evenings."""
    return {
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
            {
                "name": season.name,
                "first": season.starts_on.isoformat(),
                "last": season.ends_on.isoformat(),
            }
            for season in group.seasons.order_by("starts_on")
        ],
        "house": _house(group.house) if group.house else None,
    }


def _house(house: BanList) -> dict[str, Any]:
    """Return the entries of a playgroup's own ban list, except those that never took effect.

    Its announcements are there if there are any, without drafts.
    """
    entries = house.entries.exclude(ends_on=F("starts_on")).select_related("card")
    announcements = written_announcements(house)
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
                "end": entry.ends_on.isoformat() if entry.ends_on else None,
            }
            for entry in entries.prefetch_related("cards").order_by("starts_on", "pk")
        ],
        **({"announcements": announcements} if announcements else {}),
    }


def _set(game_set: GameSet) -> dict[str, Any]:
    ordered = Seat.objects.filter(game_set=game_set).order_by("number")
    seats = list(ordered.select_related("player", "deck__deck"))
    named = any(seat.hero for seat in seats)
    return {
        "created_at": game_set.created_at.isoformat(),
        "people": [seat.player.name for seat in seats if seat.player],
        "decks": [_deck(seat) for seat in seats],
        **({"heroes": [_hero(seat) for seat in seats]} if named else {}),
        "times": [
            [game.started_at.isoformat(), game.ended_at.isoformat() if game.ended_at else None]
            for game in queries.games(game_set)
        ],
        "log": setlog.write(queries.set_log(game_set)),
    }


def _hero(seat: Seat) -> dict[str, str | None] | None:
    """Return what was named at the table; a deck's hero follows from its list."""
    return {"name": seat.hero, "type": seat.coalition_type} if seat.hero else None


def _deck(seat: Seat) -> dict[str, Any] | None:
    if seat.deck is None:
        return None
    return {
        "name": seat.deck.deck.name,
        "list": seat.deck.text,
        "ruleset": seat.deck.ruleset,
        "type": seat.deck.coalition_type,
    }
