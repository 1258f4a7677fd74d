"""Installing the site on a phone, and opening it there without a connection."""

from pathlib import Path

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles.finders import find
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

GROUND = "#172023"
ICONS = (("192", 192, "any"), ("512", 512, "any"), ("maskable-512", 512, "maskable"))


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest: how the site looks among a phone's apps."""
    values = {
        "id": "/",
        "name": "Coalition table",
        "short_name": "Coalition",
        "description": "The scorekeeper for multiplayer card tables.",
        "start_url": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {
                "src": static(f"icons/{name}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, size, purpose in ICONS
        ],
    }
    return JsonResponse(values, content_type="application/manifest+json")


@require_safe
@never_cache
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, at the root since it only serves addresses below its own."""
    path = find("js/sw.js")
    assert path, "static/js/sw.js is missing"
    code = Path(path).read_bytes()
    return HttpResponse(code, content_type="text/javascript")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that a phone stores for addresses that need a connection."""
    request.user = AnonymousUser()  # the stored page must not contain anybody's name
    context = {
        "title": "No connection",
        "what_to_do": "Taps on the pad are stored and will be sent by themselves. This page "
        "needs a connection: go back, and try again when you are online.",
    }
    return render(request, "offline.html", context)
