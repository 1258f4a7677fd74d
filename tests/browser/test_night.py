"""A night of Conspiracy on six phones: whoever scans once is led from part to part."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from scoring.models import GameSet
from scoring.models.record import Phones
from scoring.record import commands
from scoring.rules.formats import RULESETS
from tests.scoring.tables import address

from .checks import PHONES, complaints_on
from .hand import becomes, keep_score

SIX = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_role("radio", name=name).tap()
    page.get_by_role("button", name="Sit down").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def report_hit(phone: Page, target: str, amount: int) -> None:
    phone.get_by_role("group", name="I hit").get_by_role("radio", name=target).tap()
    phone.get_by_label("A larger number").fill(str(amount))
    phone.get_by_role("button", name="Hit", exact=True).tap()


def tables_of(draft: GameSet) -> list[GameSet]:
    return list(draft.tables.order_by("pk"))


def test_six_players_scan_once_and_go_from_the_draft_to_table_after_table(
    page: Page, site, new_context: Callable[..., BrowserContext]
):
    draft = commands.create_set(RULESETS["conspiracy-draft"], SIX, phones=Phones.TRUSTED)
    commands.begin(draft)
    keep_score(page, site, draft)
    page.goto(address(draft, "join_code"))
    link = page.get_by_label("Link to join").input_value()
    phones = {name: new_context().new_page() for name in SIX}
    for name, phone in phones.items():
        join(phone, link, name)

    def all_sit() -> None:
        """Expect each phone at the latest seat of whoever has it."""
        latest = {
            name: address(table, "seat")
            for table in [draft, *tables_of(draft)]
            for name in table.names.values()
        }
        for name, phone in phones.items():
            expect(phone).to_have_url(f"{site.address}{latest[name]}")
            expect(phone.get_by_role("heading", level=1)).to_have_text(name)

    all_sit()
    page.goto(address(draft, "score"))
    ann, bo = phones["Ann"], phones["Bo"]
    ann.get_by_role("combobox", name="Card").fill("Cogwork Librarian")
    ann.get_by_role("button", name="Face up").tap()
    expect(page.locator(".drafted")).to_contain_text("Cogwork Librarian")
    bo.get_by_role("button", name=re.compile("^All have picked")).tap()
    expect(page.locator("#picked")).to_contain_text("pick 2")
    page.get_by_role("button", name=re.compile("^Undo")).tap()  # a correction: it was too early
    expect(page.locator("#picked")).to_contain_text("all picked")
    for of_round in ("round 2", "round 3"):
        page.get_by_role("button", name=re.compile("^Next")).tap()
        expect(page.locator(".headline")).to_contain_text(of_round)
    page.get_by_role("button", name=re.compile("^End")).tap()
    page.get_by_role("link", name="Seat the tables").tap()
    expect(ann.get_by_role("link", name="Build your deck")).to_be_visible()
    page.get_by_role("button", name="Split into tables").tap()
    expect(page.get_by_role("link", name="Scan to keep score")).to_have_count(2)
    all_sit()
    expect(ann.get_by_role("link", name="What you drafted")).to_be_visible()
    assert complaints_on(ann, PHONES) == []

    first = tables_of(draft)[0]
    page.goto(address(first, "score"))
    page.get_by_role("button", name=re.compile("^Roll")).tap()
    expect(page.locator("#pad")).to_be_visible()
    one, two, three = first.names.values()
    for phone in (phones[name] for name in first.names.values()):
        for word in ("No conspiracies", "Hand kept"):
            phone.get_by_role("button", name=word, exact=True).tap()
            expect(phone.get_by_role("button", name=f"Take back “{word}”")).to_be_visible()
    report_hit(phones[one], two, 20)
    expect(page.locator(f".player.gone h2:has-text('{two}')")).to_be_visible()
    report_hit(phones[one], three, 19)
    expect(page.locator(".peek li").first).to_contain_text(f"{one} hits {three} for 19")
    page.get_by_role("button", name=re.compile("^Undo")).tap()  # the other: it was 20
    expect(page.locator(".peek li").first).to_contain_text(f"{one} hits {two}")
    report_hit(phones[one], three, 20)
    page.get_by_role("button", name="Play again with these decks").tap()
    expect(page.locator("#pad")).to_be_visible()
    becomes(lambda: len(tables_of(draft)), 3)
    all_sit()
