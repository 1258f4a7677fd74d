"""Sending what waits, and imports: what `serve` does beside its workers.

One that ends in the middle leaves a row that is due again later.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import DatabaseError, close_old_connections, connection, transaction
from django.utils import timezone

from coalition_site.lib import metrics, outgoing
from coalition_site.lib.outgoing import Answer, NotSent

from ..groups.import_jobs import Importer
from ..models import Delivery, Webhook
from ..models.news import OUTCOME_MAX
from . import bodies, mails, webhooks

PAUSE = 1.0  # seconds between looks at what waits
PAUSE_WITHOUT_DATABASE = 15.0
PAUSES = (timedelta(minutes=1), timedelta(minutes=10))  # after the first try, and the second
TRIES = 1 + len(PAUSES)
WAIT_MAX = timedelta(hours=1)  # that a receiver may ask for
OFF_AFTER = timedelta(days=5)  # in which nothing arrived
SHOWN = 10  # deliveries of a webhook that are kept once they are done
GONE = 410
UNREADABLE = "The site has another key than when the address was stored: give the address again"

log = logging.getLogger(__name__)


def run(waits: Callable[[float], bool]) -> None:
    """Send and import what waits until ``waits``, which waits so many seconds, answers True."""
    pause, importer = PAUSE, Importer()
    while not waits(pause):
        close_old_connections()
        try:
            while send_next() and not waits(0):
                pass
            pause = importer.go_on() or PAUSE
        except DatabaseError as error:
            log.warning("News can't be sent while the database is away: %s", type(error).__name__)
            connection.close()
            pause = PAUSE_WITHOUT_DATABASE


def send_next() -> bool:
    """Try to send what is due next, and return whether there was anything."""
    now = timezone.now()
    due = Delivery.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    row = due.select_related("webhook__playgroup").first()
    if row is None:
        return False
    mine = Delivery.objects.filter(pk=row.pk, tries=row.tries, next_at=row.next_at)
    row.tries, row.tried_at = row.tries + 1, now
    row.next_at = now + PAUSES[min(row.tries, len(PAUSES)) - 1]
    if mine.update(tries=row.tries, tried_at=now, next_at=row.next_at):  # or another was faster
        if row.webhook:
            _send(row, row.webhook)
        else:
            _mail(row)
    return True


def _mail(row: Delivery) -> None:
    try:
        mails.send_reset(row.email, row.site)
    except DatabaseError:
        raise
    except Exception as error:
        log.error("A mail could not be sent: %s", type(error).__name__)
        if row.tries < TRIES:
            return
    row.delete()


def _send(row: Delivery, webhook: Webhook) -> None:
    began = time.monotonic()
    try:
        answer = _post(row, webhook)
        row.outcome = answer.text
    except (NotSent, webhooks.AddressRefused) as problem:
        answer, row.outcome = Answer(0), f"{problem}"[:OUTCOME_MAX]
    row.took = round((time.monotonic() - began) * 1000)
    if 300 <= answer.status < 400:
        row.outcome += ": redirects are not followed"
    (metrics.counts.delivered if answer.is_good else metrics.counts.failed).inc()
    _note(row, webhook, answer)


def _post(row: Delivery, webhook: Webhook) -> Answer:
    address = webhooks.address_of(webhook)
    if address is None:
        raise NotSent(UNREADABLE)
    webhooks.check(address)  # again: whoever runs the site may have taken its host off the list
    if not row.body:
        try:
            with transaction.atomic():
                row.body = bodies.body(row, webhook)
        except DatabaseError:
            raise
        except Exception:
            log.exception("Delivery %s can't be written.", row.pk)
            raise NotSent("The site could not write it") from None
        row.save(update_fields=["body"])
    headers = {"Content-Type": "application/json"}
    secret = webhooks.secret_of(webhook)
    if webhook.form == Webhook.Form.JSON and secret:
        number, at = str(row.number), int(timezone.now().timestamp())
        headers |= {
            "Webhook-Id": number,
            "Webhook-Timestamp": str(at),
            "Webhook-Signature": webhooks.signature(secret, number, at, row.body),
        }
    return outgoing.ask("POST", address, headers, row.body.encode())


def _note(row: Delivery, webhook: Webhook, answer: Answer) -> None:
    """Note how a try went, and what follows from it for the webhook."""
    now, is_test = timezone.now(), row.kind == Delivery.Kind.TEST
    if answer.is_good:
        row.status, row.next_at = Delivery.Status.DELIVERED, None
        Webhook.objects.filter(pk=webhook.pk).update(failing_since=None)
    else:
        assert row.next_at
        row.next_at = max(row.next_at, now + min(timedelta(seconds=answer.wait), WAIT_MAX))
        if is_test or answer.status == GONE or row.tries >= TRIES:
            row.status, row.next_at = Delivery.Status.GIVEN_UP, None
        if not is_test:  # somebody only waits for how a test goes
            _note_failure(webhook, answer, now)
    waiting = Delivery.objects.filter(pk=row.pk, status=Delivery.Status.WAITING)  # no later one
    waiting.update(outcome=row.outcome, took=row.took, status=row.status, next_at=row.next_at)
    done = webhook.deliveries.filter(next_at=None).order_by("-pk")
    no_longer_shown = list(done.values_list("pk", flat=True)[SHOWN:])
    Delivery.objects.filter(pk__in=no_longer_shown).delete()


def _note_failure(webhook: Webhook, answer: Answer, now: datetime) -> None:
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    since = webhook.failing_since or now
    if answer.status == GONE or since <= now - OFF_AFTER:
        Webhook.objects.filter(pk=webhook.pk).update(switched_off_at=now)
