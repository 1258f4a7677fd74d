"""Links as QR codes, for the next phone."""

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(address: str) -> SafeString:
    """Return an address as a QR code in SVG, dark on light in any theme."""
    drawn = segno.make(address, micro=False).svg_inline(
        svgclass="qr", lineclass=None, omitsize=True, border=2, title="QR code of the link"
    )
    return mark_safe(drawn)
