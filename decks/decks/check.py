"""Checking a deck list without an account, and saving it as a deck."""

from collections import Counter
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from coalition_site.lib.keys import key_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request

from .. import access, queries
from ..catalogue import memory
from ..models import Deck, DeckRevision
from ..rules.building import written
from ..rules.deck import Code, Problem
from ..rules.entries import SAVED_MAX, Section
from ..rules.fixes import Fix
from ..rules.rulesets import COALITION_906, RULESETS
from . import building, commands, legality
from .forms import CheckForm, SaveForm
from .legality import ResolvedList
from .planned import planned
from .report import judged_list
from .views import address, locked, numbered

SHOWN = 5  # problems of a kind
Fixed = tuple[Problem, list[Fix]]


# Judging writes nothing, so it needs no token, which may be of before somebody signed in.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def check(request: Request, code: str = "") -> HttpResponse:
    deck = get_object_or_404(Deck, code=code) if code else None
    if deck:
        if not access.may_change(request, deck):
            return locked(request, deck)
        commands.note_visit(deck)
    if request.method != "POST":
        return begin(request, deck)
    if "save" in request.POST:
        return save(request, deck)
    form, key = CheckForm(request, request.POST, request.FILES), request.POST.get("fix")
    if key and form.is_valid():
        return fix(request, deck, form, key)
    return judge(request, deck, form)


@csrf_exempt  # a phone's share sheet has no token, and nothing is written
@require_http_methods(["GET", "HEAD", "POST"])
@limited("check")
def check_shared(request: Request) -> HttpResponse:
    if request.method != "POST":
        return redirect("check")
    text = request.POST.get("text") or request.POST.get("url", "")
    data = {"text": text, "ruleset": COALITION_906.key}
    return judge(request, None, CheckForm(request, data, request.FILES))


def begin(request: Request, deck: Deck | None) -> HttpResponse:
    if deck is None:
        # A link to the page may ask it to begin with a list.
        asked = {name: request.GET.get(name, "")[:SAVED_MAX] for name in ("ruleset", "text", "on")}
        form = CheckForm(request, asked)
        return page(request, None, form, lacks_cards=not queries.has_cards())
    latest = deck.revisions.latest("number")
    revision = numbered(deck, request.GET.get("revision"), latest)
    typed = {
        "text": revision.text,
        "ruleset": revision.ruleset,
        "type": revision.coalition_type,
        "name": deck.name,
        "state": latest.state,
        "house": request.GET.get("house", ""),
        "on": request.GET.get("on", ""),
    }
    return judge(request, deck, CheckForm(request, typed))


def fix(request: Request, deck: Deck | None, form: CheckForm, key: str) -> HttpResponse:
    data, values = request.POST.copy(), form.cleaned_data
    try:
        opened = building.open_list(_read(form), RULESETS[values["ruleset"]], values["type"])
        build, _ = building.fix(opened, key, values["house"], values["on"])
    except Refused as refused:
        return page(request, deck, form, problem=str(refused))
    data["text"], data["type"] = written(build), build.coalition_type
    return judge(request, deck, CheckForm(request, data), is_new_text=True)


@csrf_protect
@limited("save")
def save(request: Request, deck: Deck | None) -> HttpResponse:
    form = SaveForm(request, request.POST, request.FILES)
    data = request.POST.copy()  # of a form to judge the list again, which may be from a file
    try:
        resolved = _read(form)
        values = form.cleaned_data
        name, text = values["name"], values["text"]
        revision = DeckRevision(text=text, ruleset=values["ruleset"], coalition_type=values["type"])
        key, owner = "", request.user.pk
        if deck:
            commands.save_revision(deck, name, revision, resolved, state=values["state"])
        else:
            # The same form sent again has the same key, so it opens the same deck.
            key = key_for(values["tap_id"], name, text, values["ruleset"], values["type"])
            deck = commands.save_deck(name, revision, resolved, key=key, owner=owner)
        response = redirect(address(deck, values["house"]))
        if key and owner is None:
            access.hand_over(request, response, deck.code, key)
        return response
    except commands.ChangedMeanwhile as changed:
        problem, data["state"] = _meanwhile(changed.revision, resolved), changed.revision.state
    except Refused as refused:
        problem = str(refused)
        if list(form.errors) != ["name"]:
            return page(request, deck, form, problem=problem)
    data["text"] = form.cleaned_data["text"]
    return judge(request, deck, CheckForm(request, data), name_problem=problem)


def _meanwhile(theirs: DeckRevision, mine: ResolvedList) -> str:
    of_theirs = legality.read_saved(theirs.text, RULESETS[theirs.ruleset])
    difference, own = legality.copies_by_place(of_theirs, mine)
    difference.subtract(own)
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
        "that list with yours; the old one stays in the history."
    )


def _read(form: CheckForm) -> ResolvedList:
    """:raises Refused: if the form has an error, or the text is not the list of a deck."""
    values = cleaned_data(form)
    return legality.read_to_keep(values["text"], RULESETS[values["ruleset"]])


def judge(request: Request, deck: Deck | None, form: CheckForm, **facts: Any) -> HttpResponse:
    """Show the report on the list in a form, but none on a list that nobody has typed yet."""
    is_empty = not (form.files or form.data.get("text", "").strip())
    if is_empty and (request.htmx or request.method != "POST"):
        return page(request, deck, form, **facts, is_empty=True)
    try:
        resolved = _read(form)
    except Refused as refused:
        return page(request, deck, form, **facts, problem=str(refused))
    values = form.cleaned_data
    ruleset, chosen = RULESETS[values["ruleset"]], values["type"]
    lists, house, on = memory.BAN_LISTS.now(), values["house"], values["on"]
    bans = lists.entries(ruleset.format, house, on)
    report = legality.judge(resolved, ruleset, bans, coalition_type=chosen)
    # Somebody typing may have pasted another hero's deck: show the best fit, not a problem.
    if request.htmx and any(each.code == Code.NOT_A_HERO_TYPE for each in report.problems):
        chosen = ""
        report = legality.judge(resolved, ruleset, bans)
    fixes = building.fixes_of(resolved, report, values["type"])
    unread = [options for problem, options in fixes if problem.code is Code.BAD_LINE]
    shown, more = shortened([fix for fix in fixes if fix[0].code is not Code.BAD_LINE])
    facts |= {
        "judged": judged_list(resolved, report),
        "readings": building.readings_of(resolved, ruleset),
        "unread": unread[0][-1:] if unread else [],  # all such lines at once
        "fixes": shown,
        "more": more,
        "asked": report.coalition_type if chosen else None,  # None for the best fit
        "house": house,
        "on": on,
        "planned": planned(resolved, report, lists, house, on, chosen),
    }
    return page(request, deck, form, **facts)


def shortened(fixes: list[Fixed]) -> tuple[list[Fixed], list[Fixed]]:
    """Return the first problems of each kind, and the others: a file may have a thousand."""
    counts = Counter[Code]()
    shown, more = list[Fixed](), list[Fixed]()
    for problem, options in fixes:
        counts[problem.code] += 1
        (shown if counts[problem.code] <= SHOWN else more).append((problem, options))
    return shown, more


def page(request: Request, deck: Deck | None, form: CheckForm, **facts: Any) -> HttpResponse:
    """Show the form, and ``facts`` about the list in it; htmx gets the report alone."""
    shown = {
        "deck": deck,
        "to": reverse("change_deck", args=[deck.code]) if deck else reverse("check"),
        "rulesets": [(ruleset.key, ruleset.title) for ruleset in RULESETS.values()],
        "typed": form.data,
        "format": RULESETS.get(form.data.get("ruleset", ""), COALITION_906).format,
        "text": form.cleaned_data["text"] if form.is_valid() else "",
        "is_new_text": bool(form.files),
    } | facts
    status = 422 if facts.keys() & {"problem", "name_problem"} else 200
    if request.htmx:
        return render(request, "decks/_report.html", shown, status=status)
    shown["houses"] = [(house.key, house.name) for house in access.house_lists(request)]
    return render(request, "decks/check.html", shown, status=status)
