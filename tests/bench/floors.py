"""The floors: the least that a request can cost under the same server and middleware."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import include, path

TABLE = "bench_floor"
CREATE = f"CREATE TABLE {TABLE} (tap_id varchar(36) NOT NULL UNIQUE, entry text NOT NULL)"
INSERT = f"INSERT INTO {TABLE} (tap_id, entry) VALUES (%s, %s)"
PAGE = "<!doctype html><html lang='en'><title>floor</title><p>A bare page.</p></html>"


def insert(request: HttpRequest) -> HttpResponse:
    """Insert one row."""
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [request.POST["tap_id"], request.POST["amount"]])
    return HttpResponse("recorded")


def page(request: HttpRequest) -> HttpResponse:
    """Show a bare page."""
    return HttpResponse(PAGE)


urlpatterns = [
    path("floor/insert/", insert),
    path("floor/page/", page),
    path("", include("coalition_site.urls")),
]
