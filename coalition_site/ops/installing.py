"""Installing the site on a phone, and opening it there without a connection."""

from pathlib import Path

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles.finders import find
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    return render(request, "manifest.json", content_type="application/manifest+json")


@require_safe
@never_cache
def worker(request: HttpRequest) -> HttpResponse:
    # At the root, since it only serves addresses below its own.
    path = find("js/sw.js")
    assert path, "static/js/sw.js is missing"
    code = Path(path).read_bytes()
    return HttpResponse(code, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    request.user = AnonymousUser()  # the stored page must not contain anybody's name
    context = {
        "title": "No connection",
        "what_to_do": "Taps on the pad are stored and will be sent by themselves. This page "
        "needs a connection: go back, and try again when you are online.",
    }
    return render(request, "offline.html", context)
