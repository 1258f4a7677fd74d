from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from .accounts import commands
from .accounts.forms import AccountForm


class NameForm(UserChangeForm):
    clean_username = AccountForm.clean_username


class NewNameForm(AdminUserCreationForm):
    clean_username = AccountForm.clean_username


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    form = NameForm
    add_form = NewNameForm

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        commands.delete(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        # Delete each account by itself: whoever inherits a playgroup may be among them.
        for user in queryset:
            commands.delete(user)
