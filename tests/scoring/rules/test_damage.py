"""Victory points and life: what a hit gives, and what it takes."""

import pytest

from scoring.rules.formats import (
    COALITION_906,
    COALITION_2026,
    COALITION_README,
    COALITION_README_21,
)
from scoring.rules.moves import ChangeLife

from .asking import BONUS, COMBAT, HERO, IN_PROGRESS, ended, ledger, life, out, points, poison
from .play import ANN, BO, CY, DI, EV, NAMES, every_ruleset, game, hit, play, refusal, together


@pytest.mark.parametrize(
    ("ruleset", "kind", "rows"),
    [
        (COALITION_906, "combat", [(1, ANN, COMBAT, 4, 4)]),
        (COALITION_906, "hero", [(1, ANN, HERO, 4, 4)]),
        (COALITION_906, "other", []),
        (COALITION_2026, "combat", [(1, ANN, COMBAT, 4, 4)]),
        (COALITION_2026, "hero", []),
    ],
)
def test_hit_on_an_opponent_scores_by_its_kind(ruleset, kind, rows):
    log = play(hit(ANN, BO, 4, kind), start=game(ruleset))

    assert ledger(log) == rows
    assert points(log) == {ANN: sum(row[4] for row in rows), BO: 0, CY: 0, DI: 0}
    assert life(log) == {ANN: 25, BO: 21, CY: 25, DI: 25}


@every_ruleset
@pytest.mark.parametrize("kind", ["combat", "hero", "other"])
def test_hit_on_oneself_scores_nothing(ruleset, kind):
    """Also a stolen hero that hits its own player: source and target are then the same."""
    log = play(hit(ANN, ANN, 4, kind), start=game(ruleset))

    assert ledger(log) == []
    assert points(log) == {ANN: 0, BO: 0, CY: 0, DI: 0}
    assert life(log) == {ANN: 21, BO: 25, CY: 25, DI: 25}


@every_ruleset
@pytest.mark.parametrize("dealt", [3, 4, 20])
def test_overkill_counts_whatever_life_was_left(ruleset, dealt):
    log = play(ChangeLife({BO: -22}), hit(ANN, BO, dealt), start=game(ruleset))

    assert ledger(log) == [(2, ANN, COMBAT, dealt, dealt)]
    assert life(log)[BO] == 3 - dealt
    assert out(log) == {BO: "life"}


@pytest.mark.parametrize(
    ("dealt", "scored", "end"),
    [
        (1, 1, IN_PROGRESS),
        (20, 20, IN_PROGRESS),
        (21, 21, ("won", ANN, "victory points")),
        (22, 21, ("won", ANN, "victory points")),
    ],
)
@every_ruleset
def test_points_are_cut_at_the_cap_of_21(ruleset, dealt, scored, end):
    """The playtest rules give their five on top; the others have nothing left to give."""
    log = play(hit(ANN, BO, dealt), start=game(ruleset))

    bonus = (
        [(1, ANN, BONUS, 0, 5)]
        if end[1] and ruleset in (COALITION_README, COALITION_README_21)
        else []
    )
    assert ledger(log) == [(1, ANN, COMBAT, dealt, scored), *bonus]
    assert points(log)[ANN] == scored + 5 * len(bonus)
    assert ended(log) == end


def test_hits_of_one_event_share_the_cap_in_the_order_listed():
    log = play(together(hit(ANN, BO, 15), hit(ANN, CY, 4, "hero"), hit(ANN, DI, 7)))

    assert ledger(log) == [
        (1, ANN, COMBAT, 15, 15),
        (1, ANN, HERO, 4, 4),
        (1, ANN, COMBAT, 7, 2),
    ]


def test_hits_of_one_event_score_for_each_source():
    log = play(
        together(
            *(hit(ANN, BO, 3), hit(BO, CY, 4), hit(EV, ANN, 5)),
            hit(None, DI, 6, "other", lifelink=True),
        ),
        start=game(players=5),
    )

    assert ledger(log) == [(1, ANN, COMBAT, 3, 3), (1, BO, COMBAT, 4, 4), (1, EV, COMBAT, 5, 5)]
    assert life(log) == {ANN: 20, BO: 22, CY: 21, DI: 19, EV: 25}


@pytest.mark.parametrize(
    ("kind", "keywords", "lives", "counters"),
    [
        ("combat", {}, {ANN: 25, BO: 21}, {ANN: 0, BO: 0}),
        ("combat", {"infect": True}, {ANN: 25, BO: 25}, {ANN: 0, BO: 4}),
        ("combat", {"toxic": 2}, {ANN: 25, BO: 21}, {ANN: 0, BO: 2}),
        ("combat", {"infect": True, "toxic": 2}, {ANN: 25, BO: 25}, {ANN: 0, BO: 6}),
        ("combat", {"lifelink": True}, {ANN: 29, BO: 21}, {ANN: 0, BO: 0}),
        ("combat", {"infect": True, "lifelink": True}, {ANN: 29, BO: 25}, {ANN: 0, BO: 4}),
        ("combat", {"toxic": 2, "lifelink": True}, {ANN: 29, BO: 21}, {ANN: 0, BO: 2}),
        ("other", {"infect": True}, {ANN: 25, BO: 25}, {ANN: 0, BO: 4}),
        ("other", {"lifelink": True}, {ANN: 29, BO: 21}, {ANN: 0, BO: 0}),
    ],
)
def test_hit_costs_life_or_gives_poison_by_its_keywords_and_scores_all_the_same(
    kind, keywords, lives, counters
):
    log = play(hit(ANN, BO, 4, kind, **keywords), start=game(players=2))

    assert life(log) == lives
    assert poison(log) == counters
    assert points(log)[ANN] == (4 if kind == "combat" else 0)


@pytest.mark.parametrize(("gained", "left"), [(4, {ANN: "life"}), (5, {ANN: "life"}), (6, {})])
def test_lifelink_counts_at_the_same_time_as_the_damage(gained, left):
    """Ann at 5 takes 10 and gains: only more than 5 keeps her in the game."""
    log = play(
        ChangeLife({ANN: -20}),
        together(hit(BO, ANN, 10), hit(ANN, BO, gained, lifelink=True)),
    )

    assert life(log)[ANN] == gained - 5
    assert out(log) == left


def test_hits_of_one_event_all_count_though_a_source_dies_by_it():
    log = play(
        ChangeLife({ANN: -22, BO: -22}),
        together(hit(ANN, BO, 3), hit(BO, ANN, 4), hit(ANN, CY, 2)),
    )

    assert out(log) == {ANN: "life", BO: "life"}
    assert points(log) == {ANN: 5, BO: 4, CY: 0, DI: 0}


def test_life_and_poison_of_one_event_are_bounded_together():
    """Eleven hits would take -109,964 life; with lifelink for the target it stays in bounds."""
    hits = [hit(ANN, BO, 9999, "other") for _ in range(11)]

    refused = refusal(play(), together(*hits))
    kept = play(together(*hits, hit(BO, CY, 9999, "other", lifelink=True)))

    assert refused.code == "out_of_bounds"
    assert refused.message(NAMES) == (
        "Bo would have -109964 life: between -99999 and 99999 is possible."
    )
    assert life(kept)[BO] == 25 - 10 * 9999
