"""Conspiracy: the monarch, votes, goad, melee, and conspiracies with secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coalition_site.lib.texts import is_visible
from scoring.pages import wording
from scoring.rules import recap
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.effects import TurnBegan
from scoring.rules.errors import RuleError
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
from scoring.rules.formats.conspiracy.state import DILEMMA, WILL, Agenda
from scoring.rules.formats.conspiracy.zone import seal
from scoring.rules.log import GameLog
from scoring.rules.moves import ChangeLife, Concede, CrownMonarch, Draw, Hold, Lose, PassTurn
from scoring.setlog import codec
from tests.scoring.rules.asking import due, effects_in_words, news, of_each
from tests.scoring.rules.play import ANN, BO, CY, DI, NAMES, game, hit, play, refusal

START = game(CONSPIRACY)
GRACE = CallVote(BO, WILL, ("grace", "guilt"))
SALT = "0123456789abcdef" * 2
SECRET = seal(ANN, SALT, "Hymn of the Wilds", ["Forest"])
DOUBLE = seal(ANN, SALT, "Summoner's Bond", ["Ogre", "Elf"])
OPENED = TurnUp(ANN, SECRET, SALT, "Hymn of the Wilds", ("Forest",))


def cons(*entries, start=START):
    return play(*entries, start=start)


def in_words(entry):
    return wording.plain(entry.sentence(), NAMES)


def duties(log):
    """Return what each goaded creature must do, and until when."""
    return [
        (wording.plain(one.duty, NAMES), wording.plain(one.until, NAMES))
        for one in log.state.goaded
    ]


def goads(log):
    return [tuple(goad) for goad in log.state.goads]


# --- the start ---
def test_a_game_starts_with_20_life_and_without_a_monarch():
    """003 28: A game starts without a monarch; once there was one there is exactly one."""
    log = cons()

    assert of_each(log, "life") == {ANN: 20, BO: 20, CY: 20, DI: 20}
    assert log.state.monarch is None


def test_three_to_five_play():
    assert [players for players in range(1, 9) if CONSPIRACY.allows(players)] == [3, 4, 5]


# --- the monarch ---
DRAWS, BO_IS = (
    "Ann, the monarch, draws a card at the end step",
    "Bo is the monarch and draws a card at their end step",
)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ([PassTurn()], [DRAWS, "Bo’s turn begins"]),
        ([PassTurn(), PassTurn()], ["Cy’s turn begins"]),
        ([hit(BO, ANN, 2)], ["Ann −2 life", DRAWS, "Bo’s turn begins", BO_IS]),
        (
            [Concede(ANN)],
            ["Ann leaves the game", "The active player left: it is Bo’s turn already", BO_IS],
        ),
    ],
)
def test_the_monarch_draws_a_card_as_the_own_turn_ends(entries, words):
    """003 24: The monarch draws a card at the own end step.
    003 30: The card of the end step is drawn by who was the monarch then.
    """
    assert effects_in_words(cons(CrownMonarch(ANN), *entries)) == words


def test_once_there_was_a_monarch_there_is_exactly_one():
    """003 26: One player at a time is the monarch.
    003 28: A game starts without a monarch; once there was one there is exactly one.
    """
    log = cons(CrownMonarch(ANN), PassTurn())

    assert refusal(log, CrownMonarch(None)).code == "always_a_monarch"
    log.append(CrownMonarch(BO))
    assert log.state.monarch == BO


def test_nothing_triggers_for_a_player_who_is_the_monarch_already():
    """003 29: Whoever is the monarch already does not become it."""
    log = cons(CrownMonarch(ANN), CrownMonarch(ANN), Draw())

    assert effects_in_words(log, 1) == [
        "Ann is the monarch already: nothing triggers on becoming it"
    ]
    assert recap.of_games([log], ANN) == ["crowned once"]


@pytest.mark.parametrize(
    "correction", [Undo(2), Strike(2), Amend(2, CrownMonarch(None))], ids=lambda one: one.type
)
def test_a_correction_may_leave_nobody_the_monarch(correction):
    log = cons(PassTurn(), CrownMonarch(ANN))

    log.append(correction)

    assert log.state.monarch is None


def test_a_stored_log_that_left_nobody_the_monarch_stays_readable():
    moves = [CrownMonarch(ANN), CrownMonarch(None)]

    assert GameLog.recall(START, moves).state.monarch is None
    assert GameLog(START, moves, bounded=False).state.monarch is None


# --- votes ---
@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        (
            [("grace", 1), ("guilt", 1), ("guilt", 1), ("guilt", 1)],
            "Will of the council: guilt (grace 1, guilt 3)",
        ),
        (
            [("grace", 1), ("guilt", 1), ("guilt", 1), ("grace", 1)],
            "Will of the council: a tie of grace and guilt, 2 votes each",
        ),
        (
            [("grace", 1), ("guilt", 1), ("grace", 1), ("guilt", 2)],
            "Will of the council: guilt (grace 2, guilt 3)",
        ),
    ],
)
def test_the_will_of_the_council_is_what_has_most_votes(votes, outcome):
    """003 16: Council's dilemma: each vote adds to its effect; will of the council: most votes
    win.
    """
    seats = [BO, CY, DI, ANN]
    cast = [CastVote(seat, *vote) for seat, vote in zip(seats, votes, strict=True)]

    assert effects_in_words(cons(GRACE, *cast)) == [outcome]


def test_in_a_dilemma_every_vote_counts_in_the_stated_order():
    """003 16: Council's dilemma: each vote adds to its effect; will of the council: most votes
    win.
    003 17: The effects happen in the stated order.
    """
    call = CallVote(BO, DILEMMA, ("feather", "quill"), "Messenger Jays")
    log = cons(call, *(CastVote(seat, "quill") for seat in (BO, CY, DI, ANN)))

    assert effects_in_words(log) == ["Council's dilemma, in this order: feather 0, quill 4"]
    assert in_words(call) == (
        "Bo calls a vote for Messenger Jays, council's dilemma: feather or quill"
    )


@pytest.mark.parametrize(
    ("vote", "words"),
    [
        (CastVote(BO, "grace"), "Bo votes for grace"),
        (CastVote(BO, "grace", 3), "Bo votes for grace, 3 votes"),
        (CastVote(BO, "grace", 1, CY), "Bo votes for grace, chosen by Cy"),
        (CastVote(BO, "grace", 1, BO), "Bo votes for grace"),
        (
            CastVote(BO, "grace", 2, CY, True),
            "Bo votes for grace, 2 votes, chosen by Cy, and votes again",
        ),
    ],
)
def test_extra_votes_and_who_chooses_for_another_are_worded(vote, words):
    assert in_words(vote) == words
    assert tuple(cons(GRACE, vote).state.ballots[0]) == (
        vote.player,
        vote.option,
        vote.times,
        vote.chosen_by,
        vote.more,
    )


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
    ("before", "vote", "code"),
    [
        ([], CastVote(BO, "grace"), "no_vote"),
        ([GRACE], CastVote(CY, "grace"), "others_vote"),
        ([GRACE], CastVote(BO, "mercy"), "not_an_option"),
        ([Concede(CY), GRACE], CastVote(BO, "grace", 1, CY), "not_in_game"),
        ([Concede(BO)], GRACE, "not_in_game"),
    ],
)
def test_votes_that_cannot_be(before, vote, code):
    """003 19: Nobody abstains, or votes for anything else.
    003 21: Nobody votes before the spell or ability resolves.
    """
    assert refusal(cons(*before), vote).code == code


@pytest.mark.parametrize(
    "move",
    [PassTurn(), hit(ANN, BO, 1), ChangeLife({ANN: 1}), GRACE, Lose((CY,)), OPENED],
    ids=lambda move: type(move).__name__,
)
def test_nothing_happens_between_the_votes(move):
    """003 22: Nothing happens between the votes and their effects."""
    log = cons(PutAgenda(ANN, SECRET), GRACE)

    assert refusal(log, move).code == "vote_first"


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

    assert effects_in_words(log) == [
        "Ann leaves the game",
        "Will of the council: grace (grace 3, guilt 0)",
        "The active player left: it is Bo’s turn already",
    ]
    assert log.state.verdict == "Will of the council: grace (grace 3, guilt 0)"
    log.append(PassTurn())
    assert log.state.vote is None


def test_votes_of_a_player_who_left_later_count():
    votes = CastVote(CY, "grace"), CastVote(DI, "guilt"), CastVote(ANN, "grace")
    log = cons(GRACE, CastVote(BO, "guilt"), Concede(BO), *votes)

    assert effects_in_words(log) == ["Will of the council: a tie of grace and guilt, 2 votes each"]


def test_the_outcome_stands_until_the_turn_passes():
    log = cons(GRACE, *(CastVote(seat, "grace") for seat in (BO, CY, DI, ANN)))
    assert log.state.tally == (("grace", 4), ("guilt", 0))

    log.append(PassTurn())
    assert (log.state.vote, log.state.ballots) == (None, ())


# --- goad ---
OGRE = GoadCreature(ANN, "Ogre", BO)


@pytest.mark.parametrize(
    ("entries", "duty", "until"),
    [
        (
            [OGRE],
            "Bo’s Ogre attacks each combat if able, and not Ann if able; where nobody else can be"
            " attacked: a planeswalker, or Ann",
            "Until the next turn of Ann",
        ),
        (
            [OGRE, GoadCreature(CY, "Ogre", BO)],
            "Bo’s Ogre attacks each combat if able, and not Ann or Cy if able; where nobody else"
            " can be attacked: a planeswalker, or one of them",
            "Until the next turn of Ann and of Cy, each goad by itself",
        ),
        (
            [OGRE, GoadCreature(CY, "Ogre", BO), GoadCreature(DI, "Ogre", BO)],
            "Bo’s Ogre attacks each combat if able, whom its player chooses: every opponent"
            " goaded it",
            "Until the next turn of Ann and of Cy and of Di, each goad by itself",
        ),
        (
            [GoadCreature(BO, "Ogre", BO)],
            "Bo’s Ogre attacks each combat if able",
            "Until the next turn of Bo",
        ),
        (
            [OGRE, Concede(ANN)],
            "Bo’s Ogre attacks each combat if able",
            "Until the next turn of Ann",
        ),
    ],
)
def test_the_board_shows_what_a_goaded_creature_must_do(entries, duty, until):
    """003 8: Until the goading player's next turn the creature attacks, and another player, if
    able.
    003 10: Where nobody else can be attacked: a planeswalker, or the player who goaded it.
    003 14: Goaded by several, it attacks who did not goad it; goaded by all, its player
    chooses.
    """
    assert duties(cons(*entries)) == [(duty, until)]


OGRE_IS_GOADED = "Bo’s Ogre, goaded by {}: attacks each combat if able{}"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([hit(ANN, BO, 1)], []),
        ([CrownMonarch(ANN)], ["Ann is the monarch and draws a card at their end step"]),
        ([CrownMonarch(ANN), PassTurn()], []),
        ([GoadCreature(ANN, "Ogre", BO)], []),
        (
            [GoadCreature(ANN, "Ogre", BO), PassTurn()],
            [OGRE_IS_GOADED.format("Ann", ", and somebody else if able")],
        ),
        (
            [*(GoadCreature(by, "Ogre", BO) for by in (ANN, CY)), PassTurn()],
            [OGRE_IS_GOADED.format("Ann and Cy", ", and somebody else if able")],
        ),
        (
            [*(GoadCreature(by, "Ogre", BO) for by in (ANN, CY, DI)), PassTurn()],
            [OGRE_IS_GOADED.format("Ann, Cy and Di", ", whom its player chooses")],
        ),
        ([Attack(ANN, (BO, CY))], ["Melee: +2/+2 for each instance"]),
        ([GRACE], ["Bo votes for grace or guilt"]),
        (
            [GRACE, CastVote(BO, "grace"), CastVote(CY, "guilt", 2, more=True)],
            ["Cy votes again (so far grace 1, guilt 2)"],
        ),
        (
            [GRACE, *(CastVote(seat, "grace") for seat in (BO, CY, DI, ANN))],
            ["Will of the council: grace (grace 4, guilt 0)"],
        ),
        (
            [CallVote(BO, WILL, ("grace", "guilt"), "Council's Judgment")],
            ["Council's Judgment: Bo votes for grace or guilt"],
        ),
        ([PutAgenda(BO, SECRET), Concede(BO)], ["Bo has to reveal 1 conspiracy"]),
        (
            [PutAgenda(ANN, SECRET), PutAgenda(ANN, DOUBLE), PassTurn(), Lose((ANN,))],
            ["Ann has to reveal 2 conspiracies"],
        ),
    ],
)
def test_what_players_have_to_do_now_is_to_be_seen_at_every_moment(entries, expected):
    assert due(cons(*entries)) == expected


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (
            [GoadCreature(ANN, "Ogre", BO)],
            [OGRE_IS_GOADED.format("Ann", ", and somebody else if able")],
        ),
        (
            [PutAgenda(ANN, SECRET), OPENED],
            ["Ann turns Hymn of the Wilds face up, which names Forest: as sealed"],
        ),
        (
            [PutAgenda(ANN, SECRET), Concede(ANN), Disclose(ANN, SECRET, "Hymn", ("Elf",))],
            ["Ann turns Hymn face up, which names Elf: by word, not proved"],
        ),
    ],
)
def test_players_read_who_goads_what_and_what_is_turned_up(entries, expected):
    assert news(cons(*entries)) == expected


def test_a_goad_ends_as_the_goading_players_next_turn_begins():
    """003 8: Until the goading player's next turn the creature attacks, and another player, if
    able.
    """
    log = cons(OGRE, PassTurn(), PassTurn(), PassTurn())
    assert goads(log) == [(ANN, "Ogre", BO)]

    log.append(PassTurn())
    assert (goads(log), effects_in_words(log)) == (
        [],
        ["Ann’s turn begins", "Bo’s Ogre is no longer goaded by Ann"],
    )


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


def test_a_creature_goaded_by_its_own_controller_spares_only_the_others():
    log = cons(OGRE, GoadCreature(CY, "Ogre", BO), MoveGoaded("Ogre", BO, CY))

    assert duties(log)[0][0] == (
        "Cy’s Ogre attacks each combat if able, and not Ann if able; where nobody else can be"
        " attacked: a planeswalker, or Ann"
    )


def test_a_creature_that_left_is_goaded_by_nobody():
    log = cons(OGRE, GoadCreature(CY, "Ogre", BO), GoadCreature(CY, "Elf", BO), EndGoad("Ogre", BO))

    assert goads(log) == [(CY, "Elf", BO)]
    assert effects_in_words(log) == [
        "Bo’s Ogre is no longer goaded by Ann",
        "Bo’s Ogre is no longer goaded by Cy",
    ]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (EndGoad("Elf", BO), "not_goaded"),
        (EndGoad("Ogre", CY), "not_goaded"),
        (MoveGoaded("Elf", BO, CY), "not_goaded"),
        (MoveGoaded("Ogre", BO, BO), "same_controller"),
        (MoveGoaded("Ogre", BO, DI), "not_in_game"),
        (GoadCreature(DI, "Ogre", BO), "not_in_game"),
        (GoadCreature(ANN, "Ogre", DI), "not_in_game"),
    ],
)
def test_goads_that_cannot_be(move, code):
    assert refusal(cons(OGRE, Concede(DI)), move).code == code


# --- melee ---
@pytest.mark.parametrize(
    ("opponents", "bonus"), [((BO,), 1), ((BO, CY), 2), ((BO, CY, DI), 3), ((DI, BO), 2)]
)
def test_melee_counts_the_opponents_attacked(opponents, bonus):
    """003 1: Melee: +1/+1 for each opponent attacked with a creature this combat.
    003 2: Each instance of melee triggers by itself.
    003 7: In Two-Headed Giant both players of an attacked team count.
    """
    log = cons(Attack(ANN, opponents))

    assert log.state.melee == bonus
    assert effects_in_words(log) == [f"Melee: +{bonus}/+{bonus} for each instance"]


@pytest.mark.parametrize(
    ("after", "melee", "active"),
    [
        ([hit(ANN, CY, 1)] * 5, 2, ANN),
        ([Concede(BO)], 2, ANN),
        # A later combat counts from 0, and melee is gone with the turn.
        ([Attack(ANN, (DI,))], 1, ANN),
        ([Attack(CY, (ANN,))], 1, CY),
        ([PassTurn()], 0, BO),
        ([hit(BO, CY, 2)], 0, BO),
        ([PassTurn(ANN)], 0, ANN),
    ],
)
def test_melee_after_an_attack_on_two_opponents(after, melee, active):
    """003 3: However many creatures attack a player, the player counts once.
    003 4: It is counted as melee resolves, and an opponent who left since counts.
    """
    state = cons(Attack(ANN, (BO, CY)), *after).state

    assert (state.melee, state.active) == (melee, active)


@pytest.mark.parametrize(
    ("attack", "code"),
    [
        (Attack(ANN, (ANN, BO)), "no_opponent"),
        (Attack(ANN, (DI,)), "not_in_game"),
        (Attack(DI, (ANN,)), "not_in_game"),
    ],
)
def test_attacks_that_cannot_be(attack, code):
    assert refusal(cons(Concede(DI)), attack).code == code


# --- the command zone ---
def test_a_seal_is_the_hash_of_its_lines():
    """As printf 'seal 2\\n%s\\n%s\\n%s\\n%s' SEAT SALT CONSPIRACY NAME | sha256sum prints it."""
    assert SECRET == "3f20e320fe04b1fcbdab3a17b6fd929db437ed25dfe61a00cfff2621ea58bdbd"


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


def test_a_seal_opens_with_what_was_sealed():
    """003 40: Its player may turn it up at any time with priority, without an answer."""
    log = cons(PutAgenda(ANN, SECRET), PassTurn(), OPENED)

    assert in_words(OPENED) == "Ann turns Hymn of the Wilds face up, which names Forest"
    assert effects_in_words(log) == [f"The seal {SECRET[:12]} fits"]
    assert log.state.players[ANN].agendas == (
        Agenda(SECRET, SALT, "Hymn of the Wilds", ("Forest",)),
    )


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


SHORT = seal(ANN, "ab", "Hymn of the Wilds", ["Forest"])


@pytest.mark.parametrize(
    "wrong",
    [
        TurnUp(ANN, SECRET, SALT, "Hymn of the Wilds", ("Island",)),
        TurnUp(ANN, SECRET, SALT, "Natural Unity", ("Forest",)),
        TurnUp(ANN, SECRET, "f" * 32, "Hymn of the Wilds", ("Forest",)),
        TurnUp(ANN, SECRET, SALT.upper(), "Hymn of the Wilds", ("Forest",)),
        TurnUp(ANN, SECRET, SALT, "Hymn of the Wilds", ("Forest", "Island")),
        TurnUp(ANN, SECRET, SALT, "Hymn of the Wilds ", ("Forest",)),
        TurnUp(BO, SECRET, SALT, "Hymn of the Wilds", ("Forest",)),  # another player's
        TurnUp(ANN, SHORT, "ab", "Hymn of the Wilds", ("Forest",)),  # a salt of another length
    ],
)
def test_what_was_not_sealed_can_not_be_turned_up(wrong):
    """003 41: The card is named at the start, not when it is turned up."""
    log = cons(PutAgenda(wrong.player, wrong.seal))

    assert refusal(log, wrong).code == "seal_does_not_fit"


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


@pytest.mark.parametrize(
    "begun",
    [
        PassTurn(),
        hit(ANN, BO, 1),
        hit(ANN, ANN, 1, lifelink=True),
        GRACE,
        OGRE,
        CrownMonarch(ANN),
        Hold(ANN, True, False),
        OPENED,
    ],
    ids=lambda move: type(move).__name__,
)
@pytest.mark.parametrize("late", [PutConspiracy(BO, "Weight Advantage"), PutAgenda(BO, DOUBLE)])
def test_the_command_zone_is_closed_once_the_game_has_begun(begun, late):
    """003 35: None is put into the command zone later."""
    votes = [CastVote(seat, "grace") for seat in (BO, CY, DI, ANN)] if begun is GRACE else []
    log = cons(PutAgenda(ANN, SECRET), begun, *votes)

    assert refusal(log, late).code == "game_has_begun"


def test_the_command_zone_opens_again_when_the_beginning_is_undone():
    log = cons(PassTurn(), Undo(), PutAgenda(ANN, SECRET))

    assert len(log.state.players[ANN].face_down) == 1


@pytest.mark.parametrize(
    ("agenda", "code"),
    [
        (PutAgenda(BO, SECRET), "seal_is_used"),
        (PutAgenda(ANN, SECRET), "seal_is_used"),
        (PutAgenda(BO, SECRET.upper()), "not_a_seal"),
        (PutAgenda(BO, "f" * 63), "not_a_seal"),
        (PutAgenda(5, DOUBLE), "not_dealt_in"),
    ],
)
def test_seals_that_can_not_be(agenda, code):
    assert refusal(cons(PutAgenda(ANN, SECRET)), agenda).code == code


@pytest.mark.parametrize("correction", [Undo(), Strike(1), Amend(1, PutAgenda(ANN, DOUBLE))])
def test_a_seal_stays_once_the_game_has_begun_even_if_that_is_undone(correction):
    log = cons(PutAgenda(ANN, SECRET), PassTurn())
    if not isinstance(correction, Undo):
        assert refusal(log, correction).code == "seal_stays"

    log.append(Undo())
    assert refusal(log, correction).code == "seal_stays"
    log.append(PutAgenda(BO, DOUBLE))
    assert refusal(log, Undo()).code == "seal_stays"


def test_a_seal_can_be_taken_back_before_the_game_has_begun():
    log = cons(PutAgenda(ANN, SECRET), PutConspiracy(BO, "Weight Advantage"), Strike(1))

    assert log.state.players[ANN].agendas == ()


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


def test_a_player_who_is_out_reveals_also_between_the_votes():
    log = cons(PutAgenda(ANN, SECRET), GRACE, Concede(ANN), OPENED)

    assert log.state.owing == ()


def test_a_name_given_by_word_is_not_proved():
    log = cons(PutAgenda(ANN, SECRET), Draw(), SAYS)

    assert in_words(SAYS) == "Ann says: Hymn of the Wilds, which names Forest. By word, not proved"
    assert effects_in_words(log) == [f"The seal {SECRET[:12]} was not opened"]
    assert log.state.players[ANN].agendas[0].is_proved is False


@pytest.mark.parametrize("end", [[Draw()], [GRACE, Concede(ANN)]])
def test_a_name_given_by_word_can_still_be_proved(end):
    lie = Disclose(ANN, SECRET, "Natural Unity", ("Island",))
    log = cons(PutAgenda(ANN, SECRET), *end, lie, OPENED)

    assert effects_in_words(log) == [f"The seal {SECRET[:12]} fits"]
    assert log.state.players[ANN].agendas == (
        Agenda(SECRET, SALT, "Hymn of the Wilds", ("Forest",)),
    )
    assert refusal(log, lie).code == refusal(log, OPENED).code == "no_such_seal"


def test_a_name_is_given_by_word_once():
    assert refusal(cons(PutAgenda(ANN, SECRET), Draw(), SAYS), SAYS).code == "no_such_seal"


def test_nobody_is_made_to_tell_before_the_end():
    assert refusal(cons(PutAgenda(ANN, SECRET)), SAYS).code == "still_secret"


def test_a_name_given_by_word_has_to_be_struck_before_the_end_that_required_it():
    log = cons(PutAgenda(ANN, SECRET), Concede(ANN), SAYS)

    assert refusal(log, Strike(2)).code == "later_impossible"
    log.append(Strike(3))
    log.append(Strike(2))
    assert log.state.players[ANN].agendas == (Agenda(SECRET),)


def test_a_wrong_end_can_be_struck_after_the_seals_were_opened():
    log = cons(PutAgenda(ANN, SECRET), Draw(), OPENED, Strike(2))

    assert (log.state.is_over, log.state.players[ANN].face_down) == (False, ())


# --- properties ---
moves = st.one_of(
    st.builds(PassTurn, st.none() | st.sampled_from([ANN, BO, CY, DI])),
    st.builds(hit, st.sampled_from([ANN, BO, CY, DI]), st.sampled_from([ANN, BO, CY, DI]),
              st.integers(1, 9)),
    st.builds(GoadCreature, st.sampled_from([ANN, BO, CY, DI]), st.sampled_from(["Ogre", "Elf"]),
              st.sampled_from([ANN, BO, CY, DI])),
    st.builds(MoveGoaded, st.sampled_from(["Ogre", "Elf"]), st.sampled_from([ANN, BO, CY, DI]),
              st.sampled_from([ANN, BO, CY, DI])),
    st.builds(CrownMonarch, st.sampled_from([ANN, BO, CY, DI])),
    st.builds(Attack, st.just(ANN), st.just((BO, CY))),
    st.builds(Concede, st.sampled_from([ANN, BO, CY, DI])),
    st.builds(CallVote, st.sampled_from([ANN, BO, CY, DI]), st.sampled_from([WILL, DILEMMA]),
              st.just(("grace", "guilt"))),
    st.builds(CastVote, st.sampled_from([ANN, BO, CY, DI]), st.sampled_from(["grace", "guilt"]),
              st.integers(1, 3), st.none(), st.booleans()),
    st.builds(PutAgenda, st.sampled_from([ANN, BO, CY, DI]), st.sampled_from([SECRET, DOUBLE])),
    st.just(OPENED),
)  # fmt: skip


def tried(entries):
    log = cons()
    for entry in entries:
        try:
            log.append(entry)
        except RuleError:
            continue
    return log


@given(st.lists(moves, max_size=30))
def test_whatever_happens_the_state_stays_whole_and_can_be_worded(entries):
    log = tried(entries)

    assert codec.read_state(codec.write_state(log.state)) == log.state
    for line in log.lines:
        assert in_words(line.move)
        assert wording.effects(line.effects, None) is not None


@given(st.lists(moves, max_size=30))
def test_no_goad_outlives_its_turn_all_vote_once_and_seals_stay(entries):
    """003 19: Nobody abstains, or votes for anything else."""
    seals: set[str] = set()
    for line in tried(entries).lines:
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
