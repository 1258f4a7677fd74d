"""The server under test, in a process of its own as `make run` starts it: begun, killed, begun
again. It measures nothing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
PATIENCE = 60.0  # seconds


def free_port() -> int:
    """Return a free port: an old server must not answer for the new one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """The site on one database and one port of this machine, reached from this machine only."""

    def __init__(
        self, database: str, settings: str = "tests.bench.settings", limits: str = "0"
    ) -> None:
        self.port = free_port()
        self.environment = os.environ | {
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": settings,
            "COALITION_DEBUG": "0",
            "COALITION_LIMITS": limits,  # none for a bench, whose phones have one address
            "COALITION_HOSTS": "localhost",
        }

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [*MANAGE, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL)
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        """End it at once, whatever it is about to do."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def manage(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command of the site on its database."""
        return subprocess.run(
            [*MANAGE, *command],
            env=self.environment,
            check=check,
            stdout=subprocess.PIPE,
            text=True,
        )

    def output_of(self, script: str, *arguments: str) -> Any:
        """Return the JSON that a script beside this one prints of its database."""
        command = [sys.executable, "-m", f"tests.bench.{script}", *arguments]
        done = subprocess.run(
            command, env=self.environment, check=True, stdout=subprocess.PIPE, cwd=ROOT
        )
        return json.loads(done.stdout)


@contextmanager
def served(database: str, **options: str) -> Iterator[Server]:
    """Serve the site on ``database``, which is brought up to date first."""
    server = Server(database, **options)
    server.manage("migrate", "-v0")
    server.manage("collectstatic", "--no-input", "-v0")
    server.start()
    try:
        yield server
    finally:
        server.stop()
