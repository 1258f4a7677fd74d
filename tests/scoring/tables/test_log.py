"""The log of a set, the corrections of its lines, and its export."""

import json
import re
from html import unescape
from itertools import product

import pytest
from django.test import Client

from scoring.record import commands
from scoring.rules.corrections import Amend, Strike, Undo
from scoring.rules.damage import DealDamage, Kind
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy_draft import BeginRound
from scoring.rules.moves import ChangeLife, Concede, Draw, MoveHero, PassTurn
from scoring.rules.state import Zone
from tests.scoring.rules.play import ANN, BO, CY, DI, hit, together

from ..browsing import Page, form_to, refusal, text, words
from . import (
    address,
    check_books,
    events,
    exported,
    holder,
    points,
    record,
    set_up,
    tap_id,
    unchanged,
)

pytestmark = pytest.mark.django_db


def log_of(table, game: int = 1) -> str:
    return f"{address(table, 'log')}?game={game}"


def test_the_log_shows_the_latest_first_and_what_was_corrected(table):
    record(table, hit(ANN, BO, 3), hit(ANN, CY, 2), Amend(1, hit(ANN, BO, 5)), Strike(2))

    said = words(Client().get(address(table, "log")))

    told = ["Strike of 2", "Amends 1:", "Ann hits Cy for 2", "was: Ann hits Bo for 3"]
    assert sorted(told, key=said.index) == told
    assert "was: Ann hits Bo for 3, combat · amended by event 3" in said
    assert "Struck" in said
    assert "taken back by event 4" in said


def test_each_game_has_its_log(table):
    record(table, Draw("time"))
    commands.start_game(table, 2, first=ANN)

    first, latest, named = (
        words(Client().get(where))
        for where in (log_of(table, 1), address(table, "log"), log_of(table, 2))
    )

    assert "Log, game 1" in first
    assert "Draw: time" in first
    assert "No event yet." in latest
    assert latest.split("Times in")[0] == named.split("Times in")[0]


@pytest.mark.parametrize(
    "query",
    [
        *(f"?game={game}" for game in ("2", "0", "x", "", "%00", "٣", "9" * 5000)),
        *(f"?game=1&upto={upto}" for upto in ("0", "4", "x", "", "%00", "9" * 5000)),
    ],
)
def test_a_game_and_an_event_that_are_not_there_have_no_page_of_a_log(table, query):
    many(table, 3)

    assert Client().get(address(table, "log") + query).status_code == 404


def many(table, events: int = 250) -> None:
    record(table, *[PassTurn()] * events)


def shown(response) -> list[int]:
    return [int(number) for number in re.findall(r'class="no num">(\d+)<', text(response))]


def test_a_long_log_comes_in_pages_of_100_the_latest_first_that_lead_both_ways(table):
    many(table)

    pages, where = [], address(table, "log")
    while where:
        page = Client().get(where)
        links = dict(re.findall(r'href="([^"]*)">(Older|Newer) events', text(page)))
        pages.append((shown(page), {way: unescape(to) for to, way in links.items()}))
        where = address(table, "log") + pages[-1][1]["Older"] if "Older" in pages[-1][1] else None

    assert pages == [
        (list(range(250, 150, -1)), {"Older": "?game=1&upto=150"}),
        (list(range(150, 50, -1)), {"Older": "?game=1&upto=50", "Newer": "?game=1"}),
        (list(range(50, 0, -1)), {"Newer": "?game=1&upto=150"}),
    ]
    assert "Events 1 to 50, latest first" in text(page)


def test_a_correction_of_an_early_event_leads_back_to_its_page(table, scorer, tap):
    many(table)

    line = text(scorer.get(address(table, "line", 1, 40)))
    struck = tap("strike", 1, 40)
    late = tap("strike", 1, 200)

    assert f'href="{log_of(table)}&amp;upto=40"' in line
    assert (struck["Location"], late["Location"]) == (f"{log_of(table)}&upto=40", log_of(table))
    assert shown(scorer.get(struck["Location"])) == list(range(40, 0, -1))
    assert "taken back by event 251" in words(scorer.get(struck["Location"]))


def test_a_line_shows_what_a_strike_would_change_and_a_stranger_corrects_nothing(table, scorer):
    record(table, hit(ANN, BO, 3), hit(ANN, CY, 2))
    line, log = address(table, "line", 1, 1), address(table, "log")

    page = scorer.get(line)

    assert "Ann : 5 VP → 2" in words(page)
    assert "Bo : 22 life → 25" in words(page)
    assert form_to(page, address(table, "strike", 1, 1))
    assert (line in text(scorer.get(log)), line in text(Client().get(log))) == (True, False)
    assert form_to(scorer.get(log), address(table, "undo", 1))


def test_only_what_can_be_amended_has_a_pen():
    draft = set_up(4, ruleset=RULESETS["conspiracy-draft"])
    record(draft, BeginRound())

    page = words(holder(draft).get(address(draft, "log")))

    assert ("Strike event 1" in page, "Amend event 1" in page) == (True, False)


def test_a_line_says_before_that_a_game_builds_on_it(table, scorer):
    record(table, Draw())
    commands.start_game(table, 2, first=ANN)

    page = scorer.get(address(table, "line", 1, 1))

    assert "A later game has started: this game must stay over" in words(page)
    assert "Strike event 1" not in words(page)


@pytest.mark.parametrize("number", [2, 3, 999999])
def test_a_line_that_is_not_in_force_or_not_there_is_not_corrected(table, scorer, number):
    record(table, PassTurn(), PassTurn(), Undo(2))

    with unchanged():
        shown = scorer.get(address(table, "line", 1, number))
        answers = [
            scorer.post(address(table, name, game, number), {"tap_id": tap_id(at)})
            for at, (name, game) in enumerate(product(("amend", "strike"), (1, 2)))
        ]

    told = (
        f"Event {number} can't be corrected: it is not there, already taken back, or a correction."
    )
    assert (shown.status_code, shown["Location"]) == (302, log_of(table))
    assert [refusal(answer) for answer in answers[::2]] == [(422, told)] * 2
    no_game = [*answers[1::2], scorer.get(address(table, "line", 2, number))]
    assert [answer.status_code for answer in no_game] == [404] * 3


def test_an_event_of_forty_hits_can_be_amended_and_no_event_to_more(table, scorer):
    """The form has a handful of fields for each."""
    record(table, together(*(hit(ANN, BO, 1, "other") for _ in range(40))))
    where = address(table, "amend", 1, 1)
    form = form_to(scorer.get(address(table, "line", 1, 1)), where)
    more = {f"{name}-40": form.fields[f"{name}-39"] for name in ("source", "target", "kind")}

    with unchanged():
        refused = scorer.post(where, form.fields | more | {"amount-40": ["1"]})
    response = scorer.post(where, form.fields | {"amount-39": ["5"]})

    assert refusal(refused) == (422, "One event takes 40 hits at most.")
    assert response.status_code == 302
    assert events(table)[-1][1]["with"]["hits"][39]["amount"] == 5


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda one: one.key)
def test_a_hit_is_amended_to_the_kinds_of_damage_that_its_format_has(ruleset):
    if DealDamage not in ruleset.moves:
        pytest.skip("no hits")
    table = set_up(3, ruleset=ruleset)
    record(table, hit(ANN, BO, 3))

    page = Page(text(holder(table).get(address(table, "line", 1, 1))))

    offered = {at["value"] for tag, at in page.tags if tag == "option"} & set(Kind)
    assert offered == set(ruleset.kinds)


def test_an_amendment_shows_what_it_changes_before_it_is_made_and_after_each_edit(
    table, scorer, tap
):
    record(table, hit(ANN, BO, 3))
    where = address(table, "amend", 1, 1)

    with unchanged():
        page = tap("amend", 1, 1, show=1, **_hit_form(**{"amount-0": 7}))
        edited = form_to(page, where).fields | {"amount-0": ["9"]}
        again = scorer.post(where, edited)
        same = words(tap("amend", 1, 1, show=1, **_hit_form()))

    assert "What this changes Ann : 3 VP → 7 Bo : 22 life → 18" in words(page)
    assert "Ann : 3 VP → 9" in words(again)
    assert "This is how the event stands." in same
    assert "Amend event 1" not in same
    assert scorer.post(where, form_to(again, where).fields)["Location"] == log_of(table)
    assert points(table)[ANN] == 9
    check_books(table)


def test_a_hit_can_be_added_and_another_taken_out(table, scorer, tap):
    record(table, together(hit(ANN, BO, 3), hit(ANN, CY, 4, lifelink=True)))
    where = address(table, "amend", 1, 1)
    form = form_to(scorer.get(address(table, "line", 1, 1)), where)

    with unchanged():
        longer = form_to(scorer.post(where, form.fields | {"add": ["1"]}), where)
        added = {"target-2": [str(DI)], "amount-2": ["2"]}
        shorter = form_to(scorer.post(where, longer.fields | added | {"drop": ["0"]}), where)
        last = form_to(tap("amend", 1, 1, drop=0, **_hit_form(**{"amount-0": 8})), where)
    scorer.post(where, shorter.fields)

    assert last.fields["amount-0"] == ["8"]  # and stays
    assert (longer.fields["source-2"], longer.fields["amount-2"]) == (["1"], [""])
    hits = [
        {"source": "1", "target": "3", "amount": 4, "kind": "combat", "lifelink": True},
        {"source": "1", "target": "4", "amount": 2, "kind": "combat"},
    ]
    assert events(table)[-1][1]["with"]["hits"] == hits
    assert points(table)[ANN] == 6
    check_books(table)


def test_a_refused_correction_names_the_later_event_and_an_amendment_keeps_what_was_typed(
    table, scorer, tap
):
    record(table, PassTurn(BO), MoveHero(BO, Zone.HAND))
    later = f'href="{address(table, "line", 1, 2)}"'

    line = scorer.get(address(table, "line", 1, 1))
    with unchanged():
        answer = tap("amend", 1, 1, player=CY)

    told = "Then event 2 , Bo takes the hero to hand, could not have happened: It is not Bo's turn"
    assert told in words(line)
    assert "Strike event 1" not in words(line)
    status, told = refusal(answer)
    assert status == 422
    assert "Then event 2, “Bo takes the hero to hand”, could not have" in told
    assert [later in text(one) for one in (line, answer)] == [True, True]
    form = form_to(answer, address(table, "amend", 1, 1))
    assert form.fields["player"] == [str(CY)]
    assert "Amend event 1" not in words(answer)


def test_an_error_in_a_volley_names_its_hit(table, tap):
    record(table, together(hit(ANN, BO, 3), hit(ANN, CY, 4)))
    second = {"source-1": ANN, "target-1": CY, "kind-1": "combat", "amount-1": "x"}

    answer = tap("amend", 1, 1, **_hit_form(**second))

    told = "Hit 2, damage: give a whole number from 1 to 9999."
    assert refusal(answer) == (422, told)
    assert form_to(answer, address(table, "amend", 1, 1)).fields["amount-1"] == ["x"]


def turns(response) -> list[tuple[str, list[int]]]:
    """Return the headings of a log's page, each with the numbers of its events."""
    pieces = re.split(r'<h3 class="log-turn">(.*?)</h3>', text(response), flags=re.DOTALL)
    headings = [" ".join(re.sub("<.*?>", " ", piece).split()) for piece in pieces[1::2]]
    numbers = [[int(no) for no in re.findall(r'class="no num">(\d+)<', piece)] for piece in pieces]
    return list(zip(headings, numbers[2::2], strict=True))


def test_the_log_says_whose_turn_began_and_what_happened_in_it(table):
    record(table, hit(ANN, BO, 3), PassTurn(), hit(BO, CY, 2), hit(DI, ANN, 1), PassTurn())
    record(table, Undo(5), Concede(DI), hit(ANN, BO, 1, "other"))

    assert turns(Client().get(address(table, "log"))) == [
        ("Turn 4: Ann", [8]),
        ("Turn 3: Di", [7, 6, 5, 4]),
        ("Turn 2: Bo", [3, 2]),
        ("Turn 1: Ann", [1]),
    ]


def test_a_turn_goes_on_over_the_pages_of_a_log(table):
    record(table, PassTurn(), *[ChangeLife({ANN: 1})] * 120)

    latest, older = Client().get(log_of(table)), Client().get(f"{log_of(table)}&upto=21")

    assert turns(latest) == [("Turn 2: Bo", list(range(121, 21, -1)))]
    assert turns(older) == [("Turn 2: Bo", list(range(21, 0, -1)))]


def test_a_team_has_its_turns_together_and_a_log_without_turns_has_no_headings():
    war, draft = (
        set_up(4, ruleset=RULESETS[key], key=key) for key in ("realm-wars", "conspiracy-draft")
    )
    record(war, PassTurn())
    record(draft, BeginRound())
    page = Client().get(address(draft, "log"))

    assert turns(Client().get(address(war, "log"))) == [("Turn 2: Cy and Di", [1])]
    assert (turns(page), shown(page)) == ([], [1])


def _hit_form(**changes: object) -> dict[str, object]:
    form = {"source-0": ANN, "target-0": BO, "kind-0": "combat", "amount-0": 3, "toxic-0": ""}
    return form | changes


A_HIT = hit(ANN, BO, 3)


@pytest.mark.parametrize(
    ("move", "form"),
    [
        (A_HIT, _hit_form(**{"source-0": ""})),
        (A_HIT, _hit_form(**{"kind-0": "hero", "toxic-0": "2"})),
        (A_HIT, _hit_form(tap_id="x")),
        (ChangeLife({ANN: 3}), {}),
        (Draw("time"), {"reason": ""}),
        (Draw("time"), {"reason": "a\0b"}),
    ],
)
def test_an_amendment_to_what_can_not_be_is_refused(table, tap, move, form):
    record(table, move)

    with unchanged():
        response = tap("amend", 1, 1, **form)

    assert response.status_code == 422
    assert refusal(response)[1]


# --- beside the pad, on a wide screen ---
def test_beside_the_pad_stand_the_standings_of_the_set_and_the_latest_events():
    table = set_up(3)
    record(table, hit(BO, CY, 3), hit(ANN, BO, 21))
    commands.start_game(table, 2, first=BO)
    record(table, hit(BO, CY, 5), hit(CY, ANN, 1), Undo(2), game=2)

    shown = words(holder(table).get(address(table, "desk")))

    assert shown == (
        "Standings 1 Ann 21 + 0 21 VP 2 Bo 3 + 5 8 VP 3 Cy 0 + 0 0 VP "
        "Latest events 3 Undo of 2 2 Cy hits Ann for 1, combat Taken back "
        "1 Bo hits Cy for 5, combat Bo +5 VP · Cy −5 life Whole log Keyboard"
    )


def test_beside_the_pad_are_only_the_latest_events_and_before_the_first_the_code_to_join(
    table, scorer
):
    many(table, 13)
    fresh = set_up(2, first=None, key="fresh")

    latest = words(scorer.get(address(table, "desk")))
    none = words(holder(fresh, "fresh").get(address(fresh, "desk")))

    assert "Latest events 13 Next turn" in latest
    assert latest.count("Next turn") == 12
    assert none == (
        "Join by phone QR code of the link Whoever scans this takes a free seat. It doesn’t let "
        "anybody keep score. Latest events No event yet. Whole log Keyboard"
    )


def test_the_export_is_the_set_log(table):
    commands.record(table, 1, hit(ANN, BO, 4), tap_id=tap_id(1))
    record(table, hit(ANN, CY, 2), Undo(2), Draw("„Zeit“"))

    response = Client().get(address(table, "export"))

    assert json.loads(response.content) == exported(table)
    assert response["Content-Type"] == "application/json"
    filename = f"set-{table.code}.json"
    assert response["Content-Disposition"] == f'attachment; filename="{filename}"'
