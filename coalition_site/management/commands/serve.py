import errno
import io
import logging
import os
import socket
from argparse import ArgumentParser
from ipaddress import ip_address
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import segno
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from scoring.groups.news import sender

from ...environment import is_public_name
from ...lib import metrics
from ...lib.console import count
from ...ops.health import problem
from ...serving import SERVED, listen

log = logging.getLogger(__name__)


def port(text: str) -> int:
    if not 1 <= (number := int(text)) <= 65535:  # getaddrinfo takes 99999 for another port
        raise ValueError
    return number


class Command(BaseCommand):
    help = "Serve the site, and print its address, also as a QR code for phones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        host = "127.0.0.1" if settings.HTTPS else "0.0.0.0"
        parser.add_argument("--host", default=host, help=f"the address to listen on: {host}")
        parser.add_argument("--port", type=port, default=8000, help="the port: 8000")
        parser.add_argument(
            "--workers",
            type=count,
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
                f"Can't listen on {host}, port {port}: {error.strerror}. "
                "Choose another --host or --port."
            ) from None
        with listening:
            if settings.HTTPS:
                names = ", ".join(settings.ALLOWED_HOSTS)
                log.info("Serves %s to its proxy, at http://%s:%s", names, host, port)
            else:
                bound = listening.getsockname()[0]  # of a host that is a name, too
                self.show_addresses(ip_address(bound).is_loopback, port)
            if reason := problem():
                log.warning("%s", reason)
            # SQLite lets one write at a time.
            cores = 1 if connection.vendor == "sqlite" else len(os.sched_getaffinity(0))
            serve(listening, workers or cores)

    def show_addresses(self, is_loopback: bool, port: int) -> None:
        self.stdout.write(f"\n  Here:    http://localhost:{port}/\n")
        phone = None if is_loopback else network_address()
        is_public = phone is not None and is_public_name(phone)
        if is_public and settings.DEBUG:
            raise CommandError(
                f"COALITION_DEBUG=1 shows visitors the inside of the site, and {phone} can be "
                f"reached from anywhere. Add --host 127.0.0.1."
            )
        if phone and not is_public:
            # Workers read their settings from there.
            os.environ["COALITION_HOSTS"] = ",".join([*settings.ALLOWED_HOSTS, phone])
            address = f"http://{phone}:{port}/"
            self.stdout.write(f"  Phones in the same network:  {address}\n\n")
            drawing = io.StringIO()
            segno.make(address, micro=False).terminal(out=drawing, compact=True, border=2)
            self.stdout.write(drawing.getvalue())
        self.stdout.write("\n  Stop with Ctrl+C.\n")
        self.stdout.flush()


def serve(listening: socket.socket, workers: int) -> None:
    config = Config(
        "coalition_site.asgi:application",
        workers=workers,
        log_config=None,  # uvicorn writes to the site's own log
        timeout_graceful_shutdown=2,  # seconds, since streams last for minutes
        timeout_worker_healthcheck=30,  # seconds; a worker that hangs for so long is started again
        **SERVED | {"lifespan": "on"},
    )
    # In memory: on a full disk, writing to a file that is mapped would kill the worker.
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with TemporaryDirectory(prefix="coalition-counts-", dir=memory) as folder:
        metrics.share(folder)
        Thread(target=sender.run, args=[Event().wait], daemon=True).start()
        Multiprocess(config, [listening]).run()


def network_address() -> str | None:
    """Return this machine's address in its network, or None. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: it only picks the route
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address
