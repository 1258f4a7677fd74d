"""The form of a set log: what is read, and the path of what is not."""

import copy
import json
from datetime import UTC, datetime
from uuid import UUID

import pytest

from coalition_site.lib.untrusted import MalformedDocument, Node, TooManyValues, load
from scoring.rules.formats import COALITION_906, FORMATS
from scoring.rules.moves import Draw, Lose, PassTurn, Win
from scoring.setlog import document as setlog

from ..rules.play import ANN, BO, CY, hit

NONE = object()  # Takes the field away.
PLAYERS = "must be one of the players: Ann, Bo, Cy, Di"
EVENT = "games[0].events[0]"
ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

HIT = {"source": "Ann", "target": "Bo", "amount": 4, "kind": "combat"}
EVENTS = {
    "damage": {"type": "damage", "hits": [HIT]},
    "life": {"type": "life", "changes": {"Ann": 3}},
    "set_life": {"type": "set_life", "player": "Ann", "life": 9},
    "exchange_life": {"type": "exchange_life", "player": "Ann", "other": "Bo"},
    "swap_places": {"type": "swap_places", "player": "Ann", "other": "Bo"},
    "poison": {"type": "poison", "changes": {"Ann": 3}},
    "hold": {"type": "hold", "player": "Ann", "cannot_lose": True, "cannot_win": False},
    "turn": {"type": "turn", "player": "Ann"},
    "hero": {"type": "hero", "player": "Ann", "to": "hand"},
    "monarch": {"type": "monarch", "player": "Ann"},
    "concede": {"type": "concede", "player": "Ann"},
    "concede_to": {"type": "concede_to", "player": "Ann"},
    "lose": {"type": "lose", "players": ["Ann"], "reason": "decked"},
    "win": {"type": "win", "player": "Ann", "reason": "a card"},
    "draw": {"type": "draw", "reason": "time"},
    "result": {
        "type": "result",
        "day": "2026-03-12",
        "points": {"Ann": 21, "Bo": 5, "Cy": 0, "Di": 0},
        "winner": "Ann",
    },
    "undo": {"type": "undo"},
    "strike": {"type": "strike", "event": 1},
    "amend": {"type": "amend", "event": 1, "with": {"type": "damage", "hits": [HIT]}},
}
TAKEN_BACK = {"undo", "strike", "amend"}


def document(*events, **changes):
    """Return a set log of four in coalition-906 with one game; ``changes`` are its fields."""
    games = [{"starting_player": "Ann", "events": list(events)}]
    return {
        "version": 1,
        "format": "coalition",
        "ruleset": "coalition-906",
        "players": ["Ann", "Bo", "Cy", "Di"],
        "games": games,
        **changes,
    }


def changed(value, path, new):
    value = copy.deepcopy(value)
    at = value
    for step in path[:-1]:
        at = at[step]
    if new is NONE:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return value


def malformed(value, here=""):
    """Return path and problem of a document that is no set log; ``here`` stands for "HERE"."""
    with pytest.raises(MalformedDocument) as caught:
        setlog.read_all(load(json.dumps(value).replace('"HERE"', here)))
    return caught.value.path, caught.value.problem


def read(value):
    (log,) = setlog.read_all(load(json.dumps(value)))
    return log


WHOLE_NUMBER = "must be a whole number from {} to {}"
SET_FIELDS = "version, format, ruleset, players, games, called"
GAME_FIELDS = "unknown field; known here: starting_player, events, dropped, turn_order"
RULESETS = "coalition-906, coalition-readme, coalition-readme-21, coalition-2026"


@pytest.mark.parametrize(
    ("path", "new", "where", "problem"),
    [
        *[
            ([field], NONE, "", f"the field {field} is missing")
            for field in ("version", "format", "ruleset", "players", "games")
        ],
        *[
            (["version"], value, "version", WHOLE_NUMBER.format(1, 1))
            for value in (0, 2, "1", 1.0, True, None)
        ],
        *[
            (["format"], value, "format", f"must be one of {', '.join(FORMATS)}")
            for value in ("chess", ["coalition"])
        ],
        (["ruleset"], "coalition-907", "ruleset", f"must be one of {RULESETS}"),
        (["players"], [], "players", "must not be empty"),
        (["players"], {"Ann": 1}, "players", "must be a list"),
        (["players", 3], "Bo", "players[3]", "appears twice"),
        *[(["players", 1], name, "players[1]", "must be a text") for name in ("", "  ", 2, None)],
        (["players", 1], "B" * 81, "players[1]", "must have at most 80 characters"),
        *[
            (["players", 1], name, "players[1]", "has a character that can't be shown")
            for name in ("B\0", "B\n", "B\ud800", "\ufdd0B", "\udfffB")
        ],
        (["games"], {}, "games", "must be a list"),
        (["games", 0], [], "games[0]", "must be an object"),
        *[(["called"], value, "called", "must be true or false") for value in (1, None, "true")],
        (["Version"], 1, "Version", f"unknown field; known here: {SET_FIELDS}"),
        (["\ud800"], 1, "\\ud800", f"unknown field; known here: {SET_FIELDS}"),
        *[
            (["games", 0, field], NONE, "games[0]", f"the field {field} is missing")
            for field in ("starting_player", "events")
        ],
        *[
            (["games", 0, "starting_player"], name, "games[0].starting_player", PLAYERS)
            for name in ("Ev", "ann", None, 1, ["Ann"])
        ],
        (["games", 0, "events"], {}, "games[0].events", "must be a list"),
        (["games", 0, "dropped"], [], "games[0].dropped", "must not be empty"),
        (["games", 0, "dropped"], ["Bo", "Bo"], "games[0].dropped[1]", "appears twice"),
        (["games", 0, "turn_order"], [], "games[0].turn_order", "must not be empty"),
        (["games", 0, "turn_order"], ["Ann", "Ev"], "games[0].turn_order[1]", PLAYERS),
        (["games", 0, "winner"], "Ann", "games[0].winner", GAME_FIELDS),
    ],
)
def test_set_or_game_of_the_wrong_form_is_refused_with_its_path(path, new, where, problem):
    assert malformed(changed(document(), path, new)) == (where, problem)


def test_no_object_and_a_set_called_before_its_first_game_are_refused():
    called = malformed(document(games=[], called=True))

    assert [malformed(None), malformed("coalition")] == [("", "must be an object")] * 2
    assert called == ("called", "must not be true before the first game")


@pytest.mark.parametrize(("ruleset", "fewest"), [("coalition-906", 2), ("coalition-readme", 3)])
def test_number_of_players_is_that_of_the_ruleset(ruleset, fewest):
    names = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay"]
    for count in (fewest, 5):
        assert len(read(document(ruleset=ruleset, players=names[:count])).names) == count
    for count in (fewest - 1, 6):
        assert malformed(document(ruleset=ruleset, players=names[:count])) == (
            "players",
            f"{ruleset} is for {fewest} to 5 players",
        )


HITS = f"{EVENT}.hits"
HIT_0 = f"{EVENT}.hits[0]"
AMOUNT = WHOLE_NUMBER.format(1, 9999)
TOXIC = WHOLE_NUMBER.format(1, 99)
CHANGE = WHOLE_NUMBER.format(-9999, 9999)
ZONES = "must be one of outside, hand, stack, battlefield, graveyard, exile, library"
KINDS = "must be one of combat, hero, other"
HIT_FIELDS = "unknown field; known here: source, target, amount, kind, infect, lifelink, toxic"
IN_AMENDED = "unknown field; known here: type, hits"
IN_COMBAT = "goes with combat damage only"
BY_ALL = "can be nobody only for other damage"
TRUTH = "must be true or false"


@pytest.mark.parametrize(
    ("kind", "path", "new", "where", "problem"),
    [
        *[
            (kind, [field], NONE, EVENT, f"the field {field} is missing")
            for kind, event in EVENTS.items()
            for field in event
            if field not in ("type", "reason") and kind != "turn"
        ],
        ("damage", ["hits"], [], HITS, "must not be empty"),
        ("damage", ["hits"], {}, HITS, "must be a list"),
        ("damage", ["hits", 0], [], HIT_0, "must be an object"),
        *[
            ("damage", ["hits", 0, field], NONE, HIT_0, f"the field {field} is missing")
            for field in ("source", "target", "amount", "kind")
        ],
        ("damage", ["hits", 0, "source"], "Ev", f"{HIT_0}.source", PLAYERS),
        ("damage", ["hits", 0, "target"], None, f"{HIT_0}.target", PLAYERS),
        *[
            ("damage", ["hits", 0, "amount"], amount, f"{HIT_0}.amount", AMOUNT)
            for amount in (0, 10_000, 10**40, True, 4.0, "4", None)
        ],
        ("damage", ["hits", 0, "kind"], "Combat", f"{HIT_0}.kind", KINDS),
        ("damage", ["hits", 0, "infect"], 1, f"{HIT_0}.infect", TRUTH),
        ("damage", ["hits", 0, "lifelink"], "true", f"{HIT_0}.lifelink", TRUTH),
        ("damage", ["hits", 0, "toxic"], 0, f"{HIT_0}.toxic", TOXIC),
        ("damage", ["hits", 0, "toxic"], 100, f"{HIT_0}.toxic", TOXIC),
        *[
            ("damage", ["hits", 0], {**HIT, "kind": kind, "toxic": 1}, f"{HIT_0}.toxic", IN_COMBAT)
            for kind in ("hero", "other")
        ],
        *[
            ("damage", ["hits", 0], HIT | {"kind": kind, "source": None}, f"{HIT_0}.source", BY_ALL)
            for kind in ("combat", "hero")
        ],
        ("damage", ["hits", 0, "trample"], True, f"{HIT_0}.trample", HIT_FIELDS),
        *[
            ("life", ["changes"], changes, f"{EVENT}.changes{name}", problem)
            for changes, name, problem in [
                ({}, "", "must not be empty"),
                ([], "", "must be an object"),
                ({"Ev": 1}, ".Ev", PLAYERS),
                ({"Ann": 0}, ".Ann", "must not be 0"),
                ({"Ann": 10_000}, ".Ann", CHANGE),
                ({"Ann": -10_000}, ".Ann", CHANGE),
            ]
        ],
        ("turn", ["player"], None, f"{EVENT}.player", PLAYERS),
        ("hero", ["to"], "command", f"{EVENT}.to", ZONES),
        ("lose", ["players"], [], f"{EVENT}.players", "must not be empty"),
        ("lose", ["players"], ["Ann", "Ev"], f"{EVENT}.players[1]", PLAYERS),
        ("lose", ["players"], ["Ann", "Ann"], f"{EVENT}.players[1]", "appears twice"),
        *[("hero", ["player"], name, f"{EVENT}.player", PLAYERS) for name in ("Ev", None)],
        *[
            ("lose", ["reason"], reason, f"{EVENT}.reason", problem)
            for reason, problem in [
                (" ", "must be a text"),
                ("x" * 201, "must have at most 200 characters"),
                ("a\0b", "has a character that can't be shown"),
            ]
        ],
        *[
            (kind, ["event"], number, f"{EVENT}.event", "must be a whole number from 1")
            for kind in ("strike", "amend")
            for number in (0, True)
        ],
        ("amend", ["with"], {}, f"{EVENT}.with", "must be an object with a type"),
        ("amend", ["with", "hits", 0, "amount"], 0, f"{EVENT}.with.hits[0].amount", AMOUNT),
        *[
            ("amend", ["with", field], value, f"{EVENT}.with.{field}", IN_AMENDED)
            for field, value in (("id", ID), ("at", "2026-03-01T20:15:00Z"))
        ],
        *[
            ("amend", ["with"], EVENTS[kind], f"{EVENT}.with", "must not be a correction itself")
            for kind in TAKEN_BACK
        ],
    ],
)
def test_event_of_the_wrong_form_is_refused_with_its_path(kind, path, new, where, problem):
    assert malformed(document(changed(EVENTS[kind], path, new))) == (where, problem)


@pytest.mark.parametrize("kind", EVENTS)
def test_event_with_an_unknown_field_is_refused(kind):
    path, problem = malformed(document({**EVENTS[kind], "note": "x"}))

    assert path == f"{EVENT}.note"
    assert problem.startswith("unknown field; known here: type")


@pytest.mark.parametrize(
    "id",
    ["", None, f"{ID}0", ID[:-1], f"{{{ID}}}", ID.replace("-", ""), f"+{ID[1:]}", f"٣{ID[1:]}"],
)
def test_id_that_is_no_uuid_is_refused(id):
    path, problem = malformed(document({**EVENTS["undo"], "id": id}))

    assert path == f"{EVENT}.id"
    assert problem in ("must be a UUID", "must be a text")


NO_TIME = "must be a date and time as in ISO 8601"
TOO_LATE = "must be a time from 1993-01-01 to 2026-11-22"


@pytest.mark.parametrize(
    ("at", "problem"),
    [
        *[(at, "must be a text") for at in ("", None, 1700000000)],
        *[(at, NO_TIME) for at in ("2026-02-30T10:00:00Z", "2026-03-01x10:00")],
        *[(at, NO_TIME) for at in ("0001-01-01T00:00+01:00", "2026-03-01T10:00:00.1234567Z")],
        *[(at, TOO_LATE) for at in ("1992-12-31T23:59:59Z", "0001-01-01T00:00")],
        ("2026-11-22T00:00:00.000001", TOO_LATE),
        ("1993-01-01T00:00Z", None),
        ("2026-11-22T00:00Z", None),
    ],
)
def test_at_is_a_time_within_bounds(at, problem):
    latest = datetime(2026, 11, 22, tzinfo=UTC)
    node = Node(document({**EVENTS["undo"], "at": at}), "")
    if problem is None:
        (line,) = setlog.read(node, latest=latest).games[0].events
        assert line.at == datetime.fromisoformat(at)
        return
    with pytest.raises(MalformedDocument) as caught:
        setlog.read(node, latest=latest)
    assert (caught.value.path, caught.value.problem) == (f"{EVENT}.at", problem)


@pytest.mark.parametrize("is_amended", [False, True])
def test_a_result_is_of_no_day_that_is_still_to_come(is_amended):
    result = {**EVENTS["result"], "day": "2026-11-23"}
    event = {**EVENTS["amend"], "with": result} if is_amended else result
    where = f"{EVENT}.with.day" if is_amended else f"{EVENT}.day"
    node = Node(document(event), "")

    setlog.read(node, latest=datetime(2026, 11, 23, tzinfo=UTC))
    with pytest.raises(MalformedDocument) as caught:
        setlog.read(node, latest=datetime(2026, 11, 22, tzinfo=UTC))
    assert (caught.value.path, caught.value.problem) == (where, "is still to come")


def test_corrections_one_in_the_other_are_refused_however_many_they_are():
    event = EVENTS["turn"]
    for _ in range(600):
        event = {"type": "amend", "event": 1, "with": event}

    where = f"{EVENT}.with"
    assert malformed(document(event)) == (where, "must not be a correction itself")


@pytest.mark.parametrize("kind", ["Damage", None, ["damage"]])
def test_event_of_an_unknown_type_is_refused(kind):
    moves = sorted(set(EVENTS) - set(TAKEN_BACK))
    types = ", ".join([*moves, "undo", "strike", "amend"])
    assert malformed(document({"type": kind})) == (f"{EVENT}.type", f"must be one of {types}")


def test_path_counts_games_and_events_from_0():
    value = document(EVENTS["undo"], {"type": "damage", "hits": [HIT, {**HIT, "amount": 0}]})
    value["games"] = [*document()["games"], *value["games"]]

    assert malformed(value)[0] == "games[1].events[1].hits[1].amount"


def test_path_in_a_list_of_logs_begins_with_the_place():
    assert malformed([document(), document(version=2)])[0] == "[1].version"
    assert malformed([document(), 7]) == ("[1]", "must be an object")


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ('{"type": "undo", "type": "undo"}', f"{EVENT}.type"),
        ('{"type": "undo", "\\ud800": 1, "\\ud800": 1}', f"{EVENT}.\\ud800"),
        ('{"type": "life", "changes": {"Ann": 1, "Bo": 2, "Ann": 1}}', f"{EVENT}.changes.Ann"),
    ],
)
def test_key_that_stands_twice_in_an_event_is_refused_with_its_path(event, path):
    assert malformed(document("HERE"), event) == (path, "appears twice")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is not JSON: Expecting value (line 1, column 1)"),
        ('{"version": 1,\n "games": [}', "this is not JSON: Expecting value (line 2, column 12)"),
        ("{} {}", "this is not JSON: Extra data (line 1, column 4)"),
        ("NaN", "this is not JSON: NaN is not a number"),
        ("[" * 100_000, "this is nested too deeply"),
        (b'{"version": "\xff"}', "this is not UTF-8 text (byte 13)"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_text_that_is_not_json_is_refused(text, problem):
    with pytest.raises(MalformedDocument) as caught:
        load(text)

    assert (caught.value.path, caught.value.problem) == ("", problem)


def test_number_too_long_for_anybody_is_refused():
    with pytest.raises(MalformedDocument, match=r"^this is not JSON: "):
        load("9" * 5000)


def test_number_too_large_to_be_whole_is_refused():
    hits = [HIT | {"amount": "HERE"}]

    assert malformed(document({"type": "damage", "hits": hits}), "1e999") == (
        f"{HIT_0}.amount",
        AMOUNT,
    )


@pytest.mark.parametrize(("depth", "wrapped"), [(300, False), (900, False), (5000, True)])
def test_nesting_at_any_depth_is_no_crash(depth, wrapped):
    text = '{"type": "amend", "event": 1, "with": ' * depth + "1" + "}" * depth
    value = document("HERE")

    assert malformed([value] if wrapped else value, text)


@pytest.mark.parametrize(
    ("kind", "path", "new", "entry"),
    [
        ("damage", ["hits", 0, "amount"], 9999, hit(ANN, BO, 9999)),
        ("damage", ["hits", 0, "toxic"], 99, hit(ANN, BO, 4, toxic=99)),
        ("damage", ["hits", 0, "infect"], False, hit(ANN, BO, 4)),
        ("turn", ["player"], NONE, PassTurn()),
        ("lose", ["reason"], NONE, Lose((ANN,), "card effect")),
        ("lose", ["players"], ["Cy", "Ann"], Lose((CY, ANN), "decked")),
        ("win", ["reason"], NONE, Win(ANN, "card effect")),
        ("draw", ["reason"], NONE, Draw("agreed")),
        ("draw", ["reason"], "x" * 200, Draw("x" * 200)),
        ("draw", ["reason"], "Zeit – 🃏", Draw("Zeit – 🃏")),
    ],
)
def test_event_is_read_with_its_bounds_and_defaults(kind, path, new, entry):
    log = read(document(changed(EVENTS[kind], path, new)))

    assert log.games[0].events == (setlog.LoggedEntry(entry),)


@pytest.mark.parametrize("name", ["x" * 80, "李", "O'Hara {0}", "{self.text}"])
def test_name_of_a_player_may_be_any_text_and_is_quoted_as_it_is(name):
    value = document(
        players=[name, "Bo"],
        games=[
            {"starting_player": "Bo", "events": [{"type": "hero", "player": name, "to": "hand"}]}
        ],
    )
    told = setlog.outcome(setlog.play(read(value)))

    assert told["games"][0]["life"] == {name: 25, "Bo": 25}
    assert told["error"] == {
        "game": 1,
        "event": 1,
        "message": f"It is not {name}'s turn: a hero can go to hand only on its player's own turn.",
    }


def test_a_hit_on_whoever_was_dropped_is_refused_for_that_before_anything_else():
    draw = {"type": "draw", "reason": "time"}
    hit_on_di = {"type": "damage", "hits": [{**HIT, "target": "Di"}]}
    later = {"starting_player": "Ann", "dropped": ["Di"], "events": [draw, hit_on_di]}
    value = document(games=[{"starting_player": "Ann", "events": [draw]}, later])

    failure = setlog.play(read(value)).failure

    assert (failure.game, failure.event, failure.refusal.code) == (2, 2, "not_dealt_in")


def test_a_log_that_was_not_read_has_its_moves_checked_as_it_is_played():
    lines = (setlog.LoggedEntry(hit(ANN, BO, 10_000)),)
    by_hand = setlog.SetLog(COALITION_906, ("Ann", "Bo"), (setlog.LoggedGame(ANN, lines),))

    failure = setlog.play(by_hand).failure

    assert (failure.game, failure.event, failure.refusal.code) == (1, 1, "malformed")


def test_every_event_is_written_as_it_was_read():
    events = [{**event, "id": str(UUID(int=at))} for at, event in enumerate(EVENTS.values(), 1)]
    value = document(*events)
    value["games"][0] = {
        "starting_player": "Ann",
        "turn_order": ["Ann", "Di", "Cy"],
        "dropped": ["Bo"],
        "events": events,
    }

    assert setlog.write(read(value)) == value


# --- documents that would fill the memory ---
@pytest.mark.parametrize(
    ("text", "values"), [("1", 1), ("[1, 2]", 3), ('{"a": {"b": []}, "c": 1}', 5), ("[]", 2)]
)
def test_a_document_may_have_as_many_values_as_its_reader_takes(text, values):
    assert load(text, values=values) == json.loads(text)
    with pytest.raises(TooManyValues):
        load(text, values=values - 1)
