"""The page that lists the keys of the pad, with a switch for them."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from coalition_site.lib.requests import is_inside

COOKIE = "shortcuts"  # static/js/keys.js reads it
YEAR = 365 * 24 * 60 * 60  # seconds


@require_http_methods(["GET", "HEAD", "POST"])
def keyboard(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        return _switch(request)
    are_on = request.COOKIES.get(COOKIE) != "off"
    shown = {"are_on": are_on, "back": _back(request.GET)}
    return render(request, "scoring/keyboard.html", shown)


def _switch(request: HttpRequest) -> HttpResponse:
    back = _back(request.POST)
    query = f"?{urlencode({'back': back})}" if back else ""
    response = redirect(reverse("keyboard") + query)
    if request.POST.get("keys") == "off":
        response.set_cookie(COOKIE, "off", max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response


def _back(data: QueryDict) -> str:
    back = data.get("back", "")
    return back if is_inside(back) else ""
