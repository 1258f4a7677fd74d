"""Searching the catalogue by an expression: a page of cards, in the order that it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import islice
from typing import TypeVar

from .. import queries
from ..catalogue import memory
from ..catalogue.known import Catalogue
from ..counted import PLAYED
from ..rules.expressions.fields import UNAFFILIATED, Fields, form_of
from ..rules.expressions.keys import closest
from ..rules.expressions.nodes import All, Misread, Node, Not, Term
from ..rules.expressions.reading import read
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906, DeckRuleset
from .matching import FORMATS, SHOWN_MAX, Matcher
from .names import Hero
from .orders import DIRECTIONS, ORDERS, Order, in_order
from .rows import Row, listed

PAGE = 60  # cards on a page
T = TypeVar("T")


@dataclass(frozen=True)
class Results:
    """A page of a search.

    ``free`` counts the unaffiliated cards that a search for a type leaves out. ``form`` has the
    expression in fields.
    """

    text: str
    form: Fields
    hero: Hero | None
    ruleset: DeckRuleset
    total: int
    free: int
    rows: Sequence[Row]
    page: int

    @property
    def pages(self) -> int:
        return -(-self.total // PAGE)

    @cached_property
    def is_catalogue_empty(self) -> bool:
        """Whether there are no cards at all yet. One query if the search has no results."""
        return not self.total and not queries.has_cards()


def find(catalogue: Catalogue, text: str, page: int, on: date, adds_to: str = "") -> Results:
    """Return a page of the cards that an expression finds, judged by the ban lists of a day.

    ``adds_to`` is the ruleset of the deck that the browser adds cards to, "" without one.
    A query; some more if this process has not seen the cards or bans since they changed, or if the
    expression names a hero.

    :raises Misread: if the expression, or a value in it, can't be understood.
    """
    asked = read(text)
    node, order = _ordered(asked)
    matcher = Matcher(catalogue, memory.BAN_LISTS.now(), on, PLAYED.now)
    cards = matcher.cards(node)
    form = form_of(asked)
    ruleset = _ruleset(node)
    start = (page - 1) * PAGE if page else cards.bit_count()
    ordered = in_order(catalogue.index, cards, order, name_key(form.name))
    rows = list(islice(ordered, start, start + PAGE))
    return Results(
        text,
        form,
        hero=_hero(matcher, form),
        ruleset=ruleset,
        total=cards.bit_count(),
        free=_free(matcher, node, form),
        rows=listed(catalogue, rows, matcher.sets(ruleset), matcher.entries(ruleset), adds_to),
        page=page,
    )


def _ordered(node: Node) -> tuple[All, Order]:
    """Return an expression without what it says of the order, and that."""
    nodes, order = [], Order()
    for part in node.nodes if isinstance(node, All) else (node,):
        match part:
            case Term("order"):
                order = replace(order, name=_choice(part, ORDERS))
            case Term("direction"):
                order = replace(order, is_descending=_choice(part, DIRECTIONS))
            case _:
                nodes.append(part)
    return All(tuple(nodes)), order


def _choice(term: Term, choices: Mapping[str, T]) -> T:
    word = term.value.lower()
    if word not in choices:
        why = f"“{term.value[:SHOWN_MAX]}” can't be chosen here. Known are {', '.join(choices)}."
        end = term.value_at + len(term.value)
        raise Misread(why, term.value_at, end, closest(word, list(choices)))
    return choices[word]


def _hero(matcher: Matcher, form: Fields) -> Hero | None:
    return matcher.hero(Term("hero", ":", form.hero)) if form.hero else None


def _free(matcher: Matcher, node: All, form: Fields) -> int:
    """Return how many unaffiliated cards a search leaves out for a type, or for a hero."""
    if form.free or not (form.type or form.hero):
        return 0
    others = [part for part in node.nodes if part != Not(UNAFFILIATED) and not _is_type(part)]
    return matcher.cards(All((*others, UNAFFILIATED))).bit_count()


def _is_type(node: Node) -> bool:
    return isinstance(node, Term) and node.key == "aff"


def _ruleset(node: All) -> DeckRuleset:
    """Return the ruleset whose legality the list shows: the first that the expression names."""
    for part in node.nodes:
        if isinstance(part, Term) and part.key in ("legal", "banned"):
            return FORMATS.get(part.value.lower(), COALITION_906)
    return COALITION_906
