"""Checking a deck list without an account, and saving it as a deck."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access, building, commands, queries
from ..checking import legality
from ..checking.legality import ResolvedList
from ..forms import CheckForm, SaveForm
from ..models import Deck, DeckRevision
from ..pages.deck import TEMPLATES
from ..pages.report import judged_list
from ..rules.building import written
from ..rules.deck import Code
from ..rules.entries import SAVED_MAX, Section
from ..rules.rulesets import COALITION_906, RULESETS
from .decks import locked


@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def check(request: Request, code: str = "") -> HttpResponse:
    """Judge a list, while it is typed or when it is sent, or save it as a deck or a revision."""
    deck = get_object_or_404(Deck, code=code) if code else None
    if deck:
        if not access.may_change(request, deck):
            return locked(request, deck)
        commands.note_visit(deck)
    if request.method != "POST":
        begun = None
        if deck:
            latest = deck.revisions.latest("number")
            typed = {
                "text": latest.text,
                "ruleset": latest.ruleset,
                "type": latest.coalition_type,
                "name": deck.name,
                "state": latest.state,
                "house": request.GET.get("house", ""),
            }
            begun = check_form(request, typed)
        return page(request, form=begun, deck=deck)
    if "save" in request.POST:
        return save(request, deck)
    form, key = check_form(request, request.POST, request.FILES), request.POST.get("mend")
    if not key or not form.is_valid():
        return page(request, form=form, deck=deck)
    values = form.cleaned_data
    try:
        opened = building.open_list(_read(form), RULESETS[values["ruleset"]], values["type"])
        build, _ = building.fix(key, values["house"])(opened)
    except Refused as refused:
        return page(request, form=form, deck=deck, problem=str(refused))
    data = request.POST.copy()
    data["text"], data["type"] = written(build), build.coalition_type
    return page(request, form=check_form(request, data), deck=deck, is_fixed=True)


def check_form(request: Request, *data: Any) -> CheckForm:
    return CheckForm(*data, may_see=partial(access.may_see_list, request))


@limited("save")
def save(request: Request, deck: Deck | None) -> HttpResponse:
    form = SaveForm(request.POST, request.FILES, may_see=partial(access.may_see_list, request))
    data = request.POST.copy()  # of a form to judge the list again, which may be from a file
    try:
        resolved = _read(form)
    except Refused as refused:
        if list(form.errors) != ["name"]:
            return page(request, form=form, deck=deck, problem=str(refused))
        data["text"] = form.cleaned_data["text"]
        again = check_form(request, data)
        return page(request, form=again, deck=deck, name_problem=str(refused))
    values = form.cleaned_data
    name, text, house = values["name"], values["text"], values["house"]
    revision = DeckRevision(text=text, ruleset=values["ruleset"], coalition_type=values["type"])
    key, owner = "", request.user.pk
    if deck is None:
        # The same form sent again has the same key, so it opens the same deck.
        key = key_for(values["tap_id"], name, text, values["ruleset"], values["type"])
        saved = commands.save_deck(name, revision, resolved, key=key, owner=owner)
    else:
        saved = deck
        try:
            commands.save_revision(deck, name, revision, resolved, state=values["state"])
        except commands.ChangedMeanwhile as changed:
            data["text"], data["state"] = text, changed.revision.state
            problem, again = _meanwhile(changed.revision, resolved), check_form(request, data)
            return page(request, form=again, deck=deck, name_problem=problem)
    by_house = f"?{urlencode({'house': house.key})}" if house else ""
    response = redirect(reverse("deck", args=[saved.code]) + by_house)
    if key and owner is None:
        access.hand_over(request, response, saved.code, key)
    return response


def _meanwhile(theirs: DeckRevision, mine: ResolvedList) -> str:
    (difference,) = queries.places(theirs.deck, [theirs.number])
    difference.subtract(queries.places_in(mine.deck_list, mine.cards))
    differs = ", ".join(
        f"{count:+}".replace("-", "−") + f" {name}" + (f" ({at})" if at != Section.MAIN else "")
        for (name, at), count in sorted(difference.items())
        if count
    )
    compared = (
        f"Compared with the list above it has {differs}" if differs else "No known card differs"
    )
    return (
        f"This deck was changed in another browser meanwhile. {compared}. Save again to replace "
        "that list by yours: it stays in the history."
    )


def _read(form: CheckForm) -> ResolvedList:
    """:raises Refused: if the form has an error, or the text is not the list of a deck."""
    values = cleaned_data(form)
    return legality.read_to_keep(values["text"], RULESETS[values["ruleset"]])


def page(
    request: Request,
    *,
    form: CheckForm | None = None,
    deck: Deck | None = None,
    problem: str = "",
    name_problem: str = "",
    is_fixed: bool = False,
) -> HttpResponse:
    """Show the form, and the report on the list in it; htmx gets the report alone."""
    resolved = None
    is_empty = form is None or not (form.files or form.data.get("text", "").strip())
    if form and not problem and not (is_empty and (request.htmx or request.method != "POST")):
        try:
            resolved = _read(form)
        except Refused as refused:
            problem = str(refused)
    # A link to the page may ask it to begin with a list.
    asked = {name: request.GET.get(name, "")[:SAVED_MAX] for name in ("ruleset", "text")}
    typed = form.data if form else asked
    shown: dict[str, Any] = {
        "deck": deck,
        "problem": problem,
        "name_problem": name_problem,
        "rulesets": RULESETS.values(),
        "typed": typed,
        "format": RULESETS.get(typed.get("ruleset", ""), COALITION_906).format,
        "text": form.cleaned_data["text"] if form and form.is_valid() else "",
        "is_new_text": is_fixed or bool(form and form.files),
        "is_empty": is_empty,
        "today": timezone.localdate(),
    }
    if form and resolved:
        shown |= _report(request, form.cleaned_data, resolved)
    status = 422 if name_problem or problem else 200
    if request.htmx:
        return render(request, "decks/_report.html", shown, status=status)
    shown |= {
        "templates": TEMPLATES,
        "has_cards": bool(form) or queries.has_cards(),
        "houses": access.house_lists(request),
        "is_signed_in": request.user.is_authenticated,
    }
    return render(request, "decks/check.html", shown, status=status)


def _report(request: Request, values: dict[str, Any], resolved: ResolvedList) -> dict[str, Any]:
    """``asked`` in it is the coalition type that was chosen, None for the best fit."""
    ruleset, chosen = RULESETS[values["ruleset"]], values["type"] or None
    bans = legality.read_bans(ruleset, timezone.localdate(), values["house"])
    report = legality.judge(resolved, ruleset, bans, coalition_type=chosen)
    # Somebody typing may have pasted another hero's deck: show the best fit, not a problem.
    if request.htmx and any(each.code == Code.NOT_A_HERO_TYPE for each in report.problems):
        chosen = None
        report = legality.judge(resolved, ruleset, bans)
    return {
        "judged": judged_list(resolved, report),
        "fixes": building.fixes_of(resolved, report, values["type"]),
        "asked": report.coalition_type if chosen else None,
        "house": values["house"],
    }
