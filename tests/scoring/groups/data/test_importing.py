"""A playgroup exported and imported: nothing is lost, nothing foreign gets in."""

import csv
import io
import json
from copy import deepcopy
from datetime import UTC, date, datetime
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from coalition_site.lib.untrusted import MalformedDocument
from decks.bans import commands as banning
from decks.models import Rule
from scoring.groups.data import audit
from scoring.groups.data.exporting import export_group, export_results
from scoring.groups.data.importing import import_group
from scoring.groups.people import merging
from scoring.groups.people.players import change_player
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.models import Playgroup, Seat, SetResult
from scoring.models.record import SeatHero
from scoring.record import commands
from scoring.record.simulation import PEOPLE, Play, play_set
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906, CONSPIRACY, REALM_WARS
from scoring.rules.formats.conspiracy_draft import CONSPIRACY_DRAFT, EndDraft
from tests.decks.bans.announcing import announce
from tests.decks.cards import card
from tests.decks.lists import ELVES, coalition, elves, register

from ...browsing import refusal
from ...grouped import group, play, ratings, tallies
from ...rules.play import hit
from ...tables import unchanged
from ..visitors import account, browser

MARCH = date(2026, 3, 6)
ANNOUNCEMENT = {
    "day": "2026-05-02",
    "title": "Spring",
    "text": "",
    "published_at": "2026-05-01T12:00:00+00:00",
    "why_legal": [],
}
SEASON = {"name": "Summer", "first": "2026-06-01", "last": "2026-06-30"}
REASON = {"card": "Llanowar Elves", "rule": None, "reason": "Slow."}
EVEN = {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}


@pytest.fixture(scope="module")
def rows(shared_rows) -> Playgroup:
    with shared_rows():
        thursday = group(zone="Europe/Berlin")
        thursday.house_rules = "Snacks:\n\tno crumbs"
        thursday.save()
        elves()
        coalition()
        settings.ban(thursday, card("Llanowar Elves"), "banned", "Too\nfast.", MARCH, None)
        banning.end(thursday.house.entries.get(), date(2026, 4, 1), None)
        settings.ban(thursday, card("Llanowar Elves"), "watched", "", date(2026, 4, 1), None)
        announce(
            account("ed"),
            date(2026, 4, 2),
            {"Llanowar Elves": ("legal", "Slow\nnow.")},
            ban_list=thursday.house,
            text="So\nit is.",
        )
        banning.ban(thursday.house, Rule.NAMED, "banned", "", MARCH, None, [card("Llanowar Elves")])
        planned = banning.ban(thursday.house, Rule.ANTE, "banned", "", date(2026, 5, 9), None)
        banning.end(planned, planned.starts_on, None)  # it never took effect, and is not handed out
        thursday.house.illegal_decks = "allow"
        thursday.house.save()
        table = play(thursday, MARCH, EVEN, decks={1: register("Elves", ELVES).revisions.get()})
        spring = settings.add_season(thursday, "Spring", date(2026, 3, 1), date(2026, 5, 31))
        closing.close(spring)  # before what comes now
        commands.record(table, 1, Amend(1, hit(1, 2, 9)))
        play_set(
            Play(Random(4), datetime(2026, 4, 1, 22, tzinfo=UTC), group=thursday),
            COALITION_906,
            PEOPLE[:4],
        )
        commands.create_set(COALITION_906, ["Ann", "Cy", "Di"], playgroup=thursday)
        thursday.players.filter(name="Di").update(is_guest=True)
        return thursday


@pytest.fixture
def thursday(rows: Playgroup, db: None) -> Playgroup:
    """A playgroup with all that one can have."""
    return deepcopy(rows)


def written(of: Playgroup) -> dict[str, Any]:
    return json.loads("".join(export_group(of)))


def called(document: dict[str, Any], name: str) -> dict[str, Any]:
    return put(document, "playgroup.name", name)


def test_what_is_handed_out_makes_the_same_playgroup(thursday):
    """Heroes that were named count, and decks are judged by the house list of their day."""
    table = thursday.sets.order_by("created_at").first()
    commands.name_hero(table, 1, SeatHero("Krenko", "Goblin"))
    document = written(thursday)

    copy = import_group(document, None)

    assert written(copy) == called(document, "Thursday group (copy)")
    places = document["seasons"][0]["table"]["places"]
    assert [(each["player"], each["victory_points"]) for each in places] == [("Ann", 21), ("Bo", 9)]
    assert len(document["house"]["bans"]) == 3
    assert (tallies(copy), ratings(copy)) == (tallies(thursday), ratings(thursday))
    assert list(audit.faults(copy)) == []
    assert copy.code != thursday.code
    [result] = SetResult.objects.filter(game_set__playgroup=copy, hero="Krenko")
    assert result.coalition_type == "Goblin"
    [seat] = Seat.objects.filter(game_set__playgroup=copy).exclude(deck=None)
    [problem] = seat.deck_report["problems"]
    banned = "Llanowar Elves has been banned since 6 March 2026 (Too\nfast): take it out."
    assert problem["message"] == banned
    assert seat.game_set.house == copy.house != thursday.house


def test_house_bans_stay_those_of_their_format_after_the_playgroup_plays_another(thursday):
    settings.change_settings(thursday, "allow", ruleset=REALM_WARS.key)
    document = written(thursday)

    copy = import_group(document, None)

    assert written(copy)["house"] == document["house"]
    assert (document["house"].pop("format"), copy.house.base.key) == ("coalition", "coalition")
    older = put(document, "playgroup.ruleset", COALITION_906.key)
    assert import_group(older, None).house.format == "coalition"


def test_an_export_has_no_deck_of_a_set_in_play_whose_format_hides_decks(db):
    table = commands.create_set(CONSPIRACY, ["Ann", "Bo", "Cy"], playgroup=group())
    deck = register("Secret", ELVES, ruleset=CONSPIRACY.key)
    commands.bring_deck(table, 1, deck.revisions.get())

    [played] = written(import_group(written(table.playgroup), None))["sets"]

    assert played["decks"] == [None, None, None]


def test_a_document_is_as_it_was_when_its_writing_began_while_people_play_on(thursday):
    before, parts = written(thursday), export_group(thursday)
    begun = [next(parts)]

    change_player(thursday.players.get(name="Ann"), "Anna", is_guest=False)
    play(thursday, MARCH, EVEN | {"Zoe": (0, 0, 0)})
    document = json.loads("".join([*begun, *parts]))

    assert document == before
    import_group(document, None)


def test_guests_called_by_a_colour_come_back_after_they_turned_out_to_be_somebody(db):
    home = group()
    commands.create_set(COALITION_906, ["Ann", "", ""], playgroup=home)
    blue, green = home.players.filter(is_guest=True).order_by("pk")
    merging.merge(blue, home.players.create(name="Bo"))
    change_player(green, green.name, is_guest=False)
    document = written(home)

    assert written(import_group(document, None)) == called(document, "Thursday group (copy)")


def test_the_commands_hand_out_and_bring(thursday, tmp_path, capsys):
    call_command("export_group", thursday.code)
    file = tmp_path / "group.json"
    file.write_text(capsys.readouterr().out)
    with unchanged(), pytest.raises(CommandError, match="no account called 'olga'"):
        call_command("import_group", str(file), owner="olga")
    with pytest.raises(CommandError, match="no playgroup with the code 'x'"):
        call_command("export_group", "x")
    owner = User.objects.create_user("olga")

    call_command("import_group", str(file), owner="olga")

    copy = Playgroup.objects.latest("pk")
    assert capsys.readouterr().out == f"Thursday group (copy), 3 sets: /g/{copy.code}/\n"
    assert list(copy.memberships.values_list("user", "role")) == [(owner.pk, "owner")]
    assert written(copy) == called(written(thursday), "Thursday group (copy)")


@pytest.mark.parametrize(
    ("visibility", "owner", "expected"),
    [
        ("private", "olga", ["Thursday group (copy)", "Thursday group (copy 2)"]),
        ("public", "sid", ["Thursday group (copy)", "Thursday group (copy 2)"]),
        ("private", "sid", ["Thursday group", "Thursday group (copy)"]),
    ],
)
def test_an_imported_playgroup_is_called_a_copy_beside_a_namesake_that_its_owner_sees(
    thursday, visibility, owner, expected
):
    thursday.visibility = visibility
    thursday.save()
    account("olga", thursday, "owner")
    document = called(written(thursday), "thursday GROUP") | {"sets": []}

    names = [import_group(document, account(owner)).name for _ in range(2)]

    assert [name.casefold() for name in names] == [name.casefold() for name in expected]


def test_results_are_a_table_without_formulas(thursday):
    thursday.players.filter(name="Bo").update(name="=Bo()")

    mark, *table = "".join(export_results(thursday))
    rows = list(csv.DictReader(io.StringIO("".join(table))))
    assert mark == "\ufeff"  # Excel shows the accents of names by it

    first = thursday.sets.earliest("created_at").code
    assert len(rows) == 6
    assert rows[1] == {
        "day": "2026-03-06",
        "set": first,
        "ruleset": "coalition-906",
        "players": "2",
        "player": "'=Bo()",
        "seat": "2",
        "rank": "2",
        "victory_points": "9",
        "games_played": "3",
        "games_won": "0",
        "games_at_21": "0",
        "hero": "",
        "coalition_type": "",
        "rating": rows[1]["rating"],
    }
    assert (rows[0]["player"], rows[0]["hero"]) == ("Ann", "Ezuri, Claw of Progress")


def put(document: Any, path: str, value: Any) -> Any:
    """Return a document with one value changed, by a path as in ``sets.0.people``."""
    *way, last = path.split(".")
    at = document
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if isinstance(at, list):
        at[int(last) : int(last) + 1] = [value]  # behind the others, if there are less
    else:
        at[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("version", 2, "version: must be a whole number from 1 to 1"),
        ("foreign", 2, "foreign: unknown field; known here: version, playgroup, players"),
        ("playgroup.zone", "../etc/passwd", "playgroup.zone: must be a time zone"),
        ("playgroup.ruleset", "chess", "playgroup.ruleset: must be one of"),
        ("players.1.name", "ANN", "players[1].name: appears twice"),
        ("players.1.merged_into", "Ann", "sets[0].people: Ann and Bo are the same player"),
        ("players.0.merged_into", "Zoe", "players[0].merged_into: must be one of"),
        ("players.0.merged_into", "Ann", "players[0].merged_into: is merged into this one"),
        ("seasons.0.last", "2026-02-01", "seasons[0].last: is before the first day"),
        ("seasons.0.table.format", "x", "seasons[0].table.format: must be one of coalition"),
        ("seasons.0.table.places.1.player", "Ann", "seasons[0].table.places[1].player: appears"),
        ("seasons.0.table.places.0.sets", 0, "seasons[0].table.places[0].sets: must be a whole"),
        ("seasons.0.table.places.0.rank", 0, "seasons[0].table.places[0].rank: must be a whole"),
        ("seasons.0.table.places.0.mu", 1e999, "seasons[0].table.places[0].mu: must be a number"),
        ("seasons.0.first", "1 March", "seasons[0].first: must be a day, as in 2026-03-09"),
        ("house.bans.0.card", "Bllk", "house.bans[0].card: There is no card called Bllk"),
        ("house.bans.0.status", "x", "house.bans[0].status: must be one of banned"),
        ("house.bans.0.end", "2026-03-05", "house.bans[0]: It starts on 6 March 2026"),
        (
            "house.announcements.1",
            ANNOUNCEMENT | {"day": "2026-04-02"},
            "house.announcements[1]: there is another announcement of that day",
        ),
        (
            "house.announcements.1",
            ANNOUNCEMENT | {"why_legal": [REASON, REASON]},
            "house.announcements[1].why_legal[1]: appears twice",
        ),
        ("house.announcements.0.published_at", None, "house.announcements[0].published_at: must"),
        ("house.illegal_decks", "x", "house.illegal_decks: must be one of allow"),
        ("house.format", "chess", "house.format: must be one of coalition"),
        ("seasons.0.first", "0001-01-01", "seasons[0].first: must be a day from 1990-01-01"),
        ("seasons.1", {**SEASON, "name": "SPRING"}, "seasons[1]: There is already a season called"),
        ("seasons.1", {**SEASON, "first": "2026-05-31"}, "seasons[1]: It would overlap Spring"),
        ("sets.0.people", ["Ann"], "sets[0].people: must have 2 items"),
        ("sets.0.people", ["Ann", "Ann"], "sets[0].people: must name each player once"),
        ("sets.0.people.1", "Zoe", "sets[0].people[1]: must be one of"),
        ("sets.0.created_at", "2026-03-06", "sets[0].created_at: must say its zone"),
        ("sets.0.created_at", "0001-01-01T00:00Z", "sets[0].created_at: must be a time from 1990"),
        (
            "sets.0.log.games.0.events.0.at",
            "9999-12-31T23:59Z",
            "sets[0].log.games[0].events[0].at: must be a time from 1993-01-01 to",
        ),
        ("sets.0.times.2.1", "9999-12-31T23:59-12:00", "sets[0].times[2][1]: must be a time from"),
        ("sets.0.times.0", [], "sets[0].times[0]: must have 2 items"),
        ("sets.0.times.0.1", "2026-03-01T00:00Z", "sets[0].times[0]: must end when the log says"),
        ("sets.0.heroes", [{"name": "", "type": None}, None], "sets[0].heroes[0].name: must be"),
        ("sets.0.heroes", [{"name": "Krenko"}, None], "sets[0].heroes[0]"),
        ("sets.0.heroes", ["Krenko", None], "sets[0].heroes[0]"),
        ("sets.0.decks.0.list", "<!ENTITY x>", "sets[0].decks[0].list: There is no card"),
        ("sets.0.decks.0.ruleset", "leveler", "sets[0].decks[0].ruleset: is of another format"),
        ("sets.1.log.games.0.starting_player", "Zoe", "sets[1].log.games[0].starting_player: "),
        ("sets.0.log.games.0.events.0.hits.0.amount", 0, "sets[0].log.games[0].events[0].hits"),
        ("sets.0.log.games.0.events.1.type", "concede", "sets[0].log"),
    ],
)
def test_a_fault_is_reported_with_its_place_and_nothing_is_stored(thursday, path, value, message):
    document = put(written(thursday), path, value)

    with unchanged(), pytest.raises(MalformedDocument) as refused:
        import_group(document, None)

    assert str(refused.value).startswith(message)


NO_GROUP = "This is not a playgroup as this site exports it:"
JSON = "Choose the .json file."
CSV = "This is the results table (CSV). Choose the .json file."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"day,set,ruleset\n2026-03-06,a,b\n", CSV),
        (b'"day","set","ruleset"\r\n"2026-03-06","a","b"\r\n', CSV),
        (
            b"name;points",
            f"{NO_GROUP} this is not JSON: Expecting value (line 1, column 1). {JSON}",
        ),
        (b"", "The submitted file is empty."),
        (b"\xff\xfe\x00", f"{NO_GROUP} this is not UTF-8 text (byte 0). {JSON}"),
        (b"[1]", f"{NO_GROUP} must be an object. {JSON}"),
        (
            b'{"hello":1}',
            f"{NO_GROUP} hello: unknown field; known here: version, playgroup, players, seasons, "
            f"sets, house, evenings. {JSON}",
        ),
    ],
)
def test_a_foreign_file_is_refused_with_what_to_do(db, content, message):
    client = browser("olga")
    client.get(reverse("groups"))

    with unchanged():
        file = SimpleUploadedFile("x.csv", content)
        response = client.post(reverse("import_group"), {"file": file})

    assert refusal(response) == (422, message)


def test_a_log_that_can_not_be_played_is_reported_before_any_query(
    thursday, django_assert_num_queries
):
    document = put(written(thursday), "sets.2.log.games", [{"starting_player": "Ann"}])

    with django_assert_num_queries(0), pytest.raises(MalformedDocument):
        import_group(document, None)


def test_finished_sets_are_in_a_feed_and_a_shared_link_shows_the_result(thursday):
    """A draft, which has no result, is not."""
    draft = commands.create_set(CONSPIRACY_DRAFT, PEOPLE[:4], playgroup=thursday)
    commands.start_game(draft, 1, first=1)
    commands.record(draft, 1, EndDraft())
    response = Client().get(reverse("feed", args=[thursday.code]))

    atom = {"a": "http://www.w3.org/2005/Atom"}
    feed = ElementTree.fromstring(response.content)
    entries = feed.findall("a:entry", atom)
    assert feed.findtext("a:title", namespaces=atom) == "Sets of Thursday group"
    assert entries[-1].findtext("a:title", namespaces=atom) == "Ann 23, Bo 9"
    code = thursday.sets.earliest("created_at").code
    assert entries[-1].find("a:link", atom).get("href") == f"http://testserver/s/{code}/"
    assert len(entries) == 2

    page = Client().get(reverse("watch", args=[code])).content.decode()

    assert '<meta property="og:description" content="Ann 23, Bo 9">' in page
    assert f'<meta property="og:url" content="http://testserver/s/{code}/">' in page


def test_a_set_whose_log_has_no_time_at_its_end_ends_as_an_older_version_had_it(thursday):
    document = put(written(thursday), "sets.0.times.2.1", "2026-11-25T00:00:00+00:00")
    document["sets"][0]["log"]["games"][2]["events"][-1].pop("at")

    copy = import_group(document, None)

    assert written(copy)["sets"][0]["times"] == document["sets"][0]["times"]
