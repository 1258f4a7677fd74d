"""The floor's two addresses."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

CREATE = "CREATE TABLE floor (tap_id varchar(36) NOT NULL UNIQUE, entry text NOT NULL)"
INSERT = "INSERT INTO floor (tap_id, entry) VALUES (%s, %s)"
PAGE = "<!doctype html><html lang='en'><title>floor</title><p>A bare page.</p></html>"


def insert(request: HttpRequest) -> HttpResponse:
    """Insert one row."""
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [request.POST["tap_id"], request.POST["amount"]])
    return HttpResponse("recorded")


def page(request: HttpRequest) -> HttpResponse:
    """Show a bare page."""
    return HttpResponse(PAGE)


urlpatterns = [path("insert/", insert), path("page/", page)]
