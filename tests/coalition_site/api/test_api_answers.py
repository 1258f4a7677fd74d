"""What the API answers: whole answers, pages, what is unchanged, and what is wrong."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from coalition_site.api import door
from decks.bans import commands as banning
from decks.models import Rule, Status
from scoring.groups.board.leaderboard import Filters, leaderboard
from scoring.groups.evenings import commands as evenings
from scoring.groups.evenings import reseating
from scoring.groups.evenings.queries import BYE
from scoring.groups.people import merging
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.models import Playgroup, Season
from scoring.record import commands, seating
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906, LEVELER
from tests.decks.bans.announcing import announce, draft
from tests.decks.cards import card
from tests.decks.lists import TOMORROW, coalition, editor
from tests.scoring.grouped import group, play
from tests.scoring.groups.visitors import account, player
from tests.scoring.rules.play import hit
from tests.scoring.tables import record, text

from .asking import ask, read, refusal, token

MARCH = date(2026, 3, 6)
NOON = datetime(2026, 3, 6, 12, tzinfo=UTC)
SITE = "http://testserver"


@pytest.fixture
def home(db: None) -> Playgroup:
    return group("Thursday", zone="Europe/Berlin")


def test_a_playgroup_is_read_with_its_seasons_and_ones_role(home):
    season = settings.add_season(home, "Spring", date(2026, 3, 1), date(2026, 5, 31))
    home.house_rules = "No shouting."
    home.save()

    answer = read("api_playgroup", home.code, headers=token(account("sam", home, "scorekeeper")))

    created = answer.pop("created_at")
    assert datetime.fromisoformat(created) == home.created_at.replace(
        microsecond=home.created_at.microsecond // 1000 * 1000
    )
    assert answer == {
        "code": home.code,
        "name": "Thursday",
        "visibility": "public",
        "format": "coalition",
        "ruleset": "coalition-906",
        "zone": "Europe/Berlin",
        "url": f"{SITE}/g/{home.code}/",
        "house_rules": "No shouting.",
        "ban_list": "coalition",
        "seasons": [
            {"id": season.pk, "name": "Spring", "starts_on": "2026-03-01", "ends_on": "2026-05-31"}
        ],
        "role": "scorekeeper",
    }


def test_a_finished_set_is_read_with_its_games_and_results(home):
    table = play(home, MARCH, {"Ann": (5, 6, 7), "Bo": (1, 0, 2)})

    answer = read("api_set", table.code)

    seat = {"hero": "", "coalition_type": "", "games_won": 0}
    game = {
        "status": "drawn",
        "started_at": "2026-03-06T12:00:00Z",
        "ended_at": "2026-03-06T12:00:00Z",
        "turn_order": [1, 2],
        "winners": [],
        "entered_for": None,
    }
    assert answer == {
        "code": table.code,
        "playgroup": home.code,
        "format": "coalition",
        "ruleset": "coalition-906",
        "created_at": "2026-03-06T12:00:00Z",
        "finished_at": "2026-03-06T12:00:00Z",
        "seats": [
            {"number": 1, "name": "Ann", "player": player(home, "Ann").pk, "rank": 1}
            | {"victory_points": 18, **seat},
            {"number": 2, "name": "Bo", "player": player(home, "Bo").pk, "rank": 2}
            | {"victory_points": 3, **seat},
        ],
        "url": f"{SITE}/s/{table.code}/",
        "games": [
            {"number": 1, "victory_points": {"1": 5, "2": 1}, **game},
            {"number": 2, "victory_points": {"1": 6, "2": 0}, **game},
            {"number": 3, "victory_points": {"1": 7, "2": 2}, **game},
        ],
        "log": f"{SITE}/api/v1/sets/{table.code}/log",
    }


def test_sets_are_chosen_by_whether_they_are_finished_or_by_a_player_who_was_merged(home):
    done = play(home, MARCH, {"Anne": (5, 6, 7), "Bo": (1, 0, 2)}).code
    ann = seating.add_player(home, "Ann")
    merging.merge(player(home, "Anne"), ann)
    table = commands.create_set(COALITION_906, ["Cy", "Di"], playgroup=home)
    commands.start_game(table, 1, first=1)
    record(table, hit(1, 2, 4))

    answers = [
        read("api_sets", home.code, **query)["items"]
        for query in ({"finished": "true"}, {"finished": "false"}, {"player": ann.pk}, {})
    ]
    played = read("api_set", table.code)
    quick = read("api_set", commands.create_set(COALITION_906, ["Ann", "Bo"]).code)

    chosen = [[one["code"] for one in answer] for answer in answers]
    assert chosen == [[done], [table.code], [done], [table.code, done]]
    assert answers[2][0]["seats"][0]["player"] == ann.pk
    standing = [(seat["rank"], seat["victory_points"]) for seat in played["seats"]]
    assert (standing, played["finished_at"]) == ([(None, 4), (None, 0)], None)
    assert (played["playgroup"], quick["playgroup"]) == (home.code, None)


def test_a_set_in_play_names_the_player_into_whom_one_of_its_people_was_merged(home):
    table = commands.create_set(COALITION_906, ["Anne", "Bo"], playgroup=home)
    ann, anne, bo = seating.add_player(home, "Ann"), player(home, "Anne"), player(home, "Bo")
    merging.merge(anne, ann)

    sets = [read("api_set", table.code)]
    for one in (ann, anne):
        sets += read("api_sets", home.code, player=one.pk)["items"]

    people = [[seat["player"] for seat in one["seats"]] for one in sets]
    assert people == [[ann.pk, bo.pk]] * 3


def test_a_player_is_read_with_sums_by_format_and_a_format_without_vp_has_none(home):
    first = play(home, MARCH, {"Ann": (5, 6, 7), "Bo": (1, 0, 2)})
    table = play(home, MARCH, {"Ann": (5,), "Bo": (1,)}, ruleset=LEVELER)
    levels = evenings.create_evening(home, "Levels", LEVELER, rounds=1, usual_size=4)
    evenings.arrive(levels, ["Ann"])

    answer = read("api_player", home.code, player(home, "Ann").pk)
    played = read("api_set", table.code)
    (standing,) = read("api_evening", home.code, 1)["standings"]

    assert answer["name"] == "Ann"
    assert [one["format"] for one in answer["formats"]] == ["coalition", "leveler"]
    assert answer["formats"][0]["victory_points"] == 18
    assert answer["formats"][0]["records"] == [
        {"kind": "victory_points", "value": 18, "set": first.code, "on": "2026-03-06"},
        {"kind": "best_turn", "value": 7, "set": first.code, "on": "2026-03-06"},
    ]
    assert [seat["victory_points"] for seat in played["seats"]] == [None, None]
    assert played["games"][0]["victory_points"] is None
    assert (standing["victory_points"], standing["per_game"]) == (None, None)


def test_a_long_list_is_read_page_by_page_and_nobody_is_missing(home, monkeypatch):
    monkeypatch.setattr(door, "PAGE", 3)
    for name in "ABCDEFGH":
        seating.add_player(home, name)
    names, where = [], reverse("api_players", args=[home.code])

    while where:
        answer = Client().get(where).json()
        names += [one["name"] for one in answer["items"]]
        where = answer["next"]

    assert names == [*"ABCDEFGH"]
    assert read("api_players", home.code, page=9) == {"items": [], "page": 9, "next": None}


# --- seasons and records ---
@pytest.fixture
def spring(home) -> Season:
    """A season with three sets, all of which Ann won."""
    for day in (1, 2, 3):
        play(home, MARCH.replace(day=day), {"Ann": (5, 6, 7), "Bo": (1, 0, 2)})
    return settings.add_season(home, "Spring", date(2026, 3, 1), date(2026, 5, 31))


OF_SPRING = {
    "rank": 1,
    "sets": 3,
    "sets_won": 3,
    "games": 9,
    "games_won": 0,
    "victory_points": 54,
    "per_game": 6.0,
}


def test_a_season_is_read_as_its_page_shows_it(home, spring):
    answer = read("api_season", home.code, spring.pk)

    first, second = answer.pop("rows")
    assert answer == {
        "id": spring.pk,
        "name": "Spring",
        "starts_on": "2026-03-01",
        "ends_on": "2026-05-31",
        "closed_at": None,
        "url": f"{SITE}/g/{home.code}/seasons/{spring.pk}/",
        "format": "coalition",
        "ranked_by": "per_game",
        "is_corrected": False,
        "awards": [
            {"title": "Most improved", "text": f"+{first['rating_change']} rating"}
            | {"players": [named(home, "Ann")]},
            {"title": "Most sets", "text": "3 sets"}
            | {"players": [named(home, "Ann"), named(home, "Bo")]},
        ],
    }
    assert first == OF_SPRING | named(home, "Ann") | {
        "rating": first["rating"],
        "uncertainty": first["uncertainty"],
        "rating_change": first["rating_change"],
        "monarch_turns": 0,
    }
    assert first["rating_change"] == -second["rating_change"] > 0
    assert (second["name"], second["rank"]) == ("Bo", 2)


def test_the_board_has_the_ranks_of_the_page(home, spring):
    rows = leaderboard(home, Filters()).rows

    answer = read("api_board", home.code)

    read_rows = [
        (row["rank"], row["name"], row["per_game"], row["rating"]) for row in answer["rows"]
    ]
    assert read_rows == [(row.rank, row.name, row.per_game, row.rating) for row in rows]
    assert answer["rows"][0] == OF_SPRING | named(home, "Ann") | {
        "rating": rows[0].rating,
        "uncertainty": rows[0].uncertainty,
        "is_rated": rows[0].is_rated,
        "streak": 3,
    }
    whole = {"format": "coalition", "ranked_by": "per_game", "season": None, "sets": 3}
    assert answer.items() >= (whole | {"first": None, "last": None}).items()


def named(home: Playgroup, name: str) -> dict[str, object]:
    return {"player": player(home, name).pk, "name": name}


def test_the_final_table_of_a_season_stays_and_says_that_it_was_corrected(home, spring):
    closing.close(spring)
    before = read("api_season", home.code, spring.pk)

    commands.record(home.sets.order_by("pk").first(), 1, Amend(1, hit(1, 2, 1)))

    after = read("api_season", home.code, spring.pk)
    assert datetime.fromisoformat(before["closed_at"])
    assert (before["is_corrected"], after["is_corrected"]) == (False, True)
    assert after["rows"] == before["rows"]


def test_records_are_those_of_the_days_and_of_all_time(home, spring):
    last = play(home, date(2026, 8, 1), {"Ann": (1, 1, 1), "Bo": (20, 0, 0)})

    answer = read("api_records", home.code, season=spring.pk)
    sets = read("api_board", home.code, season=spring.pk)["sets"]

    record = {"unit": "VP", "game": None, "on": "2026-08-01", "set": last.code}
    highest = {"kind": "highest", "value": 20, "players": [named(home, "Bo")]}
    assert answer["of_all"][0] == record | highest
    of_days = {one["kind"]: one["value"] for one in answer["of_days"]}
    assert of_days == {"highest": 18, "streak": 3, "best_turn": 7, "margin": 15}
    days = {"season": spring.pk, "first": "2026-03-01", "last": "2026-05-31"}
    assert answer.items() >= days.items()
    assert sets == 3


# --- evenings ---
def test_evenings_are_listed_and_read_with_tables_byes_and_standings(home):
    """An evening of seven with a round, in which one game was played, and a drawn one."""
    friday = evenings.create_evening(
        home, "Friday", COALITION_906, rounds=2, usual_size=3, minutes=50, seed=5, starts_at=NOON
    )
    evenings.arrive(friday, ["Ann", "Bo", "Cy", "Di", "Ev", "Fay"])
    evenings.arrive(friday, ["Gast"], as_guests=True)
    table, _ = evenings.begin_round(evenings.pair_round(friday), at=NOON)
    commands.start_game(table.game_set, 1, first=1)
    record(table.game_set, hit(1, 2, 4))
    evenings.leave(friday, player(home, "Gast"))
    evenings.arrive(friday, ["Hal"])
    reseating.move(evenings.pair_round(friday), player(home, "Hal"), BYE)
    harold = home.players.create(name="Harold")
    merging.merge(player(home, "Hal"), harold)
    later = NOON + timedelta(days=2000)
    evenings.create_evening(home, "Next", COALITION_906, rounds=1, usual_size=4, starts_at=later)

    planned, listed = read("api_evenings", home.code)["items"]
    answer = read("api_evening", home.code, 1)

    assert (planned["name"], planned["starts_at"]) == ("Next", "2031-08-27T12:00:00Z")
    assert listed == {
        "number": 1,
        "name": "Friday",
        "format": "coalition",
        "ruleset": "coalition-906",
        "starts_at": "2026-03-06T12:00:00Z",
        "ended_at": None,
        "rounds_planned": 2,
        "minutes": 50,
        "url": f"{SITE}/g/{home.code}/evenings/1/",
    }
    begun, drawn = answer["rounds"]
    sets = home.sets.order_by("pk")
    assert [(table["number"], table["set"]) for table in begun["tables"]] == [
        (1, sets[0].code),
        (2, sets[1].code),
    ]
    assert [[one["name"] for one in table["players"]] for table in begun["tables"]] == [
        list(game_set.names.values()) for game_set in sets
    ]
    assert (begun["begun_at"], begun["repeats"], begun["byes"]) == ("2026-03-06T12:00:00Z", 0, [])
    assert (drawn["begun_at"], {table["set"] for table in drawn["tables"]}) == (None, {None})
    assert drawn["byes"] == [{"player": harold.pk, "name": "Harold"}]
    first, *_, last = answer["standings"]
    assert first == named(home, sets[0].names[1]) | {
        "rank": 1,
        "is_guest": first["name"] == "Gast",
        "is_here": first["name"] != "Gast",
        "is_playing": True,
        "total": 4.0,
        "byes": 0,
        "games": 1,
        "games_won": 0,
        "victory_points": 4,
        "per_game": 4.0,
    }
    assert (last["rank"], last["games"]) == (None, 0)


# --- ban lists and verdicts ---
def test_a_ban_list_is_read_as_of_a_day(home):
    elf = card("Llanowar Elves")
    banning.ban(coalition(), Rule.RESERVED_LIST, "watched", "Dear.", MARCH, editor())
    settings.ban(home, elf, Status.BANNED, "Too fast.", MARCH, account("olga"))
    home.refresh_from_db()

    answer = read("api_ban_list", home.house.key, on="2026-03-07")

    entry = {"since": "2026-03-06", "until": None, "cards": []}
    assert answer == {
        "key": home.house.key,
        "name": home.house.name,
        "format": "coalition",
        "base": "coalition",
        "playgroup": home.code,
        "url": f"{SITE}/bans/?list={home.house.key}",
        "on": "2026-03-07",
        "entries": [
            {"name": "Llanowar Elves", "is_group": False, "status": "banned", **entry}
            | {"reason": "Too fast.", "is_house": True},
            {"name": "Reserved list", "is_group": True, "status": "watched", **entry}
            | {"reason": "Dear.", "is_house": False},
        ],
    }
    assert read("api_ban_list", home.house.key, on="2026-03-05")["entries"] == []


def test_announcements_are_read_with_their_words_and_changes(db):
    card("Llanowar Elves")
    ed = editor()
    announce(ed, MARCH, {"Llanowar Elves": ("banned", "Too fast."), "ante": "banned"})
    announce(ed, TOMORROW, {"Llanowar Elves": ("legal", "Slow.")}, title="More", text="Why.")
    draft(ed, TOMORROW, title="A draft")

    planned, first = read("api_announcements", "coalition")["items"]

    elf = {"name": "Llanowar Elves", "is_group": False, "cards": []}
    assert planned == {
        "on": TOMORROW.isoformat(),
        "title": "More",
        "text": "Why.",
        "changes": [elf | {"status": "legal", "was": "banned", "reason": "Slow."}],
        "url": f"{SITE}/bans/coalition/announcements/{TOMORROW.isoformat()}/",
    }
    assert first["title"] == "Spring"
    assert first["changes"] == [
        {"name": "Ante", "is_group": True, "cards": []}
        | {"status": "banned", "was": None, "reason": ""},
        elf | {"status": "banned", "was": None, "reason": "Too fast."},
    ]


def test_verdicts_are_those_of_the_deck_check(db):
    elf = card("Llanowar Elves")
    card("Goblin Guide")
    banning.ban(coalition(), elf, "banned", "Too fast.", MARCH, editor())

    answer = read("api_verdicts", card=["llanowar elves", "Goblin Guide", "Goblin Giude"])
    before = read("api_verdicts", card="Llanowar Elves", on="2026-03-05")

    elves, guide, unknown = answer["cards"]
    ((code, message),) = (reason.values() for reason in elves.pop("reasons"))
    assert (code, "(Too fast)" in message) == ("banned", True)
    asked = {"asked": "llanowar elves", "card": "Llanowar Elves", "verdict": "illegal"}
    assert elves.items() >= asked.items()
    nothing = {"reasons": [], "hero_only": False, "watched": None, "closest": []}
    legal = {"asked": "Goblin Guide", "card": "Goblin Guide", "verdict": "legal"}
    assert guide == legal | nothing
    assert (unknown["card"], unknown["verdict"]) == (None, "unknown")
    assert unknown["closest"] == ["Goblin Guide"]
    assert before["cards"][0]["verdict"] == "legal"


# --- answers that are still the same, and methods ---
def test_what_has_not_changed_is_answered_by_an_empty_304(home):
    play(home, MARCH, {"Ann": (5, 6, 7), "Bo": (1, 0, 2)})
    where = reverse("api_board", args=[home.code])
    tag = Client().get(where).headers["ETag"]

    same = Client().get(where, headers={"If-None-Match": tag})
    play(home, MARCH, {"Ann": (5, 6, 7), "Bo": (1, 0, 2)})
    changed = Client().get(where, headers={"If-None-Match": tag})

    assert (same.status_code, same.content) == (304, b"")
    assert changed.status_code == 200
    assert changed.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in changed.headers["Vary"]


def test_pages_of_other_sites_read_what_a_stranger_may_and_neither_post_nor_send_a_token(home):
    where = reverse("api_playgroup", args=[home.code])
    sent = token(account("sam", home, "scorekeeper"))
    preflight = {"Origin": "https://club.example", "Access-Control-Request-Method": "GET"}

    open_to_all = Client().get(where, headers={"Origin": "https://club.example"})
    missing = Client().get(reverse("api_playgroup", args=["22222222"]))
    with_token = Client().get(where, headers=sent)
    refused, post = Client().options(where, headers=preflight), Client().post(where)

    assert (refused.status_code, refusal(post)[0]) == (200, 405)
    assert [one.headers["Allow"] for one in (refused, post)] == ["GET, HEAD, OPTIONS"] * 2
    name = "Access-Control-Allow-Origin"
    assert [one.headers.get(name) for one in (open_to_all, missing)] == ["*", "*"]
    assert open_to_all.headers["Access-Control-Expose-Headers"] == "ETag, Retry-After"
    assert "Access-Control-Allow-Credentials" not in open_to_all.headers
    assert [name in one.headers for one in (with_token, refused)] == [False, False]


# --- what is wrong ---
@pytest.mark.parametrize("where", ["v2/playgroups", "v1/", "v1/playgroups/", "x"])
def test_an_unknown_version_or_address_is_404_as_json(db, where):
    assert refusal(Client().get(f"/api/{where}")) == (
        404,
        "There is nothing here. Addresses begin with /api/v1/ and have no slash at their end; "
        "/api/ lists them.",
    )


@pytest.mark.parametrize(
    ("name", "query", "detail"),
    [
        ("api_sets", {"page": "0"}, "page: Input should be greater than or equal to 1."),
        ("api_sets", {"page": "9" * 40}, "page: "),
        ("api_sets", {"finished": "perhaps"}, "finished: Input should be a valid boolean"),
        ("api_board", {"season": "999"}, "There is no such season. Choose another."),
        ("api_board", {"first": "x"}, "The first day is not a date."),
        ("api_verdicts", {}, "card: Field required."),
        ("api_verdicts", {"card": "x" * 1000}, "card: String should have at most 200 characters."),
        ("api_verdicts", {"card": ["x"] * 101}, "card: List should have at most 100 items"),
        ("api_verdicts", {"card": "x", "ruleset": "chess"}, "ruleset: there are no deck rules"),
        ("api_verdicts", {"card": "x", "ban_list": "leveler"}, "The ban list leveler is not one"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_is_wrong(home, name, query, detail):
    args = [] if name == "api_verdicts" else [home.code]

    status, actual = refusal(ask(name, *args, **query))

    assert status == 422
    assert actual.startswith(detail)


def test_a_number_beyond_all_players_is_404(home):
    for name in ("api_player", "api_season", "api_evening"):
        assert [ask(name, home.code, key).status_code for key in (2**63, 10**30)] == [404] * 2
    assert ask("api_sets", home.code, player=2**63).status_code == 404


@pytest.mark.usefixtures("clock")
def test_too_many_requests_are_refused_with_when_to_go_on(home, settings):
    settings.LIMITS = {"api": (2, 60)}
    where = reverse("api_playgroup", args=[home.code])

    answers = [Client().get(where, REMOTE_ADDR="192.0.2.77") for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].headers["Retry-After"] == "60"
    assert refusal(answers[2])[1].startswith("Too many requests from here. Try again in ")


def test_a_failure_is_json_too(home, monkeypatch):
    monkeypatch.setattr("coalition_site.api.groups.queries.seasons", None)

    answer = Client(raise_request_exception=False).get(reverse("api_playgroup", args=[home.code]))

    assert refusal(answer) == (500, "Something went wrong here. Try again later.")


# --- its document ---
def test_the_openapi_document_and_its_page_have_all_addresses(db):
    paths = read("api_openapi")["paths"]
    page = text(Client().get(reverse("api")))

    assert len(paths) == 17
    for where, methods in paths.items():
        (operation,) = methods.values()
        assert operation["description"]
        assert operation["responses"]["default"]["content"].keys() == {"application/problem+json"}
        assert f"<code>{where}</code>" in page
    assert "Page of LinkedSeason" in page
    assert "list of LinkedSeason" in page
    assert 'src="http' not in page
