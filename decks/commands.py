"""What people do with decks: the only writer of decks and their revisions."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.keys import key_hash, new_code

from . import queries
from .legality import Read
from .models import Deck, DeckLine, DeckRevision, today
from .rules.rulesets import DeckRuleset

AT_ONCE = 100  # decks removed in one transaction, for which taps wait on SQLite


def save_deck(
    name: str, text: str, found: Read, ruleset: DeckRuleset, coalition_type: str, *, key: str
) -> Deck:
    """Register a deck with its first revision; a key that is known gives its deck again."""
    try:
        with transaction.atomic():
            deck = Deck.objects.create(
                code=new_code(),
                name=name,
                key_hash=key_hash(key),
                created_at=timezone.now(),
            )
            _revise(deck, 1, text, found, ruleset, coalition_type)
    except IntegrityError:
        known = Deck.objects.filter(key_hash=key_hash(key)).first()
        if known is None:
            raise
        return known
    return deck


def save_revision(
    deck: Deck, name: str, text: str, found: Read, ruleset: DeckRuleset, coalition_type: str
) -> DeckRevision:
    """Keep what a deck has become beside what it was; the same again changes nothing."""
    with transaction.atomic():
        Deck.objects.select_for_update(no_key=True).get(pk=deck.pk)
        if deck.name != name:
            deck.name = name
            deck.save(update_fields=["name"])
        latest = deck.revisions.latest("number")
        said = (text, ruleset.key, coalition_type)
        if (latest.text, latest.ruleset, latest.coalition_type) == said:
            return latest
        return _revise(deck, latest.number + 1, text, found, ruleset, coalition_type)


def _revise(
    deck: Deck, number: int, text: str, found: Read, ruleset: DeckRuleset, coalition_type: str
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
            card=found.cards[entry.name],
            section=entry.section.value,
            is_hero=entry.is_hero,
        )
        for entry in found.deck_list.entries
        if entry.name in found.cards
    )
    return revision


def note_visit(deck: Deck) -> None:
    """Write down that a deck is opened today: once a day, and not where nothing can be written."""
    if deck.opened_on is None or deck.opened_on < today():
        with suppress(DatabaseError):
            Deck.objects.filter(pk=deck.pk).update(opened_on=today())


def remove_unused(since: date) -> tuple[int, int]:
    """Remove the decks that no seat carries and nobody opened since a day, some at a time.

    Return how many decks that were, and how many revisions they had.
    """
    decks = revisions = 0
    while counts := _remove_some(since):
        decks += counts[Deck._meta.label]
        revisions += counts[DeckRevision._meta.label]
    return decks, revisions


@transaction.atomic
def _remove_some(since: date) -> dict[str, int]:
    """Remove some unused decks; return how many rows of each kind that were."""
    unused = queries.unused_decks(since).select_for_update(of=("self",))
    keys = [deck.pk for deck in unused.order_by("pk")[:AT_ONCE]]
    return Deck.objects.filter(pk__in=keys).delete()[1]
