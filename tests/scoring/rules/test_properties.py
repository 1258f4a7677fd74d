"""What holds for every game: random moves and corrections, lawful and not."""

import json
from dataclasses import replace
from uuid import UUID

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coalition_site.lib.untrusted import load
from scoring.rules.corrections import Amend, Correction, Strike, Undo
from scoring.rules.damage import DealDamage, Hit, Kind
from scoring.rules.effects import Reason
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_README, COALITION_README_21
from scoring.rules.log import GameLog
from scoring.rules.moves import (
    ChangeLife,
    ChangePoison,
    Concede,
    ConcedeTo,
    CrownMonarch,
    Draw,
    Hold,
    Lose,
    MoveHero,
    PassTurn,
    Win,
)
from scoring.rules.sets import SetState, start_game
from scoring.rules.state import POISON_DEADLY, Zone, new_game
from scoring.setlog import document

from .play import NAMES, RULES, snapshot

quickly = settings(max_examples=60)

# Mostly what happens at a table, and at times the numbers at which something changes.
AMOUNTS = st.integers(1, 7) | st.sampled_from([1, 2, 3, 9, 10, 11, 20, 21, 22, 25, 400, 9999])
CHANGES = st.builds(lambda by, sign: by * sign, AMOUNTS, st.sampled_from([-1, -1, 1]))
REASONS = st.sampled_from(["card effect", "decked", "agreed", "time"])
ENTRIES_MAX = 16


@st.composite
def hits(draw, seats):
    kind = draw(st.sampled_from([Kind.COMBAT, *Kind]))
    source = draw(seats | st.none() if kind is Kind.OTHER else seats)
    return Hit(
        source=source,
        target=draw(seats),
        amount=draw(AMOUNTS),
        kind=kind,
        infect=draw(st.sampled_from([False, False, True])),
        lifelink=draw(st.sampled_from([False, False, True])),
        toxic=draw(st.sampled_from([0, 0, 0, 1, 10])) if kind is Kind.COMBAT else 0,
    )


def lists_of_hits(seats):
    return st.lists(hits(seats), min_size=1, max_size=4).map(tuple)


def kinds_of_moves(players):
    """Return how often each kind comes and its strategy; at times with somebody not dealt in."""
    seats = st.sampled_from([*range(1, players + 1)] * 4 + [players + 1])
    changes = st.dictionaries(seats, CHANGES, min_size=1, max_size=3)
    some = st.lists(seats, min_size=1, max_size=3, unique=True).map(tuple)
    zones = st.sampled_from([*[Zone.HAND] * 6, *Zone])
    truth = st.booleans()
    return {
        DealDamage: (16, st.builds(DealDamage, lists_of_hits(seats))),
        ChangeLife: (6, st.builds(ChangeLife, changes)),
        ChangePoison: (4, st.builds(ChangePoison, changes)),
        Hold: (4, st.builds(Hold, seats, truth, truth)),
        PassTurn: (4, st.builds(PassTurn, seats | st.none())),
        MoveHero: (6, st.builds(MoveHero, seats, zones)),
        CrownMonarch: (4, st.builds(CrownMonarch, seats | st.none())),
        Concede: (1, st.builds(Concede, seats)),
        ConcedeTo: (1, st.builds(ConcedeTo, seats)),
        Lose: (1, st.builds(Lose, some, REASONS)),
        Win: (1, st.builds(Win, seats, REASONS)),
        Draw: (1, st.builds(Draw, REASONS)),
    }


def moves(players):
    return by_frequency(kinds_of_moves(players).values())


def by_frequency(strategies):
    often = [strategy for count, strategy in strategies for _ in range(count)]
    return st.sampled_from(often).flatmap(lambda strategy: strategy)


def entries(players):
    """Return moves and corrections, of events that are there and of some that are not."""
    numbers = st.integers(1, ENTRIES_MAX)
    kinds = kinds_of_moves(players)
    return by_frequency(
        [
            *[(3 * count, strategy) for count, strategy in kinds.values()],
            (28, st.builds(Undo, st.none() | st.none() | numbers)),
            (28, st.builds(Strike, numbers)),
            (8, st.builds(Amend, numbers, kinds[DealDamage][1])),
            (28, st.builds(Amend, numbers, by_frequency(kinds.values()))),
        ]
    )


@st.composite
def games(draw):
    """Return a game's start and what is reported of it, possible or not."""
    order = draw(st.permutations(range(1, draw(st.integers(2, 5)) + 1)))
    start = new_game(draw(st.sampled_from(RULES)), tuple(order))
    return start, draw(st.lists(entries(len(start.players)), min_size=8, max_size=ENTRIES_MAX))


def play_what_goes(start, reported):
    """Return the log of what was possible; what was refused has changed nothing."""
    log = GameLog(start)
    for entry in reported:
        before = snapshot(log)
        if attempt(log, entry):
            assert snapshot(log) == before
    return log


def attempt(log, entry):
    """Add an entry where it is possible; return the code of the refusal otherwise."""
    try:
        log.append(entry)
    except RuleError as refusal:
        return refusal.code
    return None


def happened(log):
    """Return what happened, without the numbers."""
    return [(line.move, line.effects, line.after) for line in log.lines]


def played(start, done):
    try:
        return happened(GameLog(start, done))
    except RuleError:
        return None


@quickly
@given(games())
def test_points_are_those_of_the_ledger_and_games_go_on_until_somebody_has_won_or_one_is_left(game):
    """In the playtest rules the winner's bonus, and nothing else, goes beyond the cap."""
    log = play_what_goes(*game)

    ledger = dict.fromkeys(log.start.players, 0)
    for line in log.lines:
        state = line.after
        for row in line.postings:
            ledger[row.player] += row.points
            if row.reason in (Reason.COMBAT, Reason.HERO):
                assert 0 <= row.points <= row.dealt
            else:
                assert row.dealt == 0
                assert (row.points < 0) is (row.reason is Reason.CONCESSION)
        assert ledger == {seat: player.points for seat, player in state.players.items()}
        for seat, points in ledger.items():
            has_more = state.ruleset in (COALITION_README, COALITION_README_21)
            above = 5 if has_more and seat == state.winner else 0
            assert 0 <= points <= 21 + above
        if state.is_over:
            assert line is log.lines[-1]
            assert state.ended_by
            assert state.winner is None or state.winner in state.in_game
            assert (state.winner is not None) is (state.status.value == "won")
            continue
        assert (state.winner, state.ended_by) == (None, None)
        assert len(state.in_game) >= 2
        assert state.active in state.in_game
        assert state.monarch is None or state.monarch in state.in_game
        for player in (state.players[seat] for seat in state.in_game):
            assert player.cannot_lose or (player.life > 0 and player.poison < POISON_DEADLY)
            assert player.cannot_win or player.points < state.ruleset.cap


@quickly
@given(games(), st.booleans())
def test_undo_is_the_exact_inverse(game, named):
    """Every move is undone and made again, so that undoing is tried all along the game."""
    start, reported = game
    log = GameLog(start)

    for entry in reported:
        lines, state = list(log.lines), log.state
        if attempt(log, entry) or isinstance(entry, Correction):
            continue
        log.append(Undo(log.count if named else None))
        assert (log.lines, log.state) == (lines, state)
        log.append(entry)


@st.composite
def logs(draw):
    """Return the log of a game, and the place of one of its events in force."""
    log = play_what_goes(*draw(games()))
    assume(log.lines)
    return log, draw(st.integers(0, len(log.lines) - 1))


@quickly
@given(logs())
def test_strike_makes_the_game_in_which_it_never_happened(some):
    log, at = some
    done = [line.move for line in log.lines]
    expected = played(log.start, done[:at] + done[at + 1 :])

    refused = attempt(log, Strike(log.lines[at].number))

    assert refused == ("later_impossible" if expected is None else None)
    if not refused:
        assert happened(log) == expected


@quickly
@given(logs(), st.data())
def test_amend_makes_the_game_in_which_the_other_happened(some, data):
    log, at = some
    done = [line.move for line in log.lines]
    other = data.draw(kinds_of_moves(len(log.start.players))[type(done[at])][1])
    expected = played(log.start, [*done[:at], other, *done[at + 1 :]])
    numbers = [line.number for line in log.lines]

    refused = attempt(log, Amend(log.lines[at].number, other))

    assert (refused is None) is (expected is not None)
    if not refused:
        assert happened(log) == expected
        assert [line.number for line in log.lines] == numbers


@st.composite
def sets(draw):
    """Return the log of a set that can be played to its end, some of its lines twice."""
    ruleset = draw(st.sampled_from(RULES))
    seats = tuple(range(1, draw(st.integers(ruleset.players_min, 5)) + 1))
    state = SetState(ruleset, seats)
    logged_games, ids = [], 0
    for _ in range(draw(st.integers(0, 3))):
        if state.is_finished:
            break
        leaving = draw(st.sampled_from([(), (), state.able[:1]])) if len(state.able) > 2 else ()
        players = [seat for seat in state.able if seat not in leaving]
        order = tuple(draw(st.permutations(players)))
        log = GameLog(start_game(state, order[0], dropped=leaving, turn_order=order))
        lines = []
        for entry in [
            *draw(st.lists(entries(len(seats)), min_size=2, max_size=8)),
            Draw("time"),
        ]:
            if lines and lines[-1].id and draw(st.booleans()):
                lines.append(lines[-1])
                log.skip()
            if attempt(log, entry):
                continue
            ids += 1
            unnamed = Undo() if isinstance(entry, Undo) else entry
            lines.append(
                document.LoggedEntry(unnamed, draw(st.sampled_from([None, UUID(int=ids)])))
            )
        logged_games.append(document.LoggedGame(order[0], tuple(lines), leaving, order))
        state = replace(state, games=(*state.games, log.state), dropped=state.dropped | {*leaving})
    names = tuple(NAMES[seat] for seat in seats)
    return document.SetLog(
        ruleset, names, tuple(logged_games), bool(logged_games and draw(st.booleans()))
    )


@quickly
@given(sets())
def test_set_is_read_as_it_was_written_and_its_standings_are_the_sums_of_its_games(log):
    assert document.read_all(load(json.dumps(document.write(log)))) == [log]

    happened = document.play(log)
    outcome = document.outcome(happened)
    ranked = outcome["set"]["standings"]

    assert (happened.failure, len(happened.games)) == (None, len(log.games))
    for row in ranked:
        name = row["player"]
        conceded = any(game["out"].get(name) == "conceded" for game in outcome["games"])
        if not (conceded and log.ruleset.conceding_voids_set):
            games = [game["victory_points"].get(name, 0) for game in outcome["games"]]
            assert row["victory_points"] == sum(games)
        assert row["rank"] == 1 + sum(other["rank"] < row["rank"] for other in ranked)
    marks = [row["victory_points"] for row in ranked]
    assert marks == sorted(marks, reverse=True)
