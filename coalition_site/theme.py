"""The visitor's choice of colours."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from .lib.requests import is_inside

THEMES = {"": "As the device", "light": "Light", "dark": "Dark"}
YEAR = 365 * 24 * 60 * 60  # seconds


def chosen_theme(request: HttpRequest) -> str:
    theme = request.COOKIES.get("theme", "")
    return theme if theme in THEMES else ""  # which follows the device


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("back", "")
    response = HttpResponseRedirect(back if is_inside(back) else "/")
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=YEAR, samesite="Lax")
    return response
