"""Players' own phones that act, beside the pad."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scoring.models import EventRow
from scoring.models.record import Phones
from scoring.record import commands, proposals
from scoring.rules.formats import COALITION_906
from tests.scoring.rules.play import BO, CY, DI, hit
from tests.scoring.tables import address, record

from .checks import DESKTOP, PHONES, complaints_on
from .hand import becomes, damage, keep_score, reception


@pytest.fixture
def own_phone(new_context: Callable[..., BrowserContext], table) -> Page:
    """Bo's, with the page of Bo's seat open."""
    commands.change_seat_key(table, BO, "the-key-of-bo")
    page = new_context().new_page()
    page.goto(address(table, "take_seat_key", "the-key-of-bo"))
    reception(page, "Live")
    return page


def test_a_hit_that_a_player_proposes_comes_to_the_pad_and_one_tap_takes_it(pad, own_phone, table):
    proposals.set_phones(table, Phones.PROPOSE)
    expect(own_phone.get_by_role("heading", name="Tell the scorekeeper")).to_be_visible()
    pad.get_by_role("radio", name="Cy").first.tap()  # a hit is begun here meanwhile

    own_phone.get_by_role("group", name="I was hit by").get_by_role("radio", name="Ann").tap()
    own_phone.get_by_role("button", name="For 7").tap()
    chip = pad.get_by_role("button", name="Bo: 7 from Ann").first
    expect(chip).to_be_visible()
    expect(pad.locator("#said")).to_contain_text("Bo: 7 from Ann?")
    expect(own_phone.get_by_text("7 from Ann waits")).to_be_visible()
    expect(pad.get_by_role("radio", name="Cy").first).to_be_checked()
    assert complaints_on(pad, PHONES) == []
    chip.tap()

    expect(pad.locator(".peek li")).to_have_text(re.compile("Ann hits Bo for 7, combat"))
    expect(chip).to_have_count(0)
    expect(own_phone.get_by_text("7 from Ann waits")).to_have_count(0)
    expect(own_phone.locator(".me .life b")).to_have_text(re.compile("18$"))
    becomes(lambda: damage(table), [(1, 2, 7)])


def test_a_trusted_players_taps_are_on_every_board_and_what_is_half_entered_stays(
    pad, own_phone, table
):
    proposals.set_phones(table, Phones.TRUSTED)
    own_phone.get_by_role("button", name="For 3").tap()
    expect(own_phone.get_by_role("alert")).to_have_text(re.compile("Who hit whom"))
    expect(own_phone.get_by_role("alert")).to_be_in_viewport()
    own_phone.get_by_role("button", name="Lose 3 life").tap()
    expect(pad.locator(".peek .flag")).to_have_text("Bo’s phone")
    assert complaints_on(own_phone, [*PHONES, DESKTOP]) == []

    own_phone.get_by_role("group", name="I hit").get_by_role("radio", name="Di").tap()
    own_phone.get_by_label("A larger number").fill("12")
    record(table, hit(CY, DI, 1))
    expect(own_phone.locator(".player", has_text="Di").locator(".life b")).to_have_text(
        re.compile("24$")
    )
    own_phone.get_by_role("button", name="Hit", exact=True).tap()

    becomes(lambda: damage(table), [(3, 4, 1), (2, 4, 12)])
    expect(own_phone.get_by_label("A larger number")).to_have_value("")
    assert list(EventRow.objects.order_by("seq").values_list("by", flat=True)) == [102, None, 102]


def test_without_scripts_a_proposal_is_sent_and_taken_by_plain_forms(new_context, site, table):
    proposals.set_phones(table, Phones.PROPOSE)
    key = f"the-key-of-{table.code}"
    commands.change_key(table, key)
    commands.change_seat_key(table, BO, "the-key-of-bo")
    page = new_context(java_script_enabled=False).new_page()
    page.context.add_cookies([{"name": f"key-{table.code}", "value": key, "url": site.address}])

    page.goto(address(table, "take_seat_key", "the-key-of-bo"))
    page.get_by_role("group", name="I hit").get_by_role("radio", name="Di").check()
    page.get_by_role("button", name="For 4").tap()
    expect(page.get_by_text("4 to Di waits")).to_be_visible()
    page.goto(address(table, "score"))
    page.get_by_role("button", name="Take Bo: 4 to Di").tap()

    expect(page.locator(".peek li")).to_have_text(re.compile("Bo hits Di for 4, combat"))


def test_the_scorekeeper_sees_who_scans_the_code_sit_down(page, site, new_context):
    table = commands.create_set(COALITION_906, ["", "Bo", "", ""])
    commands.start_game(table, 1, first=BO)
    keep_score(page, site, table)
    page.get_by_role("region", name="The start").get_by_role("link", name="Join code").tap()
    seats = page.get_by_role("list", name="Seats")
    expect(seats).to_have_text(re.compile(r"Red\s+free\s+Bo\s+free\s+Green\s+free"))
    guest = new_context().new_page()

    guest.goto(page.get_by_label("Link to join").input_value())
    assert complaints_on(guest, [*PHONES, DESKTOP]) == []
    guest.get_by_role("radio", name="Green").tap()
    guest.get_by_label("Your name").fill("Cy")
    guest.get_by_role("button", name="Sit down").tap()

    expect(guest.get_by_role("heading", level=1)).to_have_text("Cy")
    expect(seats).to_have_text(re.compile(r"Bo\s+free\s+Cy\s+has a phone"))
    assert complaints_on(page, [*PHONES, DESKTOP]) == []
