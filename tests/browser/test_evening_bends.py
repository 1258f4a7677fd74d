"""An evening of fourteen that goes otherwise than planned, and six phones that see it."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from scoring.groups.evenings import commands as evenings
from scoring.models import GameSet, Round
from scoring.record import commands
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906
from tests.scoring.grouped import group, play_one_game
from tests.scoring.groups.visitors import account, at, browser
from tests.scoring.rules.play import hit

from .checks import SCREENS, Console, complaints_on
from .hand import sign_in
from .test_groups import chip, tap_and_wait

FOURTEEN = "Ann Bo Cy Di Ev Fay Gus Hal Ida Jan Kim Lu Max Nia".split()


@pytest.fixture
def round(page: Page, site) -> Round:
    """Tables of four, four, three and three; the organiser's phone shows the evening."""
    club = group("Club")
    account("olga", club, "owner")
    evening = evenings.create_evening(
        club, "Club night", COALITION_906, rounds=2, usual_size=4, minutes=50, seed=1
    )
    evenings.arrive(evening, FOURTEEN)
    round = evenings.pair_round(evening)
    evenings.begin_round(round)
    sign_in(page, site, browser("olga"))
    page.set_viewport_size({"width": 393, "height": 851})
    page.goto(at(club, "evening", 1))
    return round


def pod(page: Page, number: int) -> Locator:
    return page.locator(".pod", has_text=f"Table {number}")


def finish(table: GameSet, points: int) -> None:
    """Play one game at a table, elsewhere: the first seat scores, nobody wins, and the set ends."""
    play_one_game(table, hit(1, 2, points))


def standing(page: Page, name: str) -> Locator:
    return page.locator("#standings tbody tr").filter(has=page.get_by_text(name, exact=True))


def test_all_phones_see_who_comes_late_leaves_and_moves_and_how_the_night_ends(
    page, new_context, round
):
    club, console = round.evening.playgroup, Console(page)
    one, two, three, _ = (table.game_set for table in round.tables.order_by("number"))
    phones = [new_context().new_page() for _ in range(5)]
    evening, screen, first, third, board = phones
    watched = [reverse("watch", args=[table.code]) for table in (one, three)]
    addresses = [at(club, "evening", 1), at(club, "round", 1, 1), *watched, at(club, "board")]
    for phone, address in zip(phones, addresses, strict=True):
        phone.goto(address)

    page.get_by_label("Names, one per line").fill("Jo")
    page.get_by_role("button", name="They are here").tap()
    expect(page.get_by_label("Names, one per line")).to_have_value("")
    tap_and_wait(page, "Sit at table 1 : Jo")
    for seen in (pod(evening, 1), pod(screen, 1), first.locator("main")):
        expect(seen).to_contain_text("Jo")
    tap_and_wait(page, "Undo")
    for seen in (pod(evening, 1), pod(screen, 1), first.locator("main")):
        expect(seen).not_to_contain_text("Jo")

    leaver = three.names[1]
    page.locator("#here summary").tap()
    chip(page, leaver).tap()
    tap_and_wait(page, f"Take out of table 3 : {leaver}")
    expect(third.locator("main")).not_to_contain_text(leaver)
    page.locator("#move summary").tap()
    tap_and_wait(page, "Merge table 4 into table 3")
    for phone in (evening, screen):
        expect(phone.locator(".pods > li")).to_have_count(3)
        expect(pod(phone, 3).locator("ol li")).to_have_count(5)
    expect(board.locator("#playing li")).to_have_count(3)
    assert complaints_on(page, SCREENS) == []

    page.get_by_role("button", name="Stop the clock").tap()
    for phone in (evening, screen):
        expect(phone.locator("time[data-until]")).to_have_count(0)
    finish(one, 9)
    finish(two, 12)
    expect(standing(evening, two.names[1])).to_contain_text("12")
    commands.record(one, 1, Amend(1, hit(1, 2, 14)))
    expect(standing(evening, one.names[1])).to_contain_text("14")
    expect(board.locator("#playing li")).to_have_count(1)
    page.get_by_text("End the evening").tap()
    tap_and_wait(page, "End it all the same")
    expect(evening.locator("#podium")).to_contain_text(one.names[1])
    tap_and_wait(page, "Reopen the evening")
    expect(evening.get_by_role("heading", name="Standings so far")).to_be_visible()
    assert console.complaints(200) == []
