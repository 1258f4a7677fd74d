"""Realm Wars: two teams, capitals of three zones, phases, and priority passed as a team."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages import wording
from scoring.rules.corrections import Strike, Undo
from scoring.rules.engine import Story
from scoring.rules.errors import RuleError
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
from scoring.rules.moves import Concede, CrownMonarch, Draw, Hold, Lose, PassTurn, Win
from scoring.rules.state import with_player
from tests.scoring.rules.asking import IN_PROGRESS, due, effects_in_words, ended, news
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, NAMES, game, hit, play, refusal

FAY = 6
FOUR, SIX = game(REALM_WARS, players=4), game(REALM_WARS, players=6)
TO_BATTLE = [BeginPhase(), BeginPhase(), BeginPhase()]


def burn(seat, *zones):
    """Return the moves that burn zones of a capital at 8 damage each."""
    return [DamageZone((seat,), zone, 8) for zone in zones or ZONES]


def four(*entries):
    return play(*entries, start=FOUR)


def six(*entries):
    return play(*entries, start=SIX)


def zones(log, seat):
    return [tuple(zone) for zone in log.state.players[seat].zones]


def reminders(log):
    latest = log.lines[-1].move if log.lines else None
    return [wording.plain(sentence, NAMES) for sentence in answering.reminders(log.state, latest)]


# --- teams and turns ---
@pytest.mark.parametrize(
    ("start", "sides"),
    [(FOUR, ((ANN, BO), (CY, DI))), (SIX, ((ANN, BO, CY), (DI, EV, FAY)))],
)
def test_the_halves_of_the_seats_are_the_teams(start, sides):
    """004 1: Two teams of two or of three play."""
    assert start.sides == sides
    assert [start.side_of(seat) for seat in sides[1]] == [sides[1]] * len(sides[1])


@pytest.mark.parametrize("players", range(1, 9))
def test_four_or_six_can_play(players):
    """004 1: Two teams of two or of three play."""
    assert REALM_WARS.allows(players) is (players in (4, 6))
    assert REALM_WARS.players_text == "4 or 6"


@pytest.mark.parametrize(("first", "active"), [(ANN, ANN), (BO, ANN), (CY, CY), (DI, CY)])
def test_the_starting_players_team_begins_and_its_commander_is_active(first, active):
    """004 3: Turns are the teams', not the players'."""
    state = game(REALM_WARS, first=first)

    assert (state.active, state.commanders) == (active, (ANN, CY))
    assert [team.is_active for team in state.teams] == [active == ANN, active == CY]
    assert [team.has_priority for team in state.teams] == [active == ANN, active == CY]


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


def test_a_new_turn_begins_in_the_first_phase_with_priority_and_nothing_attacked():
    log = four(*TO_BATTLE, Attack(CY, QUEST), PassPriority(), PassTurn())

    assert (log.state.phase, log.state.priority, log.state.passes) == (KINGDOM, 1, 0)
    assert log.state.attacked == ()


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


@pytest.mark.parametrize("phase", PHASES)
def test_any_phase_can_be_named_as_an_extra_phase_or_after_skipped_phases(phase):
    """004 14: A player's extra or skipped phase is the whole team's."""
    for before in ([], TO_BATTLE):
        assert four(*before, BeginPhase(phase)).state.phase == phase


# --- priority ---
@pytest.mark.parametrize(
    ("entries", "priority", "passes"),
    [
        ([], 0, 0),
        ([PassPriority()], 1, 1),
        ([PassPriority(), PassPriority()], 0, 0),
        ([PassPriority(), Act(CY)], 1, 0),
        ([PassPriority(), Act(DI), PassPriority()], 0, 1),
        ([PassPriority(), Act(DI), PassPriority(), PassPriority()], 0, 0),
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


def test_the_board_shows_when_both_teams_passed_in_a_row():
    """004 13: When both pass in a row the top of the stack resolves, and the active team has
    priority.
    """
    log = four(PassPriority(), PassPriority())

    assert effects_in_words(log, 0) == []
    assert effects_in_words(log, 1) == [
        "Both teams passed: the top of the stack resolves, or the phase ends; "
        "the active team has priority"
    ]


def test_only_the_team_with_priority_acts():
    """004 10: Teams have priority, not players."""
    assert refusal(four(), Act(CY)).code == "not_your_priority"


# --- capitals ---
@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], (0, 0, False)),
        ([DamageZone((CY,), QUEST, 7)], (7, 0, False)),
        ([DamageZone((CY,), QUEST, 8)], (8, 0, True)),
        ([DamageZone((CY,), QUEST, 3), DamageZone((CY,), QUEST, 5)], (8, 0, True)),
        ([ChangeDevelopments(CY, QUEST, 2), DamageZone((CY,), QUEST, 9)], (9, 2, False)),
        ([ChangeDevelopments(CY, QUEST, 2), DamageZone((CY,), QUEST, 10)], (10, 2, True)),
        (
            [
                ChangeDevelopments(CY, QUEST, 2),
                DamageZone((CY,), QUEST, 9),
                ChangeDevelopments(CY, QUEST, -1),
            ],
            (9, 1, True),
        ),
        ([DamageZone((CY,), QUEST, 8), ChangeDevelopments(CY, QUEST, 3)], (8, 3, True)),
        ([DamageZone((CY,), QUEST, 7), RepairZone(CY, QUEST, 4)], (3, 0, False)),
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


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (DamageZone((CY,), QUEST, 1), "zone_burns"),
        (DamageZone((DI, CY), QUEST, 1), "zone_burns"),
        (RepairZone(CY, QUEST, 1), "zone_burns"),
        (RepairZone(CY, KINGDOM, 1), "out_of_bounds"),
        (ChangeDevelopments(CY, KINGDOM, -1), "out_of_bounds"),
        (ChangeDevelopments(CY, KINGDOM, 0), "no_change"),
        (DamageZone((EV,), QUEST, 1), "not_dealt_in"),
    ],
)
def test_what_a_capital_can_not_take_is_refused(entry, code):
    assert refusal(four(*burn(CY, QUEST)), entry).code == code


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


@pytest.mark.parametrize(
    ("before", "entry", "code"),
    [
        ([], Attack(CY, QUEST), "not_in_battlefield_phase"),
        (TO_BATTLE, Attack(ANN, QUEST), "own_zone"),
        (TO_BATTLE, Attack(BO, QUEST), "own_zone"),
        ([PassTurn(), *TO_BATTLE], Attack(CY, QUEST), "own_zone"),
    ],
)
def test_attacks_that_the_rules_do_not_know_are_refused(before, entry, code):
    """004 17: A team attacks one zone as one army; the Commander chooses it, and only its cards
    defend.
    """
    assert refusal(four(*before), entry).code == code


# --- winning and losing ---
@pytest.mark.parametrize(
    ("start", "entries", "end"),
    [
        (FOUR, [*burn(CY)], IN_PROGRESS),
        (FOUR, [*burn(CY), *burn(DI, QUEST)], ("won", ANN, "4 zones burning")),
        (FOUR, [*burn(ANN), *burn(BO, QUEST)], ("won", CY, "4 zones burning")),
        (FOUR, [*burn(ANN), *burn(CY)], IN_PROGRESS),
        (SIX, [*burn(DI), *burn(EV, KINGDOM, QUEST)], IN_PROGRESS),
        (SIX, [*burn(DI), *burn(EV)], ("won", ANN, "6 zones burning")),
        # an own legend: one more of theirs; a legend of theirs changes nothing for the own win
        (FOUR, [PlayLegend(BO), *burn(CY), *burn(DI, QUEST)], IN_PROGRESS),
        (
            FOUR,
            [PlayLegend(BO), *burn(CY), *burn(DI, QUEST, KINGDOM)],
            ("won", ANN, "5 zones burning"),
        ),
        (FOUR, [PlayLegend(DI), *burn(CY), *burn(DI, QUEST)], ("won", ANN, "4 zones burning")),
        (
            FOUR,
            [PlayLegend(ANN), PlayLegend(BO), *burn(CY), *burn(DI)],
            ("won", ANN, "6 zones burning"),
        ),
        (
            SIX,
            [PlayLegend(ANN), PlayLegend(BO), PlayLegend(CY), *burn(DI), *burn(EV), *burn(FAY)],
            ("won", ANN, "9 zones burning"),
        ),
        (FOUR, [EmptyDeck((CY,), True)], IN_PROGRESS),
        (FOUR, [EmptyDeck((CY,), True), EmptyDeck((DI,), True)], ("won", ANN, "all decks empty")),
        (FOUR, [EmptyDeck((CY,), True), EmptyDeck((CY,)), EmptyDeck((DI,), True)], IN_PROGRESS),
        (FOUR, [EmptyDeck((ANN, BO), True)], ("won", CY, "all decks empty")),
        (SIX, [EmptyDeck((DI, EV), True)], IN_PROGRESS),
        (FOUR, [EmptyDeck((ANN, CY), True)], IN_PROGRESS),
        (FOUR, [EmptyDeck((ANN, BO, CY, DI), True)], ("drawn", None, "all decks empty")),
        (
            FOUR,
            [*burn(ANN), *burn(CY), DamageZone((BO, DI), QUEST, 8)],
            ("drawn", None, "4 zones burning"),
        ),
        (FOUR, [Concede(DI)], ("won", ANN, "the other team conceded")),
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


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], [(0, 4), (0, 4)]),
        ([*burn(CY, QUEST)], [(0, 4), (1, 4)]),
        ([PlayLegend(ANN)], [(0, 4), (0, 5)]),
        ([PlayLegend(ANN), PlayLegend(BO), PlayLegend(CY)], [(0, 5), (0, 6)]),
    ],
)
def test_how_many_zones_burn_and_at_how_many_a_team_loses(entries, expected):
    teams = four(*entries).state.teams

    assert [(team.burning, team.burns_at) for team in teams] == expected


def test_a_legend_counts_once_for_each_player():
    """004 21: A legend of Eternal War costs the team of its player one more zone to win."""
    log = four(PlayLegend(ANN))

    assert effects_in_words(log) == ["Ann and Bo now need 5 burning zones to win"]
    assert refusal(log, PlayLegend(ANN)).code == "legend_counts"


@pytest.mark.parametrize(
    ("entries", "winners", "drew", "words"),
    [
        (
            [*burn(CY), *burn(DI, QUEST)],
            *((ANN, BO), ()),
            ["The quest of Di burns", "Cy and Di lose: 4 zones burning", "Ann and Bo win"],
        ),
        (
            [EmptyDeck((ANN, BO, CY, DI), True)],
            *((), (ANN, BO, CY, DI)),
            [
                "Ann and Bo lose: all decks empty",
                "Cy and Di lose: all decks empty",
                "Draw: all decks empty",
            ],
        ),
        (
            [Concede(DI)],
            *((ANN, BO), ()),
            [
                "Cy leaves the game",
                "Di leaves the game",
                "Ann and Bo win: the other team conceded",
            ],
        ),
    ],
)
def test_the_whole_team_wins_loses_and_concedes(entries, winners, drew, words):
    log = four(*entries)

    assert (log.state.winners, log.state.drew) == (winners, drew)
    assert effects_in_words(log)[-3:] == words


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ([*burn(CY), *burn(DI, QUEST)], "the other team has 4 zones burning"),
        ([EmptyDeck((CY, DI), True)], "the other team has all decks empty"),
        ([*burn(CY), Concede(DI)], "the other team conceded"),
        ([EmptyDeck((ANN, BO, CY, DI), True)], "all decks empty"),
    ],
)
def test_a_game_says_whose_zones_and_decks_ended_it(entries, text):
    state = four(*entries).state

    assert state.ruleset.ending(state) == text


# --- what the format lacks, and what changes nothing ---
@pytest.mark.parametrize(
    "entry",
    [hit(ANN, CY, 1), Hold(ANN, True, False), CrownMonarch(ANN), Lose((ANN,))],
    ids=lambda entry: type(entry).__name__,
)
def test_what_the_format_lacks_is_refused(entry):
    assert refusal(four(), entry).code == "not_of_this_format"


@pytest.mark.parametrize(
    ("before", "entry"),
    [
        ([], EmptyDeck((ANN,))),
        ([EmptyDeck((ANN,), True)], EmptyDeck((ANN,), True)),
        ([], NameCommander(ANN)),
    ],
)
def test_what_would_change_nothing_is_refused(before, entry):
    assert refusal(four(*before), entry).code == "no_change"


# --- corrections ---
def test_a_struck_development_lets_the_zone_burn_and_its_undo_does_not():
    log = four(ChangeDevelopments(CY, QUEST, 2), DamageZone((CY,), QUEST, 9))
    log.append(Strike(1))
    assert zones(log, CY)[1] == (9, 0, True)
    assert log.state.players[CY].changes(FOUR.players[CY]) == [
        "quest 0 damage → 9",
        "quest burns",
    ]
    log.append(Undo())
    assert log.state == FOUR


def test_states_say_how_they_differ():
    later = four(*TO_BATTLE, Attack(CY, QUEST), PassPriority()).state

    assert later.changes(FOUR) == [
        "kingdom phase → battlefield",
        "another zone is attacked",
        "the passing of priority",
    ]
    assert FOUR.changes(FOUR) == []


# --- reminders ---
ONCE_EACH = "“At the beginning of” this turn or phase triggers once for each player of the team."
LOOK_AND_TALK = (
    "Teammates may show each other their hands and talk, but touch only their own cards."
)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], [LOOK_AND_TALK, ONCE_EACH]),
        ([PassTurn()], [ONCE_EACH]),
        ([BeginPhase()], [ONCE_EACH]),
        (
            [BeginPhase(QUEST)],
            [ONCE_EACH, "An extra or skipped phase goes for the whole team."],
        ),
        (TO_BATTLE, [ONCE_EACH]),
        (
            [PassPriority(), Act(DI)],
            [
                "“Each opponent” on the card: one opposing player, whom Di chooses.",
                "Cy, the Commander, orders what the team does at once.",
            ],
        ),
        ([PassPriority()], ["A team passes as one: only when none of its players wants to act."]),
        ([PassPriority(), PassPriority()], []),
        ([DamageZone((CY,), QUEST, 1)], []),
        ([Concede(ANN)], []),
    ],
)
def test_the_document_is_remembered_at_the_moment_it_is_about(entries, expected):
    """004 9: What triggers at the beginning of a turn or phase does so once for each player of the
    team.
    004 11: If teammates want to act at once, their Commander decides the order.
    004 14: A player's extra or skipped phase is the whole team's.
    """
    assert reminders(four(*entries)) == expected


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
    every = answering.answers(FOUR)
    now, always, later = (group for _, group in answering.by_phase(phase, every))

    assert sorted(now + always + later) == sorted(every)
    assert all(phase in answer.phases for answer in now)
    assert [answer.question for answer in always] == ALWAYS
    assert later
    assert not any(phase in answer.phases for answer in later)


def answer_to(question, log):
    (text,) = [
        wording.plain(answer.text, NAMES)
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


# --- what to do now ---
CHOOSES = "Ann, the Commander, chooses the one zone that the team attacks"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], ["Ann and Bo’s turn, kingdom phase"]),
        ([BeginPhase()], ["Ann and Bo’s turn, quest phase"]),
        (
            [BeginPhase(), PassPriority()],
            ["Cy and Di act or pass, in the other team’s quest phase"],
        ),
        ([PassTurn()], ["Cy and Di’s turn, kingdom phase"]),
        ([NameCommander(BO)], ["Ann and Bo’s turn, kingdom phase"]),
        (TO_BATTLE, ["Ann and Bo’s turn, battlefield phase", CHOOSES]),
        (
            [*TO_BATTLE, Attack(CY, QUEST)],
            [
                "Ann and Bo’s turn, battlefield phase",
                "Only the quest of Cy is attacked: only cards in it defend",
            ],
        ),
    ],
)
def test_which_team_acts_and_what_is_attacked_is_to_be_seen_at_every_moment(entries, expected):
    """004 3: Turns are the teams', not the players'."""
    assert due(four(*entries)) == expected


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (
            [DamageZone((CY,), QUEST, 8)],
            ["The quest of Cy burns: the team has 1 burning zone, and loses at 4"],
        ),
        (
            [DamageZone((CY, DI), QUEST, 8)],
            [
                "The quest of Cy burns: the team has 1 burning zone, and loses at 4",
                "The quest of Di burns: the team has 2 burning zones, and loses at 4",
            ],
        ),
        (
            burn(CY),
            [
                "The battlefield of Cy burns: the team has 3 burning zones, and loses at 4. "
                "Cy plays on: only a team wins or loses"
            ],
        ),
        (
            [PlayLegend(ANN), DamageZone((CY,), QUEST, 8)],
            ["The quest of Cy burns: the team has 1 burning zone, and loses at 5"],
        ),
        (
            [EmptyDeck((ANN, CY), True)],
            [
                "Ann has no cards left, and plays on: only a team wins or loses",
                "Cy has no cards left, and plays on: only a team wins or loses",
            ],
        ),
        ([EmptyDeck((CY,), True), EmptyDeck((CY,))], []),
        (
            [EmptyDeck((CY,), True), EmptyDeck((DI,), True)],
            ["Cy and Di lose: all decks empty", "Ann and Bo win"],
        ),
        ([BeginPhase()], []),
    ],
)
def test_players_read_what_burns_and_who_plays_on(entries, expected):
    assert news(four(*entries)) == expected


# --- properties ---
seats = st.integers(ANN, FAY)
some_zone = st.sampled_from(ZONES)
entries = st.one_of(
    st.builds(
        lambda seat, zone, by: DamageZone((seat,), zone, by), seats, some_zone, st.integers(1, 12)
    ),
    st.builds(
        DamageZone,
        st.lists(seats, min_size=1, unique=True).map(tuple),
        some_zone,
        st.integers(1, 4),
    ),
    st.builds(RepairZone, seats, some_zone, st.integers(1, 5)),
    st.builds(ChangeDevelopments, seats, some_zone, st.integers(-3, 3)),
    st.builds(Attack, seats, some_zone),
    st.builds(BeginPhase, st.sampled_from(["", *PHASES])),
    st.builds(PassTurn, st.none() | seats),
    st.builds(Act, seats),
    st.builds(PlayLegend, seats),
    st.builds(NameCommander, seats),
    st.builds(lambda seat, empty: EmptyDeck((seat,), empty), seats, st.booleans()),
    st.just(PassPriority()),
)


def states(start, moves):
    log = play(start=start)
    for move in moves:
        with suppress(RuleError):
            log.append(move)
        yield log.state
        if log.state.is_over:
            return


@given(st.sampled_from([FOUR, SIX]), st.lists(entries, max_size=60))
def test_whatever_happens_the_capitals_and_the_end_follow_the_rules(start, moves):
    """004 18: A team loses at once with 4 (6) burning zones, or when all its players are out of
    cards.
    """
    before = start
    for state in states(start, moves):
        for seat, player in state.players.items():
            for was, zone in zip(before.players[seat].zones, player.zones, strict=True):
                assert zone.damage >= 0 <= zone.developments
                assert zone.burning or zone.damage < 8 + zone.developments
                assert zone.burning or not was.burning, "it stays burning"
                assert not was.burning or zone.damage == was.damage, "it takes no more"
        losing = [
            team
            for team, seats in enumerate(state.sides)
            if sum(zone.burning for seat in seats for zone in state.players[seat].zones)
            >= 2 * len(seats) + sum(state.players[one].legend for one in state.sides[1 - team])
            or all(state.players[seat].decked for seat in seats)
        ]
        assert state.is_over is bool(losing)
        assert state.winners == (state.sides[1 - losing[0]] if len(losing) == 1 else ())
        assert state.active in state.commanders
        assert [state.team_of(seat) for seat in state.commanders] == [0, 1]
        assert state.passes in (0, 1)
        assert not state.attacked or state.phase == BATTLEFIELD
        assert not state.attacked or state.attacked[0] not in state.side_of(state.active)
        before = state
