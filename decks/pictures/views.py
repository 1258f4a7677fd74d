"""Pictures of cards from the site's own folder or cache, where its owner chose that."""

from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib import limits
from coalition_site.lib.requests import Request

from . import cache, folder
from .cache import NotNow, Wanted

YEAR = 365 * 24 * 60 * 60  # seconds: with another picture the address changes
HOUR = 60 * 60
TEXT = "text/plain; charset=utf-8"


@require_safe
def card_picture(
    request: Request, size: str, card: UUID, position: int, version: str
) -> HttpResponse:
    is_possible = size in folder.SIZES and position < folder.FACES_MAX
    if not is_possible or settings.CARD_PICTURES not in ("folder", "cache"):
        return _nothing()
    if settings.CARD_PICTURES == "folder":
        path = folder.find(size, card, position)
        content = folder.read(path) if path else b""
    else:
        wanted = Wanted(size, card, position, version)
        stored = cache.stored(wanted)
        if stored is None and (refused := limits.refusal(request, "card_picture")):
            return refused
        try:
            content = cache.fetched(wanted) if stored is None else stored
        except NotNow as problem:
            words = "This picture can’t be fetched now. Try again in a minute.\n"
            headers = {"Retry-After": str(problem.wait), "Cache-Control": "no-store"}
            return HttpResponse(words, TEXT, 503, headers=headers)
    if not content:
        return _nothing()
    forever = {"Cache-Control": f"public, max-age={YEAR}, immutable"}
    return HttpResponse(content, folder.content_type(content), headers=forever)


def _nothing() -> HttpResponse:  # a line, since a page would be larger than most pictures
    headers = {"Cache-Control": f"public, max-age={HOUR}"}
    return HttpResponse("There is no such picture here.\n", TEXT, 404, headers=headers)
