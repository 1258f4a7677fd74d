"""What every page is held to: its width, its targets for fingers, its console, and axe-core."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Page

Screen = tuple[int, int]  # width and height in CSS pixels

PHONES = [(360, 640), (393, 852)]
TABLET = (768, 1024)
DESKTOP = (1280, 800)
DESK = {
    "viewport": {"width": DESKTOP[0], "height": DESKTOP[1]},
    "is_mobile": False,
    "has_touch": False,
}
SEVEN = [(320, 568), (344, 882), (360, 740), (393, 852), (390, 664), (852, 393), DESKTOP]
TEXT_SIZES = (16, 24)  # CSS pixels: as browsers are set up, and 150 %
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FINGER = 48  # CSS pixels
SEEN: set[tuple[bool, str]] = set()  # what axe has looked at in this run, on wide screens or not
RULES = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}

# Names each target that is too small for a finger, or covered by something else. A box stands
# for the label around it; a link in a sentence and what only readers hear are exempt. What is
# larger than it looks, by an overlay of its own, is felt for.
TARGETS = """
(finger) => {
  const found = [];
  const isInSentence = (one) =>
    getComputedStyle(one).display === "inline" &&
    one.parentElement.textContent.trim() !== one.textContent.trim();
  const isBox = (one) => one.matches("[type=radio], [type=checkbox]");
  const all = "a[href], button, input, select, summary, textarea";
  const reachable = document.querySelector("dialog:modal") ?? document;
  for (const one of reachable.querySelectorAll(all)) {
    if (one.type === "hidden" || one.closest(".vh") || !one.checkVisibility()) continue;
    if (one.tagName === "A" && isInSentence(one) && !one.matches(".plain")) continue;
    const target = (isBox(one) && one.closest("label")) || one;
    const hits = (x, y) => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const met = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y);
      return met && (target.contains(met) || [...(one.labels ?? [])].some((l) => l.contains(met)));
    };
    const isMet = ["center", "start", "end"].some((block) => {
      target.scrollIntoView({ block, behavior: "instant" });
      return hits(0, 0);
    });
    const { width, height } = target.getBoundingClientRect();
    const said = (one.labels?.[0] ?? one).innerText.trim().replace(/\\s+/g, " ");
    const name = `${one.tagName.toLowerCase()} "${said || one.name}"`;
    const reach = finger / 2 - 1;
    const isWide = width > finger - 0.5 || (hits(reach, 0) && hits(-reach, 0));
    const isHigh = height > finger - 0.5 || (hits(0, reach) && hits(0, -reach));
    if (!isWide || !isHigh) found.push(`${name} is ${width.toFixed(1)} x ${height.toFixed(1)}`);
    if (!isMet) found.push(`${name} is covered wherever one scrolls`);
  }
  scrollTo(0, 0);
  return found;
}
"""
WIDEST = """
() => [...document.body.querySelectorAll("*")]
  .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => `${one.tagName.toLowerCase()}.${one.className.baseVal ?? one.className}`)
  .slice(0, 3)
"""
BURST = """
() => [...document.querySelectorAll(".card, .sheet, .console, .top nav, .dial .face>span")]
  .filter((one) => !one.matches(".vh"))
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => `"${one.innerText.trim().split("\\n")[0]}" needs ${one.scrollWidth} px in ` +
    `${one.clientWidth}`)
"""
# Names badges that are drawn wider or higher than their words, numbers that stand in two lines,
# and names and signs of a player's row without room, or printed over each other.
SQUEEZED = """
() => {
  const box = (one) => one.getBoundingClientRect();
  const said = (one) => (one.innerText ?? "a sign").trim().replace(/\\s+/g, " ");
  const words = (one) => {
    const all = document.createRange();
    all.selectNodeContents(one);
    return all.getBoundingClientRect();
  };
  const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
  const bars = shown(".flag").filter((one) => box(one).width > words(one).width + 24);
  const broken = shown(".peek li > b, .log .no").filter((one) => words(one).height > 30);
  const inRow = ".player :is(h2 > *, .signs li, .life b, .life > span, .vp b, .delta)";
  const parts = shown(inRow).filter((one) => !one.matches(".vh, :has(.vh:only-child)"));
  const cut = (one) => {
    const { left, right, top, bottom } = box(one);
    const room = box(one.closest(".signs") ?? one);
    return { left, right: Math.min(right, room.right), top, bottom };
  };
  const isOver = (one, other) => {
    const [a, b] = [cut(one), cut(other)];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 1 && high > 3;
  };
  const over = parts.flatMap((one, at) =>
    parts.slice(at + 1).filter((other) => isOver(one, other)).map((other) => [one, other]));
  const lost = shown(".player h2 > span:not(.vh)").filter((one) => box(one).width < 12);
  return [
    ...lost.map((one) => `no room for the name "${said(one)}"`),
    ...bars.map((one) => `badge "${said(one)}" is a bar`),
    ...broken.map((one) => `number ${said(one)} stands in two lines`),
    ...over.map(([one, other]) => `"${said(one)}" is printed over "${said(other)}"`),
  ];
}
"""
# Names keys that lie over each other, words without room, words that are broken though they would
# fit in a line, and controls of the board that are covered once they are scrolled into view. Names
# of players may be shortened: their shields and what readers hear tell them apart.
CROWDED = """
() => {
  const box = (one) => one.getBoundingClientRect();
  const text = (one) => one.innerText.trim().replace(/\\s+/g, " ");
  const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
  const keys = shown(".console :is(.face, .n, .btn, .typed input, .toxic input):not(.vh)");
  const isOver = (one, other) => {
    const [a, b] = [box(one), box(other)];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 1 && high > 1;
  };
  const over = keys.flatMap((one, at) =>
    keys.slice(at + 1).filter((other) => isOver(one, other)).map((other) => [one, other]));
  const words = shown(".console :is(.face, .n, .btn), .face>span, .flags, .signs, .signs span, " +
    ".player :is(.life, .vp, b), .overview .btn")
    .filter((one) => !one.matches(".vh, .key[class*=seat-] *, :has(> bdi)"));
  const cut = words.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth);
  const isOutside = (one) => box(one).right > innerWidth + 1 || box(one).left < -1;
  const outside = shown("main :is(a, button, b, span, li, svg)")
    .filter((one) => !one.closest(".vh, h2, bdi, small, .face, .setbar .grow") && isOutside(one));
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest(".vh")) continue;
    for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
      const rows = new Set(lines.map(({ top }) => Math.round(top)));
      const length = lines.reduce((sum, { width }) => sum + width, 0);
      const block = "li, h2, legend, .peek, .btn, .face, main";
      const room = box(node.parentElement.closest(block)).width;
      if (rows.size > 1 && length < room * 0.9) broken.push(word);
    }
  }
  const behind = shown(".overview :is(a, button, summary)").filter((one) => {
    one.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { left, top, width, height } = box(one);
    return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  return [
    ...over.map(([one, other]) => `key "${text(one)}" lies over "${text(other)}"`),
    ...cut.map((one) => `"${text(one)}" is cut`),
    ...outside.map((one) => `"${text(one)}" reaches out of the screen`),
    ...broken.map((word) => `"${word}" is broken`),
    ...behind.map((one) => `"${text(one)}" is behind something`),
  ];
}
"""
# Names the rules of site.css that a page which does without it would need.
MISSING = """
async () => {
  const has = [...document.styleSheets].map((sheet) => sheet.href.split("/").at(-1));
  if (has.includes("site.css")) return [];
  const sheet = new CSSStyleSheet();
  await sheet.replace(await (await fetch("/static/site.css")).text());
  const onScreen = (rules) => [...rules].filter(({ media }) => media?.mediaText !== "print");
  const selectors = (rules) => onScreen(rules).flatMap((rule) =>
    rule.selectorText ? [rule.selectorText] : selectors(rule.cssRules));
  return selectors(sheet.cssRules)
    .filter((selector) => document.querySelector(selector.replaceAll(/::[a-z-]+/g, "")))
    .map((selector) => `"${selector}" is in site.css, which is not here`);
}
"""
# What a page is built of: each element with its parent, by tag, classes, role and type.
SKELETON = """
() => {
  const bone = (one) =>
    [one.tagName, ...one.classList, one.getAttribute("role"), one.type].join(".");
  const all = [...document.querySelectorAll("body *")];
  return [...new Set(all.map((one) => `${bone(one.parentElement)} > ${bone(one)}`))];
}
"""
ASK_AXE = """
async ({ type, values }) => {
  const found = await axe.run(document, {
    runOnly: { type, values }, resultTypes: ["violations"],
  });
  return found.violations.map(({ id, nodes }) =>
    `axe ${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.html}`).join(" | ")}`);
}
"""


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
    """Return what is wrong with a page as it is shown."""
    misfits = _misfits(page, width) + page.evaluate(MISSING)
    return misfits + (_axe(page, RULES) if _is_new(page) else [])


def complaints_on(page: Page, screens: Sequence[Screen]) -> list[str]:
    """Return what is wrong with a light page on screens of these sizes, and with its colours in
    the dark."""
    found: list[str] = page.evaluate(MISSING)
    for width, height in screens:
        page.set_viewport_size({"width": width, "height": height})
        wrong = _misfits(page, width)
        if _is_new(page):
            wrong += _axe(page, RULES) + _in_the_dark(page)
        found += [f"{width} px: {what}" for what in wrong]
    page.set_viewport_size({"width": screens[0][0], "height": screens[0][1]})
    return found


def crowding(page: Page, screens: Sequence[Screen] = SEVEN) -> list[str]:
    """Return what has no room on a table's page on these screens, at usual and at larger text."""
    found = []
    for text_size in TEXT_SIZES:
        set_text_size(page, text_size)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            wrong = _too_wide(page, width) + page.evaluate(CROWDED)
            wrong += _axe(page, RULES) if _is_new(page) else []
            found += [f"{width} x {height}, {text_size} px: {what}" for what in wrong]
    set_text_size(page, TEXT_SIZES[0])
    return found


def set_text_size(page: Page, size: int) -> None:
    """Set up the browser as visitors do who want larger text."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})
    session.detach()


def _in_the_dark(page: Page) -> list[str]:
    """Return what is wrong with the colours of a light page's dark theme: nothing else differs."""
    page.emulate_media(color_scheme="dark")
    found = [f"in the dark: {what}" for what in _axe(page, OF_COLOURS)]
    page.emulate_media(color_scheme="light")
    return found


def _misfits(page: Page, width: int) -> list[str]:
    wide = _too_wide(page, width) + page.evaluate(BURST) + page.evaluate(SQUEEZED)
    return wide + page.evaluate(TARGETS, FINGER)


def _too_wide(page: Page, width: int) -> list[str]:
    wide = page.evaluate("() => Math.max(document.documentElement.scrollWidth, innerWidth)")
    if wide <= width:
        return []
    return [f"{wide} px wide by {', '.join(page.evaluate(WIDEST)) or 'something'}"]


def _is_new(page: Page) -> bool:
    """Return whether a page is built of anything that axe has not seen on such a screen."""
    is_wide = page.evaluate("() => innerWidth") >= DESKTOP[0]
    built_of = {(is_wide, part) for part in page.evaluate(SKELETON)}
    is_new = not built_of <= SEEN
    SEEN.update(built_of)
    return is_new


def _axe(page: Page, rules: dict[str, Any]) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe_source())  # a script tag would be against the page's policy
    return page.evaluate(ASK_AXE, rules)


@cache
def _axe_source() -> str:
    return AXE.read_text()
