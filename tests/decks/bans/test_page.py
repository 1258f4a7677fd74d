"""The public page of the ban lists: what is banned, why, since when, and on any other day."""

import re
from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.bans import commands
from decks.bans.commands import day
from decks.catalogue.importing import import_cards
from decks.models import BanList, Card
from tests.scoring.browsing import Page, parse, refusal, words, words_of
from tests.scoring.tables import text
from tests.scoring.tables.test_query_counts import queries

from ..cards import card, given, record
from ..lists import TODAY, TOMORROW, coalition, house, put

JUNE, MARCH, MAY = date(2024, 6, 11), date(2026, 3, 9), date(2026, 5, 1)
NO_DAY = "The day is not a date: write it like 2026-03-09."


@pytest.fixture(autouse=True)
def _cards(db: None) -> None:
    names = ("Balance", "Channel", "Éowyn’s Oath", "Cleanse", "Crusade", "Jihad")
    given(
        *(record(name, "Sorcery") for name in names),
        record("Black Lotus", "Artifact", reserved=True),
        record("Contract", "Sorcery", "Remove it if you're not playing for ante.", reserved=True),
    )


def ask(**said: Any) -> HttpResponse:
    return Client().get(reverse("bans"), said)


def listed(response: HttpResponse, heading: str = "cards") -> list[str]:
    """Return the text of each part beneath a heading, its details in brackets."""
    found = re.search(f'aria-labelledby="{heading}">.*?</h2>(.*?)</section>', text(response), re.S)
    assert found, f"no {heading} there"
    html = re.sub("<details>", " [", re.sub("</details>", "] ", found[1]))
    items = re.split(r'<li class="entry">|<li><a class="btn" href="[?][^>]*>', html)[1:]
    return [_words(one) for one in items]


def _words(html: str) -> str:
    plain = re.sub("<[^>]*>", " ", re.sub("</?(time|a)[^>]*>", "", html))
    return re.sub(r"(?<=\[) | (?=\])", "", " ".join(unescape(plain).split()))


def is_there(response: HttpResponse, heading: str) -> bool:
    return f'aria-labelledby="{heading}"' in text(response)


# --- cards without an entry ---
def said_of(name: str, **asked: Any) -> str:
    """Return what the page says of a card that was asked for, "" if it needs no word."""
    notices = parse(text(ask(q=name, **asked))).xpath('//div[@role="status"]')
    return words_of(notices[0]) if notices else ""


def test_the_page_says_what_a_card_by_its_whole_name_is_that_it_does_not_show_or_suggests_one():
    card("Silver Elf", "Sorcery", vintage="not_legal")
    put("Balance", "banned", JUNE)

    said = {
        name: said_of(name, on=on)
        for name, on in {
            "Channel": "",
            "chan": "",
            "Silver Elf": "",
            "Balance": "2024-01-01",
            "balance": "2024-07-01",
        }.items()
    }

    never = "legal. This list has never mentioned it."
    assert said == {
        "Channel": f"Channel : {never}",
        "chan": "",
        "Silver Elf": "Silver Elf : not legal. It is not in the card pool.",
        "Balance": f"Balance : {never}",
        "balance": "",
    }
    assert said_of("Silver Elf", list="leveler") == f"Silver Elf : {never}"
    assert said_of("Blance").startswith("No card is called Blance. Did you mean Balance")
    (link,) = parse(text(ask(q="Blance"))).xpath('//div[@role="status"]//a[text()="Balance"]')
    assert link.get("href") == "?list=coalition&on=&q=Balance"


# --- what the rules ban ---
def ruled(**asked: Any) -> str:
    """Return the part of Leveler's page on what its rules ban, nothing without one."""
    html = text(ask(list="leveler", **asked))
    found = re.search(r'aria-labelledby="ruled">(.*?)</section>', html, re.S)
    return _words(found[1]) if found else ""


OWN = (
    "Jace, Wielder of Mysteries Laboratory Maniac Ormos, Archive Keeper Out of the Tombs"
    " Thassa's Oracle"
)
HEAD = (
    "Banned by the rules of Leveler These cards need no entry on the list. "
    "An entry that allows a card overrides the rule. Legacy’s bans are those of the card "
    "data of 5 June 2024, whichever day is shown."
)


def test_cards_that_levelers_rules_ban_are_named_but_those_of_which_the_list_says_something():
    oath = record("Oath", "Enchantment", legalities={"legacy": "banned"})
    import_cards([oath, record("Elf")], as_of=date(2024, 6, 5))

    assert ruled() == (
        f"{HEAD} Banned in Leveler: 5 cards {OWN}"
        " Banned in Legacy, and so in Leveler too: 1 card Oath"
    )
    assert ruled(q="maniac").endswith("Banned in Leveler: 1 card Laboratory Maniac")
    assert ruled(q="elf") == ""
    page = words(ask(list="leveler"))
    assert re.search(r"The rules of Leveler ban 6 cards on \d+ \w+ \d+ , see below\.", page)
    assert "0 cards" not in page

    given(record("Laboratory Maniac"))
    for name, status in (("Oath", "allowed"), ("Laboratory Maniac", "banned")):
        put(name, status, JUNE, ban_list=BanList.objects.get(key="leveler"))
    assert ruled().endswith("4 cards " + OWN.replace("Laboratory Maniac ", ""))
    assert "Oath" in ruled(on="2024-06-10")


# --- what is on the list ---
def test_each_card_shows_its_status_its_reason_since_when_and_its_editor_never_by_login():
    by = User.objects.create(username="secret-login", first_name="Ann", last_name="Rower")
    put("Balance", "banned", JUNE, "Too strong.", by=by)
    put("Éowyn’s Oath", "allowed", MARCH, by=User.objects.create(username="another-login"))
    put("Channel", "watched", MARCH, "Seen often.")
    put("offensive", "banned", MARCH, cards=["Jihad", "Crusade"])

    page = ask()

    depictions = "Depictions Banned [2 cards Crusade Jihad] Since 9 March 2026"
    assert listed(page, "groups") == listed(ask(q="jihad"), "groups") == [depictions]
    assert listed(ask(q="  ÉOWYN'S  oath ")) == ["Éowyn’s Oath Allowed Since 9 March 2026"]
    assert listed(page) == [
        "Balance Banned Too strong. Since 11 June 2024, last changed by Ann Rower",
        "Channel Watched Seen often. Since 9 March 2026",
        "Éowyn’s Oath Allowed Since 9 March 2026",
    ]
    counts = "3 cards (1 banned, 1 watched, 1 allowed) and 1 group of cards."
    links = parse(text(page)).xpath('//section[@aria-labelledby="cards"]//a/@href')
    assert links[:2] == ["/cards/balance/", "/bans/coalition/announcements/2024-06-11/"]
    assert f"In force on {day(TODAY)} : {counts}" in words(page)
    assert "-login" not in text(page)


# --- other days ---
@pytest.mark.parametrize(
    ("on", "found"),
    [
        ("2024-06-10", []),
        ("2026-03-08", ["Balance Watched Since 11 June 2024, until 9 March 2026"]),
        (
            "2026-03-09",
            [
                "Balance Banned [Since 9 March 2026, until 1 May 2026, 1 earlier change "
                "Announcement of 9 March 2026 11 June 2024: watched, until 9 March 2026.]"
            ],
        ),
        ("2026-05-01", []),
    ],
)
def test_any_day_is_shown_as_it_was(on, found):
    put("Balance", "watched", JUNE)
    put("Balance", "banned", MARCH)
    commands.end(coalition().entries.latest("pk"), MAY, None)

    page = ask(on=on)

    assert listed(page) == found
    assert f'type="date" name="on" value="{on}"' in text(page)


def test_changes_are_listed_latest_first_and_each_day_is_a_link():
    put("Balance", "banned", JUNE)
    put("Channel", "watched", JUNE)
    put("offensive", "banned", JUNE, cards=["Jihad"])
    put("Channel", "banned", MARCH)
    put("offensive", "banned", MARCH, cards=["Jihad", "Cleanse"])
    put("Crusade", "watched", MARCH)
    put("Contract", "banned", MARCH)  # replaced on its first day, so it was never there
    put("Contract", "watched", MARCH)
    commands.end(coalition().entries.get(card__name="Balance"), MARCH, None)
    commands.end(coalition().entries.get(card__name="Crusade"), MAY, None)
    put("Balance", "banned", TOMORROW)

    page = ask(on="2026-03-09")

    assert listed(page, "changed") == [
        f"{day(TOMORROW)} planned Balance: banned",
        "1 May 2026 Crusade: legal, was watched",
        "9 March 2026 Channel: banned, was watched Depictions: banned Contract: watched"
        " Crusade: watched Balance: legal, was banned",
        "11 June 2024 First list: 2 banned, 1 watched",
    ]
    links = [tag for name, tag in Page(text(page)).tags if "?list=" in (tag.get("href") or "")]
    assert [(tag["href"], tag.get("aria-current")) for tag in links[2:]] == [
        ("?list=coalition&on=2026-05-01", None),
        ("?list=coalition&on=2026-03-09", "date"),
        ("?list=coalition&on=2024-06-11", None),
    ]


def test_the_page_of_today_begins_with_what_is_planned_the_nearest_first_then_with_what_is_new():
    tuesday = house()
    put("Balance", "banned", JUNE)
    put("Jihad", "banned", TODAY - timedelta(days=31))
    put("Crusade", "banned", TODAY, "Too big.")
    put("Channel", "banned", TOMORROW + timedelta(days=1))
    put("Contract", "watched", TOMORROW)
    put("Channel", "allowed", TOMORROW, ban_list=tuesday)  # its first ban is news, too

    later = f"From {day(TOMORROW + timedelta(days=1))} on Changes of"
    assert listed(ask(), "news") == [
        f"Contract Watched] {later} {day(TOMORROW + timedelta(days=1))} 1 banned",
        f"Channel Banned] Since {day(TODAY)} Changes of {day(TODAY)} 1 banned",
        "Crusade Banned Too big.]",
    ]
    of_house = words(ask(list="tuesday"))
    assert of_house.index("The first list 1 allowed Channel Allowed") < of_house.index(later)
    assert "Coalition 1 banned Crusade Banned Too big." in of_house  # the list that it stands on
    for asked in ({"on": MARCH.isoformat()}, {"q": "a"}):
        assert not is_there(ask(**asked), "news")


# --- looking for a card ---


def test_a_card_that_a_group_means_is_shown_with_each_group_until_it_is_allowed():
    put("reserved-list", "banned", JUNE)
    put("ante", "banned", MARCH)
    coalition().entries.create(
        card=Card.objects.get(name="Black Lotus"), status="allowed", starts_on=MARCH
    )

    assert listed(ask(q="contract"), "meant") == ["Contract Banned Reserved list, Ante"]
    assert listed(ask(q="contract", on="2026-03-08"), "meant") == ["Contract Banned Reserved list"]
    assert not is_there(ask(), "meant")
    assert listed(ask(q="lotus")) == ["Black Lotus Allowed Since 9 March 2026"]
    assert not is_there(ask(q="lotus"), "meant")
    assert listed(ask(q="lotus", on="2026-03-08"), "meant") == ["Black Lotus Banned Reserved list"]


def test_a_search_shows_a_card_that_left_the_list():
    put("Balance", "banned", JUNE, "Too strong.")
    commands.end(coalition().entries.get(), MARCH, None)

    page = ask(q="balance")

    assert "No card by that name has an entry of its own on that day." in words(page)
    assert listed(page, "gone") == [
        "Balance [No longer on the list, 1 earlier change "
        "11 June 2024: banned, until 9 March 2026. Too strong.]"
    ]
    assert not is_there(ask(), "gone")


# --- lists ---


def test_a_house_list_is_shown_with_what_it_stands_on():
    tuesday = house()
    put("Balance", "banned", JUNE)
    put("Channel", "banned", JUNE)
    put("Balance", "allowed", MARCH, "We like it.", ban_list=tuesday)

    page = ask(list="tuesday")

    assert listed(page) == [
        "Balance House Allowed We like it. [Since 9 March 2026, 1 earlier change "
        "Announcement of 9 March 2026 11 June 2024: banned.]",
        "Channel Banned Since 11 June 2024",
    ]
    assert "House bans on top of the Coalition list." in words(page)
    assert listed(ask()) == [
        "Balance Banned Since 11 June 2024",
        "Channel Banned Since 11 June 2024",
    ]


def test_a_house_that_allows_a_group_is_not_shown_its_ban_and_two_days_compare_both_lists():
    put("reserved-list", "banned", JUNE)
    put("reserved-list", "allowed", MARCH, ban_list=house())

    assert is_there(ask(q="lotus"), "meant")
    assert not is_there(ask(q="lotus", list="tuesday"), "meant")
    page = parse(text(ask(list="tuesday", on="2024-01-01", beside="2024-07-01")))
    rows = page.xpath('//section[@aria-labelledby="beside"]//tr')[1:]
    assert [words_of(row) for row in rows] == ["Reserved list – Banned"]


# --- what can't be answered ---
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"q": "\0"}, "Null characters are not allowed."),
        ({"q": "x" * 201}, "Ensure this value has at most 200 characters (it has 201)."),
        (
            {"on": "someday", "list": "vintage"},
            f"There is no such ban list. Choose another. {NO_DAY}",
        ),
    ],
)
def test_an_invalid_query_is_refused_in_words_and_keeps_what_was_typed(asked, told):
    assert refusal(ask(**asked)) == (422, told)
    form = Page(text(ask(on="someday", q='"Balance"', list="leveler"))).forms[0]
    assert form.fields == {"q": ['"Balance"'], "on": [""], "list": ["leveler"], "beside": [""]}


def test_a_page_takes_as_many_queries_for_many_entries_as_for_few():
    put("Balance", "banned", JUNE)
    put("offensive", "banned", JUNE, cards=["Jihad"])
    put("ante", "banned", JUNE)
    few = [queries(ask), queries(lambda: ask(q="a"))]
    many = given(*(record(f"Card {number}", "Sorcery") for number in range(30)))
    for one in many:
        coalition().entries.create(card=one, starts_on=JUNE, ends_on=MARCH)
        coalition().entries.create(card=one, starts_on=MARCH, changed_by=None)
    put("offensive", "banned", MARCH, cards=["Jihad", "Crusade"])
    put("reserved-list", "banned", MARCH)

    assert [queries(ask), queries(lambda: ask(q="a"))] == few == [6, 9]
