"""Judging lists of invented cards, without a catalogue."""

from typing import Any

from decks.reading import lists
from decks.rules import checking
from decks.rules.cards import ANY_NUMBER
from decks.rules.deck import Bans, Card, Line, Report
from decks.rules.names import name_key
from decks.rules.rulesets import COALITION_906, DeckRuleset, LevelerDeck

CREATURE: dict[str, Any] = {"is_creature": True}
LEGEND: dict[str, Any] = {"is_creature": True, "is_legendary": True, "can_lead": True}


def card(name: str, *types: str, **facts: Any) -> Card:
    return Card(name=name, types=frozenset(types), **facts)


CARDS = (
    card("Forest", is_land=True, is_basic=True),
    card("Ezuri, Claw of Progress", "Elf", "Warrior", **LEGEND),
    card("Lathril", "Elf", "Noble", **LEGEND),
    card("Kaalia", "Angel", "Cleric", "Human", **LEGEND),
    card("Rose", "Human", **LEGEND),
    card("Nemo", **LEGEND),
    card("Morophon", "Shapeshifter", every_type=True, **LEGEND),
    card("Grist", "Insect", is_legendary=True, can_lead=True),
    card("Karn's Vault", is_land=True, is_legendary=True),
    card("Jerren // Ormendahl", "Elf", has_legendary_back=True, **CREATURE),
    card("Elvish Mystic", "Elf", **CREATURE),
    card("Goblin Guide", "Goblin", "Scout", **CREATURE),
    card("Serra", "Angel", **CREATURE),
    card("Priest", "Cleric", **CREATURE),
    card("Villager", "Human", **CREATURE),
    card("Changeling", "Shapeshifter", every_type=True, **CREATURE),
    card("Golem", **CREATURE),
    card("Dryad Arbor", "Dryad", "Elf", is_land=True, **CREATURE),
    card("Elvish Fury", "Elf"),
    card("Negate"),
    card("Cave", is_land=True),
    card("Rat Swarm", copies=ANY_NUMBER, **CREATURE),
    card("Seven Dwarfs", copies=7, **CREATURE),
    card("Nine Notes", copies=9),
    card("Silver Elf", "Elf", in_pool=False, **CREATURE),
    card("Black Lotus", banned_in_legacy=True),
    card("Thassa's Oracle", "Merfolk", "Wizard", **CREATURE),
    card("Ormos, Archive Keeper", "Sphinx", **LEGEND),
    card("Power Play", is_conspiracy=True),
)
KNOWN = {name_key(one.name): one for one in CARDS}


def judge(
    text: str, ruleset: DeckRuleset = COALITION_906, bans: Bans | None = None, **asked: Any
) -> Report:
    """Return the report on a list; unknown names are close to what ``closest`` says."""
    deck_list = lists.read(text, sub_decks=isinstance(ruleset, LevelerDeck))
    closest = asked.pop("closest", {})
    lines = [
        Line(one.line, one.count, KNOWN[name_key(one.name)], one.section, one.is_hero)
        for one in deck_list.entries
        if name_key(one.name) in KNOWN
    ]
    unknown = [
        (one, closest.get(one.name, ()))
        for one in deck_list.entries
        if name_key(one.name) not in KNOWN
    ]
    return checking.judge(ruleset, deck_list, lines, bans or Bans(), unknown=unknown, **asked)


def reported(report: Report) -> list[tuple[str, str | None, int | None, str]]:
    """Return the problems of a report: code, card, line, message."""
    return [(one.code.value, one.card, one.line, one.message) for one in report.problems]


def codes(report: Report) -> list[tuple[str, str | None]]:
    return [(one.code.value, one.card) for one in report.problems]
