"""Signing up, in and out, and changing an account. Most of it is Django's."""

from collections.abc import Sequence
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.contrib.messages.views import SuccessMessageMixin
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST
from django.views.generic import FormView
from django.views.generic.base import ContextMixin, TemplateResponseMixin

from scoring.groups import queries
from scoring.groups.people import account_deletion, players
from scoring.models import Delivery

from ..api import tokens
from ..lib.limits import limited
from ..lib.refusals import Refused
from ..lib.requests import Request
from ..models import ApiToken
from . import commands, forms

BACKEND = "django.contrib.auth.backends.ModelBackend"


def without_copies(response: HttpResponse) -> HttpResponse:
    # Browsers forget their copies of pages, as ``sw.js`` does, but not the waiting taps.
    response["Clear-Site-Data"] = '"cache"'
    return response


def _account(request: HttpRequest) -> User:
    return User.objects.get(pk=cast(User, request.user).pk)


class Refusing(TemplateResponseMixin, ContextMixin):
    """Answers invalid forms, and methods other than POST, as the whole site does."""

    http_method_names: Sequence[str] = ("get", "head", "post")

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


@method_decorator((never_cache, sensitive_post_parameters(), limited("sign_in")), name="dispatch")
class Own(LoginRequiredMixin, Refusing, FormView):
    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}


@method_decorator(limited("sign_in"), name="dispatch")
class SignIn(Refusing, auth.LoginView):
    form_class = forms.SignInForm
    template_name = "accounts/sign_in.html"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        may_sign_up = commands.may_sign_up(self.get_redirect_url())
        return super().get_context_data(**context, may_sign_up=may_sign_up)


class SignOut(auth.LogoutView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return without_copies(super().post(request, *args, **kwargs))


@method_decorator((never_cache, sensitive_post_parameters(), limited("sign_up")), name="dispatch")
class SignUp(Refusing, auth.RedirectURLMixin, FormView):
    form_class = forms.SignUpForm
    template_name = "accounts/sign_up.html"
    next_page = "groups"

    def dispatch(self, request: HttpRequest, *args: Any, **rest: Any) -> HttpResponseBase:
        if not commands.may_sign_up(self.get_redirect_url()):
            context = {"how": settings.SIGN_UP}
            return render(request, "accounts/no_sign_up.html", context, status=403)
        return super().dispatch(request, *args, **rest)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**context, next=self.get_redirect_url())

    def form_valid(self, form: forms.SignUpForm) -> HttpResponse:
        if not form.try_to_save():
            return self.form_invalid(form)
        login(self.request, form.instance, BACKEND)
        return super().form_valid(form)


class Account(SuccessMessageMixin, Own):
    form_class = forms.ChangeForm
    template_name = "accounts/account.html"
    success_url = reverse_lazy("account")
    success_message = "Saved."

    def get_form_kwargs(self) -> dict[str, Any]:
        copy = _account(self.request)  # even a refused form changes it
        return super().get_form_kwargs() | {"instance": copy}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            **context,
            places=queries.memberships_of(self.request.user.pk),
            shows_playgroups=queries.shows_playgroups(self.request.user.pk),
            messages=messages.get_messages(self.request),
        )

    def form_valid(self, form: forms.ChangeForm) -> HttpResponse:
        return super().form_valid(form) if form.try_to_save() else self.form_invalid(form)


class Tokens(Own):
    form_class = forms.TokenForm
    template_name = "accounts/tokens.html"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            **context,
            tokens=ApiToken.objects.filter(user=self.request.user.pk),
            messages=messages.get_messages(self.request),
        )

    def form_valid(self, form: forms.TokenForm) -> HttpResponse:
        try:
            secret = tokens.create(_account(self.request), form.cleaned_data["name"])
        except Refused as refused:
            form.add_error("name", str(refused))
            return self.form_invalid(form)
        empty = forms.TokenForm(request=self.request)
        return self.render_to_response(self.get_context_data(form=empty, secret=secret))


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    if not tokens.revoke(request.user.pk, pk):
        raise Http404("There is no such token of this account.")
    messages.success(request, "The token is revoked.")
    return redirect("tokens")


@require_POST
@login_required
def show_playgroups(request: Request) -> HttpResponse:
    assert request.user.is_authenticated
    players.show_playgroups(request.user, "shows_playgroups" in request.POST)
    messages.success(request, "Saved.")
    return redirect("account")


class ChangePassword(SuccessMessageMixin, Own, auth.PasswordChangeView):
    form_class = forms.PasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("account")
    success_message = "Your password is changed. Other devices are signed out."


@method_decorator(limited("reset"), name="dispatch")
class AskForReset(Refusing, FormView):
    # Have a link sent if an account has the address; the answer is the same if none has.

    form_class = forms.ResetForm
    template_name = "accounts/reset.html"
    success_url = reverse_lazy("password_reset_done")

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**context, sends_mail=settings.SENDS_MAIL)

    def form_valid(self, form: forms.ResetForm) -> HttpResponse:
        # One row whether or not an account has the address, so the answer takes as long.
        site = self.request.build_absolute_uri("/").removesuffix("/")
        email = form.cleaned_data["email"]
        Delivery.objects.create(kind=Delivery.Kind.RESET, email=email, site=site)
        return super().form_valid(form)


class Reset(Refusing, auth.PasswordResetConfirmView):
    form_class = forms.NewPasswordForm
    template_name = "accounts/new_password.html"
    post_reset_login = True
    post_reset_login_backend = BACKEND

    def render_to_response(self, context: dict[str, Any], **options: Any) -> HttpResponse:
        if not self.validlink:
            options = {"status": 410}
        return super().render_to_response(context, **options)


class Delete(Own):
    form_class = forms.ConfirmForm
    template_name = "accounts/delete.html"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        handed = account_deletion.handovers(_account(self.request))
        return super().get_context_data(**context, handed=handed, neutral=account_deletion.NEUTRAL)

    def form_valid(self, form: forms.ConfirmForm) -> HttpResponse:
        commands.delete(_account(self.request))
        logout(self.request)
        return without_copies(redirect("account_deleted"))
