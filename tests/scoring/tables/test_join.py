"""Join by phone: one code for the table, by which each player takes a free seat."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.models import GameSet, SeatLink
from scoring.record import commands
from scoring.rules.formats import COALITION_906, CONSPIRACY_DRAFT
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.moves import Draw
from scoring.tables import links
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import register
from tests.decks.written import deck
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import Page, words
from ..browsing import refusal as refusal_of
from . import KEY, address, everything, holder, record, seat_holder, tap_id, text, unchanged

HTMX = {"HX-Request": "true"}


@pytest.fixture
def table(db: None) -> GameSet:
    """Of three, of whom Bo alone has a name yet."""
    table = commands.create_set(COALITION_906, ["", "Bo", ""], key=KEY)
    commands.start_game(table, 1, first=ANN)
    return table


def link(table: GameSet, key: str = KEY) -> str:
    """Return the link to join, as the scorekeeper's page has it."""
    page = text(holder(table, key).get(address(table, "join_code")))
    return next(at["value"] for _, at in Page(page).tags if at.get("id") == "join")


def sit(table: GameSet, seat: Any, name: str = "", tap: int = 1) -> tuple[Client, HttpResponse]:
    phone = Client()
    form = {"tap_id": tap_id(tap), "seat": seat, "name": name}
    return phone, phone.post(link(table), form)


def test_each_page_that_names_seats_has_the_colours_of_the_teams(db):
    table = commands.create_set(REALM_WARS, [""] * 4, key=KEY)
    scorer = holder(table, KEY)
    pages = [scorer.get(address(table, name)) for name in ("names", "seat_decks", "join_code")]
    pages.append(scorer.post(address(table, "hand_out"), {"tap_id": tap_id(1)}))
    pages.append(Client().get(link(table)))

    assert ['<body class="teams-2"' in text(page) for page in pages] == [True] * 5


def test_who_scans_the_code_takes_a_free_seat_and_its_name_is_on_the_pad(table, scorer):
    where = address(table, "join_code")
    etag = scorer.get(where)["ETag"]
    assert scorer.get(where, headers=HTMX | {"If-None-Match": etag}).status_code == 304
    assert "Red Bo Green Your name" in words(Client().get(link(table)))

    phone, answer = sit(table, CY, "Cy")

    assert answer["Location"] == address(table, "seat")
    assert words(phone.get(address(table, "seat"))).startswith("Cy’s seat")
    assert "Cy" in words(scorer.get(address(table, "score")))
    news = scorer.get(where, headers=HTMX | {"If-None-Match": etag})
    assert "Red free Bo free Cy has a phone" in words(news)
    assert phone.get(link(table))["Location"] == address(table, "seat")  # once is enough
    assert "Cy, taken" in words(Client().get(link(table)))


def test_a_seat_with_a_name_keeps_it_and_the_same_tap_gets_the_same_seat(table):
    first, _ = sit(table, BO, "Bob")
    again, _ = sit(table, BO, "Bob")

    seats = [words(phone.get(address(table, "seat"))) for phone in (first, again)]
    assert [seat.startswith("Bo’s seat") for seat in seats] == [True, True]
    assert SeatLink.objects.count() == 1


def test_at_a_table_of_a_draft_people_sit_down_without_a_name(db):
    draft = commands.create_set(CONSPIRACY_DRAFT, ["Ann", ""])
    table = commands.create_set(COALITION_906, ["Ann", "Blue"], key=KEY, draft=draft)
    asked = "Your name" in words(Client().get(link(table)))

    phone, answer = sit(table, BO, "Bob")

    assert (asked, answer.status_code) == (False, 302)
    assert words(phone.get(address(table, "seat"))).startswith("Blue’s seat")
    phone = seat_holder(draft, BO)  # whose tables are made
    assert address(draft, "name_own") not in text(phone.get(address(draft, "seat")))


@pytest.mark.parametrize(
    ("seat", "name", "message"),
    [
        (BO, "", "Somebody has taken that seat. Choose another."),
        (CY, "Bo", None),
        (CY, "x" * 81, "The name is too long: 80 characters at most."),
        (9, "Di", "That player does not sit here."),
        ("", "Di", "That player does not sit here."),
    ],
)
def test_a_seat_that_is_taken_and_a_name_that_is_not_free_are_refused(table, seat, name, message):
    sit(table, BO)
    before = everything()

    status, problem = refusal_of(sit(table, seat, name, tap=2)[1])

    assert (status, message or problem, everything()) == (422, problem, before)
    assert problem


def test_the_link_opens_nothing_after_a_new_scorekeeper_link_or_the_end_of_the_set(table):
    old = link(table)
    form = {"tap_id": tap_id(1), "seat": CY, "name": "Cy"}
    commands.change_key(table, "another-key")
    with unchanged():
        answers = [Client().get(old), Client().post(old, form)]
    ended = link(table, "another-key")
    record(table, hit(ANN, BO, 3), Draw())
    commands.call_set(table)
    with unchanged():
        answers += [Client().get(ended), Client().post(ended, form)]

    assert [answer.status_code for answer in answers] == [403] * 4
    shown = holder(table, "another-key").get(address(table, "join_code"))
    assert shown["Location"] == address(table, "links")


def test_only_the_button_for_a_new_link_ends_one_that_somebody_has(table, scorer):
    phone, form = sit(table, CY)[0], {"tap_id": tap_id(2), "seat": CY}

    refused = refusal_of(scorer.post(address(table, "seat_link"), form))

    assert refused == (422, "Green got a link meanwhile, which “New link” would end.")
    assert phone.get(address(table, "seat")).status_code == 200
    assert 'name="new"' in text(scorer.get(address(table, "links")))
    scorer.post(address(table, "seat_link"), form | {"new": 1})
    assert phone.get(address(table, "seat")).status_code == 403


def test_who_sits_down_while_links_are_handed_out_keeps_the_seat(table, scorer, monkeypatch):
    seat_key, phone, where = links.seat_key, Client(), link(table)

    def sit_first(*which: Any) -> str:
        phone.post(where, {"tap_id": tap_id(1), "seat": CY})
        return seat_key(*which)

    monkeypatch.setattr(links, "seat_key", sit_first)
    said = words(scorer.post(address(table, "hand_out"), {"tap_id": tap_id(2)}))

    assert "Green already has a link." in said
    assert phone.get(address(table, "seat")).status_code == 200


def test_with_every_seat_taken_the_link_leads_to_the_board(table):
    for tap, seat in enumerate((ANN, BO, CY)):
        sit(table, seat, tap=tap)

    assert "Every seat has a phone already." in words(Client().get(link(table)))
    assert KEY not in link(table)


# --- hero and deck, on the own phone ---
def bring(phone: Client, table: GameSet, **form: str) -> HttpResponse:
    return phone.post(address(table, "bring_own"), form)


def test_who_has_sat_down_names_a_hero_and_brings_a_deck_on_the_own_phone(table, scorer):
    bring_pool()
    elves = register("Elves", deck("4 Elvish Mystic"))
    phone, _ = sit(table, CY, "Cy")

    assert bring(phone, table, hero=HERO, type="Elf", seat=str(BO)).status_code == 302
    assert bring(phone, table, deck=elves.code, seat=str(BO)).status_code == 302

    shown = words(phone.get(address(table, "seat")))
    assert f"Hero and deck: {HERO}" in shown
    assert "Your deck Elves legal" in shown
    assert [seat.led_by for seat in table.seats.order_by("number")] == [("", "")] * 2 + [
        (HERO, "Elf")
    ]
    assert [bool(seat.deck) for seat in table.seats.order_by("number")] == [False, False, True]


def test_a_hero_that_is_none_and_a_deck_that_is_not_there_change_nothing(table):
    bring_pool()
    phone, _ = sit(table, CY, "Cy")

    with unchanged():
        told = [
            refusal_of(bring(phone, table, **form))
            for form in ({"hero": HERO[:-2]}, {"deck": "no-such"}, {"hero": HERO, "type": "Orc"})
        ]
    assert 'value="Nobody"' in text(bring(phone, table, hero="Nobody"))
    record(table, hit(ANN, BO, 3), Draw())
    commands.call_set(table)
    with unchanged():
        told += [refusal_of(bring(phone, table, **form)) for form in ({"hero": HERO}, {"deck": ""})]

    assert [status for status, _ in told] == [422] * 5
    assert f"{HERO} (" in told[0][1]
    assert "Hero and deck" not in words(phone.get(address(table, "seat")))
