"""The queue: rows of deliveries. Whoever sends takes what is due, and notes how it went.

A table of our own and no queue's: a row is also what owners see of a delivery, it is written with
the result that it is about, and it is tried again without a row of its own. A sender that dies in
the middle leaves a row that is due again later; several senders never take the same row.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from ..models import Delivery, Webhook
from ..models.news import OUTCOME_MAX
from . import bodies, signing, webhooks

FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=12)
GIVES_UP_AFTER = timedelta(days=5)
WAIT_MAX = timedelta(hours=1)  # that a receiver may ask for
SHOWN = 10  # deliveries of a webhook that are kept once they are done
LATE = 600  # seconds that a try may be overdue before nobody seems to send
GONE = 410
UNREADABLE = "The site has another key than when the address was stored: give the address again"
UNWRITTEN = "The site could not write it"
OFF = "Not sent: the webhook was switched off"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Letter:
    """What is to be sent now, and where."""

    key: int
    address: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Outcome:
    """How a try went, in words; ``status`` is None where nobody answered."""

    is_good: bool
    text: str
    status: int | None = None
    wait: int = 0
    took: int = 0


def has_due() -> bool:
    """Return whether something is to be sent. One query, which locks nothing."""
    return _due(timezone.now()).exists()


def _due(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(next_at__lte=now)


def take(most: int) -> list[Letter]:
    """Take what is due, at most one for each webhook."""
    _replace_older()
    letters: list[Letter] = []
    taken: set[int] = set()
    for _ in range(most):
        webhook, letter = _take_next(taken)
        if webhook is None:
            break
        taken.add(webhook)
        letters += [letter] if letter else []
    return letters


def _replace_older() -> None:
    """Drop what waits while there is a later one of the same set or evening: that is as it is now.

    Otherwise a late try would bring back what was corrected.
    """
    later = Delivery.objects.filter(
        webhook=OuterRef("webhook"),
        kind=OuterRef("kind"),
        subject=OuterRef("subject"),
        pk__gt=OuterRef("pk"),
    )
    older = Delivery.objects.filter(Exists(later), next_at__isnull=False)
    older.update(status=Delivery.Status.REPLACED, next_at=None)


@transaction.atomic
def _take_next(taken: set[int]) -> tuple[int | None, Letter | None]:
    """Take the next row that is due, and note when to try it again should nobody hear from us."""
    now = timezone.now()
    due = _due(now).exclude(webhook__in=taken).select_related("webhook__playgroup")
    rows = due.select_for_update(skip_locked=True, of=("self",)).order_by("next_at", "pk")
    row = rows.first()
    if row is None:
        return None, None
    row.tries, row.tried_at = row.tries + 1, now
    row.next_at = now + _pause(row.tries)
    row.body = row.body or _written(row)
    row.save(update_fields=["tries", "tried_at", "next_at", "body"])
    address = webhooks.address_of(row.webhook)
    if not row.body or address is None:
        note(row.pk, Outcome(False, UNREADABLE if row.body else UNWRITTEN))
        return row.webhook_id, None
    return row.webhook_id, Letter(row.pk, address, _headers(row, now), row.body.encode())


def _written(row: Delivery) -> str:
    """Return what a delivery sends; "" if that can't be written: others must not wait for it."""
    try:
        with transaction.atomic():
            return bodies.body(row)
    except DatabaseError:
        raise
    except Exception:
        log.exception("Delivery %s can't be written.", row.pk)
        return ""


def _pause(tries: int) -> timedelta:
    """Return how long to wait after a try: half a minute, then four times as long each time.

    >>> [str(_pause(tries)) for tries in (1, 2, 3, 6, 7, 20)]
    ['0:00:30', '0:02:00', '0:08:00', '8:32:00', '12:00:00', '12:00:00']
    """
    times: int = 4 ** min(tries - 1, 9)
    return min(FIRST_PAUSE * times, LONGEST_PAUSE)


def _headers(row: Delivery, now: datetime) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    secret = webhooks.secret_of(row.webhook)
    if row.webhook.form != Webhook.Form.JSON or secret is None:
        return headers
    number, at = str(row.number), int(now.timestamp())
    return headers | {
        "Webhook-Id": number,
        "Webhook-Timestamp": str(at),
        "Webhook-Signature": signing.signature(secret, number, at, row.body),
    }


@transaction.atomic
def note(key: int, outcome: Outcome) -> None:
    """Note how a try went, and what follows from it for the webhook."""
    row = Delivery.objects.select_related("webhook").filter(pk=key, next_at__isnull=False).first()
    if row is None:  # the webhook was removed, or a later one has replaced it
        return
    now = timezone.now()
    row.outcome, row.took = outcome.text[:OUTCOME_MAX], outcome.took
    if outcome.is_good:
        row.status, row.next_at = Delivery.Status.DELIVERED, None
        Webhook.objects.filter(pk=row.webhook_id).update(failing_since=None)
    elif row.kind == Delivery.Kind.TEST or not row.body:  # somebody waits for how a test goes
        row.status, row.next_at = Delivery.Status.GIVEN_UP, None
    else:
        _note_failure(row, outcome, now)
    row.save(update_fields=["outcome", "took", "status", "next_at"])
    _forget(row.webhook)


def _note_failure(row: Delivery, outcome: Outcome, now: datetime) -> None:
    webhook = row.webhook
    webhook.failing_since = webhook.failing_since or now
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    is_too_old = row.queued_at <= now - GIVES_UP_AFTER
    if is_too_old or outcome.status == GONE:
        row.status, row.next_at = Delivery.Status.GIVEN_UP, None
    else:
        wait = min(timedelta(seconds=outcome.wait), WAIT_MAX)
        row.next_at = max(now + _pause(row.tries), now + wait)
    if outcome.status == GONE or (
        is_too_old and webhooks.is_failing(webhook, now - GIVES_UP_AFTER)
    ):
        _switch_off(webhook, row, now)


def _switch_off(webhook: Webhook, row: Delivery, now: datetime) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(switched_off_at=now)
    waiting = webhook.deliveries.filter(next_at__isnull=False).exclude(pk=row.pk)
    waiting.update(status=Delivery.Status.GIVEN_UP, next_at=None, outcome=OFF)


def _forget(webhook: Webhook) -> None:
    """Delete deliveries that are done and no longer shown."""
    done = webhook.deliveries.filter(next_at=None)
    keys = done.order_by("-pk").values_list("pk", flat=True)
    for last in keys[SHOWN - 1 : SHOWN]:
        done.filter(pk__lt=last).delete()


@dataclass(frozen=True)
class Waiting:
    """How many deliveries wait, for how many seconds the oldest has, and by how many the next try
    is overdue, which it is where nobody sends."""

    count: int
    oldest: float
    overdue: float


def waiting() -> Waiting:
    """Return what waits to be sent. One query."""
    queued = Delivery.objects.filter(next_at__isnull=False)
    counted = queued.aggregate(count=Count("pk"), oldest=Min("queued_at"), due=Min("next_at"))
    return Waiting(counted["count"], _since(counted["oldest"]), _since(counted["due"]))


@dataclass(frozen=True)
class Failing:
    """How many webhooks fail, for how many seconds the first of them has, and how many are off."""

    count: int
    longest: float
    switched_off: int


def failing() -> Failing:
    """Return which receivers answer wrongly or not at all. One query."""
    on = Q(switched_off_at=None)
    counted = Webhook.objects.aggregate(
        count=Count("failing_since", filter=on),
        since=Min("failing_since", filter=on),
        off=Count("switched_off_at"),
    )
    return Failing(counted["count"], _since(counted["since"]), counted["off"])


def _since(moment: datetime | None) -> float:
    age = (timezone.now() - moment).total_seconds() if moment else 0.0
    return max(age, 0.0)
