"""Entering a playgroup's notebook: sets that nobody scored, from lines that are pasted."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID
from zlib import crc32

from django import forms
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from coalition_site.lib.forms import Tap, any_error, check_lines_showable
from coalition_site.lib.keys import code_for
from coalition_site.lib.limits import limited
from coalition_site.lib.pages import cleaned_data
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from coalition_site.lib.texts import name_key

from ...models import GameSet, Playgroup, SetResult
from ...record import commands, counting
from ...record.seating import merged_into
from ...rules.formats import RULESETS
from ...rules.results import EnterResult
from ...rules.words import count
from .. import queries
from ..bases import group_page
from ..decorators import scorekeepers_view, takes_form
from .membership import take_set
from .notebook import SETS_MAX, Line, new_names, read, repeated

TEXT_MAX = 10_000  # characters
CHOICES = [(key, of.title) for key, of in RULESETS.items() if EnterResult in of.moves]


class NotebookForm(Tap):
    ruleset = forms.TypedChoiceField(
        coerce=RULESETS.get, choices=CHOICES, error_messages=any_error("Choose a ruleset.")
    )
    text = forms.CharField(
        max_length=TEXT_MAX,
        validators=[check_lines_showable],
        error_messages={
            "required": "Paste or type the sets, one a line.",
            "max_length": f"This is too long: {TEXT_MAX} characters at most.",
        },
    )
    shown = forms.CharField(required=False)


def notebook_page(
    request: Request,
    group: Playgroup,
    lines: Sequence[Line] = (),
    refused: Refused | None = None,
    **shown: Any,
) -> HttpResponse:
    asked, data = Tap({"tap_id": request.GET.get("recorded", "")}), request.POST
    codes = _codes(group, asked.cleaned_data["tap_id"]) if asked.is_valid() else ()
    results = SetResult.objects.select_related("player").order_by("rank", "pk")
    entered = group.sets.filter(code__in=codes).order_by("facts__played_on", "pk")
    return group_page(
        request,
        "groups/notebook.html",
        group,
        refused,
        text=data.get("text", ""),
        rulesets=CHOICES,
        ruleset=data.get("ruleset", group.ruleset),
        lines=lines,
        entered=entered.select_related("facts").prefetch_related(Prefetch("results", results)),
        **shown,
    )


@limited("tap")
@takes_form(scorekeepers_view, notebook_page)
def notebook(request: Request, group: Playgroup) -> HttpResponse:
    data = cleaned_data(NotebookForm(request.POST))
    ruleset = data["ruleset"]
    known = {name_key(name): name for name in group.players.values_list("name", flat=True)}
    lines = read(data["text"], ruleset, known, queries.today(group))
    if not lines:
        raise Refused("There is only a day: write the sets of that day below it.")
    wrong = sum(1 for line in lines if line.problem)
    if wrong:
        problem = f"{count(wrong, 'line')} of {len(lines)} can’t be read. Nothing was recorded."
        return notebook_page(request, group, lines, Refused(problem))
    if len(lines) > SETS_MAX:
        raise Refused(f"{len(lines)} sets are too many at once: {SETS_MAX} at most.")
    # Only what was shown is recorded: a text that was changed since is shown again.
    shown = f"{crc32(repr((ruleset.key, [line.text.split() for line in lines])).encode()):x}"
    if data["shown"] != shown:
        new, recorded = new_names(lines, known), _recorded(group, lines)
        twice = [number for number in repeated(lines) if number not in recorded]
        return notebook_page(
            request, group, lines, shown=shown, new=new, recorded=recorded, repeated=twice
        )
    enter_sets(group, lines, data["tap_id"])
    return redirect(f"{reverse('notebook', args=[group.code])}?recorded={data['tap_id']}")


def _codes(group: Playgroup, tap_id: UUID) -> list[str]:
    return [code_for(tap_id, "notebook", group.code, str(at)) for at in range(SETS_MAX)]


def _recorded(group: Playgroup, lines: Sequence[Line]) -> list[int]:
    """Return the numbers of lines of which the group has a set: of that day, with these results."""
    results = SetResult.objects.filter(
        game_set__playgroup=group, played_on__in={line.day for line in lines}
    )
    sets: dict[int, set[Any]] = defaultdict(set)
    for code, *result in results.values_list("game_set", "played_on", "player", "victory_points"):
        sets[code].add(tuple(result))
    merged, players = merged_into(group.pk), group.players.values_list("name", "pk")
    people = {name: counting.root(key, merged) for name, key in players}
    return [
        line.number
        for line in lines
        if {(line.day, people.get(name), row.victory_points) for name, row, _ in line.standings}
        in sets.values()
    ]


@transaction.atomic
def enter_sets(group: Playgroup, lines: Sequence[Line], tap_id: UUID) -> None:
    """:raises GroupRefused: if two at a table are the same player. Nothing is recorded then."""
    # Before the sets, which nobody else can lock yet: the second of two that send the same waits.
    counting.lock_group(group.pk)
    codes = _codes(group, tap_id)
    if GameSet.objects.filter(code__in=codes).exists():
        return
    for code, line in zip(codes, lines, strict=False):
        assert line.played
        take_set(commands.store_set(line.played.log, code=code), group, are_players=True)
