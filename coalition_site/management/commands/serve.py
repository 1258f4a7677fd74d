"""Serve the site to this machine and to phones in the same network."""

from __future__ import annotations

import io
import logging
import socket
from argparse import ArgumentParser
from typing import Any

import segno
import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from ...environment import is_public_name
from ...ops.health import problem
from ...serving.connections import SERVED
from ...serving.open_files import allow_enough, streams_for

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Serve the site, and print its address, also as a QR code for phones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        host = "127.0.0.1" if settings.HTTPS else "0.0.0.0"
        parser.add_argument("--host", default=host, help=f"the address to listen on: {host}")
        parser.add_argument("--port", type=int, default=8000, help="the port: 8000")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> None:
        if not is_free(host, port):
            raise CommandError(f"Port {port} is taken: choose another with --port.")
        if settings.HTTPS:
            names = ", ".join(settings.ALLOWED_HOSTS)
            log.info("Serves %s to its proxy, at http://%s:%s", names, host, port)
        else:
            self.show_addresses(host, port)
        if reason := problem():
            log.warning("%s", reason)
        connection.close()
        settings.STREAMS_MAX = streams_for(allow_enough(), settings.STREAMS_MAX)
        uvicorn.run(
            "coalition_site.asgi:application",
            host=host,
            port=port,
            log_config=None,  # uvicorn writes to the site's own log
            timeout_graceful_shutdown=2,  # seconds, since streams last for minutes
            **SERVED,
        )

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


def network_address() -> str | None:
    """Return this machine's address in its network, or None. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: it only picks the route
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def is_free(host: str, port: int) -> bool:
    """Return whether a port is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
