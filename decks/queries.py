import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from operator import itemgetter
from typing import Any

from django.db.models import (
    Count,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone

from .catalogue.known import KnownCard
from .models import (
    NAMED_RULES,
    TOOK_EFFECT,
    AnnouncementLine,
    BanEntry,
    BanList,
    Card,
    Deck,
    DeckLine,
    DeckRevision,
    Status,
)
from .rules import deck

CODE = re.compile(r"[a-z0-9-]{1,16}", re.ASCII)
RULE_FIELDS = {
    "reserved-list": "reserved",
    "conspiracy": "is_conspiracy",
    "ante": "uses_ante",
    "stickers-attractions": "uses_stickers",
}


def find_list(key: str) -> BanList | None:
    return BanList.objects.filter(key=key).first()


def in_force(ban_list: BanList, on: date) -> QuerySet[BanEntry]:
    not_ended = Q(ends_on=None) | Q(ends_on__gt=on)
    return BanEntry.objects.filter(not_ended, ban_list__in=ban_list.lists, starts_on__lte=on)


def change_days(ban_list: BanList, after: date) -> list[date]:
    """Return the days after one on which something begins or ends on a list, in order."""
    is_later = Q(starts_on__gt=after) | Q(ends_on__gt=after)
    entries = BanEntry.objects.filter(TOOK_EFFECT, is_later, ban_list__in=ban_list.lists)
    days = entries.values_list("starts_on", "ends_on").order_by()
    return sorted({day for pair in days for day in pair if day and day > after})


@dataclass(frozen=True, slots=True)
class Ban:
    """An entry of a list, with what it takes to tell which cards it covers.

    ``cards`` are the keys of its card, or of the cards that its rule names. A rule without names
    covers the cards on which the boolean ``field`` is set. ``named`` is the key of a name, for a
    card that is in no catalogue.
    """

    status: str
    reason: str
    since: date
    field: str
    cards: frozenset[int]
    named: str = ""

    def covers(self, card: Card | KnownCard) -> bool:
        return getattr(card, self.field) if self.field else card.pk in self.cards

    def as_banned(self) -> deck.Banned:
        return deck.Banned(self.reason, self.since, self.since > timezone.localdate())


def precedence(status: str, rule: str, *, is_house: bool) -> tuple[bool, ...]:
    """Return a sort key for entries in force: the first entry that covers a card decides."""
    # Watching a card lifts no ban, so watching comes last; of two groups, the one that allows wins.
    return status == Status.WATCHED, not is_house, bool(rule), status != Status.ALLOWED


def read_bans(ban_list: BanList, on: date) -> list[Ban]:
    """Return the entries of a list on a day, in order of precedence. Two queries at most."""
    entries = list(in_force(ban_list, on))
    prefetch_related_objects([entry for entry in entries if entry.rule in NAMED_RULES], "cards")
    return as_bans(entries, ban_list.pk, on)


def as_bans(rows: Iterable[BanEntry | AnnouncementLine], house: int, on: date) -> list[Ban]:
    """Return entries in order of precedence; lines of an announcement are the list ``house``'s."""
    ranked = []
    for row in rows:
        of, since = (row.ban_list_id, row.starts_on) if isinstance(row, BanEntry) else (house, on)
        reason = row.reason or (row.name if row.rule else "")
        cards = {row.card_id} if row.card_id else set()
        if row.rule in NAMED_RULES:
            cards = {card.pk for card in row.cards.all()}
        field = RULE_FIELDS.get(row.rule, "")
        ban = Ban(row.status, reason, since, field, frozenset(cards), row.named_key)
        ranked.append((precedence(row.status, row.rule, is_house=of == house), ban))
    return [ban for _, ban in sorted(ranked, key=itemgetter(0))]


def bans(cards: Iterable[Card | KnownCard], entries: Sequence[Ban]) -> deck.Bans:
    deciding = [entry for entry in entries if entry.status != Status.WATCHED]
    banned, allowed = {}, set()
    for card in cards:
        entry = next((entry for entry in deciding if entry.covers(card)), None)
        if entry and entry.status == Status.ALLOWED:
            allowed.add(card.name)
        elif entry:
            banned[card.name] = entry.as_banned()
    return deck.Bans(banned, allowed=frozenset(allowed))


def bans_by_name(entries: Iterable[Ban]) -> deck.Bans:
    by_status: dict[str, dict[str, deck.Banned]] = {status: {} for status in Status}
    for entry in entries:
        if entry.named:
            by_status[entry.status].setdefault(entry.named, entry.as_banned())
    allowed = frozenset(by_status[Status.ALLOWED])  # the cards that there are
    return deck.Bans(by_status[Status.BANNED], by_status[Status.RESTRICTED], allowed)


def has_cards() -> bool:
    return Card.objects.exists()


def is_latest(revision: str = "") -> Q:
    later = DeckRevision.objects.filter(
        deck=OuterRef(f"{revision}deck"), number__gt=OuterRef(f"{revision}number")
    )
    return Q(~Exists(later))


def latest_lines() -> QuerySet[DeckLine]:
    return DeckLine.objects.filter(is_latest("revision__"))


def latest_revisions(decks: Collection[Deck]) -> dict[int, DeckRevision]:
    latest = DeckRevision.objects.filter(is_latest(), deck__in=[deck.pk for deck in decks])
    return {revision.deck_id: revision for revision in latest}


def deck_with_ruleset(code: str) -> Deck | None:
    if not CODE.fullmatch(code):
        return None
    latest = DeckRevision.objects.filter(deck=OuterRef("pk")).order_by("-number")
    decks = Deck.objects.annotate(ruleset=Subquery(latest.values("ruleset")[:1]))
    return decks.filter(code=code).first()


def decks_with(card: int, decks: Collection[Deck]) -> list[Deck]:
    lines = latest_lines().filter(card=card, revision__deck__in=decks)
    having = set(lines.values_list("revision__deck", flat=True))
    return [deck for deck in decks if deck.pk in having]


def unused_decks(since: date) -> QuerySet[Deck]:
    """Return the decks that no seat uses and nobody opened since a day, but those of accounts."""
    in_use = DeckRevision.objects.filter(deck=OuterRef("pk"), seats__isnull=False)
    # Decks that were saved before visits were stored count as opened when they were saved.
    opened = Coalesce("opened_on", TruncDate("created_at", tzinfo=UTC))
    return Deck.objects.annotate(opened=opened).filter(
        ~Exists(in_use), owner=None, opened__lt=since
    )


def cards_in_decks() -> QuerySet[Any, Any]:
    lines = latest_lines().order_by()
    return lines.values("card").annotate(decks=Count("revision", distinct=True))


REVISIONS_MAX = 50  # revisions listed on a deck's page


def revisions(deck: Deck) -> list[DeckRevision]:
    return list(deck.revisions.defer("text").order_by("-number")[:REVISIONS_MAX])
