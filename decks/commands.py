"""What people do with decks: the only writer of decks and their revisions."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from coalition_site.keys import key_hash, new_code

from .judging import Read
from .models import Deck, DeckLine, DeckRevision
from .rules.rulesets import DeckRuleset


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
