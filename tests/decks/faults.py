"""A small pool of cards, and for each code a list that has that fault and no other."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from decks.models import BanEntry, BanList

from .cards import given, record
from .written import EZURI, deck, leveler

HERO = "Ezuri, Claw of Progress"
MARCH = date(2026, 3, 9)
UNKNOWN = {"vintage": "not_legal", "legacy": "not_legal"}


def bring_pool() -> None:
    """Import the cards of these lists, and ban Balance."""
    *_, balance = given(
        record(HERO, "Legendary Creature — Elf Warrior"),
        record("Elvish Mystic"),
        record("Forest", "Basic Land — Forest", cmc=0.0),
        record("Goblin Guide", "Creature — Goblin Scout"),
        record("Kaalia", "Legendary Creature — Human Cleric", "Look for an Angel."),
        record("Lathril", "Legendary Creature — Elf Noble"),
        record("Nemo", "Legendary Creature"),
        record("Karn's Vault", "Legendary Land", cmc=0.0),
        record("Negate", "Instant", cmc=2.0),
        record("Silver Elf", legalities=UNKNOWN),
        record("Black Lotus", "Artifact", legalities={"legacy": "banned"}),
        record("Balance", "Sorcery", cmc=2.0),
    )
    BanEntry.objects.create(
        ban_list=BanList.objects.get(key="coalition"),
        card=balance,
        reason="Too strong.",
        starts_on=MARCH,
    )


@dataclass(frozen=True)
class Fault:
    """A list with one fault: its code, card, line and message, and what was asked for."""

    code: str
    text: str
    message: str
    card: str | None = None
    line: int | None = None
    type: str = ""
    ruleset: str = "coalition-906"

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.code}"

    @property
    def problem(self) -> dict[str, Any]:
        """As ``check_deck --json`` prints it."""
        return {
            "code": self.code,
            "card": self.card,
            "line": self.line,
            "message": self.message,
        }


FAULTS = [
    Fault(
        "bad_line",
        deck("0 Forest"),
        "The count must be from 1 to 999.",
        line=5,
    ),
    Fault(
        "unknown_card",
        deck("4 Elvish Mystik"),
        "No card is called “Elvish Mystik”. Did you mean Elvish Mystic?",
        "Elvish Mystik",
        5,
    ),
    Fault(
        "main_size",
        deck(sizes=(58, 10)),
        "The main deck has 58 cards and needs 60: add 2.",
    ),
    Fault(
        "sideboard_size",
        deck(sizes=(60, 11)),
        "The sideboard, with the hero, has 11 cards and needs 10: take out 1.",
    ),
    Fault(
        "no_hero",
        deck(hero=""),
        "No hero: put a legendary creature in the sideboard.",
    ),
    Fault(
        "several_heroes",
        deck(side=("1 Lathril",)),
        f"Who is the hero: {HERO} and Lathril? Write *HERO* after the hero's name, and take out the"
        " others.",
    ),
    Fault(
        "not_a_hero",
        deck(hero="1 Elvish Mystic *HERO*"),
        "Elvish Mystic can't be the hero: choose a legendary creature.",
        "Elvish Mystic",
        2,
    ),
    Fault(
        "hero_copies",
        deck(EZURI),
        f"2 copies of the hero {HERO}, 1 in the main deck: keep only one, in the sideboard.",
        HERO,
        2,
    ),
    Fault(
        "human_type",
        deck(hero="1 Kaalia"),
        "The coalition type may not be Human. Choose Angel or Cleric.",
        type="Human",
    ),
    Fault(
        "not_a_hero_type",
        deck(hero="1 Nemo"),
        "Nemo has no creature type: choose another hero.",
    ),
    Fault(
        "not_affiliated",
        deck("4 Goblin Guide"),
        "Goblin Guide belongs to Goblin, Scout, not to Elf: take it out, or change the type.",
        "Goblin Guide",
        5,
    ),
    Fault(
        "legendary",
        deck("1 Karn's Vault"),
        "Karn's Vault is legendary: only the hero may be. Take it out.",
        "Karn's Vault",
        5,
    ),
    Fault(
        "too_many_copies",
        deck("2 Negate"),
        "2 copies of Negate: only creatures and lands may have more than 1. Take out 1.",
        "Negate",
        5,
    ),
    Fault(
        "banned",
        deck("1 Balance"),
        "Balance has been banned since 9 March 2026 (Too strong): take it out.",
        "Balance",
        5,
    ),
    Fault(
        "not_in_pool",
        deck("1 Silver Elf"),
        "Silver Elf is not legal in Vintage, so it is not in the pool: take it out.",
        "Silver Elf",
        5,
    ),
    Fault(
        "sub_deck_size",
        leveler("51 Forest"),
        "Sub-deck 1 has 51 cards and needs 50: take out 1.",
        ruleset="leveler",
    ),
    Fault(
        "not_singleton",
        leveler("2 Negate"),
        "2 copies of Negate: across all three sub-decks a deck has one copy of each card except "
        "basic lands. Take out 1.",
        "Negate",
        2,
        ruleset="leveler",
    ),
    Fault(
        "banned",
        leveler("1 Black Lotus"),
        "Black Lotus is banned in Legacy, and so in Leveler too. Take it out.",
        "Black Lotus",
        2,
        ruleset="leveler",
    ),
]
