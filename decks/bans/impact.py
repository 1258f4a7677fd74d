"""Which saved decks a change of a ban list would make illegal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.db.models import OuterRef, Q, QuerySet, Subquery

from ..checking import legality
from ..checking.legality import ResolvedList
from ..models import BanList, Deck, DeckRevision
from ..queries import Ban
from ..rules.rulesets import RULESETS

Bans = Sequence[Ban]


def decks_between(
    ban_list: BanList, before: Bans, after: Bans, today: tuple[Bans, Bans]
) -> tuple[list[Deck], list[Deck]]:
    """Return the saved decks, by name, that a change makes illegal on its day, and others beside.

    The others are legal today, are illegal by then through what is planned already, and would be
    through this change as well; ``today`` is today's list without and with the change. Of a house
    list only decks that sat at its playgroup's tables count. Three queries at most.
    """
    latest = DeckRevision.objects.filter(deck=OuterRef("deck")).order_by("-number")
    revisions = revisions_between(ban_list, before, after)
    revisions = revisions.filter(pk=Subquery(latest.values("pk")[:1])).select_related("deck")
    if ban_list.base_id:
        revisions = revisions.filter(deck__revisions__seats__game_set__playgroup__house=ban_list)
    made, also = list[Deck](), list[Deck]()
    for revision, resolved in legality.read_all(list(revisions.order_by("deck__name", "deck"))):
        if _becomes_illegal(revision, resolved, before, after):
            made.append(revision.deck)
        elif _becomes_illegal(revision, resolved, *today) and not _is_legal(
            revision, resolved, before
        ):
            also.append(revision.deck)
    return made, also


def revisions_between(ban_list: BanList, before: Bans, after: Bans) -> QuerySet[DeckRevision]:
    """Return the revisions of decks with a card of which two lists say something else."""
    changed = set(map(_without_wording, before)) ^ set(map(_without_wording, after))
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


def _without_wording(entry: Ban) -> Ban:
    """Return an entry without its reason and date, which no verdict depends on."""
    return replace(entry, reason="", since=date.min)


def _becomes_illegal(
    revision: DeckRevision, resolved: ResolvedList, before: Bans, after: Bans
) -> bool:
    return _is_legal(revision, resolved, before) and not _is_legal(revision, resolved, after)


def _is_legal(revision: DeckRevision, resolved: ResolvedList, bans: Bans) -> bool:
    ruleset, coalition_type = RULESETS[revision.ruleset], revision.coalition_type or None
    return legality.judge(resolved, ruleset, bans, coalition_type=coalition_type).legal
