"""What the API promises: its OpenAPI document, and the page of it."""

import json
from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .door import Json, Problem


@cache
def document() -> Json:
    # Written by hand: version 1 keeps what it promised, and tests hold the answers to it.
    text = Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def openapi(request: HttpRequest) -> Json:
    return document()


def nothing(request: HttpRequest, rest: str) -> Json:
    raise Problem(
        404,
        "There is nothing here. Addresses begin with /api/v1/ and have no slash at their end; "
        "/api/ lists them.",
    )


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    context = {
        "about": document()["info"]["description"],
        "address": request.build_absolute_uri("/api/v1/"),
        "operations": {path: methods["get"] for path, methods in document()["paths"].items()},
        "schemas": document()["components"]["schemas"].values(),
    }
    return render(request, "api/docs.html", context)
