"""Checking a deck list without an account, and saving it as a deck."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access, commands, queries
from ..building import builds, taps
from ..building.builds import Opened
from ..checking import legality
from ..checking.legality import ResolvedList
from ..forms import CheckForm, SaveForm
from ..models import BanList, Deck, DeckRevision
from ..pages.deck import TEMPLATES, changes, example
from ..pages.report import judged_list
from ..rules import building
from ..rules.building import Build
from ..rules.deck import Code
from ..rules.entries import SAVED_MAX
from ..rules.rulesets import RULESETS


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def check(request: Request) -> HttpResponse:
    """Judge a list, while it is typed or when it is sent, or save it as a new deck."""
    if request.method != "POST":
        return page(request)
    if "save" in request.POST:
        return save(request, None)
    return checked(request, None)


def checked(request: Request, deck: Deck | None) -> HttpResponse:
    """Judge the list in a form, after the mend that was chosen, if any."""
    form = check_form(request, request.POST, request.FILES)
    mend = request.POST.get("mend")
    if not mend or not form.is_valid():
        return page(request, form=form, deck=deck)
    try:
        mended = _mended(form, mend)
    except Refused as refused:
        return page(request, form=form, deck=deck, problem=str(refused))
    data = request.POST.copy()
    data["text"], data["type"] = building.written(mended), mended.coalition_type
    return page(request, form=check_form(request, data), deck=deck, is_mended=True)


def _mended(form: CheckForm, key: str) -> Build:
    """Return the list in a form after a mend.

    :raises Refused: if it is not needed any more, or there is no list.
    """
    values = form.cleaned_data
    ruleset, chosen = RULESETS[values["ruleset"]], values["type"]
    opened = Opened(ruleset, resolved := _read(form), builds.build_of(resolved, chosen))
    return taps.Mending(key, values["house"]).mend(opened).change(opened.build)


def check_form(request: Request, *data: Any) -> CheckForm:
    """Return a form that accepts the house lists that the visitor may see."""
    return CheckForm(*data, may_see=partial(access.may_see_list, request))


@limited("save")
def save(request: Request, deck: Deck | None) -> HttpResponse:
    """Save a list as a new deck, or as the next revision of a deck."""
    form = SaveForm(request.POST, request.FILES, may_see=partial(access.may_see_list, request))
    try:
        resolved = _read(form)
    except Refused as refused:
        if list(form.errors) == ["name"]:
            form_without_name = _without_name(request, form)
            return page(request, form=form_without_name, deck=deck, name_problem=str(refused))
        return page(request, form=form, deck=deck, problem=str(refused))
    values = form.cleaned_data
    content = (values["text"], resolved, RULESETS[values["ruleset"]], values["type"])
    if deck:
        return _save_revision(request, form, deck, content)
    # The same form sent again has the same key, so it opens the same deck.
    fields = (values[field] for field in ("name", "text", "ruleset", "type"))
    key = key_for(values["tap_id"], *fields)
    owner = request.user.pk
    deck = commands.save_deck(values["name"], *content, key=key, owner=owner)
    response = redirect(_address(deck, values["house"]))
    if owner is None:
        access.hand_over(request, response, deck.code, key)
    return response


def _save_revision(
    request: Request, form: SaveForm, deck: Deck, content: tuple[Any, ...]
) -> HttpResponse:
    """Save the next revision, unless the deck was changed after the page was loaded."""
    values = form.cleaned_data
    try:
        commands.save_revision(deck, values["name"], *content, state=values["state"])
    except commands.ChangedMeanwhile as changed:
        data = request.POST.copy()
        data["text"], data["state"] = values["text"], changed.revision.state
        problem = _changed_meanwhile(changed.revision, content[1])
        return page(request, form=check_form(request, data), deck=deck, name_problem=problem)
    return redirect(_address(deck, values["house"]))


def _changed_meanwhile(theirs: DeckRevision, mine: ResolvedList) -> str:
    """Return how a list that was saved elsewhere differs from the visitor's, in words."""
    (now,) = queries.places(theirs.deck, [theirs.number])
    differs = ", ".join(changes(queries.places_in(mine.deck_list, mine.cards), now))
    compared = (
        f"Compared with the list above it has {differs}" if differs else "No known card differs"
    )
    return (
        f"This deck was changed in another browser meanwhile. {compared}. Save again to replace "
        "that list by yours: it stays in the history."
    )


def _address(deck: Deck, house: BanList | None) -> str:
    """Return the address of a deck's page, with the house list it was judged by."""
    where = reverse("deck", args=[deck.code])
    return f"{where}?{urlencode({'house': house.key})}" if house else where


def _without_name(request: Request, form: SaveForm) -> CheckForm:
    """Return a form to judge a list whose name is missing or wrong, which may be from a file."""
    data = request.POST.copy()
    data["text"] = form.cleaned_data["text"]
    return check_form(request, data)


def _read(form: CheckForm) -> ResolvedList:
    """Return the list in a form with its cards.

    :raises Refused: if the form has an error, or the text is not the list of a deck.
    """
    values = cleaned_data(form)
    return legality.read_to_keep(values["text"], RULESETS[values["ruleset"]])


def page(
    request: Request,
    *,
    form: CheckForm | None = None,
    deck: Deck | None = None,
    problem: str = "",
    name_problem: str = "",
    is_mended: bool = False,
) -> HttpResponse:
    """Show the form, and the report on the list in it; htmx gets the report alone."""
    resolved = None
    is_empty = form is None or _is_empty(form)
    if form and not problem and not (is_empty and (request.htmx or request.method != "POST")):
        try:
            resolved = _read(form)
        except Refused as refused:
            problem = str(refused)
    facts: dict[str, Any] = {
        "deck": deck,
        "problem": problem,
        "name_problem": name_problem,
        "rulesets": RULESETS.values(),
        "typed": (typed := form.data if form else asked(request)),
        "placeholder": example(typed.get("ruleset", "")),
        "text": form.cleaned_data["text"] if form and form.is_valid() else "",
        "is_new_text": is_mended or bool(form and form.files),
        "is_empty": is_empty,
        "today": timezone.localdate(),
    }
    if form and resolved:
        facts |= _report(request, form, resolved)
    status = 422 if name_problem or problem else 200
    if request.htmx:
        return render(request, "decks/_report.html", facts, status=status)
    facts |= {
        "templates": TEMPLATES,
        "has_cards": bool(form) or queries.has_cards(),
        "houses": access.house_lists(request),
        "is_signed_in": request.user.is_authenticated,
    }
    return render(request, "decks/check.html", facts, status=status)


def asked(request: Request) -> dict[str, str]:
    """Return what a link to the page asks it to begin with."""
    asked = {name: request.GET.get(name, "") for name in ("ruleset", "text")}
    return {name: value[:SAVED_MAX] for name, value in asked.items()}


def _is_empty(form: CheckForm) -> bool:
    return not form.files and not form.data.get("text", "").strip()


def latest_values(deck: Deck) -> dict[str, str]:
    """Return a deck's latest revision as values of the form."""
    latest = deck.revisions.latest("number")
    return {
        "text": latest.text,
        "ruleset": latest.ruleset,
        "type": latest.coalition_type,
        "name": deck.name,
        "state": latest.state,
    }


def _report(request: Request, form: CheckForm, resolved: ResolvedList) -> dict[str, Any]:
    """Return what the page shows of a list that was judged.

    ``asked`` is the coalition type that was chosen, None for the best fit.
    """
    values = form.cleaned_data
    ruleset = RULESETS[values["ruleset"]]
    bans = legality.read_bans(ruleset, timezone.localdate(), values["house"])
    requested = values["type"] or None
    report = legality.judge(resolved, ruleset, bans, coalition_type=requested)
    # Somebody typing may have pasted another hero's deck: show the best fit, not a problem.
    if request.htmx and any(each.code == Code.NOT_A_HERO_TYPE for each in report.problems):
        requested = None
        report = legality.judge(resolved, ruleset, bans)
    return {
        "judged": judged_list(resolved, report),
        "mends": taps.mends_of(resolved, ruleset, report, values["type"]),
        "asked": report.coalition_type if requested else None,
        "house": values["house"],
    }
