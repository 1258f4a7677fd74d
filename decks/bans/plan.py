"""What publishing a draft would do: to the list, and to saved decks. Nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..checking import legality
from ..models import (
    NAMED_RULES,
    Announced,
    Announcement,
    AnnouncementLine,
    BanEntry,
    BanList,
    Deck,
    DeckRevision,
)
from ..queries import Ban
from ..rules.rulesets import RULESETS
from . import announced, history
from .announced import Change
from .commands import why_not_after

Bans = Sequence[Ban]


@dataclass(frozen=True)
class Step:
    line: AnnouncementLine
    change: Change | None
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """What a draft would do; ``decks`` are the saved decks that it makes illegal.

    ``also`` are those that a change planned already makes illegal, and this one would too.
    ``concerned`` have a card of which the list of the draft's day would say something else.
    """

    steps: Sequence[Step]
    decks: Sequence[Deck]
    also: Sequence[Deck]
    concerned: QuerySet[DeckRevision]
    fingerprint: str

    @property
    def problems(self) -> list[str]:
        return [step.problem for step in self.steps if step.problem]

    @property
    def changes(self) -> list[Change]:
        return announced.in_order(step.change for step in self.steps if step.change)


def lines_of(draft: Announcement) -> list[AnnouncementLine]:
    return list(draft.lines.select_related("card").prefetch_related("cards"))


def make(draft: Announcement) -> Plan:
    ban_list, entries = draft.ban_list, history.history(draft.ban_list)
    steps = [_step(draft, line, entries) for line in lines_of(draft)]
    changing = [step.line for step in steps if step.change]
    subjects = set(map(history.subject_key, changing))
    left = [
        entry
        for entry in entries
        if entry.ban_list_id != ban_list.pk or history.subject_key(entry) not in subjects
    ]
    new = [line for line in changing if line.status != Announced.LEGAL]
    today = timezone.localdate()

    def lists_on(on: date) -> tuple[Bans, Bans]:
        before = announced.bans_on(ban_list, entries, on)
        return before, announced.bans_on(ban_list, left, on, new)

    before, after = lists_on(max(draft.on, today))
    steps = [
        replace(step, note=" ".join(filter(None, (step.note, _note(step, before, after)))))
        for step in steps
    ]
    made, also = _decks_between(ban_list, before, after, lists_on(today))
    effects = [(repr(step.change), step.problem) for step in steps]
    seen = (draft.pk, draft.version, effects, [deck.pk for deck in (*made, *also)])
    fingerprint = salted_hmac("decks.announcement", repr(seen)).hexdigest()
    return Plan(steps, made, also, _revisions_between(ban_list, *lists_on(draft.on)), fingerprint)


def _step(draft: Announcement, line: AnnouncementLine, entries: Sequence[BanEntry]) -> Step:
    subject = draft.ban_list_id, history.subject_key(line)
    own = [entry for entry in entries if (entry.ban_list_id, history.subject_key(entry)) == subject]
    was = next((entry for entry in own if history.is_in_force(entry, draft.on)), None)
    change = announced.change_of(line, was.status if was else "")
    if line.status == Announced.LEGAL:
        return Step(line, change if was else None, note="" if was else "It has no entry already.")
    if line.rule in NAMED_RULES and not change.cards:
        return Step(line, None, f"{line.name}: name the cards that it covers.")
    if problem := why_not_after(own[-1] if own else None, draft.on):
        return Step(line, None, f"{line.name}: {problem}")
    if was is None or was.status != line.status:
        return Step(line, change)
    is_same = (was.reason, was.ends_on) == (line.reason, None)
    if is_same and set(was.cards.all()) == set(line.cards.all()):
        return Step(line, None, note="The list says so already.")
    return Step(line, change, note="Only the reason or its cards change.")


def _note(step: Step, before: Bans, after: Bans) -> str:
    card = step.line.card
    if card and step.line.status == Announced.LEGAL:
        barred = announced.still_barred(card, after)
        return barred and f"{barred} To exempt it, say that it is allowed."
    if card and step.change and not step.change.was:
        deciding = next((ban for ban in before if ban.covers(card)), None)
        if deciding and deciding.status == step.line.status == Announced.BANNED:
            return f"It is banned already: {deciding.reason.rstrip('.') or 'by another entry'}."
    return ""


# --- saved decks ---
def _decks_between(
    ban_list: BanList, before: Bans, after: Bans, today: tuple[Bans, Bans]
) -> tuple[list[Deck], list[Deck]]:
    """Of a house list only decks that sat at its playgroup's tables count."""
    latest = DeckRevision.objects.filter(deck=OuterRef("deck")).order_by("-number")
    revisions = _revisions_between(ban_list, before, after)
    revisions = revisions.filter(pk=Subquery(latest.values("pk")[:1])).select_related("deck")
    if ban_list.base_id:
        revisions = revisions.filter(deck__revisions__seats__game_set__playgroup__house=ban_list)
    made, also = list[Deck](), list[Deck]()
    for revision, resolved in legality.read_all(revisions.order_by("deck__name", "deck")):
        ruleset, chosen = RULESETS[revision.ruleset], revision.coalition_type or None
        judge = partial(legality.judge, resolved, ruleset, coalition_type=chosen)
        if judge(before).legal:
            if not judge(after).legal:
                made.append(revision.deck)
        elif judge(today[0]).legal and not judge(today[1]).legal:
            also.append(revision.deck)
    return made, also


def _revisions_between(ban_list: BanList, before: Bans, after: Bans) -> QuerySet[DeckRevision]:
    """Return the revisions of decks with a card of which two lists say something else."""
    # No verdict depends on the reason and date of an entry.
    old, new = (
        {replace(ban, reason="", since=date.min) for ban in bans} for bans in (before, after)
    )
    changed = old ^ new
    if not changed:
        return DeckRevision.objects.none()
    rulesets = [key for key, rules in RULESETS.items() if rules.format == ban_list.format]
    keys = frozenset[int]().union(*(entry.cards for entry in changed))
    is_covered = Q(lines__card__in=keys)
    for field in {entry.field for entry in changed if entry.field}:
        is_covered |= Q(**{f"lines__card__{field}": True})
    if any(entry.named for entry in changed):  # only the text of a list has names
        is_covered |= Q(ruleset__in=[key for key in rulesets if RULESETS[key].by_name])
    return DeckRevision.objects.filter(is_covered, ruleset__in=rulesets).distinct()
