"""The template environment: Jinja2, since a tap's answer must not cost more than the tap."""

from __future__ import annotations

from contextlib import suppress
from datetime import date as datetime_date
from datetime import datetime
from functools import cache, lru_cache
from typing import Any
from uuid import uuid4

from django.templatetags.static import static
from django.urls import reverse
from django.utils import dateformat, timezone
from django_htmx.jinja import htmx_script
from jinja2 import Environment, Undefined
from markupsafe import Markup

from .lib.bidi import isolated

SHORT = 16  # characters of a name that fit wherever names stand


def environment(**options: Any) -> Environment:
    """Return the environment with what templates may call besides their context."""
    made = Environment(**options | {"undefined": Undefined})  # Django's choice in DEBUG prints text
    made.globals |= {
        "htmx_script": htmx_script,
        "static": static,
        "tap_id": uuid4,
        "url": url,
        "zone_name": timezone.get_current_timezone_name,
    }
    made.filters |= {"date": date, "day": day, "isolated": isolated, "named": named}
    made.filters |= {"icon": icon, "shield": shield, "sprite": sprite}
    return made


@lru_cache(maxsize=4096)
def url(name: str, *args: Any) -> str:
    """Return the address of a page."""
    return reverse(name, args=args)


def date(moment: datetime, form: str) -> str:
    """Return a time in the visitor's zone; ``form`` is Django's, "c" for machines."""
    with suppress(OverflowError):  # the first release imported the last hours of the calendar
        moment = timezone.localtime(moment)
    return dateformat.format(moment, form)


def day(date: datetime_date) -> str:
    """Return a day in words.

    >>> day(datetime_date(2026, 3, 9))
    '9 March 2026'
    """
    return dateformat.format(date, "j F Y")


def named(name: str) -> Markup:
    """Draw a name beside what it stands by: a long one in two lines, and whole in its title.

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
    """Return the address of an icon."""
    return f"{static('icons.svg')}#{name}"


@cache
def icon(name: str, css: str = "") -> Markup:
    """Draw an icon; it says nothing to a screen reader, so a word stands beside it.

    As a filter of a constant it is drawn once, when the template is compiled.
    """
    drawing = '<svg{} aria-hidden="true"><use href="{}"/></svg>'
    look = Markup(' class="{}"').format(css) if css else ""
    return Markup(drawing).format(look, sprite(name))


def shield(arms: str, seat: int) -> Markup:
    """Draw a seat's shield: ordinary and tincture, never the one without the other."""
    return icon(arms, f"shield seat-{seat}")
