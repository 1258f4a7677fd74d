"""Each problem that the check finds is fixed in a single step, as far as the list allows it."""

import pytest

from decks.decks import building, legality
from decks.decks.building import Opened
from decks.rules.building import Build, lead, move, written
from decks.rules.deck import Code
from decks.rules.entries import Entry, Section
from decks.rules.fixes import Fixes
from decks.rules.rulesets import RULESETS
from tests.decks.cards import given, record
from tests.decks.faults import FAULTS, HERO, bring_pool
from tests.decks.lists import TODAY
from tests.decks.written import EZURI, deck


@pytest.fixture(autouse=True)
def _pool(db: None) -> None:
    bring_pool()


def judged(text: str, ruleset: str = "coalition-906", type: str = "") -> Fixes:
    rules = RULESETS[ruleset]
    resolved = legality.read_saved(text, rules)
    opened = building.open_list(resolved, rules, type)
    report = building.judge(opened, None, TODAY)
    return Fixes(opened.build, resolved.lines, report, resolved.closest, resolved.sure)


def offers(deck: Fixes) -> list[list[str]]:
    """Return what is offered for each problem, in words."""
    return [[fix.words for fix in found] for _, found in deck.by_problem()]


def fixed(deck: Fixes) -> Fixes:
    """Return a deck after the first fix of its first problem that has any."""
    fix = next(found[0] for _, found in deck.by_problem() if found)
    build = fix.change(deck.build)
    return judged(written(build), deck.ruleset.key, build.coalition_type)


def steps_to_legal(deck: Fixes) -> list[str]:
    """Return what is tapped until the deck is legal, or nothing more is offered."""
    taps = []
    while any(found := offers(deck)) and len(taps) < 9:
        taps.append(next(words[0] for words in found if words))
        deck = fixed(deck)
    return [*taps, "legal" if deck.report.legal else "not legal"]


STEPS = {
    "coalition-906-bad_line": ["Take out the line “0 Forest”", "legal"],
    "coalition-906-unknown_card": ["Take Elvish Mystic instead", "legal"],
    "coalition-906-main_size": ["Add 2 Forest to the main deck", "legal"],
    "coalition-906-sideboard_size": ["Take 1 Forest out of the sideboard", "legal"],
    "coalition-906-no_hero": ["not legal"],
    "coalition-906-several_heroes": [
        f"Make {HERO} the hero and take out Lathril",
        "Add 1 Forest to the sideboard",
        "legal",
    ],
    "coalition-906-not_a_hero": ["not legal"],
    "coalition-906-hero_copies": [
        f"Keep 1 {HERO}, in the sideboard",
        "Add 1 Forest to the main deck",
        "legal",
    ],
    "coalition-906-human_type": ["Choose the type Angel: all cards fit", "legal"],
    "coalition-906-not_a_hero_type": ["not legal"],
    "coalition-906-not_affiliated": [
        "Take out 4 Goblin Guide",
        "Add 4 Forest to the main deck",
        "legal",
    ],
    "coalition-906-legendary": [
        "Take out 1 Karn's Vault",
        "Add 1 Forest to the main deck",
        "legal",
    ],
    "coalition-906-too_many_copies": [
        "Keep 1 Negate, take out 1",
        "Add 1 Forest to the main deck",
        "legal",
    ],
    "coalition-906-banned": ["Take out 1 Balance", "Add 1 Forest to the main deck", "legal"],
    "coalition-906-not_in_pool": [
        "Take out 1 Silver Elf",
        "Add 1 Forest to the main deck",
        "legal",
    ],
    "leveler-sub_deck_size": ["Take 1 Forest out of sub-deck 1", "legal"],
    "leveler-not_singleton": [
        "Keep 1 Negate, take out 1",
        "Add 1 Forest to sub-deck 1",
        "legal",
    ],
    "leveler-banned": ["Take out 1 Black Lotus", "Add 1 Forest to sub-deck 1", "legal"],
}


OF_ONE_FORMAT = {Code.RESTRICTED, Code.CONSPIRACY_IN_DECK}  # in tests of their rules


def test_every_code_has_a_fault():
    assert {fault.code for fault in FAULTS} | OF_ONE_FORMAT == set(Code)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_taps_on_what_is_offered_lead_from_each_fault_to_a_legal_deck(fault):
    found = judged(fault.text, fault.ruleset, fault.type)
    (problem,) = found.report.problems
    assert (problem.code, problem.card, problem.line) == (fault.code, fault.card, fault.line)
    assert steps_to_legal(found) == STEPS[str(fault)]


def test_the_hero_is_chosen_from_the_legends_of_the_list():
    deck_of_main = judged(deck(EZURI, "1 Lathril", hero="", sizes=(60, 10)))

    assert offers(deck_of_main)[0] == [
        f"Make {HERO} the hero and move it to the sideboard",
        "Make Lathril the hero and move it to the sideboard",
    ]


def test_a_lone_legend_of_the_main_deck_is_moved_to_the_sideboard():
    misplaced = judged(deck(EZURI, hero="", sizes=(61, 9)))
    *sizes, hero = misplaced.by_problem()
    after = judged(written(hero[1][0].change(misplaced.build)))

    assert [problem.code for problem, _ in sizes] == ["main_size", "sideboard_size"]
    assert (after.report.hero, after.report.legal) == (HERO, True)


def test_a_legend_beside_the_hero_goes_out_or_into_the_heros_place():
    both = judged(deck("1 Lathril"))

    assert offers(both) == [
        [
            "Take out 1 Lathril",
            f"Make Lathril the hero, move it to the sideboard and take out {HERO}",
        ]
    ]
    change = both.by_problem()[0][1][1].change
    after = judged(written(change(both.build)))
    assert after.report.hero == "Lathril"
    assert "Ezuri" not in written(after.build)


def test_the_type_with_the_fewest_cards_out_of_place_is_offered():
    given(record("Old Warrior", "Creature — Human Warrior"))
    mixed = judged(deck("4 Old Warrior", "1 Elvish Mystic"), type="Elf")

    assert offers(mixed) == [
        ["Take out 4 Old Warrior", "Choose the type Warrior: 1 card out of place"]
    ]


def test_all_cards_that_do_not_fit_go_out_at_once():
    given(record("Goblin King", "Creature — Goblin"))
    goblins = judged(deck("4 Goblin Guide", "2 Goblin King", "4 Elvish Mystic"))

    assert offers(goblins) == [
        ["Take out 4 Goblin Guide", "Take out all 6 cards that do not fit"],
        ["Take out 2 Goblin King"],
    ]


def test_what_is_beyond_a_full_main_deck_may_be_the_sideboard():
    flat = judged("4 Elvish Mystic\n56 Forest\n1 Lathril\n9 Forest")

    assert steps_to_legal(flat) == ["Make the last 10 cards the sideboard", "legal"]


def test_no_legend_is_offered_as_the_hero_that_can_not_lead_a_legal_deck():
    nowhere = {"vintage": "not_legal", "legacy": "not_legal"}
    given(record("Rose", "Legendary Creature — Human"))
    given(record("Joke Elf", "Legendary Creature — Elf", legalities=nowhere))
    several = judged(deck("4 Elvish Mystic", side=("1 Rose", "1 Joke Elf"), hero="1 Lathril"))

    assert offers(several)[0] == ["Make Lathril the hero and take out Rose and Joke Elf"]


def test_a_list_for_leveler_without_headings_is_parted_by_its_order():
    flat = judged("60 Forest\n1 Negate\n39 Forest", "leveler")
    after = fixed(flat)

    assert offers(flat) == [["Divide the list in order: 50, 30, 20"], [], []]
    assert (after.report.legal, written(after.build)) == (
        True,
        "Level 1\n50 Forest\n\nLevel 2\n10 Forest\n1 Negate\n19 Forest\n\nLevel 3\n20 Forest\n",
    )


def test_a_card_that_moves_or_leads_keeps_its_printing():
    elf, side = "Elvish Mystic", Section.SIDEBOARD
    build = Build(
        (
            Entry(1, 1, elf, Section.MAIN, printing="(AVR) 172"),
            Entry(2, 1, elf, Section.MAIN, printing="(M13) 168 *F*"),
            Entry(3, 1, elf, side, printing="(AVR) 172"),
            Entry(4, 1, "Ezuri", Section.MAIN, printing="(C15) 44"),
        )
    )

    moved = lead(move(build, elf, Section.MAIN, 2), "Ezuri")

    cards = "2 Elvish Mystic (AVR) 172\n1 Elvish Mystic (M13) 168 *F*\n"
    assert written(moved) == f"Sideboard\n1 Ezuri (C15) 44 *HERO*\n{cards}"
    assert written(move(moved, elf, side, 3)) == (
        f"Deck\n{cards}\nSideboard\n1 Ezuri (C15) 44 *HERO*\n"
    )


def opened(text: str) -> Opened:
    ruleset = RULESETS["coalition-906"]
    return building.open_list(legality.read(text, ruleset), ruleset, "")


@pytest.mark.parametrize("bad", ["0 Forest", "prose " * 40, '<card number="4" name="Ox"/>'])
def test_what_is_opened_is_written_back_as_the_same_deck(bad):
    text = deck("4 elvish mystic", "1 Nobody at all", bad, side=("1 Negate",))
    text += "\nMaybeboard\n2 Forest"

    first = opened(text)
    again = opened(written(first.build))
    assert [
        (entry.count, entry.name, entry.section, entry.is_hero) for entry in again.build.entries
    ] == sorted(
        ((entry.count, entry.name, entry.section, entry.is_hero) for entry in first.build.entries),
        key=lambda entry: entry[2],
    )
    for opened_list in (first, again):
        assert [line.text for line in opened_list.build.bad_lines] == [bad]
        [left_out] = opened_list.build.left_out
        assert (left_out.count, left_out.name) == (2, "Forest")


def test_a_broken_file_is_written_as_a_list_of_the_same_cards():
    file = '<zone name="main">\n<card number="4" name="Forest"/>\n<card number="4" '

    again = opened(written(opened(file).build))

    assert [(one.count, one.name) for one in again.build.entries] == [(4, "Forest")]
    assert [line.text for line in again.build.bad_lines] == ['0 0 <card number="4"']


FILE = '<deck version="1">\n{}\n<zone name="main">\n<card number="4" name="Forest"/></zone></deck>'


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        (FILE.format("SB: 2 Llanowar Elves"), "0 0 SB: 2 Llanowar Elves"),
        (FILE.format("Sideboard"), "0 0 Sideboard"),
        ("Name\tQty\tPrice\nForest\t4\t1\nOx\t\t4", "0 0 Ox  4"),
    ],
)
def test_a_bad_line_of_a_file_or_a_table_stays_one(text, bad):
    for _ in range(2):
        build = opened(text).build
        text = written(build)

        assert [(one.count, one.name) for one in build.entries] == [(4, "Forest")]
        assert [line.text for line in build.bad_lines] == [bad]
