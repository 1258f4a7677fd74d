"""Reading answers as a player does: what the page says, and what its forms would send."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from django.http import HttpResponse
from django.test import Client

from scoring.play.queries import Table

from .tables import address, text, unchanged

NO_TABLE = "22222222"
PROBLEM = re.compile(r'<div class="notice problem" role="alert">(.*?)</div>', re.DOTALL)


def problem(response: HttpResponse) -> str:
    """Return what a refusal says on the page."""
    return " ".join(_words(found) for found in PROBLEM.findall(text(response)))


def words(response: HttpResponse) -> str:
    """Return the text of a page."""
    return _words(text(response))


def _words(html: str) -> str:
    inline = re.sub(r"</?bdi[^>]*>", "", html)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", inline)).split())


def refusal(response: HttpResponse) -> tuple[int, str]:
    """Return status and message of a refusal."""
    return response.status_code, problem(response)


def is_fragment(response: HttpResponse) -> bool:
    """Say whether an answer is the board alone, to be put in place by htmx."""
    return text(response).lstrip().startswith("<main") and "<html" not in text(response)


@dataclass
class Form:
    """A form of a page: its attributes, and the fields that a browser would send untouched."""

    attributes: dict[str, str | None]
    fields: dict[str, list[str]] = field(default_factory=dict)


class Page(HTMLParser):
    """A page's tags with their attributes, and its forms."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.forms: list[Form] = []
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "form":
            self.forms.append(Form(found))
        if tag == "select":
            self._select = found.get("name") or ""
        if tag == "option" and "selected" in found and self._select:
            self._keep(self._select, found.get("value"))
        if tag == "input" and found.get("name") and "disabled" not in found:
            is_box = found.get("type") in ("radio", "checkbox")
            if not is_box or "checked" in found:
                self._keep(found["name"] or "", found.get("value", "on" if is_box else ""))

    def _keep(self, name: str, value: str | None) -> None:
        if self.forms:
            self.forms[-1].fields.setdefault(name, []).append(value or "")


def form_to(response: HttpResponse, action: str, css: str = "") -> Form:
    """Return the one form of a page that goes to an address, and is of a class."""
    found = [
        form
        for form in Page(text(response)).forms
        if form.attributes.get("action") == action and css in (form.attributes.get("class") or "")
    ]
    assert len(found) == 1, f"{len(found)} forms go to {action}"
    return found[0]


@dataclass(frozen=True)
class View:
    """A view of a table for the litany: its name, arguments and methods."""

    name: str
    args: tuple[object, ...] = ()
    methods: str = "POST"

    def __str__(self) -> str:
        return self.name


def ask(client: Client, method: str, where: str) -> HttpResponse:
    return getattr(client, method.lower())(where)


def check_wrong_methods(view: View, table: Table, scorer: Client) -> None:
    """Hold a view to 405 for each method that is not its own, also for its scorekeeper."""
    where = address(table, view.name, *view.args)
    allowed = view.methods.replace("GET", "GET HEAD").split()
    for method in {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"} - set(allowed):
        with unchanged():
            response = ask(scorer, method, where)
        assert (response.status_code, response["Allow"]) == (405, ", ".join(allowed))


def check_unknown_table(view: View, table: Table, scorer: Client) -> None:
    """Hold a view to 404, with a page that says so, for a table that is not there."""
    where = address(table, view.name, *view.args).replace(table.game_set.code, NO_TABLE)
    for response in _answers(view, scorer, where):
        assert response.status_code == 404
        assert "Check the link" in words(response)


def check_without_key(view: View, table: Table) -> None:
    """Hold a view to 403, with a page that says what is missing, for who holds no key."""
    where = address(table, view.name, *view.args)
    with unchanged():
        for response in _answers(view, Client(), where):
            assert response.status_code == 403
            assert "you need its scorekeeper link" in words(response)


def _answers(view: View, client: Client, where: str) -> Iterator[HttpResponse]:
    for method in view.methods.split():
        yield ask(client, method, where)
