"""A deck as the checks of all formats see it: cards by name, problems in order, the report."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from .cards import ANY_NUMBER
from .entries import LEVELS, WORDS, Section

NOT_HUMAN = "Human"  # the only creature type that can't be a coalition type (000)
COPIES = 4
COPIES_OF_OTHERS = 1
TYPES_NAMED = 6  # at most, in a sentence


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
    is_to_come: bool = False


@dataclass(frozen=True, slots=True)
class Bans:
    banned: Mapping[str, Banned] = field(default_factory=dict)
    restricted: Mapping[str, Banned] = field(default_factory=dict)  # one copy at most
    allowed: frozenset[str] = frozenset()  # from outside the pool; by name, what cards there are


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


BARS = (Code.BANNED, Code.NOT_IN_POOL)
SIZED = {
    Section.MAIN: (Code.MAIN_SIZE, "The main deck"),
    Section.SIDEBOARD: (Code.SIDEBOARD_SIZE, "The sideboard, with the hero,"),
    **{level: (Code.SUB_DECK_SIZE, WORDS[level].capitalize()) for level in LEVELS},
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to fix; ``line`` is None if it concerns the whole deck. ``section`` is the part of
    the deck whose size is wrong."""

    code: Code
    message: str
    card: str | None = None
    line: int | None = None
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class OutOfPlace:
    """A type that the hero offers, and the cards that do not fit it; ``count`` counts copies."""

    type: str
    count: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    ruleset: str
    hero: str | None = None
    coalition_type: str | None = None
    out_of_place: tuple[OutOfPlace, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    is_judged: bool = True  # not where nobody said which cards there are

    @property
    def legal(self) -> bool | None:
        """Whether it has no problems; None if it has none and is not judged."""
        return False if self.problems else self.is_judged or None

    @property
    def possible_types(self) -> tuple[str, ...]:
        return tuple(option.type for option in self.out_of_place if not option.count)

    def document(self) -> dict[str, Any]:
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


@dataclass(frozen=True, slots=True)
class Copies:
    """All copies of a card in a deck. Problems are reported at its first line."""

    card: Card
    lines: tuple[Line, ...]

    @property
    def count(self) -> int:
        return sum(line.count for line in self.lines)

    @property
    def in_words(self) -> str:
        return f"{self.count} {'copy' if self.count == 1 else 'copies'}"

    def problem(self, code: Code, message: str) -> Problem:
        return Problem(code, message, self.card.name, self.lines[0].number)

    def banned(self, ban: Banned) -> Problem:
        why = f" ({ban.reason.rstrip('.')})" if ban.reason else ""
        since = f"{ban.since.day} {ban.since:%B %Y}"
        banned = "will be banned from" if ban.is_to_come else "has been banned since"
        message = f"{self.card.name} {banned} {since}{why}: take it out."
        return self.problem(Code.BANNED, message)


def by_card(lines: Iterable[Line]) -> list[Copies]:
    by_name: dict[str, list[Line]] = {}
    for line in lines:
        by_name.setdefault(line.card.name, []).append(line)
    return [Copies(of_card[0].card, tuple(of_card)) for of_card in by_name.values()]


def in_order(deck_wide: Sequence[Problem], of_lines: Iterable[Problem]) -> tuple[Problem, ...]:
    # A file can have several cards on the same line. The sort is stable, so they keep their order.
    return (*deck_wide, *sorted(of_lines, key=lambda problem: problem.line or 0))


def no_card_called(name: str, closest: Sequence[str]) -> str:
    hint = f"Did you mean {' or '.join(closest)}?" if closest else "Check the spelling."
    return f"No card is called “{name}”. {hint}"


def cards_in_words(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def size_problems(
    counts: Mapping[Section, int], sizes: Mapping[Section, tuple[int, int]]
) -> list[Problem]:
    """
    >>> size_problems({Section.MAIN: 59}, {Section.MAIN: (60, 60)})[0].message
    'The main deck has 59 cards and needs 60: add 1.'
    """
    problems = []
    for section, (low, high) in sizes.items():
        count, (code, what) = counts[section], SIZED[section]
        if not low <= count <= high:
            needs = low if low == high else f"{low} to {high}"
            advice = f"add {low - count}" if count < low else f"take out {count - high}"
            message = f"{what} has {cards_in_words(count)} and needs {needs}: {advice}."
            problems.append(Problem(code, message, section=section))
    return problems


# --- a single card, for its page ---
def sentences(card: Card) -> Iterator[str]:
    """Yield what to know about a card before it goes into a Coalition deck (000, 906.6e).

    >>> list(sentences(Card(name="Ant", is_creature=True, types=frozenset({"Insect"}))))
    ['Up to 4 copies in a deck.', 'It fits decks of the type Insect.']
    >>> list(sentences(Card(name="Bolt")))
    ['1 copy in a deck.', 'It has no affiliation, so it fits decks of every type.']
    """
    if card.can_lead:
        yield "It can be the hero of a deck."
        yield "A deck with another hero may not have it."
    elif card.is_legendary:
        yield "It is legendary and can't be a hero, so no deck may have it."
    if not card.is_legendary:
        limit = card.limit
        if limit is None:
            yield "Any number of copies in a deck."
        else:
            yield "1 copy in a deck." if limit == 1 else f"Up to {limit} copies in a deck."
    if card.has_legendary_back:
        yield "It can turn into a legendary card. The 2026 rules bar it for that."
    names = sorted(card.types - {NOT_HUMAN})
    if card.every_type:
        yield "It has every creature type, so it fits decks of every type."
    elif not card.types:
        yield "It has no affiliation, so it fits decks of every type."
    elif not names:
        yield "It is affiliated with Human alone, which no deck can be built around."
    elif len(names) > TYPES_NAMED:
        yield f"It fits decks of {len(names)} types, its affiliations."
    else:
        yield f"It fits decks of the type {' or '.join(names)}."


def in_leveler(card: Card) -> str:  # (002)
    if card.is_basic:
        return "Any number of copies, in each sub-deck."
    return "1 copy in all three sub-decks together."
