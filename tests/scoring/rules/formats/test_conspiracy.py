"""Conspiracy: the monarch, votes, goad, melee, and conspiracies with secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coalition_site.lib.texts import is_visible
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.effects import TurnBegan
from scoring.rules.formats.conspiracy import (
    CONSPIRACY,
    Attack,
    CallVote,
    CastVote,
    Disclose,
    EndGoad,
    GoadCreature,
    MoveGoaded,
    PutAgenda,
    PutConspiracy,
    TurnUp,
)
from scoring.rules.formats.conspiracy.state import WILL, Agenda
from scoring.rules.formats.conspiracy.zone import seal
from scoring.rules.log import GameLog
from scoring.rules.moves import ChangeLife, Concede, CrownMonarch, Draw, PassTurn
from scoring.rules.words import plain
from tests.scoring.rules.asking import effects_in_words, of_each
from tests.scoring.rules.at_random import games
from tests.scoring.rules.play import ANN, BO, CY, DI, NAMES, game, hit, play, refusal

START = game(CONSPIRACY)
GRACE = CallVote(BO, WILL, ("grace", "guilt"))
SALT = "0123456789abcdef" * 2
SECRET = seal(ANN, SALT, "Hymn of the Wilds", ["Forest"])
DOUBLE = seal(ANN, SALT, "Summoner's Bond", ["Ogre", "Elf"])
OPENED = TurnUp(ANN, SECRET, SALT, "Hymn of the Wilds", ("Forest",))


def cons(*entries, start=START):
    return play(*entries, start=start)


def duties(log):
    """Return what each goaded creature must do, and until when."""
    return [(plain(one.duty, NAMES), plain(one.until, NAMES)) for one in log.state.goaded]


def goads(log):
    return [tuple(goad) for goad in log.state.goads]


# --- the start ---
def test_a_game_starts_with_20_life_and_without_a_monarch():
    """003 28: A game starts without a monarch; once there was one there is exactly one."""
    log = cons()

    assert [players for players in range(1, 9) if CONSPIRACY.allows(players)] == [3, 4, 5]
    assert of_each(log, "life") == {ANN: 20, BO: 20, CY: 20, DI: 20}
    assert log.state.monarch is None


# --- the monarch ---
def test_once_there_was_a_monarch_there_is_exactly_one():
    """003 26: One player at a time is the monarch.
    003 28: A game starts without a monarch; once there was one there is exactly one.
    """
    log = cons(CrownMonarch(ANN), PassTurn())

    assert refusal(log, CrownMonarch(None)).code == "always_a_monarch"
    log.append(CrownMonarch(BO))
    assert log.state.monarch == BO


@pytest.mark.parametrize(
    "correction", [Undo(2), Strike(2), Amend(2, CrownMonarch(None))], ids=lambda one: one.type
)
def test_a_correction_and_a_stored_log_may_leave_nobody_the_monarch(correction):
    entries = [PassTurn(), CrownMonarch(ANN), correction]

    assert cons(*entries).state.monarch is None
    assert GameLog.recall(START, entries).state.monarch is None
    stored = [CrownMonarch(ANN), CrownMonarch(None)]
    assert GameLog(START, stored, bounded=False).state.monarch is None


# --- votes ---
def test_a_player_who_votes_again_may_vote_for_something_else_and_others_wait():
    log = cons(GRACE, CastVote(BO, "grace", more=True), CastVote(BO, "guilt", 2, more=True))
    assert refusal(log, CastVote(CY, "grace")).code == "others_vote"

    for vote in (CastVote(BO, "guilt"), *(CastVote(seat, "grace") for seat in (CY, DI, ANN))):
        log.append(vote)
    assert effects_in_words(log) == ["Will of the council: grace (grace 4, guilt 3)"]


@pytest.mark.parametrize(
    ("entries", "votes_next", "grace"),
    [
        ([CastVote(BO, "grace", more=True), Concede(BO)], CY, 1),
        ([Concede(CY), CastVote(BO, "grace")], DI, 1),
        # A vote goes on when the active player leaves.
        ([CastVote(BO, "grace"), Concede(ANN)], CY, 1),
        # Each option stays when its creature is gone.
        ([Concede(BO), CastVote(CY, "grace"), CastVote(DI, "grace")], ANN, 2),
    ],
)
def test_who_leaves_has_voted_or_does_not_vote(entries, votes_next, grace):
    """003 20: Each option stays, also when the creature that it is about is gone."""
    state = cons(GRACE, *entries).state

    assert (state.votes_next, state.tally) == (votes_next, (("grace", grace), ("guilt", 0)))


CHOSEN_BY_DI = [CastVote(seat, "grace", 1, DI) for seat in (BO, CY)]
OF_DI_AND_ANN = [CastVote(DI, "grace"), CastVote(ANN, "guilt", 1, DI)]


@pytest.mark.parametrize(
    ("more", "votes_next", "chooser"),
    [
        ([], DI, None),
        ([*OF_DI_AND_ANN, GRACE], BO, DI),
        ([*OF_DI_AND_ANN, GRACE, Concede(DI)], BO, None),
        ([*OF_DI_AND_ANN, PassTurn(), GRACE], BO, None),
    ],
)
def test_who_chooses_for_others_does_so_in_all_votes_of_the_turn(more, votes_next, chooser):
    state = cons(GRACE, *CHOSEN_BY_DI, *more).state

    assert (state.votes_next, state.chooser) == (votes_next, chooser)


@pytest.mark.parametrize(
    ("voters", "end", "verdict"),
    [
        ([BO], [Draw("time")], "Not finished: grace 0, guilt 1"),
        ([BO], [Concede(CY), Concede(DI), Concede(ANN)], "Not finished: grace 0, guilt 1"),
        ([BO, CY, DI, ANN], [Draw("time")], "Will of the council: guilt (grace 0, guilt 4)"),
    ],
)
def test_a_vote_that_the_end_cut_off_has_no_verdict(voters, end, verdict):
    log = cons(GRACE, *(CastVote(seat, "guilt") for seat in voters), *end)

    assert (log.state.is_over, log.state.verdict) == (True, verdict)
    assert CONSPIRACY.outcome(log.state, NAMES)["vote"] == {
        "votes": {"grace": 0, "guilt": len(voters)},
        "next": None,
        "finished": len(voters) == 4,
    }


def test_a_vote_is_over_when_the_last_voter_leaves():
    log = cons(GRACE, *(CastVote(seat, "grace") for seat in (BO, CY, DI)), Concede(ANN))

    assert log.state.verdict == "Will of the council: grace (grace 3, guilt 0)"
    log.append(PassTurn())
    assert (log.state.vote, log.state.ballots) == (None, ())


# --- goad ---
OGRE = GoadCreature(ANN, "Ogre", BO)


def test_a_goad_ends_as_the_goading_players_next_turn_begins():
    """003 8: Until the goading player's next turn the creature attacks, and another player, if
    able.
    """
    log = cons(OGRE, PassTurn(), PassTurn(), PassTurn())
    assert goads(log) == [(ANN, "Ogre", BO)]

    log.append(PassTurn())
    assert goads(log) == []


def test_a_goad_ends_as_the_turn_of_a_player_who_is_out_would_have_begun():
    log = cons(PassTurn(CY), GoadCreature(ANN, "Ogre", BO), Concede(ANN))
    assert goads(log) == [(ANN, "Ogre", BO)]

    log.append(PassTurn())
    assert goads(log) == [(ANN, "Ogre", BO)]
    log.append(PassTurn())
    assert (log.state.active, goads(log)) == (BO, [])


CYS, ELF = GoadCreature(CY, "Ogre", BO), GoadCreature(BO, "Elf", CY)


@pytest.mark.parametrize(
    ("entries", "left"),
    [
        # A turn that leaves out who is in the game ends no goad of theirs, an extra turn the own.
        ([ELF, PassTurn(CY)], [(BO, "Elf", CY)]),
        ([OGRE, ELF, PassTurn(ANN)], [(BO, "Elf", CY)]),
        ([OGRE, CYS, PassTurn(), PassTurn()], [(ANN, "Ogre", BO)]),
        ([OGRE, CYS, MoveGoaded("Ogre", BO, DI)], [(ANN, "Ogre", DI), (CY, "Ogre", DI)]),
        ([OGRE, GoadCreature(ANN, "Elf", CY), Concede(BO)], [(ANN, "Elf", CY)]),
        ([OGRE, PassTurn(), OGRE], [(ANN, "Ogre", BO)]),  # twice is one goad
        ([OGRE, CYS, GoadCreature(CY, "Elf", BO), EndGoad("Ogre", BO)], [(CY, "Elf", BO)]),
    ],
)
def test_which_goads_are_left(entries, left):
    """003 13: Nor does another controller, who must attack with it."""
    assert goads(cons(*entries)) == left


def test_a_goad_outlasts_the_attacks_of_its_creature():
    """003 12: Attacking ends no goad: it must again in another combat."""
    attacks = Attack(BO, (CY,)), hit(BO, CY, 4), ChangeLife({BO: 1}), Attack(BO, (DI,))

    assert duties(cons(OGRE, PassTurn(), *attacks)) == duties(cons(OGRE)) != []


def test_a_goaded_creature_is_not_confused_with_its_namesake():
    log = cons(OGRE, GoadCreature(ANN, "Ogre", CY))

    assert refusal(log, MoveGoaded("Ogre", BO, CY)).code == "namesakes"
    log.append(Amend(1, GoadCreature(ANN, "Ogre 2", BO)))
    log.append(MoveGoaded("Ogre 2", BO, CY))
    assert goads(log) == [(ANN, "Ogre 2", CY), (ANN, "Ogre", CY)]


# --- melee ---
@pytest.mark.parametrize(
    ("after", "melee", "active"),
    [
        ([hit(ANN, CY, 1)] * 5, 2, ANN),
        ([Concede(BO)], 2, ANN),
        # A later combat counts from 0, and melee is gone with the turn.
        ([Attack(ANN, (DI,))], 1, ANN),
        ([Attack(CY, (ANN,))], 1, CY),
        ([Attack(ANN, ())], 0, ANN),  # planeswalkers only
        ([PassTurn()], 0, BO),
        ([hit(BO, CY, 2)], 0, BO),
        ([PassTurn(ANN)], 0, ANN),
    ],
)
def test_melee_after_an_attack_on_two_opponents(after, melee, active):
    """003 1: Melee: +1/+1 for each opponent attacked with a creature this combat.
    003 2: Each instance of melee triggers by itself.
    003 3: However many creatures attack a player, the player counts once.
    003 4: It is counted as melee resolves, and an opponent who left since counts.
    """
    state = cons(Attack(ANN, (BO, CY)), *after).state

    assert (state.melee, state.active) == (melee, active)


# --- the command zone ---
def test_face_down_conspiracies_are_counted_and_say_nothing():
    """003 32: They are never in the deck, and go into the command zone as the game starts."""
    face_down = PutAgenda(ANN, SECRET), PutAgenda(BO, DOUBLE)
    state = cons(PutConspiracy(ANN, "Sovereign's Realm"), *face_down).state

    assert state.players[ANN].face_up == ("Sovereign's Realm",)
    assert [state.players[seat].face_down for seat in (ANN, BO, CY)] == [
        (Agenda(SECRET),),
        (Agenda(DOUBLE),),
        (),
    ]


def test_each_conspiracy_has_names_of_its_own_and_a_double_agenda_has_two():
    """003 42: Several have a name each, and each name belongs to one of them.
    003 46: Double agenda takes two names.
    """
    log = cons(PutAgenda(ANN, SECRET), PutAgenda(ANN, DOUBLE))
    swapped = TurnUp(ANN, SECRET, SALT, "Hymn of the Wilds", ("Ogre",))
    assert refusal(log, swapped).code == "seal_does_not_fit"

    for turned_up in (OPENED, TurnUp(ANN, DOUBLE, SALT, "Summoner's Bond", ("Ogre", "Elf"))):
        log.append(turned_up)
    names = [agenda.names for agenda in log.state.players[ANN].agendas]
    assert names == [("Forest",), ("Ogre", "Elf")]


def test_a_seal_of_the_first_release_still_opens():
    """As printf '%s\\n%s\\n%s' SALT CONSPIRACY NAME | sha256sum prints it."""
    old = "3eae5e116884338ded4dadf827d9cb94a2476a19749a6808e95e0e92c787e89b"
    log = cons(PutAgenda(BO, old), TurnUp(BO, old, SALT, "Hymn of the Wilds", ("Forest",)))

    assert effects_in_words(log) == [f"The seal {old[:12]} fits"]


@pytest.mark.parametrize(
    "log", [cons(), cons(PutAgenda(BO, SECRET)), cons(PutAgenda(ANN, SECRET), OPENED)]
)
def test_only_what_the_player_has_face_down_is_turned_up(log):
    assert refusal(log, OPENED).code == "no_such_seal"


def test_a_seal_is_put_once_the_beginning_is_undone_and_taken_back_before_the_game_has_begun():
    again = cons(PassTurn(), Undo(), PutAgenda(ANN, SECRET))
    struck = cons(PutAgenda(ANN, SECRET), PutConspiracy(BO, "Weight Advantage"), Strike(1))

    assert [len(log.state.players[ANN].agendas) for log in (again, struck)] == [1, 0]


@pytest.mark.parametrize("correction", [Undo(), Strike(1), Amend(1, PutAgenda(ANN, DOUBLE))])
def test_a_seal_stays_once_the_game_has_begun_even_if_that_is_undone(correction):
    log = cons(PutAgenda(ANN, SECRET), PassTurn())
    if not isinstance(correction, Undo):
        assert refusal(log, correction).code == "seal_stays"

    log.append(Undo())
    assert refusal(log, correction).code == "seal_stays"
    log.append(PutAgenda(BO, DOUBLE))
    assert refusal(log, Undo()).code == "seal_stays"


# --- votes for what voters name ---
NAMED = CallVote(BO, WILL, (), named=True)


def test_each_voter_may_name_an_option_up_to_ten():
    log = cons(NAMED, CastVote(BO, "Ogre"), CastVote(CY, "OGRE"), CastVote(DI, "Elf"))
    assert log.state.tally == (("Ogre", 2), ("Elf", 1))

    ten = CallVote(BO, WILL, tuple("abcdefghij"), named=True)
    assert refusal(cons(ten), CastVote(BO, "k")).code == "not_an_option"
    assert cons(NAMED, Draw()).state.verdict == "Not finished: nobody voted"


@pytest.mark.parametrize("options", [(), ("grace",)])
def test_a_vote_where_nobody_names_options_has_two(options):
    assert refusal(cons(), CallVote(BO, WILL, options)).code == "too_few_options"


# --- what is still face down in the end ---
SAYS = Disclose(ANN, SECRET, "Hymn of the Wilds", ("Forest",))


@pytest.mark.parametrize(
    ("entries", "owing"),
    [
        ([], ()),
        ([Concede(ANN)], (ANN,)),
        ([Concede(BO)], (BO,)),
        ([Concede(CY)], ()),
        ([Draw()], (ANN, BO)),
        ([Draw(), OPENED], (BO,)),
        ([Draw(), SAYS], (BO,)),
    ],
)
def test_players_who_leave_and_everybody_after_the_end_must_reveal(entries, owing):
    """003 45: At the end all are revealed, so that nothing else can lie there face down."""
    log = cons(PutAgenda(ANN, SECRET), PutAgenda(BO, DOUBLE), *entries)

    assert log.state.owing == owing


def test_a_name_given_by_word_is_not_proved():
    log = cons(PutAgenda(ANN, SECRET), Draw(), SAYS)

    assert refusal(cons(PutAgenda(ANN, SECRET)), SAYS).code == "still_secret"
    assert log.state.players[ANN].agendas[0].is_proved is False
    assert refusal(log, SAYS).code == "no_such_seal"


@pytest.mark.parametrize("end", [[Draw()], [GRACE, Concede(ANN)]])
def test_a_name_given_by_word_can_still_be_proved(end):
    lie = Disclose(ANN, SECRET, "Natural Unity", ("Island",))
    log = cons(PutAgenda(ANN, SECRET), *end, lie, OPENED)

    assert log.state.players[ANN].agendas == (
        Agenda(SECRET, SALT, "Hymn of the Wilds", ("Forest",)),
    )
    assert refusal(log, lie).code == refusal(log, OPENED).code == "no_such_seal"


def test_a_name_given_by_word_has_to_be_struck_before_the_end_that_required_it():
    log = cons(PutAgenda(ANN, SECRET), Concede(ANN), SAYS)

    assert refusal(log, Strike(2)).code == "later_impossible"
    log.append(Strike(3))
    log.append(Strike(2))
    assert log.state.players[ANN].agendas == (Agenda(SECRET),)


# --- properties ---
def test_no_goad_outlives_its_turn_all_vote_once_and_seals_stay():
    """003 19: Nobody abstains, or votes for anything else."""
    for log in games(CONSPIRACY):
        seals: set[str] = set()
        for line in log.lines:
            after = line.after
            if any(isinstance(event, TurnBegan) for event in line.effects):
                assert after.active not in [goad.by for goad in after.goads]
            voters = [ballot.player for ballot in after.ballots if not ballot.more]
            assert len(voters) == len(set(voters))
            if after.vote and not after.is_over:
                assert bool(set(after.in_game) - set(voters)) == (after.votes_next is not None)
            were = seals
            seals = {one.seal for player in after.players.values() for one in player.agendas}
            assert were <= seals


names = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20).filter(
    lambda name: name.strip() and is_visible(name)
)


@given(names, names, names, names)
def test_a_seal_opens_for_nothing_else(card, name, other_card, other_name):
    log = cons(PutAgenda(ANN, seal(ANN, SALT, card, [name])))
    opens = TurnUp(ANN, seal(ANN, SALT, card, [name]), SALT, other_card, (other_name,))

    if (card, name) == (other_card, other_name):
        log.append(opens)
    else:
        assert refusal(log, opens).code == "seal_does_not_fit"
