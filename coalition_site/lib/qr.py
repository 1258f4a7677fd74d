"""Links as QR codes, for the next phone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import segno
from django.utils.safestring import SafeString, mark_safe

from .pages import Page

QUIET = 4  # the light modules around a code that its standard asks for


def qr_code(address: str, border: int = 2) -> SafeString:
    """Return an address as a QR code in SVG, dark on light in any theme."""
    drawn = segno.make(address, micro=False).svg_inline(
        svgclass="qr", lineclass=None, omitsize=True, border=border, title="QR code of the link"
    )
    return mark_safe(drawn)


@dataclass(kw_only=True)
class QrPage(Page):
    """A link as a QR code that fills the screen; ``note`` says what the link gives away."""

    template: ClassVar[str] = "qr.html"
    title: str
    note: str
    address: str
    back: str

    def context(self) -> dict[str, Any]:
        return {**super().context(), "qr": qr_code(self.address, QUIET)}
