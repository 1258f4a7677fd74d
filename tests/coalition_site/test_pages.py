"""Typed contexts, and refusals shown by pages."""

from __future__ import annotations

import pytest
from django import forms
from django.http import HttpResponse
from django.test import RequestFactory

from coalition_site.lib.pages import cleaned_data, shows_refusals
from coalition_site.lib.refusals import Refused


class NameForm(forms.Form):
    name = forms.CharField(error_messages={"required": "Type a name."})
    note = forms.CharField(error_messages={"required": "Type a note."})


def page(request, *args, refused, **rest):
    return HttpResponse(f"{args} {rest} {refused}", status=422)


@shows_refusals(page)
def view(request, *args, **rest):
    return HttpResponse(cleaned_data(NameForm(request.GET))["name"])


def test_a_valid_form_is_answered_by_its_view():
    response = view(RequestFactory().get("/", {"name": "Ann", "note": "First"}), "table")

    assert (response.status_code, response.content) == (200, b"Ann")


def test_a_refusal_is_answered_by_the_page_with_the_view_s_arguments_and_the_first_error():
    response = view(RequestFactory().get("/"), "table", number=2)

    assert response.status_code == 422
    assert response.content.decode() == "('table',) {'number': 2} Type a name."


def test_other_errors_are_not_shown():
    @shows_refusals(page)
    def broken(request):
        raise ValueError("a fault")

    with pytest.raises(ValueError, match="a fault"):
        broken(RequestFactory().get("/"))


def test_a_refusal_has_a_stable_code_and_a_message():
    refused = Refused("Choose another name.")

    assert (refused.code, refused.message({1: "Ann"})) == ("refused", "Choose another name.")
