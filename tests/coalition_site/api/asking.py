"""A small language for tests of the API: who asks, with which token, and what the JSON says."""

import re
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.api import docs, tokens

SCHEMAS = docs.document()["components"]["schemas"]
PROMISED = {
    path: methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    for path, methods in docs.document()["paths"].items()
}
TYPES = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def token(user: User, name: str = "A program") -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens.create(user, name)}"}


def ask(
    name: str, *args: object, headers: dict[str, str] | None = None, **query: Any
) -> HttpResponse:
    return Client().get(reverse(name, args=args), query, headers=headers or {})


def read(name: str, *args: object, headers: dict[str, str] | None = None, **query: Any) -> Any:
    """Return the JSON of an answer, which must be there."""
    response = ask(name, *args, headers=headers, **query)
    assert response.status_code == 200, response.content
    answer = response.json()
    route = response.wsgi_request.resolver_match.route
    if promised := PROMISED.get(re.sub(r"<\w+:(\w+)>", r"{\1}", f"/{route}")):
        check(answer, promised, name)
    return answer


def check(value: Any, schema: dict[str, Any], place: str) -> None:
    """Hold a value to its schema of the OpenAPI document: all that is promised, and no more."""
    if "$ref" in schema:
        schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        kind, null = schema["anyOf"]
        assert null == {"type": "null"}
        if value is not None:
            check(value, kind, place)
        return
    assert type(value) in TYPES[schema["type"]], place
    assert "enum" not in schema or value in schema["enum"], place
    for item in value if schema["type"] == "array" else ():
        check(item, schema["items"], place)
    if "properties" in schema:
        assert value.keys() == schema["properties"].keys(), place
        for name, of_name in schema["properties"].items():
            check(value[name], of_name, f"{place}.{name}")


def refusal(response: HttpResponse) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    return response.status_code, body["detail"]
