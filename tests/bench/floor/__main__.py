"""Serve the floor to this machine."""

import os
import sys

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.floor.settings"

import uvicorn
from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application
from django.db import connection

from tests.bench.floor.site import CREATE

THREADS = 4


def main(port: int) -> None:
    application = get_wsgi_application()
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
    connection.close()
    uvicorn.run(
        WSGIMiddleware(application, workers=THREADS),
        host="127.0.0.1",
        port=port,
        http="h11",
        loop="asyncio",
        log_level="warning",
        access_log=False,
        lifespan="off",
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
