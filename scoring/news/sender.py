"""Sending what waits, and imports: what `serve` does beside its workers."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from queue import Empty, Queue
from threading import Thread

from django.db import DatabaseError, close_old_connections, connection, transaction
from django.utils import timezone

from coalition_site.lib import metrics, outgoing
from coalition_site.lib.outgoing import Answer, NotSent

from ..groups.import_jobs import Importer
from ..models import Delivery, Webhook
from ..models.news import OUTCOME_MAX
from . import bodies, mails, webhooks
from .webhooks import AddressRefused

PAUSE = 1.0  # seconds between looks at what waits
PAUSE_WITHOUT_DATABASE = 15.0
HOSTS_MAX = 8  # that are asked at once
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


class Sender:
    """Sends one delivery at a time to a host, and to several hosts at once.

    Its threads only wait for receivers; the database is asked by whoever calls it. A row that is
    taken is due again later, so that an end in the middle loses nothing.
    """

    def __init__(self) -> None:
        self.asked: set[str] = set()  # hosts
        self.tried: Queue[tuple[Delivery, Answer | Exception]] = Queue()

    def send_next(self) -> bool:
        """Begin to send what is due next, and return whether there was anything."""
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
        except (NotSent, AddressRefused) as problem:
            row.took = 0
            _note(row, row.webhook, problem)
        else:
            self.asked.add(row.webhook.host)
            Thread(target=self._ask, args=(row, address, headers), daemon=True).start()
        return True

    def _ask(self, row: Delivery, address: str, headers: dict[str, str]) -> None:
        began = time.monotonic()
        result: Answer | Exception
        try:
            result = outgoing.ask("POST", address, headers, row.body.encode())
        except Exception as error:
            result = error
        row.took = round((time.monotonic() - began) * 1000)
        self.tried.put((row, result))

    def note_next(self, seconds: float) -> bool:
        """Note how the next try went; return whether one ended within some seconds."""
        try:
            row, result = self.tried.get(timeout=seconds if self.asked else 0)
        except Empty:
            return False
        assert row.webhook
        self.asked.remove(row.webhook.host)
        _note(row, row.webhook, result)
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


def _request(row: Delivery, webhook: Webhook) -> tuple[str, dict[str, str]]:
    """Return the address to post a delivery to, and the headers; its body is written once.

    :raises NotSent: if that can't be done.
    :raises AddressRefused: if nothing may be sent there.
    """
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
    return address, headers


def _note(row: Delivery, webhook: Webhook, result: Answer | Exception) -> None:
    """Note how a try went, and what follows from it for the webhook."""
    if isinstance(result, Answer):
        answer, row.outcome = result, result.text
        if 300 <= answer.status < 400:
            row.outcome += ": redirects are not followed"
    elif isinstance(result, NotSent | AddressRefused):
        answer, row.outcome = Answer(0), f"{result}"[:OUTCOME_MAX]
    else:
        raise result
    now, of_webhook = timezone.now(), Webhook.objects.filter(pk=webhook.pk)
    if answer.is_good:
        metrics.counts.delivered.inc()
        row.status, row.next_at = Delivery.Status.DELIVERED, None
        of_webhook.update(failing_since=None)
    else:
        metrics.counts.failed.inc()
        assert row.next_at
        row.next_at = max(row.next_at, now + min(timedelta(seconds=answer.wait), WAIT_MAX))
        is_test = row.kind == Delivery.Kind.TEST
        if is_test or answer.status == GONE or row.tries >= TRIES:
            row.status, row.next_at = Delivery.Status.GIVEN_UP, None
        if not is_test:  # somebody only waits for how a test goes
            of_webhook.filter(failing_since=None).update(failing_since=now)
            if answer.status == GONE or (webhook.failing_since or now) <= now - OFF_AFTER:
                of_webhook.update(switched_off_at=now)
    waiting = Delivery.objects.filter(pk=row.pk, status=Delivery.Status.WAITING)  # no later one
    waiting.update(outcome=row.outcome, took=row.took, status=row.status, next_at=row.next_at)
    done = webhook.deliveries.filter(next_at=None).order_by("-pk")
    no_longer_shown = list(done.values_list("pk", flat=True)[SHOWN:])
    Delivery.objects.filter(pk__in=no_longer_shown).delete()
