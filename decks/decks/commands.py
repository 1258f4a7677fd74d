"""Saving and removing decks: the only writer of decks and their revisions."""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, timedelta
from html import unescape
from operator import attrgetter
from typing import NamedTuple

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from coalition_site.lib.keys import key_hash, new_code, new_key
from coalition_site.lib.refusals import Refused

from .. import queries
from ..models import Deck, DeckLine, DeckRevision, today
from ..rules.building import written
from ..rules.entries import SAVED_MAX
from ..rules.names import front_key, name_key
from ..rules.rulesets import RULESETS, DeckRuleset
from . import legality
from .building import Opened, Tap, open_list
from .legality import ResolvedList

TOO_LONG_TO_SAVE = (
    f"This list is too long to save: {SAVED_MAX // 1000} kB at most. Take out comments, or cards "
    f"that are not in the deck."
)
EDITING = timedelta(minutes=10)
AT_ONCE = 100  # decks removed per transaction; on SQLite, taps wait for each


class ChangedMeanwhile(Refused):
    """Somebody else changed a deck after the page was loaded; ``revision`` is what it is now."""

    def __init__(self, revision: DeckRevision) -> None:
        super().__init__("This deck was changed in another browser meanwhile.")
        self.revision = revision


def save_deck(
    name: str,
    revision: DeckRevision,
    resolved: ResolvedList,
    *,
    key: str,
    owner: int | None = None,
) -> Deck:
    """Create a deck with its first revision, or return the deck that already has this key."""
    try:
        with transaction.atomic():
            deck = Deck.objects.create(
                code=new_code(),
                name=name,
                key_hash=key_hash(key),
                owner_id=owner,
                created_at=timezone.now(),
            )
            revision.deck, revision.number = deck, 1
            _write(revision, resolved)
    except IntegrityError:
        # The same form was sent twice at once. The key is derived from its content.
        existing = Deck.objects.filter(key_hash=key_hash(key)).first()
        if existing is None:
            raise
        return existing
    return deck


@transaction.atomic
def save_revision(
    deck: Deck,
    name: str,
    revision: DeckRevision,
    resolved: ResolvedList,
    *,
    state: str = "",
) -> DeckRevision:
    """:raises ChangedMeanwhile: if the deck is no longer in the ``state`` that a page showed."""
    _lock(deck.pk)
    latest = deck.revisions.latest("number")
    fields = attrgetter("text", "ruleset", "coalition_type")
    is_same = fields(latest) == fields(revision)
    if state and state != latest.state and not is_same:
        raise ChangedMeanwhile(latest)
    if deck.name != name:
        deck.name = name
        deck.save(update_fields=["name"])
    if is_same:
        return latest
    revision.deck, revision.number = deck, latest.number + 1
    return _write(revision, resolved)


def _write(revision: DeckRevision, resolved: ResolvedList) -> DeckRevision:
    if revision.pk:
        revision.lines.all().delete()
    revision.created_at = timezone.now()
    revision.save()
    _write_lines(revision, resolved)
    return revision


def _write_lines(revision: DeckRevision, resolved: ResolvedList) -> None:
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


def _words(key: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+(?:x\B)?|[^\W\d]+", key))  # 4xOx is a count and a card


@transaction.atomic
def read_again(new: Iterable[str]) -> None:
    """Store the lines of revisions that named cards before the catalogue had these names."""
    fronts = {_words(front_key(name)) for name in new}
    lengths: dict[str, set[int]] = {}  # in words, by the first one
    for first, *others in filter(None, fronts):
        lengths.setdefault(first, set()).add(1 + len(others))
    naming = {}
    for pk, deck, text in DeckRevision.objects.values_list("pk", "deck", "text").iterator():
        words = _words(name_key(unescape(text)))
        if any(
            words[at : at + length] in fronts
            for at, word in enumerate(words)
            for length in lengths.get(word, ())
        ):
            naming[pk] = deck
    decks = Deck.objects.filter(pk__in=naming.values()).order_by("pk")
    list(decks.select_for_update(no_key=True))  # a tap may change the list meanwhile
    for revision, resolved in legality.read_all(DeckRevision.objects.filter(pk__in=naming)):
        revision.lines.all().delete()
        _write_lines(revision, resolved)


def locked(revision: DeckRevision) -> DeckRevision:
    """Return a revision as it is now, which no tap changes until the transaction ends."""
    _lock(revision.deck_id)
    return DeckRevision.objects.get(pk=revision.pk)


def _lock(deck: int) -> None:
    """Lock a deck: two who save at once must not take the same number."""
    if not Deck.objects.select_for_update(no_key=True).filter(pk=deck):
        raise Refused("This deck is not there any more. Choose another.")


def begin_deck(name: str, ruleset: DeckRuleset, *, key: str, owner: int | None = None) -> Deck:
    revision = DeckRevision(ruleset=ruleset.key, edits=0)
    return save_deck(name, revision, legality.read_saved("", ruleset), key=key, owner=owner)


class Edit(NamedTuple):
    """A tap on a deck: the revision it made, the deck it met and in which state, and its words."""

    revision: DeckRevision
    before: Opened
    state: str
    words: str


@transaction.atomic
def edit_deck(deck: Deck, tap: Tap) -> Edit:
    """Taps that follow each other within ``EDITING`` make one revision, which no seat carries yet.

    :raises Refused: if the tap can't be done, or the list has too much in it then.
    """
    _lock(deck.pk)
    revision = deck.revisions.latest("number")
    ruleset, state = RULESETS[revision.ruleset], revision.state
    resolved = legality.read_saved(revision.text, ruleset)
    opened = open_list(resolved, ruleset, revision.coalition_type)
    build, words = tap(opened)
    if build == opened.build:
        return Edit(revision, opened, state, words)
    text = written(build)
    if len(text.encode()) > SAVED_MAX:
        raise Refused(TOO_LONG_TO_SAVE)
    resolved = legality.read_to_keep(text, ruleset)
    is_fresh = revision.edits is not None and revision.created_at > timezone.now() - EDITING
    if not is_fresh or revision.seats.exists():
        revision = DeckRevision(deck=deck, number=revision.number + 1, ruleset=ruleset.key)
    revision.text, revision.coalition_type = text, build.coalition_type
    revision.edits = (revision.edits or 0) + 1
    return Edit(_write(revision, resolved), opened, state, words)


def take_in(deck: Deck, owner: int) -> bool:
    return Deck.objects.filter(pk=deck.pk, owner=None).update(owner=owner) > 0


def give_up_decks(owner: int, name: str) -> None:
    """Delete an account's decks but those that seats carry, which nobody can change any more."""
    decks = Deck.objects.filter(owner=owner)
    carried = DeckRevision.objects.filter(deck=OuterRef("pk"), seats__isnull=False)
    decks.filter(~Exists(carried)).delete()
    for deck in decks:
        deck.owner, deck.name, deck.key_hash = None, name, key_hash(new_key())
        deck.save(update_fields=["owner", "name", "key_hash"])


def note_visit(deck: Deck) -> None:
    if deck.opened_on is None or deck.opened_on < today():
        with suppress(DatabaseError):  # a full disk hides no deck
            Deck.objects.filter(pk=deck.pk).update(opened_on=today())


def remove_unused(since: date) -> tuple[int, int]:
    """Remove unused decks in batches; return how many, and how many revisions they had."""
    decks = revisions = 0
    while True:
        with transaction.atomic():
            unused = queries.unused_decks(since).select_for_update(of=("self",))
            keys = [deck.pk for deck in unused.order_by("pk")[:AT_ONCE]]
            counts = Deck.objects.filter(pk__in=keys).delete()[1]
        if not counts:
            return decks, revisions
        decks += counts[Deck._meta.label]
        revisions += counts[DeckRevision._meta.label]
