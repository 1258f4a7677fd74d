"""Checking a list, without an account; and keeping it as a deck."""

from __future__ import annotations

from functools import partial
from typing import Any
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
from ..legality import Read
from ..models import BanList, Deck
from ..rules.deck import Code, Report
from ..rules.entries import Unreadable
from ..rules.rulesets import RULESETS


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def check(request: Request) -> HttpResponse:
    """Judge a list, as it is typed or when it is sent, or keep it as a new deck."""
    if request.method != "POST":
        return page(request)
    if "save" in request.POST:
        return save(request, None)
    return page(request, form=checked(request, request.POST, request.FILES))


def checked(request: Request, *data: Any) -> CheckForm:
    """Return the form of a check, with the lists that the visitor may see."""
    return CheckForm(*data, sees=partial(access.may_see_list, request))


@limited("save")
def save(request: Request, deck: Deck | None) -> HttpResponse:
    """Keep a list as a new deck, or as a new revision of a deck."""
    form = SaveForm(request.POST, request.FILES, sees=partial(access.may_see_list, request))
    found, problem = _read(form)
    if list(form.errors) == ["name"]:
        return page(request, form=_nameless(request, form), deck=deck, name_problem=problem)
    if found is None:
        return page(request, form=form, deck=deck, problem=problem)
    said = form.cleaned_data
    kept = (said["name"], said["text"], found, RULESETS[said["ruleset"]], said["type"])
    if deck:
        commands.save_revision(deck, *kept)
        return redirect(_address(deck, said["house"]))
    key = key_for(said["tap_id"], *(said[one] for one in ("name", "text", "ruleset", "type")))
    deck = commands.save_deck(*kept, key=key)
    response = redirect(_address(deck, said["house"]))
    access.hand_over(request, response, deck.code, key)
    return response


def _address(deck: Deck, house: BanList | None) -> str:
    """Return where a deck is shown, judged as it was before it was kept."""
    where = reverse("deck", args=[deck.code])
    return f"{where}?{urlencode({'house': house.key})}" if house else where


def _nameless(request: Request, form: SaveForm) -> CheckForm:
    """Return what is sent with a list, which may have come as a file, to be judged all the same."""
    sent = form.data.copy()
    sent["text"] = form.cleaned_data["text"]
    return checked(request, sent)


def _read(form: CheckForm) -> tuple[Read | None, str]:
    """Return the list that a form has with its cards, or why there is none."""
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
    """Show the form, and the report on what it holds."""
    context: dict[str, Any] = {"deck": deck, "problem": problem, "rulesets": RULESETS.values()}
    context |= {"typed": form.data if form else {}, "name_problem": name_problem}
    if form and not problem:
        found, context["problem"] = _read(form)
        context |= _judged(request, form, found) if found else {}
    if form and form.is_valid():
        context["text"] = form.cleaned_data["text"]
    if not request.htmx:
        context["has_cards"] = bool(form) or queries.has_cards()
        context["houses"] = access.houses(request)
    if form is None:
        context["decks"] = queries.decks(access.held(request))
    context["from_file"] = bool(form and form.files)
    template = "decks/_report.html" if request.htmx else "decks/check.html"
    status = 422 if name_problem or context["problem"] else 200
    return render(request, template, context, status=status)


def kept(deck: Deck) -> dict[str, str]:
    """Return a deck's latest revision as the form would send it."""
    latest = deck.revisions.latest("number")
    return {
        "text": latest.text,
        "ruleset": latest.ruleset,
        "type": latest.coalition_type,
        "name": deck.name,
    }


def _judged(request: Request, form: CheckForm, found: Read) -> dict[str, Any]:
    said = form.cleaned_data
    ruleset = RULESETS[said["ruleset"]]
    today = timezone.localdate()
    bans = legality.read_bans(ruleset, today, said["house"])
    asked = said["type"] or None
    report = legality.judge(found, ruleset, bans, coalition_type=asked)
    if request.htmx and _is_left_over(report):
        asked = None
        report = legality.judge(found, ruleset, bans)
    shown = pages.judged(found, report)
    asked = report.coalition_type if asked else None
    return shown | {"asked": asked, "today": today, "house": said["house"]}


def _is_left_over(report: Report) -> bool:
    """Say whether the type was chosen for another hero, who is not in the list any more."""
    return any(problem.code == Code.NOT_A_HERO_TYPE for problem in report.problems)
