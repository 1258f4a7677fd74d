"""A tap means what its page showed, however late it is recorded: whose turn, who is hit."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.moves import PassTurn
from tests.scoring.rules.play import BO, CY, DI, hit
from tests.scoring.tables import record

from .hand import becomes, board, damage, entries, kinds, last_event, reception, tap, waiting


def pass_turn(page: Page) -> None:
    """Tap "Turn", and see at once what follows from it."""
    button = page.get_by_role("button", name=re.compile("^Turn"))
    name = button.inner_text().split("to ")[1]
    button.tap()
    expect(page.locator(".player.turn h2")).to_have_text(re.compile(f"^\\s*{name}"))


def number(page: Page, amount: int) -> None:
    page.get_by_role("button", name=f"Hit for {amount}", exact=True).tap()


def has_turn(page: Page) -> dict[str, Any]:
    """Return who has the turn by all that the page shows of it."""
    return {
        "bar": page.locator("#setbar .grow b").inner_text(),
        "rows": [
            row.inner_text() for row in page.locator(".player.turn h2 > span:first-child").all()
        ],
        "markers": page.locator(".player h2 .active").count(),
        "from": page.locator(".from label:has(:checked) .face > span").inner_text(),
        "next": page.locator(".turnbtn small").inner_text(),
    }


def of(name: str, following: str) -> dict[str, Any]:
    return {"bar": name, "rows": [name], "markers": 1, "from": name, "next": f"to {following}"}


def test_without_connection_the_turn_passes_at_once_and_the_next_hit_is_of_who_has_it(pad, table):
    pad.context.set_offline(True)
    becomes(lambda: has_turn(pad), of("Ann", "Bo"))

    pass_turn(pad)
    becomes(lambda: has_turn(pad), of("Bo", "Cy"))
    pad.get_by_role("checkbox", name="Cy").tap()
    number(pad, 4)
    number(pad, 3)
    pass_turn(pad)
    becomes(lambda: has_turn(pad), of("Cy", "Di"))
    pad.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(pad.locator(".player.turn h2")).to_contain_text("Bo")
    becomes(lambda: has_turn(pad), of("Bo", "Cy"))
    assert waiting(pad) == [
        "Turn to Bo, waiting",
        "Bo → Cy 4, Combat, waiting",
        "Bo → Cy 3, Combat, waiting",
    ]
    pad.context.set_offline(False)

    reception(pad, "Live")
    becomes(lambda: damage(table), [(2, 3, 4), (2, 3, 3)])
    assert kinds(table) == ["turn", "damage", "damage"]
    expect(pad.locator(".peek li")).to_have_count(2)
    becomes(lambda: (board(pad)["Bo"], has_turn(pad)), ((7, 25), of("Bo", "Cy")))


def test_a_turn_under_way_is_not_taken_back_by_a_hit_and_leaves_a_chosen_source(pad, table):
    under_way: list[Route] = []
    pad.context.route("**/score/1/turn/", lambda route: under_way.append(route))

    pass_turn(pad)
    pad.get_by_role("checkbox", name="Di").tap()
    number(pad, 4)
    expect(pad.locator("#outbox > li")).to_have_count(2)
    under_way[0].continue_()

    reception(pad, "Live")
    becomes(lambda: damage(table), [(2, 4, 4)])
    expect(pad.locator(".peek li").first).to_contain_text("Bo hits Di for 4, combat")
    becomes(lambda: has_turn(pad), of("Bo", "Cy"))

    pass_turn(pad)
    pad.get_by_role("radio", name="Di").tap()
    pad.get_by_role("button", name=re.compile("^Undo Turn")).wait_for()
    becomes(lambda: has_turn(pad), of("Cy", "Di") | {"from": "Di"})


def test_a_hit_by_who_attacks_out_of_turn_moves_the_marker_at_once(pad):
    pad.context.set_offline(True)

    pad.get_by_role("radio", name="Cy").tap()
    tap(pad, "Ann", 2)

    becomes(lambda: has_turn(pad), of("Cy", "Di"))


def test_a_turn_that_somebody_else_passed_meanwhile_is_told_and_passed_on_by_one_tap(pad, table):
    pad.context.set_offline(True)
    tap(pad, "Cy", 1)
    pass_turn(pad)
    reception(pad, "2 waiting")
    record(table, PassTurn(), PassTurn())
    pad.context.set_offline(False)

    refused, passed = pad.locator("#outbox > .problem"), "It is now Cy's turn."
    expect(refused).to_have_count(2)
    assert waiting(pad) == [
        f"Not recorded: Game 1: Ann → Cy 1, Combat {passed} Send again Drop",
        f"Not recorded: Game 1: Turn to Bo {passed} Turn to Di Drop",
    ]
    assert kinds(table) == ["turn", "turn"]

    refused.last.get_by_role("button", name="Turn to Di").tap()
    expect(pad.locator("#setbar .grow b")).to_have_text("Di")  # at once, before it is recorded
    becomes(lambda: kinds(table), ["turn"] * 3)


def test_what_is_begun_while_a_board_is_asked_for_stays_begun(pad, table):
    asks, held = re.compile(r"/score/[?]pad="), []
    pad.context.route(asks, lambda route: held.append(route), times=1)
    with pad.expect_request(asks):
        record(table, hit(BO, CY, 3, "other"))
    pad.get_by_role("checkbox", name="Di").tap()
    held[0].continue_()
    becomes(lambda: board(pad)["Cy"], (0, 22))

    number(pad, 2)

    becomes(lambda: damage(table), [(2, 3, 3), (1, 4, 2)])


def test_each_opponent_means_those_whom_the_page_showed(pad, table):
    pad.context.set_offline(True)
    pad.get_by_role("checkbox", name="Each opponent").tap()
    number(pad, 2)
    tap(pad, "Bo", 1)
    reception(pad, "2 waiting")
    record(table, hit(CY, DI, 25, "other"))
    pad.context.set_offline(False)

    expect(pad.locator("#outbox > .problem")).to_contain_text("Meanwhile Di has left the game.")
    reception(pad, "Live")
    pad.locator("#outbox").get_by_role("button", name="Send again").tap()

    expect(pad.locator(".peek li").first).to_contain_text("Ann hits Bo and Cy for 2, combat")
    assert damage(table) == [(3, 4, 25), (1, 2, 1), (1, 2, 2), (1, 3, 2)]


@pytest.mark.parametrize("table", [CONSPIRACY], indirect=True)
def test_the_crown_goes_to_who_has_the_turn_on_the_page(pad, table):
    pad.context.set_offline(True)
    pass_turn(pad)
    pad.get_by_role("button", name="Crown Bo").tap()
    reception(pad, "2 waiting")
    pad.context.set_offline(False)

    reception(pad, "Live")
    assert [entry.get("player") for entry in entries(table)] == [None, "2"]


@pytest.mark.parametrize("table", [LEVELER], indirect=True)
def test_a_library_of_the_player_before_can_not_be_emptied_once_the_turn_has_passed(pad):
    pad.context.set_offline(True)
    library = pad.get_by_role("button", name=re.compile("^Empty"))
    expect(library).to_be_enabled()

    pass_turn(pad)
    expect(library).to_be_disabled()
    pad.context.set_offline(False)

    expect(pad.get_by_role("button", name="Empty library, Bo")).to_be_enabled()


@pytest.mark.parametrize("table", [REALM_WARS], indirect=True)
def test_a_step_of_realm_wars_waits_for_the_answer_to_the_step_before_and_damage_does_not(
    pad, table
):
    pad.context.set_offline(True)
    steps = pad.locator("[data-step]")
    pad.get_by_role("button", name="Phase to quest").tap()
    reception(pad, "1 waiting")
    assert [step.is_disabled() for step in steps.all()] == [True] * 3
    for label in ("Cy", "Quest"):
        pad.locator("#pad").get_by_role("radio", name=label).tap()
    number(pad, 3)
    becomes(lambda: waiting(pad), ["Phase to quest, waiting", "Cy · Quest · 3, waiting"])
    expect(pad.locator("#setbar .headline")).to_have_text("Quest phase")
    quest = pad.locator(".player[data-seat='3'] [data-total=quest]")
    expect(quest).to_have_text("3")

    pad.context.set_offline(False)
    reception(pad, "Live")
    expect(pad.locator(".late:visible")).to_have_count(0)
    expect(quest).to_have_text("3")

    expect(pad.get_by_role("button", name="Phase to capital")).to_be_enabled()
    becomes(lambda: last_event(pad), "2 Cy: quest takes 3 damage")
    assert kinds(table) == ["phase", "zone_damage"]
