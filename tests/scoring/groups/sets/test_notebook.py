"""A playgroup's notebook: sets that nobody scored, pasted a line each."""

from datetime import date, timedelta
from time import process_time

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from scoring.groups.people import merging
from scoring.groups.sets.notebook import SETS_MAX, read
from scoring.models import GameSet, SetFacts
from scoring.record import commands, seating
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906, COALITION_2026, COALITION_README
from scoring.rules.results import EnterResult
from tests.scoring.rules.play import ANN, BO

from ...browsing import form_to, problem, words
from ...grouped import group, play, ratings, tallies
from ...tables import check_books, check_export, unchanged
from ..visitors import account, at, browser, names, player

TODAY = date(2026, 4, 1)
DAY = date(2026, 3, 12)
TEN = """\
12.3.2026  Ann 21 12 0, Bo 5 21 21, Cy 10 c -
Ann 21 21 5, Bo 4 0 21
2026-03-13: Ann 21 21 21; Bo 0 0 0; Cy 20 20 20
13 March 2026 Dee 21w 3, Ann 20 21
14.3.26\tAnn\t21\t21\t7\tBo\t21\t3\t7\tCy\t2\t4\t7

15.3.2026 Ann c, Bo 21, Cy 0
16.3.2026 Ann 0 0 21, Bo c, Cy 21 21 0
17.3.2026 Ann 21/0/-, Bo 3/21/21, Cy 4/5/6
18.3.2026 Ann: 21 | Bo: 20
19.3.2026 Ann 7 7 7, Bo 8 8 8
"""


def line(text, ruleset=COALITION_906):
    (only,) = read(text, ruleset, {"ann": "Ann", "carlos c": "Carlos C"}, TODAY)
    return only


def results(text, ruleset=COALITION_906):
    """Return the VP in a set by rank, and who won its games."""
    only = line(text, ruleset)
    assert not only.problem
    return [(name, games) for name, _, games in only.standings], only.winners


@pytest.mark.parametrize(
    ("text", "games", "won"),
    [
        ("Ann\t21\t3\tBo\t5\t21", {"Ann": "21 + 3", "Bo": "5 + 21"}, ["Ann", "Bo"]),
        ("Ann B. 21; Bo 2: 5", {"Ann B.": "21", "Bo 2": "5"}, ["Ann B."]),
        ("Mary C: 21, Bo: 5", {"Mary C": "21", "Bo": "5"}, ["Mary C"]),
        ("Ann 21, Bo 21, Cy 3", {"Ann": "21", "Bo": "21", "Cy": "3"}, ["a tie"]),
        ("Ann 20, Bo 3", {"Ann": "20", "Bo": "3"}, ["a tie"]),
        ("Ann C, Bo 21", {"Ann": "c", "Bo": "21"}, ["Bo"]),
        ("Ann 5 –, Bo 21 21, Cy 0 4", {"Ann": "5 + –", "Bo": "21 + 21", "Cy": "0 + 4"}, ["Bo"] * 2),
        ("– Ann 21, 3 / Bo 5, 21w", {"Ann": "21 + 3", "Bo": "5 + 21"}, ["Ann", "Bo"]),
        (
            "\u200eAnn\u200b 21\u00a05\u200e, Bo 5  −, Cy 0 21",
            {"Ann": "21 + 5", "Bo": "5 + –", "Cy": "0 + 21"},
            ["Ann", "Cy"],
        ),
        (
            "Ann 21w & Bo 5, and Cy c vs. Mac and Co 0",
            {"Ann": "21", "Bo": "5", "Mac and Co": "0", "Cy": "c"},
            ["Ann"],
        ),
        ("Ann – 21 – 3, Bo – 5 – 21", {"Ann": "21 + 3", "Bo": "5 + 21"}, ["Ann", "Bo"]),
        ("carlos c 21 3, Bo 5 21", {"Carlos C": "21 + 3", "Bo": "5 + 21"}, ["Carlos C", "Bo"]),
        ("Ann c 0, Bo 21 21, Cy 0 4", {"Ann": "c + –", "Bo": "21 + 21", "Cy": "0 + 4"}, ["Bo"] * 2),
    ],
)
def test_separators_ties_and_who_conceded_or_left(text, games, won):
    shown, winners = results(f"12.3.2026 {text}")

    assert (dict(shown), winners) == (games, won)


@pytest.mark.parametrize(
    "day", ["\ufeff12.3.2026", "12\u00a0March\u00a02026", "12 March  2026", "12.  3. 2026"]
)
def test_blanks_and_marks_that_nobody_sees_change_no_day(day):
    assert line(f"\u202a{day}\u202c Ann 21, Bo 5").day == DAY


def test_where_a_win_gives_5_more_the_winner_is_marked_or_alone_at_21():
    shown, winners = results("12.3.2026 Ann 16w 26 0, Bo 18 3 20, Cy 0 0 21*", COALITION_README)

    assert winners == ["Ann", "Ann", "Cy"]
    assert dict(shown) == {"Ann": "16 + 26 + 0", "Bo": "18 + 3 + 20", "Cy": "0 + 0 + 21"}


def test_conceding_costs_the_whole_set_where_the_ruleset_says_so():
    only = line("12.3.2026 Ann 20 c, Bo 3 21, Cy 21 4", COALITION_2026)

    assert [(name, row.victory_points) for name, row, _ in only.standings][-1] == ("Ann", 0)


BEGIN = "Begin the line with the day, as in 12.3.2026 or 2026-03-12."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann 21, Bo 3", BEGIN),
        ("12.3. Ann 21, Bo 3", "12.3. has no year. Write it as in 12.3.2026 or 2026-03-12."),
        ("11 Sept: Ann 21, Bo 3", "11 Sept has no year. Write it as in 12.3.2026 or 2026-03-12."),
        ("18/9 Ann 21, Bo 3", "18/9 has no year. Write it as in 12.3.2026 or 2026-03-12."),
        ("1.4.26 second set: Ann 21, Bo 3", "“second set: Ann” is no name. Is it a day without"),
        ("1.4.26 Ann 21VP 12, Bo 5VP 21", "“Ann 21VP” is no name."),
        ("1.4.26 Ann 21 VP 12 Bo 5", "“VP” is no name."),
        ("1.4.26 Ann 21-12 0, Bo 5-21 21", "“Ann 21-12” is no name."),
        ("1.4.26 Table 1 Ann 21, Bo 5", "“Table” is no name."),
        ("1.4.26 Ann 21 (well played), Bo 3", "Leave out what stands in brackets"),
        ("12/3/2026 Ann 21, Bo 3", "12/3/2026 can mean two days. Write it as in 12.3.2026 or "),
        ("30.2.2026 Ann 21, Bo 3", "There is no day 30.2.2026."),
        ("12 Foo 2026 Ann 21, Bo 3", "There is no day 12 Foo 2026."),
        ("2.4.2026 Ann 21, Bo 3", "2.4.2026 is still to come."),
        ("12.3.1992 Ann 21, Bo 3", "12.3.1992 is too early."),
        ("1.4.26 Ann 21, Bo", "“Bo” can’t be read: write a name, then the VP of each game."),
        ("1.4.26 Ann 21 x, Bo 3", "“x” can’t be read"),
        ("1.4.26 Ann 21, ann 3", "Ann sits here twice."),
        ("1.4.26 Ann 21", "This ruleset is for 2 to 5 players, not 1."),
        ("1.4.26 Ann 21 3, Bo 3", "Bo has 1 of 2 games: Ann has 21 3. Write c where Bo conceded, "),
        ("1.4.26 Ann -, Bo -", "Ann did not play game 1: nobody joins later."),
        ("1.4.26 Ann 21/12 = 33, Bo 5/21 = 26", "“=” is no name."),
        ("1.4.26 Ann 21 21 21 21, Bo 1 2 3 4", "A set has 3 games, not 4."),
        ("1.4.26 Ann 21 3, Bo 3 21, Cy - 4", "Cy did not play game 1: nobody joins later."),
        ("1.4.26 Ann 21 -, Bo 3 -, Cy 4 4", "Fewer than two play game 2."),
        (
            "1.4.26 Ann 10 c 3, Bo 5 21 21, Cy 21 12 0",
            "Ann conceded or left before game 3, and plays no later game. Write - there.",
        ),
        ("1.4.26 Ann 16w, Bo 20w", "Game 1: only one can have a w, for the winner."),
        ("1.4.26 Ann 4 22, Bo 3 3", "Game 2: Ann won, and can't have 22 VP: with the bonus"),
        ("1.4.26 Ann c, Bo 20", "Game 1: Bo won, and can't have 20 VP: with the bonus"),
        ("1.4.26 Ann c, Bo c", "Game 1: Not everybody can have conceded"),
        (f"1.4.26 {'A' * 81} 21, Bo 3", "can’t be a name: 80 letters at most."),
    ],
)
def test_a_line_that_can_not_be_is_refused_with_what_is_wrong(text, told):
    assert told in line(text).problem


def test_a_line_of_many_blanks_is_read_fast():
    begun = process_time()

    assert line("12.3.2026 Ann" + " " * 800 + "x").problem
    assert process_time() - begun < 2


def test_a_line_after_a_wrong_day_is_not_of_the_day_before_it():
    lines = read("12.3.2026 Ann 21, Bo 3\n31.2.2026\nAnn 21, Bo 3", COALITION_906, {}, TODAY)

    assert [one.problem for one in lines] == ["", "There is no day 31.2.2026.", BEGIN]


@pytest.mark.parametrize(
    ("day", "read_as"),
    [
        ("Thu 12.3.2026", DAY),
        ("Thursday, 12 March 2026:", DAY),
        ("March 19", "“March” is no name."),
        ("Thursday 12", "“Thursday” is no name."),
        ("The 12th", "“The 12th Ann” is no name."),
        ("Do. 12.3.2026", "“Do. 12.3.2026 Ann” is no name."),
    ],
)
def test_a_day_below_another_is_read_or_refused_and_makes_nobody_a_player(day, read_as):
    text = f"5.3.2026\n{day} Ann 21, Bo 5, May 0"

    (only,) = read(text, COALITION_906, {"may": "May"}, TODAY)

    assert read_as == only.day if only.played else only.problem.startswith(read_as)


# --- the page ---
@pytest.fixture
def thursday(db):
    return group(zone="Europe/Berlin")


def show(client: Client, of, text: str, **typed) -> HttpResponse:
    where = at(of, "notebook")
    form = form_to(client.get(where), where).fields
    return client.post(where, {**form, "text": text, **typed})


def send(client: Client, of, shown: HttpResponse, **typed) -> HttpResponse:
    """Send what was shown."""
    where = at(of, "notebook")
    return client.post(where, form_to(shown, where).fields | typed)


def test_ten_sets_are_shown_and_then_recorded_each_on_its_day(thursday, scorekeeper):
    seating.add_player(thursday, "Ann")
    with unchanged():
        shown = show(scorekeeper, thursday, TEN)

    recorded = words(scorekeeper.get(send(scorekeeper, thursday, shown).url))

    assert "New in this playgroup: Bo, Cy, Dee." in words(shown)
    assert "12 March 2026: 1. Bo 47 (5 + 21 + 21) , 2. Ann 33 (21 + 12 + 0)" in words(shown)
    assert "10 sets recorded, each on its day 12 March 2026 1. Bo 47, 2. Ann 33" in recorded
    assert "sets recorded" not in words(scorekeeper.get(at(thursday, "notebook")))
    assert names(thursday) == ["Ann", "Bo", "Cy", "Dee"]
    days = [day for day, *_ in SetFacts.objects.order_by("pk").values_list("played_on")]
    assert days == [date(2026, 3, day) for day in (12, 12, 13, 13, 14, 15, 16, 17, 18, 19)]
    for table in GameSet.objects.all():
        check_books(table)
        check_export(table)
    call_command("verify_ledger")


POINTS = {"Ann": (7, 8, 9), "Bo": (3, 4, 10)}
LINE = "12.3.2026 Ann 21 12 0, Bo 5 21 21"

TIES = "12.3.2026 Ann 7 8 9, Bo 3 4 10"


def test_a_set_entered_late_counts_on_its_day_between_those_before_and_after_it(
    scorekeeper, thursday
):
    """For the board, statistics, ratings and streaks: as if it had been entered that day."""
    of = {True: thursday, False: group("Other", zone="Europe/Berlin")}
    for is_late, home in of.items():
        play(home, DAY - timedelta(days=7), POINTS)
        if not is_late:
            record(browser(account("eve", home, "scorekeeper")), home, TIES)
        play(home, DAY + timedelta(days=7), POINTS)
    record(scorekeeper, thursday, TIES)

    late, in_time = (tallies(home) for home in of.values())
    assert late == in_time
    assert [(name, day) for name, day, *_ in late if name == "Ann"] == [
        ("Ann", DAY + timedelta(days=days)) for days in (-7, 0, 7)
    ]
    assert ratings(of[True]) == ratings(of[False])


def test_a_set_whose_day_is_corrected_moves_there_among_the_others(scorekeeper, thursday):
    other = group("Other", zone="Europe/Berlin")
    record(browser(account("eve", other, "scorekeeper")), other, f"{DAY} Ann 3, Bo 21")
    record(scorekeeper, thursday, "2025-03-12 Ann 3, Bo 21")
    for home in (thursday, other):
        play(home, DAY - timedelta(days=7), POINTS)

    table = GameSet.objects.filter(playgroup=thursday).earliest("pk")
    commands.record(table, 1, Amend(1, EnterResult(str(DAY), {ANN: 3, BO: 21}, BO)))

    assert ratings(thursday) == ratings(other)
    call_command("verify_ledger")


def record(client: Client, of, text: str) -> None:
    assert send(client, of, show(client, of, text)).status_code == 302


def test_a_notebook_sent_twice_is_recorded_once(thursday, scorekeeper):
    shown = show(scorekeeper, thursday, LINE)

    for _ in range(2):
        assert send(scorekeeper, thursday, shown).status_code == 302

    assert GameSet.objects.count() == 1
    others = LINE.replace("21 12 0", "21 12 1")
    again = show(scorekeeper, thursday, f"{others}\n{LINE}")
    assert "On record already: line 2." in words(again)
    merging.merge(player(thursday, "Ann"), seating.add_player(thursday, "Anna"))
    of_alias = show(scorekeeper, thursday, LINE)
    assert "On record already: line 1." in words(of_alias)


def test_a_set_that_is_in_a_paste_twice_stands_out_before_it_is_recorded(thursday, scorekeeper):
    other = LINE.replace("21 12 0", "21 0 12")
    swapped = "2026-03-12 bo 5 21 21, ann 21 12 0"

    shown = words(show(scorekeeper, thursday, f"{LINE}\n{other}\n{swapped}"))

    assert "Here twice: line 3, as a line above." in shown
    assert "Record 3 sets, 1 of them again" in shown


def test_what_was_changed_since_it_was_shown_is_shown_again(thursday, scorekeeper):
    shown = show(scorekeeper, thursday, LINE)

    with unchanged():
        again = send(scorekeeper, thursday, shown, text=LINE.replace("12 0", "12 1"))

    assert "2. Ann 34 (21 + 12 + 1)" in words(again)


def test_a_game_that_nobody_won_stands_out_before_it_is_recorded(thursday, scorekeeper):
    shown = show(scorekeeper, thursday, f"{LINE}\n13.3.2026 Ann 20 21 20, Bo 5 4 3")

    assert "Nobody won: line 2, game 1 and 3." in words(shown)


def test_nothing_is_recorded_while_a_line_is_wrong_and_the_text_stays(thursday, scorekeeper):
    pasted = f"{LINE}\n13.3.2026 Ann 22, Bo 3"

    with unchanged():
        answer = show(scorekeeper, thursday, pasted)

    assert answer.status_code == 422
    assert problem(answer) == "1 line of 2 can’t be read. Nothing was recorded."
    assert "Line 2: Game 1: Ann won, and can't have 22 VP" in words(answer)
    assert form_to(answer, at(thursday, "notebook")).fields["text"] == [pasted]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"text": ""}, "Paste or type the sets, one a line."),
        ({"text": " \n12.3.2026\n"}, "There is only a day"),
        ({"text": "x" * 10_001}, "This is too long: 10000 characters at most."),
        ({"text": "12.3.2026 Ann\0 21, Bo 3"}, "can't"),
        ({"ruleset": "leveler"}, "Choose a ruleset."),
        ({"tap_id": "1"}, "This form is damaged. Reload the page."),
        ({"text": "\n".join([LINE] * (SETS_MAX + 1))}, "31 sets are too many at once: 30 at most."),
    ],
)
def test_a_notebook_that_can_not_be_read_is_refused(thursday, scorekeeper, typed, told):
    with unchanged():
        answer = show(scorekeeper, thursday, **{"text": LINE, **typed})

    assert answer.status_code == 422
    assert told in words(answer)


def test_whoever_is_called_like_a_colour_is_a_player_in_a_notebook(thursday, scorekeeper):
    seating.add_player(thursday, "Blue")

    record(scorekeeper, thursday, "12.3.2026 Red 21, Blue 3")

    guests = {one.name: one.is_guest for one in thursday.players.all()}
    assert guests == {"Blue": False, "Red": False}


def test_two_names_of_one_player_are_refused_and_nothing_is_recorded(thursday, scorekeeper):
    ann, anna = (seating.add_player(thursday, name) for name in ("Ann", "Anna"))
    anna.merged_into = ann
    anna.save()

    shown = show(scorekeeper, thursday, f"{LINE}\n13.3.2026 Ann 21, Anna 3")
    with unchanged():
        answer = send(scorekeeper, thursday, shown)

    assert problem(answer).startswith("Ann and Anna are the same player in Thursday group.")


def test_a_set_of_today_is_not_in_the_future(thursday, scorekeeper):
    record(scorekeeper, thursday, f"{timezone.localdate()} Ann 21, Bo 3")

    assert GameSet.objects.get().finished_at <= timezone.now()
