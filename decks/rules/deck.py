"""A deck as the deck check sees it: cards reduced to what matters, and the report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from .cards import ANY_NUMBER
from .entries import Section

NOT_HUMAN = "Human"  # the only creature type that can't be a coalition type (000)
COPIES = 4
COPIES_OF_OTHERS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What the deck check needs to know about a card; up to ``is_legendary`` of its front face."""

    name: str
    is_creature: bool = False
    is_land: bool = False
    is_basic: bool = False
    is_legendary: bool = False
    has_legendary_back: bool = False
    can_lead: bool = False
    copies: int | None = None  # if its own text allows more
    types: frozenset[str] = frozenset()  # its affiliations, to be ignored under ``every_type``
    every_type: bool = False
    override_reason: str = ""  # why an editor set them against the text
    in_pool: bool = True
    banned_in_legacy: bool = False
    is_conspiracy: bool = False

    def fits(self, coalition_type: str) -> bool:
        """Return whether the card has a deck's type, or no type at all (906.6e)."""
        return self.every_type or not self.types or coalition_type in self.types

    @property
    def limit(self) -> int | None:
        """How many copies a Coalition deck may have; None means no limit (000)."""
        if self.is_basic or self.copies == ANY_NUMBER:
            return None
        if self.copies is not None:
            return self.copies
        return COPIES if self.is_creature or self.is_land else COPIES_OF_OTHERS


@dataclass(frozen=True, slots=True)
class Line:
    """Some copies of a card on a line of a list; ``number`` counts from 1."""

    number: int
    count: int
    card: Card
    section: Section
    is_hero: bool = False


@dataclass(frozen=True, slots=True)
class Banned:
    reason: str
    since: date


@dataclass(frozen=True, slots=True)
class Bans:
    banned: Mapping[str, Banned] = field(default_factory=dict)
    restricted: Mapping[str, Banned] = field(default_factory=dict)  # one copy at most
    allowed: frozenset[str] = frozenset()  # from outside the pool


class Code(StrEnum):
    """The kinds of problems, by the names that ``check_deck --json`` prints."""

    BAD_LINE = "bad_line"
    UNKNOWN_CARD = "unknown_card"
    MAIN_SIZE = "main_size"
    SIDEBOARD_SIZE = "sideboard_size"
    NO_HERO = "no_hero"
    SEVERAL_HEROES = "several_heroes"
    NOT_A_HERO = "not_a_hero"
    HERO_COPIES = "hero_copies"
    HUMAN_TYPE = "human_type"
    NOT_A_HERO_TYPE = "not_a_hero_type"
    NOT_AFFILIATED = "not_affiliated"
    LEGENDARY = "legendary"
    TOO_MANY_COPIES = "too_many_copies"
    BANNED = "banned"
    NOT_IN_POOL = "not_in_pool"
    SUB_DECK_SIZE = "sub_deck_size"
    NOT_SINGLETON = "not_singleton"
    RESTRICTED = "restricted"
    CONSPIRACY_IN_DECK = "conspiracy_in_deck"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to fix; ``line`` is None if it concerns the whole deck."""

    code: Code
    message: str
    card: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class OutOfPlace:
    """A type that the hero offers, and the cards that do not fit it; ``count`` counts copies."""

    type: str
    count: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of a deck check: the deck is legal if it has no problems."""

    ruleset: str
    hero: str | None = None
    coalition_type: str | None = None
    possible_types: tuple[str, ...] = ()
    out_of_place: tuple[OutOfPlace, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def legal(self) -> bool:
        return not self.problems

    def document(self) -> dict[str, Any]:
        """Return what ``check_deck --json`` prints and what a set stores."""
        return {
            "ruleset": self.ruleset,
            "legal": self.legal,
            "hero": self.hero,
            "coalition_type": self.coalition_type,
            "possible_types": list(self.possible_types),
            "counts": dict(self.counts),
            "problems": [
                {
                    "code": problem.code.value,
                    "card": problem.card,
                    "line": problem.line,
                    "message": problem.message,
                }
                for problem in self.problems
            ],
        }
