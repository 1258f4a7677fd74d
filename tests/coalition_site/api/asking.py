"""A small language for tests of the API: who asks, with which token, and what the JSON says."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.api import tokens


def token(user: User, name: str = "A program") -> dict[str, str]:
    """Return the header of a new token of an account."""
    return {"Authorization": f"Bearer {tokens.create(user, name)}"}


def ask(
    name: str, *args: object, headers: dict[str, str] | None = None, **query: Any
) -> HttpResponse:
    """Return the answer of an address of the API."""
    return Client().get(reverse(name, args=args), query, headers=headers or {})


def read(name: str, *args: object, headers: dict[str, str] | None = None, **query: Any) -> Any:
    """Return the JSON of an answer, which must be there."""
    response = ask(name, *args, headers=headers, **query)
    assert response.status_code == 200, response.content
    return response.json()


def refusal(response: HttpResponse) -> tuple[int, str]:
    """Return the status of a problem, and what it says."""
    assert response.headers["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    return response.status_code, body["detail"]
