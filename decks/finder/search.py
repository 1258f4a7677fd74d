"""Searching the catalogue by an expression: a page of cards, in the order that it asks for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Case, Q, QuerySet, Value, When

from ..catalogue import memory
from ..catalogue.known import Catalogue, KnownCard
from ..counted import PLAYED
from ..models import Card, Status
from ..queries import Ban
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906, DeckRuleset
from . import fields
from .conditions import FORMATS, Conditions, chosen, is_banned, is_legal, listed_status
from .expressions import All, Node, Not, Term, read
from .fields import UNAFFILIATED, Form
from .names import Hero

PAGE = 60  # cards on a page
ORDERS = {"best": "best", "name": "name", "played": "played"}
ORDERS |= dict.fromkeys(("mv", "cmc", "cost"), "mv")
DIRECTIONS = {"auto": None, "asc": False, "desc": True}
TIER = 1_000_000  # more than decks of a site


class Flag(NamedTuple):
    """A word beside a card; ``why`` is the reason, ``css`` the look."""

    word: str
    icon: str
    css: str = ""
    why: str = ""


class Row(NamedTuple):
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

    form: Form
    hero: Hero | None
    ruleset: DeckRuleset
    total: int
    free: int
    rows: Sequence[Row]
    page: int

    @property
    def pages(self) -> int:
        return -(-self.total // PAGE)


def find(catalogue: Catalogue, text: str, page: int, on: date) -> Results:
    """Return a page of the cards that an expression finds, judged by the ban lists of a day.

    Six queries at most once this process has seen the cards and the bans.

    :raises Misread: if the expression, or a value in it, can't be understood.
    """
    asked = read(text)
    order, direction, parts = "best", None, list[Node]()
    for part in fields.conditions(asked):
        match part:
            case Term("order"):
                order = chosen(part, ORDERS, "can't be chosen")
            case Term("direction"):
                direction = chosen(part, DIRECTIONS, "can't be chosen")
            case _:
                parts.append(part)
    # The most played come first unless it is asked otherwise.
    is_reversed = direction is not None and direction != (order in ("best", "played"))
    conditions = Conditions(catalogue, memory.BAN_LISTS.now(), on)
    form, ruleset = fields.form_of(asked), _ruleset(parts)
    cards = Card.objects.filter(conditions.of(All(tuple(parts))))
    if order in ("best", "played"):
        words = name_key(form["name"]) if order == "best" and not is_reversed else ""
        found = _most_played_first(catalogue, cards, words)
    else:
        columns = ("key", "pk") if order == "name" else ("mana_value", "key", "pk")
        found = list(cards.order_by(*columns).values_list("pk", flat=True))
    if is_reversed:
        found.reverse()
    hero = conditions.hero(Term("hero", ":", form["hero"])) if form["hero"] else None
    free = 0
    if (form["type"] or form["hero"]) and not form["free"]:
        others = [part for part in parts if part != Not(UNAFFILIATED) and not _is_type(part)]
        free = Card.objects.filter(conditions.of(All((*others, UNAFFILIATED)))).count()
    shown = found[(page - 1) * PAGE : page * PAGE] if page else []
    rows = list(_rows(catalogue, shown, ruleset, conditions.entries(ruleset)))
    return Results(form, hero, ruleset, len(found), free, rows, page)


def _is_type(node: Node) -> bool:
    return isinstance(node, Term) and node.key == "aff"


def _ruleset(parts: Sequence[Node]) -> DeckRuleset:
    for part in parts:
        if isinstance(part, Term) and part.key in ("legal", "banned"):
            return FORMATS.get(part.value.lower(), COALITION_906)
    return COALITION_906


def _most_played_first(catalogue: Catalogue, cards: QuerySet[Card], words: str) -> list[int]:
    """Return the primary keys of cards, those in most decks first, then by their ranks. One query.

    Before all come the cards whose name is, and then those whose name begins with, some words.
    """
    places = catalogue.ranks | {card: -decks for card, decks in PLAYED.now().items()}
    by_name = cards.order_by("key", "pk")
    if not words:
        return sorted(by_name.values_list("pk", flat=True), key=lambda card: places.get(card, 0))
    keys = dict(by_name.values_list("pk", "key"))
    is_whole = words in keys.values()  # else the name of a front face counts
    for card, key in keys.items():
        is_called = key == words if is_whole else key.startswith(f"{words}/")
        tier = 0 if is_called else 1 if key.startswith(words) else 2
        places[card] = places.get(card, 0) + tier * TIER
    return sorted(keys, key=places.__getitem__)


def _rows(
    catalogue: Catalogue, found: Sequence[int], ruleset: DeckRuleset, entries: Sequence[Ban]
) -> Iterator[Row]:
    """Yield some cards as the list shows them. A query; two if any of them is new here."""
    judged: QuerySet[Any] = (
        Card.objects.filter(pk__in=found)
        .only("pk")
        .annotate(
            status=listed_status(entries),
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
    elif judged.status == Status.ALLOWED:
        yield Flag("Allowed", "check", "good")
    elif judged.is_legal:
        yield Flag("Legal", "check", "good")
    elif not card.in_pool:
        yield Flag("Not in the pool", "out", "soft")
    if judged.status == Status.WATCHED:
        yield Flag("Watched", "eye", "warn", reason)
    if card.can_lead:
        yield Flag("Hero", "helm")
    elif card.is_legendary and not judged.is_legal:
        yield Flag("Legendary", "no", "bad", "Only the hero may be legendary.")
