"""Games of Conspiracy: on two phones that keep score, and with those of a player and a watcher."""

import json
import re

from playwright.sync_api import Page, Route, expect

from scoring.models import EventRow
from tests.decks.cards import given, record

from .checks import Console, ask, complaints
from .hand import Hand, becomes, reception, see, signs, worker_is_there

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
    stored = ask(page, "stored")
    assert [secret for secret in SECRETS if secret in stored] == []
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
    expect(bruno.locator("#aids")).to_contain_text(
        "Players who are out must reveal: 1 not opened yet"
    )
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


def test_a_name_typed_before_the_page_has_all_its_scripts_is_completed(page):
    given(record("Forest Bear", "Creature — Bear"))
    hand, held = Hand(page), list[Route]()
    hand.start("conspiracy", NAMES, first="Ada")
    page.route("**/htmx-2*.js", lambda route: held.append(route))
    page.goto(f"{page.url}1/agendas/", wait_until="commit")
    page.get_by_label("Named card", exact=True).fill("bear")
    expect(page.locator("#names-name option")).to_have_count(0)

    held[0].continue_()

    expect(page.locator("#names-name option")).to_have_attribute("value", "Forest Bear")


# --- a player's own phone ---
def says(page: Page, *words: str) -> None:
    for word in words:
        expect(page.locator("main")).to_contain_text(word)


def test_a_player_seals_looks_votes_and_reveals_on_a_phone_that_keeps_no_score(page, new_context):
    given(
        record("Natural Unity", "Conspiracy", "Hidden agenda\nWhenever it attacks, it grows."),
        record("Forest Bear", "Creature — Bear"),
    )
    hand, bruno, watcher = Hand(page), new_context().new_page(), new_context().new_page()
    consoles = [Console(one) for one in (page, bruno, watcher)]
    hand.start("conspiracy", NAMES, first="Ada")
    score = page.url
    hand.link("Join code")
    hand.tap(page.get_by_role("button", name="A link for each seat instead"))
    see(page, "A link for each player")
    assert complaints(page, 393) == []
    bruno.goto(page.get_by_label("Link for Bruno").input_value())
    page.goto(score)
    watcher.goto(score.removesuffix("score/"))
    says(bruno, "Ada’s turn, you are next", "20 life is right")

    # Bruno seals, and only Bruno's phone shows what.
    bruno.get_by_role("link", name="Add a conspiracy").tap()
    form = bruno.get_by_role("form", name="Face down")
    form.get_by_label("Conspiracy", exact=True).fill("natural unity")
    form.get_by_label("Named card", exact=True).press_sequentially("bear")
    expect(form.locator("#names-name option")).to_have_attribute("value", "Forest Bear")
    assert complaints(bruno, 393) == []
    form.get_by_label("Named card", exact=True).fill("Forest Bear")
    form.get_by_role("button", name="Seal it").tap()
    says(bruno, "1 face down, sealed")
    bruno.get_by_role("button", name=re.compile("^Look at it")).tap()
    says(bruno, "Natural Unity", "Forest Bear", "Whenever it attacks, it grows.")
    assert complaints(bruno, 393) == []
    bruno.get_by_role("link", name="Hide it").tap()
    expect(bruno.get_by_role("button", name=re.compile("^Look at it"))).to_be_visible()
    says(watcher, "1 face down, sealed")
    for one in (page, bruno, watcher):
        assert re.findall("Natural Unity|Forest Bear", one.content()) == []

    # The first tap asks who is not ready, until the game begins so.
    hand.button("Turn")
    says(page, "Ada and 2 more are not ready yet: begin without them?")
    consoles[0].said.clear()  # that the tap was refused
    assert complaints(page, 393) == []
    hand.button("Begin without waiting")

    # A vote by its card: Ada's on the pad, Bruno's on the own phone without a connection, where it
    # waits and counts once, and Cleo's on the pad.
    hand.menu()
    with hand.answered():
        hand.tap(page.get_by_role("button", name="Messenger Jays"))
    says(watcher, "Ada votes now, then Bruno, then Cleo.")
    hand.tap(page.get_by_role("button", name="quill", exact=True))
    expect(page.get_by_role("group", name="Bruno votes for")).to_be_visible()
    says(bruno, "Messenger Jays: Bruno votes (so far feather 0, quill 1)")
    assert complaints(bruno, 393) == []
    assert consoles[1].complaints(200) == []
    reception(bruno, "Live")
    bruno.context.set_offline(True)
    votes = bruno.get_by_role("group", name="You vote for")
    votes.get_by_role("button", name="quill").tap()
    expect(bruno.get_by_role("list", name="Taps on this phone")).to_contain_text("quill")
    bruno.context.set_offline(False)
    expect(votes).to_have_count(0)
    expect(page.get_by_role("group", name="Cleo votes for")).to_be_visible()
    says(page, "Bruno’s phone")
    says(watcher, "2 quill", "Ada: quill, Bruno: quill")
    hand.tap(page.get_by_role("button", name="feather", exact=True))
    for one in (page, bruno, watcher):
        says(one, "Council's dilemma, in this order: feather 1, quill 2")
    consoles[1].said.clear()  # that there was no connection

    # Bruno confirms his life, and reveals: all see the card, its text and the named card.
    bruno.get_by_role("button", name="20 life is right").tap()
    says(bruno, "You confirmed 20 life.")
    expect(page.get_by_role("list", name="Status of Bruno")).to_contain_text("Life confirmed")
    bruno.get_by_role("button", name=re.compile("^Look at it")).tap()
    bruno.get_by_role("button", name="Turn it face up").tap()
    for one in (bruno, watcher):
        says(one, "Natural Unity, names Forest Bear.", "Whenever it attacks, it grows.")
        expect(one.locator("details code.seal").first).to_be_hidden()
        assert complaints(one, 393) == []
    says(page, "Bruno turns Natural Unity face up, which names Forest Bear")
    by = EventRow.objects.filter(entry__type__in=["agenda", "turn_up"])
    assert list(by.values_list("by", flat=True)) == [102, 102]

    # A revoked link shows and does nothing any more.
    hand.link(re.compile("^Phones"))
    page.get_by_role("button", name="Revoke the link of Bruno").tap()
    bruno.reload()
    see(bruno, "This page belongs to a player at the table")

    assert [console.complaints(403) for console in consoles] == [[], [], []]
