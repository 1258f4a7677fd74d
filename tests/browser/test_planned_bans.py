"""A ban that is planned, seen coming on a phone by whoever plays the card."""

from datetime import UTC, datetime, time, timedelta

from django.urls import reverse
from playwright.sync_api import Page, expect

from coalition_site.lib.dates import day
from scoring.groups.evenings import commands as evenings
from scoring.rules.formats import COALITION_906
from tests.decks.bans.announcing import announce
from tests.decks.faults import bring_pool
from tests.decks.lists import TODAY, editor, register
from tests.decks.written import deck
from tests.scoring.grouped import group
from tests.serving import Site

from .checks import Console, complaints
from .hand import give_deck

ON = TODAY + timedelta(days=13)
HIT = f"Legal until {day(ON)}: Elvish Mystic"


def test_a_planned_ban_is_followed_through_deck_decks_card_list_evening_and_feed(
    page: Page, site: Site
):
    console = Console(page)
    bring_pool()
    elves = register("Elves", deck("4 Elvish Mystic"))
    give_deck(page, site, elves)
    thursday, at = group("Thursday"), datetime.combine(ON, time(19), UTC)
    evenings.create_evening(
        thursday, "Winter cup", COALITION_906, rounds=2, usual_size=4, starts_at=at
    )
    announce(editor(), ON, {"Elvish Mystic": ("banned", "Too fast.")}, title="Winter")

    page.goto(f"/bans/?on={TODAY}")
    news = page.get_by_role("region", name="Planned and new")
    expect(news).to_contain_text(f"From {day(ON)} on Winter 1 banned Elvish Mystic Banned")
    news.get_by_role("link", name="Winter").tap()
    expect(page.get_by_text(f"Takes effect on {day(ON)}")).to_be_visible()
    feed = page.locator('link[type="application/atom+xml"]').get_attribute("href")
    answer = page.request.get(f"{feed}").text()
    assert f"In force from {day(ON)} on." in answer
    assert "Elvish Mystic: banned. Too fast." in answer

    page.goto("/cards/elvish_mystic/")
    expect(page.get_by_text(f"Banned from {day(ON)} on: Too fast.").first).to_be_visible()
    assert complaints(page, 393) == []

    page.goto(reverse("evening", args=[thursday.code, 1]))
    own = page.get_by_role("region", name=f"Your decks on {day(ON)}")
    expect(own).to_contain_text("not legal")
    assert complaints(page, 393) == []
    own.get_by_role("link", name="Elves").tap()
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text(f"on {day(ON)}")
    expect(verdict.get_by_role("heading")).to_have_text("Not legal: 1 problem")

    page.goto("/decks/mine/")
    expect(page.get_by_text(HIT)).to_be_visible()
    assert complaints(page, 393) == []
    page.get_by_role("link", name="Fix it").tap()
    expect(verdict.get_by_role("heading")).to_have_text("Legal")
    expect(page.get_by_text(HIT)).to_be_visible()
    expect(page.get_by_text("Elvish Mystic will be banned: Too fast.")).to_be_visible()
    assert complaints(page, 393) == []
    page.get_by_role("button", name="Take out 4 Elvish Mystic").tap()
    expect(page.get_by_text("Done: take out 4 Elvish Mystic.")).to_be_visible()
    expect(page.get_by_text(HIT)).to_be_hidden()
    assert console.complaints(200) == []
