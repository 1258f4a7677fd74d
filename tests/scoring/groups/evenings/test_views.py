"""The pages of evenings: what they show to whom, bad input, their cost, and the calendar."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from scoring.groups.evenings import commands
from scoring.models import Attendee, CalendarLink, Evening, Playgroup, Round
from scoring.models.people import Visibility
from scoring.record import commands as play
from scoring.record import seating
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906
from tests.scoring.rules.play import hit

from ...browsing import form_to, problem, words
from ...grouped import group as playgroup
from ...grouped import play_one_game
from ...tables import tap_id, text, unchanged
from ..visitors import account, at, browser, player, post
from .pages import night, plain_text

NAMES = [f"Player {number:02}" for number in range(1, 9)]
PLAN = {
    "tap_id": tap_id(1),
    "name": "Club night",
    "ruleset": COALITION_906.key,
    "rounds": 2,
    "usual_size": 4,
}


@pytest.fixture
def evening(group: Playgroup) -> Evening:
    return night(group, NAMES, usual_size=4, seed=1)


@pytest.fixture
def sam(evening: Evening) -> Client:
    return browser(account("sam", evening.playgroup, "scorekeeper"))


def where(evening: Evening, name: str = "evening", *more: int) -> str:
    return at(evening.playgroup, name, evening.number, *more)


def begin(evening: Evening) -> Round:
    drawn = commands.pair_round(evening)
    commands.begin_round(drawn)
    return drawn


# --- planning ---
def test_two_taps_on_plan_plan_one_evening(sam, group):
    """Of an hour that comes twice the first is meant."""
    sam.cookies["zone"] = "Europe/Berlin"
    for _ in range(2):
        answer = sam.post(at(group, "plan_evening"), PLAN | {"starts_at": "2026-10-25T02:30"})

    assert answer["Location"] == at(group, "evening", 2)
    _, planned = group.evenings.order_by("number")
    assert planned.starts_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("field", "value", "wrong"),
    [
        ("name", "", "Give the evening a name."),
        ("ruleset", "chess", "Choose a ruleset."),
        ("rounds", "0", "Plan 1 to 20 rounds."),
        ("rounds", "9" * 400, "Plan 1 to 20 rounds."),
        ("usual_size", "99", "Choose how many sit at a table."),
        ("usual_size", "8", "Tables of “A win fills up to 21” have 3, 4 or 5 players."),
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


# --- changing what was planned ---
CHANGED = {"name": "Monday", "rounds": 3, "usual_size": 3, "minutes": 40, "starts_at": ""}


def test_what_was_planned_is_changed_and_the_clock_of_a_round_that_is_played_follows(sam, evening):
    """A start that is left empty stays."""
    sam.cookies["zone"] = "Europe/Berlin"
    Evening.objects.update(starts_at=FRIDAY, minutes=50)
    evening.refresh_from_db()
    drawn = begin(evening)
    shown = text(sam.get(where(evening, "edit_evening")))
    values = dict(re.findall(r'<input[^>]*name="([a-z_]+)"[^>]* value="([^"]*)"', shown))
    assert [values[name] for name in ("name", "rounds", "minutes", "starts_at")] == [
        *("Friday night", "2", "50", "2026-03-06T19:30")
    ]

    answer = sam.post(where(evening, "edit_evening"), CHANGED)

    assert answer.url == where(evening)
    (after,) = Evening.objects.values(
        "name", "rounds_planned", "usual_size", "minutes", "starts_at"
    )
    assert list(after.values()) == ["Monday", 3, 3, 40, FRIDAY]
    assert [table.game_set.clock_minutes for table in drawn.tables.all()] == [40, 40]
    sam.post(where(evening, "edit_evening"), CHANGED | {"starts_at": "2026-03-09T20:00"})
    assert Evening.objects.get().starts_at == datetime(2026, 3, 9, 19, tzinfo=UTC)
    sam.post(where(evening, "edit_evening"), CHANGED | {"minutes": ""})
    assert [table.game_set.clock_minutes for table in drawn.tables.all()] == [0, 0]


def test_a_change_that_makes_no_sense_is_refused_and_what_was_typed_stays(sam, evening):
    with unchanged():
        answer = sam.post(where(evening, "edit_evening"), CHANGED | {"usual_size": "8"})

    assert (answer.status_code, 'name="name" value="Monday"' in text(answer)) == (422, True)
    assert problem(answer) == "Tables of “A win fills up to 21” have 3, 4 or 5 players."


# --- who is here ---
@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ({}, "Type a name."),
        ({"names": " , \n"}, "Type a name."),
        ({"names": "a\0"}, "Null characters are not allowed."),
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


def test_a_move_that_makes_no_sense_and_what_is_not_there_are_refused(sam, evening):
    commands.pair_round(evening)

    for form in ({}, {"player": "x"}, {"player": 1, "table": -1}, {"player": 7}):
        with unchanged():
            answer = sam.post(where(evening, "change_round", 1), form)
        assert (answer.status_code, bool(problem(answer))) == (422, True)
    for number in (2, 10**30):
        assert sam.get(where(evening, "round", number)).status_code == 404
        assert sam.get(at(evening.playgroup, "evening", 8 + number)).status_code == 404


def test_who_comes_and_leaves_is_tapped_or_typed_and_with_scripts_the_page_asks_itself(
    sam, evening
):
    one = player(evening.playgroup, NAMES[0])
    scripts = {"HX-Request": "true"}
    people = where(evening, "evening_people")

    def pressed() -> list[str]:
        page = text(sam.get(where(evening)))
        return re.findall(rf'id="person-{one.pk}"[^>]*aria-pressed="(\w+)"', page)

    seen = pressed()
    answers = [sam.post(people, {"leave": one.pk})]
    seen += pressed()
    answers.append(sam.post(people, {"come": one.pk}))
    seen += pressed()
    answers.append(sam.post(people, {"names": "Jo, Kim\r\n\r\n jo \n"}))
    changed = sam.post(people, {"leave": one.pk}, headers=scripts)
    part = text(sam.get(where(evening), headers=scripts))

    assert seen == ["true", "false", "true"]
    assert [answer["Location"] for answer in answers] == [where(evening)] * 3
    assert (changed.status_code, changed.content) == (204, b"")
    changes = ["acts", "night", "here", "rounds", "standings", "end"]
    assert re.findall(r'id="([a-z]+)" hx-swap-oob', part) == changes
    assert "9 are here" in part
    Evening.objects.update(starts_at=timezone.now() + timedelta(hours=1))
    assert "9 are coming" in text(sam.get(where(evening)))


def test_people_say_by_a_link_that_they_come_until_it_is_revoked_or_replaced(sam, evening):
    """Also to an evening of a private playgroup, of which they see nothing else."""
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    page, invite, stranger = where(evening), where(evening, "invite_to_evening"), Client()
    seating.add_player(evening.playgroup, "Ann")

    def link() -> str:
        sam.post(invite, {"open": 1})
        shown = re.findall(r'value="http://testserver(/groups/coming/.*?)"', text(sam.get(page)))
        return shown[0]

    first, second = link(), link()
    assert [stranger.get(one).status_code for one in (first, second, page)] == [404, 200, 404]
    assert second not in text(browser(account("mia", evening.playgroup, "member")).get(page))
    for sent in ({"come": player(evening.playgroup, "Ann").pk}, {"names": "Jo"}, {"names": "jo"}):
        told = stranger.post(second, sent, follow=True)
        assert "You are on the list." in words(told)
    jo = {"leave": player(evening.playgroup, "Jo").pk}
    assert "You are off the list." in words(stranger.post(second, jo, follow=True))
    evening.rounds.create(number=1, draws=1)
    for bad in (jo, {}, {"names": " "}, {"names": "x" * 90}, {"come": 9_999_999}, {"come": "x"}):
        with unchanged():
            assert problem(stranger.post(second, bad))
    here = {one.player.name: one.player.is_guest for one in evening.attendees.filter(here=True)}
    assert here == dict.fromkeys([*NAMES, "Ann"], False)
    sam.post(invite)
    closed = stranger.get(second), stranger.post(second, {"names": "Zoe"})
    assert [answer.status_code for answer in closed] == [404, 404]
    third = link()
    commands.end_evening(evening)
    assert stranger.get(third).status_code == 404


# --- rounds ---
def test_a_round_is_drawn_begun_and_drawn_again_once_however_often_it_is_tapped(sam, evening):
    for _ in range(2):
        sam.post(where(evening, "draw_round"), {"number": 1, "draws": 0})
    page = form_to(sam.get(where(evening)), where(evening, "draw_round")).fields
    for button in ("begin", "undo"):
        with unchanged():
            stale = sam.post(where(evening, "change_round", 1), {button: 1, "draws": 2})
        assert "was paired again" in problem(stale)
    for _ in range(2):
        answer = sam.post(where(evening, "change_round", 1), page | {"begin": 1})

    assert answer["Location"] == f"{where(evening, 'round', 1)}?keys"
    assert evening.rounds.get().draws == 1
    assert evening.playgroup.sets.count() == 2
    commands.arrive(evening, ["Jo"])
    for _ in range(2):
        again = sam.post(where(evening, "change_round", 1), {"again": 1, "draws": 1})
    assert (again.url, evening.rounds.get().draws) == (where(evening), 2)
    assert sorted(len(table.names) for table in evening.playgroup.sets.all()) == [4, 5]


def test_the_screen_shows_scorekeepers_links_to_those_who_may_give_them_away(sam, evening):
    """None that was changed; and the time of a round from its beginning."""
    Evening.objects.update(minutes=50)
    evening.refresh_from_db()
    drawn = begin(evening)
    drawn.refresh_from_db()
    screen = f"{where(evening, 'round', 1)}?keys"

    shown = [text(visitor.get(screen)) for visitor in (sam, browser(None))]
    play.change_key(drawn.tables.first().game_set, "another")
    shown.append(text(sam.get(screen)))

    links = [re.findall('href="(http[^"]*/s/[^"]*)"', page) for page in shown]
    assert [["/key/" in link for link in found] for found in links] == [
        [True, True],
        [False, False],
        [False, True],
    ]
    assert Client().get(links[2][1]).status_code == 302  # it opens the pad
    assert [page.count('class="qr"') for page in shown] == [2, 2, 2]
    until = (drawn.begun_at + timedelta(minutes=50)).isoformat()
    for page in (shown[0], text(sam.get(where(evening)))):
        assert f'data-until="{until}"' in page.replace("&#43;", "+")


def test_who_comes_late_is_seated_and_who_left_taken_out_by_a_tap_that_a_tap_undoes(sam, evening):
    """Only at tables where nothing was recorded."""
    page = where(evening)
    first, second = (table.game_set for table in begin(evening).tables.order_by("number"))
    assert "Undo" not in text(sam.get(page))
    commands.arrive(evening, ["Jo"])
    gone = second.seats.get(number=1).player
    commands.leave(evening, gone)
    play.start_game(first, 1, first=1)
    play.record(first, 1, hit(1, 2, 3))

    def buttons() -> list[str]:
        form = re.search(r'<div class="stack" id="reseat">(.*?)</div>', text(sam.get(page)), re.S)
        return re.findall(r'value="(-?\d+)">(?:Sit|Take)', form[1]) if form else []

    def names() -> list[str]:
        return list(second.seats.order_by("number").values_list("name", flat=True))

    before = names()
    assert buttons() == ["2", "-1"]
    jo = player(evening.playgroup, "Jo")
    change = where(evening, "change_round", 1)
    answer = sam.post(change, {"player": jo.pk, "table": 2})
    assert (answer.url, names()) == (page, [*before, "Jo"])
    assert "Jo was moved. Undo" in words(sam.get(page))
    assert "Undo" not in text(Client().get(page))
    for bad in ("", "x", "[]", "null"):
        with unchanged():
            assert problem(sam.post(change, {"before": bad}))
    assert sam.post(change, {"before": before_of(sam.get(page))}).url == page
    assert (names(), buttons()) == (before, ["2", "-1"])
    sam.post(change, {"player": gone.pk, "table": -1})
    assert (names(), buttons()) == (before[1:], ["2"])
    play.start_game(second, 1, first=1)
    play.record(second, 1, hit(1, 2, 3))
    with unchanged():
        refused = sam.post(where(evening, "change_round", 1), {"player": jo.pk, "table": 2})
    assert (refused.status_code, "have begun to play" in problem(refused)) == (422, True)
    assert buttons() == []
    assert [word for word in ('id="move"', "Undo") if word in text(sam.get(page))] == []


def before_of(page: HttpResponse) -> str:
    return unescape(re.findall(r'name="before" value="(.*?)"', text(page))[0])


def test_a_table_that_became_small_is_merged_by_a_tap_and_one_is_split_once(sam, evening):
    drawn, round = begin(evening), where(evening, "change_round", 1)
    first, second = (table.game_set for table in drawn.tables.order_by("number"))
    for seat in (second.seats.get(number=1), second.seats.get(number=2), first.seats.get(number=1)):
        assert 'name="merge"' not in text(sam.get(where(evening)))
        sam.post(round, {"player": seat.player_id, "table": -1})
    assert re.findall(r'name="merge" value="(.*?)"', text(sam.get(where(evening)))) == ["2"]
    with unchanged():
        assert problem(sam.post(round, {"merge": "x"})) == "Choose a table."

    assert sam.post(round, {"merge": 2, "table": 1}).url == where(evening)

    assert [table.game_set.seats.count() for table in drawn.tables.all()] == [5]
    sent = r'name="size" value="(.*?)">\s*<button class="btn" name="split" value="(.*?)"'
    [(size, table)] = re.findall(sent, text(sam.get(where(evening))))
    for _ in range(2):
        assert sam.post(round, {"split": table, "size": size}).url == where(evening)
    assert [table.game_set.seats.count() for table in drawn.tables.all()] == [3, 2]


# --- its end ---
def test_an_evening_ends_while_a_round_is_played_only_after_a_question_and_is_reopened(
    sam, evening
):
    first, second = (table.game_set for table in begin(evening).tables.order_by("number"))
    page = text(sam.get(where(evening)))
    assert "2 tables are not finished." in page
    assert 'name="end"' not in page
    play_one_game(first, hit(1, 2, 5))
    Attendee.objects.filter(pk=evening.attendees.first().pk).update(here=False)

    with unchanged():
        stale = sam.post(where(evening, "end_evening"), {"end": 1})
    sam.post(where(evening, "end_evening"), {"sure": 1})

    assert (stale.status_code, "1 table is not finished." in problem(stale)) == (422, True)
    ended = text(sam.get(where(evening)))
    assert Evening.objects.get().ended_at
    assert f"First, with 1 table not finished {first.names[1]}" in plain_text(ended)
    assert "1 of 2 rounds" in plain_text(ended)
    assert f"{evening.attendees.count()} were here" in plain_text(ended), "who left early, too"
    assert 'name="reopen"' in ended
    assert "End the evening" not in ended
    sam.post(where(evening, "end_evening"), {"reopen": 1})
    assert Evening.objects.get().ended_at is None
    play_one_game(second, hit(1, 2, 5))
    assert 'name="end"' in text(sam.get(where(evening)))
    sam.post(where(evening, "end_evening"), {"end": 1})
    assert Evening.objects.get().ended_at


def test_the_page_of_an_evening_that_is_over_is_a_result(sam, evening):
    """Of the night alone, and later corrections count; it is no console, and told live as well."""
    elsewhere = play.create_set(COALITION_906, ["Ann", "Bo"], playgroup=evening.playgroup)
    play_one_game(elsewhere, hit(1, 2, 20))
    first, second = (table.game_set for table in begin(evening).tables.order_by("number"))
    play_one_game(first, hit(1, 2, 9))
    play_one_game(second, hit(1, 2, 12))
    assert 'id="won"' not in text(sam.get(where(evening)))

    commands.end_evening(evening)
    play.record(first, 1, Amend(1, hit(1, 2, 14)))

    page, part = (
        text(sam.get(where(evening), headers=headers)) for headers in ({}, {"HX-Request": "true"})
    )
    for answer in (page, part):
        banner, records = (
            plain_text(re.search(rf"<{tag}.*?</{tag}>", answer.split('id="night"')[1], re.S)[0])
            for tag in ("section", "dl")
        )
        winner, other = first.names[1], second.names[1]  # and others, who have no VP
        assert banner == f"Won by {winner} 2. {other} 12 14 VP"
        assert records == (
            f"Highest set 14 VP {winner} Most VP in a turn 14 VP {winner} "
            f"Closest finish by 12 VP {other} 12, {second.names[2]} 0"
        )
    assert page.index('id="standings"') < page.index('id="rounds"')
    shown = plain_text(page)
    assert f"VP per game Games 1 {winner} 14 14.0 1 2 {other} 12 12.0 1" in shown
    assert shown.count(" finished ") == 2
    assert where(evening, "evening_picture") in page
    assert [word for word in ("Pair round", "Somebody new", 'id="move"') if word in page] == []


@pytest.mark.parametrize(("name", "following"), [("Club", "Club"), ("Friday, 6 March", "{}")])
def test_the_next_evening_is_planned_as_the_last_one_was_on_the_same_day_of_a_week_to_come(
    sam, evening, name, following
):
    sam.cookies["zone"] = "Europe/Berlin"
    planned = {"ruleset": "coalition-readme", "minutes": 50, "name": name}
    Evening.objects.update(starts_at=FRIDAY, ended_at=FRIDAY, **planned)

    link = re.findall(r'href="([^"]*)#plan"', text(sam.get(where(evening))))
    form = form_to(sam.get(unescape(link[0])), at(evening.playgroup, "plan_evening")).fields
    sam.post(at(evening.playgroup, "plan_evening"), form)

    made = evening.playgroup.evenings.get(number=2)
    day = timezone.localtime(made.starts_at, ZoneInfo("Europe/Berlin"))
    assert f"{day:%A %H:%M}" == "Friday 19:30"
    assert timedelta(0) < made.starts_at - timezone.now() <= timedelta(days=7, hours=1)
    assert made.name == following.format(f"Friday, {day.day} {day:%B}")
    assert (made.ruleset, made.minutes) == ("coalition-readme", 50)
    assert (made.rounds_planned, made.usual_size) == (2, 4)
    assert "#plan" not in text(Client().get(where(evening)))
    assert sam.get(f"{at(evening.playgroup, 'evenings')}?usual_size=x&rounds=").status_code == 200


# --- cancelling ---
@pytest.mark.parametrize(
    ("name", "command", "form"),
    [("draw_round", "pair_round", {}), ("evening_people", "arrive", {"names": "Jo"})],
)
def test_who_acts_on_an_evening_that_is_cancelled_meanwhile_finds_none(
    sam, evening, monkeypatch, name, command, form
):
    act = getattr(commands, command)

    def cancel_first(*args: Any, **options: Any) -> None:
        commands.cancel_evening(Evening.objects.get())
        act(*args, **options)

    monkeypatch.setattr(commands, command, cancel_first)

    assert sam.post(where(evening, name), form).status_code == 404


def test_an_evening_by_mistake_is_cancelled_after_a_question(sam, evening):
    """And not another one that has its number since, or one on which somebody plays."""
    begin(evening)
    asked = text(sam.get(where(evening)))
    assert f'name="evening" value="{evening.pk}"' in asked

    def cancel(one: int, **options: bool) -> HttpResponse:
        return sam.post(where(evening, "cancel_evening"), {"evening": one}, **options)

    old = evening.pk
    answer = cancel(old, follow=True)

    assert answer.redirect_chain == [(at(evening.playgroup, "evenings"), 302)]
    assert "Friday night is cancelled." in words(answer)
    assert sam.get(where(evening)).status_code == 404
    evening = commands.create_evening(
        evening.playgroup, "Next", COALITION_906, rounds=2, usual_size=4
    )
    with unchanged():
        assert problem(cancel(old)) == "Another evening has this number by now. Reload the page."
    commands.arrive(evening, NAMES)
    play.start_game(begin(evening).tables.first().game_set, 1, first=1)
    with unchanged():
        answer = cancel(evening.pk)
    assert (answer.status_code, problem(answer)) == (422, commands.PLAYED)
    assert "Cancel the evening" not in text(sam.get(where(evening)))


# --- the calendar ---
FRIDAY = datetime(2026, 3, 6, 18, 30, tzinfo=UTC)


@pytest.fixture
def club(db: None) -> Playgroup:
    club = playgroup("Club; of “elves”,\nand more", zone="Europe/Berlin")
    commands.create_evening(
        club,
        "Ünïcode, night",
        COALITION_906,
        rounds=4,
        usual_size=4,
        minutes=60,
        starts_at=FRIDAY,
    )
    return club


def events(response: Any) -> list[Any]:
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


def own_address(client: Client, of: Playgroup, tap: int = 1) -> str:
    """Create a secret address, and return it as the page shows it."""
    page = text(post(client, of, "calendar", tap_id=tap_id(tap)))
    return re.findall(r'value="http://testserver(/groups/calendar/[^"]+)"', page)[0]


def test_an_evening_is_an_event_that_a_calendar_reads(club):
    """Without a clock it lasts three hours, until its end is known."""
    feed = at(club, "calendar_feed")
    answer = Client().get(feed)

    (event,) = events(answer)
    address = f"http://testserver/g/{club.code}/evenings"
    assert {name: event[name] for name in ("UID", "SUMMARY", "URL", "DESCRIPTION")} == {
        "UID": f"{club.code}-1@testserver",
        "SUMMARY": f"Ünïcode, night ({club.name})",
        "URL": f"{address}/1/",
        "DESCRIPTION": f"4 rounds of 60 minutes\n{address}/1/",
    }
    (alarm,) = event.walk("VALARM")
    assert (alarm["ACTION"], alarm.decoded("TRIGGER")) == ("DISPLAY", -timedelta(hours=3))
    days = event.decoded("DTSTART"), event.decoded("DTEND")
    assert days == (FRIDAY, FRIDAY + timedelta(hours=4))
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    page = text(Client().get(at(club, "calendar")))
    assert f'href="webcal://testserver{feed}"' in page

    evening = commands.create_evening(
        club, "Short", COALITION_906, rounds=1, usual_size=3, starts_at=FRIDAY + timedelta(days=1)
    )
    first = events(Client().get(feed))[0]
    assert first["DESCRIPTION"] == f"1 round\n{address}/2/"
    assert first.decoded("DTEND") - first.decoded("DTSTART") == timedelta(hours=3)
    commands.end_evening(evening)
    evening.refresh_from_db()
    ended = events(Client().get(feed))[0].decoded("DTEND")
    assert evening.ended_at
    assert ended == evening.ended_at.replace(microsecond=0)
    late = evening.ended_at.replace(microsecond=0) + timedelta(days=1)
    Evening.objects.filter(pk=evening.pk).update(starts_at=late)
    assert events(Client().get(feed))[0].decoded("DTEND") == late + timedelta(hours=3)


def test_a_member_of_a_private_playgroup_has_a_secret_address_that_needs_no_sign_in(club):
    """Until it is revoked or replaced, or its member goes. Others have none."""
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    user, root = account("mia", club, "member"), account("root")
    mia, stranger = browser(user), Client()
    root.is_superuser = True
    root.save()
    refused = post(browser(root), club, "calendar", tap_id=tap_id(1))
    assert (refused.status_code, CalendarLink.objects.exists()) == (422, False)
    assert "Only members have an address of their own" in words(refused)

    def works(where: str) -> bool:
        return stranger.get(where).status_code == 200

    first, again = own_address(mia, club), own_address(mia, club)
    assert len(events(stranger.get(first))) == 1
    assert not works(at(club, "calendar_feed"))
    assert "private" in stranger.get(first)["Cache-Control"]
    key = first.split("/")[-2]
    assert key not in str(CalendarLink.objects.values())
    assert key not in text(mia.get(at(club, "calendar")))
    second = own_address(mia, club, 2)
    assert (first == again, works(first), works(second)) == (True, False, True)
    post(mia, club, "revoke_calendar")
    assert not works(second)
    third = own_address(mia, club, 3)
    assert works(third)
    user.is_active = False
    user.save()
    assert not works(third)
    user.is_active = True
    user.save()
    club.memberships.get(user=user).delete()
    assert not works(third)
