"""A small language for a playgroup's pages: people, evenings, and what the pages then say."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.models import Deck
from scoring.groups.evenings import commands as evenings
from scoring.models import Evening, GameSet, Playgroup, Seat
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from tests.scoring.rules.play import hit

from ...grouped import play_one_game
from ...tables import text

NINE = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal", "Ida"]
BEGAN = datetime(2026, 3, 2, 18, tzinfo=UTC)
TAG = re.compile(r"<[^>]*>")


def carry(table: GameSet, name: str, hero: str | None, coalition_type: str | None) -> None:
    """Let a player bring the one deck of these tests: what matters is how it was judged."""
    deck, is_new = Deck.objects.get_or_create(
        code="deck2345", defaults={"name": "A deck", "key_hash": "x", "created_at": BEGAN}
    )
    if is_new:
        deck.revisions.create(number=1, text="1 Elf", ruleset="coalition-906", created_at=BEGAN)
    judged = {"legal": True, "problems": [], "judged_on": "2026-03-02", "playing": "warn"}
    judged |= {"hero": hero, "coalition_type": coalition_type}
    seat = Seat.objects.filter(game_set=table, name=name)
    seat.update(deck=deck.revisions.get(), deck_report=judged)


def evening(
    group: Playgroup,
    points: Mapping[str, int],
    *,
    day: int = 0,
    led: Mapping[str, tuple[str | None, str | None]] | None = None,
) -> GameSet:
    """Return the table of a finished set of one game, in which the players had these VP."""
    at = BEGAN + timedelta(days=day)
    table = commands.create_set(COALITION_906, list(points), at=at, playgroup=group)
    for name, leader in (led or {}).items():
        carry(table, name, *leader)
    scored = [(seat, won) for seat, won in enumerate(points.values(), 1) if won]
    hits = [hit(seat, seat % len(points) + 1, won, "hero") for seat, won in scored]
    play_one_game(table, *hits, at=at)
    return table


def night(of: Playgroup, names: Iterable[str] = NINE, **plan: Any) -> Evening:
    """Return an evening of two rounds at tables of three, to which people have come."""
    plan = {"rounds": 2, "usual_size": 3, "seed": 5} | plan
    evening = evenings.create_evening(of, "Friday night", COALITION_906, **plan)
    evenings.arrive(evening, names)
    return evening


def ask(
    group: Playgroup, which: str, *args: object, client: Client | None = None, **query: Any
) -> HttpResponse:
    where = reverse(which, args=[group.code, *args])
    return (client or Client()).get(where, query)


def card(response: HttpResponse, title: str) -> str:
    """Return what stands in the card with a title, without it."""
    found = rf"<h2[^>]*>{re.escape(title)}</h2>(.*?)</(?:section|figure)>"
    match = re.search(found, text(response), re.S)
    assert match, f"no card is titled {title}"
    return match[1]


def section(response: HttpResponse, title: str) -> str:
    return plain_text(card(response, title))


def plain_text(html: str) -> str:
    return " ".join(unescape(TAG.sub(" ", html)).split()).replace(" ,", ",")


def table_rows(response: HttpResponse, title: str) -> list[list[str]]:
    """Return the cells of the table in the card with a title."""
    rows = re.findall(r"<tr.*?</tr>", card(response, title).split("<tbody>")[1], re.S)
    return [
        [plain_text(cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.S)] for row in rows
    ]


def sums(response: HttpResponse) -> dict[str, str]:
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text(response))
    return {plain_text(name): plain_text(value) for name, value in pairs}


def history(response: HttpResponse) -> list[str]:
    inside = text(response).split('id="history">')[1].split("</ul>")[0]
    return [plain_text(line) for line in re.findall(r'<li class="entry">.*?</li>', inside, re.S)]
