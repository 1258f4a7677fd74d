"""Seats without a name: they are called by their colour until somebody names them."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scoring.models import GameSet, Player, SetResult
from scoring.record import audit, commands
from scoring.rules.formats import COALITION_906, CONSPIRACY_DRAFT
from scoring.rules.moves import Draw
from tests.scoring.groups.visitors import account, browser
from tests.scoring.rules.play import ANN, BO, hit

from ..browsing import parse, refusal, text, words
from ..grouped import group
from . import KEY, address, check_books, holder, record, seat_holder, set_up, tap_id, unchanged

pytestmark = pytest.mark.django_db


def start(client: Client | None = None, **form: object) -> GameSet:
    form = {"tap_id": tap_id(1), "ruleset": "coalition-906"} | form
    (client or Client()).post(reverse("start"), form)
    return GameSet.objects.latest("pk")


def unnamed(*names: str, players: int = 3, key: str = KEY, **more: object) -> GameSet:
    """Return a table in its first game, whose other seats have no name."""
    given = [*names, *[""] * players][:players]
    table = commands.create_set(COALITION_906, given, key=key, **more)
    commands.start_game(table, 1, first=ANN)
    return table


def names_of(table: GameSet) -> list[str]:
    return list(GameSet.objects.get(pk=table.pk).names.values())


def give(table: GameSet, client: Client | None = None, **names: object):
    """Name seats by the form, as in ``seat_1="Ann"``."""
    form = {key.replace("_", "-"): name for key, name in names.items()}
    return (client or holder(table)).post(address(table, "names"), form)


# --- an empty start ---
def test_one_tap_on_an_empty_form_starts_a_game_of_red_and_blue():
    client = Client()
    page = text(client.get(reverse("start")))
    chosen = re.findall(r'name="seats" value="(\d)"( checked)?', page)

    table = start(client, seats=2, name=[""] * 5)

    assert chosen == [("2", " checked"), ("3", ""), ("4", ""), ("5", "")]
    assert names_of(table) == ["Red", "Blue"]
    assert "Red" in words(client.get(address(table, "score")))
    assert table.games.count() == 1


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ({"seats": 5}, ["Red", "Blue", "Green", "Purple", "Gold"]),
        ({}, ["Red", "Blue"]),
        ({"seats": 2, "ruleset": "coalition-readme"}, ["Red", "Blue", "Green"]),
        ({"seats": 3, "name": ["", "Bo", "", "", ""]}, ["Red", "Bo", "Green"]),
        ({"seats": 2, "name": ["", "Bo", "", "Di", ""]}, ["Bo", "Di"]),
        ({"seats": 2, "name": ["Ann", "", "Cy", "Di", ""]}, ["Ann", "Cy", "Di"]),
        ({"seats": 2, "name": ["", "", "", "", "Ev"]}, ["Red", "Ev"]),
        ({"seats": 3, "name": ["blue", "", ""]}, ["blue", "Blue 2", "Green"]),
        ({"ruleset": "realm-wars", "seats": 4}, ["Red 1", "Red 2", "Blue 1", "Blue 2"]),
    ],
)
def test_seats_without_a_name_are_called_by_their_colour(form, names):
    assert names_of(start(**form)) == names


def test_the_colours_are_those_of_the_shields():
    """A draft of eight has a seat of each."""
    sheet = Path(settings.BASE_DIR, "static/table.css").read_text()
    tinctures = re.findall(r"\.seat-\d \{\s+--seat: var\(--(\w+)\)", sheet)
    colours = ("Red", "Blue", "Green", "Purple", "Gold", "Grey", "Orange", "Teal")
    called = dict(
        zip("gules azure vert purpure or sable tenne celeste".split(), colours, strict=True)
    )

    table = commands.create_set(CONSPIRACY_DRAFT, [""] * 8)

    assert names_of(table) == [called[tincture] for tincture in tinctures]


@pytest.mark.parametrize("seats", ["0", "9", "x", "-1", "²", "9" * 30])
def test_a_number_of_seats_that_is_none_is_refused(seats):
    form = {"tap_id": tap_id(1), "ruleset": "coalition-906", "seats": seats}
    with unchanged():
        answer = refusal(Client().post(reverse("start"), form))

    assert answer == (422, "Choose how many play.")


# --- names given later ---
def test_names_of_a_set_log_that_begin_with_a_space_can_be_changed_too():
    table = commands.create_set(COALITION_906, ["Ann", " 1"], key=KEY)

    give(table, seat_1="Bo", seat_2="Cy")

    assert names_of(table) == ["Bo", "Cy"]


def test_a_name_given_later_is_the_seats_from_its_first_event_on():
    table = unnamed("Ann")
    record(table, hit(BO, ANN, 3), hit(ANN, BO, 21))
    commands.call_set(table)

    give(table, seat_1="Bo", seat_2="Ann", seat_3="")
    exchanged = names_of(table)
    answer = give(table, seat_1="Ann", seat_2=" Bo ", seat_3="")

    assert exchanged == ["Bo", "Ann", "Green"]
    assert (answer.status_code, answer["Location"]) == (302, address(table, "score"))
    assert names_of(table) == ["Ann", "Bo", "Green"]
    exported = json.loads(text(Client().get(address(table, "export"))))
    assert exported["players"] == ["Ann", "Bo", "Green"]
    assert exported["games"][0]["events"][0]["hits"][0]["source"] == "Bo"
    for page in ("watch", "tablet", "log", "score"):
        told = words(holder(table).get(address(table, page)))
        assert ("Bo" in told, "Blue" in told) == (True, False), page
    assert list(audit.faults(GameSet.objects.get())) == []
    check_books(GameSet.objects.get())


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ({"seat_2": "ANN"}, "ANN sits here twice. Tell them apart, as in “ANN B.”"),
        ({"seat_2": "Bo", "seat_3": "bo"}, "bo sits here twice. Tell them apart, as in “bo B.”"),
        ({"seat_2": "x" * 81}, "The name is too long: 80 characters at most."),
        ({"seat_2": "B\x07o"}, "This contains a character that can't be shown. Type it again."),
    ],
)
def test_a_name_that_makes_no_sense_is_refused_and_stays_typed(names, message):
    table = unnamed("Ann")
    with unchanged():
        answer = give(table, **names)

    assert refusal(answer) == (422, message)
    assert f'name="seat-2" value="{names["seat_2"]}"' in text(answer)


def test_a_name_given_while_the_page_was_open_is_not_lost():
    table = unnamed()
    commands.name_seats(table, {3: "Cy"})

    give(table, seat_1="Ann", shown_1="", seat_3="", shown_3="")
    named = names_of(table)
    answer = give(table, seat_3="Di", shown_3="")

    assert named == names_of(table) == ["Ann", "Blue", "Cy"]
    assert refusal(answer) == (422, "Named meanwhile: Cy. Save again to change that.")
    give(table, seat_3="Di", shown_3=re.findall(r'name="shown-3" value="(.*?)"', text(answer))[0])
    assert names_of(table)[2] == "Di"


def test_known_people_who_are_ticked_take_the_seats_without_a_name_in_their_order():
    table, client = unnamed("Ann"), holder(set_up(4, key="other"), "other")
    client.cookies[f"key-{table.code}"] = KEY
    offered = parse(text(client.get(address(table, "names")))).xpath("//*[@name='known']/@value")

    refused = give(table, client, known=["Cy"], seat_1="x" * 81, seat_2="", seat_3="")
    give(table, client, known=["Cy", "Ann", "Di"], seat_1="Ann", seat_2="", seat_3="")

    assert offered == ["Ann", "Bo", "Cy", "Di"]
    assert 'name="seat-2" value="Cy"' in text(refused)
    assert names_of(table) == ["Ann", "Cy", "Di"]


def test_pages_lead_to_the_names_while_a_seat_has_none():
    table = unnamed("Ann")
    client, names = holder(table), address(table, "names")
    pages = [address(table, "score"), address(table, "more", 1), address(table, "links")]
    before = [names in text(client.get(page)) for page in pages]
    give(table, seat_3="Cy", seat_9="Zed")  # a seat that is left out keeps its name
    assert names_of(table) == ["Ann", "Blue", "Cy"]
    give(table, seat_2="Bo")
    after = [names in text(client.get(page)) for page in pages]

    assert (before, after) == ([True, True, True], [True, False, True])


def test_tables_of_a_draft_know_people_by_name_so_it_comes_first():
    draft = commands.create_set(CONSPIRACY_DRAFT, ["Ann", "", ""], key=KEY)
    table = commands.create_set(COALITION_906, ["Ann", "Blue"], key="other", draft=draft)
    with unchanged():
        answers = [
            refusal(give(draft, seat_2="Bo")),
            refusal(give(table, holder(table, "other"), seat_2="Bo")),
        ]

    assert (
        answers
        == [(422, "Its tables are made already: they know their players by these names.")] * 2
    )


# --- on one's own phone ---
def test_whoever_sits_at_a_seat_names_it_on_ones_phone_while_it_has_no_name():
    table = unnamed("Ann")
    phone, where = seat_holder(table, BO), address(table, "name_own")
    asked = where in text(phone.get(address(table, "seat")))

    phone.post(where, {"seat-2": "Bo", "seat-3": "Zed"})

    assert asked
    assert names_of(table) == ["Ann", "Bo", "Green"]
    assert where not in text(phone.get(address(table, "seat")))
    phone = seat_holder(table, ANN)
    with unchanged():
        answer = phone.post(where, {"seat-1": "Eve"})
    assert refusal(answer) == (422, "Your seat already has a name. The scorekeeper can change it.")


# --- once more, and in playgroups ---
def test_people_without_a_name_play_again_by_their_new_colour_and_are_not_offered_by_it():
    table = unnamed("Ann", "Bo")
    page = text(holder(table).get(reverse("start")))
    drawn = commands.seat_again(table, key="again", shuffles=True)
    same = commands.seat_again(table, key="same", shuffles=False)

    colours = ["Red", "Blue", "Green"]
    assert names_of(same) == ["Ann", "Bo", "Green"]
    assert all(name in ("Ann", "Bo", colours[at]) for at, name in enumerate(names_of(drawn)))
    assert re.findall('name="known" value="([^"]*)"', page) == ["Ann", "Bo"]


def test_in_a_playgroup_a_seat_without_a_name_is_a_guests_until_it_is_named():
    here = group()
    client = browser(account("sam", here, "scorekeeper"))
    table = start(client, group=here.code, seats=3, name=["Ann", "", ""])
    guests = list(here.players.filter(is_guest=True).values_list("name", flat=True))
    commands.record(table, 1, Draw())
    led = client.get(address(table, "names"))["Location"]

    client.post(led, {"group": here.code, "seat-1": "Ann", "seat-2": "Bo", "seat-3": "Green"})
    commands.call_set(table)

    assert guests == ["Blue", "Green"]
    assert led == address(table, "take_set")
    assert names_of(table) == ["Ann", "Bo", "Green"]
    counted = SetResult.objects.filter(game_set=table).order_by("seat__number")
    assert list(counted.values_list("player__name", "player__is_guest")) == [
        ("Ann", False),
        ("Bo", False),
        ("Green", True),
    ]
    assert list(audit.faults(GameSet.objects.get())) == []


def test_whoever_was_named_while_the_page_was_open_gets_the_result():
    here = group()
    client = browser(account("sam", here, "scorekeeper"))
    table = start(client, group=here.code, seats=3, name=[""] * 3)
    shown = {"group": here.code}
    for seat, name in table.names.items():
        shown |= {f"seat-{seat}": name, f"shown-{seat}": name}

    for typed in ({"seat-1": "Zed"}, {"seat-2": "Yve"}):
        client.post(address(table, "take_set"), shown | typed)
    with unchanged():
        answer = refusal(client.post(address(table, "take_set"), shown | {"seat-1": "Xi"}))

    assert answer == (422, "Named meanwhile: Zed. Save again to change that.")
    seats = table.seats.values_list("name", "player__name").order_by("number")
    assert list(seats) == [("Zed", "Zed"), ("Yve", "Yve"), ("Green", "Green")]


def test_a_quick_table_taken_into_a_playgroup_brings_its_unnamed_as_guests():
    here = group()
    client = browser(account("sam", here, "scorekeeper"))
    table = unnamed("Ann")
    client.cookies[f"key-{table.code}"] = KEY

    form = {"group": here.code, "seat-1": "Ann", "seat-2": "Bo", "seat-3": "Green"}
    client.post(address(table, "take_set"), form)

    assert names_of(table) == ["Ann", "Bo", "Green"]
    assert list(here.players.order_by("name").values_list("name", "is_guest")) == [
        ("Ann", False),
        ("Bo", False),
        ("Green", True),
    ]


def test_a_seat_is_never_a_player_who_is_called_like_its_colour():
    here = group()
    Player.objects.create(playgroup=here, name="blue")
    client = browser(account("sam", here, "scorekeeper"))
    form = {"tap_id": tap_id(1), "ruleset": "coalition-906", "group": here.code, "name": ["Ann"]}
    with unchanged():
        answer = client.post(reverse("start"), form | {"seats": 2})

    assert refusal(answer) == (422, "A player here is called Blue: name whoever sits there.")
