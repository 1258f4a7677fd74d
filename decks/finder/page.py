"""The card finder: its list follows what is typed, and what is chosen."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import replace_url, reswap, retarget
from lark import Tree

from coalition_site.lib.requests import Request

from .. import access, queries
from ..catalogue import memory
from ..catalogue.known import Catalogue, KnownCard
from ..decks.counted import PLAYED
from ..decks.legality import read_bans
from ..decks.verdicts import verdict
from ..models import Card, Status
from ..queries import Ban
from ..rules.deck import Code
from ..rules.names import name_key
from ..rules.rulesets import COALITION_906, OF_CARDS, DeckRuleset
from . import fields
from .conditions import FORMATS, OFFICIAL, Conditions, chosen
from .expressions import LENGTH_MAX, Misread, Node, Term, read
from .fields import AFFILIATED, UNAFFILIATED

PAGE = 60  # cards on a page
QUERY = "q"  # the expression
FOUND = "found"  # the expression of the cards that are shown already, "" if it is all of them
LEGAL = (
    ("", "All cards"),
    *((key, ruleset.title) for key, ruleset in OF_CARDS.items()),
    *((key, key.title()) for key in OFFICIAL),
)
ORDERS = {"best": "best", "name": "name", "played": "played"}
ORDERS |= dict.fromkeys(("mv", "cmc", "cost"), "mv")
DIRECTIONS = {"auto": None, "asc": False, "desc": True}


@require_safe
@cache_control(private=True, no_cache=True)
@vary_on_headers("HX-Request")
def finder(request: Request) -> HttpResponse:
    """The form's fields come without an expression, and are answered with the address of theirs."""
    asked = request.GET
    is_typed = QUERY in asked or not set(fields.NAMES) & asked.keys()
    # What is too long for an expression is cut.
    form = {name: asked.get(name, "")[:LENGTH_MAX].strip() for name in fields.NAMES}
    form |= {name: "".join(asked.getlist(name)) for name in ("colors", "identity")}
    page = asked.get("page") or "1"
    if not (page.isdecimal() and page.isascii() and len(page) < 6):
        page = "0"  # one without cards
    text, catalogue, results, misread = asked.get(QUERY, ""), memory.CATALOGUE.now(), None, None
    before, today = asked.get(FOUND, ""), timezone.localdate()
    try:
        text = text if is_typed else fields.expression(form)
        results = find(catalogue, text, int(page), today)
    except Misread as problem:
        misread = problem
        with suppress(Misread):  # what was found before stays; before that it was all cards
            results = find(catalogue, before, 1, today) if before else None
    is_part = bool(request.htmx) and not request.htmx.history_restore_request
    if not misread and not is_part and (FOUND in asked or not is_typed):
        return redirect(_address(text))
    shown = {
        "text": text,
        "is_typed": is_typed,
        "found": before if misread else text,
        "form": results["form"] if results and not misread else form,
        "results": results,
        "has_cards": bool(misread or (results and results["total"]) or queries.has_cards()),
        "misread": misread,
        "types": catalogue.types,
        "legal": LEGAL,
        "as_of": catalogue.as_of,
        "may_see_imports": access.may_see_imports(request),
        "adds_to": getattr(access.deck_in_hand(request), "ruleset", ""),
        "address": _address,
        "with_fields": lambda form, **values: _address(fields.expression(form | values)),
    }
    if not is_part:
        return render(request, "decks/finder.html", shown, status=422 if misread else 200)
    if misread:
        response = render(request, "decks/_not_understood.html", shown, status=422)
        return reswap(retarget(response, "#misread"), "outerHTML")
    return replace_url(render(request, "decks/_answer.html", shown), _address(text))


def _address(text: str, page: int = 1) -> str:
    asked: dict[str, Any] = ({QUERY: text} if text else {}) | ({"page": page} if page > 1 else {})
    return reverse("finder") + (f"?{urlencode(asked)}" if asked else "")


def find(catalogue: Catalogue, text: str, page: int, on: date) -> dict[str, Any]:
    """``free`` counts the unaffiliated cards that a search for a type leaves out.

    :raises Misread: if the expression, or a value in it, can't be understood.
    """
    asked = read(text)
    form, parts, judged_by = fields.form_of(asked), list[Node](), list[str]()
    order, direction = "best", None
    for part in fields.conditions(asked):
        match part:
            case Term("order"):
                order = chosen(part, ORDERS, "can't be chosen")
                continue
            case Term("direction"):
                direction = chosen(part, DIRECTIONS, "can't be chosen")
                continue
            case Term("legal" | "banned", _, value):
                judged_by.append(value.lower())
        parts.append(part)
    ruleset = FORMATS.get(judged_by[0], COALITION_906) if judged_by else COALITION_906
    # The most played come first unless it is asked otherwise.
    is_reversed = direction is not None and direction != (order in ("best", "played"))
    conditions = Conditions(catalogue, on)
    cards = Card.objects.filter(conditions.of(Tree("all", parts)))
    if order in ("best", "played"):
        words = name_key(form["name"]) if order == "best" and not is_reversed else ""
        matches = _most_played_first(catalogue, cards, words)
    else:
        columns = ("key", "pk") if order == "name" else ("mana_value", "key", "pk")
        matches = list(cards.order_by(*columns).values_list("pk", flat=True))
    if is_reversed:
        matches.reverse()
    free = 0
    if (form["type"] or form["hero"]) and not form["free"]:
        others = [part for part in parts if getattr(part, "key", "") != "aff"]
        others = [part for part in others if part != AFFILIATED]
        free = Card.objects.filter(conditions.of(Tree("all", [*others, UNAFFILIATED]))).count()
    decks, entries = PLAYED.now(), read_bans(ruleset, on)
    shown = catalogue.cards(matches[(page - 1) * PAGE : page * PAGE] if page else [])
    return {
        "form": form,
        "hero": conditions.hero(Term("hero", ":", form["hero"])) if form["hero"] else None,
        "ruleset": ruleset,
        "total": len(matches),
        "free": free,
        "rows": [(card, [*_flags(card, ruleset, entries)], decks.get(card.pk)) for card in shown],
        "page": page,
        "pages": -(-len(matches) // PAGE),
    }


def _most_played_first(catalogue: Catalogue, cards: QuerySet[Card], words: str) -> list[int]:
    """Before all come cards whose name is, and then those whose name begins with, some words."""
    places = catalogue.ranks | {card: -decks for card, decks in PLAYED.now().items()}
    rows = list(cards.order_by("key", "pk").values_list("pk", "key"))
    is_whole = any(key == words for _, key in rows)  # else the name of a front face counts

    def place(row: tuple[int, str]) -> tuple[int, int]:
        card, key = row
        is_called = key == words if is_whole else key.startswith(f"{words}/")
        tier = 0 if is_called or not words else 1 if key.startswith(words) else 2
        return tier, places.get(card, 0)

    return [card for card, _ in sorted(rows, key=place)]


def _flags(
    card: KnownCard, ruleset: DeckRuleset, entries: Sequence[Ban]
) -> Iterator[tuple[str, str, str, str]]:
    """Yield what to say of a card: a word, its icon, its look, and why."""
    judged = verdict(card.name, card, ruleset, entries)
    codes = {problem.code for problem in judged.problems}
    # No entry says why where it is the ruleset that bans a card.
    entry = next((entry for entry in entries if entry.covers(card)), None)
    if Code.BANNED in codes:
        yield ("Banned", "no", "bad", entry.reason if entry else "")
    elif entry and entry.status == Status.ALLOWED:
        yield ("Allowed", "check", "good", "")
    elif not codes:
        yield ("Legal", "check", "good", "")
    elif not card.in_pool:
        yield ("Not in the pool", "out", "soft", "")
    if judged.watched is not None:
        yield ("Watched", "eye", "warn", judged.watched)
    if card.can_lead:
        yield ("Hero", "helm", "", "")
    elif card.is_legendary and codes:
        yield ("Legendary", "no", "bad", "Only the hero may be legendary.")
