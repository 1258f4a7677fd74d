"""Two players, head to head."""

import pytest

from scoring.models import Player

from ...browsing import Page, refusal, words
from ...tables import text
from ..test_teams import war
from ..visitors import player
from .evenings import ask, evening, history, section, table_rows


def bars(answer):
    tags = Page(text(answer)).tags
    labels = [at["aria-label"] for tag, at in tags if at.get("class") == "duel"]
    return labels, [float(at["width"]) for tag, at in tags if tag == "rect"]


def test_it_shows_the_sets_that_both_played(group):
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 15})
    evening(group, {"Bo": 12, "Ann": 6}, day=1)
    evening(group, {"Bo": 5, "Ann": 5}, day=2)
    evening(group, {"Bo": 1, "Ann": 8}, day=3)
    evening(group, {"Ann": 18, "Cy": 0}, day=4)
    ann, bo = player(group, "Ann"), player(group, "Bo")

    page = ask(group, "versus", a=ann.pk, b=bo.pk)

    assert table_rows(page, "Ann and Bo") == [["Ann", "2", "28", "7.0"], ["Bo", "1", "22", "5.5"]]
    assert section(page, "Ann and Bo").startswith("4 sets against each other, 1 of them level.")
    assert bars(page) == (
        ["Of 4 sets, Ann came first of the two in 2, Bo in 1, level in 1."],
        [200.0, 100.0],
    )
    assert history(page) == [
        "5 March 2026 Ann first Ann 8, Bo 1",
        "4 March 2026 level Bo 5, Ann 5",
        "3 March 2026 Bo first Bo 12, Ann 6",
        "2 March 2026 Ann first Ann 9, Bo 4",
    ]


def test_it_says_when_there_is_no_set_of_both(group):
    evening(group, {"Ann": 9, "Bo": 4})
    evening(group, {"Cy": 9, "Bo": 4}, day=1)

    page = ask(group, "versus", a=player(group, "Ann").pk, b=player(group, "Cy").pk)

    assert "Ann and Cy have finished no set against each other." in words(page)


def test_a_chosen_player_stays_chosen_until_there_are_two(group):
    evening(group, {"Ann": 9, "Bo": 4})
    ann = player(group, "Ann").pk

    page = ask(group, "versus", a=ann)

    chosen = [form.fields["a"] for form in Page(text(page)).forms if "a" in form.fields]
    assert (page.status_code, chosen) == (200, [[str(ann)]])
    assert refusal(ask(group, "versus", a=ann, b=ann)) == (422, "Choose two different players.")


@pytest.mark.parametrize("wrong", ["x", "0", "-1", "9" * 30, "\0", "٣"])
def test_nobody_is_refused_in_words(group, wrong):
    evening(group, {"Ann": 9, "Bo": 4})
    ann = player(group, "Ann").pk

    assert refusal(ask(group, "versus", a=wrong, b=ann)) == (422, "Choose the first player again.")
    assert refusal(ask(group, "versus", a=ann, b=wrong)) == (422, "Choose the second player again.")


def test_guests_and_merged_players_are_not_to_be_chosen_or_in_the_grid(group):
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 0, "Di": 0})
    Player.objects.filter(name="Cy").update(is_guest=True)
    Player.objects.filter(name="Di").update(merged_into=player(group, "Ann"))

    page = ask(group, "versus")

    options = [at.get("value") for tag, at in Page(text(page)).tags if tag == "option"]
    both = [str(player(group, name).pk) for name in ("Ann", "Bo")]
    assert options[:6] == ["", *both, "", *both]
    assert [row[0] for row in table_rows(page, "All pairs")] == ["Ann", "Bo"]
    assert ask(group, "versus", a=both[0], b=player(group, "Cy").pk).status_code == 422


def test_the_grid_has_everybody_against_everybody(group):
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 4})
    evening(group, {"Bo": 12, "Ann": 6}, day=1)
    evening(group, {"Ann": 8, "Bo": 1}, day=2)
    evening(group, {"Di": 8, "Ann": 9}, day=3)

    page = ask(group, "versus")

    assert table_rows(page, "All pairs") == [
        ["Ann", "+3 4–1", "", "+1 2–1", "+1 1–0", "+1 1–0"],
        ["Bo", "−1 1–2", "−1 1–2", "", "0 0–0", ""],
        ["Cy", "−1 0–1", "−1 0–1", "0 0–0", "", ""],
        ["Di", "−1 0–1", "−1 0–1", "", "", ""],
    ]
    tags = Page(text(page)).tags
    looks = [at["class"] for tag, at in tags if tag == "td" and at.get("class")]
    assert looks == [*["up clear"] * 4, *["down clear"] * 6]


def test_teammates_are_no_opponents_on_any_page(group):
    war(group, "Ann Bo Cy Di", 1, times=3)
    war(group, "Ann Cy Bo Di", 3)
    ann, bo, cy = (player(group, name).pk for name in ("Ann", "Bo", "Cy"))

    grid, mates, foes = (
        ask(group, "versus", **form) for form in ({}, {"a": ann, "b": bo}, {"a": ann, "b": cy})
    )
    page = ask(group, "player", ann)

    assert table_rows(grid, "All pairs") == [
        ["Bo", "+8 8–0", "", "+1 1–0", "+3 3–0", "+4 4–0"],
        ["Ann", "+4 6–2", "−1 0–1", "", "+2 3–1", "+3 3–0"],
        ["Di", "−4 2–6", "−3 0–3", "−2 1–3", "", "+1 1–0"],
        ["Cy", "−8 0–8", "−4 0–4", "−3 0–3", "−1 0–1", ""],
    ]
    assert table_rows(mates, "Ann and Bo") == [["Ann", "0"], ["Bo", "1"]]
    assert len(history(mates)) == 1
    assert table_rows(foes, "Ann and Cy") == [["Ann", "3"], ["Cy", "0"]]
    assert len(history(foes)) == 3
    assert table_rows(page, "Best opponents") == [
        ["Cy", "3", "3", "+1.0"],
        ["Di", "4", "3", "+0.5"],
    ]


def test_a_playgroup_without_sets_has_no_grid(group):
    assert "Nobody has finished a set with anybody yet." in words(ask(group, "versus"))
