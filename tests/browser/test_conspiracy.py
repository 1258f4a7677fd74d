"""A game of Conspiracy on two phones, from the start page to the final page."""

import json
import re

from playwright.sync_api import Page, expect

from scoring.models import EventRow
from scoring.setlog import document

from .checks import Console, ask, complaints
from .hand import Hand, becomes, see, signs, worker_is_there

NAMES = ["Ada", "Bruno", "Cleo"]
SECRETS = ("Hymn of the Wilds", "Llanowar Reborn", "Summoner's Bond", "Xantcha", "Keeper of Keys")


def seal(page: Page, whose: str, card: str, *names: str) -> None:
    form = page.get_by_role("form", name="Face down")
    form.get_by_role("radio", name=whose).tap()
    form.get_by_label("Conspiracy").fill(card)
    for label, name in zip(("Named card", re.compile(r"^\s*Second")), names, strict=False):
        form.get_by_label(label, exact=True).fill(name)
    with page.expect_navigation():
        form.get_by_role("button", name="Seal it").tap()


def secrets_kept(page: Page) -> list[str]:
    stored = ask(page, "stored")
    return [secret for secret in SECRETS if secret in stored]


def test_a_game_of_conspiracy_is_played_by_taps_to_its_end(new_context, site):
    page, bruno = new_context(worker=True).new_page(), new_context().new_page()
    hand, consoles = Hand(page), (Console(page), Console(bruno))
    hand.start("conspiracy", NAMES, first="Ada")
    score = page.url
    worker_is_there(page)

    # Two phones seal; nothing of it can be read on either.
    hand.link(re.compile("^Add conspiracies first"))
    assert complaints(page, 393) == []
    seal(page, "Ada", "Hymn of the Wilds", "Llanowar Reborn")
    seal(page, "Ada", "Summoner's Bond", "Xantcha", "Keeper of Keys")
    assert secrets_kept(page) == []
    page.go_back()
    typed = page.get_by_role("form", name="Face down").get_by_role("combobox")
    becomes(lambda: [one.input_value() for one in typed.all()], ["", "", ""])
    page.goto(score)
    hand.link(re.compile("^Phones"))
    page.locator("summary", has_text="scorekeeper link").tap()
    key = page.get_by_label("Scorekeeper link, secret").input_value()
    bruno.goto(key)
    other = Hand(bruno)
    other.link(re.compile("^Add conspiracies first"))
    seal(bruno, "Bruno", "Natural Unity", "Borderland Explorer")
    bruno.get_by_role("form", name="Face up").get_by_role("radio", name="Cleo").tap()
    bruno.get_by_label("Conspiracy, without a secret").fill("Sovereign's Realm")
    other.tap(bruno.get_by_role("button", name="Put it face up"))
    expect(bruno).to_have_url(score)
    expect(bruno.get_by_role("list", name="Status of Ada")).to_contain_text("2 face down")
    assert complaints(bruno, 393) == []

    page.goto(score)

    # Ada turns one conspiracy up; Bruno's phone can't.
    page.locator("summary", has_text="Face down, sealed by this phone: 2").tap()
    hand.link("Turn face up: Ada 2")
    see(page, "Turn Ada’s conspiracy 2 face up?")
    assert complaints(page, 393) == []
    hand.tap(page.get_by_role("button", name="Yes: turn it face up"))
    page.wait_for_url(score)
    expect(page.get_by_role("region", name="Last events")).to_contain_text(
        "Ada turns Summoner's Bond face up, which names Xantcha and Keeper of Keys"
    )
    expect(bruno.get_by_role("region", name="Last events")).to_contain_text("Xantcha")
    expect(bruno.locator("body")).not_to_contain_text("Turn face up: Ada")
    kept = json.dumps([row.entry for row in EventRow.objects.all()])
    assert [secret for secret in SECRETS if secret in kept] == list(SECRETS[2:])

    # Bruno falls: that phone reveals by itself.
    bruno.clock.install()
    hand.source("Ada")
    hand.target("Bruno")
    hand.typed(20)
    becomes(lambda: signs(page, "Bruno")[0], "Out")
    expect(page.locator("#aids")).to_contain_text("Bruno has to turn conspiracy 1 face up")
    expect(bruno.locator("#aids")).to_contain_text("Who is out reveals: 1 not opened yet")
    assert complaints(bruno, 393) == []
    bruno.clock.fast_forward(11_000)
    expect(page.get_by_role("region", name="Last events")).to_contain_text(
        "Bruno turns Natural Unity face up, which names Borderland Explorer"
    )

    # The end: Ada's phone reveals what is left.
    hand.source("Ada")
    hand.target("Cleo")
    hand.typed(20)
    expect(page.locator(".banner h2")).to_have_text("Ada wins")
    assert complaints(page, 393) == []
    page.get_by_role("button", name="Turn face up now").tap()
    expect(page.get_by_role("region", name="Command zone")).to_contain_text("Llanowar Reborn")
    expect(page.get_by_role("button", name="Turn face up now")).to_have_count(0)
    assert not [one for one in page.context.cookies() if one["name"].startswith("agenda-")]
    hand.link("Final standings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada wins")
    assert complaints(page, 393) == []

    assert [console.complaints(422) for console in consoles] == [[], []]
    (log,) = document.read_all(json.loads(page.request.get(f"{page.url}log.json").text()))
    played = document.play(log)
    assert (played.failure, played.state.is_finished) == (None, True)
    turned = document.outcome(played)["games"][0]["turned_up"]
    assert {name: [one["proved"] for one in all] for name, all in turned.items()} == {
        "Ada": [True, True],
        "Bruno": [True],
        "Cleo": [],
    }
