"""The app behind uvicorn, over the database of a test."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from django.db import connections

from coalition_site.serving import SERVED, listen

PATIENCE = 10  # seconds until a server that does not start or stop has failed


class Site:
    def __init__(self, application: Any) -> None:
        self.socket = listen("127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        config = uvicorn.Config(application, timeout_graceful_shutdown=PATIENCE // 3, **SERVED)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],))

    def start(self) -> None:
        self.thread.start()
        give_up = time.monotonic() + PATIENCE
        while not self.server.started:
            assert time.monotonic() < give_up, "the site did not start"
            time.sleep(0.01)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.socket.close()
        assert not self.thread.is_alive(), "the site did not stop"


@contextmanager
def serving() -> Iterator[Site]:
    from coalition_site.asgi import application

    # The threads of the server keep no connection that would outlive the test's database.
    kept = connections.settings["default"]["CONN_MAX_AGE"]
    connections.settings["default"]["CONN_MAX_AGE"] = 0
    served = Site(application)
    served.start()
    try:
        yield served
    finally:
        served.stop()
        connections.settings["default"]["CONN_MAX_AGE"] = kept
