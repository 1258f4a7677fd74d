"""The pages of evenings: what they show to whom, bad input, and what they cost."""

import re
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from django.test import Client

from scoring.groups.evenings import commands
from scoring.models import Evening, Playgroup, Round
from scoring.play import commands as play
from scoring.rules.formats import COALITION_906

from ...browsing import problem, words
from ...tables import tap_id, text, unchanged
from ...views.test_query_counts import queries
from ..visitors import account, at, browser, player

LINK = re.compile('href="(http[^"]*/s/[^"]*)"')
NAMES = [f"Player {number:02}" for number in range(1, 65)]
PLAN = {
    "tap_id": tap_id(1),
    "name": "Club night",
    "ruleset": COALITION_906.key,
    "rounds": 2,
    "usual_size": 4,
}


@pytest.fixture
def evening(group: Playgroup) -> Evening:
    account("sam", group, "scorekeeper")
    made = commands.create_evening(group, "Friday", COALITION_906, rounds=2, usual_size=4, seed=1)
    commands.arrive(made, NAMES[:8])
    return made


@pytest.fixture
def sam(evening: Evening) -> Client:
    return browser("sam")


def where(evening: Evening, name: str = "evening", *more: int) -> str:
    return at(evening.playgroup, name, evening.number, *more)


def begin(evening: Evening) -> Round:
    drawn = commands.draw_round(evening)
    commands.begin_round(drawn)
    return drawn


# --- planning ---
def test_two_taps_on_plan_plan_one_evening(sam, group):
    for _ in range(2):
        answer = sam.post(at(group, "plan_evening"), PLAN)

    assert answer["Location"] == at(group, "evening", 2)
    assert group.evenings.count() == 2


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("name", "", "Give the evening a name."),
        ("ruleset", "chess", "Choose a ruleset."),
        ("rounds", "0", "Plan 1 to 20 rounds."),
        ("rounds", "9" * 400, "Plan 1 to 20 rounds."),
        ("usual_size", "99", "Choose how many sit at a table."),
        ("usual_size", "8", "Tables of Section 906 have 3, 4 or 5 players."),
        ("minutes", "1e3", "Give the time of a round in minutes, 1 to 600, or leave it empty."),
        ("starts_at", "soon", "The start is not a time: write it like 2026-03-09T19:30."),
        ("starts_at", "0001-01-01T00:00", "0001-01-01 is out of range: it must be from"),
        (
            "starts_at",
            "2026-03-29T02:30",
            "There is no 02:30 on 29 March 2026: the clocks go forward then. Choose another time.",
        ),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_with_the_reason(sam, group, field, value, wrong):
    sam.cookies["zone"] = "Europe/Berlin"

    with unchanged():
        answer = sam.post(at(group, "plan_evening"), PLAN | {field: value})

    assert answer.status_code == 422
    assert wrong in problem(answer)


def test_of_an_hour_that_comes_twice_the_first_is_meant(sam, group):
    sam.cookies["zone"] = "Europe/Berlin"

    sam.post(at(group, "plan_evening"), PLAN | {"starts_at": "2026-10-25T02:30"})

    planned = group.evenings.get(number=2)
    assert planned.starts_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


# --- who is here ---
def test_a_chip_is_tapped_when_somebody_comes_and_again_when_they_leave(sam, evening):
    one = player(evening.playgroup, NAMES[0])
    pressed = re.compile(rf'id="person-{one.pk}"[^>]*aria-pressed="(\w+)"')
    seen = []

    for name in ("leave", "come"):
        seen += pressed.findall(text(sam.get(where(evening))))
        answer = sam.post(where(evening, "evening_people"), {name: one.pk})
        assert answer["Location"] == where(evening)
    seen += pressed.findall(text(sam.get(where(evening))))

    assert seen == ["true", "false", "true"]


def test_names_are_typed_in_lines_or_with_commas(sam, evening):
    sam.post(where(evening, "evening_people"), {"names": "Jo, Kim\r\n\r\n jo \n"})

    page = words(sam.get(where(evening)))
    assert "10 are here" in page


@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ({}, "Type a name."),
        ({"names": " , \n"}, "Type a name."),
        ({"names": "a\0"}, "Null characters are not allowed."),
        ({"names": "x" * 81}, "A name is too long: 80 characters at most."),
        ({"names": "\u200b"}, "This contains a character that can't be shown. Type it again."),
        ({"names": ",".join(map(str, range(129)))}, "At most 128 people at once."),
        ({"come": "x"}, "Enter a whole number."),
        ({"leave": "999999"}, "There is no such player in this playgroup. Reload the page."),
        ({"come": "9" * 30}, "There is no such player in this playgroup. Reload the page."),
    ],
)
def test_who_can_not_be_here_is_refused_with_the_reason(sam, evening, form, wrong):
    with unchanged():
        answer = sam.post(where(evening, "evening_people"), form)
        part = sam.post(where(evening, "evening_people"), form, headers={"HX-Request": "true"})

    assert (answer.status_code, part.status_code) == (422, 422)
    assert wrong in problem(answer)
    assert "<main" not in text(part)
    assert wrong in words(part)


@pytest.mark.parametrize("form", [{}, {"player": "x"}, {"player": 1, "table": -1}, {"player": 7}])
def test_a_move_that_makes_no_sense_is_refused(sam, evening, form):
    commands.draw_round(evening)

    with unchanged():
        answer = sam.post(where(evening, "change_round", 1), form)

    assert answer.status_code == 422
    assert problem(answer)


def test_no_evening_and_no_round_is_not_there(sam, evening):
    for number in (1, 10**30):
        assert sam.get(where(evening, "round", number)).status_code == 404
        assert sam.get(at(evening.playgroup, "evening", 8 + number)).status_code == 404


def test_with_scripts_a_change_is_answered_with_nothing_and_the_page_asks_itself(sam, evening):
    one = player(evening.playgroup, NAMES[0])

    answer = sam.post(
        where(evening, "evening_people"), {"leave": one.pk}, headers={"HX-Request": "true"}
    )
    part = text(sam.get(where(evening), headers={"HX-Request": "true"}))

    assert (answer.status_code, answer.content) == (204, b"")
    assert re.findall(r'id="([a-z]+)" hx-swap-oob', part) == ["acts", "here", "rounds", "standings"]
    assert "7 are here" in part


# --- rounds ---
def test_a_round_is_drawn_and_begun_once_however_often_it_is_tapped(sam, evening):
    for _ in range(2):
        sam.post(where(evening, "draw_round"), {"number": 1, "draws": 0})
    for _ in range(2):
        answer = sam.post(where(evening, "change_round", 1), {"begin": 1})

    assert answer["Location"] == f"{where(evening, 'round', 1)}?keys"
    assert evening.rounds.get().draws == 1
    assert evening.playgroup.sets.count() == 2


def test_the_screen_shows_scorekeepers_links_to_those_who_may_give_them_away(sam, evening):
    begin(evening)
    screen = f"{where(evening, 'round', 1)}?keys"

    shown = [text(visitor.get(screen)) for visitor in (sam, browser(None))]

    links = [LINK.findall(page) for page in shown]
    assert [len(found) for found in links] == [2, 2]
    assert all("/key/" in link for link in links[0])
    assert not any("/key/" in link for link in links[1])
    assert Client().get(links[0][0]).status_code == 302  # it opens the pad
    assert [page.count('class="qr"') for page in shown] == [2, 2]


def test_a_link_that_was_changed_is_not_shown(sam, evening):
    table, _ = begin(evening).tables.all()
    play.change_key(table.game_set, "another")

    page = text(sam.get(f"{where(evening, 'round', 1)}?keys"))

    assert ["/key/" in link for link in LINK.findall(page)] == [False, True]


def test_the_time_of_a_round_runs_from_its_beginning(sam, evening):
    Evening.objects.update(minutes=50)
    evening.refresh_from_db()
    drawn = begin(evening)
    drawn.refresh_from_db()
    until = (drawn.begun_at + timedelta(minutes=50)).isoformat()

    for page in (where(evening), where(evening, "round", 1)):
        assert f'data-until="{until}"' in text(sam.get(page)).replace("&#43;", "+")


# --- cancelling ---
def test_an_evening_by_mistake_is_cancelled_after_a_question(sam, evening):
    """And not another one that has its number since."""
    begin(evening)
    asked = text(sam.get(where(evening)))
    assert f'name="evening" value="{evening.pk}"' in asked

    answer = sam.post(where(evening, "cancel_evening"), {"evening": evening.pk}, follow=True)

    assert answer.redirect_chain == [(at(evening.playgroup, "evenings"), 302)]
    assert "Friday is cancelled." in words(answer)
    assert sam.get(where(evening)).status_code == 404
    old = evening.pk
    commands.create_evening(evening.playgroup, "Next", COALITION_906, rounds=2, usual_size=4)
    with unchanged():
        answer = sam.post(where(evening, "cancel_evening"), {"evening": old})
    assert problem(answer) == "Another evening has this number by now. Reload the page."


def test_an_evening_on_which_somebody_plays_offers_no_cancelling(sam, evening):
    table = begin(evening).tables.first().game_set
    play.start_game(table, 1, first=1)

    page = text(sam.get(where(evening)))
    with unchanged():
        answer = sam.post(where(evening, "cancel_evening"), {"evening": evening.pk})

    assert "Cancel the evening" not in page
    assert (answer.status_code, problem(answer)) == (422, commands.PLAYED)


# --- what it costs ---
def test_an_evening_costs_the_same_with_eight_people_and_with_sixty_four(group):
    account("sam", group, "scorekeeper")
    few = commands.create_evening(group, "Few", COALITION_906, rounds=2, usual_size=4, seed=1)
    many = commands.create_evening(group, "Many", COALITION_906, rounds=2, usual_size=4, seed=1)
    commands.arrive(few, NAMES[:8])
    commands.arrive(many, NAMES)
    for evening in (few, many):
        for table in begin(evening).tables.all():
            play.start_game(table.game_set, 1, first=1)
        begin(evening)

    sam = browser("sam")
    costs = {
        (evening.name, page): queries(
            lambda evening=evening, page=page, more=more: sam.get(where(evening, page, *more))
        )
        for evening in (few, many)
        for page, more in (("evening", ()), ("round", (2,)))
    }

    assert costs == dict.fromkeys(product(("Few", "Many"), ("evening", "round")), 10)
