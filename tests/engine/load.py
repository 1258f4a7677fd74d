"""The benchmark's phones and listeners before the project in the engine, reached by Caddy."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tests.bench.client import HTTPS
from tests.bench.phones import Play

from .engine import Installation

SETTINGS = ("-e", "DJANGO_SETTINGS_MODULE=coalition_site.settings")


def nothing() -> None:
    pass


@dataclass
class Load:
    """What the benchmark's phones ask of a server; ``kill`` is what happens to it meanwhile."""

    installation: Installation
    kill: Callable[[], None]
    start: Callable[[], None] = nothing
    port: int = HTTPS

    def output_of(self, script: str, *arguments: str) -> Any:
        """Return the JSON that a script of the benchmark prints of the database."""
        tests = f"/srv/{self.installation.name}/tests:/app/site/tests:ro"
        run = ("run", "--rm", "-T", "--no-deps", "-v", tests, *SETTINGS, "site")
        python = ("/app/venv/bin/python", "-m", f"tests.bench.{script}", *arguments)
        return json.loads(self.installation.compose(*run, *python).splitlines()[-1])

    def play(self, tables: int, seconds: float, kills: int) -> Play:
        """Have two phones at each table tap once a second, and check that all is on record."""
        play = Play(self, self.output_of("tables", "played", str(tables)), 1, seconds, kills)
        run(play.run())
        times = sorted(tap.whole for tap in play.taps)
        again = sum(tap.tries > 1 for tap in play.taps)
        print(
            f"{len(times)} taps, {again} sent again; answered in {times[len(times) // 2]:.3f} s, "
            f"or {times[-1]:.1f} s"
        )
        assert sum(tap.status == 200 for tap in play.taps) > tables * seconds / 2
        assert [play.missing, play.doubled, play.altered, play.refused_but_there] == [[]] * 4
        assert [play.unknown, [tap for tap in play.taps if not tap.status]] == [[], []]
        return play


def run(main: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a thread of its own: browsers of other tests keep a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, main).result()
