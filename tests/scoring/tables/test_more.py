"""What is tapped beside hits: counters, acts of a format, the seldom things, and endings."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone

from scoring.record import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.leveler import LEVELER, UseUpLibrary
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.moves import ChangeLife, CrownMonarch, Draw, Hold, Lose, MoveHero, PassTurn
from scoring.rules.state import Zone
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import form_to, parse, refusal, words
from . import address, events, holder, points, record, set_up, tap_id, text, the_game, unchanged

pytestmark = pytest.mark.django_db


def test_a_change_in_place_is_answered_without_what_the_phone_has(table, tap):
    answer = tap("change", 1, htmx=True, pad="1-1-", life="2.-1")

    assert answer["HX-Reswap"] == "none"
    assert 'id="counters-2" hx-preserve' in text(answer)
    assert "lose 5 life" not in text(answer)


@pytest.mark.parametrize(
    ("ruleset", "before", "keys", "entry"),
    [
        (LEVELER, [PassTurn()], ("own", 1, "library"), {"type": "library", "players": ["2"]}),
        (CONSPIRACY, [PassTurn()], ("more", 1), {"type": "monarch", "player": "2"}),
    ],
)
def test_what_happens_to_the_active_player_takes_one_tap(ruleset, before, keys, entry):
    """003 23: Cards make a player the monarch."""
    table = set_up(ruleset=ruleset)
    record(table, *before)

    where, scorer = address(table, *keys), holder(table)
    form = form_to(scorer.get(address(table, "score")), where)
    scorer.post(where, form.fields | {"monarch": "crown"})

    assert events(table)[-1][1] == entry


def test_who_has_no_library_left_draws_from_it_by_the_same_key_which_first_shows_what_it_does():
    table = set_up(ruleset=LEVELER)
    record(table, *[UseUpLibrary((ANN,))] * 3)
    scorer, where = holder(table), address(table, "end", 1, "overdraw")
    pad, menu = (scorer.get(address(table, *page)) for page in (["score"], ["more", 1]))

    assert f'href="{where}?player={ANN}"' in text(pad)
    assert f'href="{where}?player={BO}"' in text(menu)
    with unchanged():
        page = scorer.get(where, {"player": ANN})
    assert "Ann drew from an empty library? " in words(page)
    assert "Bo , Cy and Di play on." in words(page)
    scorer.post(where, form_to(page, where).fields)

    assert events(table)[-1][1] == {"type": "overdraw", "players": ["1"]}


def test_a_library_used_up_within_two_seconds_of_the_last_is_asked_about():
    table = set_up(ruleset=LEVELER)
    scorer, where = holder(table), address(table, "own", 1, "library")

    def empty(seat: int, number: int) -> HttpResponse:
        return scorer.post(where, {"tap_id": tap_id(number), "player": seat, "how": "emptied"})

    assert [empty(ANN, 1).status_code, empty(ANN, 1).status_code] == [302, 302]  # sent twice
    with unchanged():
        assert refusal(empty(ANN, 2)) == (
            422,
            "The library of Ann was emptied just now. If the next one is emptied, too, tap once "
            "more.",
        )
    assert empty(BO, 3).status_code == 302
    earlier = timezone.now() - timedelta(seconds=3)
    commands.record(table, 1, UseUpLibrary((CY,)), at=earlier)
    assert empty(CY, 4).status_code == 302

    levels = [player.level for player in the_game(table).current_state.players.values()]
    assert levels == [2, 2, 3, 1]


def test_votes_goads_and_agendas_are_asked_for_from_the_pad_for_the_active_player():
    table = set_up(ruleset=CONSPIRACY)
    record(table, PassTurn())
    scorer, goad = holder(table), address(table, "own", 1, "goad")
    page = parse(text(scorer.get(address(table, "score"))))

    assert page.xpath('//div[@class="strip"]/a/@href') == [
        address(table, "call_vote", 1),
        f"{goad}?player={BO}",
        address(table, "agendas", 1),
    ]
    assert form_to(scorer.get(f"{goad}?player={BO}"), goad).fields["player"] == [str(BO)]


ALL = {"1": 4, "2": 4, "3": 4, "4": 4}
THINGS = [
    ({"player": BO, "life": "-5"}, {"type": "life", "changes": {"2": -5}}),
    ({"player": "each", "life": "4"}, {"type": "life", "changes": ALL}),
    ({"player": BO, "poison": "1"}, {"type": "poison", "changes": {"2": 1}}),
    ({"player": BO, "typed": "gain", "by": "12"}, {"type": "life", "changes": {"2": 12}}),
    ({"player": BO, "typed": "lose", "by": "9"}, {"type": "life", "changes": {"2": -9}}),
    *(
        (
            {"player": BO, "typed": "set", "by": by},
            {"type": "set_life", "player": "2", "life": life},
        )
        for by, life in (("0", 0), ("9999", 9999))
    ),
    ({"player": BO, "typed": "poison", "by": "6"}, {"type": "poison", "changes": {"2": 6}}),
    ({"player": ANN, "hero": "hand"}, {"type": "hero", "player": "1", "to": "hand"}),
    ({"player": BO, "monarch": "crown"}, {"type": "monarch", "player": "2"}),
    ({"player": BO, "monarch": "none"}, {"type": "monarch", "player": None}),
    ({"player": BO, "turn": 1}, {"type": "turn", "player": "2"}),
    *(
        ({"player": BO, "hold": hold}, {"type": "hold", "player": "2"} | dict(said))
        for hold, said in (
            ("lose", {"cannot_lose": True, "cannot_win": False}),
            ("both", {"cannot_lose": True, "cannot_win": True}),
            ("off", {"cannot_lose": False, "cannot_win": False}),
        )
    ),
]


@pytest.mark.parametrize(
    ("where", "form", "entry"),
    [
        (("change", 1), {"life": "2.-7"}, {"type": "life", "changes": {"2": -7}}),
        (("change", 1), {"life": "3.9999"}, {"type": "life", "changes": {"3": 9999}}),
        (("change", 1), {"poison": "4.1"}, {"type": "poison", "changes": {"4": 1}}),
        *((("more", 1), *thing) for thing in THINGS),
        (
            ("own", 1, "exchange_life"),
            {"player": BO, "other": CY},
            {"type": "exchange_life", "player": "2", "other": "3"},
        ),
        (
            ("own", 1, "swap_places"),
            {"player": BO, "other": CY},
            {"type": "swap_places", "player": "2", "other": "3"},
        ),
        (("end", 1, "concede"), {"player": BO}, {"type": "concede", "player": "2"}),
        (("end", 1, "concede_to"), {"player": BO}, {"type": "concede_to", "player": "2"}),
        (
            ("end", 1, "lose"),
            {"players": [BO, BO], "reason": " decked "},
            {"type": "lose", "players": ["2"], "reason": "decked"},
        ),
        (("end", 1, "draw"), {"reason": "“a” <b>"}, {"type": "draw", "reason": "“a” <b>"}),
        (("end", 1, "turn"), {}, {"type": "turn"}),
    ],
)
def test_what_is_tapped_beside_hits_is_recorded_as_one_event(table, tap, where, form, entry):
    response = tap(*where, **form)

    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert events(table) == [(1, entry, None)]


NUMBER = "Give a whole number from 1 to 9999."
DAMAGED = "This form is damaged. Reload the page."


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"player": BO}, "Choose what happens."),
        ({"life": "5"}, "Choose for whom."),
        ({"player": "each", "turn": 1}, "Choose one player for that."),
        ({"player": "each", "typed": "set", "by": "9"}, "Choose one player for that."),
        ({"player": BO, "hero": "hand"}, "It is not Bo's turn"),
        ({"player": BO, "poison": "-1"}, "Bo would have -1 poison counters"),
        ({"player": BO, "turn": 1, "tap_id": "x"}, DAMAGED),
        *(({"player": BO, "typed": "gain", "by": by}, NUMBER) for by in ("", "0", "10000", "1.5")),
    ],
)
def test_a_move_from_the_more_page_that_makes_no_sense_is_refused(table, tap, form, message):
    with unchanged():
        status, said = refusal(tap("more", 1, **form))

    assert status == 422
    assert message in said


def test_a_change_for_all_that_put_somebody_out_can_be_sent_again(table, tap):
    """Who "all" are has changed by that very tap, and once before."""
    record(table, Lose((DI,)), ChangeLife({BO: -24}))
    form = {"player": "each", "life": -1, "tap_id": tap_id(1)}
    tap("more", 1, **form)
    assert events(table)[-1][1] == {"type": "life", "changes": {"1": -1, "2": -1, "3": -1}}

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
    record(table, CrownMonarch(BO), Hold(CY, True, False), PassTurn(CY))

    page = scorer.get(address(table, "more", 1))

    assert 'name="player" value="3" checked' in text(page)

    monarch, turn = with_names("monarch", "crown", "none"), with_names("turn", "1")
    holds = with_names("hold", "both", "lose", "win")
    ends = {seat: [(what, str(seat)) for what in ENDS] for seat in (ANN, BO, CY)}
    assert choices(page, ANN) == sorted([*monarch, *turn, *holds, *ends[ANN]])
    assert choices(page, BO) == sorted([("monarch", "none"), *turn, *holds, *ends[BO]])
    not_lost = [end for end in ends[CY] if end[0] != "lose"]
    others = with_names("hold", "both", "off", "win")
    hand = with_names("hero", "hand")
    assert choices(page, CY) == sorted([*hand, *monarch, *turn, *others, *not_lost])
    for what in ("swap_places", "exchange_life"):
        asked = [f"{address(table, 'own', 1, what)}?player={seat}" for seat in (ANN, BO, CY)]
        assert [link for link in asked if f'href="{link}"' in text(page)] == asked


def test_a_team_whose_turn_it_is_gets_another_one_whoever_of_it_is_chosen(db):
    wars = set_up(ruleset=REALM_WARS)

    page = words(holder(wars).get(address(wars, "more", 1)))

    assert page.count("Another turn") == 2


def test_a_hero_goes_where_it_may_go_and_the_page_says_when(table, scorer):
    record(table, MoveHero(ANN, Zone.HAND), MoveHero(ANN, Zone.GRAVEYARD))

    page = scorer.get(address(table, "more", 1))

    zones = ["battlefield", "exile", "hand", "library", "outside", "stack"]
    assert [value for name, value in choices(page, ANN) if name == "hero"] == zones
    assert "It may go outside as soon as it is put into the graveyard (906.9)." in words(page)
    # What forbids it now is said by the name of its player.
    assert "It is not Bo's turn: a hero can go to hand only on its player's" in words(page)


def test_who_is_out_has_no_counters_is_offered_nothing_and_is_refused(table, tap, scorer):
    tap("change", 1, life=f"{BO}.-25")

    pad = text(scorer.get(address(table, "score")))
    more = scorer.get(address(table, "more", 1))

    assert ("Ann: lose 5 life" in pad, "Bo: lose 5 life" in pad) == (True, False)
    assert choices(more, BO) == []
    assert f'name="player" value="{BO}"' not in text(more)
    with unchanged():
        assert tap("change", 1, life=f"{BO}.1").status_code == 422


def test_conceding_says_what_it_will_do(table, scorer):
    record(table, hit(BO, ANN, 6))

    with unchanged():
        page = scorer.get(address(table, "end", 1, "concede"), {"player": BO})

    assert "Bo concedes?" in words(page)
    assert "Bo : 6 VP of this game become 0" in words(page)
    assert "Bo plays no later game of this set." in words(page)
    form = form_to(page, address(table, "end", 1, "concede"))
    assert form.fields["player"] == ["2"]


def test_asking_records_nothing(table, scorer):
    with unchanged():
        for what in ("concede", "concede_to", "lose", "win", "draw", "turn"):
            for query in ({}, {"player": BO, "players": [BO, CY]}, {"player": "x", "players": "9"}):
                assert scorer.get(address(table, "end", 1, what), query).status_code == 200


@pytest.mark.parametrize(
    ("where", "form", "message"),
    [
        (("change", 1), {}, "Choose for whom."),
        (("change", 1), {"life": "9.1"}, "Choose for whom."),
        (("change", 1), {"life": "2.0"}, DAMAGED),
        (("change", 1), {"poison": "2.1\n"}, DAMAGED),
        (("end", 1, "concede"), {}, "Who concedes: choose a player."),
        (("end", 1, "concede_to"), {"player": ""}, "To whom: choose a player."),
        (("end", 1, "lose"), {}, "Who loses: choose at least one player."),
        (("end", 1, "lose"), {"players": ["2", "9"]}, "That player does not sit at this table."),
        (
            ("end", 1, "draw"),
            {"reason": "a\x07b"},
            "This contains a character that can't be shown. Type it again.",
        ),
        (("end", 1, "draw"), {"tap_id": "x"}, DAMAGED),
    ],
)
def test_a_change_or_an_ending_that_makes_no_sense_is_refused(table, tap, where, form, message):
    with unchanged():
        response = tap(*where, **form)

    assert refusal(response) == (422, message)


@pytest.mark.parametrize(
    ("number", "said"), [(1, "This game is over"), (2, "That game is not there any more")]
)
def test_in_a_game_that_is_over_or_not_there_pages_lead_back_and_moves_are_refused(
    table, scorer, tap, number, said
):
    record(table, Draw())
    pages = [address(table, "more", number), address(table, "end", number, "concede")]

    with unchanged():
        assert [scorer.get(page)["Location"] for page in pages] == [address(table, "score")] * 2
        answers = [tap("more", number, player=DI, life=1), tap("end", number, "draw")]

    assert [(one.status_code, said in words(one)) for one in answers] == [(422, True)] * 2


def test_the_last_opponent_is_shown_the_way_without_a_penalty(table, scorer):
    record(table, Lose((CY, DI)), hit(BO, ANN, 3))

    page = scorer.get(address(table, "end", 1, "concede"), {"player": BO})

    together = form_to(page, address(table, "end", 1, "concede_to")).fields
    assert together["player"] == ["1"]
    assert points(table)[BO] == 3
    said = words(page)
    assert 0 < said.index("concede to Ann, or plainly?") < said.index("Yes: Bo concedes")
    assert the_game(table).status == "in progress"
