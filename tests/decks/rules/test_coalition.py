"""Decks of Coalition, fault by fault, on invented cards."""

from datetime import date

import pytest

from decks.rules.deck import Banned, Bans, OutOfPlace
from decks.rules.rulesets import COALITION_906, COALITION_2026, COALITION_README, RULESETS
from scoring.rules.formats import RULESETS as TABLES

from ..written import EZURI, deck
from .judged import codes, judge, reported

MARCH = date(2026, 3, 9)
HERO = "Ezuri, Claw of Progress"
NOT_HUMAN = "The coalition type may not be Human."
CHANGE = "change the type."
TAKE_OUT = f"take it out, or {CHANGE}"
coalitions = pytest.mark.parametrize(
    "ruleset", [COALITION_906, COALITION_README, COALITION_2026], ids=lambda ruleset: ruleset.key
)


def the_only(report):
    """Return the one problem of a report."""
    (problem,) = reported(report)
    return problem


# --- the whole ---
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_unread_line_is_a_problem_of_a_deck_of_any_format(ruleset):
    report = judge("0 Forest\n1 Forest", ruleset)

    assert ("bad_line", None, 1, "The count must be from 1 to 999.") in reported(report)


@coalitions
def test_legal_deck_is_reported_with_its_hero_type_and_counts(ruleset):
    report = judge(deck("4 Elvish Mystic", "1 Negate", "1 Elvish Fury"), ruleset)

    assert (report.ruleset, report.legal, reported(report)) == (ruleset.key, True, [])
    assert (report.hero, report.coalition_type) == (HERO, "Elf")
    assert report.possible_types == ("Elf",)
    assert report.counts == {"main": 60, "sideboard": 10}
    assert report.out_of_place == (
        OutOfPlace("Elf", 0, ()),
        OutOfPlace("Warrior", 5, ("Elvish Mystic", "Elvish Fury")),
    )


def test_problems_of_the_deck_come_first_then_those_of_lines_in_order():
    text = deck(
        "2 Negate", "0 Forest", "5 Goblin Guide", "1 Nobody", "1 Villager",
        side=("5 Dryad Arbor", "1 Karn's Vault"), hero="2 Kaalia", sizes=(59, 11),
    )  # fmt: skip

    report = judge(text, coalition_type="Human")

    assert [(one.code.value, one.card, one.line) for one in report.problems] == [
        ("main_size", None, None),
        ("sideboard_size", None, None),
        ("human_type", None, None),
        ("hero_copies", "Kaalia", 2),
        ("not_affiliated", "Dryad Arbor", 3),
        ("too_many_copies", "Dryad Arbor", 3),
        ("legendary", "Karn's Vault", 4),
        ("too_many_copies", "Negate", 7),
        ("bad_line", None, 8),
        ("not_affiliated", "Goblin Guide", 9),
        ("too_many_copies", "Goblin Guide", 9),
        ("unknown_card", "Nobody", 10),
    ]


def test_card_on_several_lines_is_reported_once_per_code_at_its_first_line():
    report = judge(deck("2 Goblin Guide", "1 Negate", "2 Goblin Guide", side=("1 goblin GUIDE",)))

    no_elf = f"Goblin Guide belongs to Goblin, Scout, not to Elf: {TAKE_OUT}"
    too_many = "5 copies of Goblin Guide: 4 is the limit for a creature. Take out 1."
    assert reported(report) == [
        ("not_affiliated", "Goblin Guide", 3, no_elf),
        ("too_many_copies", "Goblin Guide", 3, too_many),
    ]


def test_rulesets_have_the_names_that_tables_know_them_by():
    names = {key: ruleset.name for key, ruleset in RULESETS.items() if key in TABLES}

    assert names == {key: TABLES[key].name for key in names}


# --- sizes ---
ONE = "take out 1."
MAIN, SIDE = "The main deck has", "The sideboard, with the hero, has"


@pytest.mark.parametrize(
    ("ruleset", "sizes", "code", "message"),
    [
        *((older, *case) for older in (COALITION_906, COALITION_README) for case in (
            ((59, 10), "main_size", f"{MAIN} 59 cards and needs 60: add 1."),
            ((61, 10), "main_size", f"{MAIN} 61 cards and needs 60: take out 1."),
            ((60, 9), "sideboard_size", f"{SIDE} 9 cards and needs 10: add 1."),
            ((60, 1), "sideboard_size", f"{SIDE} 1 card and needs 10: add 9."),
            ((60, 12), "sideboard_size", f"{SIDE} 12 cards and needs 10: take out 2."),
        )),
        (COALITION_2026, (60, 16), "sideboard_size", f"{SIDE} 16 cards and needs 1 to 15: {ONE}"),
        *((COALITION_2026, (60, size), None, "") for size in (1, 10, 15)),
    ],
)  # fmt: skip
def test_deck_is_sixty_and_ten_with_the_hero_or_up_to_fifteen(ruleset, sizes, code, message):
    problems = [(code, None, None, message)] if code else []

    assert reported(judge(deck(sizes=sizes), ruleset)) == problems


# --- the hero ---
@pytest.mark.parametrize(
    ("side", "hero", "asked"),
    [
        (EZURI, "1 Lathril *HERO*", None),
        (EZURI, "Hero: 1 Lathril", None),
        (EZURI, "1 Lathril *CMDR*", None),
        *(("1 Lathril", f"{EZURI} *HERO*", name) for name in ("Lathril", "lathril", "LATHRÌL")),
    ],
)  # fmt: skip
def test_hero_is_the_card_that_is_requested_or_that_the_list_names(side, hero, asked):
    report = judge(deck(side=(side,), hero=hero), hero=asked)

    assert (report.hero, codes(report)) == ("Lathril", [("legendary", HERO)])


def test_hero_is_requested_by_its_front_alone():
    report = judge(deck(hero="1 Jerren // Ormendahl"), hero="Jerren")

    assert report.hero == "Jerren // Ormendahl"


PUT = "No hero: put a legendary creature in the sideboard."
WHO = "Who is the hero: {}? Write *HERO* after the hero's name, and take out the others."
OF_EZURI, OF_LATHRIL = ("legendary", HERO), ("legendary", "Lathril")
OF_KARN = ("legendary", "Karn's Vault")
UNKNOWN = "No hero: no card has the name that the list marks as the hero. Correct that name."
MANY = ("1 Lathril", "1 Kaalia", "1 Rose", "1 Nemo", "1 Morophon", "1 Grist")


@coalitions
@pytest.mark.parametrize(
    ("main", "side", "hero", "asked", "message", "others"),
    [
        (("1 Karn's Vault",), (), "", None, PUT, [OF_KARN]),
        ((EZURI, "1 Lathril"), (), "", None, PUT, [OF_EZURI, OF_LATHRIL]),
        # A lone hero of the main deck is to be moved.
        (("1 Karn's Vault", EZURI), (), "", None,
         f"No hero: move {HERO} from the main deck to the sideboard.", [OF_KARN]),
        ((), (), EZURI, "Lathril",
         "The hero Lathril is not in the list: add it to the sideboard.", [OF_EZURI]),
        # A hero that is marked and unknown is not replaced by another.
        *(((), ("1 Lathril",), marked, None, UNKNOWN, [("unknown_card", "Ezri"), OF_LATHRIL])
          for marked in ("1 Ezri *HERO*", "Hero: 1 Ezri")),
        # Of several it is asked, and types are not judged.
        (("4 Goblin Guide",), ("1 Lathril",), EZURI, None, WHO.format(f"{HERO} and Lathril"), []),
        (("4 Goblin Guide",), ("Hero: 1 Lathril",), f"{EZURI} *HERO*", None,
         WHO.format(f"{HERO} and Lathril"), []),
        ((), MANY, EZURI, None, WHO.format(f"{HERO}, Lathril, Kaalia, Rose, Nemo and 2 more"), []),
    ],
)  # fmt: skip
def test_without_one_hero_the_deck_is_asked_for_it(
    ruleset, main, side, hero, asked, message, others
):
    report = judge(deck(*main, side=side, hero=hero), ruleset, hero=asked, coalition_type="Elf")

    assert (report.hero, report.coalition_type) == (None, None)
    assert (report.possible_types, report.out_of_place) == ((), ())
    code = "several_heroes" if message.startswith("Who") else "no_hero"
    assert reported(report)[0] == (code, None, None, message)
    assert codes(report)[1:] == others


@pytest.mark.parametrize("name", ["Elvish Mystic", "Karn's Vault", "Jerren // Ormendahl"])
def test_hero_that_is_no_legendary_creature_is_reported(name):
    problem = reported(judge(deck(hero=f"1 {name} *HERO*")))[-1]

    message = f"{name} can't be the hero: choose a legendary creature."
    assert problem == ("not_a_hero", name, 2, message)


@pytest.mark.parametrize(
    ("main", "side", "hero", "line", "message"),
    [
        ((), (), f"2{EZURI[1:]}", 2, "2 copies of the hero {}, 0 in the main deck"),
        ((EZURI,), (), EZURI, 2, "2 copies of the hero {}, 1 in the main deck"),
        ((EZURI,), (EZURI,), f"{EZURI} *HERO*", 2, "3 copies of the hero {}, 1 in the main deck"),
        ((EZURI,), (), "", 4, "1 copy of the hero {}, 1 in the main deck"),
    ],
)
def test_hero_is_just_once_in_the_deck(main, side, hero, line, message):
    problem = the_only(judge(deck(*main, side=side, hero=hero), hero=None if hero else HERO))

    rest = ": keep only one, in the sideboard."
    assert problem == ("hero_copies", HERO, line, message.format(HERO) + rest)


# --- the type ---
def test_type_is_the_first_by_name_under_which_every_card_fits():
    report = judge(deck("4 Golem", "4 Changeling", hero="1 Kaalia"))

    assert (report.coalition_type, report.possible_types) == ("Angel", ("Angel", "Cleric"))


def test_type_with_the_fewest_cards_out_of_place_is_the_default():
    report = judge(deck("1 Serra", "2 Priest", hero="1 Kaalia"))

    assert (report.coalition_type, report.possible_types) == ("Cleric", ())
    message = f"Serra belongs to Angel, not to Cleric: {TAKE_OUT}"
    assert the_only(report) == ("not_affiliated", "Serra", 5, message)


@pytest.mark.parametrize("asked", ["Cleric", "cleric", "CLERIC"])
def test_requested_type_is_used_though_another_fits_better(asked):
    report = judge(deck("4 Serra", hero="1 Kaalia"), coalition_type=asked)

    assert (report.coalition_type, report.possible_types) == ("Cleric", ("Angel",))
    assert codes(report) == [("not_affiliated", "Serra")]


@pytest.mark.parametrize("asked", ["Human", "human"])
def test_type_may_not_be_human(asked):
    report = judge(deck("1 Villager", "1 Serra", hero="1 Kaalia"), coalition_type=asked)

    assert (report.coalition_type, report.possible_types) == ("Human", ())
    message = f"{NOT_HUMAN} Choose Angel or Cleric."
    assert reported(report) == [
        ("human_type", None, None, message),
        ("not_affiliated", "Serra", 6, f"Serra belongs to Angel, not to Human: {TAKE_OUT}"),
    ]


@pytest.mark.parametrize(
    ("hero", "asked", "code", "message"),
    [
        ("Rose", None, "human_type", f"{NOT_HUMAN} Choose another hero."),
        ("Rose", "Human", "human_type", f"{NOT_HUMAN} Choose another hero."),
        ("Nemo", None, "not_a_hero_type", "Nemo has no creature type: choose another hero."),
    ],
)  # fmt: skip
def test_hero_that_is_only_human_or_has_no_type_leads_no_deck(hero, asked, code, message):
    report = judge(deck(hero=f"1 {hero}"), coalition_type=asked)

    assert (report.hero, report.coalition_type) == (hero, asked)
    assert reported(report) == [(code, None, None, message)]


@pytest.mark.parametrize("asked", ["Goblin", "goblin", "GOBLIN"])
def test_type_must_be_a_type_of_the_hero(asked):
    report = judge(deck("4 Goblin Guide"), coalition_type=asked)

    assert (report.coalition_type, report.possible_types) == ("Goblin", ())
    message = f"{HERO} does not have the type Goblin. Choose Elf or Warrior."
    assert reported(report) == [
        ("not_a_hero_type", None, None, message),
        ("not_affiliated", HERO, 2, f"{HERO} belongs to Elf, Warrior, not to Goblin: {CHANGE}"),
    ]


@pytest.mark.parametrize(
    ("hero", "asked", "shown", "choose"),
    [
        (HERO, "time lord", "Time Lord", "Elf or Warrior"),
        ("Grist", "Elf", "Elf", "Insect"),
        ("Morophon", "Quokka", "Quokka", "another of the hero's types"),
        ("Nemo", "Elf", "Elf", "another hero"),
        ("Rose", "Elf", "Elf", "another hero"),
    ],
)
def test_type_that_the_hero_has_not_is_answered_by_those_it_offers(hero, asked, shown, choose):
    report = judge(deck(hero=f"1 {hero}"), coalition_type=asked, every_type=[*"ABCDEFG"])

    message = f"{hero} does not have the type {shown}. Choose {choose}."
    assert reported(report)[0] == ("not_a_hero_type", None, None, message)


def test_hero_of_every_type_offers_all_but_human_and_one_at_a_time():
    every = ("Angel", "Cleric", "Goblin", "Human", "Scout")

    report = judge(deck("4 Goblin Guide", "3 Serra", hero="1 Morophon"), every_type=every)

    assert (report.coalition_type, report.possible_types) == ("Goblin", ())
    assert codes(report) == [("not_affiliated", "Serra")]
    assert [(one.type, one.count) for one in report.out_of_place] == [
        ("Angel", 4),
        ("Cleric", 7),
        ("Goblin", 3),
        ("Scout", 3),
    ]


def test_cards_of_every_type_and_unaffiliated_cards_fit_each_type():
    report = judge(deck("4 Changeling", "4 Golem", "4 Cave", "1 Negate"))

    assert (report.legal, report.possible_types) == (True, ("Elf", "Warrior"))


# --- single cards: legends, copies, the pool and the ban list ---
ALL = (COALITION_906, COALITION_README, COALITION_2026)
LEGENDARY = "{} is legendary: only the hero may be. Take it out."
BACK = "{} is legendary on its back: only the hero may be. Take it out."
OUTSIDE = "{} is not legal in Vintage, so it is not in the pool: take it out."


@pytest.mark.parametrize(
    ("rulesets", "line", "code", "message"),
    [
        (ALL, "1 Karn's Vault", "legendary", LEGENDARY),
        (ALL, "1 Lathril", "legendary", LEGENDARY),
        (ALL[:2], "4 Jerren // Ormendahl", None, ""),
        (ALL[2:], "4 Jerren // Ormendahl", "legendary", BACK),
        *((ALL, f"{count} {name}", None, "") for count, name in (
            (4, "Elvish Mystic"), (4, "Cave"), (4, "Dryad Arbor"), (1, "Negate"), (60, "Forest"),
            (60, "Rat Swarm"), (7, "Seven Dwarfs"), (9, "Nine Notes"),
        )),
        *((ALL, f"{count} {name}", "too_many_copies", f"{count} copies of {name}: {why}")
          for count, name, why in (
            (5, "Elvish Mystic", "4 is the limit for a creature. Take out 1."),
            (5, "Cave", "4 is the limit for a nonbasic land. Take out 1."),
            (6, "Dryad Arbor", "4 is the limit for a creature. Take out 2."),
            (2, "Negate", "only creatures and lands may have more than 1. Take out 1."),
            (8, "Seven Dwarfs", "its text allows up to 7. Take out 1."),
            (12, "Nine Notes", "its text allows up to 9. Take out 3."),
        )),
        (ALL, "1 Silver Elf", "not_in_pool", OUTSIDE),
        (ALL, "1 Black Lotus", None, ""),  # what Legacy bans
    ],
)  # fmt: skip
def test_card_is_legal_or_reported_with_what_to_do(rulesets, line, code, message):
    name = line.partition(" ")[2]
    problems = [(code, name, 5, message.format(name))] if code else []

    assert [reported(judge(deck(line), ruleset)) for ruleset in rulesets] == (
        [problems] * len(rulesets)
    )


@pytest.mark.parametrize(
    ("reason", "shown"),
    [("", ""), ("Too good.", " (Too good)"), ("Reserved list", " (Reserved list)")],
)
def test_banned_card_is_reported_with_day_and_reason(reason, shown):
    report = judge(deck("1 Negate"), bans=Bans({"Negate": Banned(reason, MARCH)}))

    message = f"Negate has been banned since 9 March 2026{shown}: take it out."
    assert reported(report) == [("banned", "Negate", 5, message)]


@coalitions
def test_card_that_the_list_allows_is_in_the_pool(ruleset):
    assert judge(deck("1 Silver Elf"), ruleset, Bans(allowed=frozenset({"Silver Elf"}))).legal


# --- what can't be read ---


@pytest.mark.parametrize(
    ("closest", "ask"),
    [
        ((), "Check the spelling."),
        (("Elvish Mystic",), "Did you mean Elvish Mystic?"),
        (("Elvish Mystic", "Elvish Fury"), "Did you mean Elvish Mystic or Elvish Fury?"),
    ],
)
def test_unknown_name_is_reported_once_with_the_closest(closest, ask):
    text = deck("2 Elvish Mystik", "1 Negate", "1 ELVISH MYSTIK")

    assert reported(judge(text, closest={"Elvish Mystik": closest})) == [
        ("unknown_card", "Elvish Mystik", 5, f"No card is called “Elvish Mystik”. {ask}")
    ]
