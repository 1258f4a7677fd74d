"""The page that checks a list: pasted or sent as a file, as one types or when it is sent."""

import re
from datetime import date
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from decks import versions
from decks.bans.commands import day
from decks.catalogue.importing import import_cards
from decks.models import Card, CardImport, Deck
from tests.scoring.browsing import Page, parse, refusal, words, words_of
from tests.scoring.tables import text, unchanged
from tests.scoring.tables.test_query_counts import queries

from ..cards import given, record
from ..faults import HERO, MARCH
from ..lists import TODAY, house
from ..pages import LEGAL, listed_problems, post, saved_deck, verdict, wrong_lines
from ..written import deck, leveler

NOTHING = "Paste a deck list, or choose a file."
NO_CARD = "There is no card in this list. Write one card per line, like 4 Forest."
NO_TEXT = "This is not a text file. Export the deck as text, .dek or .cod, or paste it."
TOO_LONG = "This list is too long: 200 kB at most. Send the list of a single deck."
TOO_LONG_TO_SAVE = (
    "This list is too long to save: 20 kB at most. Take out comments, or cards that are not in the"
    " deck."
)
LONGEST_SAVED = f"{LEGAL}\n// {'é' * 10_000}".encode()[:20_000].decode("utf-8", "ignore")
LONGEST_SAVED += "/" * (20_000 - len(LONGEST_SAVED.encode()))
LED = f"Your hero is {HERO}, and the coalition type is Elf."

pytestmark = pytest.mark.django_db
in_place_or_whole = pytest.mark.parametrize("htmx", [False, True], ids=["whole", "in place"])


# --- the form ---
def test_page_says_when_no_cards_are_known():
    assert "This site has no cards yet." in words(Client().get(reverse("check")))


def test_a_leveler_deck_begins_with_a_template_of_its_three_parts(pool):
    client = Client()
    links = parse(text(client.get(reverse("check")))).xpath("//a[text()='Leveler template']/@href")

    page = client.get(links[0])
    fields = next(form for form in Page(text(page)).forms if "text" in form.fields).fields
    checked = post(client, text=fields["text"][0], ruleset=fields["ruleset"][0])

    assert [words for _, words in listed_problems(checked)] == [
        "Sub-deck 1 has 20 cards and needs 50: add 30.",
        "Sub-deck 2 has 12 cards and needs 30: add 18.",
        "Sub-deck 3 has 8 cards and needs 20: add 12.",
    ]


# --- the report ---


@in_place_or_whole
def test_a_fault_of_a_line_is_shown_above_and_in_its_line(pool, htmx):
    page = post(htmx=htmx, text=deck("2 Negate"))

    message = "2 copies of Negate: only creatures and lands may have more than 1. Take out 1."
    assert (page.status_code, verdict(page)[0]) == (200, "Not legal: 1 problem")
    assert listed_problems(page) == [("line-5", f"Line 5: {message}")]
    assert wrong_lines(page) == [("line-5", [message])]


def test_the_report_tells_the_day_of_the_cards_what_is_left_out_and_types_with_what_fits(pool):
    given(record("Elf"))
    CardImport.objects.update(as_of=date(2026, 11, 21))
    versions.draw(versions.CARDS)

    page = words(post(text=f"{deck('4 Elvish Mystic', '4 Goblin Guide')}\nMaybeboard\n2 Negate"))

    assert "Cards as of 21 Nov 2026" in page
    assert "Left out 2× Negate line 9 It is under “Maybeboard”." in page
    assert "Elf 4 cards do not fit" in page
    assert "Warrior 8 cards do not fit" in page
    assert "Not Elf: 4 Goblin Guide" in page


@pytest.mark.parametrize("keyword", ["Partner", "Friends forever", "Companion"])
def test_a_hero_leads_alone_whatever_company_its_text_offers(pool, keyword):
    """000: no companion or partner."""
    alone = f"{HERO} leads alone: “{keyword}” has no effect on a Coalition deck."
    assert "leads alone" not in words(post(text=LEGAL))
    Card.objects.filter(name=HERO).update(keywords=f"Flying,{keyword}")
    versions.draw(versions.CARDS)

    page = post(text=LEGAL)

    assert verdict(page)[0] == "Legal"
    assert alone in words(page)
    assert "leads alone" not in words(post(text=LEGAL, ruleset="leveler"))


def test_levelers_guide_and_report_tell_of_which_day_legacys_bans_are(pool):
    """002 4: What Legacy bans is banned; by which list, the format leaves open."""
    import_cards([record("Oath", legalities={"legacy": "banned"})], as_of=date(2026, 11, 21))

    reports = {
        rules: words(post(text="1 Oath", ruleset=rules)) for rules in ("leveler", "coalition-906")
    }

    says = "Cards as of 21 Nov 2026 . Legacy’s bans are those of that day."
    assert [says in page for page in reports.values()] == [True, False]
    guide = words(Client().get(reverse("format", args=["leveler"])))
    assert "comes with the card data, here that of 21 November 2026" in guide


@in_place_or_whole
def test_list_is_judged_by_the_type_chosen(pool, htmx):
    page = post(htmx=htmx, type="Warrior")

    assert listed_problems(page) == [
        (
            "line-5",
            "Line 5: Elvish Mystic belongs to Elf, not to Warrior: take it out, or change the"
            " type.",
        )
    ]
    assert 'value="Warrior" checked' in text(page)
    # The type left over from another hero is dropped while one types.
    title, _ = verdict(post(htmx=htmx, type="Noble"))
    assert title.startswith("Legal" if htmx else "Not legal")


def test_house_bans_are_judged_by_when_chosen(pool):
    house().entries.create(card=Card.objects.get(name="Elvish Mystic"), starts_on=MARCH)

    page = post(house="tuesday")

    assert listed_problems(page) == [
        ("line-5", "Line 5: Elvish Mystic has been banned since 9 March 2026: take it out.")
    ]
    assert f"Checked against the Tuesday group list of {day(TODAY)}" in words(page)
    assert verdict(post())[0] == "Legal"


def test_what_was_typed_is_shown_as_text(pool):
    evil = "<script>alert(1)</script>\"'{{ 7*7 }}"
    page = post(text=deck(f"1 {evil}", "0 </textarea><b>"), name=evil)

    assert page.status_code == 200
    tags = Page(text(page)).tags
    assert all(found.get("src") for tag, found in tags if tag == "script")
    assert f"No card is called “{evil}”." in unescape(text(page))


# --- files ---
@in_place_or_whole
def test_file_is_judged_before_the_text_and_becomes_the_text_in_place(pool, htmx):
    """The next key pressed then changes what was in the file."""
    page = post(htmx=htmx, text="1 Nobody", file=LEGAL.encode("utf-16"))

    assert verdict(page) == ("Legal", LED)
    if htmx:
        assert re.search(r'id="list-field" hx-swap-oob="true">.*?<textarea', text(page))
        assert LEGAL in unescape(text(page))
        assert 'id="file" hx-swap-oob="true"' in text(page)


# --- what can't be ---
BAD = [
    ({"text": ""}, NOTHING),
    ({"text": " \n\t\n"}, NOTHING),
    ({"text": "// nothing"}, NO_CARD),
    ({"text": "1 For\0est"}, "Null characters are not allowed."),
    ({"file": bytes(99)}, NO_TEXT),
    ({"file": "x" * 200_001}, TOO_LONG),
    ({"ruleset": "chess"}, "Choose a ruleset."),
    ({"house": "coalition"}, "There is no such house list. Choose another."),
    (
        {"house": "tuesday", "ruleset": "leveler"},
        "Tuesday group is a list for Coalition. Choose another.",
    ),
    ({"type": "x" * 41}, "There is no such creature type. Choose another."),
]
BAD_TO_KEEP = [
    ({"name": ""}, "Give the deck a name to save it under."),
    ({"name": "x" * 81}, "A deck's name has 80 characters at most."),
    ({"name": "\0"}, "This contains a character that can't be shown. Type it again."),
    ({"text": LONGEST_SAVED + "\n"}, TOO_LONG_TO_SAVE),
    ({"text": "", "file": LONGEST_SAVED + "\n"}, TOO_LONG_TO_SAVE),
    ({"tap_id": "x"}, "This form is damaged. Reload the page."),
]


def test_longest_list_is_saved_and_a_longer_list_is_still_judged(pool):
    found = saved_deck(Client(), text=LONGEST_SAVED)
    longer = post(text=f"{LONGEST_SAVED}\n// more")

    assert len(found.revisions.get().text.encode()) == 20_000
    assert verdict(longer) == ("Legal", LED)


@in_place_or_whole
@pytest.mark.parametrize(
    ("said", "message"),
    [*BAD, ({"text": "x" * 200_001}, TOO_LONG)],
    ids=lambda one: repr(one)[:30],
)
def test_text_that_can_not_be_judged_is_refused_with_the_reason(pool, said, message, htmx):
    house()
    with unchanged():
        page = post(htmx=htmx, **said)

    waits = htmx and "file" not in said and message == NOTHING
    assert refusal(page) == ((200, "") if waits else (422, message))


@pytest.mark.parametrize(("said", "message"), [*BAD, *BAD_TO_KEEP], ids=lambda one: repr(one)[:30])
def test_text_that_can_not_be_saved_is_refused_and_nothing_is_saved(pool, said, message):
    house()
    with unchanged():
        page = post(save=1, **said)

    assert refusal(page) == (422, message)


def test_a_list_is_judged_and_kept_though_somebody_signed_in_elsewhere_meanwhile(pool):
    """Judging needs no token; saving with one that is too old asks to send all of it again."""
    client = Client(enforce_csrf_checks=True)

    assert verdict(post(client, htmx=True))[0] == "Legal"
    with unchanged():
        refused = post(client, save=1)
    assert refused.status_code == 403
    assert LEGAL in parse(text(refused)).xpath("string(//textarea)")


def test_a_missing_name_is_requested_beside_its_field_and_the_deck_judged(pool):
    page = post(save=1, text="", file=LEGAL, name="", ruleset="coalition-2026")

    asked = text(page).split("<h2>Save it as a deck</h2>")[1]
    assert "Give the deck a name to save it under." in asked
    assert '<option value="coalition-2026" selected>' in text(page)
    assert re.search(r'name="name"[^>]* aria-describedby="nameless" autofocus', asked)
    assert verdict(page) == ("Legal", LED)
    assert LEGAL in unescape(text(page))


def test_sideboard_and_hero_are_in_neither_counts_nor_curve(pool):
    page = post(text=deck("4 Elvish Mystic", "1 Negate", side=("3 Elvish Mystic",)))

    wrong = parse(text(post(text=deck(sizes=(61, 10))))).xpath('//td[@class="bad"]')
    assert [words_of(cell) for cell in wrong] == ["61 of 60"]
    assert "Main deck by mana value, without lands" in words(page)
    assert 'aria-label="Main deck by mana value: 0: 0, 1: 4, 2: 1,' in text(page)
    kinds = 'aria-label="{} by card type: creatures: {}, instants: 1, lands: {}"'
    assert kinds.format("Main deck", 4, 55) in text(page)
    levels = post(text=leveler("1 Elvish Mystic", second=("1 Negate",)), ruleset="leveler")
    assert kinds.format("All sub-decks", 1, 98) in text(levels)


# --- keeping ---
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_deck_is_saved_with_its_list_its_lines_and_its_key(pool, ends):
    client, listed = Client(), f"{LEGAL}\n0 Forest\n1 Nobody"
    found = saved_deck(client, text=listed.replace("\n", ends), type="Elf")

    rows = found.revisions.values_list("number", "ruleset", "coalition_type", "text")
    assert (found.name, [*rows]) == ("Elves", [(1, "coalition-906", "Elf", listed)])
    lines = found.revisions.get().lines
    assert [*lines.values_list("line", "count", "card__name", "section", "is_hero")] == [
        (2, 1, HERO, "sideboard", False),
        (3, 9, "Forest", "sideboard", False),
        (5, 4, "Elvish Mystic", "main", False),
        (6, 56, "Forest", "main", False),
    ]
    cookie = client.cookies[f"deck-{found.code}"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie.value not in found.key_hash
    assert client.get(reverse("change_deck", args=[found.code])).status_code == 200


def test_the_same_tap_saves_one_deck(pool):
    client = Client()

    assert saved_deck(client, save=1) == saved_deck(client, save=1)
    assert saved_deck(client, save=1, name="Other elves") != saved_deck(client, save=2)
    assert Deck.objects.count() == 3


# --- queries ---
def costs(lines: int) -> list[int]:
    """Return the queries of a list of 60 + 10 cards on some lines: checked, typed and saved."""
    side = tuple(f"1 Elf {at}" for at in range(min(lines // 7, 9)))
    listed = deck(*(f"1 Elf {at}" for at in range(lines - len(side) - 4)), "1 Nobody", side=side)
    return [
        queries(lambda: post(text=listed)),
        queries(lambda: post(htmx=True, text=listed)),
        queries(lambda: post(text=listed, save=lines)),
    ]


def test_the_number_of_queries_does_not_grow_with_the_list(pool):
    given(*(record(f"Elf {at}") for at in range(70)))
    costs(71)  # so the process knows the cards and bans

    assert costs(10) == costs(70) == [3, 2, 4]
