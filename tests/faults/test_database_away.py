"""PostgreSQL goes away in the middle of a game and comes back: the site says so, and goes on."""

import asyncio
import socket
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from tests.bench.phones import Play
from tests.bench.server import Server, served
from tests.environment import TEMPLATE, start_postgres

from .phone import Phone, fresh, phone, recorded, said, signal, until

AWAY = "The site can’t reach its database now"
LISTENERS = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"


class Away(NamedTuple):
    site: Server
    postgres: Any  # below it


@pytest.fixture(scope="module")
def away() -> Iterator[Away]:
    """The site on a PostgreSQL of its own, which may be stopped, and which forgets nothing."""
    postgres = start_postgres()
    with served(postgres.get_uri(TEMPLATE), settings="coalition_site.settings") as site:
        yield Away(site, postgres)
    postgres.cleanup()


def test_a_tap_made_while_the_database_is_away_is_refused_clearly_and_counts_once_later(away):
    async def evening() -> None:
        one = await phone(away.site)
        before, meanwhile, after = fresh(), fresh(), fresh()
        stream = await one.listen()
        await signal(stream)
        assert (await one.tap(before)).status == 200
        await signal(stream)

        await asyncio.to_thread(away.postgres.stop)  # whatever is asked meanwhile is cut off
        refused = [await one.tap(meanwhile), await one.look(), await one.look("score/")]
        assert [answer.status for answer in refused] == [503] * 3
        assert {answer.headers["retry-after"] for answer in refused} == {"10"}
        assert all(AWAY in said(answer) for answer in refused)
        assert (await one.ask("/live/s/" + one.code + "/")).status == 503
        assert (await one.ask("/offline/")).status == 200  # needs no memory

        await asyncio.to_thread(away.postgres.ensure_postgres_running)
        assert (await until(lambda: one.tap(meanwhile), 200)).status == 200
        assert (await one.tap(meanwhile)).status == 200  # the phone did not get the answer, say
        await signal(stream)  # whoever listened before hears again, without doing anything
        assert (await one.tap(after)).status == 200
        await signal(stream)
        stream.drop()
        looked = [(await one.look(page)).status for page in ["", "score/", "log/"] * 6]
        assert looked == [200] * 18  # by whichever thread
        assert recorded(away.site, one.code) == [before, meanwhile, after]

    asyncio.run(evening())
    assert away.site.manage("verify_ledger", check=False).returncode == 0


@pytest.mark.long
def test_phones_that_tap_on_while_the_database_comes_and_goes_lose_and_double_nothing(away):
    tables = away.site.output_of("tables", "played", "6")
    unplugged: Any = SimpleNamespace(  # whose being killed means that its database is stopped
        port=away.site.port,
        output_of=away.site.output_of,
        kill=away.postgres.stop,
        start=away.postgres.ensure_postgres_running,
    )
    play = Play(unplugged, tables, 0.4, 9, 3)

    asyncio.run(play.run())

    wrong = [play.missing, play.doubled, play.altered, play.refused_but_there, play.unknown]
    answers = Counter(status for one in play.phones for status in one.broken)
    print(f"\n{len(play.taps)} taps, database stopped 3 times, answers of 500 and more: {answers}")
    assert wrong == [[]] * 5
    assert set(answers) <= {503}
    assert {tap.status for tap in play.taps} <= {200, 422}
    assert away.site.manage("verify_ledger", check=False).returncode == 0


def test_a_listener_whose_connection_is_cut_hears_again(away):
    async def evening() -> None:
        one = await phone(away.site)
        stream = await one.listen()
        await signal(stream)
        (listens,) = _column(away.postgres.psql(f"{LISTENERS};"))

        away.postgres.psql(f"SELECT pg_terminate_backend({listens});")
        assert (await one.tap(fresh())).status == 200  # nobody hears of this one at once
        await signal(stream)  # all are told when it is heard again: nobody knows what was missed
        await one.tap(fresh())
        await signal(stream)
        stream.drop()
        assert _column(away.postgres.psql(f"{LISTENERS};")) != [listens]

    asyncio.run(evening())


def test_a_database_that_takes_a_call_and_says_nothing_is_away_too():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgres://nobody@127.0.0.1:{silent.getsockname()[1]}/nothing"
        site = Server(address, settings="coalition_site.settings")
        site.start()
        try:
            assert asyncio.run(asked(site, *["/readyz"] * 9, "/healthz")) == [503] * 9 + [200]
        finally:
            site.stop()


async def asked(site: Server, *paths: str) -> list[int]:
    one = Phone(site, ("22222222", "no-key"), "no-secret")
    return [answer.status for answer in await asyncio.gather(*map(one.ask, paths))]


def _column(told: str) -> list[str]:
    return [line.strip() for line in told.splitlines() if line.strip().isdigit()]
