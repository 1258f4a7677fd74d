"""The addresses of the API. Unknown versions answer as JSON too."""

from collections.abc import Iterator

from django.urls import URLPattern, path

from . import docs, v1
from .door import door


def _version_1() -> Iterator[URLPattern]:
    """Yield the addresses that the library routes, each behind the door."""
    patterns, *_ = v1.api.urls
    for one in patterns:
        if isinstance(one, URLPattern) and one.name != "api-root":
            assert one.callback is not None
            yield path(f"v1/{one.pattern}", door(one.callback), name=one.name)


urlpatterns = [
    path("", docs.docs, name="api"),
    path("v1/openapi.json", door(v1.openapi), name="api_openapi"),
    *_version_1(),
    path("<path:rest>", door(v1.nothing), name="api_nothing"),
]
