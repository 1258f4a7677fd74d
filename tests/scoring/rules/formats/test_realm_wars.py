"""Realm Wars: two teams, capitals of three zones, phases, and priority passed as a team."""

import pytest

from scoring.rules.engine import Story
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars import answers as answering
from scoring.rules.formats.realm_wars.moves import (
    Act,
    Attack,
    BeginPhase,
    ChangeDevelopments,
    DamageZone,
    EmptyDeck,
    NameCommander,
    PassPriority,
    PlayLegend,
    RepairZone,
)
from scoring.rules.formats.realm_wars.state import BATTLEFIELD, KINGDOM, PHASES, QUEST, ZONES, Zone
from scoring.rules.moves import Concede, Draw, PassTurn, Win
from scoring.rules.state import with_player
from scoring.rules.words import plain
from tests.scoring.rules.asking import IN_PROGRESS, ended
from tests.scoring.rules.at_random import games
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, NAMES, game, play, refusal

FAY = 6
FOUR, SIX = game(REALM_WARS, players=4), game(REALM_WARS, players=6)
TO_BATTLE = [BeginPhase(), BeginPhase(), BeginPhase()]


def burn(seat, *zones):
    """Return the moves that burn zones of a capital at 8 damage each."""
    return [DamageZone((seat,), zone, 8) for zone in zones or ZONES]


def four(*entries):
    return play(*entries, start=FOUR)


def zones(log, seat):
    return [tuple(zone) for zone in log.state.players[seat].zones]


# --- teams and turns ---
@pytest.mark.parametrize(
    ("start", "sides"),
    [(FOUR, ((ANN, BO), (CY, DI))), (SIX, ((ANN, BO, CY), (DI, EV, FAY)))],
)
def test_the_halves_of_the_seats_are_the_teams(start, sides):
    """004 1: Two teams of two or of three play."""
    assert [players for players in range(1, 9) if REALM_WARS.allows(players)] == [4, 6]
    assert start.sides == sides
    assert [start.side_of(seat) for seat in sides[1]] == [sides[1]] * len(sides[1])


@pytest.mark.parametrize(("first", "active"), [(ANN, ANN), (BO, ANN), (CY, CY), (DI, CY)])
def test_the_starting_players_team_begins_and_its_commander_is_active(first, active):
    """004 3: Turns are the teams', not the players'."""
    state = game(REALM_WARS, first=first)

    assert (state.active, state.commanders) == (active, (ANN, CY))
    assert [team.is_active for team in state.teams] == [active == ANN, active == CY]
    assert state.priority == state.active_team


@pytest.mark.parametrize(
    ("entries", "active"),
    [
        ([PassTurn()], CY),
        ([PassTurn(), PassTurn()], ANN),
        ([PassTurn(DI)], CY),
        ([PassTurn(BO)], ANN),
        ([NameCommander(DI), PassTurn()], DI),
        ([NameCommander(BO)], BO),
        ([NameCommander(BO), PassTurn(), PassTurn()], BO),
        ([NameCommander(DI)], ANN),
    ],
)
def test_turns_are_the_teams_and_the_commander_stands_for_it(entries, active):
    """004 2: A Commander leads each."""
    assert four(*entries).state.active == active


# --- phases ---
def test_phases_follow_one_another_until_the_last():
    """004 4: Teammates go through the same phases at the same time."""
    log = four()
    seen = [log.state.phase]
    for _ in PHASES[1:]:
        log.append(BeginPhase())
        seen.append(log.state.phase)

    assert tuple(seen) == PHASES == ("kingdom", "quest", "capital", "battlefield")
    assert refusal(log, BeginPhase()).code == "last_phase"


@pytest.mark.parametrize("before", [[], TO_BATTLE])
def test_any_phase_can_be_named_as_an_extra_phase_or_after_skipped_phases(before):
    """004 14: A player's extra or skipped phase is the whole team's."""
    assert [four(*before, BeginPhase(phase)).state.phase for phase in PHASES] == list(PHASES)


# --- priority ---
@pytest.mark.parametrize(
    ("entries", "priority", "passes"),
    [
        ([], 0, 0),
        ([PassPriority()], 1, 1),
        ([PassPriority(), PassPriority()], 0, 0),
        ([PassPriority(), Act(CY)], 1, 0),
        ([PassPriority(), Act(DI), PassPriority()], 0, 1),
        ([Act(BO)], 0, 0),
        ([PassPriority(), BeginPhase()], 0, 0),
        ([PassTurn(), PassPriority()], 0, 1),
        ([PassTurn(), PassPriority(), PassPriority()], 1, 0),
    ],
)
def test_teams_pass_priority_back_and_forth(entries, priority, passes):
    """004 12: Priority goes back and forth between teams; a team passes when none of its players
    acts.
    """
    state = four(*entries).state

    assert (state.priority, state.passes) == (priority, passes)


# --- capitals ---
@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], (0, 0, False)),
        ([DamageZone((CY,), QUEST, 7)], (7, 0, False)),
        ([DamageZone((CY,), QUEST, 3), DamageZone((CY,), QUEST, 5)], (8, 0, True)),
        (
            [
                ChangeDevelopments(CY, QUEST, 2),
                DamageZone((CY,), QUEST, 9),
                ChangeDevelopments(CY, QUEST, -1),
            ],
            (9, 1, True),
        ),
        ([DamageZone((CY,), QUEST, 8), ChangeDevelopments(CY, QUEST, 3)], (8, 3, True)),
        (
            [DamageZone((CY,), QUEST, 7), RepairZone(CY, QUEST, 1), DamageZone((CY,), QUEST, 1)],
            (7, 0, False),
        ),
    ],
)
def test_a_zone_burns_at_eight_damage_and_one_for_each_development(entries, expected):
    log = four(*entries)

    assert zones(log, CY) == [(0, 0, False), expected, (0, 0, False)]
    assert zones(log, ANN) == [(0, 0, False)] * 3


# --- the attack ---
def test_a_team_attacks_one_zone_a_battlefield_phase():
    """004 17: A team attacks one zone as one army; the Commander chooses it, and only its cards
    defend.
    """
    log = four(*TO_BATTLE, Attack(DI, KINGDOM))

    assert log.state.attacked == (DI, KINGDOM)
    assert refusal(log, Attack(DI, QUEST)).code == "attacked_already"
    log.append(BeginPhase(BATTLEFIELD))
    log.append(Attack(CY, QUEST))
    assert log.state.attacked == (CY, QUEST)


# --- winning and losing ---
@pytest.mark.parametrize(
    ("start", "entries", "end"),
    [
        (FOUR, [*burn(ANN), *burn(BO, QUEST)], ("won", CY, "4 zones burning")),
        (FOUR, [*burn(ANN), *burn(CY)], IN_PROGRESS),
        (SIX, [*burn(DI), *burn(EV, KINGDOM, QUEST)], IN_PROGRESS),
        (SIX, [*burn(DI), *burn(EV)], ("won", ANN, "6 zones burning")),
        # an own legend: one more of theirs; a legend of theirs changes nothing for the own win
        (
            FOUR,
            [PlayLegend(BO), *burn(CY), *burn(DI, QUEST, KINGDOM)],
            ("won", ANN, "5 zones burning"),
        ),
        (FOUR, [PlayLegend(DI), *burn(CY), *burn(DI, QUEST)], ("won", ANN, "4 zones burning")),
        (
            SIX,
            [PlayLegend(ANN), PlayLegend(BO), PlayLegend(CY), *burn(DI), *burn(EV), *burn(FAY)],
            ("won", ANN, "9 zones burning"),
        ),
        (FOUR, [EmptyDeck((CY,), True), EmptyDeck((CY,)), EmptyDeck((DI,), True)], IN_PROGRESS),
        (FOUR, [EmptyDeck((ANN, BO), True)], ("won", CY, "all decks empty")),
        (FOUR, [EmptyDeck((ANN, CY), True)], IN_PROGRESS),
        (FOUR, [EmptyDeck((ANN, BO, CY, DI), True)], ("drawn", None, "all decks empty")),
        (
            FOUR,
            [*burn(ANN), *burn(CY), DamageZone((BO, DI), QUEST, 8)],
            ("drawn", None, "4 zones burning"),
        ),
        (FOUR, [NameCommander(BO), Concede(CY)], ("won", BO, "the other team conceded")),
        (FOUR, [Win(DI)], ("won", CY, "card effect")),
        (FOUR, [Draw()], ("drawn", None, "agreed")),
    ],
)
def test_teams_win_and_lose_only_as_teams(start, entries, end):
    """004 19: Players win and lose only as a team, and play on until then.
    004 21: A legend of Eternal War costs the team of its player one more zone to win.
    """
    assert ended(play(*entries, start=start)) == end


def test_both_losing_at_once_by_different_causes_is_a_draw_with_both_reasons():
    state = FOUR
    for seat in (ANN, BO):
        state = with_player(state, seat, decked=True)
    burnt = (Zone(8, 0, burning=True),) * 3
    state = with_player(with_player(state, CY, zones=burnt), DI, zones=burnt)
    story = Story(state)

    REALM_WARS.check_state(story)

    assert (story.state.ended_by, story.state.drew) == (
        "all decks empty and 6 zones burning",
        (ANN, BO, CY, DI),
    )


# --- answers ---
LEGENDS = "How do legends of the Eternal War cycle work?"
ATTACKED = "What is attacked?"
ALWAYS = [
    "What triggers at the beginning of a turn or phase?",
    "Who acts first in the team?",
    "How does a team pass?",
    "A card gives a player one more phase, or takes a phase away. Who has it?",
]


@pytest.mark.parametrize("phase", PHASES)
def test_all_answers_are_there_in_each_phase_those_that_matter_in_it_first(phase):
    every = list(answering.answers(FOUR))
    now, always, later = (group for _, group in answering.by_phase(phase, every))

    assert sorted(now + always + later) == sorted(every)
    assert all(phase in answer.phases for answer in now)
    assert [answer.question for answer in always] == ALWAYS
    assert later
    assert not any(phase in answer.phases for answer in later)


def answer_to(question, log):
    (text,) = [
        plain(answer.text, NAMES)
        for answer in answering.answers(log.state)
        if answer.question == question
    ]
    return text


def test_answers_name_the_players_and_the_numbers_of_the_game():
    """004 11: If teammates want to act at once, their Commander decides the order."""
    log = four(PlayLegend(DI), NameCommander(BO))

    assert answer_to(LEGENDS, log).endswith("Now Ann and Bo win at 4, Cy and Di win at 5.")
    assert answer_to(LEGENDS, four()).endswith("Now each team wins at 4.")
    assert "Bo, the Commander, chooses the zone" in answer_to(ATTACKED, log)
    assert answer_to("Who acts first in the team?", log).endswith("orders that: Bo or Cy.")


# --- properties ---
def test_whatever_happens_the_capitals_and_the_end_follow_the_rules():
    """004 18: A team loses at once with 4 (6) burning zones, or when all its players are out of
    cards.
    """
    for log in games(REALM_WARS):
        before = log.start
        for line in log.lines:
            state = line.after
            for seat, player in state.players.items():
                for was, zone in zip(before.players[seat].zones, player.zones, strict=True):
                    assert zone.damage >= 0 <= zone.developments
                    assert zone.burning or zone.damage < 8 + zone.developments
                    assert zone.burning or not was.burning, "it stays burning"
                    assert not was.burning or zone.damage == was.damage, "it takes no more"
            if not isinstance(line.move, Concede | Win | Draw):
                assert winners_by_zones_and_decks(state) == (state.is_over and state.winners)
            assert state.active in state.commanders
            assert [state.team_of(seat) for seat in state.commanders] == [0, 1]
            assert state.passes in (0, 1)
            assert not state.attacked or state.phase == BATTLEFIELD
            assert not state.attacked or state.attacked[0] not in state.side_of(state.active)
            before = state


def winners_by_zones_and_decks(state):
    """Return who has won if one team has lost, nobody if both have, and False while none has."""
    losing = [
        team
        for team, seats in enumerate(state.sides)
        if sum(zone.burning for seat in seats for zone in state.players[seat].zones)
        >= 2 * len(seats) + sum(state.players[one].legend for one in state.sides[1 - team])
        or all(state.players[seat].decked for seat in seats)
    ]
    return bool(losing) and (state.sides[1 - losing[0]] if len(losing) == 1 else ())
