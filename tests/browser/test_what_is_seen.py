"""A tap means what its page showed, however late it is recorded: whose turn, who is hit."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from scoring.models import GameSet
from scoring.rules.formats import RULESETS
from scoring.rules.formats.coalition import COALITION_906
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.moves import PassTurn
from tests.scoring.rules.play import BO, CY, DI, hit
from tests.scoring.tables import address, record

from .hand import becomes, board, damage, entries, give_key, reception, tap, waiting
from .looks import seat

TURN = re.compile("^Turn")


@pytest.fixture
def open_table(
    new_context: Callable[..., BrowserContext], site
) -> Callable[..., tuple[Page, GameSet]]:
    """Return a way to open a table of four in its first game, Ann to begin, on one phone."""

    def take_out(key: str = COALITION_906.key) -> tuple[Page, GameSet]:
        table = seat(4, ruleset=RULESETS[key])
        context = new_context()
        give_key(context, site.address, table)
        page = context.new_page()
        page.goto(address(table, "score"))
        reception(page, "Live")
        return page, table

    return take_out


@pytest.fixture
def phone(open_table) -> tuple[Page, GameSet]:
    return open_table()


def pass_turn(page: Page) -> None:
    """Tap "Turn", and see at once what follows from it."""
    button = page.get_by_role("button", name=TURN)
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


def hold(page: Page, what: str) -> list[Route]:
    """Let taps of a kind be under way until their route goes on."""
    held: list[Route] = []
    page.context.route(f"**/score/1/{what}/", lambda route: held.append(route))
    return held


def sources(table: GameSet) -> list[str]:
    return [one["source"] for entry in entries(table) for one in entry.get("hits", ())]


def test_without_connection_the_turn_passes_at_once_and_the_next_hit_is_of_who_has_it(phone):
    page, table = phone
    page.context.set_offline(True)
    becomes(lambda: has_turn(page), of("Ann", "Bo"))

    pass_turn(page)
    becomes(lambda: has_turn(page), of("Bo", "Cy"))
    page.get_by_role("checkbox", name="Cy").tap()
    number(page, 4)
    number(page, 3)
    pass_turn(page)
    becomes(lambda: has_turn(page), of("Cy", "Di"))
    page.get_by_role("button", name=re.compile("^Undo")).tap()
    expect(page.locator(".player.turn h2")).to_contain_text("Bo")
    becomes(lambda: has_turn(page), of("Bo", "Cy"))
    assert waiting(page) == [
        "Turn to Bo, waiting",
        "Bo → Cy 4, Combat, waiting",
        "Bo → Cy 3, Combat, waiting",
    ]
    page.context.set_offline(False)

    reception(page, "Live")
    becomes(lambda: (sources(table), damage(table)), (["2", "2"], [("3", 4), ("3", 3)]))
    assert [entry["type"] for entry in entries(table)] == ["turn", "damage", "damage"]
    expect(page.locator(".peek li")).to_have_count(2)
    becomes(lambda: (board(page)["Bo"], has_turn(page)), ((7, 25), of("Bo", "Cy")))


def test_a_hit_while_the_turn_is_under_way_does_not_take_the_turn_back(phone):
    page, table = phone
    under_way = hold(page, "turn")

    pass_turn(page)
    page.get_by_role("checkbox", name="Di").tap()
    number(page, 4)
    expect(page.locator("#outbox > li")).to_have_count(2)
    under_way[0].continue_()

    reception(page, "Live")
    becomes(lambda: sources(table), ["2"])
    expect(page.locator(".peek li").first).to_contain_text("Bo hits Di for 4, combat")
    becomes(lambda: has_turn(page), of("Bo", "Cy"))


def test_a_source_that_is_chosen_stays_when_the_turn_passes(phone):
    page, _ = phone
    hold(page, "turn")
    pass_turn(page)
    page.get_by_role("radio", name="Di").tap()

    page.get_by_role("button", name=re.compile("^Undo")).wait_for()
    becomes(lambda: has_turn(page), of("Bo", "Cy") | {"from": "Di"})


def test_a_hit_by_who_attacks_out_of_turn_moves_the_marker_at_once(phone):
    page, _ = phone
    page.context.set_offline(True)

    page.get_by_role("radio", name="Cy").tap()
    tap(page, "Ann", 2)

    becomes(lambda: has_turn(page), of("Cy", "Di"))


def test_a_turn_that_somebody_else_passed_meanwhile_is_told_and_passed_on_by_one_tap(phone):
    page, table = phone
    page.context.set_offline(True)
    tap(page, "Cy", 1)
    pass_turn(page)
    record(table, PassTurn(), PassTurn())
    page.context.set_offline(False)

    refused, passed = page.locator("#outbox > .problem"), "Meanwhile it has become Cy's turn."
    expect(refused).to_have_count(2)
    assert waiting(page) == [
        f"Not recorded: Game 1: Ann → Cy 1, Combat {passed} Send again Drop",
        f"Not recorded: Game 1: Turn to Bo {passed} Turn to Di Drop",
    ]
    assert [entry["type"] for entry in entries(table)] == ["turn", "turn"]

    refused.last.get_by_role("button", name="Turn to Di").tap()
    expect(page.locator("#setbar .grow b")).to_have_text("Di")  # at once, before it is recorded
    becomes(lambda: [entry["type"] for entry in entries(table)], ["turn"] * 3)


def test_what_is_begun_while_a_board_is_asked_for_stays_begun(phone):
    page, table = phone
    asks, held = re.compile(r"/score/[?]pad="), []
    page.context.route(asks, lambda route: held.append(route), times=1)
    with page.expect_request(asks):
        record(table, hit(BO, CY, 3, "other"))
    page.get_by_role("checkbox", name="Di").tap()
    held[0].continue_()
    becomes(lambda: board(page)["Cy"], (0, 22))

    number(page, 2)

    becomes(lambda: damage(table), [("3", 3), ("4", 2)])


def test_each_opponent_means_those_whom_the_page_showed(phone):
    page, table = phone
    page.context.set_offline(True)
    page.get_by_role("checkbox", name="Each opponent").tap()
    number(page, 2)
    tap(page, "Bo", 1)
    record(table, hit(CY, DI, 25, "other"))
    page.context.set_offline(False)

    expect(page.locator("#outbox > .problem")).to_contain_text("Meanwhile Di has left the game.")
    reception(page, "Live")
    page.locator("#outbox").get_by_role("button", name="Send again").tap()

    expect(page.locator(".peek li").first).to_contain_text("Ann hits Bo and Cy for 2, combat")
    assert damage(table) == [("4", 25), ("2", 1), ("2", 2), ("3", 2)]


def test_the_crown_goes_to_who_has_the_turn_on_the_page(open_table):
    page, table = open_table(CONSPIRACY.key)
    page.context.set_offline(True)
    pass_turn(page)
    page.get_by_role("button", name="Crown Bo").tap()
    reception(page, "2 waiting")
    page.context.set_offline(False)

    reception(page, "Live")
    assert [entry.get("player") for entry in entries(table)] == [None, "2"]


def test_a_library_of_the_player_before_can_not_be_emptied_once_the_turn_has_passed(open_table):
    page, _ = open_table(LEVELER.key)
    page.context.set_offline(True)
    library = page.get_by_role("button", name=re.compile("^Empty"))
    expect(library).to_be_enabled()

    pass_turn(page)
    expect(library).to_be_disabled()
    page.context.set_offline(False)

    expect(page.get_by_role("button", name="Empty library, Bo")).to_be_enabled()


def test_a_step_of_realm_wars_waits_for_the_answer_to_the_step_before(open_table):
    page, table = open_table("realm-wars")
    page.context.set_offline(True)
    steps = page.locator("[data-step]")
    page.get_by_role("button", name="Phase to quest").tap()
    reception(page, "1 waiting")

    assert [step.is_disabled() for step in steps.all()] == [True] * 3
    page.context.set_offline(False)
    reception(page, "Live")

    expect(page.get_by_role("button", name="Phase to capital")).to_be_enabled()
    assert [entry["type"] for entry in entries(table)] == ["phase"]
