"""What decks need from the record of play: only this module imports the scoring app."""

from __future__ import annotations

from django.http import HttpRequest

from scoring import access
from scoring.access import is_listed, may_find, may_see
from scoring.models import SetResult

from .models import Deck

__all__ = ["SetResult", "is_listed", "may_find", "may_see", "results"]


def results(request: HttpRequest, deck: Deck) -> list[SetResult]:
    """Return a deck's results in finished sets, newest first. One query.

    Sets that the visitor may not watch are left out.
    """
    played = SetResult.objects.filter(seat__deck__deck=deck)
    played = played.select_related("game_set__playgroup", "seat__deck")
    newest_first = played.order_by("-game_set__finished_at")
    return [result for result in newest_first if access.may_watch(request, result.game_set)]
