"""A scorekeeper's hand and eye: taps on a table's pages, counted, and what the pages then say."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

from django.test import Client
from playwright.sync_api import Error, Locator, Page, expect

from coalition_site.lib.keys import key_hash
from decks.models import Deck
from scoring.models import GameSet
from scoring.record import commands
from tests.scoring.tables import address, events
from tests.serving import Site

Board = dict[str, tuple[int, int]]

PATIENCE = 20  # seconds, on a busy machine
# A finger that rests between two taps, without waiting: static/js/table.js takes the second of two
# near ones for a tremble. Tests of that put it back.
STEADY = "Math.hypot = () => Infinity;"


def give_key(page: Page, site: Site, table: GameSet) -> None:
    """Let a browser, and no other, keep score of a table."""
    key = f"the-key-of-{table.code}"
    commands.change_key(table, key)
    page.context.add_cookies([{"name": f"key-{table.code}", "value": key, "url": site.address}])


def keep_score(page: Page, site: Site, table: GameSet) -> None:
    """Open the pad of a table in the browser, and no other, that keeps its score."""
    give_key(page, site, table)
    page.goto(address(table, "score"))


def give_deck(page: Page, site: Site, deck: Deck) -> None:
    key = f"the-key-of-{deck.code}"
    Deck.objects.filter(pk=deck.pk).update(key_hash=key_hash(key))
    page.context.add_cookies([{"name": f"deck-{deck.code}", "value": key, "url": site.address}])


def sign_in(page: Page, site: Site, browser: Client) -> None:
    """Be who is signed in in another browser."""
    session = browser.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])


def worker_is_there(page: Page) -> None:
    """Wait until the service worker has taken the page over: requests are not caught meanwhile."""
    becomes(lambda: page.evaluate("() => !!navigator.serviceWorker.controller"), True)


IS_STORED = """async () => {
  const menu = [`${location.pathname}1/more/`, "/static/js/sheet.js"];
  const parts = ["/offline/", location.pathname, ...menu].map((part) => caches.match(part));
  return (await Promise.all(parts)).every(Boolean);
}"""


def kept_open(page: Page) -> None:
    """Wait until the phone could open the pad and its menu without a connection."""
    worker_is_there(page)
    becomes(lambda: page.evaluate(IS_STORED), True)


class Hand:
    """Taps on the pages of one table, with a count of the taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Wait until the page is a new one, or another board stands in its place."""
        ids = self.page.locator(
            "#acts .undo input[name=tap_id], main:not(:has(#acts)) input[name=tap_id]"
        )
        before = ids.first.get_attribute("value")
        assert before, "no form here writes"
        yield
        self.page.locator(f'main:not(:has(input[name=tap_id][value="{before}"]))').wait_for()

    # --- the pad ---
    def source(self, name: str) -> None:
        self.tap(self._group("From").get_by_role("radio", name=name))

    def target(self, *names: str) -> None:
        for name in names:
            self.tap(self._group("To").get_by_role("checkbox", name=name))

    def kind(self, name: str) -> None:
        self.tap(self._group("Kind of damage").get_by_role("radio", name=name))

    def sign(self, name: str) -> None:
        self.tap(self.page.get_by_role("checkbox", name=re.compile(f"^{name}")))

    def number(self, number: int) -> None:
        with self.answered():
            self.tap(self.page.get_by_role("button", name=f"Hit for {number}", exact=True))

    def typed(self, number: int) -> None:
        self.tap(self.page.get_by_label("A larger number"))
        self.page.keyboard.type(str(number))
        with self.answered():
            self.tap(self.page.get_by_role("button", name="Hit", exact=True))

    def _group(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=re.compile(f"^{name}\\b"))

    # --- everything else ---
    def button(self, name: str | re.Pattern[str]) -> None:
        with self.answered():
            self.tap(self.page.get_by_role("button", name=name))

    def link(self, name: str | re.Pattern[str]) -> None:
        with self.page.expect_navigation():
            self.tap(self.page.locator("main, #sheet").get_by_role("link", name=name))

    def menu(self) -> None:
        """Open the sheet of seldom things; without JavaScript it is a page."""
        if not self.has_sheet:
            return self.link(re.compile("^More"))
        self.page.locator("#sheet").wait_for(state="attached")
        self.tap(self.page.get_by_role("main").get_by_role("link", name=re.compile("^More")))
        return self.sheet.locator("form").first.wait_for()

    @property
    def has_sheet(self) -> bool:
        return bool(self.page.evaluate("() => matchMedia('(scripting: enabled)').matches"))

    @property
    def sheet(self) -> Locator:
        return self.page.locator("#sheet" if self.has_sheet else "main")

    def in_sheet(self, name: str | re.Pattern[str]) -> None:
        """Follow a link from the sheet to another page that it shows."""
        if not self.has_sheet:
            return self.link(name)
        before = self.sheet.locator("h1").inner_text()
        self.tap(self.sheet.get_by_role("link", name=name))
        return expect(self.sheet.locator("h1")).not_to_have_text(
            re.compile(f"^({before}|One moment)$")
        )

    def close_sheet(self, name: str) -> None:
        if not self.has_sheet:
            return self.link(name)
        self.tap(self.sheet.get_by_role("link", name=name))
        return expect(self.sheet).to_be_hidden()

    def start(self, format_key: str, names: Sequence[str], first: str = "") -> None:
        """Start a table by taps from the home page, of a format, and say who begins there."""
        page = self.page
        page.goto("/")
        self.link("Change the format")
        if format_key:
            with page.expect_navigation():
                self.tap(page.locator(f'[name="switch"][formaction$="format={format_key}"]'))
        for seat, name in enumerate(names, 1):
            page.get_by_label(re.compile(rf"^\s*Seat {seat}")).fill(name)
        with page.expect_navigation():
            self.tap(page.get_by_role("button", name="Start"))
        if first:
            self.change_start(first)

    def change_start(self, name: str) -> None:
        self.link("Change")
        self.tap(self.page.get_by_role("radio", name=name))
        self.tap(self.page.get_by_role("button", name="Change the start"))
        expect(self.page.get_by_role("region", name="The start")).to_contain_text(name)

    def more(self, name: str, button: str, group: str) -> None:
        self.menu()
        self.tap(self._group("For whom").get_by_role("radio", name=name))
        with self.answered():
            self.tap(self._group(group).get_by_role("button", name=button, exact=True))


def becomes(read: Callable[[], object], wanted: object) -> None:
    """Wait until what is read of a page is as wanted: its parts change one after the other."""
    give_up = monotonic() + PATIENCE
    while (found := _read(read)) != wanted and monotonic() < give_up:
        sleep(0.05)
    assert found == wanted, found


def _read(read: Callable[[], object]) -> object:
    """Return what is read, or the error if a part went while it was read."""
    try:
        return read()
    except Error as error:
        return error


def tap(page: Page, target: str, amount: int) -> None:
    """Hit somebody, and wait for nothing."""
    page.get_by_role("checkbox", name=target).tap()
    page.get_by_role("button", name=f"Hit for {amount}", exact=True).tap()


def reception(page: Page, words: str | re.Pattern[str]) -> None:
    """Expect what the bar says of the connection; after a lost one it may be tried late."""
    bar = page.locator("#net")
    expect(bar).to_have_text(words, use_inner_text=True, timeout=PATIENCE * 1000)


def waiting(page: Page) -> list[str]:
    return words(page.locator("#outbox > li"))


KEPT_WORDS = """() => new Promise((resolve) => {
  indexedDB.open("outbox", 1).onsuccess = ({ target: { result } }) => {
    const asked = result.transaction("taps").objectStore("taps").getAll();
    asked.onsuccess = () => resolve(asked.result.map(({ words }) => words));
  };
})"""


def kept_words(page: Page) -> list[str]:
    """Return the words of the taps that the phone keeps until it hears that they are on record."""
    return page.evaluate(KEPT_WORDS)


def entries(table: GameSet) -> list[dict[str, Any]]:
    return [entry for _, entry, _ in events(table)]


def kinds(table: GameSet) -> list[str]:
    return [entry["type"] for entry in entries(table)]


def damage(table: GameSet) -> list[tuple[int, int, int]]:
    """Return who dealt whom how much."""
    return [
        (int(one["source"]), int(one["target"]), one["amount"])
        for entry in entries(table)
        for one in entry.get("hits", ())
    ]


def board(page: Page) -> Board:
    """Return each player's VP and life, from top to bottom."""
    return {
        _words(row.locator("h2 > span").first): (
            _number(row.locator(".vp b")),
            _number(row.locator(".life b")),
        )
        for row in page.locator(".player").all()
    }


def signs(page: Page, name: str) -> list[str]:
    found = page.get_by_role("list", name=f"Status of {name}").get_by_role("listitem")
    return [_words(sign) for sign in found.all()]


def last_event(page: Page) -> str:
    event = _words(page.get_by_role("region", name="Last events").get_by_role("listitem").first)
    return re.sub(r"^(\d+) ?", r"\1 ", event)  # drawn alike without a space


def words(what: Locator) -> list[str]:
    return [_words(one) for one in what.all()]


def problem(page: Page) -> Locator:
    return page.locator("main [role=alert]")


def see(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1, name=heading)).to_have_count(1)


def _words(what: Locator) -> str:
    return " ".join(what.inner_text().split())


def _number(what: Locator) -> int:
    [number] = re.findall(r"-?\d+", _words(what))
    return int(number)
