"""Who gets into the admin, and what its pages may be asked.

The staff gets in, and whoever edits the ban lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Any

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import ForeignObjectRel, Model
from django.forms import CharField, ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator

from coalition_site.lib.forms import check_lines_showable
from coalition_site.lib.limits import limited

from .apps import EDITORS


def may_enter(user: Any) -> bool:
    """Say whether an account gets in; what it may do there its permissions say."""
    is_known = user.is_staff or user.groups.filter(name=EDITORS).exists()
    return user.is_active and is_known


class LoginForm(AdminAuthenticationForm):
    def confirm_login_allowed(self, user: Any) -> None:
        if not may_enter(user):
            raise self.get_invalid_login_error()


class FilteredList(ChangeList):
    """A list that is asked by its own filters alone; Django's takes any lookup of any field."""

    def get_filters(self, request: HttpRequest) -> Any:
        found = super().get_filters(request)
        if found[2]:  # what no filter of the page has taken
            raise IncorrectLookupParameters
        return found


class Wary(ModelAdmin):
    """Before the admin of every model: what Django's own would break on is not asked for."""

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return FilteredList

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return nothing: no page leads to a form that its address fills."""
        return {}

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        field = next((one for one in self.opts.get_fields() if one.name == to_field), None)
        is_column = field and not isinstance(field, ForeignObjectRel)
        return bool(is_column and super().to_field_allowed(request, to_field))

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        return super().get_object(request, object_id, from_field or None)

    def get_form(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        form = super().get_form(request, obj, **options)
        for name, field in form.base_fields.items():
            if isinstance(field, ModelChoiceField):
                check_keys(field.queryset.model, request.POST.getlist(name))
        return form

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if isinstance(field, CharField):
            others = [one for one in field.validators if one != ProhibitNullCharactersValidator()]
            field.validators = [*others, check_lines_showable]  # which says it of these too
        return field

    def response_action(self, request: HttpRequest, queryset: Any) -> Any:
        check_keys(self.model, request.POST.getlist(ACTION_CHECKBOX_NAME))
        return super().response_action(request, queryset)


def check_keys(model: type[Model], keys: Iterable[str]) -> None:
    """Refuse what can't be the key of anything: no list of choices has that."""
    try:
        for key in filter(None, keys):
            model._meta.pk.clean(key, None)
    except ValidationError as error:
        raise BadRequest("What was chosen is in no list.") from error


class Choices(AutocompleteJsonView):
    """What a field may be, as one types."""

    def process_request(self, request: HttpRequest) -> Any:
        found = super().process_request(request)
        if isinstance(found[2], ForeignObjectRel):  # the other end of a field, which has none
            raise PermissionDenied
        return found


class EditorsSite(AdminSite):
    login_form = LoginForm

    def register(self, models: Any, admin_class: Any = None, **options: Any) -> None:
        wary = type("Wary", (Wary, admin_class or ModelAdmin), {})
        super().register(models, wary, **options)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        @wraps(view)
        def storable(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            if any("\0" in value for _, values in request.GET.lists() for value in values):
                raise BadRequest("The address has a character that nothing has.")
            return view(request, *args, **named)

        return super().admin_view(storable, cacheable)

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return Choices.as_view(admin_site=self)(request)

    def has_permission(self, request: HttpRequest) -> bool:
        return may_enter(request.user)

    @method_decorator(limited("sign_in"))
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return super().login(request, extra_context)
