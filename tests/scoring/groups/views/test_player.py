"""A player's page: sums, opponents, heroes and types, the rating, all sets."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.urls import reverse

from scoring.groups import merging
from scoring.groups.evenings import commands as evenings
from scoring.models import Player
from scoring.pages import charts
from scoring.play import commands
from scoring.results import ratings
from scoring.results.latest import Past
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906
from tests.scoring.rules.play import hit

from ...tables import text
from ..visitors import player
from .evenings import BEGAN, ask, evening, history, section, sums, table_rows


def test_it_sums_up_all_sets(group):
    evening(group, {"Ann": 9, "Bo": 4})
    evening(group, {"Bo": 12, "Ann": 6, "Cy": 0}, day=60)

    page = ask(group, "player", player(group, "Ann").pk)

    assert sums(page) == {
        "Sets": "2",
        "Sets won": "1",
        "Games": "2",
        "Games won": "0",
        "VP": "15",
        "VP per game": "7.5",
        "21 reached": "0 %",
        "VP as first": "9.0",
        "VP as last": "–",
        "VP in a set": "9 2 Mar 2026",
        "VP in a turn": "9 2 Mar 2026",
    }


def test_it_lists_the_sets_with_everybody_in_them_the_latest_first(group):
    evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": ("Krenko, Mob Boss", "Goblin")})
    evening(group, {"Bo": 12, "Ann": 6, "Cy": 0}, day=1)

    page = ask(group, "player", player(group, "Ann").pk)

    assert history(page) == [
        "3 March 2026 Rank 2 Bo 12, Ann 6, Cy 0",
        "2 March 2026 Rank 1 Ann 9, Bo 4 · Krenko, Mob Boss · Goblin",
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


def test_it_shows_how_heroes_and_types_did(group):
    goblins, elves = ("Krenko, Mob Boss", "Goblin"), ("Lathril, Blade of the Elves", "Elf")
    evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": goblins, "Bo": elves})
    evening(group, {"Ann": 3, "Bo": 4}, led={"Ann": goblins}, day=1)
    evening(group, {"Ann": 7, "Bo": 4}, led={"Ann": elves}, day=2)
    evening(group, {"Ann": 7, "Bo": 4}, led={"Ann": (None, None)}, day=3)

    page = ask(group, "player", player(group, "Ann").pk)

    assert table_rows(page, "Heroes") == [
        ["Krenko, Mob Boss", "2", "1", "6.0"],
        ["Lathril, Blade of the Elves", "1", "1", "7.0"],
    ]
    assert table_rows(page, "Coalition types") == [
        ["Goblin", "2", "1", "6.0"],
        ["Elf", "1", "1", "7.0"],
    ]


def test_the_rating_is_drawn_once_there_is_a_rating(group):
    for day in range(4):
        evening(group, {"Ann": 9, "Bo": 4}, day=day)
    before = ask(group, "player", player(group, "Ann").pk)
    evening(group, {"Ann": 9, "Bo": 4}, day=4)
    after = ask(group, "player", player(group, "Ann").pk)

    assert section(before, "Rating") == "1680 ± 357, provisional until 5 sets are finished."
    assert "Rating after each of the last 5 sets: from 15" in text(after)


def points(page: HttpResponse, css: str) -> list[tuple[float, ...]]:
    """Return the corners of the shapes of a class in the charts of a page."""
    shapes = re.findall(rf'class="{css}" points="([^"]+)"', text(page))
    return [tuple(map(float, re.split("[ ,]", shape))) for shape in shapes]


def test_the_curve_is_the_mean_of_the_last_sets_with_a_dot_for_each(group):
    for day, won in enumerate((0, 14, 7)):
        evening(group, {"Ann": won, "Bo": 4}, day=day)

    page = ask(group, "player", player(group, "Ann").pk)

    assert points(page, "now") == [(40.0, 110.0, 215.0, 76.7, 390.0, 76.7)]
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="2.5"', text(page))
    assert dots == [("40.0", "110.0"), ("215.0", "43.3"), ("390.0", "76.7")]
    assert (
        "VP per game over the last 3 sets, as the mean of up to 10 of them: at its lowest 0.0, "
        "at its highest 7.0, now 7.0." in text(page)
    )
    assert "2 Mar 2026 4 Mar 2026" in section(page, "VP per game")


def test_the_band_of_the_rating_is_as_wide_as_the_rating_may_be_off():
    mus = [25.0, 26.0, 27.0, 26.0, 25.0, 25.0]
    results = [Past(0, 0, mu, 8.3 - at, played_on=BEGAN.date()) for at, mu in enumerate(mus)]

    curve = charts.rating_curve(results)

    assert curve
    line, band = (
        [tuple(map(float, corner.split(","))) for corner in points.split()]
        for points in (curve.line, curve.band)
    )
    (least, bottom), _, (most, top) = curve.grid
    a_point = (bottom - top) / (most - least)
    for at, (x, y) in enumerate(line):
        (left, high), (right, low) = band[at], band[-1 - at]
        off = ratings.uncertainty(results[at].sigma)
        assert x == left == right
        assert y == pytest.approx(bottom - (ratings.shown(mus[at]) - least) * a_point, abs=0.1)
        assert (y - high, low - y) == pytest.approx((off * a_point, off * a_point), abs=0.15)


def test_the_streak_that_lasts_stands_beside_the_longest(group):
    for day, won in enumerate((9, 9, 9, 0, 9, 9)):
        evening(group, {"Ann": won, "Bo": 4}, day=day)
    page = ask(group, "player", player(group, "Ann").pk)
    evening(group, {"Ann": 0, "Bo": 4}, day=6)
    lost = ask(group, "player", player(group, "Ann").pk)

    shown = sums(page)
    assert (shown["Sets won in a row"], shown["In a row now"]) == ("3 4 Mar 2026", "2")
    assert sums(lost)["Sets won in a row"] == "3 4 Mar 2026"
    assert "In a row now" not in sums(lost)


def test_a_record_leads_to_its_set_and_a_correction_moves_it(group):
    first = evening(group, {"Ann": 9, "Bo": 4})
    second = evening(group, {"Ann": 7, "Bo": 4}, day=1)
    ann = player(group, "Ann").pk
    before = text(ask(group, "player", ann))
    commands.record(first, 1, Amend(1, hit(1, 2, 5, "hero")))
    after = ask(group, "player", ann)

    assert f'<dt>VP in a set</dt><dd>9 <a class="small" href="/s/{first.code}/">' in before
    assert f'<dt>VP in a set</dt><dd>7 <a class="small" href="/s/{second.code}/">' in text(after)
    assert sums(after)["Sets won in a row"] == "2 3 Mar 2026"


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


def test_a_merged_player_is_shown_as_the_other(group):
    evening(group, {"Ann": 9, "Bo": 4})
    ann, bo = player(group, "Ann"), player(group, "Bo")
    Player.objects.filter(pk=bo.pk).update(merged_into=ann)

    answer = ask(group, "player", bo.pk)

    assert (answer.status_code, answer["Location"]) == (
        302,
        reverse("player", args=[group.code, ann.pk]),
    )


def test_a_number_beyond_all_players_is_404(group):
    assert ask(group, "player", 10**30).status_code == 404


def test_a_player_who_has_not_played_has_a_page(group):
    ann = Player.objects.create(playgroup=group, name="Ann")

    assert "No finished set yet." in text(ask(group, "player", ann.pk))
