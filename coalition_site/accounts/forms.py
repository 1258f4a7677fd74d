"""Forms about accounts: Django's own, in the site's words."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth import forms as auth
from django.contrib.auth import password_validation as rules
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
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


class LongEnough(rules.MinimumLengthValidator):
    def get_error_message(self) -> str:
        return f"The password is too short. Use {self.min_length} characters or more."


class Uncommon(rules.CommonPasswordValidator):
    def get_error_message(self) -> str:
        return "Many people use this password. Choose another."


class NotOnlyDigits(rules.NumericPasswordValidator):
    def get_error_message(self) -> str:
        return "The password is all digits. Add some letters."


class NotYourName(rules.UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return "The password is too similar to your name or e-mail. Choose another."


class Worded(forms.Form):
    hints: Mapping[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = False
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label, field.help_text = LABELS[name], self.hints.get(name, "")
            field.error_messages["required"] = f"“{field.label}” is empty. Fill it in."
            field.widget.attrs.pop("autofocus", None)


class SignInForm(Worded, auth.AuthenticationForm):
    error_messages = {
        "invalid_login": "Name and password don’t match. Try again; capitals matter.",
        "inactive": "This account was closed. Ask whoever runs the site.",
    }


class AccountForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": auth.UsernameField}
        error_messages = {"username": {"unique": TAKEN}}
        widgets = {"email": forms.EmailInput(attrs={"autocomplete": "email"})}

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        # Compared here, since SQLite knows capitals of A to Z only.
        others = User.objects.exclude(pk=self.instance.pk).values_list("username", flat=True)
        if name_key(name) in map(name_key, others.iterator()):
            raise ValidationError(TAKEN)
        return name

    def try_to_save(self) -> bool:
        """Save the account; if its name was taken a moment ago, add that error to the form."""
        try:
            with transaction.atomic():
                self.save()
        except IntegrityError:
            self.add_error("username", TAKEN)
        return self.is_valid()


class SignUpForm(Worded, AccountForm, auth.BaseUserCreationForm):
    hints = {"username": NAME_HINT, "email": EMAIL_HINT, "password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}

    class Meta(AccountForm.Meta):
        pass


class Confirmed(Worded):
    # Asks for the user's password; a wrong password counts as an attempt to sign in.

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def checked(self, password: str) -> str:
        name = self.request.user.get_username()
        if authenticate(self.request, username=name, password=password) is None:
            raise ValidationError(WRONG)
        return password


class ConfirmForm(Confirmed):
    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def clean_password(self) -> str:
        return self.checked(self.cleaned_data["password"])


class ChangeForm(ConfirmForm, AccountForm):
    # Changes name or e-mail; asks for the password, since e-mail can set a new password.

    hints = {"username": NAME_HINT, "email": EMAIL_HINT}
    field_order = ("username", "email", "password")

    class Meta(AccountForm.Meta):
        pass


class TokenForm(ConfirmForm):
    # Names a new token; asks for the password, since a token goes on working after signing out.

    name = forms.CharField(max_length=TOKEN_NAME_MAX, validators=[check_showable])
    hints = {"name": "Such as “Club website”. To know it again when you want to revoke it."}
    field_order = ("name", "password")


class PasswordForm(Confirmed, auth.PasswordChangeForm):
    hints = {"new_password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}

    def clean_old_password(self) -> str:
        return self.checked(self.cleaned_data["old_password"])


class ResetForm(Worded, auth.PasswordResetForm):
    pass


class NewPasswordForm(Worded, auth.SetPasswordForm):
    hints = {"new_password1": PASSWORD_HINT}
    error_messages = {"password_mismatch": DIFFERENT}
