"""Pictures of cards from the site's own folder or cache, where its owner chose that."""

from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from coalition_site.lib import limits
from coalition_site.lib.requests import Request

from ..pictures import cache, folder
from ..pictures.cache import NotNow, Wanted

YEAR = 365 * 24 * 60 * 60  # seconds: with another picture the address changes
HOUR = 60 * 60


@require_safe
def card_picture(
    request: Request, size: str, card: UUID, position: int, version: str
) -> HttpResponse:
    """Answer with a picture of a card, which is fetched if it is not here yet."""
    is_possible = size in folder.SIZES and position < folder.FACES_MAX
    if not is_possible or settings.CARD_PICTURES not in ("folder", "cache"):
        return _nothing()
    if settings.CARD_PICTURES == "folder":
        path = folder.find(size, card, position)
        return _answer(folder.read(path) if path else b"")
    return _from_cache(request, Wanted(size, card, position, version))


def _from_cache(request: Request, wanted: Wanted) -> HttpResponse:
    content = cache.stored(wanted)
    if content is None:
        if refused := limits.refusal(request, "card_picture"):
            return refused
        try:
            content = cache.fetched(wanted)
        except NotNow as problem:
            return _later(problem.wait)
    return _answer(content)


def _answer(content: bytes) -> HttpResponse:
    if not content:
        return _nothing()
    response = HttpResponse(content, content_type=folder.content_type(content))
    response["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    return response


def _nothing() -> HttpResponse:
    response = _text("There is no such picture here.", 404)
    response["Cache-Control"] = f"public, max-age={HOUR}"
    return response


def _later(wait: int) -> HttpResponse:
    response = _text("This picture can’t be fetched now. Try again in a minute.", 503)
    response["Retry-After"] = str(wait)
    response["Cache-Control"] = "no-store"
    return response


def _text(text: str, status: int) -> HttpResponse:
    """Answer in a line, since a page would be larger than most pictures."""
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
