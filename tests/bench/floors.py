"""The floors: the least that a request can cost under the same server and middleware."""

from __future__ import annotations

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.urls import include, path

TABLE = "bench_floor"
CREATE = f"CREATE TABLE {TABLE} (tap_id varchar(36) NOT NULL UNIQUE, entry text NOT NULL)"
INSERT = f"INSERT INTO {TABLE} (tap_id, entry) VALUES (%s, %s)"
PAGE = Template("<!doctype html><title>floor</title>{% csrf_token %}")


def insert(request: HttpRequest) -> HttpResponse:
    """Insert one row."""
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [request.POST["tap_id"], request.POST["amount"]])
    return HttpResponse("recorded")


def page(request: HttpRequest) -> HttpResponse:
    """Show a bare page with a form's token."""
    return HttpResponse(PAGE.render(Context({"csrf_token": request.META.get("CSRF_COOKIE", "x")})))


urlpatterns = [
    path("floor/insert/", insert),
    path("floor/page/", page),
    path("", include("coalition_site.urls")),
]
