"""Which saved decks a change of a ban list would make illegal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from ..checking import legality
from ..checking.legality import ResolvedList
from ..models import BanEntry, BanList, Deck, DeckRevision
from ..queries import Ban
from ..rules.rulesets import RULESETS

Change = Callable[[], BanEntry]


def decks_made_illegal(ban_list: BanList, change: Change, on: date) -> list[Deck]:
    """Return the saved decks, by name, that a change makes illegal on a day.

    The change is made and rolled back. The latest revision of each deck is judged by the list of
    its own format, so changes of a house list affect none.
    """
    rulesets = {key: rules for key, rules in RULESETS.items() if rules.format == ban_list.format}
    ruleset = next(iter(rulesets.values()))
    before = legality.read_bans(ruleset, on)
    with _rolled_back():
        change()
        after = legality.read_bans(ruleset, on)
    return decks_between(ban_list, before, after)


def decks_between(ban_list: BanList, before: Sequence[Ban], after: Sequence[Ban]) -> list[Deck]:
    """Return the saved decks, by name, that are legal by a list before a change, not after it.

    Of a house list those that sat at its playgroup's tables. Three queries at most.
    """
    rulesets = {key: rules for key, rules in RULESETS.items() if rules.format == ban_list.format}
    changed = set(map(_without_wording, before)) ^ set(map(_without_wording, after))
    revisions = _revisions_with(changed, rulesets) if changed else DeckRevision.objects.none()
    if ban_list.base_id:
        revisions = revisions.filter(deck__revisions__seats__game_set__playgroup__house=ban_list)
    return [
        revision.deck
        for revision, resolved in legality.read_all(list(revisions))
        if _becomes_illegal(revision, resolved, before, after)
    ]


def _without_wording(entry: Ban) -> Ban:
    """Return an entry without its reason and date, which no verdict depends on."""
    return replace(entry, reason="", since=date.min)


@contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _revisions_with(entries: Iterable[Ban], rulesets: Iterable[str]) -> QuerySet[DeckRevision]:
    """Return the latest revisions of the decks with a card that an entry covers."""
    entries = list(entries)
    keys = frozenset[int]().union(*(entry.cards for entry in entries))
    is_covered = Q(lines__card__in=keys)
    for field in {entry.field for entry in entries if entry.field}:
        is_covered |= Q(**{f"lines__card__{field}": True})
    if any(entry.named for entry in entries):  # only the text of a list has names
        is_covered |= Q(ruleset__in=[key for key in rulesets if RULESETS[key].by_name])
    latest = DeckRevision.objects.filter(deck=OuterRef("deck")).order_by("-number")
    return (
        DeckRevision.objects.filter(is_covered, ruleset__in=rulesets)
        .filter(pk=Subquery(latest.values("pk")[:1]))
        .select_related("deck")
        .order_by("deck__name", "deck")
        .distinct()
    )


def _becomes_illegal(
    revision: DeckRevision, resolved: ResolvedList, before: Sequence[Ban], after: Sequence[Ban]
) -> bool:
    ruleset, coalition_type = RULESETS[revision.ruleset], revision.coalition_type or None

    def is_legal(bans: Sequence[Ban]) -> bool:
        return legality.judge(resolved, ruleset, bans, coalition_type=coalition_type).legal

    return is_legal(before) and not is_legal(after)
