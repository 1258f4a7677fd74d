"""What players did in a game: who was out when and by what, and whom they outlasted."""

import pytest

from scoring.pages.wording import plain
from scoring.rules import recap
from scoring.rules.corrections import Strike, Undo
from scoring.rules.formats.conspiracy import CONSPIRACY, GoadCreature
from scoring.rules.formats.leveler import LEVELER, Overdraw, UseUpLibrary
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars.moves import DamageZone, PlayLegend
from scoring.rules.moves import (
    ChangeLife,
    ChangePoison,
    Concede,
    CrownMonarch,
    Draw,
    Lose,
    PassTurn,
    Win,
)

from .play import ANN, BO, CY, DI, NAMES, game, hit, play, together

LEVELS, VOTES, WAR = game(LEVELER), game(CONSPIRACY), game(REALM_WARS)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], {}),
        ([hit(ANN, BO, 30)], {BO: "out in turn 1: no life left, by Ann"}),
        ([PassTurn(), hit(BO, ANN, 30)], {ANN: "out in turn 2: no life left, by Bo"}),
        ([hit(BO, ANN, 30)], {ANN: "out in turn 2: no life left, by Bo"}),
        (
            [together(hit(ANN, BO, 20, "other"), hit(CY, BO, 20, "other"))],
            {BO: "out in turn 1: no life left, by Ann and Cy"},
        ),
        ([hit(None, BO, 30, "other")], {BO: "out in turn 1: no life left"}),
        ([ChangeLife({BO: -30})], {BO: "out in turn 1: no life left"}),
        ([hit(CY, BO, 10, "other", infect=True)], {BO: "out in turn 1: poison, by Cy"}),
        ([ChangePoison({BO: 10})], {BO: "out in turn 1: poison"}),
        ([PassTurn(), Overdraw((CY,))], {CY: "out in turn 2: drew from an empty library"}),
        (
            [Concede(ANN), PassTurn(), Lose((CY,), "a card")],
            {ANN: "out in turn 1: conceded", CY: "out in turn 3: a card"},
        ),
        ([hit(ANN, BO, 30), Strike(1)], {}),
    ],
)
def test_when_and_by_what_each_player_was_out(entries, expected):
    gone = recap.eliminations(play(*entries, start=LEVELS))

    assert {seat: plain(each.sentence(), NAMES) for seat, each in gone.items()} == expected


@pytest.mark.parametrize(
    ("start", "entries", "expected"),
    [
        (LEVELS, [], {BO: ["0 taken", "level 1"]}),
        (
            LEVELS,
            [hit(ANN, BO, 12), hit(ANN, ANN, 5, "other"), UseUpLibrary((BO,))],
            {ANN: ["12 damage dealt", "5 taken", "level 1"], BO: ["12 taken", "level 3"]},
        ),
        (
            VOTES,
            [CrownMonarch(BO), CrownMonarch(ANN), CrownMonarch(BO), GoadCreature(BO, "Ogre", CY)],
            {ANN: ["crowned once"], BO: ["crowned twice", "goaded 1 creature"], CY: []},
        ),
        (
            WAR,
            [DamageZone((CY, DI), "quest", 9), DamageZone((CY,), "kingdom", 8), PlayLegend(BO)],
            {
                ANN: ["no zone burned"],
                BO: ["no zone burned", "played an Eternal War legend"],
                CY: ["17 damage taken", "kingdom and quest burned"],
                DI: ["9 damage taken", "quest burned"],
            },
        ),
    ],
)
def test_what_each_player_did_as_the_format_counts_it(start, entries, expected):
    log = play(*entries, start=start)

    assert {seat: recap.of_games([log], seat) for seat in expected} == expected


def test_the_games_of_a_set_add_up():
    first, second = play(hit(ANN, BO, 3), CrownMonarch(ANN)), play(hit(ANN, CY, 4))

    assert recap.of_games([first, second], ANN) == ["7 damage dealt", "crowned once"]


@pytest.mark.parametrize(
    ("start", "entries", "expected"),
    [
        (LEVELS, [hit(ANN, CY, 30), Concede(ANN), Lose((DI,), "x")], (1, 3, 0, 2)),
        (LEVELS, [Concede(DI), together(hit(ANN, BO, 30), hit(ANN, CY, 30))], (3, 1, 1, 0)),
        (LEVELS, [Lose((DI,), "x"), Win(ANN)], (3, 1, 1, 0)),
        (VOTES, [Lose((DI,), "x"), Draw()], (1, 1, 1, 0)),
        (LEVELS, [Concede(DI), Undo(), Win(ANN)], (3, 0, 0, 0)),
    ],
    ids=["one by one", "together", "the winner outlasts all", "a draw", "taken back"],
)
def test_how_many_opponents_each_player_outlasted(start, entries, expected):
    outlasted = recap.outlasted(play(*entries, start=start))

    assert outlasted == dict(zip((ANN, BO, CY, DI), expected, strict=True))


def test_teams_leave_as_one_so_nobody_outlasts_others():
    assert recap.outlasted(play(Concede(DI), start=WAR)) == {}
