"""The page of the site's state."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ..lib.problems import problem
from . import access, pages

NOT_STAFF = "This page is for the site’s staff: an account that is a superuser, or marked as staff."


@require_safe
@never_cache
def state(request: HttpRequest) -> HttpResponse:
    """Show how the site is, to its staff; others get what the admin gives them."""
    if access.may_see_state(request):
        return pages.StatePage().respond(request)
    if admin.site.has_permission(request):
        return problem(request, 403, "For the staff", NOT_STAFF)
    return redirect_to_login(request.get_full_path(), reverse("admin:login"))
