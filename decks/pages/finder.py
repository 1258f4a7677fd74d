"""The card finder's page: an expression and a form, and the cards that they find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.urls import reverse

from coalition_site.lib.pages import Page
from coalition_site.lib.parts import Part

from ..finder.search import Results
from ..rules.expressions.colors import LETTERS
from ..rules.expressions.fields import Fields, expression
from ..rules.expressions.nodes import Misread
from ..rules.rulesets import OF_CARDS

QUERY = "q"  # the expression
Choices = Sequence[tuple[str, str]]

COLORS: Choices = (
    *zip(LETTERS, ("White", "Blue", "Black", "Red", "Green"), strict=True),
    ("C", "Colourless"),
)
WITHIN: Choices = (
    ("", "At least these"),
    ("=", "Exactly these"),
    ("<=", "At most these"),
)
KINDS: Choices = (
    ("", "Any kind"),
    ("hero", "Heroes"),
    ("creature", "Creatures"),
    ("land", "Lands"),
    ("noncreature", "Neither creatures nor lands"),
)
FREE: Choices = (
    ("", "If no type is chosen"),
    ("always", "Always"),
    ("never", "Never"),
    ("only", "Nothing else"),
)
LEGAL: Choices = (
    ("", "All cards"),
    *((key, ruleset.title) for key, ruleset in OF_CARDS.items()),
    ("vintage", "Vintage"),
    ("legacy", "Legacy"),
)
SORTS: Choices = (
    ("", "What fits best"),
    ("name", "Name"),
    ("mv", "Mana value"),
    ("played", "How often played here"),
)
CHOICES: Mapping[str, Choices] = {
    "colors": COLORS,
    "within": WITHIN,
    "kinds": KINDS,
    "free": FREE,
    "legal": LEGAL,
    "sorts": SORTS,
}
NOTHING = Fields()
ANSWER = "decks/_answer.html"
# What the help shows: an expression, and what it finds.
EXAMPLES: Choices = (
    ("llanowar el", "names with both words or parts of words, in any order"),
    ('"of the dead"', "names with these words together"),
    ('!"Fire // Ice"', "the card of exactly this name"),
    ("t:elf t:druid", "words of the type line"),
    ('o:"draw a card"', "words of the rules text without reminders; ~ is the card’s own name"),
    ("kw:flying", "cards with a keyword"),
    ("c:rg", "red and green, and perhaps more; c=rg exactly, c<=rg at most, c:c colourless"),
    ("id<=wu", "what fits a hero of this colour identity"),
    ("mv<=3", "mana value; also pow, tou, loy, and m:2WW for the cost"),
    ("pow>tou", "one number against another"),
    ("is:hero", "kinds: hero, legend, permanent, spell, land, vanilla, changeling, reserved …"),
    ("legal:coalition", "legal today under a ruleset; banned:leveler what it bans"),
    ("aff:goblin", "affiliated with a creature type; aff:none unaffiliated"),
    ("fits:goblin", "what a deck of this type can have: affiliated and unaffiliated cards"),
    ('hero:"Krenko, Mob Boss"', "what fits a deck around this hero"),
    ("played>=3", "in at least three decks of this site"),
    ("t:elf -c:g", "a minus leaves out"),
    ("(t:elf or t:goblin) mv=2", "either of several, in parentheses"),
    ("t:elf order:mv direction:desc", "sorted: best, name, mv, played; the other way round"),
)


@dataclass(frozen=True)
class TypeOptions(Part):
    """The creature types to choose from."""

    template: ClassVar[str] = "decks/_type_options.html"
    longest: ClassVar[int] = 40_000
    names: tuple[str, ...]


@dataclass(frozen=True)
class Filled(Part):
    """The fields that an expression fills; ``beside`` if htmx puts them beside its answer."""

    template: ClassVar[str] = "decks/_filled.html"
    form: Fields
    beside: bool

    @property
    def choices(self) -> Mapping[str, Choices]:
        return CHOICES

    @property
    def is_stored(self) -> bool:
        return super().is_stored and self.form == NOTHING


@dataclass(frozen=True)
class Help(Part):
    """How expressions are written."""

    template: ClassVar[str] = "decks/_syntax.html"

    @property
    def examples(self) -> list[tuple[str, str, str]]:
        """Each example with its address, and what it finds."""
        return [(text, address(text), what) for text, what in EXAMPLES]


@dataclass(frozen=True)
class Problem:
    """Where and why an expression can't be understood, and what it may have meant.

    ``shown`` is the expression of a form, which nobody has typed.
    """

    message: str
    corrections: Sequence[tuple[str, str]]
    shown: str = ""


def problem(misread: Misread, text: str, *, is_typed: bool) -> Problem:
    """Return what a page says of an expression, with the addresses of its corrections."""
    corrections = [(word, address(whole)) for word, whole in misread.corrections(text)]
    return Problem(misread.message(text), corrections, "" if is_typed else text)


def with_unaffiliated(form: Fields) -> str:
    """Return the address of a search that shows unaffiliated cards too."""
    return address(expression(replace(form, free="always")))


def with_type(form: Fields, creature_type: str) -> str:
    """Return the address of a search for the cards of a type, too."""
    return address(expression(replace(form, type=creature_type)))


def address(text: str, page: int = 1) -> str:
    """Return the address of a page of a search."""
    asked: dict[str, Any] = ({QUERY: text} if text else {}) | ({"page": page} if page > 1 else {})
    return reverse("finder") + (f"?{urlencode(asked)}" if asked else "")


LINKS = {
    "address": address,
    "with_type": with_type,
    "with_unaffiliated": with_unaffiliated,
}


@dataclass(kw_only=True)
class FinderPage(Page):
    """The finder; without results there is a problem with the expression.

    ``is_typed`` means that the expression was typed, so that the form follows it, and not the
    other way round. ``as_of`` is the day of the cards, None if unknown.
    """

    template: ClassVar[str] = "decks/finder.html"
    text: str
    form: Fields
    types: TypeOptions
    is_typed: bool
    results: Results | None
    problem: Problem | None
    as_of: date | None

    def context(self) -> dict[str, Any]:
        filled = Filled(self.form, beside=self.template == ANSWER)
        return super().context() | {"filled": filled, "help": Help(), **LINKS}


@dataclass(kw_only=True)
class ResultsPart(FinderPage):
    """What htmx puts into the page: the cards, and what is new in the other form."""

    template: ClassVar[str] = ANSWER


@dataclass(kw_only=True)
class ProblemPart(FinderPage):
    """What is wrong with the expression, for htmx to put into the page and change nothing else."""

    template: ClassVar[str] = "decks/_misread.html"
