"""What people type about their accounts: Django's forms, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth import forms as auth
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest

TAKEN = "This name is taken. Choose another."
WRONG = "The password is wrong. Enter your present one."
DIFFERENT = "The two passwords differ. Enter the same one twice."
LABELS = {
    "username": "Name",
    "email": "E-mail",
    "password": "Your password",
    "password1": "Password",
    "password2": "The password once more",
    "old_password": "Your present password",
    "new_password1": "New password",
    "new_password2": "The new password once more",
}
NAME_HINT = "Letters, digits and @ . + - _"
EMAIL_HINT = "If you like; only used to set a new password when you forgot yours."
PASSWORD_HINT = "8 characters or more, not only digits."


class Worded(forms.Form):
    """A form in the words of the site."""

    hints: Mapping[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id=False, **kwargs)
        for name, field in self.fields.items():
            field.label, field.help_text = LABELS[name], self.hints.get(name, "")
            field.error_messages["required"] = f"“{field.label}” is empty. Fill it in."
            field.widget.attrs.pop("autofocus", None)


class SignInForm(Worded, auth.AuthenticationForm):
    """Name and password."""

    error_messages = {
        "invalid_login": "Name and password don’t go together. Try again; capitals count.",
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
        """Names that differ by capitals only would be taken for each other."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exclude(pk=self.instance.pk).exists():
            raise ValidationError(TAKEN)
        return name


class SignUpForm(Worded, AccountForm, auth.BaseUserCreationForm):
    """A new account."""

    hints = {"username": NAME_HINT, "email": EMAIL_HINT, "password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}

    class Meta(AccountForm.Meta):
        pass


class ConfirmForm(Worded):
    """Asks who is signed in for the password; wrong ones count as attempts to sign in."""

    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        return _checked(self.request, self.cleaned_data["password"])


def _checked(request: HttpRequest, password: str) -> str:
    """Return the password of who is signed in; a wrong one counts as an attempt to sign in."""
    if authenticate(request, username=request.user.get_username(), password=password) is None:
        raise ValidationError(WRONG)
    return password


class ChangeForm(ConfirmForm, AccountForm):
    """Another name or e-mail; who can change the e-mail can set the password."""

    hints = {"username": NAME_HINT, "email": EMAIL_HINT}
    field_order = ("username", "email", "password")

    class Meta(AccountForm.Meta):
        pass


class PasswordForm(Worded, auth.PasswordChangeForm):
    """Another password."""

    hints = {"new_password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        return _checked(self.request, self.cleaned_data["old_password"])


class ResetForm(Worded, auth.PasswordResetForm):
    """Where to send a link that sets a new password."""


class NewPasswordForm(Worded, auth.SetPasswordForm):
    """A new password, for who has that link."""

    hints = {"new_password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}
