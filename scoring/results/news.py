"""Queueing news of what was settled. Only rows are written here: `scoring/news` sends them."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from ..models import Delivery, Evening, GameSet, Webhook


def announce(game_set: GameSet, *, is_correction: bool) -> None:
    """Queue the result of a set of a playgroup, and the standings of its evening between rounds.

    One query, at most five if the playgroup has a webhook.
    """
    webhook = _webhook_of(game_set.playgroup_id)
    if webhook is None:
        return
    enqueue(webhook, Delivery.Kind.SET, game_set.pk, is_correction=is_correction)
    evening = Evening.objects.filter(rounds__tables__game_set=game_set).first()
    if evening and not GameSet.objects.filter(_of(evening), finished_at=None).exists():
        enqueue(webhook, Delivery.Kind.EVENING, evening.pk, is_correction=is_correction)


def announce_end(evening: Evening) -> None:
    """Queue the final standings of an evening."""
    if webhook := _webhook_of(evening.playgroup_id):
        enqueue(webhook, Delivery.Kind.EVENING, evening.pk)


def withdraw(evening: Evening) -> None:
    """Take the standings of an evening that is deleted out of the queue."""
    waiting = Delivery.objects.filter(kind=Delivery.Kind.EVENING, subject=evening.pk)
    waiting.filter(next_at__isnull=False).delete()


def _of(evening: Evening) -> Q:
    return Q(round_table__round__evening=evening)


def _webhook_of(playgroup_id: int | None) -> Webhook | None:
    return Webhook.objects.filter(playgroup=playgroup_id, switched_off_at=None).first()


def enqueue(
    webhook: Webhook, kind: Delivery.Kind, subject: int | None, *, is_correction: bool = False
) -> Delivery:
    """Add a row to the queue; it is sent once this transaction is committed."""
    now = timezone.now()
    return Delivery.objects.create(
        webhook=webhook,
        kind=kind,
        subject=subject,
        is_correction=is_correction,
        queued_at=now,
        next_at=now,
    )
