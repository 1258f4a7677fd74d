"""A game of Conspiracy on two phones, from the start page to the final page."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from scoring.models import EventRow
from scoring.setlog import document

from .checks import Console, complaints
from .hand import Hand, becomes, problem, see, signs, words

NAMES = ["Ada", "Bruno", "Cleo"]
SECRETS = ("Hymn of the Wilds", "Llanowar Reborn", "Summoner's Bond", "Xantcha", "Keeper of Keys")


@pytest.fixture
def second(browser: Browser, browser_context_args) -> BrowserContext:
    """The phone of another player."""
    context = browser.new_context(**browser_context_args)
    yield context
    context.close()


def life(page: Page) -> dict[str, int]:
    """Return each player's life, from top to bottom."""
    return {
        words(row.locator("h2 > span").first)[0]: int(words(row.locator(".vp b"))[0].split()[-1])
        for row in page.locator(".player").all()
    }


def seal(page: Page, whose: str, card: str, *names: str) -> None:
    """Add a conspiracy face down, by the form that is no tap."""
    form = page.get_by_role("form", name="Face down")
    form.get_by_role("radio", name=whose).tap()
    form.get_by_label("Conspiracy").fill(card)
    for label, name in zip(("Named card", re.compile(r"^\s*Second")), names, strict=False):
        form.get_by_label(label, exact=True).fill(name)
    with page.expect_navigation():
        form.get_by_role("button", name="Seal it").tap()


def secrets_kept(page: Page) -> list[str]:
    """Return which secrets the phone's own stores have."""
    kept = page.evaluate(
        """async () => {
          const texts = [document.documentElement.outerHTML, document.cookie];
          texts.push(JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }));
          for (const { name, version } of await indexedDB.databases()) {
            const opened = await new Promise((done) => {
              const asked = indexedDB.open(name, version);
              asked.onsuccess = () => done(asked.result);
            });
            for (const store of opened.objectStoreNames) {
              const rows = await new Promise((done) => {
                const asked = opened.transaction(store).objectStore(store).getAll();
                asked.onsuccess = () => done(asked.result);
              });
              texts.push(JSON.stringify(rows));
            }
            opened.close();
          }
          for (const name of await caches.keys()) {
            const kept = await caches.open(name);
            for (const request of await kept.keys()) {
              texts.push(await (await kept.match(request)).text());
            }
          }
          return texts.join();
        }"""
    )
    return [secret for secret in SECRETS if secret in kept]


def begin(page: Page, hand: Hand) -> None:
    page.goto("/")
    hand.link("Start a table")
    hand.format("conspiracy")
    for seat, name in enumerate(NAMES, 1):
        page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
    hand.send(page.get_by_role("button", name="Start"))
    see(page, "Conspiracy")
    hand.link("Change")
    hand.tap(page.get_by_role("radio", name="Ada"))
    hand.send(page.get_by_role("button", name="Change the start"))
    expect(page.get_by_role("region", name="The start")).to_contain_text("Ada starts.")


def vote(page: Page, hand: Hand, whose: str, option: str) -> None:
    expect(page.get_by_role("group", name=f"{whose} votes for")).to_be_visible()
    hand.send(page.get_by_role("button", name=option, exact=True))
    expect(page.get_by_role("region", name="Vote")).to_contain_text(f"{whose}: {option}")


def test_a_game_of_conspiracy_is_played_by_taps_to_its_end(page, second):
    hand, bruno = Hand(page), second.new_page()
    consoles = Console(page), Console(bruno)
    begin(page, hand)
    becomes(lambda: life(page), dict.fromkeys(NAMES, 20))
    score = page.url

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
    other.send(bruno.get_by_role("button", name="Put it face up"))
    expect(bruno).to_have_url(score)
    expect(bruno.get_by_role("list", name="Status of Ada")).to_contain_text("2 face down")
    assert complaints(bruno, 393) == []

    # The monarch, an attack with melee, a goad.
    page.goto(score)
    hand.more("Ada", "Crown", "Turn and monarch")
    expect(page.locator("#happened")).to_have_text(
        "Ada is the monarch and draws a card at their end step"
    )
    hand.menu()
    assert complaints(page, 393) == []
    attacked = page.get_by_role("group", name=re.compile("^Melee"))
    hand.tap(attacked.get_by_role("checkbox", name="Bruno"))
    hand.tap(attacked.get_by_role("checkbox", name="Cleo"))
    with hand.answered():
        hand.send(attacked.get_by_role("button", name="Attack"))
    becomes(lambda: signs(page, "Ada"), ["2 face down"])
    expect(page.locator("#happened")).to_contain_text("Melee: +2/+2 for each instance")
    hand.target("Bruno")
    hand.number(4)
    hand.menu()
    goad = page.get_by_role("group", name=re.compile("^Goad a creature of"))
    hand.tap(goad.get_by_role("radio", name="Bruno"))
    goad.get_by_label(re.compile(r"^\s*Creature")).fill("Ogre")
    with hand.answered():
        hand.send(goad.get_by_role("button", name="Goad"))
    expect(page.get_by_text("Goaded creatures: 1")).to_be_visible()
    hand.button(re.compile("^Turn"))
    expect(page.locator("#happened .due")).to_have_text(
        "Bruno’s Ogre, goaded by Ada: attacks each combat if able, and somebody else if able"
    )
    hand.tap(page.get_by_text("Goaded creatures: 1"))
    expect(page.locator("#aids")).to_contain_text(
        "Bruno’s Ogre attacks each combat if able, and not Ada if able; where nobody else can be "
        "attacked: a planeswalker, or Ada. Until the next turn of Ada."
    )
    assert complaints(page, 393) == []

    # A vote: the other phone follows, and votes, too.
    hand.menu()
    hand.in_sheet("Other options")
    hand.tap(page.get_by_role("group", name="Who calls").get_by_role("radio", name="Bruno"))
    hand.tap(page.get_by_role("radio", name="Will of the council"))
    page.get_by_label("Options, each on a line").fill("grace\ncondemnation")
    page.get_by_label("Card, if you like").fill("Council's Judgment")
    assert complaints(page, 393) == []
    with page.expect_navigation():
        hand.send(page.get_by_role("button", name="Record"))
    assert complaints(page, 393) == []
    page.locator("summary", has_text="Extra votes").tap()
    page.get_by_label("Votes again").check()
    vote(page, hand, "Bruno", "grace")
    expect(page.get_by_role("group", name="Bruno votes again for")).to_be_visible()
    hand.send(page.get_by_role("button", name="grace", exact=True))
    hand.button(re.compile("^Turn"))
    expect(problem(page)).to_have_text("Finish the vote first: it is Cleo's turn to vote.")
    vote(bruno, other, "Cleo", "condemnation")
    vote(page, hand, "Ada", "condemnation")
    expect(page.locator("#aids")).to_contain_text(
        "Will of the council: a tie of grace and condemnation, 2 votes each"
    )
    assert complaints(page, 393) == []

    # Ada turns one conspiracy up; Bruno's phone can't.
    page.locator("summary", has_text="Face down, sealed by this phone: 2").tap()
    hand.link("Turn face up: Ada 2")
    see(page, "Turn Ada’s conspiracy 2 face up?")
    assert complaints(page, 393) == []
    hand.send(page.get_by_role("button", name="Yes: turn it face up"))
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
    hand.typed(16)
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
