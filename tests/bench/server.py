"""The server under test, in a process of its own as `make run` starts it: begun, killed, begun
again. It measures nothing but the processor time that it uses."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and its descendants, those that ended too."""
    process = psutil.Process(pid)
    used = [one.cpu_times() for one in [process, *process.children(recursive=True)]]
    return sum(time.user + time.system + time.children_user + time.children_system for time in used)


def free_port() -> int:
    """Return a free port: an old server must not answer for the new one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """The site from ``root``; ``workers`` are its processes, 0 for as many as it has by itself."""

    def __init__(self, database: str, *, root: Path = ROOT, workers: int = 0) -> None:
        self.port, self.root, self.workers = free_port(), root, workers
        self.python = sys.executable
        self.environment = os.environ | {
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "coalition_site.settings",
            "COALITION_DEBUG": "0",
            "COALITION_LIMITS": "0",  # the phones of a bench have one address
            "COALITION_HOSTS": "localhost",
            "PYTHONPATH": str(root),  # before any other copy of the site that Python knows of
        }

    @property
    def command(self) -> list[str]:
        workers = ["--workers", str(self.workers)] if self.workers else []
        address = ["--host", "127.0.0.1", "--port", str(self.port)]
        return [self.python, "manage.py", "serve", *address, *workers]

    def start(self) -> None:
        how: dict[str, Any] = {"env": self.environment, "cwd": self.root, "process_group": 0}
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, **how)
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        """End it and its workers at once, whatever they are about to do."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def cpu(self) -> float:
        return cpu_seconds(self.process.pid)

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        how: dict[str, Any] = {"env": self.environment, "cwd": self.root, "check": check}
        return subprocess.run([self.python, *command], stdout=subprocess.PIPE, text=True, **how)

    def manage(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.run("manage.py", *command, check=check)

    def output_of(self, script: str, *arguments: str) -> Any:
        return json.loads(self.run("-m", f"tests.bench.{script}", *arguments).stdout)

    def update(self) -> None:
        self.manage("migrate", "-v0")
        self.manage("collectstatic", "--no-input", "-v0")


class Floor(Server):
    @property
    def command(self) -> list[str]:
        return [self.python, "-m", "tests.bench.floor", str(self.port)]


@contextmanager
def running(server: Server) -> Iterator[Server]:
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def served(database: str) -> Iterator[Server]:
    """Serve the site on ``database``, which is brought up to date first."""
    server = Server(database)
    server.update()
    with running(server):
        yield server
