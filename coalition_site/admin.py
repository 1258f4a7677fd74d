"""Accounts in the admin: their names are asked for as on the site."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import User

from .accounts.forms import AccountForm


class NameForm(UserChangeForm):
    clean_username = AccountForm.clean_username


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    form = NameForm
