"""A player's page: sums, opponents, heroes and types, the rating, all sets."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.groups import merging
from scoring.groups.evenings import commands as evenings
from scoring.models import Player
from scoring.pages import charts
from scoring.results.latest import Past
from scoring.rules.formats import COALITION_906

from ...tables import text
from ..visitors import player
from .evenings import BEGAN, ask, evening, history, section, sums, table_rows


def test_it_sums_up_all_sets_with_their_heroes_and_lists_them(group):
    goblins, elves = ("Krenko, Mob Boss", "Goblin"), ("Lathril, Blade of the Elves", "Elf")
    evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": goblins, "Bo": elves})
    evening(group, {"Bo": 4, "Ann": 3}, led={"Ann": goblins}, day=1)
    evening(group, {"Bo": 12, "Ann": 6, "Cy": 0}, led={"Ann": elves}, day=2)
    evening(group, {"Ann": 7, "Bo": 4}, led={"Ann": (None, None)}, day=60)

    page = ask(group, "player", player(group, "Ann").pk)

    assert sums(page) == {
        "Sets": "4",
        "Sets won": "2",
        "Games": "4",
        "Games won": "0",
        "VP": "25",
        "VP per game": "6.2",
        "21 reached": "0 %",
        "VP as first": "8.0",
        "VP as last": "3.0",
        "VP in a set": "9 2 Mar 2026",
        "VP in a turn": "9 2 Mar 2026",
    }
    assert history(page) == [
        "1 May 2026 Rank 1 Ann 7, Bo 4",
        "4 March 2026 Rank 2 Bo 12, Ann 6, Cy 0 · Lathril, Blade of the Elves · Elf",
        "3 March 2026 Rank 2 Bo 4, Ann 3 · Krenko, Mob Boss · Goblin",
        "2 March 2026 Rank 1 Ann 9, Bo 4 · Krenko, Mob Boss · Goblin",
    ]
    assert table_rows(page, "Heroes") == [
        ["Krenko, Mob Boss", "2", "1", "6.0"],
        ["Lathril, Blade of the Elves", "1", "0", "6.0"],
    ]
    assert table_rows(page, "Coalition types") == [
        ["Goblin", "2", "1", "6.0"],
        ["Elf", "1", "0", "6.0"],
    ]


def opponents(group, name: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows of a player's best and worst opponents; there is no heading over none."""
    page = ask(group, "player", player(group, name).pk)
    best, worst = (
        table_rows(page, title) if title in text(page) else []
        for title in ("Best opponents", "Worst opponents")
    )
    return best, worst


def test_opponents_go_by_the_difference_of_vp_from_three_shared_sets_on(group):
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 3, "Cy": 15, "Ed": 9, "Guest": 0}, day=day)
    evening(group, {"Ann": 18, "Bo": 0, "Di": 0}, day=3)
    Player.objects.filter(name="Guest").update(is_guest=True)

    assert opponents(group, "Ann") == ([["Bo", "4", "4", "+9.0"]], [["Cy", "3", "0", "−6.0"]])
    assert opponents(group, "Di") == ([], [])
    assert sums(ask(group, "player", player(group, "Guest").pk))["VP"] == "0"


def test_curves_are_drawn_of_means_with_a_dot_for_each_set_and_once_there_is_one_of_ratings(group):
    for day, won in enumerate((0, 14, 7, 9)):
        evening(group, {"Ann": won, "Bo": 4}, day=day)
    before = ask(group, "player", player(group, "Ann").pk)
    evening(group, {"Ann": 9, "Bo": 4}, day=4)
    after = text(ask(group, "player", player(group, "Ann").pk))

    assert section(before, "Rating") == "1610 ± 354, provisional until 5 sets are finished."
    assert "Rating after each of the last 5 sets: from 14" in after
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="2.5"', text(before))
    assert [y for _, y in dots] == ["110.0", "43.3", "76.7", "67.1"]
    assert 'class="now" points="40.0,110.0 156.7,76.7 273.3,76.7 390.0,74.3"' in text(before)
    assert (
        "VP per game over the last 4 sets, as the mean of up to 10 of them: at its lowest 0.0, "
        "at its highest 7.5, now 7.5." in text(before)
    )
    assert "2 Mar 2026 5 Mar 2026" in section(before, "VP per game")


def test_the_band_of_the_rating_is_as_wide_as_the_rating_may_be_off():
    mus = [25.0, 26.0, 27.0, 26.0, 25.0]
    results = [Past(0, 0, mu, 8.0 - at, played_on=BEGAN.date()) for at, mu in enumerate(mus)]

    curve = charts.rating_curve(results)

    assert curve
    assert [value for value, _ in curve.grid] == [1100, 1500, 1900]
    assert curve.line == "40.0,60.0 127.5,57.0 215.0,54.0 302.5,57.0 390.0,60.0"
    assert curve.band == (
        "40.0,12.0 127.5,15.0 215.0,18.0 302.5,27.0 390.0,36.0 "
        "390.0,84.0 302.5,87.0 215.0,90.0 127.5,99.0 40.0,108.0"
    )


def test_the_streak_that_lasts_stands_beside_the_longest(group):
    for day, won in enumerate((9, 9, 9, 0, 9, 9)):
        evening(group, {"Ann": won, "Bo": 4}, day=day)
    page = ask(group, "player", player(group, "Ann").pk)
    evening(group, {"Ann": 0, "Bo": 4}, day=6)
    lost = ask(group, "player", player(group, "Ann").pk)

    shown = sums(page)
    assert (shown["Sets won in a row"], shown["In a row now"]) == ("3 4 Mar 2026", "2")
    code = group.sets.earliest("pk").code
    assert f'<dt>VP in a set</dt><dd>9 <a class="small" href="/s/{code}/">' in text(page)
    assert sums(lost)["Sets won in a row"] == "3 4 Mar 2026"
    assert "In a row now" not in sums(lost)


def test_the_latest_evenings_are_listed_also_those_of_a_merged_player(group):
    came = [("Club night", "Ann"), ("Open night", "Annie"), ("Without her", "Bo")]
    for number, (name, who) in enumerate(came):
        at = BEGAN + timedelta(days=number)
        one = evenings.create_evening(
            group, name, COALITION_906, rounds=1, usual_size=3, starts_at=at
        )
        evenings.arrive(one, [who])
    merging.merge(player(group, "Annie"), player(group, "Ann"))
    evening(group, {"Ann": 9, "Bo": 4})

    page = ask(group, "player", player(group, "Ann").pk)

    assert section(page, "Evenings") == "3 March 2026: Open night 2 March 2026: Club night"


def test_sets_come_ten_at_a_time(group):
    for day in range(12):
        evening(group, {"Ann": day % 20, "Bo": 0}, day=day)
    ann = player(group, "Ann").pk

    first, second = ask(group, "player", ann), ask(group, "player", ann, page=2)

    assert [len(history(one)) for one in (first, second)] == [10, 2]
    assert 'href="?page=2#sets"' in text(first)
    assert "More" not in text(second)


@pytest.mark.parametrize("page", ["0", "-1", "x", "", "1e3", "9" * 30, "٣"])
def test_a_page_that_is_no_number_is_404(group, page):
    evening(group, {"Ann": 9, "Bo": 4})

    assert ask(group, "player", player(group, "Ann").pk, page=page).status_code == 404
    assert ask(group, "player", 10**30).status_code == 404


def test_a_merged_player_is_shown_as_the_other(group):
    evening(group, {"Ann": 9, "Bo": 4})
    ann, bo = player(group, "Ann"), player(group, "Bo")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)

    answer = ask(group, "player", bo.pk)

    assert (answer.status_code, answer["Location"]) == (
        302,
        reverse("player", args=[group.code, ann.pk]),
    )


def test_a_player_who_has_not_played_has_a_page(group):
    ann = Player.objects.create(playgroup=group, name="Ann")

    assert "No finished set yet." in text(ask(group, "player", ann.pk))
