"""The way in: the home page, and starting a table."""

import re
from datetime import date, timedelta
from itertools import permutations

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring import access
from scoring.models import GameSet, LedgerRow, SeatLink
from scoring.record import audit, commands, seating, trial
from scoring.rules.corrections import Undo
from scoring.rules.formats import COALITION_906, REALM_WARS
from scoring.rules.moves import Draw
from scoring.rules.state import Status

from ..browsing import parse, refusal, text, words
from ..grouped import group, play
from ..groups.visitors import account, browser
from ..rules.play import ANN, BO, CY, hit
from . import KEY, address, everything, holder, record, set_up, tap_id, the_game, unchanged

pytestmark = pytest.mark.django_db

MARCH = date(2026, 3, 6)
FORM = {"tap_id": tap_id(1), "name": ["  Ann ", "\tBo\n", "", "Cy"], "ruleset": "coalition-906"}


def start(client: Client | None = None, **form: object):
    data = {key: value for key, value in (FORM | form).items() if value is not None}
    return (client or Client()).post(reverse("start"), data)


def test_the_home_page_lists_the_tables_that_this_browser_keeps():
    """Those that are over at their result, the last one with a way to play again."""
    table, other, changed = set_up(), set_up(key="another-key"), set_up(key="a-new-key")
    record(table, Draw())
    client = holder(table)
    client.cookies[f"key-{changed.code}"] = "an-old-key"
    for n in (3, 5):
        last = play(None, MARCH, {"Ann": (n, n, n), "Bo": (1, 1, 1)}, key=f"k{n}")
        client.cookies[f"key-{last.code}"] = f"k{n}"

    page = client.get(reverse("home"))

    assert address(table, "score") in text(page)
    assert address(other, "score") not in text(page)
    assert address(changed, "score") not in text(page)
    assert "Your open tables" in words(page)
    assert "Game 1 of 3" in words(page)
    shown, folded = words(page).split("Earlier tables")
    assert "Ann 15" in shown.split("Last result")[1]
    assert "Ann 9" in folded
    assert f'action="{reverse("play_again", args=[last.code])}"' in text(page)


def test_the_home_page_shows_what_is_played_in_the_accounts_playgroups():
    ours, theirs = group("Thursday"), group("Friday")
    account("ann", ours, "member")
    going = commands.create_set(COALITION_906, ["Cy", "Di"], key=KEY, playgroup=ours)
    hidden = commands.create_set(COALITION_906, ["Ev", "Bo"], playgroup=theirs)
    done = play(ours, MARCH, {"Ann": (4, 4, 4), "Bo": (1, 1, 1)})

    page = browser("ann").get(reverse("home"))

    assert "Your playgroups Thursday" in words(page)
    assert address(going, "watch") in text(page)
    assert address(done, "watch") in text(page)
    assert address(hidden, "watch") not in text(page)
    assert f'?group={ours.code}"' not in text(page), "a member starts no table"
    assert "Same as last time" not in words(page)


def test_the_home_page_offers_a_new_table_of_the_format_that_this_browser_used_last():
    """A table to try is none of them."""

    def offered(client: Client) -> tuple[list[str], list[str]]:
        page = parse(text(client.get(reverse("home"))))
        sizes = page.xpath("//button[@name='seats']/@value")
        return page.xpath("//input[@name='ruleset']/@value"), sizes

    client = holder(set_up(ruleset=REALM_WARS))
    try_out(client)

    assert offered(Client()) == (["coalition-906"], list("2345"))
    assert offered(client) == (["realm-wars"], list("46"))
    changed = parse(text(client.get(reverse("start"), {"ruleset": "coalition-readme"})))
    assert changed.xpath("//input[@name='ruleset'][@checked]/@value") == ["coalition-readme"]


# --- the same people again ---
@pytest.mark.parametrize("draw", ["", "1"])
def test_the_same_people_sit_down_again_by_one_tap(draw):
    """A second tap opens the table of the first; drawn seats come from the new set's dice."""
    table = play(None, MARCH, {"Ann": (1, 1, 1), "Bo": (2, 2, 2), "Cy": (0, 0, 0)}, key=KEY)
    client = holder(table)
    for name in ("watch", "score"):
        assert "Play again Draw seats" in words(client.get(address(table, name)))
    tap = reverse("play_again", args=[table.code]), {"tap_id": tap_id(9), "draw": draw}

    response = client.post(*tap)
    with unchanged():
        second = client.post(*tap)

    new = GameSet.objects.latest("pk")
    assert response["Location"] == second["Location"] == address(new, "score")
    order = seating.shuffled([ANN, BO, CY], new.seed) if draw else [ANN, BO, CY]
    assert list(new.names.values()) == [table.names[seat] for seat in order]
    assert (new.ruleset, new.playgroup) == (table.ruleset, None)
    assert the_game(new).rolled
    assert client.get(response["Location"]).status_code == 200
    assert client.get(address(table, "score")).status_code == 200
    drawn = {tuple(seating.shuffled([ANN, BO, CY], seed)) for seed in range(60)}
    assert drawn == set(permutations([ANN, BO, CY]))


# --- a table to try ---
def try_out(client: Client, tap: int = 1):
    return client.post(reverse("try_out"), {"tap_id": tap_id(tap)})


def test_anybody_can_try_a_table_in_the_middle_of_a_game(monkeypatch):
    """A second press, or one that is sent twice, opens the same table for a day."""
    client = Client()

    first = try_out(client)

    table = GameSet.objects.get()
    assert first["Location"] == address(table, "score")
    assert client.get(first["Location"]).status_code == 200
    assert len(table.names) == 4
    assert the_game(table).length == len(trial.SO_FAR)
    assert the_game(table).status == Status.IN_PROGRESS
    assert list(audit.faults(table)) == []
    assert "To try · Game 1 of 3" in words(client.get(reverse("home")))
    for name in ("score", "watch", "tablet", "log", "export"):
        seen = client.get(address(table, name)), Client().get(address(table, name))
        assert [one.status_code for one in seen] == [200, 404], name
    assert "Made up" in words(client.get(first["Location"]))
    assert "anybody can watch" not in words(client.get(address(table, "watch")))
    handed = client.post(address(table, "hand_out"), {"tap_id": tap_id(5)})
    assert (handed["Location"], SeatLink.objects.count()) == (address(table, "links"), 0)
    with unchanged():
        second, lost = try_out(client, 2), try_out(Client(), 1)
    tomorrow = timezone.now() + timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    third = try_out(client, 3)
    assert first["Location"] == second["Location"] == lost["Location"] != third["Location"]
    home = text(client.get(reverse("home")))
    assert (third["Location"] in home, first["Location"] in home) == (True, False)
    assert 'name="known"' not in text(client.get(reverse("start"))), "its people are invented"


def test_a_table_to_try_is_gone_a_week_later_and_nothing_else(monkeypatch, capsys):
    real = set_up()
    record(real, hit(1, 2, 3))
    before = everything()
    now = timezone.now()
    with monkeypatch.context() as week:
        week.setattr(timezone, "now", lambda: now - timedelta(days=7, minutes=1))
        old = trial.create_trial("old")
        record(old, Undo(len(trial.SO_FAR)), Draw())

    call_command("remove_trials")

    assert capsys.readouterr().out == "1 table removed\n"
    assert everything() == before
    with monkeypatch.context() as week:
        week.setattr(timezone, "now", lambda: now - timedelta(days=6, hours=23))
        young = trial.create_trial("young")
    call_command("remove_trials")
    assert capsys.readouterr().out == "0 tables removed\n"
    assert set(GameSet.objects.all()) == {real, young}
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        LedgerRow.objects.filter(event__game_set=young).delete()
    call_command("verify_ledger")
    assert capsys.readouterr().out == "sets checked: 2, 0 wrong\n"


def test_no_playgroup_takes_a_table_to_try():
    ours = group("Thursday")
    account("ann", ours, "owner")
    client = browser("ann")
    try_out(client)
    table = GameSet.objects.get()

    seats = {f"seat-{seat}": name for seat, name in table.names.items()}
    answer = client.post(reverse("take_set", args=[table.code]), {"group": ours.code, **seats})

    assert answer.status_code == 422
    assert GameSet.objects.get().playgroup is None
    assert reverse("take_set", args=[table.code]) not in text(client.get(address(table, "links")))


# --- a new table ---
def test_people_whom_this_browser_has_seen_are_offered_those_of_the_last_table_first():
    old = commands.create_set(COALITION_906, ["Di", "Cy"], key=KEY)
    new = commands.create_set(COALITION_906, ["Ann", "cy"], key=KEY + "2")
    set_up(key="another-key")
    client = holder(old)
    client.cookies[f"key-{new.code}"] = KEY + "2"

    page = text(client.get(reverse("start")))

    assert re.findall('name="known" value="([^"]*)"', page) == ["Ann", "cy", "Di"]


@pytest.mark.parametrize("names", [["", "Bo", "", ""], ["", "Bo"]])
def test_ticked_people_take_the_empty_seats(names):
    start(name=names, known=["Ann", "bo", "Cy"])

    assert GameSet.objects.get().names == {1: "Ann", 2: "Bo", 3: "Cy"}


def test_a_table_is_started_by_chance_with_its_key_in_a_cookie_that_scripts_do_not_see():
    """Sent twice it makes one table: the first answer with its cookie may never have arrived."""
    response = start()
    with unchanged():
        lost = Client()
        second = start(lost)

    table = GameSet.objects.get()
    for answer in (response, second):
        assert (answer.status_code, answer["Location"]) == (302, address(table, "score"))
    assert table.names == {1: "Ann", 2: "Bo", 3: "Cy"}
    assert the_game(table).rolled
    assert lost.get(address(table, "score")).status_code == 200
    cookie = response.cookies[f"key-{table.code}"]
    assert cookie.value == access.key_for(tap_id(1), "coalition-906", "Ann", "Bo", "Cy")
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert cookie["max-age"] == 400 * 24 * 60 * 60
    assert start(name=["Ann", "Bo"])["Location"] != response["Location"], "other names"


def test_a_table_whose_start_was_drawn_already_asks_who():
    client = Client()

    response = start(client, starter="drawn")

    assert "Who starts?" in words(client.get(response["Location"]))
    table = GameSet.objects.get()
    client.post(address(table, "start_game", 1), {"tap_id": tap_id(2), "starter": 2})
    assert the_game(table).turn_order == [2, 3, 1]


SHORT = "“A win fills up to 21” is for 2 to 5 players, not for {}."


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"name": ["Ann"]}, SHORT.format(1)),
        ({"name": list("abcdef")}, SHORT.format(6)),
        (
            {"name": ["Ann", "Bo"], "ruleset": "coalition-readme"},
            "“A win gives 5 more” is for 3 to 5 players, not for 2.",
        ),
        ({"name": ["Ann", "ann", "ANN"]}, "ANN sits here twice. Tell them apart, as in “ANN B.”"),
        ({"name": ["Ann", "x" * 81]}, "xxxxxxxxxxxxxxxxxxxx… is too long: 80 characters at most."),
        ({"tap_id": "x"}, "This form is damaged. Reload the page."),
        ({"tap_id": None}, "This form is damaged. Reload the page."),
        ({"ruleset": None}, "Choose a ruleset."),
        ({"ruleset": "<b>"}, "<b> is not one of the available choices."),
        ({"starter": "me"}, "me is not one of the available choices."),
        *(
            ({"name": ["Ann", f"B{mark}o"]}, "a character that can't be shown")
            for mark in ("\0", "\x07", "\x1b", "a\nb", "a\tb", "\x7f", "\x9b")
        ),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(form, message):
    with unchanged():
        status, problem = refusal(start(**form))

    assert status == 422
    assert problem.count(message) == 1


def test_after_a_refusal_the_form_keeps_what_was_typed():
    page = text(start(name=["Ann", "ann", "Cy & Co"], ruleset="coalition-readme", seats=4))

    assert 'value="Ann"' in page
    assert 'value="Cy &amp; Co"' in page
    assert page.count("checked") == 3
    assert re.findall(r'name="seats" value="(\d)" checked', page) == ["4"]


def test_a_browser_keeps_the_keys_of_its_latest_tables():
    cookies = [f"key-{at}" for at in range(25)]  # a browser sends the oldest first
    client = Client(headers={"cookie": "; ".join(f"{name}=secret" for name in cookies)})

    code = start(client)["Location"].split("/")[2]

    given = {name: cookie["max-age"] for name, cookie in client.cookies.items()}
    assert given == {"key-1": 0, f"key-{code}": 400 * 24 * 60 * 60}
