"""Who may do what with a set of a playgroup: every address, every role, public and private."""

from copy import deepcopy

import pytest
from django.test import Client
from django.urls import URLPattern

from scoring.models import GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import PassTurn
from tests.scoring.rules.play import ANN, BO

from ...tables import everything, record, tap_id
from ...test_access import fill, patterns, sitting
from ..test_access import check_hidden, each, expected, statuses
from ..visitors import ROLES, browser, everybody, owned_group

# Status of GET and of POST with an empty form, in game 1 after one event, in a public playgroup.
ANSWERS = {
    # stranger   signed in  member     scorekeeper owner     superuser   seat
    "200 405    200 405    200 405    200 405    200 405    200 405    200 405": (
        "watch set_picture log export qr"
    ),
    "403 405    403 405    403 405    403 405    403 405    403 405    403 405": (
        "take_key take_seat_key"
    ),
    "403 403    403 403    403 403    403 403    403 403    403 403    403 403": "join",
    "302 403    302 403    302 403    302 422    302 422    302 422    302 403": (
        "play_again change_key seat_swap call start_game take_back hit hits turn undo change "
        "strike amend take_proposed leave_proposed"
    ),
    "403 405    403 405    403 405    200 405    200 405    200 405    403 405": (
        "score tablet desk links join_code line"
    ),
    # Who keeps the score gets the tablet.
    "200 405    200 405    200 405    302 405    302 405    302 405    200 405": "table",
    "403 405    403 405    403 405    302 405    302 405    302 405    403 405": "secret_qr",
    "403 403    403 403    403 403    200 422    200 422    200 422    403 403": (
        "seat_decks take_set more end"
    ),
    "403 403    403 403    403 403    302 422    302 422    302 422    403 403": "seat_hero",
    "403 403    403 403    403 403    302 302    302 302    302 302    403 403": (
        "names change_start"
    ),
    "302 403    302 403    302 403    302 302    302 302    302 302    302 403": (
        "seat_link hand_out set_clock set_phones"
    ),
    "403 403    403 403    403 403    403 403    403 403    403 403    200 422": "seat",
    "302 403    302 403    302 403    302 403    302 403    302 403    302 422": (
        "name_own seat_confirm drop_own"
    ),
    "302 403    302 403    302 403    302 403    302 403    302 403    302 302": "bring_own",
    "302 403    302 403    302 403    302 403    302 403    302 403    302 404": (
        "seat_report turn_up_own look_at_own reveal_own ready_own"
    ),
    "302 403    302 403    302 403    302 403    302 302    302 302    302 403": "take_out",
    "404 405    404 405    404 405    404 405    404 405    404 405    404 405": "answers pools",
    "403 403    403 403    403 403    404 404    404 404    404 404    403 403": (
        "draft_card agendas call_vote turn_up own"
    ),
    "403 405    403 405    403 405    404 405    404 405    404 405    403 405": "draft_tables",
    "302 403    302 403    302 403    302 404    302 404    302 404    302 403": (
        "split split_again draw_again undo_split table_again look take_back_vote reveal begin"
    ),
    "403 403    403 403    403 403    403 403    403 403    403 403    404 404": (
        "call_own seal_own"
    ),
}
STATUSES = {name: line for line, names in ANSWERS.items() for name in names.split()}


def pages() -> list[URLPattern]:
    return [one for one in patterns() if str(one.pattern).startswith("s/")]


@pytest.fixture(scope="module")
def rows(shared_rows) -> GameSet:
    with shared_rows():
        names, of = ["Ann", "Bo"], owned_group()
        table = commands.create_set(COALITION_906, names, key="some-key", playgroup=of)
        commands.start_game(table, 1, first=ANN)
        record(table, PassTurn(BO))
        return table


@pytest.fixture
def seated(rows: GameSet, db: None) -> GameSet:
    """A table of the playgroup, in its first game; nobody below holds its key."""
    return deepcopy(rows)


def visitors(table: GameSet) -> dict[str, Client]:
    """Return a browser of each role, with that of a player who opened the link of a seat."""
    return everybody(table.playgroup) | {"seat": sitting(table)}


def test_every_address_of_sets_has_a_line_in_the_table():
    assert sorted(STATUSES) == sorted(pattern.name for pattern in pages())


@each(pages())
@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.PRIVATE])
def test_every_address_of_sets_answers_each_role_as_the_table_says(seated, pattern, visibility):
    Playgroup.objects.update(visibility=visibility)
    line, is_private = STATUSES[pattern.name], visibility == Visibility.PRIVATE

    actual = dict(statuses(fill(pattern, seated), visitors(seated)))

    here = expected(line, (*ROLES, "seat"), is_private=is_private)
    if pattern.name == "take_out" and is_private:
        here["seat"] = ["302", "302"]  # a refusal would name the playgroup
    assert actual == here


@each(pages())
@pytest.mark.parametrize("user", [None, "sid"])
def test_an_address_without_a_set_answers_as_that_of_a_private_playgroups(seated, pattern, user):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)

    check_hidden(browser(user), fill(pattern, seated), seated.code)


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.PRIVATE])
@each(pages())
def test_visitors_who_do_not_keep_score_change_no_set_with_a_good_form(seated, pattern, visibility):
    """Each field that any form of a set has, with something that would do."""
    Playgroup.objects.update(visibility=visibility)
    form = {
        "tap_id": tap_id(1),
        "source": ANN,
        "target": BO,
        "kind": "combat",
        "amount": 3,
        "event": 1,
        "player": ANN,
        "players": ANN,
        "life": 5,
        "starter": BO,
        "reason": "time",
        "close": 1,
        "go_on": 1,
        "group": seated.playgroup.code,
        "seat-1": "Zoe",
        "seat-2": "Yan",
    }
    clients = visitors(seated)
    before = everything()

    for role in ("stranger", "signed in", "member", "seat"):
        clients[role].post(fill(pattern, seated), form)
        clients[role].get(fill(pattern, seated), form)
    if pattern.name == "take_out":  # for owners
        clients["scorekeeper"].post(fill(pattern, seated), form)

    assert everything() == before
