"""The page of the API, written from its OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from ..lib.pages import Page
from . import v1


@dataclass(frozen=True)
class Field:
    """A parameter of an address, or a field of an answer."""

    name: str
    type: str
    about: str
    is_required: bool = False


@dataclass(frozen=True)
class Address:
    """An address: what it answers, to which parameters; ``answer`` names a part of ``Parts``."""

    path: str
    title: str
    about: str
    parameters: Sequence[Field]
    answer: str


@dataclass(frozen=True)
class Part:
    """A kind of answer, or what one is made of."""

    name: str
    about: str
    fields: Sequence[Field]


@dataclass(kw_only=True)
class DocsPage(Page):
    """What can be read, by address, and what the answers are made of."""

    template: ClassVar[str] = "api/docs.html"
    about: str
    address: str
    addresses: Sequence[Address]
    parts: Sequence[Part]


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show how to use the API."""
    document = v1.document()
    return DocsPage(
        about=v1.ABOUT,
        address=request.build_absolute_uri("/api/v1/"),
        addresses=[*_addresses(document["paths"])],
        parts=[*_parts(document["components"]["schemas"])],
    ).respond(request)


def _addresses(paths: Mapping[str, Any]) -> Iterator[Address]:
    for where, methods in paths.items():
        operation = methods["get"]
        title, _, about = operation["description"].partition("\n\n")
        answer = operation["responses"][200]["content"]["application/json"]["schema"]
        parameters = [_parameter(one) for one in operation["parameters"]]
        yield Address(where, title, about.replace("\n", " "), parameters, type_of(answer))


def _parameter(one: Mapping[str, Any]) -> Field:
    about = one["schema"].get("description", "")
    return Field(one["name"], type_of(one["schema"]), about, one["required"])


def _parts(schemas: Mapping[str, Any]) -> Iterator[Part]:
    for schema in schemas.values():
        fields = [
            Field(name, type_of(field), field.get("description", ""))
            for name, field in schema["properties"].items()
        ]
        yield Part(name_of(schema["title"]), schema.get("description", ""), fields)


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
