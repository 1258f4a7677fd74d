"""What every page is held to: its width, its targets for fingers, its console, and axe-core."""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Page

Screen = tuple[int, int]  # width and height in CSS pixels

PHONES = [(360, 640), (393, 852)]
TABLET = (768, 1024)
DESKTOP = (1280, 800)
SCREENS = [*PHONES, TABLET, DESKTOP]
DESK = {
    "viewport": {"width": DESKTOP[0], "height": DESKTOP[1]},
    "is_mobile": False,
    "has_touch": False,
}
SEVEN = [(320, 568), (344, 882), (360, 740), (393, 852), (390, 664), (852, 393), DESKTOP]
TEXT_SIZES = (16, 24)  # CSS pixels: as browsers are set up, and 150 %
HERE = Path(__file__).parent
FINGER = 48  # CSS pixels
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def ask(page: Page, name: str, argument: object = None) -> Any:
    """Return what one of the functions of checks.js returns of a page with all its style sheets."""
    page.wait_for_load_state()
    return page.evaluate(f"(argument) => {_scripts('checks.js')}.{name}(argument)", argument)


@cache
def _scripts(name: str) -> str:
    return (HERE / name).read_text().strip()


class Console:
    """What a page complains of: errors, warnings, breaches of the content security policy."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.said.append(f"console {message.type}: {message.text}")

    def complaints(self, status: int) -> list[str]:
        """Return what was said since it was asked last, apart from an expected answer's status."""
        said, self.said = self.said, []
        expected = f"responded with a status of {status} "
        return [text for text in said if status == 200 or expected not in text]


def complaints(page: Page, width: int) -> list[str]:
    """Return what is wrong with a light page as it is shown, and with its colours in the dark."""
    return ask(page, "missing") + _wrong(page, width)


def complaints_on(page: Page, screens: Sequence[Screen]) -> list[str]:
    """Return what is wrong with a page on screens of these sizes; on the first it stays."""
    found: list[str] = ask(page, "missing")
    for width, height in reversed(screens):
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width} px: {what}" for what in _wrong(page, width)]
    return found


def _wrong(page: Page, width: int) -> list[str]:
    look = ask(page, "look", FINGER)
    return look["wrong"] + _too_wide(page, look["width"], width) + _axe_if_new(page)


def seen(page: Page, console: Console, where: str) -> list[str]:
    """Return what is wrong with a page on every screen; its header is one line on the narrowest."""
    answer = page.goto(where)
    assert answer
    found = complaints_on(page, SCREENS) + console.complaints(answer.status)
    for header in page.locator(".top").all():  # a screen for a room has none
        height = header.bounding_box()["height"]
        found += [f"the header is {height} px high"] if height > 56 else []
    return [f"{where}: {what}" for what in found]


def crowding(page: Page, screens: Sequence[Screen] = SEVEN) -> list[str]:
    """Return what has no room on a table's page on these screens, at usual and at larger text."""
    found = []
    for text_size in TEXT_SIZES:
        set_text_size(page, text_size)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            wrong = ask(page, "crowded") + _axe_if_new(page)
            wrong += _too_wide(page, ask(page, "width"), width)
            found += [f"{width} x {height}, {text_size} px: {what}" for what in wrong]
    set_text_size(page, TEXT_SIZES[0])
    return found


def set_text_size(page: Page, size: int) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})
    session.detach()


def _too_wide(page: Page, needed: int, width: int) -> list[str]:
    if needed <= width:
        return []
    return [f"{needed} px wide by {', '.join(ask(page, 'widest')) or 'something'}"]


def _axe_if_new(page: Page) -> list[str]:
    """Return what axe finds, if anything of the page is built as axe has seen nothing yet."""
    seen = Path(os.environ["SEEN_BY_AXE"])  # in this run, by all of its workers: see conftest.py
    seen.touch()
    new = set(ask(page, "skeleton")).difference(seen.read_text().splitlines())
    if not new:
        return []
    with seen.open("a") as file:
        file.writelines(f"{bone}\n" for bone in new)
    if not page.evaluate("() => 'axe' in window"):
        # A script tag would be against the page's policy.
        page.evaluate(_scripts("vendor/axe.min.js"))
    found: list[str] = ask(page, "ask", RULES)
    page.emulate_media(color_scheme="dark")
    found += [f"in the dark: {what}" for what in ask(page, "ask", OF_COLOURS)]
    page.emulate_media(color_scheme="light")
    return found
