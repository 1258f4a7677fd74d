"""What the check page says of how it read a list, and the taps that have it read otherwise."""

import pytest
from django.test import Client
from django.urls import reverse

from decks.models import Deck
from tests.scoring.browsing import parse, refusal, words_of
from tests.scoring.tables import text

from ..cards import face, given, record
from ..pages import listed_problems, post, upload

ARCHIDEKT = (
    "1x Lathril (dom) 172 [Commander{top}]\n4x Elvish Mystic (dom) 168 [Creature]\n"
    "2x Negate (dom) 1 [Maybeboard{noDeck}]\n3x Goblin Guide (dom) 2 [Maybeboard{noDeck}]"
)

pytestmark = pytest.mark.usefixtures("pool")


def read_as(response) -> str:
    (section,) = parse(text(response)).xpath('//section[@aria-label="How it was read"]')
    return words_of(section.find("p")).removeprefix("Read as ")


def taps(response) -> dict[str, str]:
    buttons = parse(text(response)).xpath('//button[@name="fix"]')
    return {words_of(button): button.get("value") for button in buttons}


def tapped(written: str, words: str) -> str:
    """Return the list that a tap makes of one."""
    answer = post(text=written, fix=taps(post(text=written))[words])
    return parse(text(answer)).xpath("string(//textarea)").strip()


# --- what was read ---
def test_page_says_whose_list_it_was_and_what_is_in_which_part():
    assert read_as(post(text=ARCHIDEKT)) == (
        "Archidekt: 4 main deck, 1 sideboard, hero Lathril; 5 of “Maybeboard” left out."
    )
    assert read_as(post(text="4 Forest\n\n1 Lathril")) == (
        "a plain list: 4 main deck, 1 sideboard, hero Lathril."
    )


@pytest.mark.parametrize(
    ("written", "words", "result"),
    [
        (
            ARCHIDEKT,
            "Count the 5 of “Maybeboard” in the main deck",
            "Deck\n4 Elvish Mystic (dom) 168\n2 Negate (dom) 1\n3 Goblin Guide (dom) 2\n\n"
            "Sideboard\n1 Lathril (dom) 172 *HERO*",
        ),
        (
            ARCHIDEKT,
            "Count the 5 of “Maybeboard” in the sideboard",
            "Deck\n4 Elvish Mystic (dom) 168\n\n"
            "Sideboard\n1 Lathril (dom) 172 *HERO*\n2 Negate (dom) 1\n3 Goblin Guide (dom) 2",
        ),
        (
            "4 Forest\n\n2 Negate",
            "No sideboard: all of it is the main deck",
            "Deck\n4 Forest\n2 Negate",
        ),
        (
            "Deck\n4 Forest\n\n2 Negate\n1 Lathril",
            "Make the last 3 cards the sideboard",
            "Deck\n4 Forest\n\nSideboard\n2 Negate\n1 Lathril",
        ),
        (
            "Count,Name,Edition,Foil,Collector Number\n60,Forest,dom,,266\n2,Negate,m20,foil,69",
            "Make the last 2 cards the sideboard",
            "Deck\n60 Forest (dom) 266\n\nSideboard\n2 Negate (m20) 69 *F*",
        ),
    ],
)
def test_list_is_read_otherwise_by_one_tap(written, words, result):
    assert tapped(written, words) == result


def test_other_readings_are_not_offered_where_headings_settle_it_or_there_are_no_sections():
    settled = "Deck\n4 Forest\n\n2 Negate\n\nSideboard\n1 Lathril"

    assert [key for key in taps(post(text=settled)).values() if "_" not in key] == []
    assert taps(post(text="1 Forest\n\n2 Negate", ruleset="realm-wars-2026")) == {}


# --- lines that can't be read ---
def test_bad_lines_stand_together_with_their_numbers_and_go_by_one_tap():
    written = "4 Forest\n" + "0 Negate\n" * 7 + "1 Lathril"

    page = parse(text(post(text=written)))

    (section,) = page.xpath('//section[@id="unread"]')
    assert words_of(section.find("h2")) == "7 lines can’t be read"
    shown = section.xpath("ol/li/@id"), section.xpath("details/ol/li/@id")
    assert shown == ([f"line-{at}" for at in range(2, 7)], ["line-7", "line-8"])
    assert tapped(written, "Take out all 7 lines that can’t be read") == "Deck\n4 Forest\n1 Lathril"


def test_page_of_a_file_with_very_many_faults_folds_them_up():
    lines = [f"1 Qqq {at} zzz" for at in range(300, 400)]

    answer = post(text="\n".join(lines))

    shown = parse(text(answer)).xpath('//section[h2="What to fix"]/ul/li')
    assert (len(shown), len(listed_problems(answer))) == (5 + 3, 100 + 3)


# --- suggestions ---
def test_every_unknown_name_has_suggestions_and_all_that_are_sure_are_taken_by_one_tap():
    faces = [face("Day Elf"), face("Night Elf")]
    given(
        record("Day Elf // Night Elf", layout="transform", card_faces=faces),
        record("Old Ox", flavor_name="Bull of the Moor"),
    )
    written = "4 Night Elf\n3 Bull of the Moor\n2 Elvish Mystc\n1 Qqq zzz"

    offered = taps(post(text=written))

    every = "Take all 3 that are sure: Day Elf // Night Elf, Old Ox, Elvish Mystic"
    assert [one for one in offered if one.startswith("Take") and "out" not in one] == [
        "Take Day Elf // Night Elf instead",
        every,
        "Take Old Ox instead",
        "Take Elvish Mystic instead",
    ]
    assert (
        tapped(written, every)
        == "Deck\n4 Day Elf // Night Elf\n3 Old Ox\n2 Elvish Mystic\n1 Qqq zzz"
    )
    assert tapped(written, "Take Old Ox instead").split("\n")[2] == "3 Old Ox"


# --- shared by another app ---
def share(**fields):
    """Send what a phone's share sheet sends: without a token, from another site."""
    return Client(enforce_csrf_checks=True).post(reverse("check_shared"), fields)


def test_list_that_another_app_shares_is_judged_and_nothing_is_written():
    as_text = share(title="Elves", text="4 Forest\n\n1 Lathril", save="1", name="Elves")
    as_file = share(file=upload("4 Forest\n\n1 Lathril", "elves.dec"))

    assert read_as(as_text) == read_as(as_file)
    assert {answer.status_code for answer in (as_text, as_file)} == {200}
    assert parse(text(as_text)).xpath('//form[@id="check"]/@action') == [reverse("check")]
    assert not Deck.objects.exists()


def test_shared_link_is_refused_with_what_to_do():
    answer = share(title="Elves", url="https://example.org/decks/1")

    problem = (
        "This is a link, and links are not opened. Export the deck there as text, and paste it."
    )
    assert refusal(answer) == (422, problem)


def test_installed_app_takes_shared_lists():
    target = Client().get(reverse("manifest")).json()["share_target"]

    assert (target["action"], target["method"]) == (reverse("check_shared"), "POST")
    assert [one["name"] for one in target["params"]["files"]] == ["file"]
    assert Client().get(target["action"])["Location"] == reverse("check")
