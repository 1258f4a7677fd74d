"""What publishing a draft would do: to the list, and to saved decks. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..models import (
    NAMED_RULES,
    Announced,
    Announcement,
    AnnouncementLine,
    BanEntry,
    Deck,
    DeckRevision,
)
from ..queries import Ban, as_ban, precedence
from . import announced, history
from .announced import Change
from .commands import why_not_after
from .impact import decks_between, revisions_between

Ranked = tuple[tuple[bool, bool, bool], Ban]


@dataclass(frozen=True)
class Step:
    """What a line would do; ``problem`` is why it can't, ``note`` what its editor should know."""

    line: AnnouncementLine
    change: Change | None
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """What a draft would do; ``decks`` are the saved decks that it makes illegal.

    ``also`` are those that a change planned already makes illegal, and this one would too.
    ``brought`` are the revisions of decks with a card of which the list of the past would say
    something else. ``fingerprint`` differs whenever the list, the draft or the decks do.
    """

    steps: Sequence[Step]
    decks: Sequence[Deck]
    also: Sequence[Deck]
    brought: QuerySet[DeckRevision]
    fingerprint: str

    @property
    def problems(self) -> list[str]:
        return [step.problem for step in self.steps if step.problem]

    @property
    def changes(self) -> list[Change]:
        return announced.in_order(step.change for step in self.steps if step.change)


def lines_of(draft: Announcement) -> list[AnnouncementLine]:
    """Return the lines of a draft, with their cards. Two queries."""
    return list(draft.lines.select_related("card").prefetch_related("cards"))


def make(draft: Announcement) -> Plan:
    """Return what publishing a draft would do. Seven queries at most."""
    lines, entries = lines_of(draft), history.history(draft.ban_list)
    steps = [_step(draft, line, entries) for line in lines]
    changing = [step.line for step in steps if step.change]
    today = timezone.localdate()

    def lists_on(on: date) -> tuple[list[Ban], list[Ban]]:
        bans = announced.bans_on(draft.ban_list, entries, on)
        return bans, _after(draft, changing, entries, on)

    before, after = lists_on(max(draft.on, today))
    steps = [_with_note(step, before, after) for step in steps]
    made, also = decks_between(draft.ban_list, before, after, lists_on(today))
    brought = revisions_between(draft.ban_list, *lists_on(draft.on))
    return Plan(steps, made, also, brought, _fingerprint(draft, steps, [*made, *also]))


def _step(draft: Announcement, line: AnnouncementLine, entries: Sequence[BanEntry]) -> Step:
    own = [
        entry
        for entry in entries
        if entry.ban_list_id == draft.ban_list_id and history.subject_key(entry) == _key(line)
    ]
    was = next((entry for entry in own if history.is_in_force(entry, draft.on)), None)
    cards = sorted(card.name for card in line.cards.all())
    change = Change(
        line.name,
        not line.rule,
        line.status,
        was.status if was else "",
        line.reason,
        "",
        cards,
        has_page=line.card_id is not None,
    )
    if line.status == Announced.LEGAL:
        return Step(line, change if was else None, note="" if was else "It has no entry already.")
    if line.rule in NAMED_RULES and not cards:
        return Step(line, None, f"{line.name}: name the cards that it covers.")
    if problem := why_not_after(own[-1] if own else None, draft.on):
        return Step(line, None, f"{line.name}: {problem}")
    if was and _says(was, line):
        return Step(line, None, note="The list says so already.")
    renewed = was is not None and was.status == line.status
    return Step(line, change, note="Only the reason or its cards change." if renewed else "")


def _key(line: AnnouncementLine) -> history.SubjectKey:
    return line.card_id, line.rule or line.named_key


def _says(entry: BanEntry, line: AnnouncementLine) -> bool:
    """Return whether an entry says what a line would, without an end."""
    return (entry.status, entry.reason, entry.ends_on) == (line.status, line.reason, None) and {
        card.pk for card in entry.cards.all()
    } == {card.pk for card in line.cards.all()}


def _after(
    draft: Announcement, lines: Sequence[AnnouncementLine], entries: Sequence[BanEntry], on: date
) -> list[Ban]:
    """Return the entries in force on a day once these lines are published."""
    subjects = set(map(_key, lines))
    left = [
        entry
        for entry in entries
        if entry.ban_list_id != draft.ban_list_id or history.subject_key(entry) not in subjects
    ]
    ranked = announced.ranked_bans(draft.ban_list, left, on)
    ranked += [_ranked(line, draft.on) for line in lines if line.status != Announced.LEGAL]
    return [ban for _, ban in sorted(ranked, key=lambda item: item[0])]


def _ranked(line: AnnouncementLine, on: date) -> Ranked:
    cards = [line.card_id] if line.card_id else [card.pk for card in line.cards.all()]
    ban = as_ban(line.status, line.reason, on, line.rule, cards, line.named_key)
    return precedence(line.status, line.rule, is_house=True), ban


def _with_note(step: Step, before: Sequence[Ban], after: Sequence[Ban]) -> Step:
    """Add what the other entries that cover a line's card mean for it."""
    card, note = step.line.card, ""
    if card and step.line.status == Announced.LEGAL:
        barred = announced.still_barred(card, after)
        note = f"{barred} To exempt it, say that it is allowed." if barred else ""
    elif card and step.change and not step.change.was:
        deciding = next((ban for ban in before if ban.covers(card)), None)
        if deciding and deciding.status == step.line.status == Announced.BANNED:
            note = f"It is banned already: {deciding.reason.rstrip('.') or 'by another entry'}."
    return replace(step, note=" ".join(filter(None, (step.note, note))))


def _fingerprint(draft: Announcement, steps: Sequence[Step], decks: Sequence[Deck]) -> str:
    effects = [(repr(step.change), step.problem) for step in steps]
    values = (draft.pk, draft.version, effects, [deck.pk for deck in decks])
    return salted_hmac("decks.announcement", repr(values)).hexdigest()
