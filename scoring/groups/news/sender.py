"""Sending what waits, and imports: what `serve` does beside its workers."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from queue import Empty, Queue
from threading import Thread
from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.core.mail import send_mail
from django.db import DatabaseError, close_old_connections, connection, transaction
from django.template.loader import render_to_string
from django.utils import timezone

from coalition_site.lib import metrics, outgoing
from coalition_site.lib.outgoing import Answer
from coalition_site.lib.refusals import Refused

from ...models import Delivery, Webhook
from ...models.news import OUTCOME_MAX
from ...record import counting
from ..data.import_jobs import Importer
from . import bodies, webhooks

PAUSE = 1.0  # seconds between looks at what waits
PAUSE_WITHOUT_DATABASE = 15.0
HOSTS_MAX = 8  # that are asked at once
PAUSES = (timedelta(minutes=1), timedelta(minutes=10))  # after the first try, and the second
TRIES = 1 + len(PAUSES)
WAIT_MAX = timedelta(hours=1)  # that a receiver may ask for
GONE = 410
RESET = ("accounts/reset_subject.txt", "accounts/reset_mail.txt")
UNREADABLE = "The site’s key has changed since the address was stored: enter the address again"

log = logging.getLogger(__name__)


def run(waits: Callable[[float], bool]) -> None:
    """Send and import what waits until ``waits``, which waits so many seconds, answers True."""
    # What an end interrupts stays in the queue.
    pause, importer, sender = PAUSE, Importer(), Sender()
    while not waits(pause):
        close_old_connections()
        try:
            while (sender.send_next() or sender.note_next(pause)) and not waits(0):
                pass
            pause = importer.go_on() or PAUSE
        except DatabaseError as error:
            log.warning("News can't be sent while the database is away: %s", type(error).__name__)
            connection.close()
            pause = PAUSE_WITHOUT_DATABASE
        except Exception:
            log.exception("Sending news failed, and is begun again.")
            pause, importer, sender = PAUSE, Importer(), Sender()


class Sender:
    """Sends one delivery at a time to a host, and to several hosts at once."""

    # Its threads only wait for receivers; the database is asked by whoever calls it. A row that is
    # taken is due again later, so that an end in the middle loses nothing.

    def __init__(self) -> None:
        self.asked: set[str] = set()  # hosts
        self.tried: Queue[tuple[Delivery, Webhook, Answer | Exception]] = Queue()

    def send_next(self) -> bool:
        if len(self.asked) >= HOSTS_MAX:
            return False
        now = timezone.now()
        due = Delivery.objects.filter(next_at__lte=now).exclude(webhook__host__in=self.asked)
        row = due.order_by("next_at", "pk").select_related("webhook__playgroup").first()
        if row is None:
            return False
        mine = Delivery.objects.filter(pk=row.pk, tries=row.tries, next_at=row.next_at)
        row.tries, row.tried_at = row.tries + 1, now
        row.next_at = now + PAUSES[min(row.tries, len(PAUSES)) - 1]
        if not mine.update(tries=row.tries, tried_at=now, next_at=row.next_at):
            return True  # another process was faster
        if row.webhook is None:
            _mail(row)
            return True
        try:
            address, headers = _request(row, row.webhook)
        except Refused as problem:
            row.took = 0
            _note(row, row.webhook, Answer(0, problem=str(problem)[:OUTCOME_MAX]))
        else:
            self.asked.add(row.webhook.host)
            asking = (row, row.webhook, address, headers)
            Thread(target=self._ask, args=asking, daemon=True).start()
        return True

    def _ask(self, row: Delivery, webhook: Webhook, address: str, headers: dict[str, str]) -> None:
        began = time.monotonic()
        result: Answer | Exception
        try:
            result = outgoing.ask("POST", address, headers, row.body.encode())
        except Exception as error:
            result = error
        row.took = round((time.monotonic() - began) * 1000)
        self.tried.put((row, webhook, result))

    def note_next(self, seconds: float) -> bool:
        """Note how the next try went; return whether one ended within some seconds."""
        try:
            row, webhook, result = self.tried.get(timeout=seconds if self.asked else 0)
        except Empty:
            return False
        self.asked.remove(webhook.host)
        if isinstance(result, Exception):
            raise result
        _note(row, webhook, result)
        return True


class ResetMail(PasswordResetForm):
    def send_mail(self, *args: Any, **named: Any) -> None:
        # Django's own would log a mail that can't be sent, and forget it.
        subject, body, context, _, address = args
        title = render_to_string(subject, context).strip()
        send_mail(title, render_to_string(body, context), None, [address])


def _mail(row: Delivery) -> None:
    """Mail a link to a new password to the accounts with an address, if there are any."""
    # It is made only now, so that no secret is stored.
    protocol, _, domain = row.site.partition("://")
    form = ResetMail({"email": row.email})
    try:
        if form.is_valid():
            form.save(domain, *RESET, use_https=protocol == "https")
    except DatabaseError:
        raise
    except Exception as error:
        log.error("A mail could not be sent: %s", type(error).__name__)
        if row.tries < TRIES:
            return
    row.delete()


def _request(row: Delivery, webhook: Webhook) -> tuple[str, dict[str, str]]:
    """:raises Refused: if the address can't be read, or the body not be written."""
    address = webhooks.address_of(webhook)
    if address is None:
        raise Refused(UNREADABLE)
    webhooks.check(address)  # again: whoever runs the site may have taken its host off the list
    if not row.body:
        try:
            with transaction.atomic():
                counting.lock_group(webhook.playgroup_id)  # nobody in it is renamed or deleted
                row.body = bodies.body(row, webhook)
                Delivery.objects.filter(pk=row.pk).update(body=row.body)
        except DatabaseError:
            raise
        except Exception:
            log.exception("Delivery %s can't be written.", row.pk)
            raise Refused("The site could not write it") from None
    headers = {"Content-Type": "application/json"}
    secret = webhooks.secret_of(webhook)
    if webhook.form == Webhook.Form.JSON and secret:
        number, at = str(row.number), int(timezone.now().timestamp())
        headers |= {
            "Webhook-Id": number,
            "Webhook-Timestamp": str(at),
            "Webhook-Signature": webhooks.signature(secret, number, at, row.body),
        }
    return address, headers


def _note(row: Delivery, webhook: Webhook, answer: Answer) -> None:
    outcome = answer.text + ": redirects are not followed" * (300 <= answer.status < 400)
    now, of_webhook = timezone.now(), Webhook.objects.filter(pk=webhook.pk)
    is_test, is_gone = row.kind == Delivery.Kind.TEST, answer.status == GONE
    if answer.is_good:
        metrics.counts.delivered.inc()
        row.status, row.next_at = Delivery.Status.DELIVERED, None
        of_webhook.update(failing_since=None)
    else:
        metrics.counts.failed.inc()
        asked = now + min(timedelta(seconds=answer.wait), WAIT_MAX)
        row.next_at = max(row.next_at or asked, asked)
        if is_test or is_gone or row.tries >= TRIES:
            row.status, row.next_at = Delivery.Status.GIVEN_UP, None
        if not is_test:  # somebody only waits for how a test goes
            of_webhook.filter(failing_since=None).update(failing_since=now)
            if is_gone or (webhook.failing_since or now) <= now - webhooks.OFF_AFTER:
                of_webhook.update(switched_off_at=now)
    waiting = Delivery.objects.filter(pk=row.pk, status=Delivery.Status.WAITING)  # no later one
    waiting.update(outcome=outcome, took=row.took, status=row.status, next_at=row.next_at)
    done = webhook.deliveries.filter(next_at=None).order_by("-pk")
    Delivery.objects.filter(pk__in=done.values("pk")[webhooks.SHOWN :]).delete()
