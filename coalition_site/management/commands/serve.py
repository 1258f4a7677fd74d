"""Serve the site to this machine and to phones in the same network."""

from __future__ import annotations

import errno
import io
import logging
import socket
from argparse import ArgumentParser
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from ...environment import is_public_name
from ...ops.health import problem
from ...serving import capacity
from ...serving.hearing import DEAF, is_deaf
from ...serving.open_files import allow_enough, streams_for
from ...serving.workers import listen, serve

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Serve the site, and print its address, also as a QR code for phones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        host = "127.0.0.1" if settings.HTTPS else "0.0.0.0"
        parser.add_argument("--host", default=host, help=f"the address to listen on: {host}")
        parser.add_argument("--port", type=int, default=8000, help="the port: 8000")

        parser.add_argument(
            "--workers",
            type=int,
            default=settings.WORKERS,
            help="processes: 1 on SQLite, on PostgreSQL one for each core",
        )

    def handle(self, *args: Any, host: str, port: int, workers: int, **options: Any) -> None:
        try:
            listening = listen(host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CommandError(f"Port {port} is taken: choose another with --port.") from None
            raise CommandError(
                f"Can't listen on {host}, port {port}: {error.strerror}. Choose another --host or "
                f"--port."
            ) from None
        with listening:
            if is_deaf():
                raise CommandError(DEAF)
            self.begin(host, port)
            workers = workers or capacity.workers()
            count_connections(workers)
            connections.close_all()  # what is open would be shared with the workers
            settings.STREAMS_MAX = streams_for(allow_enough(), settings.STREAMS_MAX)
            serve(listening, workers)

    def begin(self, host: str, port: int) -> None:
        """Show where the site is, and what it lacks."""
        if settings.HTTPS:
            names = ", ".join(settings.ALLOWED_HOSTS)
            log.info("Serves %s to its proxy, at http://%s:%s", names, host, port)
        else:
            self.show_addresses(host, port)
        if reason := problem():
            log.warning("%s", reason)

    def show_addresses(self, host: str, port: int) -> None:
        """Print where to find the site, at home."""
        self.stdout.write(f"\n  Here:    http://localhost:{port}/\n")
        phone = None if host.startswith("127.") else network_address()
        is_public = phone is not None and is_public_name(phone)
        if is_public and settings.DEBUG:
            raise CommandError(
                f"COALITION_DEBUG=1 shows visitors the inside of the site, and {phone} can be "
                f"reached from anywhere. Add --host 127.0.0.1."
            )
        if phone and not is_public:
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, phone]
            address = f"http://{phone}:{port}/"
            self.stdout.write(f"  Phones in the same network:  {address}\n\n")
            drawing = io.StringIO()
            segno.make(address, micro=False).terminal(out=drawing, compact=True, border=2)
            self.stdout.write(drawing.getvalue())
        self.stdout.write("\n  Stop with Ctrl+C.\n")
        self.stdout.flush()


def count_connections(workers: int) -> None:
    """Log how many connections to the database there may be; warn if it allows less."""
    if allowed := capacity.connections_allowed():
        needed = workers * capacity.connections() + capacity.NEWS
        log.info("Workers: %s. Connections: up to %s of %s.", workers, needed, allowed)
        if needed > allowed:
            log.warning(
                "Some visitors will be refused: raise PostgreSQL's max_connections, or start with "
                "--workers %s at most.",
                max(1, (allowed - capacity.NEWS) // capacity.connections()),
            )


def network_address() -> str | None:
    """Return this machine's address in its network, or None. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: it only picks the route
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
