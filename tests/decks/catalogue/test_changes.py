"""What an import changes: counted, printed, stored, and nothing else is written."""

import io
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from decks.catalogue.affiliations import override
from decks.catalogue.memory import CATALOGUE
from decks.models import Card, CardFace, CardImport, Deck
from decks.rules.affiliations import Affiliations
from tests.scoring.browsing import words
from tests.scoring.tables import text

from ..cards import given, record
from ..faults import bring_pool
from ..lists import editor, register
from ..pages import LEGAL

pytestmark = pytest.mark.django_db

ELF, OX = record("Elf"), record("Ox", "Creature — Ox")
BEAR = record("Bear", "Creature — Bear")
SIZES = ("small", "normal", "art_crop")


def addresses(name: str) -> dict[str, str]:
    return {size: f"https://cards.example/{size}/{name}.jpg?1" for size in (*SIZES, "png")}


def kept(name: str) -> dict[str, str]:
    return {size: addresses(name)[size] for size in SIZES}


def lines(*arguments: str) -> list[str]:
    """Run the command; return the lines that it prints after the first."""
    out = io.StringIO()
    call_command("import_cards", *arguments, stdout=out, stderr=out)
    return out.getvalue().splitlines()[1:]


def test_an_import_lists_the_creature_types_that_no_list_had_with_their_cards(file):
    """A word behind the dash is one, but for other subtypes, un-cards and what no type can be."""
    given(
        record("Academy", "Land", "{Q}: Create two Officers named Q."),
        record("Bear", "Creature — Bear"),
    )
    un = {"legalities": {"vintage": "not_legal"}}

    assert lines(
        file(
            record("Kirk", "Legendary Creature — Human Officer"),
            record("Trelane", "Legendary Creature — Q"),
            record("Crusher", "Kindred Artifact — Time Lord Officer Vehicle"),
            record("Tower", "Land Artifact — Spy Vehicle"),
            record("Snot", "Creature — Ooze *^2/*^2"),
            record("Clam", "Creature — Clamfolk", **un),
        )
    ) == [
        "Cards as of 21 November 2026",
        "6 new cards: Kirk; Trelane; Crusher; Tower; Snot; Clam",
        "1 card with other affiliations: Academy",
        "New creature type Officer: Academy; Crusher; Kirk",
        "New creature type Q: Academy; Trelane",
    ]
    assert {card.name: sorted(map(str, card.types.all())) for card in Card.objects.all()} == {
        "Academy": ["Officer", "Q"],
        "Bear": ["Bear"],
        "Clam": [],
        "Crusher": ["Officer", "Time Lord"],
        "Kirk": ["Human", "Officer"],
        "Snot": ["Ooze"],
        "Tower": [],
        "Trelane": ["Q"],
    }
    assert CardImport.objects.values_list("new", "affiliations")[0] == (6, 1)


def test_an_import_says_what_it_changed(file):
    given(ELF, OX, BEAR)
    register("a", "1 Elf")
    register("b", "1 Elf\n1 Ox")
    register("c", "1 Elf", "1 Bear")  # it had the elf once

    assert lines(
        file(
            {**ELF, "oracle_text": "Elves and Bears."},
            {**OX, "legalities": {"vintage": "legal", "legacy": "banned"}},
            BEAR,
            record("Cat; Dog"),
            record("Eel"),
        )
    ) == [
        *("Cards as of 21 November 2026", "2 new cards: Cat; Dog; Eel", "1 changed text: Elf"),
        *("1 card with other affiliations: Elf", "1 card with another legality: Ox"),
        "2 decks with a changed card",
        "  Elf, in 2 of them: Elf → Bear, Elf",
    ]
    fields = "as_of cards new texts affiliations legalities decks".split()
    assert CardImport.objects.values_list(*fields)[0] == (date(2026, 11, 21), 5, 2, 1, 1, 1, 2)


def test_editors_read_what_an_import_did_to_the_affiliations_of_cards_in_saved_decks(file):
    """Of those that have no card so named in their latest revision it says nothing."""
    given(ELF, OX, BEAR, record("Tower", "Land"), record("Cat"))
    CardImport.objects.update(report=None)  # as one was stored before there were reports
    register("a", "1 Elf\n1 Ox\n1 Tower")
    register("b", "1 Ox")
    register("c", "1 Bear\n1 Cat", "1 Cat")
    lines(
        file(
            {**ELF, "oracle_text": "Elves and Bears."},
            record("Ox", "Creature — Officer"),
            {**BEAR, "oracle_text": "Elves and Bears."},
            record("Tower", "Land", "Changeling"),
            record("Cat"),
            record("Kirk", "Creature — Officer"),
        )
    )
    client, other = Client(), Client()
    client.force_login(editor())
    other.force_login(User.objects.create_user("ox"))

    page = client.get(reverse("card_imports"))

    latest, first = words(page).split("Cards as of ")[1:]
    assert (
        "6 cards, 2 saved decks with a changed card. Cards of saved decks with other affiliations"
        " Ox in 2 decks Before: Ox. Now: Officer."
        " Elf in 1 deck Before: Elf. Now: Bear, Elf."
        " Tower in 1 deck Before: no type. Now: all types."
        " New cards: 1 Kirk Other affiliations: 4"
    ) in latest
    assert "New creature type Officer: 2 Kirk Ox" in latest
    assert "5 cards. New cards: 5" in first
    for stranger in (Client(), other):
        assert stranger.get(reverse("card_imports")).status_code == 403
    link = reverse("card_imports")
    has_link = [link in text(one.get(reverse("finder"))) for one in (client, other, Client())]
    assert has_link == [True, False, False]


def test_editors_read_how_many_decks_became_illegal_by_an_import_and_the_names_of_their_own(file):
    bring_pool()
    own = register("Elves", LEGAL)
    register("Others", LEGAL)
    owner = editor()
    Deck.objects.filter(pk=own.pk).update(owner=owner)
    printed = lines(file(record("Elvish Mystic", "Creature — Goblin")))
    client = Client()
    client.force_login(owner)

    page = words(client.get(reverse("card_imports")))

    assert "2 decks became illegal" in printed
    assert "Saved decks that became illegal: 2 Elves 1 that you don’t see" in page


def test_of_many_changes_the_first_are_named(file):
    assert lines(file(*(record(f"Elf {letter}") for letter in "abcdefghijklm"))) == [
        "Cards as of 21 November 2026",
        "13 new cards: " + "; ".join(f"Elf {letter}" for letter in "abcdefghij") + "; and 3 more",
    ]


def test_of_many_cards_of_decks_with_other_affiliations_the_first_are_named(file, monkeypatch):
    names = [f"Elf {letter}" for letter in "abcdefghijkl"]
    given(*map(record, names))
    register("a", "\n".join(f"1 {name}" for name in names))
    monkeypatch.setattr("decks.catalogue.importing.NAMES_STORED", 3)

    printed = lines(file(*(record(name, "Creature — Ox") for name in names)))

    assert printed[-12:] == [
        "1 deck with a changed card",
        *(f"  Elf {letter}, in 1 of them: Elf → Ox" for letter in "abcdefghij"),
        "  and 2 more cards with other affiliations",
    ]
    client = Client()
    client.force_login(editor())
    page = words(client.get(reverse("card_imports")))
    assert "Elf c in 1 deck Before: Elf. Now: Ox. and 9 more Other affiliations: 12" in page


def test_an_import_of_the_same_says_so_and_writes_no_card(file):
    source = file(ELF, OX)
    lines(source)

    with CaptureQueriesContext(connection) as queries:
        told = lines(source)

    assert told == ["Cards as of 21 November 2026", "No card is new or has changed."]
    tables = ("decks_card", "decks_cardface", "decks_affiliation")
    written = [one["sql"] for one in queries if one["sql"].startswith(("INSERT", "DELETE"))]
    assert not [sql for sql in written if any(f'"{table}"' in sql for table in tables)]


@pytest.mark.parametrize(
    "change",
    [
        {"cmc": 2.0},
        {"layout": "saga"},
        {"image_uris": addresses("elf")},
        {"artist": "Ann Ox"},
        {"power": "2"},
    ],
)
def test_what_players_need_not_know_is_stored_and_not_announced(file, change):
    given(ELF)

    assert lines(file(ELF | change))[1:] == ["No card is new or has changed."]
    stored = [list(Card.objects.values("mana_value", "layout"))]
    stored += [list(CardFace.objects.values("pictures", "artist", "power"))]

    assert stored == [
        [{"mana_value": change.get("cmc", 1.0), "layout": change.get("layout", "normal")}],
        [
            {
                "pictures": kept("elf") if "image_uris" in change else None,
                "artist": change.get("artist", ""),
                "power": change.get("power", ""),
            }
        ],
    ]


def test_affiliations_that_an_editor_set_are_no_change(file):
    (elf,) = given(ELF)
    override(elf, Affiliations(frozenset({"Bear"})), "The text misleads.")

    assert lines(file(ELF))[1:] == ["No card is new or has changed."]


def test_a_card_that_takes_the_row_of_its_name_is_not_new(file):
    given(ELF, OX)
    other = {**ELF, "oracle_id": "5a4b0a8e-0000-4000-8000-000000000001"}

    assert lines(file(OX, other))[1:] == ["No card is new or has changed."]
    assert Card.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "arguments", "day"),
    [
        ("oracle-cards-20261119100301.json", (), "19 November 2026"),
        ("cards-20269919.json", (), "21 November 2026"),
        ("cards.json", ("--as-of", "2026-11-05"), "5 November 2026"),
    ],
)
def test_the_day_of_the_cards_is_that_of_the_file(file, name, arguments, day):
    assert lines(file(ELF, name=name), *arguments)[0] == f"Cards as of {day}"


def test_cards_are_read_from_standard_input_as_of_the_day_of_its_file(file, monkeypatch):
    with open(file(ELF)) as piped:
        monkeypatch.setattr("sys.stdin", piped)
        assert lines("-")[0] == "Cards as of 21 November 2026"


@pytest.mark.parametrize(
    ("day", "told"), [("2026-13-01", "is not a day like 2026-03-09"), ("9999-01-01", "is to come")]
)
def test_what_is_no_day_or_still_to_come_is_refused(file, day, told):
    with pytest.raises(CommandError, match=f"--as-of: '?{day}'? {told}"):
        lines(file(ELF), "--as-of", day)
    assert not Card.objects.exists()


def test_a_process_learns_of_a_new_day_even_if_no_card_changed(file):
    lines(file(ELF), "--as-of", "2026-11-05")
    assert CATALOGUE.now().as_of == date(2026, 11, 5)

    lines(file(ELF), "--as-of", "2026-11-06")

    assert CATALOGUE.now().as_of == date(2026, 11, 6)


@pytest.mark.parametrize(
    "fields",
    [
        {"image_uris": "https://cards.example/elf.jpg"},
        {"image_uris": {"small": 7, "normal": "javascript:alert(1)", "art_crop": "x" * 400}},
        {"image_uris": {"small": "https://cards.example/a b", "normal": "https://é.example/"}},
        {"image_uris": {"small": "https://" + "x" * 400, "normal": "https://a/\n"}},
        {"image_uris": addresses("elf"), "image_status": "placeholder"},
        {"artist": ["Ann"]},
    ],
)
def test_a_card_without_a_usable_picture_is_imported_without(fields):
    given(ELF | fields)

    assert list(CardFace.objects.values_list("pictures", "artist")) == [(None, "")]
