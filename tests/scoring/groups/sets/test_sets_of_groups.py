"""Sets of playgroups: started there, taken in with who sat where, moved, and taken out."""

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.urls import reverse

from scoring.groups.data import audit
from scoring.groups.people import merging, players
from scoring.groups.sets import membership as set_membership
from scoring.groups.sets.views import NOT_FROM_THERE, NOT_THERE
from scoring.models import GameSet, Playgroup, Seat, SetResult
from scoring.models.people import Visibility
from scoring.record import commands as table_commands
from scoring.record import counting, seating
from scoring.record.errors import GroupRefused
from scoring.record.queries import find_set
from scoring.rules.formats import COALITION_906, COALITION_README

from ...browsing import Page, refusal, words
from ...grouped import group, play, play_one_game, tallies
from ...tables import address, holder, tap_id, text, the_game, unchanged
from ..evenings.pages import evening
from ..visitors import account, at, books, browser, names, player

MARCH = date(2026, 3, 6)
MORNING = datetime(2026, 3, 6, 9, tzinfo=UTC)
EVEN = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}
KEY = "the-key-of-a-quick-table"
SAME = "{} and {} are the same player in Thursday group. Choose another name for one of them."
OUT = "It was taken out of its playgroup meanwhile. Reload the page."


def start(client: Client, of: Playgroup, *who: str, **data: object):
    form = {"tap_id": tap_id(1), "name": who, "ruleset": "coalition-906", "group": of.code}
    return client.post(reverse("start"), form | data)


def sat(table: GameSet) -> dict[str, str | None]:
    return dict(Seat.objects.filter(game_set=table).values_list("name", "player__name"))


def keeping(user: str, key: str = KEY, *tables: GameSet) -> Client:
    """Return a browser in which an account is signed in that holds the key of tables."""
    client = browser(user)
    for table in tables:
        client.cookies[f"key-{table.code}"] = key
    return client


def take(client: Client, table: GameSet, into: Playgroup, **who: str):
    form = {f"seat-{seat}": name for seat, name in table.names.items()}
    form |= {name.replace("seat", "seat-"): typed for name, typed in who.items()}
    return client.post(address(table, "take_set"), form | {"group": into.code})


@pytest.fixture
def quick(thursday: Playgroup) -> GameSet:
    """A finished quick table; the browsers below have its key."""
    account("sam", thursday, "scorekeeper")
    return play(None, MARCH, EVEN, key=KEY)


@pytest.fixture
def sam(quick: GameSet) -> Client:
    """A scorekeeper of the playgroup who holds the table's key."""
    return keeping("sam", KEY, quick)


# --- starting ---
def test_a_table_is_started_in_a_playgroup_with_its_players_and_its_usual_ruleset(
    thursday, scorekeeper
):
    Playgroup.objects.update(ruleset="coalition-2026")
    ann, bo, cy = (seating.add_player(thursday, name) for name in ("Ann", "Bo", "Cy"))
    players.change_player(bo, "Bo", is_guest=True)
    merging.merge(cy, ann)
    page = text(scorekeeper.get(f"/start/?group={thursday.code}"))

    response = start(scorekeeper, thursday, "ann", "Di")

    assert re.findall('name="known" value="([^"]*)"', page) == ["Ann"]
    assert 'value="coalition-2026" checked' in page
    assert page.count("checked") == 3
    assert f'<input type="hidden" name="group" value="{thursday.code}">' in page
    table = GameSet.objects.get()
    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert table.playgroup == thursday
    assert sat(table) == {"ann": "Ann", "Di": "Di"}
    assert names(thursday) == ["Ann", "Bo", "Cy", "Di"]
    assert f"key-{table.code}" in scorekeeper.cookies


def test_only_who_keeps_score_for_a_playgroup_starts_tables_in_it(thursday, member):
    sid = browser("sid")
    with unchanged():
        answers = [start(client, thursday, "Ann", "Bo") for client in (Client(), sid, member)]
        gone = member.get("/start/?group=22222222"), member.get("/start/?group=%00")

    assert [answer.status_code for answer in answers] == [403] * 3
    assert "This is for its scorekeepers and owners" in words(answers[0])
    assert [answer.status_code for answer in gone] == [404] * 2
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    assert sid.get(f"/start/?group={thursday.code}").status_code == 404


# --- taking in ---
def test_a_quick_table_is_taken_in_and_who_sat_there_is_corrected(thursday, owner, quick, sam):
    for name in ("links", "watch"):
        assert address(quick, "take_set") in text(sam.get(address(quick, name)))
    page = text(sam.get(address(quick, "take_set")))
    response = take(sam, quick, thursday)

    assert 'name="seat-1" value="Ann"' in page
    assert (response.status_code, response["Location"]) == (302, address(quick, "watch"))
    assert sat(quick) == {"Ann": "Ann", "Bo": "Bo"}
    assert [(row[0], row[1], row[7]) for row in tallies(thursday)] == [
        ("Ann", MARCH, 21),
        ("Bo", MARCH, 9),
    ]
    assert list(audit.faults(thursday)) == []

    take(owner, quick, thursday, seat1="Bo", seat2="Ann")

    assert sat(quick) == {"Ann": "Bo", "Bo": "Ann"}
    assert [(row[0], row[7]) for row in tallies(thursday)] == [("Ann", 9), ("Bo", 21)]
    assert 'name="seat-1" value="Bo"' in text(owner.get(address(quick, "take_set")))
    assert list(audit.faults(thursday)) == []


def test_a_table_that_is_taken_in_while_it_is_played_counts_when_it_ends(thursday, sam):
    """Until then scorekeepers can still say who sits there."""
    table = table_commands.create_set(COALITION_906, ["Ann", "Bo"], key="another-key")
    holding = keeping("sam", "another-key", table)
    take(holding, table, thursday)
    take(holding, GameSet.objects.get(pk=table.pk), thursday, seat1="Annabel")
    assert tallies(thursday) == []

    play_one_game(GameSet.objects.get(pk=table.pk))

    assert [row[0] for row in tallies(thursday)] == ["Annabel", "Bo"]


def test_one_player_can_not_have_sat_at_two_seats(thursday, quick, sam):
    ann, anna = (seating.add_player(thursday, name) for name in ("Ann", "Anna"))
    merging.merge(anna, ann)

    with unchanged():
        answers = [
            take(sam, quick, thursday, seat2="ANN"),
            take(sam, quick, thursday, seat1="Dee", seat2="dee"),
            take(sam, quick, thursday, seat2="Anna"),
        ]
        nobody = take(sam, quick, thursday, seat2="")

    assert [refusal(answer) for answer in answers] == [
        (422, SAME.format(*names)) for names in (("Ann", "ANN"), ("Dee", "dee"), ("Ann", "Anna"))
    ]
    assert 'value="Anna"' in text(answers[2])
    assert refusal(nobody) == (422, "Who is Bo? Type a name.")


def test_who_sat_at_a_finished_set_and_where_it_counts_is_for_owners_to_say(
    thursday, owner, quick, sam
):
    """Scorekeepers hold its key or take a new one, and could have said so while it was played."""
    friday = group("Friday group")
    account("sam", friday, "owner")
    where = address(quick, "take_set")
    several, chosen = words(sam.get(where)), words(sam.get(where, {"group": friday.code}))
    with unchanged():
        none = sam.post(where, {"seat-1": "Ann", "seat-2": "Bo"})
    take(sam, quick, thursday)
    keyless = browser(account("kit", thursday, "scorekeeper"))
    keyless.post(address(quick, "change_key"), {"tap_id": tap_id(1)})

    with unchanged():
        answers = [take(client, quick, thursday, seat1="Zoe") for client in (sam, keyless)]
        answers.append(take(sam, quick, friday))
    take(owner, quick, thursday, seat1="Annabel")

    assert refusal(none) == (422, NOT_THERE)
    assert [refusal(answer) for answer in answers] == [(422, NOT_FROM_THERE)] * 3
    assert "Who sat here, in Friday group" in chosen
    page = words(keyless.get(where))
    assert "Who sat here" not in several + page
    assert "Take it out of" not in page
    assert sat(quick) == {"Ann": "Annabel", "Bo": "Bo"}
    account("olga", friday, "scorekeeper")
    take(owner, quick, friday)
    assert (tallies(thursday), [row[0] for row in tallies(friday)]) == ([], ["Ann", "Bo"])
    assert [*audit.faults(thursday), *audit.faults(friday)] == []


def test_it_needs_the_key_and_to_keep_score_for_the_playgroup(thursday, quick):
    account("mia", thursday, "member")
    keyless, member, signed_out = browser("sam"), keeping("mia", KEY, quick), holder(quick, KEY)

    with unchanged():
        without_key, without_role, without_account = (
            take(client, quick, thursday) for client in (keyless, member, signed_out)
        )

    assert (without_key.status_code, words(without_key).count("scorekeeper link")) == (403, 1)
    assert refusal(without_role) == (422, NOT_THERE)
    assert without_account["Location"].startswith(reverse("login"))
    assert "You aren’t a scorekeeper of any playgroup yet." in words(
        member.get(address(quick, "take_set"))
    )


def test_the_key_alone_does_not_show_which_private_playgroup_it_is(thursday, sam):
    """And can’t take it out of there either."""
    secret = group("Secret group", visibility=Visibility.PRIVATE)
    table = table_commands.create_set(COALITION_906, ["Ann", "Bo"], key="other", playgroup=secret)
    holding = keeping("sam", "other", table)

    page = holding.get(address(table, "take_set"))
    with unchanged():
        answers = [take(holding, table, thursday), holding.post(address(table, "take_out"))]

    assert "This table counts for a private playgroup." in words(page)
    assert refusal(answers[0]) == (422, NOT_FROM_THERE)
    assert answers[1]["Location"] == address(table, "watch")
    assert not any("Secret" in words(one) for one in (page, answers[0]))


FOR_MEMBERS = "Link for members of the playgroup, signed in"
FOR_ANYBODY = "Public link, anybody can watch"
WARNING = "Thursday group is private: the table’s public link will then work only for its members"
WHO_SEES_IT = (
    "Only members of its private playgroup can see the table with this link, once signed in"
)


@pytest.mark.parametrize("visibility", Visibility.values)
def test_a_link_says_for_whom_it_is(thursday, scorekeeper, quick, sam, visibility):
    Playgroup.objects.update(visibility=visibility)
    begun = table_commands.create_set(COALITION_906, ["Ann", "Bo"], key="b", playgroup=thursday)
    over = play(thursday, MARCH, EVEN)
    pages = [words(scorekeeper.get(address(table, "watch"))) for table in (begun, over)]
    links = words(scorekeeper.get(address(begun, "links")))

    private = visibility == Visibility.PRIVATE
    assert [(FOR_MEMBERS in page, FOR_ANYBODY in page) for page in pages] == 2 * [
        (private, not private)
    ]
    assert (WHO_SEES_IT in links, "Anybody with this link" in links) == (private, not private)
    assert (WARNING in words(sam.get(address(quick, "take_set")))) == private


def test_the_people_of_the_last_table_sit_down_again_by_one_tap(thursday, scorekeeper):
    """As they are called now, by whoever keeps score for the playgroup: a table's key won't do."""
    play(thursday, MARCH, {"Cy": (1, 1, 1), "Di": (2, 2, 2)})
    last = table_commands.create_set(
        COALITION_README, ["Bo", "Ann", "Cy"], key=KEY, playgroup=thursday
    )
    thursday.players.filter(name="Ann").update(name="Anna")
    merging.merge(player(thursday, "Cy"), seating.add_player(thursday, "Cyd"))
    page, keeper = scorekeeper.get(reverse("start"), {"group": thursday.code}), holder(last, KEY)
    form = reverse("play_again", args=[last.code]), {"tap_id": tap_id(7)}

    with unchanged():
        refused = keeper.post(*form)
    response = scorekeeper.post(*form)

    assert refused.status_code == 403
    pad = keeper.get(address(last, "score"))
    assert (pad.status_code, "Play again" in words(pad)) == (200, False)
    assert "Bo, Anna, Cyd · A win gives 5 more" in words(page)
    assert f'action="{form[0]}"' in text(page)
    table = GameSet.objects.latest("pk")
    assert response["Location"] == address(table, "score")
    assert (table.playgroup, table.ruleset) == (thursday, "coalition-readme")
    assert sat(table) == {"Bo": "Bo", "Anna": "Anna", "Cyd": "Cyd"}
    assert names(thursday) == ["Anna", "Bo", "Cy", "Cyd", "Di"]
    assert the_game(table).rolled


@pytest.mark.parametrize("direction", [1, -1])
def test_a_set_that_moves_locks_both_playgroups_in_one_order(quick, monkeypatch, direction):
    groups = []
    for key in (1_000_001, 1_000_008):  # a Python set has the larger of these two first
        code = f"group-{key}"
        group = Playgroup(pk=key, code=code, name=code, ruleset=quick.ruleset, created_at=MORNING)
        group.save(force_insert=True)
        groups.append(group)
    first, second = groups[::direction]
    set_membership.take_set(quick, first)
    locked: list[int] = []
    lock_group = counting.lock_group

    def lock(key: int) -> Playgroup:
        locked.append(key)
        return lock_group(key)

    monkeypatch.setattr(counting, "lock_group", lock)
    set_membership.take_set(quick, second)

    assert list(dict.fromkeys(locked)) == [1_000_001, 1_000_008]


# --- taking out ---
def test_an_owner_takes_a_set_out_and_its_results_count_no_more(thursday, owner, quick, sam):
    play(thursday, MARCH, EVEN | {"Cy": (0, 0, 1)})
    before = books()[:2]
    take(sam, quick, thursday)

    response = owner.post(address(quick, "take_out"))

    assert (response.status_code, response["Location"]) == (302, address(quick, "watch"))
    quick.refresh_from_db()
    assert (quick.playgroup, quick.house) == (None, None)
    assert sat(quick) == {"Ann": None, "Bo": None}
    of_group = [row for row in books()[0] if row["game_set_id"] != quick.pk]
    assert [row for row in before[0] if row["game_set_id"] != quick.pk] == of_group
    assert books()[1] == before[1]
    own = SetResult.objects.filter(game_set=quick)
    assert list(own.values_list("player", "played_on", "mu")) == [(None, None, None)] * 2
    assert list(audit.faults(thursday)) == []
    with unchanged():
        assert owner.post(address(quick, "take_out")).status_code == 302


def test_a_set_that_moved_since_the_right_to_move_it_was_asked_stays_there(thursday, quick):
    friday = group("Friday group")
    as_asked = find_set(quick.code)
    set_membership.take_set(quick, friday)
    since = find_set(quick.code)

    with unchanged(), pytest.raises(GroupRefused, match="It was taken into a playgroup meanwhile"):
        set_membership.take_set(as_asked, thursday)
    set_membership.take_out(quick)
    with unchanged(), pytest.raises(GroupRefused, match=OUT):
        set_membership.take_out(since)


# --- what a set's page leads to ---
def test_the_standings_lead_to_the_playgroup_its_players_and_the_log(thursday):
    """A quick table, and a key alone of a private playgroup's, lead to no playgroup."""

    def links(client: Client, table: GameSet) -> list[str]:
        tags = Page(text(client.get(address(table, "watch")))).tags
        return [at["href"] for tag, at in tags if tag == "a"]

    table = evening(thursday, {"Ann": 9, "Bo": 4}, led={"Ann": ("Krenko, Mob Boss", "Goblin")})
    addresses = links(Client(), table)

    assert [link for link in addresses if link.startswith("/g/")] == [
        at(thursday, "board"),
        *(at(thursday, "player", player(thursday, name).pk) for name in ("Ann", "Bo")),
        f"{reverse('hero', args=[thursday.code])}?name=Krenko%2C%20Mob%20Boss",
        f"{reverse('type', args=[thursday.code])}?name=Goblin",
    ]
    assert {address(table, "log"), address(table, "export"), "/decks/deck2345/?revision=1"} <= {
        *addresses
    }
    shown = words(Client().get(address(table, "watch")))
    assert "Ann Krenko, Mob Boss ( in this playgroup ), Goblin · A deck" in shown
    for of in (None, group("Secret group", visibility="private")):
        key = f"the key of {of}"
        table = table_commands.create_set(COALITION_906, ["Ann", "Bo"], key=key, playgroup=of)
        assert table.playgroup == of
        assert not [link for link in links(holder(table, key), table) if link.startswith("/g/")]
