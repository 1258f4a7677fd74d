"""Decks of Conspiracy: 40 cards out of a pool, conspiracies beside the deck (003)."""

from decks.reading import lists
from decks.rules.building import Build, written
from decks.rules.deck import Line
from decks.rules.fixes import Fixes
from decks.rules.rulesets import CONSPIRACY

from .judged import KNOWN, judge


def test_forty_cards_are_enough_and_there_is_no_limit_to_copies_or_size():
    """003 33: They don't count for the size of a deck, 40 cards in most drafts."""
    for size in (40, 41, 90):
        report = judge(f"Deck\n{size - 17} Golem\n17 Forest", CONSPIRACY)
        assert (report.legal, report.counts) == (True, {"main": size, "sideboard": 0})


def test_the_rest_of_the_pool_counts_for_nothing():
    """003 34: Nobody has to play a drafted conspiracy."""
    report = judge("Deck\n39 Forest\n\nPool\n9 Golem\n1 Power Play", CONSPIRACY)

    assert report.counts == {"main": 39, "sideboard": 10}
    assert [problem.message for problem in report.problems] == [
        "The deck has 39 cards and needs 40 at least: add 1. Basic lands are free."
    ]


def test_a_conspiracy_in_the_deck_does_not_count_and_moves_beside_it_with_a_tap():
    """003 32: They are never in the deck, and go into the command zone as the game starts."""
    text = "Deck\n39 Forest\n1 Power Play"
    entries = lists.read(text).entries
    build = Build(entries)
    lines = [Line(one.line, one.count, KNOWN[one.name.lower()], one.section) for one in entries]
    fixes = Fixes(build, lines, judge(text, CONSPIRACY), {}, {})

    (size, basics), (conspiracy, moves) = fixes.by_problem()

    assert size.message.startswith("The deck has 39 cards and needs 40 at least: add 1.")
    assert [fix.words for fix in basics] == ["Add 1 Forest to the deck"]
    assert (conspiracy.code, conspiracy.line) == ("conspiracy_in_deck", 3)
    assert [fix.words for fix in moves] == ["Move Power Play beside the deck"]
    assert written(moves[0].change(build)) == "Deck\n39 Forest\n\nSideboard\n1 Power Play\n"


def test_conspiracies_beside_the_deck_need_nothing_else():
    assert judge("Deck\n40 Forest\n\nConspiracies\n2 Power Play", CONSPIRACY).legal
