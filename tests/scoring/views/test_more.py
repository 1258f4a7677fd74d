"""The seldom things, and what ends a game: asked first, then done."""

import re

import pytest

from scoring.rules.moves import ChangeLife, CrownMonarch, Draw, Hold, Lose, MoveHero, PassTurn
from scoring.rules.state import Zone
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import form_to, refusal, words
from ..tables import address, events, points, record, tap_id, text, the_game, unchanged

ENDINGS = ("concede", "concede_to", "lose", "win", "draw", "turn")


ALL = {"1": 4, "2": 4, "3": 4, "4": 4}
THINGS = [
    ({"player": BO, "life": "-5"}, {"type": "life", "changes": {"2": -5}}),
    ({"player": "each", "life": "4"}, {"type": "life", "changes": ALL}),
    ({"player": BO, "poison": "1"}, {"type": "poison", "changes": {"2": 1}}),
    ({"player": BO, "typed": "gain", "by": "12"}, {"type": "life", "changes": {"2": 12}}),
    ({"player": BO, "typed": "lose", "by": "9"}, {"type": "life", "changes": {"2": -9}}),
    ({"player": BO, "typed": "poison", "by": "6"}, {"type": "poison", "changes": {"2": 6}}),
    ({"player": ANN, "hero": "hand"}, {"type": "hero", "player": "1", "to": "hand"}),
    ({"player": BO, "monarch": "crown"}, {"type": "monarch", "player": "2"}),
    ({"player": BO, "monarch": "none"}, {"type": "monarch", "player": None}),
    ({"player": BO, "turn": 1}, {"type": "turn", "player": "2"}),
    *(
        (
            {"player": BO, "hold": hold},
            {"type": "hold", "player": "2", "cannot_lose": lose, "cannot_win": win},
        )
        for hold, lose, win in (
            ("lose", True, False),
            ("win", False, True),
            ("both", True, True),
            ("off", False, False),
        )
    ),
]


@pytest.mark.parametrize(("form", "entry"), THINGS)
def test_a_move_from_the_more_page_is_recorded(table, tap, form, entry):
    response = tap("more", 1, **form)

    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert events(table) == [(1, entry, None)]


def test_the_page_has_the_active_player_chosen(table, scorer):
    record(table, PassTurn(CY))

    page = scorer.get(address(table, "more", 1))

    assert page.status_code == 200
    assert 'name="player" value="3" checked' in text(page)
    assert f'href="{address(table, "end", 1, "draw")}"' in text(page)


NUMBER = "Give a whole number from 1 to 9999."


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"player": BO}, "Choose what happens."),
        ({"life": "5"}, "Choose for whom."),
        ({"player": "9", "life": "5"}, "Choose for whom."),
        ({"player": "each", "turn": 1}, "Choose one player for that."),
        (
            {"player": BO, "hero": "hand"},
            "It is not Bo's turn",
        ),
        ({"player": BO, "poison": "-1"}, "Bo would have -1 poison counters"),
        ({"player": BO, "turn": 1, "tap_id": "x"}, "This form is damaged. Reload the page."),
        *(({"player": BO, "typed": "gain", "by": by}, NUMBER) for by in ("", "0", "10000", "1.5")),
    ],
)
def test_a_move_from_the_more_page_that_makes_no_sense_is_refused(table, tap, form, message):
    with unchanged():
        status, said = refusal(tap("more", 1, **form))

    assert status == 422
    assert message in said


@pytest.mark.parametrize(
    "form",
    [
        {"player": BO, "life": "x"},
        {"player": BO, "life": "10000"},
        {"player": BO, "hero": "moon"},
        {"player": BO, "typed": "x", "by": "3"},
        {"player": BO, "turn": 1, "tap_id": None},
    ],
)
def test_a_choice_that_is_none_is_refused(table, tap, form):
    with unchanged():
        response = tap("more", 1, **form)

    assert response.status_code == 422
    assert refusal(response)[1]


def test_all_are_those_who_are_in_the_game(table, tap):
    record(table, Lose((BO,)))

    tap("more", 1, player="each", life=1)

    changes = {"1": 1, "3": 1, "4": 1}
    assert events(table)[-1] == (2, {"type": "life", "changes": changes}, None)


def test_a_change_for_all_that_put_somebody_out_can_be_sent_again(table, tap):
    """Who "all" are has changed by that very tap."""
    record(table, ChangeLife({BO: -24}))
    form = {"player": "each", "life": -1, "tap_id": tap_id(1)}
    tap("more", 1, **form)

    with unchanged():
        response = tap("more", 1, **form)

    assert response.status_code == 302


def choices(page, seat):
    """Return what the page offers for a player: the values of its buttons, and where links lead."""
    _, *parts = re.split(r'<(div|fieldset) class="[^"]*\bonly-(\d)">', text(page))
    ends = {"div": 'class="single"', "fieldset": "</fieldset>"}
    of_player = "".join(
        body.partition(ends[tag])[0]
        for tag, number, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
        if int(number) == seat
    )
    buttons = re.findall(r'<button[^>]* name="(\w+)" value="(\w+)"', of_player)
    links = re.findall(r'href="[^"]*/end/(\w+)/\?player=(\d)"', of_player)
    return sorted([*buttons, *links])


def with_names(name, *values):
    return [(name, value) for value in values]


ENDS = ("concede", "concede_to", "lose", "win")


def test_the_page_offers_each_player_only_what_is_possible_now(table, scorer):
    record(table, CrownMonarch(BO), Hold(CY, True, False))

    page = scorer.get(address(table, "more", 1))

    monarch, turn = with_names("monarch", "crown", "none"), with_names("turn", "1")
    holds = with_names("hold", "both", "lose", "win")
    ends = {seat: [(what, str(seat)) for what in ENDS] for seat in (ANN, BO, CY)}
    hand = with_names("hero", "hand")
    assert choices(page, ANN) == sorted([*hand, *monarch, *turn, *holds, *ends[ANN]])
    assert choices(page, BO) == sorted([("monarch", "none"), *turn, *holds, *ends[BO]])
    not_lost = [end for end in ends[CY] if end[0] != "lose"]
    others = with_names("hold", "both", "off", "win")
    assert choices(page, CY) == sorted([*monarch, *turn, *others, *not_lost])


@pytest.mark.parametrize(
    ("moves", "zones", "advice"),
    [
        ((), ["hand"], "Once a turn, in the main phase of Ann, while the stack is empty (906.8)."),
        (
            (MoveHero(ANN, Zone.HAND), MoveHero(ANN, Zone.GRAVEYARD)),
            ["battlefield", "exile", "hand", "library", "outside", "stack"],
            "It may go outside as soon as it is put into the graveyard (906.9).",
        ),
        ((PassTurn(),), [], "It is not Ann's turn: a hero can go to hand only on its player's"),
    ],
)
def test_a_hero_goes_where_it_may_go_and_the_page_says_when(table, scorer, moves, zones, advice):
    record(table, *moves)

    page = scorer.get(address(table, "more", 1))

    assert [value for name, value in choices(page, ANN) if name == "hero"] == zones
    assert advice in words(page)


def test_a_player_who_is_out_is_offered_nothing(table, scorer):
    record(table, Lose((BO,)))

    page = scorer.get(address(table, "more", 1))

    assert choices(page, BO) == []
    assert f'name="player" value="{BO}"' not in text(page)


def test_conceding_says_what_it_will_do(table, scorer):
    record(table, hit(BO, ANN, 6))

    with unchanged():
        page = scorer.get(address(table, "end", 1, "concede"), {"player": BO})

    assert "Bo concedes?" in words(page)
    assert "Bo : 6 VP of this game become 0" in words(page)
    assert "Bo plays no later game of this set." in words(page)
    form = form_to(page, address(table, "end", 1, "concede"))
    assert form.fields["player"] == ["2"]


DONE = [
    ("concede", {"player": BO}, {"type": "concede", "player": "2"}),
    ("concede_to", {"player": BO}, {"type": "concede_to", "player": "2"}),
    (
        "lose",
        {"players": [BO, CY]},
        {"type": "lose", "players": ["2", "3"], "reason": "card effect"},
    ),
    (
        "lose",
        {"players": [BO, BO], "reason": " decked "},
        {"type": "lose", "players": ["2"], "reason": "decked"},
    ),
    ("win", {"player": BO}, {"type": "win", "player": "2", "reason": "card effect"}),
    ("draw", {}, {"type": "draw", "reason": "agreed"}),
    ("draw", {"reason": "“time” <b>"}, {"type": "draw", "reason": "“time” <b>"}),
    ("turn", {}, {"type": "turn"}),
]


@pytest.mark.parametrize(("what", "form", "entry"), DONE)
def test_an_ending_that_was_confirmed_is_recorded(table, tap, what, form, entry):
    response = tap("end", 1, what, **form)

    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert events(table) == [(1, entry, None)]


@pytest.mark.parametrize("what", ENDINGS)
def test_asking_records_nothing(table, scorer, what):
    for query in ({}, {"player": BO, "players": [BO, CY]}, {"player": "x", "players": "9"}):
        with unchanged():
            page = scorer.get(address(table, "end", 1, what), query)
        assert page.status_code == 200


@pytest.mark.parametrize(
    ("what", "form", "message"),
    [
        ("concede", {}, "Who concedes: choose a player."),
        ("concede_to", {"player": ""}, "To whom: choose a player."),
        ("win", {"player": "each"}, "That player does not sit at this table."),
        ("lose", {}, "Who loses: choose at least one player."),
        ("lose", {"players": ["2", "9"]}, "That player does not sit at this table."),
        (
            "draw",
            {"reason": "a\x07b"},
            "This contains a character that can't be shown. Type it again.",
        ),
        ("draw", {"tap_id": "x"}, "This form is damaged. Reload the page."),
    ],
)
def test_an_ending_that_makes_no_sense_is_refused(table, tap, what, form, message):
    with unchanged():
        response = tap("end", 1, what, **form)

    assert refusal(response) == (422, message)


def test_an_ending_that_is_none_is_404(table, scorer):
    assert scorer.get(address(table, "end", 1, "explode")).status_code == 404


@pytest.mark.parametrize("number", [1, 2])
def test_in_a_game_that_is_over_or_not_there_it_leads_back_to_the_table(table, scorer, number):
    record(table, Draw())

    for where in (address(table, "more", number), address(table, "end", number, "concede")):
        with unchanged():
            assert scorer.get(where)["Location"] == address(table, "score")


@pytest.mark.parametrize("name", ["more", "end"])
@pytest.mark.parametrize(
    ("number", "said"), [(1, "This game is over"), (2, "That game is not there any more")]
)
def test_a_move_that_comes_too_late_is_refused_with_the_reason(table, scorer, name, number, said):
    record(table, Draw())
    more = {"tap_id": tap_id(9), "player": DI, "life": 1}

    with unchanged():
        if name == "more":
            response = scorer.post(address(table, "more", number), more)
        else:
            response = scorer.post(address(table, "end", number, "draw"), {"tap_id": tap_id(9)})

    assert response.status_code == 422
    assert said in words(response)


def test_the_last_opponent_is_shown_the_way_without_a_penalty(table, scorer):
    record(table, Lose((CY, DI)), hit(BO, ANN, 3))

    page = scorer.get(address(table, "end", 1, "concede"), {"player": BO})

    together = form_to(page, address(table, "end", 1, "concede_to")).fields
    assert together["player"] == ["1"]
    assert points(table)[BO] == 3
    said = words(page)
    assert 0 < said.index("Yes: Bo concedes") < said.index("can concede to Ann without a penalty")
    assert the_game(table).status == "in progress"
