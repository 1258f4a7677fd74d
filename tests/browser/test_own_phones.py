"""Players' own phones that act, beside the pad."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scoring.models import EventRow, GameSet
from scoring.models.record import Phones
from scoring.record import commands, proposals
from scoring.rules.formats import COALITION_906
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.conspiracy.zone import PutAgenda, first_seal
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars.moves import EmptyDeck
from scoring.rules.moves import Concede, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, hit
from tests.scoring.tables import address, record

from .checks import DESKTOP, PHONES, complaints_on
from .hand import becomes, board, damage, keep_score, reception, signs
from .looks import seat


@pytest.fixture
def sit_down(new_context: Callable[..., BrowserContext]) -> Callable[[GameSet, int], Page]:
    """Return a way to open the page of a seat on its player's own phone."""

    def take_out(table: GameSet, seat: int) -> Page:
        key = f"the-key-of-{seat}"
        commands.change_seat_key(table, seat, key)
        page = new_context().new_page()
        page.goto(address(table, "take_seat_key", key))
        reception(page, "Live")
        return page

    return take_out


@pytest.fixture
def own_phone(sit_down: Callable[[GameSet, int], Page], table: GameSet) -> Page:
    return sit_down(table, BO)


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
    record(table, PassTurn())  # somebody else's tap hides no refusal, the own next one does
    expect(own_phone.get_by_text("It’s your turn")).to_be_visible()
    expect(own_phone.get_by_role("alert")).to_be_in_viewport()
    own_phone.get_by_role("button", name="Lose 3 life").tap()
    expect(own_phone.get_by_role("alert")).to_have_count(0)
    expect(pad.locator(".peek .flag")).to_have_text("Bo’s phone")
    assert complaints_on(own_phone, [*PHONES, DESKTOP]) == []

    own_phone.get_by_role("group", name="I hit").get_by_role("radio", name="Di").tap()
    own_phone.get_by_label("A larger number").fill("12")
    own_phone.get_by_label("Another number").fill("6")
    record(table, hit(CY, DI, 1))
    expect(own_phone.locator(".player", has_text="Di").locator(".life b")).to_have_text(
        re.compile("24$")
    )
    record(table, Concede(CY))  # the keys name others from now on
    expect(own_phone.locator(".player.gone", has_text="Cy")).to_be_visible()
    own_phone.get_by_role("button", name="Hit", exact=True).tap()

    becomes(lambda: damage(table), [(3, 4, 1), (2, 4, 12)])
    expect(own_phone.get_by_label("A larger number")).to_have_value("")
    own_phone.get_by_role("button", name="Lose so much life").tap()
    expect(own_phone.locator(".me .life b")).to_have_text(re.compile("16$"))
    expect(own_phone.get_by_label("Another number")).to_have_value("")
    expect(own_phone.get_by_role("group", name="I hit").get_by_role("radio")).to_have_count(2)
    by = EventRow.objects.order_by("seq").values_list("by", flat=True)
    assert list(by) == [None, 102, None, None, 102, 102]


def test_what_is_half_typed_stays_when_the_scorekeeper_names_the_seat_or_begins_a_game(
    site, sit_down
):
    table = commands.create_set(COALITION_906, ["Ann", "", ""])
    phone = sit_down(table, BO)
    phone.get_by_label("Main deck and sideboard").fill("60 Forest")
    phone.get_by_text("Hero and deck").tap()
    hero = phone.get_by_role("form", name="Your hero").get_by_label("Hero", exact=True)
    hero.press_sequentially("Kren")

    commands.name_seats(table, {BO: "Bo"})
    expect(phone.get_by_role("heading", name="Bo")).to_be_visible()
    expect(phone.get_by_label("Main deck and sideboard")).to_have_value("60 Forest")
    commands.start_game(table, 1, first=BO)
    expect(phone.get_by_text("It’s your turn")).to_be_visible()
    phone.keyboard.type("ko")

    expect(hero).to_have_value("Krenko")


def test_names_half_typed_for_a_lost_browser_stay_while_the_others_play_on(site, sit_down):
    table = seat(4, ruleset=CONSPIRACY)
    seal = first_seal("0" * 32, "Hymn of the Wilds", ["Forest"])
    record(table, PutAgenda(BO, seal), Concede(BO))
    phone = sit_down(table, BO)
    phone.get_by_text("The browser that sealed 1 is lost").tap()
    phone.get_by_label("Named cards, one per line").fill("Fore")

    record(table, hit(ANN, CY, 3))
    expect(phone.get_by_text("Ann hits Cy for 3")).to_be_visible()

    expect(phone.get_by_label("Named cards, one per line")).to_have_value("Fore")


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


@pytest.mark.parametrize("table", [LEVELER], indirect=True)
def test_in_an_evening_of_leveler_the_players_report(pad, sit_down, table):
    record(table, Concede(DI))
    proposals.set_phones(table, Phones.TRUSTED)
    bo, cy = sit_down(table, BO), sit_down(table, CY)

    bo.get_by_role("group", name="I was hit by").get_by_role("radio", name="Ann").tap()
    bo.get_by_role("button", name="For 10").tap()
    becomes(lambda: board(pad)["Bo"], (20, 2))
    cy.get_by_role("button", name="Is empty").tap()
    becomes(lambda: board(pad)["Cy"], (30, 2))
    assert complaints_on(cy, [*PHONES, DESKTOP]) == []

    bo.get_by_text("I have to draw from an empty library").tap()
    expect(bo.get_by_text("Ann and Cy play on.")).to_be_visible()
    assert complaints_on(bo, PHONES) == []
    assert pad.locator(".peek .flag").all_inner_texts() == ["Cy’s phone"]
    bo.get_by_role("button", name="Yes: I drew from empty").tap()
    becomes(lambda: signs(pad, "Bo")[:1], ["Out"])
    expect(bo.get_by_role("heading", name="Record")).to_have_count(0)

    cy.get_by_role("group", name="I hit").get_by_role("radio", name="Ann").tap()
    cy.get_by_label("A larger number").fill("30")
    cy.get_by_role("button", name="Hit", exact=True).tap()
    expect(pad.locator(".banner h2")).to_have_text("Cy wins")
    expect(cy.locator(".banner h2")).to_have_text("Cy wins")
    by = EventRow.objects.order_by("seq").values_list("by", flat=True)
    assert list(by) == [None, 102, 103, 102, 103]


def test_at_three_against_three_players_propose_what_becomes_of_their_realms(page, site, sit_down):
    table = seat(6, ruleset=REALM_WARS)
    proposals.set_phones(table, Phones.PROPOSE)
    keep_score(page, site, table)
    bo, di = sit_down(table, BO), sit_down(table, DI)

    def take(chip: str) -> None:
        key = page.get_by_role("button", name=f"Take {chip}")
        key.tap()
        expect(key).to_have_count(0)

    di.get_by_role("radio", name="Quest").tap()
    di.get_by_role("button", name="Damage: 8").tap()
    expect(di.get_by_text("Di: quest takes 8 damage waits")).to_be_visible()
    bo.get_by_role("button", name="I play a legend").tap()
    assert complaints_on(page, PHONES) == []
    assert complaints_on(di, [*PHONES, DESKTOP]) == []
    burning = page.locator(".burnt").nth(1)
    take("Di: quest takes 8 damage")
    expect(burning).to_have_text(re.compile("1 of 6 zones burning"))
    take("Bo plays an Eternal War legend")
    expect(burning).to_have_text(re.compile("1 of 7 zones burning"))
    expect(bo.get_by_role("button", name="I play a legend")).to_have_count(0)

    record(table, EmptyDeck((EV, 6), empty=True))
    di.get_by_role("button", name="My deck is empty").tap()
    page.get_by_role("button", name="Take Di’s deck is empty").tap()
    expect(page.locator(".banner h2")).to_have_text("Ann, Bo and Cy win")
    expect(di.locator(".banner h2")).to_have_text("Ann, Bo and Cy win")


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
