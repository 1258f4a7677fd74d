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


def carry_on(game_set: GameSet, links: Mapping[int, str | None]) -> None:
    """Let links of tables before open seats of this one, by seat number, and have the open pages
    of those tables ask where their players went on."""
    SeatLink.objects.bulk_create(
        [
            SeatLink(seat_id=game_set.seat_keys[number], key_hash=hashed)
            for number, hashed in links.items()
            if hashed
        ]
    )
    before = GameSet.objects.filter(seats__link__key_hash__in=[*filter(None, links.values())])
    # A row that is written is announced.
    GameSet.objects.filter(pk__in=before.values("pk")).update(called=F("called"))


def end_links(seat: int) -> None:
    """End a seat's link, by its key: everywhere, since it is one for all tables of a night."""
    ended = SeatLink.objects.filter(seat=seat).values("key_hash")
    SeatLink.objects.filter(key_hash__in=ended).delete()
