"""Three phones at a game of Conspiracy: the scorekeeper's, a player's own, and a watcher's."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.models import EventRow
from tests.decks.cards import given, record

from .checks import Console, complaints
from .hand import Hand, becomes, see

WIDTH = 393
NAMES = ["Ada", "Bruno", "Cleo"]
SECRETS = ("Natural Unity", "Forest Bear")


@pytest.fixture
def others(new_context) -> tuple[Page, Page]:
    return new_context().new_page(), new_context().new_page()


@pytest.fixture
def cards(transactional_db: None) -> None:
    given(
        record("Natural Unity", "Conspiracy", "Hidden agenda\nWhenever it attacks, it grows."),
        record("Forest Bear", "Creature — Bear"),
    )


def link_of(page: Page, hand: Hand, name: str) -> str:
    """Hand out the links of all players, and return one of them."""
    hand.tap(page.get_by_role("button", name="Phones"))
    see(page, "A link for each player")
    assert complaints(page, WIDTH) == []
    return page.get_by_label(f"Link for {name}").input_value()


def seal(phone: Page) -> None:
    phone.get_by_role("link", name="Add a conspiracy").tap()
    form = phone.get_by_role("form", name="Face down")
    form.get_by_label("Conspiracy", exact=True).fill("natural unity")
    form.get_by_label("Named card", exact=True).press_sequentially("bear")
    expect(form.locator("#names-name option")).to_have_attribute("value", "Forest Bear")
    assert complaints(phone, WIDTH) == []
    form.get_by_label("Named card", exact=True).fill("Forest Bear")
    form.get_by_role("button", name="Seal it").tap()


def vote(phone: Page, option: str) -> None:
    phone.get_by_role("group", name="You vote for").get_by_role("button", name=option).tap()
    expect(phone.get_by_role("group", name="You vote for")).to_have_count(0)


def says(page: Page, *words: str) -> None:
    for word in words:
        expect(page.locator("main")).to_contain_text(word)


@pytest.mark.usefixtures("cards")
def test_a_player_seals_looks_votes_and_reveals_on_a_phone_that_keeps_no_score(page, others):
    hand, (bruno, watcher) = Hand(page), others
    consoles = [Console(one) for one in (page, bruno, watcher)]
    hand.start("conspiracy", NAMES, first="Ada")
    score = page.url
    bruno.goto(link_of(page, hand, "Bruno"))
    page.goto(score)
    watcher.goto(score.removesuffix("score/"))
    says(bruno, "Ada’s turn, you are next", "20 life is right")

    # Bruno seals, and only Bruno's phone shows what.
    seal(bruno)
    says(bruno, "1 face down, sealed")
    bruno.get_by_role("button", name=re.compile("^Look at it")).tap()
    says(bruno, *SECRETS, "Whenever it attacks, it grows.")
    assert complaints(bruno, WIDTH) == []
    bruno.get_by_role("link", name="Hide it").tap()
    says(watcher, "1 face down, sealed")
    for one in (page, bruno, watcher):
        assert [secret for secret in SECRETS if secret in one.content()] == []

    # A vote by its card: Ada's on the pad, Bruno's on the own phone, Cleo's on the pad.
    hand.menu()
    with hand.answered():
        hand.tap(page.get_by_role("button", name="Messenger Jays"))
    says(watcher, "Ada votes now, then Bruno, then Cleo.")
    hand.tap(page.get_by_role("button", name="quill", exact=True))
    expect(page.get_by_role("group", name="Bruno votes for")).to_be_visible()
    says(bruno, "Messenger Jays: Bruno votes (so far feather 0, quill 1)")
    assert complaints(bruno, WIDTH) == []
    vote(bruno, "quill")
    expect(page.get_by_role("group", name="Cleo votes for")).to_be_visible()
    says(page, "Bruno’s phone")
    says(watcher, "2 quill", "Ada: quill, Bruno: quill")
    hand.tap(page.get_by_role("button", name="feather", exact=True))
    for one in (page, bruno, watcher):
        says(one, "Council's dilemma, in this order: feather 1, quill 2")

    # Bruno confirms his life, and reveals: all see the card, its text and the named card.
    bruno.get_by_role("button", name="20 life is right").tap()
    says(bruno, "You confirmed 20 life.")
    expect(page.get_by_role("list", name="Status of Bruno")).to_contain_text("Life confirmed")
    bruno.get_by_role("button", name=re.compile("^Look at it")).tap()
    bruno.get_by_role("button", name="Turn it face up").tap()
    for one in (bruno, watcher):
        says(one, "Natural Unity, names Forest Bear.", "Whenever it attacks, it grows.")
        expect(one.locator("details code.seal").first).to_be_hidden()
        assert complaints(one, WIDTH) == []
    says(page, "Bruno turns Natural Unity face up, which names Forest Bear")
    by = EventRow.objects.filter(entry__type__in=["agenda", "turn_up"])
    assert list(by.values_list("by", flat=True)) == [102, 102]

    # A revoked link shows and does nothing any more.
    hand.link(re.compile("^Phones"))
    page.get_by_role("button", name="Revoke the link of Bruno").tap()
    bruno.reload()
    see(bruno, "This page belongs to a player at the table")

    assert [console.complaints(403) for console in consoles] == [[], [], []]


@pytest.mark.usefixtures("cards")
def test_a_vote_without_a_connection_waits_on_the_players_phone_and_counts_once(page, others):
    hand, (bruno, _) = Hand(page), others
    hand.start("conspiracy", NAMES, first="Ada")
    score = page.url
    bruno.goto(link_of(page, hand, "Ada"))
    page.goto(score)
    hand.menu()
    with hand.answered():
        hand.tap(page.get_by_role("button", name="Messenger Jays"))
    group = bruno.get_by_role("group", name="You vote for")
    expect(group).to_be_visible()

    bruno.context.set_offline(True)
    group.get_by_role("button", name="quill").tap()
    expect(bruno.get_by_role("list", name="Taps on this phone")).to_contain_text("quill")
    bruno.context.set_offline(False)

    expect(page.get_by_role("group", name="Bruno votes for")).to_be_visible()
    expect(bruno.get_by_role("group", name="You vote for")).to_have_count(0)
    becomes(lambda: EventRow.objects.filter(entry__type="vote").count(), 1)
