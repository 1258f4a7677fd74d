"""The page of each card."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from coalition_site.lib.requests import Request

from ..addresses import card_address
from ..catalogue import memory
from ..models import NAME_MAX
from ..pages.card import NoCardPage, card_page
from ..rules.names import address_name, written


@require_safe
@cache_control(private=True, no_cache=True)  # what it shows depends on the visitor
def card(request: Request, name: str) -> HttpResponse:
    """Show a card; a name in another spelling leads to the card's own address."""
    spelled = written(name[:NAME_MAX].replace("\0", ""))  # PostgreSQL takes none
    catalogue = memory.CATALOGUE.now()
    found = catalogue.find([spelled]).get(spelled)
    if found is None:
        closest = catalogue.closest([spelled]).get(spelled, ())
        return NoCardPage(name=spelled, closest=closest).respond(request, status=404)
    if address_name(found.name) != name:
        return redirect(card_address(found.name))
    return card_page(request, found, catalogue, timezone.localdate()).respond(request)
