"""What expressions find among invented cards, compared whole."""

from datetime import timedelta

import pytest
from django.utils import timezone

from decks.catalogue import memory
from decks.decks import legality
from decks.decks.verdicts import has_status, is_banned, is_legal, verdicts
from decks.finder.expressions import Misread
from decks.finder.page import find
from decks.models import Card, Status
from decks.rules.deck import Code
from decks.rules.rulesets import RULESETS

from ..cards import face, given, record
from ..lists import register
from .pool import RECORDS, ban, card, names, pool

pytestmark = pytest.mark.django_db
ALL = sorted(given["name"] for given in RECORDS)
CREATURES = {
    *("Llanowar Elder", "Goblin Scout", "Lathril, Elf Queen", "Kaalia", "Rose", "Serra"),
    *("Changeling", "Day // Night", "Silver Elf", "Frankie", "_____"),
}


@pytest.fixture(autouse=True)
def _pool() -> None:
    pool()
    ban(card=card("Serra"), reason="Too good.")
    ban("watched", card=card("Goblin Scout"))
    ban("allowed", card=card("Silver Elf"))


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("el", ["Changeling", "Elvish Fury", "Lathril, Elf Queen", "Llanowar Elder", "Silver Elf"]),
        ('"elf q"', ["Lathril, Elf Queen"]),
        ("eowyns", ["Éowyn’s Oath"]),
        ("name:rose", ["Rose"]),
        ("!rose", ["Rose"]),
        ("!ros", []),
        ('!"day / night"', ["Day // Night"]),
        ("!day", ["Day // Night"]),
        ("!night", []),
        ("t:elf -legal:vintage", ["Frankie", "Silver Elf"]),
        ("t:noble", ["Lathril, Elf Queen"]),
        ("t:nobl", ["Lathril, Elf Queen"]),
        ('t:"human legendary"', ["Kaalia", "Rose"]),
        ("t:werewolf", ["Day // Night"]),
        ("t:elve", []),
        ('o:"draw a card"', ["Elvish Fury", "Lathril, Elf Queen", "Éowyn’s Oath"]),
        ('o:"card - then"', ["Éowyn’s Oath"]),
        ('o:"whenever ~ attacks"', ["Lathril, Elf Queen"]),
        ('o:"when ~ attacks"', ["Day // Night"]),
        ("o:creature", []),
        ("fo:creature", ["Goblin Scout"]),
        ("kw:haste", ["Goblin Scout"]),
        ('kw:"first strike"', ["Lathril, Elf Queen"]),
        ("c:g", ["Elvish Fury", "Lathril, Elf Queen", "Llanowar Elder"]),
        ("c=g", ["Elvish Fury", "Llanowar Elder"]),
        ("c:golgari", ["Lathril, Elf Queen"]),
        ("c=w", ["Day // Night", "Rose"]),
        ("c:b -c=b", ["Kaalia", "Lathril, Elf Queen"]),
        ("c:m", ["Kaalia", "Lathril, Elf Queen", "Éowyn’s Oath"]),
        ("c=3", ["Kaalia"]),
        ("c>g", ["Lathril, Elf Queen"]),
        ("c:c t:land", ["Cryptic Cave", "Karn's Vault"]),
        ("id<=wu c:m", ["Éowyn’s Oath"]),
        ("id:gb c:g", ["Elvish Fury", "Lathril, Elf Queen", "Llanowar Elder"]),
        ("id=wb", ["Day // Night"]),
        ("m:2", ["Elvish Fury", "Lathril, Elf Queen", "Serra", "Éowyn’s Oath"]),
        ("m:ww", ["Serra"]),
        ("m={3}{W}{W}", ["Serra"]),
        ("m:{u/w}", ["Éowyn’s Oath"]),
        ("m<{1}{r}", ["Goblin Scout"]),
        ("mv>=5", ["Elvish Fury", "Serra"]),
        ("mv<1", ["Cryptic Cave", "Karn's Vault"]),
        (
            "mv:even",
            ["Cryptic Cave", "Day // Night", "Kaalia", "Karn's Vault", "Lathril, Elf Queen"],
        ),
        ("pow>=4", ["Day // Night", "Serra"]),
        ("pow=0", ["Changeling"]),
        ("tou>pow", ["Changeling", "Lathril, Elf Queen"]),
        ("pow>tou", ["Goblin Scout"]),
        ("pow=mv", ["Day // Night", "Llanowar Elder"][1:]),
        ("pt=5", ["Lathril, Elf Queen"]),
        ("is:hero", ["Frankie", "Kaalia", "Lathril, Elf Queen", "Rose"]),
        ("is:commander mv=4", ["Kaalia", "Lathril, Elf Queen"]),
        ("is:legend not:hero", ["Karn's Vault"]),
        ("is:land", ["Cryptic Cave", "Karn's Vault"]),
        ("-is:permanent", ["Elvish Fury", "Éowyn’s Oath"]),
        ("is:noncreature", ["Elvish Fury", "Éowyn’s Oath"]),
        ("is:spell", sorted(set(ALL) - {"Cryptic Cave", "Karn's Vault"})),
        ("is:permanent is:spell", sorted(CREATURES)),
        ("is:dfc", ["Day // Night"]),
        ("is:hybrid", ["Éowyn’s Oath"]),
        ("is:changeling", ["Changeling"]),
        ("is:party", ["Kaalia"]),
        ("is:vanilla mv=2", ["Day // Night"]),
        ("is:watched", ["Goblin Scout"]),
        ("banned:coalition", ["Serra"]),
        ("legal:vintage is:hero", ["Kaalia", "Lathril, Elf Queen", "Rose"]),
        ("-legal:coalition", ["Frankie", "Karn's Vault", "Serra"]),
        ("-f:coalition-2026", ["Frankie", "Karn's Vault", "Serra"]),
        ("aff:angel", ["Changeling", "Kaalia", "Serra"]),
        ("aff:angels -is:changeling", ["Kaalia", "Serra"]),
        ("aff:none", ["Cryptic Cave", "Karn's Vault", "Éowyn’s Oath"]),
        ("-aff:any", ["Cryptic Cave", "Karn's Vault", "Éowyn’s Oath"]),
        ("aff:all", ["Changeling"]),
        ("fits:angel legal:coalition", ["Changeling", "Cryptic Cave", "Kaalia", "Éowyn’s Oath"]),
        ("hero:kaalia", ["Changeling", "Cryptic Cave", "Kaalia", "Serra", "Éowyn’s Oath"]),
        ("elf or rose", ["Lathril, Elf Queen", "Rose", "Silver Elf"]),
        ("(t:elf or t:goblin) mv=1 pow>0", ["Goblin Scout", "Llanowar Elder"]),
        ("-(t:creature or t:land)", ["Elvish Fury", "Éowyn’s Oath"]),
        ("zzz", []),
        ("-zzz", ALL),
        ("%", []),
        ("'; drop", []),
    ],
)
def test_an_expression_finds_all_that_fit_and_nothing_else(expression, found):
    assert sorted(names(expression)) == sorted(found)


@pytest.mark.parametrize(
    ("expression", "at", "why", "corrections"),
    [
        ("mv<=x", 4, "“x” is not a number.", []),
        ("kw:hast", 3, "No card has the keyword “hast”.", ["haste"]),
        ("m:2Q", 2, "“Q” is no mana symbol. Write a cost such as 2WW or {2}{W/U}.", []),
        ("aff:Elv", 4, "There is no creature type “Elv”.", ["Elf"]),
        ("fits:human", 5, "The coalition type may not be Human. Choose another type.", []),
        ("hero:Kaal", 5, "No legendary creature is called “Kaal”.", ["Kaalia"]),
        (
            "hero:serra",
            5,
            "Serra is not a legendary creature, so it can't be a hero. Choose another.",
            [],
        ),
        ("hero:rose", 5, "Rose has no creature type for a deck to share. Choose another hero.", []),
        (
            "legal:standard",
            6,
            "“standard” is not a ruleset known here. Known are coalition, "
            "coalition-906, coalition-readme, coalition-readme-21, coalition-2026, leveler, "
            "conspiracy, vintage, "
            "legacy.",
            [],
        ),
        (
            "order:price",
            6,
            "“price” can't be chosen here. Known are best, name, played, mv, cmc, cost.",
            [],
        ),
        (
            "elf or order:name",
            7,
            "“order:” can't be inside “or”, a minus or parentheses.",
            [],
        ),
        (
            "c:purple",
            2,
            "“purple” is not a colour: write letters out of wubrg, c for "
            "colourless, m for multicoloured, or a name such as red or azorius.",
            [],
        ),
    ],
)
def test_a_value_that_means_nothing_is_told_with_its_place(expression, at, why, corrections):
    with pytest.raises(Misread) as misread:
        names(expression)

    assert (misread.value.at, misread.value.why) == (at, why)
    assert list(misread.value.replacements)[:1] == corrections[:1]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("order:name t:creature c:m", ["Kaalia", "Lathril, Elf Queen"]),
        ("order:name direction:desc t:creature c:m", ["Lathril, Elf Queen", "Kaalia"]),
        ("t:elf order:mv legal:vintage", ["_____", "Llanowar Elder", "Lathril, Elf Queen"]),
        (
            "t:elf sort:cmc dir:desc legal:vintage",
            ["Lathril, Elf Queen", "Llanowar Elder", "_____"],
        ),
        # In the pool first, signs last.
        ("t:elf", ["Lathril, Elf Queen", "Llanowar Elder", "_____", "Frankie", "Silver Elf"]),
        # What the name begins with comes before what merely has the words.
        ("el", ["Elvish Fury", "Changeling", "Lathril, Elf Queen", "Llanowar Elder", "Silver Elf"]),
    ],
)
def test_cards_come_in_the_order_that_was_asked_for(expression, found):
    assert [name for name in names(expression) if name in found] == found


def test_what_is_played_here_comes_first():
    """A deck counts once, by its latest revision."""
    register("old", "1 Kaalia\n1 Rose", "2 Rose\n\n1 Rose")
    register("other", "1 Goblin Scout\n1 Rose\n1 Silver Elf")

    assert names("")[:3] == ["Rose", "Goblin Scout", "Silver Elf"]
    assert names("order:played t:creature")[:1] == ["Rose"]
    assert names("played>=2") == ["Rose"]
    assert names("played<1 is:hero") == ["Kaalia", "Lathril, Elf Queen", "Frankie"]


def test_the_card_of_exactly_the_name_comes_first():
    given(record("Elf"), record("Elf Lord"), record("Ancient Elf"))
    register("deck", "1 Elf Lord\n1 Ancient Elf")

    assert names("elf")[:3] == ["Elf", "Elf Lord", "Ancient Elf"]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_legality_is_that_of_the_deck_check(ruleset):
    """Card by card, by the rules that judge decks, also with lists in which rules contradict."""
    given(
        record("Elf Lord", reserved=True),
        record("Elf King", reserved=True),
        record("Thassa's Oracle", legalities={"legacy": "legal"}),
        record("Ante Up", "Sorcery", "Each player antes a card.", legalities={"legacy": "banned"}),
        record(
            "Sun // Moon",
            "Land // Legendary Land",
            layout="transform",
            card_faces=[face("Sun", "Land"), face("Moon", "Legendary Land")],
        ),
    )
    ban(rule="reserved-list")
    ban("allowed", card=card("Elf King"))
    ban("allowed", rule="named").cards.set([card("Frankie"), card("Serra"), card("Ante Up")])
    ban(card=card("Rose"), starts_on=timezone.localdate() + timedelta(days=1))
    entries = legality.read_bans(ruleset, timezone.localdate())
    cards = Card.objects.order_by("pk")
    legal, banned, watched = (
        set(cards.filter(condition).values_list("name", flat=True))
        for condition in (
            is_legal(ruleset, entries),
            is_banned(ruleset, entries),
            has_status(Status.WATCHED, entries),
        )
    )

    for verdict in verdicts([one.name for one in cards], ruleset, entries):
        codes, name = {problem.code for problem in verdict.problems}, verdict.asked
        assert (name in legal, name in banned, name in watched) == (
            not codes,
            Code.BANNED in codes,
            verdict.watched is not None,
        ), name


def test_each_row_says_what_there_is_to_know():
    found = find(memory.CATALOGUE.now(), "", 1, timezone.localdate())
    asked = ("Serra", "Goblin Scout", "Silver Elf", "Frankie", "Karn's Vault", "Kaalia")

    flags = {
        card.name: [(word, why) for word, _, _, why in flags]
        for card, flags, _ in found["rows"]
        if card.name in asked
    }
    assert flags == {
        "Serra": [("Banned", "Too good.")],
        "Goblin Scout": [("Legal", ""), ("Watched", "")],
        "Silver Elf": [("Allowed", "")],
        "Frankie": [("Not in the pool", ""), ("Hero", "")],
        "Karn's Vault": [("Legendary", "Only the hero may be legendary.")],
        "Kaalia": [("Legal", ""), ("Hero", "")],
    }
    legal = find(memory.CATALOGUE.now(), "karn legal:leveler", 1, timezone.localdate())
    assert [[word for word, *_ in flags] for _, flags, _ in legal["rows"]] == [["Legal"]]
