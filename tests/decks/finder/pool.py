"""A few invented cards of each sort, and what asks the finder for them."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.catalogue import memory
from decks.finder.page import find
from decks.models import BanEntry, BanList, Card
from tests.scoring.tables import on_one_line

from ..cards import face, given, record

HTMX = {"HX-Request": "true"}
UNKNOWN = {"vintage": "not_legal", "legacy": "not_legal"}


def of(colors: str, **fields: Any) -> dict[str, Any]:
    return {"colors": [*colors], "color_identity": [*colors]} | fields


RECORDS = [
    record(
        "Llanowar Elder",
        "Creature — Elf Druid",
        "{T}: Add {G}.",
        **of("G", power="1", toughness="1"),
    ),
    record(
        "Goblin Scout",
        "Creature — Goblin Scout",
        "Haste (This creature can attack at once.)",
        keywords=["Haste"],
        **of("R", mana_cost="{R}", power="2", toughness="1"),
    ),
    record(
        "Elvish Fury",
        "Instant",
        "Target Elf gets +4/+4. Draw a card.",
        **of("G", mana_cost="{4}{G}", cmc=5.0),
    ),
    record("Cryptic Cave", "Land", mana_cost="", cmc=0.0),
    record(
        "Éowyn’s Oath",
        "Sorcery",
        "Draw a card — then draw a card.",
        **of("WU", mana_cost="{2}{W/U}", cmc=3.0),
    ),
    record(
        "Lathril, Elf Queen",
        "Legendary Creature — Elf Noble",
        "Whenever Lathril attacks, draw a card.",
        keywords=["Menace", "First strike"],
        **of("BG", mana_cost="{2}{B}{G}", cmc=4.0, power="2", toughness="3"),
    ),
    record(
        "Kaalia",
        "Legendary Creature — Human Cleric",
        "Put an Angel onto the battlefield.",
        **of("RWB", mana_cost="{1}{R}{W}{B}", cmc=4.0, power="2", toughness="2"),
    ),
    record("Rose", "Legendary Creature — Human", mana_cost="{W}", colors=["W"]),
    record("Serra", "Creature — Angel", "Flying", mana_cost="{3}{W}{W}", cmc=5.0, power="4"),
    record("Changeling", "Creature — Shapeshifter", "Changeling", power="*", toughness="1+*"),
    record("Karn's Vault", "Legendary Land", mana_cost="", cmc=0.0),
    record(
        "Day // Night",
        "Creature — Human // Creature — Werewolf",
        layout="transform",
        mana_cost="",
        cmc=2.0,
        color_identity=["W", "B"],
        card_faces=[
            face("Day", "Creature — Human", mana_cost="{1}{W}", colors=["W"], power="1"),
            face(
                "Night", "Creature — Werewolf", "When Night attacks, draw.", colors=["B"], power="5"
            ),
        ],
    ),
    record("Silver Elf", "Creature — Elf", legalities=UNKNOWN),
    record("Frankie", "Legendary Creature — Elf", legalities=UNKNOWN),
    record("_____", "Creature — Elf"),
]


def names(expression: str, page: int = 1) -> list[str]:
    """Return what an expression finds today, as listed."""
    found = find(memory.CATALOGUE.now(), expression, page, timezone.localdate())
    return [card.name for card, *_ in found["rows"]]


def ask(htmx: bool = False, **asked: Any) -> HttpResponse:
    return Client(headers=HTMX if htmx else {}).get(reverse("finder"), asked)


def text(response: HttpResponse) -> str:
    return unescape(on_one_line(response.content.decode()))


def listed(response: HttpResponse) -> list[str]:
    """Return the names on a page."""
    return [re.sub("<[^>]*>", "", name) for name in re.findall("<h3>(.*?)</h3>", text(response))]


def card(name: str) -> Card:
    return Card.objects.get(name=name)


def ban(status: str = "banned", **what: Any) -> BanEntry:
    """Enter something in the list of the format since yesterday."""
    yesterday = timezone.localdate() - timedelta(days=1)
    ban_list = BanList.objects.get(key="coalition")
    return BanEntry.objects.create(
        ban_list=ban_list, status=status, **{"starts_on": yesterday} | what
    )


def pool() -> list[Card]:
    return given(*RECORDS)
