import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe

QUIET = 4  # the light modules around a code that its standard asks for


def qr_code(address: str, border: int = 2) -> SafeString:
    drawn = segno.make(address, micro=False).svg_inline(
        svgclass="qr", lineclass=None, omitsize=True, border=border, title="QR code of the link"
    )
    return mark_safe(drawn)


def render_qr(
    request: HttpRequest, *, title: str, note: str, address: str, back: str
) -> HttpResponse:
    """Render a link as a QR code that fills the screen; ``note`` says what the link gives away."""
    context = {"title": title, "note": note, "address": address, "back": back}
    return render(request, "qr.html", context | {"qr": qr_code(address, QUIET)})
