"""Atom feeds of what a view has looked up, and has allowed the visitor to see."""

from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.utils.feedgenerator import Atom1Feed


class AtomFeed(Feed):  # type: ignore[type-arg]  # no arguments at run time
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **rest: Any) -> Any:
        return rest["of"]
