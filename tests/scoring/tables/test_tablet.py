"""The board to touch on a tablet: who gets it, and that each of its forms leads back to it."""

from urllib.parse import urlsplit

import pytest
from django.test import Client
from lxml.html import fromstring

from scoring.record import commands
from scoring.rules.formats import RULESETS
from scoring.rules.moves import CrownMonarch, Draw, Lose
from tests.scoring.rules.play import ANN, BO, CY, DI, NAMES, hit

from ..browsing import Page, form_to, is_fragment, parse, problem, words
from . import address, events, holder, record, set_up, text

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
A_HIT = {"source": ANN, "target": BO, "kind": "combat", "amount": 3}
RIGHT = "1-1-.12"  # the pad of game 1, Ann's turn, nobody out, the ring on Bo for Ann
TO_TOUCH = {  # the forms, with the type of event that each records
    "hit": "damage",
    "change": "life",
    "turn": "turn",
    "undo": "undo",
    "more": "monarch",
}


def seats(page: Client, where: str) -> list[list[str]]:
    """Return who sits on the far side, from its left, and who on the near one."""
    halves = parse(text(page.get(where))).find_class("half")
    return [[one.get("data-seat") for one in half.find_class("player")] for half in halves]


@pytest.mark.parametrize("query", ["", "?upright"])
def test_the_table_view_is_for_touching_to_who_keeps_the_score_and_for_looking_to_others(query):
    table = set_up()

    led = holder(table).get(address(table, "table") + query)
    shown = Client().get(address(table, "table") + query)

    assert (led.status_code, led["Location"]) == (302, address(table, "tablet") + query)
    assert (shown.status_code, Page(text(shown)).forms) == (200, [])
    assert Client().get(address(table, "tablet")).status_code == 403


def test_a_view_that_is_open_already_goes_on_as_it_is(table, scorer):
    """Its board is the same for everybody: one is drawn, and handed out."""
    answers = [who.get(address(table, "table"), headers=HTMX) for who in (scorer, Client())]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert text(answers[0]) == text(answers[1])


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_it_is_there_for_every_format_with_hits_and_the_pad_for_the_others(key):
    ruleset = RULESETS[key]
    table = set_up(ruleset=ruleset)
    scorer, has_hits = holder(table), key not in ("realm-wars", "conspiracy-draft")

    tablet = scorer.get(address(table, "tablet"))

    assert (tablet.status_code == 200) is has_hits
    assert scorer.get(address(table, "table")).status_code == (302 if has_hits else 200)
    if has_hits:
        assert ("crown" in text(tablet)) is (CrownMonarch in ruleset.moves)
        assert len(parse(text(tablet)).find_class("player")) == 4
        assert f'href="{address(table, "more", 1)}"' in text(tablet)
    else:
        assert tablet["Location"] == address(table, "score")


def test_players_sit_clockwise_turned_to_their_side_unless_all_are_upright():
    table = set_up(5)
    scorer = holder(table)

    assert seats(scorer, address(table, "tablet")) == [["2", "1"], ["5", "4", "3"]]
    assert seats(scorer, address(table, "tablet") + "?upright") == [["1", "2"], ["3", "4", "5"]]


def test_who_is_out_neither_hits_nor_is_hit_and_has_no_keys(table, scorer):
    record(table, Lose((CY,)))

    page = parse(text(scorer.get(address(table, "tablet"))))

    for css in ("aim", "lives"):
        owners = [one.getparent().get("aria-label") for one in page.find_class(css)]
        assert sorted(owners) == [NAMES[seat] for seat in (ANN, BO, DI)]


@pytest.mark.parametrize("query", ["", "?upright"])
@pytest.mark.parametrize("name", TO_TOUCH)
def test_each_of_its_forms_works_as_it_stands_and_leads_back_to_it(table, scorer, name, query):
    record(table, hit(ANN, BO, 1))
    here = address(table, "tablet") + query
    form = form_to(scorer.get(here), address(table, name, 1))
    pressed = {
        "hit": {"target": BO, "typed": 12},
        "change": {"life": f"{CY}.-5"},
        "more": {"player": DI},
    }

    answer = scorer.post(form.attributes["action"], form.fields | pressed.get(name, {}))

    assert (answer.status_code, answer["Location"]) == (302, here)
    assert [entry["type"] for _, entry, _ in events(table)][1:] == [TO_TOUCH[name]]


def test_a_tap_is_answered_by_the_quarters_where_the_keys_may_stay_and_else_by_the_whole(tap):
    quarters = tap("hit", 1, htmx=True, tablet="around", pad=RIGHT, **A_HIT)
    whole = tap("hit", 1, htmx=True, tablet="around", **A_HIT)

    parts = [part.get("id") for part in fromstring(f"<div>{text(quarters)}</div>")]
    assert (parts, quarters["HX-Reswap"]) == (["players", "said"], "none")
    assert is_fragment(whole)
    assert fromstring(f"<div>{text(whole)}</div>")[0].get("class") == "tablet"


@pytest.mark.parametrize("htmx", [True, False], ids=["with a script", "without"])
def test_what_is_refused_is_told_on_it_and_kept_where_the_keys_stay_open(table, tap, htmx):
    answer = tap("hit", 1, htmx=htmx, tablet="around", **A_HIT | {"amount": 0})

    said = "The damage must be a whole number from 1 to 9999."
    assert (answer.status_code, problem(answer)) == (422, said)
    form = form_to(answer, address(table, "hit", 1))
    assert form.fields.get("target", []) == ([] if htmx else ["2"])


def test_it_goes_on_between_games_and_says_when_the_set_is_over(table, scorer):
    record(table, hit(ANN, BO, 21))
    here = address(table, "tablet")
    form = form_to(scorer.get(here), address(table, "start_game", 2))

    answer = scorer.post(form.attributes["action"], form.fields | {"starter": BO})

    assert (answer.status_code, urlsplit(answer["Location"]).path) == (302, here)
    assert "Game 2 of 3" in words(scorer.get(here))
    record(table, Draw(), game=2)
    commands.call_set(table)
    assert "Final standings" in words(scorer.get(here))
