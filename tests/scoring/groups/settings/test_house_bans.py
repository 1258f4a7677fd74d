"""A playgroup is made, and has settings, and its own bans on top of its format's list."""

from datetime import date

import pytest
from django.urls import reverse
from django.utils import timezone

from decks.models import BanEntry, BanList, Card
from scoring.models import GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.record import commands
from scoring.rules.formats import COALITION_906

from ....decks.lists import ELVES, coalition, elves, entries_in, register
from ...browsing import refusal, text, words
from ...grouped import play
from ...tables import address, holder, tap_id, unchanged
from ..visitors import at, browser, everybody, post, roles

TODAY = timezone.localdate()
BAN = {
    "card": "llanowar elves",
    "status": "banned",
    "reason": "Too fast.",
    "starts_on": TODAY.isoformat(),
}
IN = {"seat-1": "Ann", "seat-2": "Bo"}
SETTINGS = {
    "name": "Thursday group",
    "visibility": "public",
    "ruleset": "coalition-906",
    "house_rules": "",
    "illegal_decks": "warn",
    "zone": "UTC",
}
MADE = {"tap_id": tap_id(1), "name": "Thursday"}


def house(of: Playgroup) -> BanList:
    return BanList.objects.get(key=f"group-{of.code}")


@pytest.fixture
def cards(db: None) -> None:
    elves()


# --- making one ---
def test_whoever_creates_a_playgroup_owns_it_and_one_made_twice_by_one_tap_exists_once(db):
    client = browser("olga")
    client.cookies["zone"] = "Europe/Berlin"

    response, again = (client.post(reverse("groups"), MADE) for _ in range(2))

    made = Playgroup.objects.get()
    assert (response.status_code, response["Location"]) == (302, at(made, "board"))
    assert again["Location"] == response["Location"]
    has = (made.name, made.visibility, made.ruleset, made.zone)
    assert has == ("Thursday", "unlisted", COALITION_906.key, "Europe/Berlin")
    assert roles(made) == {"olga": "owner"}
    browser("pat").post(reverse("groups"), MADE)
    client.post(reverse("groups"), MADE | {"name": "Friday"})
    assert Playgroup.objects.count() == 3


STEPS = ["people", "group_qr", "invitations", "evenings"]


@pytest.mark.parametrize(
    ("role", "steps"),
    [("stranger", []), ("member", []), ("scorekeeper", STEPS[-1:]), ("owner", STEPS)],
)
def test_an_empty_board_leads_to_the_first_steps_until_a_set_is_finished(thursday, role, steps):
    client, where = everybody(thursday)[role], at(thursday, "board")

    empty = text(client.get(where))
    play(thursday, TODAY, {"Ann": (1, 1, 1), "Bo": (2, 2, 2)})
    later, other = text(client.get(where)), text(client.get(where, {"format": "leveler"}))

    body = empty.split('class="monday"')[1]
    assert [name for name in STEPS if f'href="{at(thursday, name)}"' in body] == steps
    pages = (empty, later, other)
    assert ["After the first finished set" in page for page in pages] == [True, False, False]
    assert ['class="filters' in page for page in pages] == [False, True, True]
    assert "No finished set of Leveler counts here yet." in other


# --- settings ---
@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"name": ""}, "Give the playgroup a name."),
        ({"visibility": ""}, "Choose who sees it."),
        ({"ruleset": "chess"}, "Choose a ruleset."),
        ({"zone": "Mars/Olympus"}, "Choose a time zone."),
        ({"illegal_decks": "burn"}, "Choose what happens with illegal decks."),
    ],
)
def test_settings_that_make_no_sense_are_refused(thursday, owner, form, message):
    with unchanged():
        assert refusal(post(owner, thursday, "settings", **SETTINGS | form)) == (422, message)


def test_an_owner_changes_the_settings(thursday, owner):
    data = {
        "name": "Friday",
        "visibility": "unlisted",
        "ruleset": "coalition-2026",
        "zone": "Europe/Berlin",
        "house_rules": "No <b>phones</b>.\nBe kind.",
        "illegal_decks": "refuse",
    }

    response = post(owner, thursday, "settings", **data)

    thursday.refresh_from_db()
    assert response.status_code == 302
    assert {name: getattr(thursday, name) for name in list(data)[:5]} == {
        name: data[name] for name in list(data)[:5]
    }
    assert house(thursday) == thursday.house
    assert (thursday.house.illegal_decks, thursday.house.base) == ("refuse", coalition())
    shown = "No &lt;b&gt;phones&lt;/b&gt;.\nBe kind."
    assert shown in text(browser(None).get(at(thursday, "board_part", "about")))
    assert shown in text(owner.get(f"/start/?group={thursday.code}"))


def test_a_playgroup_that_moved_to_another_format_reads_at_which_tables_its_house_list_counts(
    thursday, owner
):
    for ruleset in ("coalition-906", "leveler"):
        post(
            owner,
            thursday,
            "settings",
            **SETTINGS | {"illegal_decks": "refuse", "ruleset": ruleset},
        )

    assert (
        "The choice for illegal decks applies at tables of Coalition, the format of the house "
        "bans. At other tables they may be played, with a warning."
    ) in words(owner.get(at(thursday, "settings")))
    assert (
        "The playgroup’s own bans, on top of the ban list of Coalition. They apply to decks at "
        "every table of Coalition started here from then on."
    ) in words(owner.get(at(thursday, "house_bans")))


# --- bans ---
def test_an_owner_bans_a_card_and_the_board_leads_to_the_list(thursday, owner, member, cards):
    without = text(member.get(at(thursday, "board_part", "about")))

    response = post(owner, thursday, "house_bans", **BAN)

    made = house(thursday)
    led = f"{reverse('bans')}?list={made.key}"
    assert f'href="{led}"' not in without
    assert f'href="{led}"' in text(member.get(at(thursday, "board_part", "about")))
    assert "Llanowar Elves" in words(member.get(led))
    assert (response.status_code, response["Location"]) == (302, at(thursday, "house_bans"))
    assert entries_in(made) == [("Llanowar Elves: banned", TODAY, None)]
    assert (made.name, made.format, made.base) == ("Thursday group", "coalition", coalition())
    thursday.refresh_from_db()
    assert thursday.house == made
    assert "Too fast." in words(browser(None).get(led))


def test_decks_are_judged_or_refused_by_the_house_at_tables_that_start_or_are_taken_in_since(
    thursday, owner, cards
):
    """By the format's list again at one that is taken out; a finished table's keep theirs."""
    deck = register("Elves", ELVES).revisions.get()
    before = commands.create_set(COALITION_906, ["Ann", "Bo"], playgroup=thursday)
    table = commands.create_set(COALITION_906, ["Ann", "Bo"], key="a-key")
    over = play(None, TODAY, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}, key="b-key", decks={1: deck})
    commands.bring_deck(table, 1, deck)
    post(owner, thursday, "house_bans", **BAN)
    thursday.refresh_from_db()
    after = commands.create_set(COALITION_906, ["Ann", "Bo"], playgroup=thursday)
    for one in (before, after):
        commands.bring_deck(one, 1, deck)
    post(owner, thursday, "settings", **SETTINGS | {"illegal_decks": "refuse"})
    owner.cookies[f"key-{table.code}"], owner.cookies[f"key-{over.code}"] = "a-key", "b-key"

    def is_legal(table: GameSet) -> bool:
        return table.seats.get(number=1).deck_report["legal"]

    with unchanged():
        refused = owner.post(address(table, "take_set"), IN | {"group": thursday.code})
    post(owner, thursday, "settings", **SETTINGS)
    for one in (table, over):
        owner.post(address(one, "take_set"), IN | {"group": thursday.code})
        one.refresh_from_db()
        assert (one.playgroup, one.house) == (thursday, house(thursday))
    taken_in = [is_legal(one) for one in (before, after, table, over)]
    owner.post(address(table, "take_out"))

    status, problem = refusal(refused)
    assert status == 422
    assert problem.startswith("The deck of Ann is not legal, and the list of this table takes")
    assert (taken_in, is_legal(table)) == ([True, False, False, True], True)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (
            Card,
            "No card has been imported yet: whoever runs this site can do it by the command "
            "import_cards.",
        ),
        (BanList, "The format has no ban list yet, so there is nothing to add to."),
        (
            {"card": "Llanowar Elfs"},
            "There is no card called Llanowar Elfs. Did you mean Llanowar Elves?",
        ),
        ({"card": "Qqq"}, "There is no card called Qqq. Type its English name."),
        ({"card": ""}, "Which card? Type its English name."),
        ({"card": "x" * 201}, "There is no card with such a long name."),
        ({"status": "eaten"}, "Choose what the list says of it."),
        ({"starts_on": "today"}, "The first day is not a date: write it like 2026-03-09."),
        ({"reason": "a\x07"}, "This contains a character that can't be shown. Type it again."),
    ],
)
def test_a_ban_that_makes_no_sense_or_has_no_card_or_list_is_refused(
    thursday, owner, cards, form, message
):
    if isinstance(form, type):  # of which the site has none
        form.objects.all().delete()
        form = {}
    with unchanged():
        answer = post(owner, thursday, "house_bans", **BAN | form)

    assert refusal(answer) == (422, message)


def test_an_owner_ends_a_ban_and_the_list_keeps_it(thursday, owner, cards):
    post(owner, thursday, "house_bans", **BAN | {"starts_on": "2026-03-01"})
    key = BanEntry.objects.get().pk

    with unchanged():
        early, none = (
            post(owner, thursday, "house_ban", key, ends_on=day) for day in ("2026-02-28", "soon")
        )
    post(owner, thursday, "house_ban", key, reason="Slow now.", ends_on=TODAY.isoformat())

    problem = "Llanowar Elves: banned: It starts on 1 March 2026: it can't end before that."
    assert refusal(early) == (422, problem)
    assert refusal(none) == (422, "The day is not a date: write it like 2026-03-09.")
    assert entries_in(house(thursday)) == [("Llanowar Elves: banned", date(2026, 3, 1), TODAY)]
    assert BanEntry.objects.get().reason == "Slow now."
    assert "1 ended" in words(owner.get(at(thursday, "house_bans")))


# --- who sees a house list ---
@pytest.mark.parametrize(
    ("visibility", "offered", "opened"),
    [
        (Visibility.PUBLIC, True, 200),
        (Visibility.UNLISTED, False, 200),
        (Visibility.PRIVATE, False, 422),
    ],
)
def test_strangers_see_of_house_lists_what_they_see_of_playgroups(
    thursday, owner, cards, visibility, offered, opened
):
    post(owner, thursday, "house_bans", **BAN)
    Playgroup.objects.update(visibility=visibility)
    key = house(thursday).key
    check = {"text": ELVES, "ruleset": "coalition-906", "house": key, "check": 1}
    clients = everybody(thursday)

    for role, client in clients.items():
        is_inside = role not in ("stranger", "signed in")
        for name in ("bans", "check"):
            page = text(client.get(reverse(name)))
            assert (f'<option value="{key}">' in page) is (offered or is_inside)
        status = client.get(reverse("bans"), {"list": key}).status_code
        assert status == (200 if is_inside else opened)
        assert client.post(reverse("check"), check).status_code == status


def test_a_table_is_judged_by_lists_that_its_scorekeeper_sees(thursday, owner, cards):
    post(owner, thursday, "house_bans", **BAN)
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    thursday.refresh_from_db()
    quick = commands.create_set(COALITION_906, ["Ann", "Bo"], key="a-key")
    own = commands.create_set(COALITION_906, ["Ann", "Bo"], key="b-key", playgroup=thursday)
    key = house(thursday).key

    with unchanged():
        answer = holder(quick, "a-key").post(address(quick, "seat_decks"), {"house": key})
    chosen = holder(own, "b-key").post(address(own, "seat_decks"), {"house": key})

    assert refusal(answer) == (422, "There is no such house list. Choose another.")
    assert chosen.status_code == 302


def test_a_deck_shows_sets_of_a_private_playgroup_to_its_members_only(thursday, cards):
    deck = register("Elves", ELVES)
    scored = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}
    table = play(thursday, TODAY, scored, decks={1: deck.revisions.get()})
    where, link = reverse("deck", args=[deck.code]), address(table, "watch")
    assert link in text(browser(None).get(where))

    Playgroup.objects.update(visibility=Visibility.PRIVATE)

    sees_it = {role: link in text(one.get(where)) for role, one in everybody(thursday).items()}
    assert sees_it == {role: role not in ("stranger", "signed in") for role in sees_it}
