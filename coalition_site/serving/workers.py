"""Processes that serve together, each on a core of its own, and one that sends news and mails.

They are forked once everything is imported, from a process that has neither threads nor
connections. Each has a listening socket, and the system shares visitors out among them: from a
common one, whoever is first takes all that come at once. The first process has the sockets too, so
that nobody is turned away while a worker is started again. uvicorn has workers too, but makes them
a socket with Nagle's algorithm, by which an answer in two pieces takes 40 ms.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import select
import signal
import socket
import time
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import uvicorn

from scoring.news import sender

from ..lib import metrics
from .answers import ROOM, Answer
from .connections import SERVED

APP = "coalition_site.asgi:application"
GRACE = 2  # seconds to finish requests in, since streams last for minutes
ENDS_WITHIN = 8  # seconds; Docker has patience for ten
SETTLED = 1.0  # seconds; who ends sooner is started again that much later
ENDING = (signal.SIGINT, signal.SIGTERM)
SENDER = "news"  # what the system calls the process that sends news
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None

log = logging.getLogger(__name__)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket at an address, whose connections send each piece at once.

    :raises OSError: if the port is taken.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with _bound(family, address) as alone:  # which it can't be where others share the port
        address = alone.getsockname()
    return _bound(family, address, is_shared=True)


def beside(listening: socket.socket) -> socket.socket:
    """Return another socket at the same address. Each visitor comes to any one of them."""
    return _bound(listening.family, listening.getsockname(), is_shared=True)


def _bound(family: int, address: Any, *, is_shared: bool = False) -> socket.socket:
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, is_shared)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # its connections inherit it
    try:
        listening.bind(address)
    except OSError:
        listening.close()
        raise
    return listening


def serve(listening: socket.socket, workers: int) -> None:
    """Serve the site until a signal ends it."""
    config = uvicorn.Config(
        APP,
        log_config=None,  # uvicorn writes to the site's own log
        timeout_graceful_shutdown=GRACE,
        **SERVED,
    )
    config.load()
    Answer.room = ROOM // workers
    # In memory: on a full disk, writing to a file that is mapped would kill the worker.
    with TemporaryDirectory(prefix="coalition-counts-", dir=MEMORY) as folder:
        metrics.share(folder)
        Workers(config, listening, workers).run()


class Server(uvicorn.Server):
    """uvicorn, but that requests that it gives up are answered before the worker ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        logging.disable()  # uvicorn would log each stream that it cuts as an error
        await asyncio.gather(*self.server_state.tasks, return_exceptions=True)


class Workers:
    """The process that starts workers, starts them again when they die, and ends them."""

    def __init__(self, config: uvicorn.Config, listening: socket.socket, count: int) -> None:
        self.config = config
        self.listening = [listening, *(beside(listening) for _ in range(1, count))]
        self.sender = count + 1  # the number of the process that sends news and serves nobody
        self.running: dict[int, tuple[int, float]] = {}  # number and start, by process
        self.is_ending = False
        # Nothing is ever written: reading from it ends when this process does, however it does.
        self.lifeline, self.alive = os.pipe()

    def run(self) -> None:
        """Serve until a signal comes, and all workers have ended."""
        gc.freeze()  # what is there already is shared as long as nobody touches it
        for name in ENDING:
            signal.signal(name, self._end)
        signal.signal(signal.SIGALRM, self._kill)
        for number in range(1, self.sender + 1):
            self._start(number)
        while self.running:
            process, status = os.wait()
            if process not in self.running:  # an orphan: this may be a container's first process
                continue
            number, began = self.running.pop(process)
            metrics.end(number)
            if not self.is_ending:
                self._again(number, began, os.waitstatus_to_exitcode(status))

    def _again(self, number: int, began: float, code: int) -> None:
        log.error("%s ended with %s, and is started again.", self._name(number), code)
        metrics.counts.restarts.inc()
        if time.monotonic() - began < SETTLED:
            time.sleep(SETTLED)
        while True:
            try:
                return self._start(number)
            except OSError:  # no memory, or too many processes; the other workers go on
                log.exception("%s can't be started yet.", self._name(number))
                time.sleep(SETTLED)

    def _name(self, number: int) -> str:
        return "The sender of news" if number == self.sender else f"Worker {number}"

    def _start(self, number: int) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until it is known whom to end
        try:
            if not self.is_ending:
                if process := os.fork():
                    self.running[process] = number, time.monotonic()
                else:
                    self._work(number)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

    def _work(self, number: int) -> NoReturn:
        """Be a worker. Ends without cleaning up what is the first process's."""
        code = 1
        try:
            for name in (*ENDING, signal.SIGALRM):
                signal.signal(name, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
            os.close(self.alive)
            metrics.begin(number)
            if number == self.sender:
                self._send()
            else:
                asyncio.run(self._serve(self.listening[number - 1]))
            code = 0
        except Exception:
            log.exception("%s failed.", self._name(number))
        finally:
            os._exit(code)

    def _send(self) -> None:
        """Send news and mails until the first process has ended; a signal ends it at once, since
        whatever it was about to send stays in the queue."""
        for listening in self.listening:
            listening.close()
        with suppress(OSError), open("/proc/self/comm", "w") as name:
            name.write(SENDER)
        sender.run(lambda seconds: bool(select.select([self.lifeline], [], [], seconds)[0]))

    async def _serve(self, listening: socket.socket) -> None:
        loop, server = asyncio.get_running_loop(), Server(self.config)

        def end() -> None:
            server.should_exit = True
            loop.remove_reader(self.lifeline)

        loop.add_reader(self.lifeline, end)
        await server.serve([listening])

    def _end(self, *_: Any) -> None:
        self.is_ending = True
        for listening in self.listening:
            listening.close()
        self._signal(signal.SIGTERM)
        signal.alarm(ENDS_WITHIN)

    def _kill(self, *_: Any) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, name: signal.Signals) -> None:
        for process in list(self.running):
            with suppress(ProcessLookupError):
                os.kill(process, name)
