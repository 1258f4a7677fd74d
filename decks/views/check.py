"""Checking a deck list without an account, and saving it as a deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypedDict
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from coalition_site.lib.forms import first_error
from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.requests import Request

from .. import access, commands, legality, pages, queries
from ..forms import CheckForm, SaveForm
from ..legality import ResolvedList
from ..models import BanList, Deck
from ..rules.deck import Code, Report
from ..rules.entries import Unreadable
from ..rules.rulesets import RULESETS, DeckRuleset


class CheckContext(TypedDict, total=False):
    """What ``check.html`` needs; with a readable list also what ``ReportContext`` has.

    ``typed`` is the form as sent. The lists to choose from come with whole pages only.
    """

    deck: Deck | None
    problem: str
    name_problem: str
    rulesets: Iterable[DeckRuleset]
    typed: Mapping[str, Any]
    text: str
    from_file: bool
    has_cards: bool
    houses: list[BanList]
    decks: list[Deck]


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def check(request: Request) -> HttpResponse:
    """Judge a list, while it is typed or when it is sent, or save it as a new deck."""
    if request.method != "POST":
        return page(request)
    if "save" in request.POST:
        return save(request, None)
    return page(request, form=check_form(request, request.POST, request.FILES))


def check_form(request: Request, *data: Any) -> CheckForm:
    """Return a form that accepts the house lists that the visitor may see."""
    return CheckForm(*data, may_see=partial(access.may_see_list, request))


@limited("save")
def save(request: Request, deck: Deck | None) -> HttpResponse:
    """Save a list as a new deck, or as the next revision of a deck."""
    form = SaveForm(request.POST, request.FILES, may_see=partial(access.may_see_list, request))
    resolved, problem = _read(form)
    if list(form.errors) == ["name"]:
        return page(request, form=_without_name(request, form), deck=deck, name_problem=problem)
    if resolved is None:
        return page(request, form=form, deck=deck, problem=problem)
    values = form.cleaned_data
    content = (values["text"], resolved, RULESETS[values["ruleset"]], values["type"])
    if deck:
        commands.save_revision(deck, values["name"], *content)
        return redirect(_address(deck, values["house"]))
    fields = (values[field] for field in ("name", "text", "ruleset", "type"))
    key = key_for(values["tap_id"], *fields)
    deck = commands.save_deck(values["name"], *content, key=key)
    response = redirect(_address(deck, values["house"]))
    access.hand_over(request, response, deck.code, key)
    return response


def _address(deck: Deck, house: BanList | None) -> str:
    """Return the address of a deck's page, with the house list it was judged by."""
    where = reverse("deck", args=[deck.code])
    return f"{where}?{urlencode({'house': house.key})}" if house else where


def _without_name(request: Request, form: SaveForm) -> CheckForm:
    """Return a form to judge a list whose name is missing or wrong, which may be from a file."""
    data = request.POST.copy()
    data["text"] = form.cleaned_data["text"]
    return check_form(request, data)


def _read(form: CheckForm) -> tuple[ResolvedList | None, str]:
    """Return the list in a form with its cards, or None and what is wrong."""
    if not form.is_valid():
        return None, first_error(form)
    try:
        return legality.read(form.cleaned_data["text"], RULESETS[form.cleaned_data["ruleset"]]), ""
    except Unreadable as error:
        return None, str(error)


def page(
    request: Request,
    *,
    form: CheckForm | None = None,
    deck: Deck | None = None,
    problem: str = "",
    name_problem: str = "",
) -> HttpResponse:
    """Show the form, and the report on the list in it; htmx gets the report alone."""
    resolved = None
    if form and not problem:
        resolved, problem = _read(form)
    context: CheckContext = {
        "deck": deck,
        "problem": problem,
        "name_problem": name_problem,
        "rulesets": RULESETS.values(),
        "typed": form.data if form else {},
        "from_file": bool(form and form.files),
    }
    if form and form.is_valid():
        context["text"] = form.cleaned_data["text"]
    if not request.htmx:
        context["has_cards"] = bool(form) or queries.has_cards()
        context["houses"] = access.house_lists(request)
    if form is None:
        context["decks"] = queries.decks_by_code(access.browser_keys(request))
    report = _report(request, form, resolved) if form and resolved else {}
    template = "decks/_report.html" if request.htmx else "decks/check.html"
    status = 422 if name_problem or problem else 200
    return render(request, template, {**context, **report}, status=status)


def latest_values(deck: Deck) -> dict[str, str]:
    """Return a deck's latest revision as values of the form."""
    latest = deck.revisions.latest("number")
    return {
        "text": latest.text,
        "ruleset": latest.ruleset,
        "type": latest.coalition_type,
        "name": deck.name,
    }


def _report(request: Request, form: CheckForm, resolved: ResolvedList) -> Mapping[str, Any]:
    values = form.cleaned_data
    ruleset = RULESETS[values["ruleset"]]
    today = timezone.localdate()
    bans = legality.read_bans(ruleset, today, values["house"])
    requested = values["type"] or None
    report = legality.judge(resolved, ruleset, bans, coalition_type=requested)
    if request.htmx and _is_left_over(report):
        requested = None
        report = legality.judge(resolved, ruleset, bans)
    return {
        **pages.report_context(resolved, report),
        "asked": report.coalition_type if requested else None,
        "today": today,
        "house": values["house"],
    }


def _is_left_over(report: Report) -> bool:
    """Return whether the type was chosen for an earlier hero, who is no longer in the list."""
    return any(problem.code == Code.NOT_A_HERO_TYPE for problem in report.problems)
