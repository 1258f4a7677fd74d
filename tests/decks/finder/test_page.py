"""The finder's page: its two forms, its list, its addresses, and what htmx gets of it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml import html

from decks.decks.counted import PLAYED
from decks.finder import page as finder
from decks.models import Card
from tests.scoring.browsing import problem

from ..cards import given, record
from ..lists import register
from .pool import HTMX, ask, ban, card, listed, pool, text

pytestmark = pytest.mark.django_db
# The numbers of cards and of ban lists, the hero, the cards, the unaffiliated, and what is said.
QUERIES_MAX = 6


@pytest.fixture(autouse=True)
def _pool() -> None:
    pool()


def fields(page: HttpResponse) -> dict[str, Any]:
    """Return what the form's fields have, as a browser would send them, without empty ones."""
    (form,) = html.fromstring(page.content).xpath("//*[@id='filled']")
    values: dict[str, Any] = {}
    for field in form.xpath(".//input|.//select"):
        if field.tag == "select":
            (value,) = field.xpath("option[@selected]/@value") or [""]
        else:
            value = field.get("value", "")
        if value and (field.get("type") != "checkbox" or "checked" in field.attrib):
            values[field.get("name")] = values.get(field.get("name"), "") + value
    return values


def test_the_page_shows_the_cards_their_number_and_what_was_asked():
    page = ask(q="t:elf mv<=1 legal:vintage")

    assert page.status_code == 200
    assert listed(page) == ["Llanowar Elder", "_____"]
    assert "2 cards" in text(page)
    assert 'value="t:elf mv<=1 legal:vintage"' in text(page)
    assert "<title>Cards: t:elf mv<=1 legal:vintage" in text(page)
    assert fields(page) == {"line": "elf", "most": "1", "legal": "vintage"}


def test_the_list_says_by_which_ruleset_cards_are_legal():
    assert "Legality: today in Coalition (A win fills up to 21)." in text(ask(q="elf"))
    assert "Legality: today in Leveler." in text(ask(q="elf banned:leveler"))


def test_a_form_without_scripts_leads_to_the_address_of_its_expression():
    page = ask(line="elf", colors=["G", "B"], within="=", least="2", name="", kind="")

    assert page.status_code == 302
    assert page["Location"] == "/cards/?q=t%3Aelf+c%3Dbg+mv%3E%3D2"
    assert listed(Client().get(page["Location"])) == ["Lathril, Elf Queen"]


def test_the_form_and_the_expression_fill_each_other_through_htmx():
    by_expression = ask(htmx=True, q="t:elf c:g pow>1")
    by_form = ask(htmx=True, line="elf", colors=["G"], rest="pow>1")

    assert fields(by_expression) == {"line": "elf", "colors": "G", "rest": "pow>1"}
    assert 'value="t:elf c:g pow>1"' in text(by_form)
    assert listed(by_expression) == listed(by_form) == ["Lathril, Elf Queen"]
    # What was wrong before is right now.
    assert '<div id="misread" hx-swap-oob="true"></div>' in text(by_form)
    # Who types in a field keeps it: only the other form is replaced.
    assert ('id="asked"' in text(by_expression), 'id="filled"' in text(by_form)) == (False, False)
    assert (
        by_expression["HX-Replace-Url"]
        == by_form["HX-Replace-Url"]
        == "/cards/?q=t%3Aelf+c%3Ag+pow%3E1"
    )
    assert "<html" not in text(by_form)
    assert "HX-Request" in by_form["Vary"]


def test_what_is_not_understood_changes_nothing_else_on_the_page():
    part = ask(htmx=True, q="c:g typ:elf")

    assert part.status_code == 422
    assert (part["HX-Retarget"], part["HX-Reswap"]) == ("#misread", "outerHTML")
    assert "HX-Replace-Url" not in part
    assert text(part).lstrip().startswith('<div id="misread">')
    assert problem(part).startswith("Line 1, column 5: “typ” is not known here.")
    assert '<a class="btn" href="/cards/?q=c%3Ag+type%3Aelf">type</a>' in text(part)
    assert ('id="found"' in text(part), 'id="filled"' in text(part)) == (False, False)


def test_what_was_found_before_stays_below_a_problem_but_not_all_cards():
    """Also without scripts, where a hidden field of the forms names it."""
    page = ask(q="t:elf mv<=", found="t:elf mv<=1 legal:vintage")
    assert (page.status_code, listed(page)) == (422, ["Llanowar Elder", "_____"])
    assert "Found before: 2 cards" in text(page)
    assert text(page).count('name="found" value="t:elf mv<=1 legal:vintage"') == 2
    assert listed(ask(q="t:elf mv<=", found='"')) == []

    by_htmx = [text(ask(htmx=True, q="typ:elf", found=found)) for found in ("", "t:elf")]
    replaced = re.findall(r'id="found"[^>]*(hx-swap-oob="true")', by_htmx[0])
    assert (len(replaced), "No cards yet" in by_htmx[0]) == (1, True)
    assert 'id="found"' not in by_htmx[1]
    cleaned = ask(q="t:elf mv<=1", found="t:elf")
    assert (cleaned.status_code, cleaned["Location"]) == (302, "/cards/?q=t%3Aelf+mv%3C%3D1")


def test_examples_are_found_by_a_tap_until_something_was_asked():
    tapped = r'<a class="btn" href="(/cards/[^"]*)"><code>'
    (first, *others) = re.findall(tapped, text(ask()))
    assert len(others) == 3
    found = Client().get(first)
    assert listed(found) == ["Lathril, Elf Queen", "Llanowar Elder"]
    assert re.findall(tapped, text(found)) == []
    assert first in re.findall(tapped, text(ask(q="(")))


def test_a_problem_of_the_form_shows_the_expression_that_it_wrote():
    page = ask(type="Elv", least="x")

    assert page.status_code == 422
    assert "<code>mv>=x aff:Elv</code>" in text(page)
    assert "Line 1, column 5: “x” is not a number." in problem(page)
    assert fields(page) == {"type": "Elv", "least": "x"}


@pytest.mark.parametrize(
    "asked",
    [
        {"q": "x" * 10_000},
        {"type": "x" * 10_000},
        {"hero": '"' * 300},
        {"q": "(" * 500},
        {"q": '"' * 499},
        {"q": "-" * 500},
        {"kind": "dogs"},
        {"legal": "chess"},
        {"within": "maybe", "colors": "W"},
        {"colors": ["X", "Y"]},
        {"rest": "("},
        {"q": "hero:\0"},
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_bad_input_is_answered_never_failed(asked, htmx):
    assert ask(htmx=htmx, **asked).status_code in (200, 302, 422)


@pytest.mark.parametrize("wrong", ["0", "-1", "x", "1.5", "9" * 99, "²", "7"])
def test_a_page_that_is_not_there_leads_to_the_first(wrong):
    page = ask(q="t:elf", page=wrong)

    assert (page.status_code, listed(page)) == (200, [])
    assert "There is only one page." in text(page)


def test_a_list_goes_on_page_by_page(monkeypatch):
    monkeypatch.setattr(finder, "PAGE", 2)

    pages = [ask(q="t:elf order:name", page=number) for number in (1, 2, 3)]

    assert [listed(page) for page in pages] == [
        ["_____", "Frankie"],
        ["Lathril, Elf Queen", "Llanowar Elder"],
        ["Silver Elf"],
    ]
    assert "Page 2 of 3" in text(pages[1])
    links = [re.findall(r'rel="(prev|next)" href="([^"]*)"', text(page)) for page in pages]
    assert links == [
        [("next", "/cards/?q=t%3Aelf+order%3Aname&page=2")],
        [
            ("prev", "/cards/?q=t%3Aelf+order%3Aname"),
            ("next", "/cards/?q=t%3Aelf+order%3Aname&page=3"),
        ],
        [("prev", "/cards/?q=t%3Aelf+order%3Aname&page=2")],
    ]


def test_going_back_is_given_the_whole_page():
    headers = HTMX | {"HX-History-Restore-Request": "true"}

    assert "<html" in text(Client(headers=headers).get(reverse("finder")))


def test_the_page_offers_the_unaffiliated_cards_of_a_type():
    page = text(ask(q="aff:elf"))

    assert "3 unaffiliated cards fit every type" in page
    assert 'href="/cards/?q=fits%3Aelf"' in page
    assert "unaffiliated cards fit" not in text(ask(q="fits:elf"))
    assert "1 unaffiliated card fits" in text(ask(q="aff:elf mv=3"))


def test_the_page_offers_the_types_of_a_hero():
    page = text(ask(q="hero:kaalia"))

    assert "Types for a deck around Kaalia:" in page
    assert 'href="/cards/?q=hero%3Akaalia+fits%3AAngel">Angel</a>' in page
    assert ">Human</a>" not in page


def test_a_row_tells_how_often_a_card_is_played_here():
    register("deck", "1 Kaalia")

    rows = re.findall('<p class="small soft">([^<]*)</p>', text(ask(q="mv=0 or ka or changeling")))
    assert [row.strip() for row in rows[1:]] == [
        "Angel, Cleric, Human · in 1 deck here",
        "All types",
        "Unaffiliated",
        "Unaffiliated",
    ]


@pytest.mark.parametrize("expression", ["", "o:x t:x c:g pow>1 is:vanilla m:g"])
def test_an_empty_catalogue_is_announced(expression):
    Card.objects.all().delete()

    assert "No card has been imported yet." in text(ask(q=expression))


def test_a_button_is_named_by_the_words_on_it():
    assert 'Add to a deck<span class="vh">: Llanowar Elder</span>' in text(ask(q="t:elf"))


def test_an_empty_result_helps():
    page = ask(q="zzz")

    assert (page.status_code, listed(page)) == (200, [])
    assert "No card fits all of that." in text(page)


def test_what_was_typed_is_shown_as_text():
    for asked in ({"q": '"><b>x'}, {"q": "<script>x"}, {"hero": "<b>"}, {"rest": "<b>"}):
        page = ask(**asked)
        assert not re.search("<script>x|<b>", page.content.decode())


SEARCHES = (
    *("", "elf", "aff:elf", "hero:kaalia legal:leveler", 't:elf c:g mv<=3 o:"draw a card"'),
    *("o:~ fo:creature kw:haste m:g pow>tou id:g is:vanilla", "played>1 order:played", "zzz"),
)


def costs() -> Iterator[int]:
    """Yield how many queries some searches take in a process that has answered them before."""
    for expression in SEARCHES:
        ask(q=expression)
        with CaptureQueriesContext(connection) as captured:
            ask(q=expression)
        yield len(captured)


def test_the_number_of_queries_does_not_grow_with_the_catalogue():
    ban(rule="reserved-list")
    few = list(costs())
    given(*(record(f"Angel {number}", "Creature — Angel") for number in range(200)))
    for number in range(50):
        ban(card=card(f"Angel {number}"))
    register("deck", "\n".join(f"1 Angel {number}" for number in range(60)))
    PLAYED.forget()

    assert list(costs()) == few
    assert max(few) <= QUERIES_MAX
