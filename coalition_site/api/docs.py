"""What the API promises: its OpenAPI document, and the page of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

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
    """Show how to use the API."""
    context = {
        "about": document()["info"]["description"],
        "address": request.build_absolute_uri("/api/v1/"),
        "operations": {path: methods["get"] for path, methods in document()["paths"].items()},
        "schemas": document()["components"]["schemas"].values(),
        "type_of": type_of,
        "name_of": name_of,
    }
    return render(request, "api/docs.html", context)


def type_of(schema: Mapping[str, Any]) -> str:
    """Return the type of a value in words.

    >>> type_of({"type": "array", "items": {"$ref": "#/components/schemas/Set"}})
    'list of Set'
    >>> type_of({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]})
    'date or null'
    """
    if "$ref" in schema:
        return name_of(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(map(type_of, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"“{value}”" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_of(schema['items'])}"
    return str(schema.get("format") or schema.get("type", ""))


def name_of(title: str) -> str:
    """Return what a part is called.

    >>> name_of("Listed[Set]"), name_of("Listed_Set_"), name_of("WholeSet")
    ('Page of Set', 'Page of Set', 'WholeSet')
    """
    listed = title.removeprefix("Listed")
    return listed if listed == title else f"Page of {listed.strip('[]_')}"
