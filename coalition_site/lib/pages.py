"""Pages as typed contexts, and showing on them what was refused."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from .forms import first_error
from .refusals import Refused
from .requests import View


@dataclass(kw_only=True)
class Page:
    # Its fields are the variables of its template.
    template: ClassVar[str]

    def context(self) -> dict[str, Any]:
        return dict(vars(self))

    def respond(self, request: HttpRequest, status: int = 200) -> HttpResponse:
        return render(request, self.template, self.context(), status=status)


def cleaned_data(form: Form) -> dict[str, Any]:
    """:raises Refused: with the form's first error."""
    if not form.is_valid():
        raise Refused(first_error(form))
    return form.cleaned_data


def shows_refusals(page: View) -> Callable[[View], View]:
    """Answer whatever a view refuses with a page that shows it.

    ``page`` takes the arguments of the view, and the refusal as ``refused``.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def handle(request: HttpRequest, *args: Any, **rest: Any) -> HttpResponseBase:
            try:
                return view(request, *args, **rest)
            except Refused as refused:
                return page(request, *args, **rest, refused=refused)

        return handle

    return decorate
