"""Several processes serve together: none is missed, none outlives the others."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from urllib.error import URLError
from urllib.request import Request, urlopen

import psutil
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction

from coalition_site import asgi
from coalition_site.serving import listen
from scoring.models import Delivery
from tests.bench.client import Answer, Connection, token
from tests.bench.server import Server, running
from tests.scoring.rules.play import ANN, BO
from tests.scoring.tables import KEY, set_up, tap_id

WORKERS = 2
PATIENCE = 20  # seconds; only a failure waits so long
ROUNDS = 40  # connections, some of which any worker takes
TOKEN = "the-token-of-who-measures"


@pytest.fixture
def site(transactional_db: None) -> Iterator[Server]:
    name = connection.settings_dict["NAME"]
    database = f"sqlite:///{name}"
    if connection.vendor == "postgresql":
        address, _, query = settings.DATABASE_URL.partition("?")
        database = f"{address.rpartition('/')[0]}/{name}?{query}"
    site = Server(database)
    site.environment |= {
        "COALITION_DEBUG": "1",  # plain static files
        "COALITION_WORKERS": str(WORKERS),
        "COALITION_METRICS_TOKEN": TOKEN,
    }
    with running(site):
        ask(site)
        until(lambda: len(workers(site)) == WORKERS)
        yield site


def until(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def workers(site: Server) -> list[int]:
    """Return the processes that serve; beside them is one of Python's that cleans up."""
    found = []
    for child in psutil.Process(site.process.pid).children():
        with suppress(psutil.Error):  # it has ended
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child.pid)
    return found


def ask(site: Server, path: str = "/healthz") -> str:
    token = {"Authorization": f"Bearer {TOKEN}"}
    request = Request(f"http://localhost:{site.port}{path}", headers=token)
    with urlopen(request, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def test_a_worker_that_is_killed_comes_back_and_what_it_counted_stays_until_all_end(site):
    asked = ROUNDS + 1  # with one at the start
    for _ in range(ROUNDS):
        ask(site)
    counted = 'coalition_requests_total{status="200",view="healthz"} '
    assert f"{counted}{asked}.0\n" in ask(site, "/metrics")

    killed, other = workers(site)
    os.kill(killed, signal.SIGKILL)
    while killed in workers(site) or len(workers(site)) < WORKERS:
        assert ask(site) == "The process answers.\n"
        asked += 1

    assert other in workers(site)
    assert f"{counted}{asked}.0\n" in ask(site, "/metrics")
    Delivery.objects.create(kind="reset", email="ann@example.org", site="http://localhost")
    until(lambda: not Delivery.objects.exists())  # it is sent, or given up

    every = [psutil.Process(worker) for worker in workers(site)]
    site.stop()
    assert [one for one in every if one.is_running() and one.status() != "zombie"] == []
    with pytest.raises(URLError):
        ask(site)


@pytest.mark.parametrize("ends", ["workers", "all"])
def test_a_form_that_still_waits_when_its_worker_ends_may_be_sent_again(site, ends):
    """It waits for the name, which somebody else may be about to take."""

    async def sign_up() -> Answer:
        secret = await token(site.port)
        visitor = Connection(site.port, f"csrftoken={secret}")
        await visitor.open()
        form = {"username": "Ann", "csrfmiddlewaretoken": secret}
        form |= dict.fromkeys(("password1", "password2"), "three-taps-for-a-hit")
        asked = visitor.message("/account/sign-up/", form, Expect="100-continue")
        visitor.writer.write(asked)
        await visitor.reader.readuntil(b"100 Continue\r\n\r\n")  # it has arrived
        if ends == "workers":
            for worker in workers(site):
                os.kill(worker, signal.SIGTERM)
        else:
            site.process.terminate()
        answer = await visitor._read()
        visitor.drop()
        return answer

    with transaction.atomic():
        User.objects.create_user("Ann")
        answer = asyncio.run(asyncio.wait_for(sign_up(), 3 * PATIENCE))

    assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert answer.text == f"{asgi.ENDING}\n"


def test_a_tap_taken_by_one_worker_wakes_the_streams_of_all(site):
    table = set_up()
    path = f"/s/{table.code}/"

    async def evening() -> None:
        streams = [Connection(site.port) for _ in range(ROUNDS)]
        for stream in streams:
            await stream.open()
            await stream.listen(f"/live{path}")
            await stream.reader.readuntil(b"data: 1\n\n")
        secret = await token(site.port)
        phone = Connection(site.port, f"csrftoken={secret}; key-{table.code}={KEY}")
        await phone.open()
        hit = {"tap_id": tap_id(1), "source": ANN, "target": BO, "kind": "combat", "amount": 1}
        answer = await phone.ask(f"{path}score/1/hit/", hit, **{"X-CSRFToken": secret})
        assert answer.status == 302
        for stream in streams:
            await stream.reader.readuntil(b"data: 2\n\n")
            stream.drop()
        phone.drop()

    asyncio.run(asyncio.wait_for(evening(), PATIENCE))


def test_a_port_that_is_taken_is_shared_with_nobody_else():
    with listen("127.0.0.1", 0) as first:
        first.listen()
        with pytest.raises(OSError, match="in use"):
            listen(*first.getsockname())
