"""Tags for the icons: an SVG sprite, drawn in the colour of the text or of a seat."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@cache
def icon(name: str, css: str = "") -> SafeString:
    """Draw an icon; it says nothing to a screen reader, so a word stands beside it."""
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        css,
        static("icons.svg"),
        name,
    )


@register.simple_tag
@cache
def shield(seat: int, arms: str) -> SafeString:
    """Draw a seat's shield: tincture and ordinary, never the one without the other."""
    return icon(arms, f"shield seat-{seat}")


@register.simple_tag
@cache
def sprite(name: str) -> str:
    """Return the address of an icon, for an SVG that places it itself."""
    return f"{static('icons.svg')}#{name}"
