"""Decks of Conspiracy: 40 cards out of a pool, conspiracies beside the deck (003)."""

from decks.rules import lists
from decks.rules.building import Build, written
from decks.rules.checking import judge
from decks.rules.deck import Bans, Card, Line
from decks.rules.fixes import Fixes
from decks.rules.rulesets import CONSPIRACY

CARDS = {
    "Palace Sentinels": Card(name="Palace Sentinels", is_creature=True),
    "Plains": Card(name="Plains", is_land=True, is_basic=True),
    "Power Play": Card(name="Power Play", is_conspiracy=True),
}


def judged(text, bans=Bans()):  # noqa: B008
    """Return a deck with its report."""
    deck_list = lists.read(text)
    lines = [
        Line(entry.line, entry.count, CARDS[entry.name], entry.section)
        for entry in deck_list.entries
    ]
    report = judge(CONSPIRACY, deck_list, lines, bans)
    return Fixes(CONSPIRACY, Build(deck_list.entries), lines, (), report, {})


def test_forty_cards_are_enough_and_there_is_no_limit_to_copies_or_size():
    """003 33: They don't count for the size of a deck, 40 cards in most drafts."""
    for size in (40, 41, 90):
        report = judged(f"Deck\n{size - 17} Palace Sentinels\n17 Plains").report
        assert (report.legal, report.counts) == (True, {"main": size, "sideboard": 0})


def test_the_rest_of_the_pool_counts_for_nothing():
    """003 34: Nobody has to play a drafted conspiracy."""
    report = judged("Deck\n39 Plains\n\nPool\n9 Palace Sentinels\n1 Power Play").report

    assert report.counts == {"main": 39, "sideboard": 10}
    assert [problem.message for problem in report.problems] == [
        "The deck has 39 cards and needs 40 at least: add 1. Basic lands are free."
    ]


def test_a_conspiracy_in_the_deck_does_not_count_and_moves_beside_it_with_a_tap():
    """003 32: They are never in the deck, and go into the command zone as the game starts."""
    deck = judged("Deck\n39 Plains\n1 Power Play")

    (size, basics), (conspiracy, moves) = deck.by_problem()

    assert size.message.startswith("The deck has 39 cards and needs 40 at least: add 1.")
    assert [fix.words for fix in basics] == ["Add 1 Plains to the deck"]
    assert (conspiracy.code, conspiracy.line) == ("conspiracy_in_deck", 3)
    assert [fix.words for fix in moves] == ["Move Power Play beside the deck"]
    assert written(moves[0].change(deck.build)) == "Deck\n39 Plains\n\nSideboard\n1 Power Play\n"


def test_conspiracies_beside_the_deck_need_nothing_else():
    assert judged("Deck\n40 Plains\n\nConspiracies\n2 Power Play").report.legal
