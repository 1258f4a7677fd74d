"""The frozen floor: a bare Django site, served as ours was on 2026-11-22. It never gets better.

    python -m tests.bench.floor PORT        on the database of DATABASE_URL

It imports nothing of ours. POST /insert/ inserts one row of a tap's id and an amount, in
autocommit, and answers eight bytes. There is no middleware: no session, no CSRF, no compression, no
headers but Django's. A connection to the database lasts for 60 seconds and is checked before each
request, as ours is; SQLite is a file in WAL mode with synchronous=NORMAL that queues writers at
BEGIN. The server is uvicorn with h11 on asyncio's own loop, and a2wsgi with four threads.

So a hit divided by this floor is the price of all that is ours: server, middleware, rules, page.
"""

import sys

import dj_database_url
import uvicorn
from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

CREATE = "CREATE TABLE floor (tap_id varchar(36) NOT NULL UNIQUE, entry text NOT NULL)"
INSERT = "INSERT INTO floor (tap_id, entry) VALUES (%s, %s)"


def insert(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [request.POST["tap_id"], request.POST["amount"]])
    return HttpResponse("recorded")


urlpatterns = [path("insert/", insert)]


def main(port: int) -> None:
    database = dj_database_url.config(conn_max_age=60, conn_health_checks=True)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        database["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    settings.configure(
        SECRET_KEY="a floor keeps no secrets",
        ALLOWED_HOSTS=["localhost"],
        ROOT_URLCONF="__main__",
        DATABASES={"default": database},
    )
    application = get_wsgi_application()
    with connection.cursor() as cursor:
        cursor.execute(CREATE)
    connection.close()
    uvicorn.run(
        WSGIMiddleware(application, workers=4),
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
