"""The deck-building rules of each ruleset, as data."""

from __future__ import annotations

from dataclasses import dataclass

from .entries import LEVELS, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionDeck:
    """A deck around a hero and a single creature type (906.5).

    The sideboard has ``sideboard_min`` to ``sideboard_max`` cards, including the hero.
    """

    key: str
    name: str
    format: str = "coalition"
    main: int = 60
    sideboard_min: int = 10
    sideboard_max: int = 10
    bars_legendary_backs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelerDeck:
    """Three sub-decks without duplicates (002); ``banned`` names cards that Legacy does not ban."""

    key: str
    name: str
    format: str = "leveler"
    sub_decks: tuple[int, ...] = (50, 30, 20)
    banned: frozenset[str] = frozenset()


DeckRuleset = CoalitionDeck | LevelerDeck

COALITION_906 = CoalitionDeck(key="coalition-906", name="Section 906")
COALITION_README = CoalitionDeck(key="coalition-readme", name="Overview")
COALITION_2026 = CoalitionDeck(
    key="coalition-2026",
    name="2026 rules",
    sideboard_min=1,
    sideboard_max=15,
    bars_legendary_backs=True,
)
LEVELER = LevelerDeck(
    key="leveler",
    name="Leveler",
    # Cards that are played for an empty library.
    banned=frozenset(
        (
            "Thassa's Oracle",
            "Laboratory Maniac",
            "Jace, Wielder of Mysteries",
            "Out of the Tombs",
            "Ormos, Archive Keeper",
        )
    ),
)

RULESETS: dict[str, DeckRuleset] = {
    ruleset.key: ruleset for ruleset in (COALITION_906, COALITION_README, COALITION_2026, LEVELER)
}


def sizes(ruleset: DeckRuleset) -> dict[Section, tuple[int, int]]:
    """Return how many cards each section of a deck needs, at least and at most.

    >>> sizes(COALITION_2026)[Section.SIDEBOARD], sizes(LEVELER)[Section.LEVEL_3]
    ((1, 15), (20, 20))
    """
    if isinstance(ruleset, LevelerDeck):
        return {
            section: (size, size) for section, size in zip(LEVELS, ruleset.sub_decks, strict=True)
        }
    return {
        Section.MAIN: (ruleset.main, ruleset.main),
        Section.SIDEBOARD: (ruleset.sideboard_min, ruleset.sideboard_max),
    }
