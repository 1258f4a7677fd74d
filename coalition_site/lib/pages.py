"""Reading forms, and showing on pages what was refused."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.forms import Form
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from .forms import first_error
from .refusals import Refused
from .requests import View


def cleaned_data(form: Form) -> dict[str, Any]:
    """:raises Refused: with the form's first error."""
    if not form.is_valid():
        raise Refused(first_error(form))
    return form.cleaned_data


def shows_refusals(page: View) -> Callable[[View], View]:
    # ``page`` takes the arguments of the view, and the refusal as ``refused``.

    def decorate(view: View) -> View:
        @wraps(view)
        def handle(request: HttpRequest, *args: Any, **rest: Any) -> HttpResponseBase:
            try:
                return view(request, *args, **rest)
            except Refused as refused:
                return page(request, *args, **rest, refused=refused)

        return handle

    return decorate
