"""Who gets into the admin: the staff, and whoever edits the ban lists."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator

from coalition_site.lib.limits import limited

from .apps import EDITORS


def may_enter(user: Any) -> bool:
    """Return whether an account gets in; its permissions say what it may do there."""
    is_editor = user.is_staff or user.groups.filter(name=EDITORS).exists()
    return bool(user.is_active and is_editor)


class LoginForm(AdminAuthenticationForm):
    def confirm_login_allowed(self, user: Any) -> None:
        if not may_enter(user):
            raise self.get_invalid_login_error()


class EditorsSite(AdminSite):
    login_form = LoginForm

    def has_permission(self, request: HttpRequest) -> bool:
        return may_enter(request.user)

    @method_decorator(limited("sign_in"))
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().login(request, extra_context)
