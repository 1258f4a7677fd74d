"""Every page, on small and large screens, in light and dark."""

import re

import pytest
from playwright.sync_api import Error, Page, expect

from scoring.record import commands
from scoring.rules.formats import COALITION_906, LEVELER, RULESETS
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.conspiracy.combat import GoadCreature
from scoring.rules.formats.leveler import LEVELS, UseUpLibrary
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars.moves import Attack, BeginPhase, DamageZone, PlayLegend
from scoring.rules.moves import ChangePoison, CrownMonarch, Hold
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, hit, together
from tests.scoring.tables import address, record

from . import looks, looks_of_decks, looks_of_formats
from .checks import DESKTOP, PHONES, TABLET, Console, complaints_on, crowding
from .hand import becomes, give_deck, give_key, keep_score, signs
from .looks import LONG_NAMES, Look, seat
from .looks_of_formats import NAMES as WHOLE  # of twenty letters, in words that a row has room for
from .looks_of_formats import begun

pytestmark = pytest.mark.browser_context_args(color_scheme="light")

NAMES_OF_20 = [
    "Maximiliane Konstanz",
    "Wwwwwwwwwwwwwwwwwwww",
    "Ünal Çağlar Öztürkoğ",
    "Abcdefghijklmnopqrst",
    "محمد الحسن بن عبدالل",
    "Sixtina von der Höhe",
]
ROLLS_ALIKE = 320  # a seed with which two players of four roll the same three times, and highest


def show(page: Page, look: Look, site) -> None:
    """Open a page as the browser of who looks."""
    # Else the page before would follow its table without a key. Of the site, so that the browser
    # starts no new process.
    page.goto("/static/favicon.svg")
    page.context.clear_cookies(name=re.compile("^(key|deck)-"))
    if look.table:
        give_key(page, site, look.table)
    if look.deck:
        give_deck(page, site, look.deck)
    page.goto(look.path)
    look.tap(page)
    page.wait_for_load_state()  # what a tap brought may be read before its sheet is there


@pytest.mark.parametrize(
    "some_looks",
    [
        *(looks.without_a_table, looks.on_the_pad, looks.that_ask, looks.between_games),
        *(looks.of_the_log, looks.for_everybody, looks_of_decks.every_look),
        *(looks_of_formats.of_leveler_and_wars, looks_of_formats.of_drafts),
        looks_of_formats.of_conspiracy,
    ],
    ids=lambda one: f"{one.__module__.rpartition('.')[2]} {one.__name__}",
)
def test_every_page_fits_fingers_and_readers_and_complains_of_nothing(page, site, some_looks):
    page.set_default_timeout(3_000)  # of a tap: what lies over its key is told
    page.set_default_navigation_timeout(30_000)
    console = Console(page)

    wrong = []
    for look in some_looks():
        try:
            show(page, look, site)
        except Error as error:
            lines = [line.strip(" -") for line in error.message.splitlines()]
            found = [next((line for line in lines if "intercepts" in line), lines[0])]
        else:
            found = complaints_on(page, [*PHONES, DESKTOP]) + console.complaints(look.status)
        wrong += [f"{look.name}: {what}" for what in found]

    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_player_and_the_whole_pad_are_seen_without_scrolling(page, site, players):
    table = seat(players)
    record(table, hit(ANN, BO, 3), hit(ANN, BO, 2))
    keep_score(page, site, table)

    all_is_seen(page)


def test_empty_libraries_take_the_pad_no_room(page, site):
    used_up = [UseUpLibrary((ANN, BO, CY, DI), "emptied")] * LEVELS
    last = hit(ANN, BO, 1)  # after which there is nothing more to do
    keep_score(page, site, begun(LEVELER, LONG_NAMES[:4], hit(ANN, BO, 27), *used_up, last))

    all_is_seen(page)
    assert complaints_on(page, PHONES) == []
    becomes(lambda: signs(page, LONG_NAMES[BO - 1]), ["library empty"])


GOADS = [
    GoadCreature(seat, name, ANN) for seat in (BO, CY) for name in ("Ogre", "Goblin Racketeer")
]
BURNING = (DamageZone((ANN, BO), "kingdom", 9), PlayLegend(BO))
ATTACK = (BeginPhase("battlefield"), Attack(DI, "battlefield"))
# Shortened names and what else stands on keys, with the words of the bar.
LABELS = ".console small, .seats b, .setbar .grow"
CUT = (
    "(labels) => labels.filter((one) => one.scrollHeight > one.clientHeight + 3 || "
    "one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.trim())"
)


@pytest.mark.parametrize(
    ("ruleset", "names", "entries"),
    [
        pytest.param(
            CONSPIRACY, WHOLE[:5], [CrownMonarch(ANN), *GOADS, hit(ANN, BO, 1)], id="goads"
        ),
        pytest.param(REALM_WARS, WHOLE[:6], [*BURNING, *ATTACK], id="three zones a player"),
        pytest.param(
            LEVELER, WHOLE[:6], [hit(ANN, BO, 11), UseUpLibrary((CY,), "emptied")], id="six"
        ),
        pytest.param(
            COALITION_906, ["Ann", "Bo", "Cy"], [hit(ANN, CY, 20), hit(BO, CY, 5)], id="a death"
        ),
        pytest.param(COALITION_906, WHOLE[:5], [hit(ANN, BO, 3)], id="names"),
    ],
)
def test_every_row_of_a_crowded_table_is_seen_and_no_label_is_cut(
    page, site, ruleset, names, entries
):
    keep_score(page, site, begun(ruleset, names, *entries))

    for width, height in (360, 740), (393, 852):
        page.set_viewport_size({"width": width, "height": height})
        assert min(page.evaluate(ROOM)) >= 0, f"on {width} px"
        assert page.locator(LABELS).evaluate_all(CUT) == []


def test_reminders_fold_and_open_by_a_tap(page, site):
    keep_score(page, site, begun(CONSPIRACY, NAMES_OF_20[:5], CrownMonarch(ANN), *GOADS))
    reminders = page.locator("#reminders")

    expect(reminders.locator("li").first).to_be_hidden()
    reminders.locator("summary").tap()
    expect(reminders.locator("li").first).to_be_in_viewport()


def test_rolled_dice_leave_room_for_names_and_signs(page, site):
    table = commands.create_set(RULESETS["realm-wars"], LONG_NAMES[:4], seed=ROLLS_ALIKE)
    commands.start_game(table, 1)
    give_key(page, site, table)

    for view in ("score", "watch"):
        page.goto(address(table, view))
        expect(page.locator(".player .signs").nth(1)).to_contain_text(
            "19, again 5, again 1, again 3"
        )
        assert complaints_on(page, [*PHONES, TABLET]) == []


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_no_key_covers_another_and_nothing_is_cut_or_behind_the_pad(page, site, players):
    table = begun(LEVELER if players > 5 else COALITION_906, NAMES_OF_20[:players])
    keep_score(page, site, table)
    at_the_start = crowding(page)
    record(
        table, ChangePoison({BO: 2}), Hold(BO, cannot_lose=True, cannot_win=True), hit(ANN, BO, 3)
    )
    page.reload()
    after_a_hit = crowding(page)

    assert at_the_start + after_a_hit == []


# How much room the rows have above the pad, and the pad above the end of the screen.
ROOM = """() => {
  const bottom = (one) => document.querySelector(one).getBoundingClientRect().bottom;
  const pad = document.querySelector(".console").getBoundingClientRect();
  return [pad.top - bottom(".player:last-child"), innerHeight - pad.bottom];
}"""


def all_is_seen(page: Page) -> None:
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        assert min(page.evaluate(ROOM)) >= 0, f"on {width} px"


# --- what a tap brought about ---
LONG = ["Bartholomew Ashbrook", "Maximilian Wetterling", "Dorothea von Hohenfels", "Cleo", "Di"]
LEVEL_UPS = [
    f"{LONG[1]}, level 2: exile your library, shuffle in your 30",
    f"{LONG[2]}, level 3: exile your library, shuffle in your 20",
    f"{LONG[3]} and {LONG[4]}, level 2: exile your library, shuffle in your 30",
]
AT_ONCE = together(*(hit(ANN, seat, 10, "other") for seat in (BO, CY, DI, EV)))

# What of an element lies in the view, and under no other one.
IS_IN_SIGHT = """(line) => {
  const { left, top, bottom } = line.getBoundingClientRect();
  const at = (y) => line.contains(document.elementFromPoint(left + 2, y));
  return top >= 0 && bottom <= innerHeight && at(top + 2) && at(bottom - 2);
}"""


LOW_SCREENS = [(320, 568), (390, 664), (852, 393)]


@pytest.mark.parametrize("size", LOW_SCREENS, ids=lambda size: f"{size[0]}")
def test_all_that_a_tap_brought_about_is_in_sight_on_a_board_scrolled_down(page, site, size):
    table = begun(LEVELER, LONG)
    record(table, hit(ANN, CY, 10, "other"))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    keep_score(page, site, table)
    page.locator(".scrolls").evaluate("(board) => { board.scrollTop = 9_999; }")

    record(table, AT_ONCE)

    lines = page.locator("#happened > li")
    expect(lines).to_have_text(LEVEL_UPS)
    expect(lines.first).to_be_in_viewport(ratio=1)
    for line in lines.all():
        line.scroll_into_view_if_needed()
        assert line.evaluate(IS_IN_SIGHT)


@pytest.mark.parametrize("name", ["watch", "table"])
def test_the_tablet_and_the_watching_phones_are_told_the_same(page, site, name):
    table = begun(LEVELER, LONG)
    record(table, hit(ANN, CY, 10, "other"))
    page.goto(address(table, name))

    record(table, AT_ONCE)

    lines = page.locator("#happened > li:not(.move)")
    expect(lines).to_have_text(LEVEL_UPS)
    for width, height in LOW_SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert all(line.evaluate(IS_IN_SIGHT) for line in lines.all())
