"""What a tap brought about is in sight on every screen, and a correction shows what it changes."""

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.formats.leveler import LEVELER
from tests.scoring.rules.play import ANN, BO, CY, DI, hit, together
from tests.scoring.tables import address, events, record

from .hand import give_key
from .looks import seat

LONG = ["Bartholomew Ashbrook", "Maximilian Wetterling", "Dorothea von Hohenfels", "Cleo", "Di"]
LEVEL_UPS = [f"{name}, level 2: exile your library, shuffle in your 30" for name in LONG[1:4]]
THREE_AT_ONCE = together(*(hit(ANN, seat, 10, "other") for seat in (BO, CY, DI)))

# What of an element lies in the view, and under no other one.
IS_IN_SIGHT = """(line) => {
  const { left, top, bottom } = line.getBoundingClientRect();
  const at = (y) => line.contains(document.elementFromPoint(left + 2, y));
  return top >= 0 && bottom <= innerHeight && at(top + 2) && at(bottom - 2);
}"""


SIZES = [(320, 568), (390, 664), (852, 393)]


def leveler() -> GameSet:
    table = commands.create_set(LEVELER, LONG, seed=1)
    commands.start_game(table, 1, first=ANN)
    return table


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}")
def test_all_that_a_tap_brought_about_is_in_sight_on_a_board_scrolled_down(page, site, size):
    table = leveler()
    give_key(page.context, site.address, table)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address(table, "score"))
    page.locator(".scrolls").evaluate("(board) => { board.scrollTop = 9_999; }")

    record(table, THREE_AT_ONCE)

    lines = page.locator("#happened > li")
    expect(lines).to_have_text(LEVEL_UPS)
    expect(lines.first).to_be_in_viewport(ratio=1)
    for line in lines.all():
        line.scroll_into_view_if_needed()
        assert line.evaluate(IS_IN_SIGHT)


@pytest.mark.parametrize("name", ["watch", "table"])
def test_the_tablet_and_the_watching_phones_are_told_the_same(page, site, name):
    table = leveler()
    page.goto(address(table, name))

    record(table, THREE_AT_ONCE)

    lines = page.locator("#happened > li:not(.move)")
    expect(lines).to_have_text(LEVEL_UPS)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert all(line.evaluate(IS_IN_SIGHT) for line in lines.all())


def test_an_amendment_shows_what_it_changes_as_it_is_typed(page: Page, site):
    table = seat(4)
    give_key(page.context, site.address, table)
    record(table, together(hit(ANN, BO, 3), hit(ANN, CY, 4)))
    page.goto(address(table, "line", 1, 1))
    amend = page.get_by_role("button", name="Amend event 1")

    page.get_by_role("group", name="Hit 2").get_by_label("Damage").fill("6")
    changes = ["Ann: 7 VP → 9", "Cy: 21 life → 19"]
    expect(page.locator("#changed li")).to_have_text(changes)
    page.get_by_role("button", name="Take out hit 1").tap()
    expect(page.get_by_role("group", name="Hit 2")).to_have_count(0)
    expect(page.locator("#changed li").first).to_have_text("Ann: 7 VP → 6")
    amend.tap()

    expect(page.get_by_role("heading", name="Log")).to_be_visible()
    hits = [{"source": "1", "target": "3", "amount": 6, "kind": "combat"}]
    assert events(table)[-1][1]["with"]["hits"] == hits
