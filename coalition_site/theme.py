"""The visitor's choice of colours."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

THEMES = {"": "As the device", "light": "Light", "dark": "Dark"}
YEAR = 365 * 24 * 60 * 60  # seconds


def look(request: HttpRequest) -> dict[str, object]:
    """Return the visitor's choice of colours; "" follows the device."""
    theme = request.COOKIES.get("theme", "")
    return {"theme": theme if theme in THEMES else "", "themes": THEMES}


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Store the visitor's choice of colours, and go back to the page it came from."""
    back = request.POST.get("back", "")
    inside = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    response = HttpResponseRedirect(back if inside else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax")
    return response
