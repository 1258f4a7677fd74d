"""The template environment: Jinja2, since Django's templates would cost more than the tap."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache, lru_cache
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils import dateformat, timezone
from django_htmx.jinja import htmx_script
from jinja2 import Environment, Undefined
from markupsafe import Markup

from decks.access import deck_in_hand
from decks.addresses import card_address
from decks.catalogue.symbols import symbols
from decks.decks.building import places_of
from scoring.rules.words import shortened
from scoring.tables.board import Who

from .lib.bidi import isolated
from .lib.dates import day
from .theme import THEMES, chosen_theme

SHORT = 16  # characters of a name that fit wherever names stand


def environment(**options: Any) -> Environment:
    options |= {
        "lstrip_blocks": True,  # a tag on a line of its own leaves nothing on the page
        "trim_blocks": True,
        "undefined": Undefined,  # Django's choice prints text in DEBUG
    }
    jinja = Environment(**options)
    jinja.globals |= {
        "card_address": card_address,
        "card_pictures_from_scryfall": lambda: settings.CARD_PICTURES in ("scryfall", "cache"),
        "chosen_theme": chosen_theme,
        "has_card_pictures": lambda: settings.CARD_PICTURES != "none",
        "deck_in_hand": deck_in_hand,
        "htmx_script": cache(htmx_script),
        "places_of": cache(places_of),
        "static": cache(static),  # looked up seven times on a page
        "tap_id": uuid4,
        "themes": THEMES,
        "url": url,
        "zone_name": timezone.get_current_timezone_name,
    }
    jinja.filters |= {"date": date, "day": day, "isolated": isolated, "named": named, "who": who}
    jinja.filters |= {"icon": icon, "shield": shield, "sprite": sprite, "symbols": symbols}
    jinja.filters["shortened"] = shortened
    return jinja


@lru_cache(maxsize=4096)
def url(name: str, *args: Any) -> str:
    return reverse(name, args=args)


def date(moment: datetime, form: str) -> str:
    """Return a time in the visitor's zone; ``form`` is a format of Django's, "c" for machines."""
    with suppress(OverflowError):  # the first release imported the last hours of the calendar
        moment = timezone.localtime(moment)
    return dateformat.format(moment, form)


@lru_cache(maxsize=4096)
def named(name: str) -> Markup:
    """Draw a name: a long name in two lines, and in full in its title.

    >>> named("Olga")
    Markup('<bdi>Olga</bdi>')
    >>> named("Maximiliane Wilhelmina")
    Markup('<bdi class="long" title="Maximiliane Wilhelmina">Maximiliane Wilhelmina</bdi>')
    """
    if len(name) <= SHORT:
        return Markup("<bdi>{}</bdi>").format(name)
    return Markup('<bdi class="long" title="{0}">{0}</bdi>').format(name)


@cache
def sprite(name: str) -> str:
    return f"{static('icons.svg')}#{name}"


@cache
def icon(name: str, css: str = "") -> Markup:
    # Hidden from screen readers, which read the word beside it. As a filter of a constant it is
    # drawn once, when the template is compiled.
    drawing = '<svg{} aria-hidden="true"><use href="{}"/></svg>'
    look = Markup(' class="{}"').format(css) if css else ""
    return Markup(drawing).format(look, sprite(name))


def who(seat: int, names: Mapping[int, str]) -> Who:
    return Who(seat, names[seat])


def shield(arms: str, seat: int) -> Markup:
    return icon(arms, f"shield seat-{seat}")  # shape and colour always go together
