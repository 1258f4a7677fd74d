"""Queueing news of what was settled: only rows, which `scoring/groups/news` sends."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from ..models import Delivery, Evening, GameSet, Playgroup, Webhook

SET, EVENING, BANS = Delivery.Kind.SET, Delivery.Kind.EVENING, Delivery.Kind.BANS
REMINDER = Delivery.Kind.REMINDER
AHEAD = timedelta(hours=3)  # of an evening, for its reminder


def announce(game_set: GameSet, *, is_correction: bool) -> None:
    """Queue the result of a set of a playgroup, and the standings of its evening between rounds.

    One query, at most seven if the playgroup has a webhook.
    """
    webhook = _webhook_of(game_set.playgroup_id)
    if webhook is None:
        return
    _enqueue(webhook, SET, game_set.pk, is_correction=is_correction)
    evening = Evening.objects.filter(rounds__tables__game_set=game_set).first()
    if evening is None:
        return
    played = GameSet.objects.filter(round_table__round__evening=evening, finished_at=None)
    if not played.exists():
        _enqueue(webhook, EVENING, evening.pk, is_correction=is_correction)


def remind(evening: Evening) -> None:
    """Queue a reminder of an evening that is still some hours away, in place of an earlier one."""
    withdraw(evening, REMINDER)
    webhook, at = _webhook_of(evening.playgroup_id), evening.starts_at - AHEAD
    if webhook and at > timezone.now():
        webhook.deliveries.create(kind=REMINDER, subject=evening.pk, queued_at=at, next_at=at)


def remind_of_all(group: Playgroup) -> None:
    """Queue reminders of evenings that were planned while there was no webhook, or it was off."""
    for evening in group.evenings.filter(ended_at=None, starts_at__gt=timezone.now() + AHEAD):
        remind(evening)


def announce_end(evening: Evening) -> None:
    withdraw(evening, REMINDER)
    if webhook := _webhook_of(evening.playgroup_id):
        _enqueue(webhook, EVENING, evening.pk)


def announce_bans(announcement: int, groups: QuerySet[Playgroup]) -> None:
    """Queue what the editors of a ban list announce, for playgroups that play by the list."""
    for webhook in Webhook.objects.filter(playgroup__in=groups, switched_off_at=None):
        _enqueue(webhook, BANS, announcement)


def withdraw(evening: Evening, *kinds: Delivery.Kind) -> None:
    """Take news of an evening out of the queue."""
    waiting = Delivery.objects.filter(kind__in=kinds, next_at__isnull=False)
    waiting.filter(subject=evening.pk).delete()


def _webhook_of(playgroup_id: int | None) -> Webhook | None:
    return Webhook.objects.filter(playgroup=playgroup_id, switched_off_at=None).first()


def _enqueue(
    webhook: Webhook, kind: Delivery.Kind, subject: int, *, is_correction: bool = False
) -> None:
    """Queue a row in place of what waits about the same: a late try would bring that back."""
    older = webhook.deliveries.filter(kind=kind, subject=subject, next_at__isnull=False)
    older.update(status=Delivery.Status.REPLACED, next_at=None)
    webhook.deliveries.create(kind=kind, subject=subject, is_correction=is_correction)
