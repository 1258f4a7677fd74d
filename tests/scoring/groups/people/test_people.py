"""The people of a playgroup: players with or without accounts, claims, merges, members."""

import re
from datetime import date

import pytest
from django.urls import reverse

from scoring.groups import queries
from scoring.groups.data import audit
from scoring.groups.people import merging, players
from scoring.models import Claim, Player, SetResult
from scoring.record import commands as table_commands
from scoring.record import seating
from scoring.record.errors import GroupRefused
from scoring.rules.formats import COALITION_906, COALITION_README

from ...browsing import refusal, text, words
from ...grouped import group, play, play_one_game, tallies
from ...tables import unchanged
from ..visitors import account, at, books, browser, names, player, post, roles

MARCH, APRIL, MAY = date(2026, 3, 6), date(2026, 4, 3), date(2026, 5, 8)
EVEN = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}


# --- players ---
TAKEN = "{} is somebody else’s already. An owner can remove that account first."
LONG = "“xxxxxxxxxxxxxxxxxxxx…” is too long for a name: 80 characters at most."
UNSEEN = "This contains a character that can't be shown. Type it again."


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("aNN", "There is a player called aNN already. Choose another name."),
        ("Jose\u0301", "There is a player called Jose\u0301 already. Choose another name."),
        ("\u3164", UNSEEN),
        (" \t", "Give the player a name."),
        ("x" * 81, "The name is too long: 80 characters at most."),
    ],
)
def test_a_player_whose_name_will_not_do_is_refused(thursday, owner, name, message):
    _, bo, _ = (seating.add_player(thursday, name) for name in ("Ann", "Bo", "José"))

    with unchanged():
        answers = [
            post(owner, thursday, "add_player", names=name),
            post(owner, thursday, "edit_player", bo.pk, name=name),
        ]

    listed = LONG if "too long" in message else message
    assert [refusal(answer) for answer in answers] == [(422, listed), (422, message)]


def test_an_owner_adds_and_renames_a_player_and_the_old_name_is_free(thursday, owner):
    response = post(owner, thursday, "add_player", names="  Ann ")
    ann = thursday.players.get()
    assert (response.status_code, response["Location"]) == (302, at(thursday, "people"))
    assert (ann.name, ann.user, ann.is_guest) == ("Ann", None, False)

    post(owner, thursday, "edit_player", ann.pk, name="Élodie")
    post(owner, thursday, "add_player", names="Ann")

    assert seating.find_player(thursday, "ÉLODIE") == ann
    assert names(thursday) == ["Ann", "Élodie"]


def test_a_pasted_list_adds_whoever_is_new_and_tells_who_was_here(thursday, owner):
    seating.add_player(thursday, "Bo")
    pasted = "1. Ann\r\n2) bo\n\n- Cy\tDi, Ed\n10. Ann\nann"

    response = post(owner, thursday, "add_player", names=pasted)

    assert names(thursday) == ["Ann", "Bo", "Cy", "Di", "Ed"]
    assert "Added. Already here: bo, ann." in words(owner.get(response["Location"]))


def test_players_of_the_version_before_are_found_and_get_their_keys_by_a_repair(thursday):
    """It stored no keys, and left a renamed player the key of the name before."""
    people = [seating.add_player(thursday, name) for name in ("Bob", "Cy", "Dan")]
    bob, cy, dan = (Player.objects.filter(pk=person.pk) for person in people)
    bob.update(name="Zoe")
    cy.update(name="Bob", key=None)
    dan.update(key=None)

    assert seating.find_player(thursday, "DAN") == dan.get()
    assert list(audit.faults(thursday)) == [
        f"playgroup {thursday.code}: the key of {name} is not that of the name"
        for name in ("Zoe", "Bob", "Dan")
    ]
    audit.repair(thursday)

    assert list(audit.faults(thursday)) == []
    assert list(thursday.players.order_by("pk").values_list("name", "key")) == [
        ("Zoe", "zoe"),
        ("Bob", "bob"),
        ("Dan", "dan"),
    ]


def test_people_are_listed_as_one_looks_for_them(thursday, owner):
    for name in ["zoe", "Élodie", "Łukasz", "Max", "eve"]:
        seating.add_player(thursday, name)
    by_name = ["Élodie", "eve", "Łukasz", "Max", "zoe"]

    listed = re.findall(r"(\w+) 0 sets", words(owner.get(at(thursday, "people"))))
    given = owner.get(reverse("api_players", args=[thursday.code])).json()["items"]

    assert listed == by_name
    assert [player["name"] for player in given] == by_name
    assert queries.known_names(thursday) == by_name


def test_people_have_the_sets_that_are_finished_and_guests_are_left_out_of_lists(thursday, owner):
    for _ in range(3):
        play(thursday, MARCH, EVEN)
    table_commands.create_set(COALITION_906, ["Ann", "Cy"], playgroup=thursday)

    post(owner, thursday, "edit_player", player(thursday, "Bo").pk, name="Bo", is_guest="on")

    people = words(owner.get(at(thursday, "people")))
    sets = "(Ann|Bo|Cy) (?:That’s me : [A-Z][a-z]+ )?([0-9]+ sets?) finished"
    assert re.findall(sets, people) == [("Ann", "3 sets"), ("Cy", "0 sets"), ("Bo", "3 sets")]
    assert "1 guest, left out of lists" in people
    assert '<option value="Bo">' not in text(owner.get(f"/start/?group={thursday.code}"))
    edited = owner.get(at(thursday, "edit_player", player(thursday, "Bo").pk))
    assert "3 sets finished." in words(edited)


# --- claims ---
@pytest.mark.parametrize(
    ("answer", "user", "left"), [("confirm", "mia", ["Bo"]), ("decline", None, ["Ann", "Bo"])]
)
def test_a_member_says_thats_me_and_an_owner_answers(thursday, owner, member, answer, user, left):
    """Once an account has the player, other claims of that player are void."""
    ann, bo = (seating.add_player(thursday, name) for name in ("Ann", "Bo"))
    stranger = browser(None)

    def shown(page: str, said: str) -> list[bool]:
        clients = (owner, member, stranger)
        return [said in words(client.get(at(thursday, page))) for client in clients]

    post(member, thursday, "claim", ann.pk)
    for name, one in (("sam", ann), ("tim", bo)):
        players.claim(one, account(name))
    assert player(thursday, "Ann").user is None
    assert shown("people", "The account mia says: I am Ann .") == [True, False, False]
    assert shown("people", "Ann Waiting for an owner") == [False, True, False]
    waiting = "3 accounts say which player they are and are waiting for an owner"
    assert shown("board", waiting) == [True, False, False]
    claimed = Claim.objects.select_related("player", "user").get(user__username="mia")
    post(owner, thursday, "answer_claim", claimed.pk, **{answer: 1})

    assert player(thursday, "Ann").user == (account(user) if user else None)
    assert list(Claim.objects.order_by("pk").values_list("player__name", flat=True)) == left
    with unchanged(), pytest.raises(GroupRefused, match="not there any more"):
        players.confirm(claimed)


def test_a_claim_moves_to_the_player_who_is_claimed_next(thursday, member, scorekeeper):
    ann, bo = (seating.add_player(thursday, name) for name in ("Ann", "Bo"))
    elsewhere = group("Friday group")
    players.claim(seating.add_player(elsewhere, "Ann"), account("mia"))

    for client, one in ((member, ann), (scorekeeper, ann), (member, bo), (member, bo)):
        post(client, thursday, "claim", one.pk)

    left = Claim.objects.order_by("player__playgroup", "player", "user__username")
    assert list(left.values_list("player__playgroup__name", "player__name", "user__username")) == [
        ("Thursday group", "Ann", "sam"),
        ("Thursday group", "Bo", "mia"),
        ("Friday group", "Ann", "mia"),
    ]


def test_a_claim_that_is_refused_changes_nothing_and_is_not_offered(thursday, owner, member):
    """A second one by whoever has a player, and one of somebody else's: the claim before stays."""
    ann, bo, cy = (seating.add_player(thursday, name) for name in ("Ann", "Bo", "Cy"))
    post(owner, thursday, "claim", ann.pk)
    post(member, thursday, "claim", bo.pk)

    def offered(client):
        pages = [words(client.get(at(thursday, "player", one.pk))) for one in (ann, bo, cy)]
        return ["That’s me" in page for page in pages], ["Waiting for" in page for page in pages]

    with unchanged():
        answers = [post(owner, thursday, "claim", one.pk) for one in (bo, ann)]
        answers.append(post(member, thursday, "claim", ann.pk))

    assert [refusal(answer) for answer in answers] == [
        (422, "olga is Ann here. If Bo is the same person, merge the two."),
        (422, "Ann is olga already."),
        (422, TAKEN.format("Ann")),
    ]
    assert offered(member) == ([False, False, True], [False, True, False])
    assert offered(owner) == offered(browser("sid")) == ([False] * 3, [False] * 3)


def test_an_account_that_leaves_or_is_taken_off_leaves_the_player_and_the_results(
    thursday, owner, member
):
    play(thursday, MARCH, EVEN)
    ann = player(thursday, "Ann")
    players.claim(ann, account("mia"), confirmed=True)
    results = list(SetResult.objects.values())

    post(member, thursday, "leave_group")
    assert roles(thursday) == {"olga": "owner"}
    assert player(thursday, "Ann").user == account("mia")
    post(owner, thursday, "release", ann.pk)

    assert player(thursday, "Ann").user is None
    assert list(SetResult.objects.values()) == results


# --- merging ---
@pytest.fixture
def robert(thursday):
    """Bo, who is also Robert and Bobby: sets on three days, of two rulesets."""
    play(thursday, MARCH, EVEN)
    play(thursday, MARCH, {"Cy": (1, 2, 3), "Ann": (5, 5, 5), "Robert": (9, 0, 9)})
    play(
        thursday,
        APRIL,
        {"Robert": (20, 1, 1), "Cy": (2, 2, 2), "Dee": (0, 0, 1)},
        ruleset=COALITION_README,
    )
    play(thursday, MAY, {"Bobby": (4, 4, 4), "Ann": (8, 8, 8)})
    return player(thursday, "Robert")


def test_chained_merges_are_taken_back_in_any_order(thursday, owner, robert):
    bo, bobby = player(thursday, "Bo"), player(thursday, "Bobby")
    before = books()
    asked = words(owner.get(at(thursday, "merge", robert.pk), {"into": bo.pk}))
    assert "2 sets of Robert will count for Bo, who has 1 set so far: 3 together." in asked
    assert books() == before
    post(owner, thursday, "merge", robert.pk, into=bo.pk)
    alone = books()
    post(owner, thursday, "merge", bo.pk, into=bobby.pk)
    assert {row[0] for row in tallies(thursday)} == {"Ann", "Bobby", "Cy", "Dee"}
    assert list(audit.faults(thursday)) == []

    post(owner, thursday, "separate", bo.pk)
    assert books() == alone
    post(owner, thursday, "merge", bo.pk, into=bobby.pk)
    post(owner, thursday, "separate", robert.pk)
    assert list(audit.faults(thursday)) == []
    post(owner, thursday, "separate", bo.pk)

    assert books() == before


def test_players_who_can_not_be_one_are_not_merged(thursday, owner, robert):
    """The same, merged already, of two playgroups, or with an account each."""
    ann, bo, bobby = (player(thursday, name) for name in ("Ann", "Bo", "Bobby"))
    other = seating.add_player(group(), "Robert")
    for one, user in ((ann, "ann"), (bobby, "bob")):
        players.claim(one, account(user), confirmed=True)
    merging.merge(robert, bo)

    with unchanged():
        answers = [
            post(owner, thursday, "merge", bo.pk, into=bo.pk),
            post(owner, thursday, "merge", bo.pk, into=robert.pk),
            post(owner, thursday, "merge", robert.pk, into=bobby.pk),
            post(owner, thursday, "separate", bo.pk),
        ]
        nobody = [
            post(owner, thursday, "merge", ann.pk, into=into)
            for into in (other.pk, "", "x", "999", "1" * 40)
        ]
        for one, why in ((other, "two playgroups"), (bobby, "Ann and Bobby have an account each")):
            with pytest.raises(GroupRefused, match=why):
                merging.merge(ann, one)

    assert [refusal(answer) for answer in answers] == [
        (422, "Bo can’t be merged into the same player."),
        (422, "Robert is merged into Bo already. Undo that first."),
        (422, "Robert is merged already. Undo that first."),
        (422, "Bo is not merged into anybody."),
    ]
    chosen = (422, "Choose a player of this playgroup.")
    assert [refusal(answer) for answer in nobody] == [chosen] * 5


def test_players_who_sat_at_the_same_table_are_not_merged(thursday, owner, robert):
    message = (
        "{} and {} sat at the same table in the set of {}, so they are two people. If that is "
        "wrong, correct who sat there first."
    )
    ann, bo = player(thursday, "Ann"), player(thursday, "Bo")

    with unchanged():
        answer = post(owner, thursday, "merge", robert.pk, into=ann.pk)
        seen = owner.get(at(thursday, "merge", robert.pk), {"into": ann.pk})
    merging.merge(robert, bo)
    with unchanged():
        through = post(owner, thursday, "merge", player(thursday, "Dee").pk, into=bo.pk)

    assert refusal(answer) == (422, message.format("Robert", "Ann", "6 March 2026"))
    assert refusal(seen) == refusal(answer)
    assert refusal(through) == (422, message.format("Dee", "Bo", "3 April 2026"))


def test_the_account_of_a_merged_player_is_that_of_the_other(thursday, owner, member, robert):
    """Members see accounts, and nobody else. A set that ends after the merge counts for it."""
    bo = player(thursday, "Bo")
    players.claim(robert, account("rob"), confirmed=True)
    table = table_commands.create_set(COALITION_906, ["Robert", "Ann"], playgroup=thursday)
    merging.merge(robert, bo)

    with unchanged():
        answer = post(member, thursday, "claim", bo.pk)
    people = words(browser(account("rob", thursday, "member")).get(at(thursday, "people")))
    board = text(browser("rob").get(at(thursday, "board") + "?season=all"))

    assert answer.status_code == 422
    assert "Bo You 3 sets finished · account rob · also Robert" in people
    assert board.count('<tr class="me">') == 1
    for client in (browser(None), browser("sid")):
        assert "account rob" not in words(client.get(at(thursday, "people")))
    play_one_game(table)
    results = SetResult.objects.filter(game_set=table).order_by("seat__number")
    assert list(results.values_list("player__name", flat=True)) == ["Bo", "Ann"]
    assert list(audit.faults(thursday)) == []


def test_a_person_has_one_account_also_through_merged_players(thursday, owner, member, robert):
    """Claimed before the merge and confirmed after it, claimed after it, and one's own."""
    bo = player(thursday, "Bo")
    players.claim(bo, account("rob"), confirmed=True)
    post(member, thursday, "claim", robert.pk)
    merging.merge(robert, bo)

    with unchanged():
        answers = [
            post(owner, thursday, "answer_claim", Claim.objects.get().pk, confirm=1),
            post(owner, thursday, "claim", robert.pk),
        ]
        with pytest.raises(GroupRefused, match="Robert is rob already"):
            players.claim(robert, account("rob"))

    assert [refusal(answer) for answer in answers] == [(422, TAKEN.format("Robert"))] * 2


# --- members ---
def test_the_last_owner_who_can_sign_in_stays_owner_and_no_table_is_closed(thursday, owner):
    pat = account("pat", thursday, "owner")
    type(pat).objects.filter(pk=pat.pk).update(is_active=False)
    table_commands.create_set(COALITION_906, ["Ann", "Bo"], key="a-key", playgroup=thursday)
    key = thursday.memberships.get(user__username="olga").pk

    with unchanged():
        answers = [
            post(owner, thursday, "change_member", key, role="member"),
            post(owner, thursday, "change_member", key, remove=1),
            post(owner, thursday, "leave_group"),
        ]

        none = post(owner, thursday, "change_member", key, role="king")

    message = "A playgroup needs an owner. Make somebody else an owner first."
    assert [refusal(answer) for answer in answers] == [(422, message)] * 3
    assert refusal(none) == (422, "Choose a role.")
