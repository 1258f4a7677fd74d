"""Saving and removing decks: the only writer of decks and their revisions."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.keys import key_hash, new_code

from . import queries
from .legality import ResolvedList
from .models import Deck, DeckLine, DeckRevision, today
from .rules.rulesets import DeckRuleset

AT_ONCE = 100  # decks removed per transaction; on SQLite, taps wait for each


def save_deck(
    name: str,
    text: str,
    resolved: ResolvedList,
    ruleset: DeckRuleset,
    coalition_type: str,
    *,
    key: str,
) -> Deck:
    """Create a deck with its first revision, or return the deck that already has this key."""
    try:
        with transaction.atomic():
            deck = Deck.objects.create(
                code=new_code(),
                name=name,
                key_hash=key_hash(key),
                created_at=timezone.now(),
            )
            _create_revision(deck, 1, text, resolved, ruleset, coalition_type)
    except IntegrityError:
        # The same form was sent twice at once. The key is derived from its content.
        existing = Deck.objects.filter(key_hash=key_hash(key)).first()
        if existing is None:
            raise
        return existing
    return deck


def save_revision(
    deck: Deck,
    name: str,
    text: str,
    resolved: ResolvedList,
    ruleset: DeckRuleset,
    coalition_type: str,
) -> DeckRevision:
    """Rename a deck and save its next revision; if the list is unchanged, return the latest."""
    with transaction.atomic():
        # Two tabs that save at once must not take the same number.
        Deck.objects.select_for_update(no_key=True).get(pk=deck.pk)
        if deck.name != name:
            deck.name = name
            deck.save(update_fields=["name"])
        latest = deck.revisions.latest("number")
        content = (text, ruleset.key, coalition_type)
        if (latest.text, latest.ruleset, latest.coalition_type) == content:
            return latest
        return _create_revision(deck, latest.number + 1, text, resolved, ruleset, coalition_type)


def _create_revision(
    deck: Deck,
    number: int,
    text: str,
    resolved: ResolvedList,
    ruleset: DeckRuleset,
    coalition_type: str,
) -> DeckRevision:
    revision = DeckRevision.objects.create(
        deck=deck,
        number=number,
        text=text,
        ruleset=ruleset.key,
        coalition_type=coalition_type,
        created_at=timezone.now(),
    )
    DeckLine.objects.bulk_create(
        DeckLine(
            revision=revision,
            line=entry.line,
            count=entry.count,
            card_id=resolved.cards[entry.name].pk,
            section=entry.section.value,
            is_hero=entry.is_hero,
        )
        for entry in resolved.deck_list.entries
        if entry.name in resolved.cards
    )
    return revision


def note_visit(deck: Deck) -> None:
    """Store that a deck was opened today, with at most one write a day."""
    if deck.opened_on is None or deck.opened_on < today():
        with suppress(DatabaseError):  # a read-only replica may serve the page
            Deck.objects.filter(pk=deck.pk).update(opened_on=today())


def remove_unused(since: date) -> tuple[int, int]:
    """Remove the decks that no seat uses and nobody has opened since a day, in batches.

    Return how many decks were removed, and how many revisions they had.
    """
    decks = revisions = 0
    while counts := _remove_some(since):
        decks += counts[Deck._meta.label]
        revisions += counts[DeckRevision._meta.label]
    return decks, revisions


@transaction.atomic
def _remove_some(since: date) -> dict[str, int]:
    """Remove some unused decks; return the number of deleted rows by model label."""
    unused = queries.unused_decks(since).select_for_update(of=("self",))
    keys = [deck.pk for deck in unused.order_by("pk")[:AT_ONCE]]
    return Deck.objects.filter(pk__in=keys).delete()[1]
