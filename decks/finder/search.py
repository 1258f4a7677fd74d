"""Searching the catalogue by an expression: a page of cards, in the order that it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import Case, Q, QuerySet, Value, When

from .. import queries
from ..catalogue import memory
from ..catalogue.known import Catalogue, KnownCard
from ..counted import PLAYED
from ..models import Card, Legality, Status
from ..queries import Ban
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906, DeckRuleset
from .conditions import FORMATS, SHOWN_MAX, Conditions, is_banned, is_legal, said
from .expressions.fields import UNAFFILIATED, Fields, form_of
from .expressions.nodes import All, Misread, Node, Not, Term
from .expressions.reading import closest, read
from .names import Hero

PAGE = 60  # cards on a page
ORDERS = {
    "best": "best",
    "name": "name",
    "played": "played",
    **dict.fromkeys(("mv", "cmc", "cost"), "mv"),
}
DIRECTIONS = {"auto": None, "asc": False, "desc": True}
T = TypeVar("T")


@dataclass(frozen=True)
class Order:
    """How cards are sorted; ``is_descending`` is None for the usual direction."""

    name: str = "best"
    is_descending: bool | None = None

    @property
    def is_reversed(self) -> bool:
        usual = self.name in ("best", "played")  # the most played come first
        return self.is_descending is not None and self.is_descending != usual


@dataclass(frozen=True)
class Flag:
    """A word beside a card; ``why`` is the reason, ``css`` the look."""

    word: str
    icon: str
    css: str = ""
    why: str = ""


@dataclass(frozen=True)
class Row:
    """A card as the list shows it; ``decks`` counts those of this site that have it."""

    card: KnownCard
    flags: Sequence[Flag]
    decks: int

    @property
    def types(self) -> str:
        if self.card.every_type:
            return "All types"
        return ", ".join(sorted(self.card.types)) or "Unaffiliated"


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


def find(catalogue: Catalogue, text: str, page: int, on: date) -> Results:
    """Return a page of the cards that an expression finds, judged by the ban lists of a day.

    Six queries at most once this process has seen the cards and the bans.

    :raises Misread: if the expression, or a value in it, can't be understood.
    """
    asked = read(text)
    node, order = _ordered(asked)
    conditions = Conditions(catalogue, memory.BAN_LISTS.now(), on)
    form, ruleset = form_of(asked), _ruleset(node)
    found = _in_order(Card.objects.filter(conditions.of(node)), order, name_key(form.name))
    hero = conditions.hero(Term("hero", ":", form.hero)) if form.hero else None
    shown = found[(page - 1) * PAGE : page * PAGE] if page else []
    free = 0
    if (form.type or form.hero) and not form.free:
        others = [part for part in node.nodes if part != Not(UNAFFILIATED) and not _is_type(part)]
        free = Card.objects.filter(conditions.of(All((*others, UNAFFILIATED)))).count()
    rows = list(_rows(catalogue, shown, ruleset, conditions.entries(ruleset)))
    return Results(text, form, hero, ruleset, len(found), free, rows, page)


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


def _is_type(node: Node) -> bool:
    return isinstance(node, Term) and node.key == "aff"


def _ruleset(node: All) -> DeckRuleset:
    """Return the ruleset whose legality the list shows: the first that the expression names."""
    for part in node.nodes:
        if isinstance(part, Term) and part.key in ("legal", "banned"):
            return FORMATS.get(part.value.lower(), COALITION_906)
    return COALITION_906


def _in_order(cards: QuerySet[Card], order: Order, words: str) -> list[int]:
    """Return the primary keys of some cards. One query."""
    if order.name in ("name", "mv"):
        columns = ("key", "pk") if order.name == "name" else ("mana_value", "key", "pk")
        found = list(cards.order_by(*columns).values_list("pk", flat=True))
    else:
        is_best = order.name == "best" and not order.is_reversed
        found = _most_played_first(cards, words if is_best else "")
    return found[::-1] if order.is_reversed else found


def _most_played_first(cards: QuerySet[Card], words: str) -> list[int]:
    """Return those in most decks first, then those of the pool; names that begin with a sign last.

    Before all come the cards whose name is, and then those whose name begins with, some words.
    """
    rows = list(cards.order_by("key", "pk").values_list("pk", "vintage", "key"))
    decks, outside = PLAYED.now(), Legality.NOT_LEGAL.value
    whole = words if any(key == words for _, _, key in rows) else f"{words}/"

    def place(row: tuple[int, str, str]) -> tuple[int, int, bool, bool]:
        card, vintage, key = row
        tier = 0
        if words:
            is_called = key == whole or (whole != words and key.startswith(whole))
            tier = 0 if is_called else 1 if key.startswith(words) else 2
        if card in decks:
            return tier, -decks[card], False, False
        return tier, 0, vintage == outside, not key[0].isalpha()

    return [card for card, *_ in sorted(rows, key=place)]


def _rows(
    catalogue: Catalogue, found: Sequence[int], ruleset: DeckRuleset, entries: Sequence[Ban]
) -> Iterator[Row]:
    """Yield some cards as the list shows them. A query; two if any of them is new here."""
    judged: QuerySet[Any] = (
        Card.objects.filter(pk__in=found)
        .only("pk")
        .annotate(
            said=said(entries),
            is_banned=_as_column(is_banned(ruleset, entries)),
            is_legal=_as_column(is_legal(ruleset, entries)),
        )
    )
    columns = judged.in_bulk()
    decks = PLAYED.now()
    for card in catalogue.cards(found):
        yield Row(card, list(_flags(card, columns[card.pk], entries)), decks.get(card.pk, 0))


def _as_column(condition: Q) -> Case:
    return Case(When(condition, then=Value(True)), default=Value(False))


def _flags(card: KnownCard, judged: Any, entries: Sequence[Ban]) -> Iterator[Flag]:
    # Why a list bans or watches a card; no entry says it where it is the ruleset that bans it.
    reason = next((entry.reason for entry in entries if entry.covers(card)), "")
    if judged.is_banned:
        yield Flag("Banned", "no", "bad", reason)
    elif judged.said == Status.ALLOWED:
        yield Flag("Allowed", "check", "good")
    elif judged.is_legal:
        yield Flag("Legal", "check", "good")
    elif not card.in_pool:
        yield Flag("Not in the pool", "out", "soft")
    if judged.said == Status.WATCHED:
        yield Flag("Watched", "eye", "warn", reason)
    if card.can_lead:
        yield Flag("Hero", "helm")
    elif card.is_legendary and not judged.is_legal:
        yield Flag("Legendary", "no", "bad", "Only the hero may be legendary.")
