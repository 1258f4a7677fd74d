"""A small pool of cards, and for each code a list that has that fault and no other."""

from dataclasses import dataclass
from datetime import date

from .cards import given, record
from .lists import coalition
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
    coalition().entries.create(card=balance, reason="Too strong.", starts_on=MARCH)


@dataclass(frozen=True)
class Fault:
    """A list with one fault: its code, card and line, and what was asked for."""

    code: str
    text: str
    card: str | None = None
    line: int | None = None
    type: str = ""
    ruleset: str = "coalition-906"

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.code}"


FAULTS = [
    Fault("bad_line", deck("0 Forest"), line=5),
    Fault("unknown_card", deck("4 Elvish Mystik"), "Elvish Mystik", 5),
    Fault("main_size", deck(sizes=(58, 10))),
    Fault("sideboard_size", deck(sizes=(60, 11))),
    Fault("no_hero", deck(hero="")),
    Fault("several_heroes", deck(side=("1 Lathril",))),
    Fault("not_a_hero", deck(hero="1 Elvish Mystic *HERO*"), "Elvish Mystic", 2),
    Fault("hero_copies", deck(EZURI), HERO, 2),
    Fault("human_type", deck(hero="1 Kaalia"), type="Human"),
    Fault("not_a_hero_type", deck(hero="1 Nemo")),
    Fault("not_affiliated", deck("4 Goblin Guide"), "Goblin Guide", 5),
    Fault("legendary", deck("1 Karn's Vault"), "Karn's Vault", 5),
    Fault("too_many_copies", deck("2 Negate"), "Negate", 5),
    Fault("banned", deck("1 Balance"), "Balance", 5),
    Fault("not_in_pool", deck("1 Silver Elf"), "Silver Elf", 5),
    Fault("sub_deck_size", leveler("51 Forest"), ruleset="leveler"),
    Fault("not_singleton", leveler("2 Negate"), "Negate", 2, ruleset="leveler"),
    Fault("banned", leveler("1 Black Lotus"), "Black Lotus", 2, ruleset="leveler"),
]
