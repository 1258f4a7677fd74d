"""Reading answers as a player does: what the page says, and what its forms would send."""

from dataclasses import dataclass

from django.http import HttpResponse
from lxml.etree import Element, strip_tags
from lxml.html import FormElement, HtmlElement, document_fromstring

from .tables import text

NO_TABLE = "22222222"
PROBLEM = '//div[@class="notice problem"][@role="alert"]'


def problem(response: HttpResponse) -> str:
    return " ".join(map(words_of, parse(text(response)).xpath(PROBLEM)))


def words(response: HttpResponse) -> str:
    return words_of(parse(text(response)))


def parse(html: str) -> HtmlElement:
    """Return the document of a page, which may be empty."""
    return document_fromstring(html.strip() or "<html>")


def words_of(element: HtmlElement) -> str:
    """Return the text in an element: tags separate words, but for those around a name."""
    strip_tags(element, "bdi")
    return " ".join(" ".join(element.itertext()).split())


def refusal(response: HttpResponse) -> tuple[int, str]:
    return response.status_code, problem(response)


def is_fragment(response: HttpResponse) -> bool:
    """Say whether an answer is the board alone, to be put in place by htmx."""
    return text(response).lstrip().startswith("<main") and "<html" not in text(response)


@dataclass
class Form:
    """A form of a page: its attributes, and the fields that a browser would send untouched."""

    attributes: dict[str, str]
    fields: dict[str, list[str]]

    @classmethod
    def of(cls, form: FormElement) -> "Form":
        fields: dict[str, list[str]] = {}
        for field in form.inputs:
            if field.name and "disabled" not in field.attrib:
                fields.setdefault(field.name, []).extend(_sent(field))
        return cls(dict(form.attrib), {name: sent for name, sent in fields.items() if sent})


def _sent(field: HtmlElement) -> list[str]:
    """Return the values that an input, a select or a text area sends if nobody touches it."""
    if field.tag == "select":
        return [option.get("value", "") for option in field.xpath(".//option[@selected]")]
    if field.tag == "textarea":
        return [field.text or ""]
    if field.checkable and not field.checked:
        return []
    return [field.get("value", "on" if field.checkable else "")]


class Page:
    """A page's tags with their attributes, and its forms."""

    def __init__(self, html: str) -> None:
        document = parse(html)
        self.tags = [(tag.tag, dict(tag.attrib)) for tag in document.iter(Element)]
        self.forms = [Form.of(form) for form in document.forms]


def form_to(response: HttpResponse, action: str, css: str = "") -> Form:
    """Return the only form of a page that goes to an address, and is of a class."""
    forms = [
        form
        for form in Page(text(response)).forms
        if form.attributes.get("action") == action and css in form.attributes.get("class", "")
    ]
    assert len(forms) == 1, f"{len(forms)} forms go to {action}"
    return forms[0]
