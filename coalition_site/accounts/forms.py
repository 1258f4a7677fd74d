"""Forms about accounts: Django's own, in the site's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth import forms as auth
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from ..lib.forms import check_showable
from ..lib.texts import name_key
from ..models import TOKEN_NAME_MAX

TAKEN = "This name is taken. Choose another."
WRONG = "The password is wrong. Enter your current password."
DIFFERENT = "The two passwords differ. Enter the same password twice."
LABELS = {
    "username": "Name",
    "email": "E-mail",
    "name": "What it is for",
    "password": "Your password",
    "password1": "Password",
    "password2": "Repeat the password",
    "old_password": "Your current password",
    "new_password1": "New password",
    "new_password2": "Repeat the new password",
}
NAME_HINT = "Letters, digits and @ . + - _"
EMAIL_HINT = "Optional. Only used to set a new password if you forget yours."
PASSWORD_HINT = "8 characters or more, not only digits."


class Worded(forms.Form):
    """A form in the words of the site."""

    hints: Mapping[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = False
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label, field.help_text = LABELS[name], self.hints.get(name, "")
            field.error_messages["required"] = f"“{field.label}” is empty. Fill it in."
            field.widget.attrs.pop("autofocus", None)


class SignInForm(Worded, auth.AuthenticationForm):
    """Name and password."""

    error_messages = {
        "invalid_login": "Name and password don’t match. Try again; capitals matter.",
        "inactive": "This account was closed. Ask whoever runs the site.",
    }


class AccountForm(forms.ModelForm):
    """The name and e-mail of an account."""

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": auth.UsernameField}
        error_messages = {"username": {"unique": TAKEN}}
        widgets = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}

    def clean_username(self) -> str:
        """Refuse names that differ from another account's only in capitals.

        Compared here, since SQLite knows capitals of A to Z only.
        """
        name: str = self.cleaned_data["username"]
        others = User.objects.exclude(pk=self.instance.pk).values_list("username", flat=True)
        if name_key(name) in map(name_key, others.iterator()):
            raise ValidationError(TAKEN)
        return name


class SignUpForm(Worded, AccountForm, auth.BaseUserCreationForm):
    """A new account."""

    hints = {"username": NAME_HINT, "email": EMAIL_HINT, "password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}

    class Meta(AccountForm.Meta):
        pass


class ConfirmForm(Worded):
    """Asks for the password again; a wrong password counts as an attempt to sign in."""

    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        return _checked(self.request, self.cleaned_data["password"])


def _checked(request: HttpRequest, password: str) -> str:
    """Return the user's password; a wrong password counts as an attempt to sign in."""
    if authenticate(request, username=request.user.get_username(), password=password) is None:
        raise ValidationError(WRONG)
    return password


class ChangeForm(ConfirmForm, AccountForm):
    """Changes name or e-mail; asks for the password, since e-mail can set a new password."""

    hints = {"username": NAME_HINT, "email": EMAIL_HINT}
    field_order = ("username", "email", "password")

    class Meta(AccountForm.Meta):
        pass


class TokenForm(ConfirmForm):
    """Names a new token; asks for the password, since a token goes on working after signing out."""

    name = forms.CharField(max_length=TOKEN_NAME_MAX, validators=[check_showable])
    hints = {"name": "Such as “Club website”. To know it again when you want to revoke it."}
    field_order = ("name", "password")


class PasswordForm(Worded, auth.PasswordChangeForm):
    """Changes the password."""

    hints = {"new_password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        return _checked(self.request, self.cleaned_data["old_password"])


class ResetForm(Worded, auth.PasswordResetForm):
    """Asks where to send a link that sets a new password."""


class NewPasswordForm(Worded, auth.SetPasswordForm):
    """Sets a new password, for whoever has that link."""

    hints = {"new_password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}
