"""The links of seats, which go on with whoever sits there: one for a whole night."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from .. import access
from ..models import GameSet, Seat, SeatLink


def links_by(field: str, seats: QuerySet[Seat]) -> dict[Any, str]:
    """Return the hashes of links by a field of their seats, those of the latest table if several;
    none of tables that ended on another night."""
    ended = timezone.now() - access.OPEN_AFTER
    lately = seats.filter(Q(game_set__finished_at=None) | Q(game_set__finished_at__gt=ended))
    linked = lately.exclude(link=None).order_by("game_set_id")
    return dict(linked.values_list(field, "link__key_hash"))


def carry_on(links: Mapping[int, str | None]) -> None:
    """Let links of tables before open seats, by their keys, but those that have a link; and have
    the open pages of those tables ask where their players went on."""
    carried = [SeatLink(seat_id=seat, key_hash=hashed) for seat, hashed in links.items() if hashed]
    SeatLink.objects.bulk_create(carried, ignore_conflicts=True)
    before = Seat.objects.filter(link__key_hash__in=[link.key_hash for link in carried])
    # A row that is written is announced. Whoever has one locked writes it anyway, and may be
    # waiting for the playgroup, which whoever carries links on has locked.
    tables = GameSet.objects.filter(pk__in=before.values("game_set"))
    free = tables.select_for_update(no_key=True, skip_locked=True).values_list("pk", flat=True)
    GameSet.objects.filter(pk__in=list(free)).update(called=F("called"))


def end_links(seat: int) -> None:
    """End a seat's link, by its key: everywhere, since it is one for all tables of a night."""
    ended = SeatLink.objects.filter(seat=seat).values("key_hash")
    SeatLink.objects.filter(key_hash__in=ended).delete()
