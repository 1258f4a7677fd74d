"""The pad: hits, turns and undo, by post and redirect or in place."""

import pytest

from scoring.record import commands
from scoring.rules.moves import ChangeLife, Draw, Lose, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import form_to, is_fragment, parse, refusal, words
from . import address, events, points, record, tap_id, text, unchanged

AMOUNT = "The damage must be a whole number from 1 to 9999."
GONE = "That game is not there any more. Here is the table as it stands."
A_HIT = {"source": ANN, "target": BO, "kind": "combat", "amount": 3}


def damage(*hits: dict) -> dict:
    return {"type": "damage", "hits": list(hits)}


def one(source: int | None, target: int, amount: int, kind: str = "combat", **signs) -> dict:
    said = None if source is None else str(source)
    return {"source": said, "target": str(target), "amount": amount, "kind": kind, **signs}


def test_the_page_shows_board_and_pad_and_each_form_has_a_tap_id_of_its_own(table, scorer):
    record(table, hit(ANN, BO, 4))

    response = scorer.get(address(table, "score"))

    assert response.status_code == 200
    assert not is_fragment(response)
    assert "Game 1 of 3" in words(response)
    assert "Ann hits Bo for 4, combat" in words(response)
    names = ("hit", "turn", "undo")
    pad, *others = [form_to(response, address(table, name, 1)).fields for name in names]
    assert (pad["source"], pad["kind"], pad.get("target")) == (["1"], ["combat"], None)
    assert len({form["tap_id"][0] for form in (pad, *others)}) == 3


HITS = {
    "one": ({"target": BO, "amount": 4}, [one(ANN, BO, 4)]),
    "two": ({"target": [BO, DI], "amount": 4}, [one(ANN, BO, 4), one(ANN, DI, 4)]),
    "two-ticked-twice": ({"target": [BO, BO], "amount": 4}, [one(ANN, BO, 4)]),
    "each": (
        {"target": "each", "amount": 1},
        [one(ANN, BO, 1), one(ANN, CY, 1), one(ANN, DI, 1)],
    ),
    "typed": ({"target": BO, "amount": "", "typed": "14"}, [one(ANN, BO, 14)]),
    "a-key-goes-before": ({"target": BO, "amount": 2, "typed": "14"}, [one(ANN, BO, 2)]),
    "hero": ({"target": BO, "amount": 4, "kind": "hero"}, [one(ANN, BO, 4, "hero")]),
    "without-source": (
        {"source": "", "target": BO, "amount": 4, "kind": "other"},
        [one(None, BO, 4, "other")],
    ),
    "without-source-each": (
        {"source": "", "target": "each", "amount": 1, "kind": "other"},
        [one(None, seat, 1, "other") for seat in (ANN, BO, CY, DI)],
    ),
    "signs": (
        {"target": BO, "amount": 4, "signs": 1, "infect": 1, "lifelink": 1, "toxic": 2},
        [one(ANN, BO, 4, infect=True, lifelink=True, toxic=2)],
    ),
    "signs-that-are-off": (
        {"target": BO, "amount": 4, "infect": 1, "lifelink": 1, "toxic": 2},
        [one(ANN, BO, 4)],
    ),
    "to-oneself": ({"target": ANN, "amount": 2}, [one(ANN, ANN, 2)]),
}


@pytest.mark.parametrize(("form", "hits"), HITS.values(), ids=HITS)
@pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
def test_a_hit_is_recorded(table, tap, htmx, form, hits):
    response = tap("hit", 1, htmx=htmx, **{"source": ANN, "kind": "combat", **form})

    assert events(table) == [(1, damage(*hits), None)]
    if htmx:
        assert response.status_code == 200
        assert is_fragment(response)
    else:
        assert (response.status_code, response["Location"]) == (302, address(table, "score"))


def test_an_answer_in_place_shows_the_board_after_the_tap_and_says_it_aloud(table, tap):
    response = tap("hit", 1, htmx=True, **A_HIT)

    deltas = parse(text(response)).xpath("//*[@class='delta']")
    assert [delta.text_content() for delta in deltas] == ["+3 VP", "−3 life"]
    assert "Ann hits Bo for 3, combat. +3 VP Ann. Bo 22 life" in words(response)
    assert form_to(response, address(table, "undo", 1)).fields["event"] == ["1"]


def test_an_answer_in_place_to_the_end_of_a_game_shows_what_comes_next(table, tap):
    response = tap("hit", 1, htmx=True, pad="1-1-.12", **A_HIT | {"amount": 21})

    assert response.status_code == 200
    assert is_fragment(response)
    assert "Ann wins" in words(response)
    assert "Ann → Bo 21; reopens the game" in words(response)
    assert form_to(response, address(table, "start_game", 2)).fields["tap_id"]


@pytest.mark.parametrize("amount", ["0", "10000", "1.5", "+5", "", "٣"])
@pytest.mark.parametrize("key", ["amount", "typed"])
def test_an_amount_that_is_none_is_refused(table, tap, amount, key):
    with unchanged():
        response = tap("hit", 1, **A_HIT | {"amount": "", key: amount})

    assert refusal(response) == (422, AMOUNT)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"source": "5"}, "That player does not sit at this table."),
        ({"source": "each"}, "That player does not sit at this table."),
        ({"target": ["2", "x"]}, "That player does not sit at this table."),
        ({"target": None}, "To whom?"),
        ({"source": ""}, "From whom? Without a player it can only be other damage."),
        ({"kind": "hero", "signs": 1, "toxic": 2}, "Toxic goes with combat damage only."),
        ({"signs": 1, "toxic": "100"}, "Toxic must be a whole number from 1 to 99."),
        ({"tap_id": "not-a-uuid"}, "This form is damaged. Reload the page."),
        ({"kind": "<b>"}, "This form is damaged. Reload the page."),
    ],
)
@pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
def test_a_hit_that_makes_no_sense_is_refused(table, tap, form, message, htmx):
    with unchanged():
        response = tap("hit", 1, htmx=htmx, **A_HIT | form)

    assert refusal(response) == (422, message)
    assert is_fragment(response) == htmx


@pytest.mark.parametrize(
    ("name", "form", "message"),
    [
        ("hit", A_HIT | {"tap_id": None}, "This form is damaged. Reload the page."),
        ("turn", {"tap_id": None}, "This form is damaged. Reload the page."),
        ("undo", {"event": 1, "tap_id": None}, "This form is damaged. Reload the page."),
        *(
            ("undo", {"event": event}, "Which event? Reload the page.")
            for event in (None, "x", "-1", "١", "9" * 40)
        ),
    ],
)
def test_a_form_without_its_tap_id_or_undo_of_no_event_is_refused(table, tap, name, form, message):
    record(table, PassTurn())

    with unchanged():
        response = tap(name, 1, **form)

    assert refusal(response) == (422, message)


def test_after_a_refusal_the_keys_stay_as_they_were_pressed(table, tap):
    response = tap(
        "hit", 1, source=CY, target=[BO, DI], kind="hero", typed="x", signs=1, infect=1, toxic=""
    )

    pressed = form_to(response, address(table, "hit", 1)).fields
    kept = ("source", "target", "kind", "typed", "signs", "infect")
    assert {name: pressed.get(name) for name in kept} == {
        "source": ["3"],
        "target": ["2", "4"],
        "kind": ["hero"],
        "typed": ["x"],
        "signs": ["1"],
        "infect": ["1"],
    }


@pytest.mark.parametrize(
    ("name", "form"), [("hit", A_HIT), ("hit", A_HIT | {"together": 1}), ("turn", {})]
)
@pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
def test_a_tap_after_the_end_is_refused(table, tap, name, form, htmx):
    record(table, Draw())

    with unchanged():
        response = tap(name, 1, htmx=htmx, **form)

    message = "This game is over. Undo its last event to go on playing it."
    assert refusal(response) == (422, message)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("hit", A_HIT),
        ("hit", A_HIT | {"together": 1}),
        ("hits", {"collected": "1.2.3.combat.0.0.0"}),
        ("turn", {}),
        ("undo", {"event": 1}),
    ],
)
@pytest.mark.parametrize("number", [1, 9])
def test_a_tap_in_a_game_that_is_not_there_is_refused(table, tap, name, form, number):
    commands.take_back_game(table, 1)

    with unchanged():
        response = tap(name, number, **form)

    assert refusal(response) == (422, GONE)


@pytest.mark.parametrize(
    ("before", "form", "meanwhile"),
    [
        ([], {"target": "each", "amount": 25}, []),
        ([ChangeLife({CY: -24})], {"target": "each", "amount": 1}, []),
        ([hit(ANN, BO, 1)], {"target": None, "amount": 24}, []),
        ([hit(ANN, BO, 1)], {"kind": "combat", "amount": 2}, [hit(ANN, CY, 1)]),
    ],
    ids=["all-out", "one-out", "the-last-one-hit-out", "another-hit-since"],
)
def test_a_hit_can_be_sent_again_whoever_it_put_out_or_was_hit_since(
    table, tap, before, form, meanwhile
):
    """To whom it went is worked out from the state, which has changed."""
    record(table, *before)
    form = {"source": ANN, "kind": "hero", **form}
    tap("hit", 1, tap_id=tap_id(1), **form)
    record(table, *meanwhile)

    with unchanged():
        again = tap("hit", 1, tap_id=tap_id(1), **form)

    assert (again.status_code, again["Location"]) == (302, address(table, "score"))


def test_hits_are_collected_in_the_address_and_nothing_is_recorded(table, tap):
    with unchanged():
        plain = tap("hit", 1, together=1, collected="2.3.1.hero.0.0.0", **A_HIT)
        htmx = tap("hit", 1, htmx=True, together=1, collected="2.3.1.hero.0.0.0", **A_HIT)

    query = "?collected=2.3.1.hero.0.0.0&collected=1.2.3.combat.0.0.0"
    assert (plain.status_code, plain["Location"]) == (302, address(table, "score") + query)
    assert (htmx.status_code, htmx["HX-Replace-Url"]) == (200, address(table, "score") + query)
    tray = form_to(htmx, address(table, "hits", 1), "tray").fields
    assert tray["collected"] == ["2.3.1.hero.0.0.0", "1.2.3.combat.0.0.0"]


@pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
def test_collected_hits_are_sent_as_one_event(table, tap, htmx):
    keys = ["1.2.3.combat.0.1.2", "0.4.5.other.0.0.0"]

    response = tap("hits", 1, htmx=htmx, collected=keys, send=1)

    expected = damage(one(ANN, BO, 3, lifelink=True, toxic=2), one(None, DI, 5, "other"))
    assert events(table) == [(1, expected, None)]
    where = response["HX-Replace-Url"] if htmx else response["Location"]
    assert where == address(table, "score")


GARBAGE = [
    "",
    "9.9.9.combat.0.0.0",
    "1.2.0.combat.0.0.0",
    "0.2.3.combat.0.0.0",
    "1.2.3.hero.0.0.4",
    "1.2.3.combat.2.0.0",
    "1.2.3.combat.0.0.0\n",
    "١.2.3.combat.0.0.0",
    "\0",
]


@pytest.mark.parametrize("key", GARBAGE)
def test_input_that_is_no_hit_is_not_collected(table, scorer, tap, key):
    page = scorer.get(address(table, "score"), {"collected": key})
    with unchanged():
        sent = tap("hits", 1, collected=key)

    assert page.status_code == 200
    assert address(table, "hits", 1) not in text(page)
    assert refusal(sent) == (422, "There is no hit to send.")


def test_an_event_takes_forty_hits_at_the_most(table, tap):
    keys = ["1.2.1.other.0.0.0"] * 41

    with unchanged():
        collecting = tap("hit", 1, together=1, collected=keys, **A_HIT)
        sending = tap("hits", 1, collected=keys)
    tap("hits", 1, collected=keys[:40])

    told = (422, "One event takes 40 hits at most.")
    assert (refusal(collecting), refusal(sending)) == (told, told)
    assert len(events(table)[0][1]["hits"]) == 40


def test_collected_hits_stay_after_a_refusal(table, tap):
    record(table, Lose((BO,)))

    with unchanged():
        response = tap("hits", 1, htmx=True, collected=["1.2.3.combat.0.0.0"])

    assert refusal(response) == (422, "Bo is not in this game any more.")
    assert form_to(response, address(table, "hits", 1), "tray").fields["collected"] == [
        "1.2.3.combat.0.0.0"
    ]


@pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
def test_undo_takes_back_the_event_that_its_button_named(table, tap, htmx):
    record(table, hit(ANN, BO, 3), hit(ANN, CY, 2))

    response = tap("undo", 1, htmx=htmx, event=2)

    assert events(table)[-1] == (3, {"type": "undo"}, 2)
    assert points(table)[ANN] == 3
    assert response.status_code == (200 if htmx else 302)


def test_a_hit_without_add_is_sent_with_those_collected_before(table, tap):
    form = {**A_HIT, "collected": ["1.2.3.other.0.0.0"]}

    sent = tap("hit", 1, tap_id=tap_id(1), **form)
    with unchanged():
        again = tap("hit", 1, tap_id=tap_id(1), **form)

    assert (sent.status_code, again.status_code) == (302, 302)
    assert [hit["kind"] for hit in events(table)[0][1]["hits"]] == ["other", A_HIT["kind"]]


def test_undo_takes_out_the_last_collected_hit_before_it_takes_back_an_event(table, scorer, tap):
    record(table, hit(ANN, BO, 2))
    keys = ["1.2.3.other.0.0.0", "1.3.4.combat.0.0.0"]
    page = scorer.get(address(table, "score"), {"collected": keys})
    undo = form_to(page, address(table, "hits", 1), "undo")

    with unchanged():
        response = tap("hits", 1, drop=1, collected=undo.fields["collected"])

    assert undo.fields["collected"] == keys
    assert response["Location"] == f"{address(table, 'score')}?collected={keys[0]}"


def test_the_pad_stays_ready_for_a_hit_after_a_refused_undo(table, tap):
    record(table, hit(ANN, BO, 2), hit(ANN, BO, 3))

    with unchanged():
        page = tap("undo", 1, event=1, htmx=True)

    pad = form_to(page, address(table, "hit", 1)).fields
    message = "Event 1 is not the latest any more. Look again before you undo."
    assert refusal(page) == (422, message)
    assert (pad["source"], pad["kind"]) == ([str(ANN)], ["combat"])
