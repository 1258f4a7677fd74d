"""No page loads itself again and again, however old it is when somebody comes back to it."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress

import pytest
from playwright.sync_api import Error, Page, expect

from scoring.conspiracy import splits
from scoring.groups.sets.membership import take_set
from scoring.groups.settings.commands import create_playgroup
from scoring.models import GameSet, Playgroup
from scoring.record import commands
from scoring.rules.corrections import Entry, Undo
from scoring.rules.formats import COALITION_906
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda
from scoring.rules.formats.conspiracy.zone import sealed
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT, EndDraft
from scoring.rules.moves import Draw
from scoring.rules.ruleset import Ruleset
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, record

from .hand import give_key, keep_score
from .looks import record_in, seat

pytestmark = pytest.mark.browser_context_args(storage_state=None)  # has not been here

ASKS = 4  # how often a page is made to ask what is new: one that loops loads itself each time
SECRET = sealed(ANN, "5f" * 16, "Hymn of the Wilds", ("Llanowar Reborn",))
PATIENCE = 1_000  # milliseconds for an answer
AT_ONCE = 4  # pages open side by side: each has a stream, and a browser opens six to a site


def begun(*entries: Entry, ruleset: Ruleset = COALITION_906) -> GameSet:
    return record_in(seat(3, ruleset=ruleset), *entries)


def called() -> GameSet:
    table = begun(HIT, Draw())
    commands.call_set(table)
    return table


def in_a_playgroup() -> GameSet:
    table = begun(HIT)
    commands.change_key(table, None)
    take_set(
        table, create_playgroup("Thursday", None, visibility="public", ruleset="coalition-906")
    )
    return table


HIT = hit(ANN, BO, 3)
SEALED = (PutAgenda(ANN, SECRET.seal), HIT)
# A table, and what makes its open pages old.
STATES: dict[str, tuple[Callable[[], GameSet], Callable[[GameSet], object]]] = {
    "over": (lambda: begun(HIT), lambda table: record(table, hit(ANN, BO, 18))),
    "split": (
        lambda: record_in(seat(5, ruleset=CONSPIRACY_DRAFT), EndDraft()),
        lambda table: splits.split(table, lambda number: f"the-key-{number}"),
    ),
    "private": (in_a_playgroup, lambda _: Playgroup.objects.update(visibility="private")),
    "turned up": (lambda: begun(*SEALED, ruleset=CONSPIRACY), lambda table: record(table, SECRET)),
    "sealed elsewhere": (lambda: begun(*SEALED, ruleset=CONSPIRACY), lambda _: None),
    "revoked": (lambda: begun(HIT), lambda table: commands.change_key(table, None)),
    "opened again": (lambda: begun(HIT, hit(ANN, BO, 18)), lambda table: record(table, Undo(2))),
    "taken back": (
        lambda: begun(ruleset=CONSPIRACY),
        lambda table: commands.take_back_game(table, 1),
    ),
    "finished": (lambda: begun(HIT, Draw()), commands.call_set),
    "goes on": (called, commands.reopen_set),
}
SHORT = 3  # of them


def pages_of(table: GameSet) -> list[str]:
    parts: list[tuple[object, ...]] = [("score",), ("watch",), ("table",), ("log",)]
    parts += [("links",), ("seat_decks",), ("more", 1), ("end", 1, "draw"), ("line", 1, 1)]
    parts += [("change_start", 1)]
    if table.rules.key == CONSPIRACY.key:
        parts += [("own", 1, "goad"), ("agendas", 1), ("turn_up", 1, SECRET.seal)]
    return [address(table, str(name), *rest) for name, *rest in parts]


def loads_of(page: Page) -> list[Page]:
    """Return a list that grows each time when a tab has loaded a page."""
    loads: list[Page] = []
    page.on("domcontentloaded", lambda page: loads.append(page))
    return loads


def ask(pages: Iterable[Page]) -> None:
    """Let the pages that follow their table ask what is new, again and again, side by side."""
    following = [page for page in pages if 'id="live"' in page.request.get(page.url).text()]
    for _ in range(ASKS):
        with ExitStack() as answers:
            for page in following:
                heard = page.expect_response(
                    lambda answer: "hx-request" in answer.request.headers, timeout=PATIENCE
                )
                # An error: the page is just being left, or follows no more. Not by evaluate, which
                # has no time limit and may wait for a page that is left for ever.
                answers.enter_context(suppress(Error))
                answers.enter_context(heard)
                with suppress(Error):
                    page.dispatch_event("html", "stale", timeout=PATIENCE)
        for page in following:
            page.wait_for_load_state()


@pytest.mark.parametrize("state", [*[*STATES][:SHORT], *long(*[*STATES][SHORT:])])
def test_no_page_of_a_table_loads_itself_twice(page, site, state):
    made, change = STATES[state]
    table = made()
    if state != "private":
        give_key(page, site, table)
    tabs = {name: page.context.new_page() for name in ("score", "watch", "table")}
    for name, tab in tabs.items():
        tab.goto(address(table, name))
    ask(tabs.values())
    times = {name: loads_of(tab) for name, tab in tabs.items()}

    change(table)

    ask(tabs.values())
    for tab in tabs.values():
        tab.close()
    paths = pages_of(table)
    for first in range(0, len(paths), AT_ONCE):
        opened = {path: page.context.new_page() for path in paths[first : first + AT_ONCE]}
        times |= {path: loads_of(tab) for path, tab in opened.items()}
        for path, tab in opened.items():
            tab.goto(path)
        ask(opened.values())
        for tab in opened.values():
            tab.close()
    by_hand = {path: 0 if path in tabs else 1 for path in times}
    assert {path: loads for path, loads in times.items() if len(loads) > by_hand[path] + 1} == {}


# Both at once: after a touch the page may load itself again at any moment.
AFTER_A_KEY = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
  return sessionStorage.getItem("reloaded");
}"""


def test_a_page_that_may_not_load_itself_again_says_all_the_same_that_it_is_closed(page, site):
    table = begun(HIT)
    keep_score(page, site, table)
    with page.expect_navigation():
        page.evaluate("() => reloadOnce()")
    loads = loads_of(page)

    commands.change_key(table, None)

    expect(page.get_by_role("heading", level=1)).to_have_text("Somebody else keeps score here")
    assert loads == []
    assert page.evaluate(AFTER_A_KEY) is None
