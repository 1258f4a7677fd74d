"""Players' phones that act: they propose or record what concerns their own seat alone."""

from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.models import EventRow, GameSet, Proposal
from scoring.models.record import Phones
from scoring.record import commands, proposals
from scoring.rules.moves import Concede, Draw, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import refusal as refusal_of
from ..browsing import words
from . import address, check_books, events, holder, record, seat_holder, set_up, tap_id, unchanged

HTMX = {"HX-Request": "true"}
OWN = {  # of Bo's phone: what it sends, and how the log has it
    "life": ({"life": -4}, {"type": "life", "changes": {"2": -4}}),
    "typed": ({"way": "gain", "by": "12"}, {"type": "life", "changes": {"2": 12}}),
    "poison": ({"poison": 1}, {"type": "poison", "changes": {"2": 1}}),
}


def own_hit(source: int, target: int, amount: object = 7, **more: Any) -> dict[str, Any]:
    return {"hit": f"{source}.{target}", "kind": "combat", "amount": amount} | more


@pytest.fixture
def bo(table: GameSet) -> Client:
    """Bo's own phone."""
    return seat_holder(table, BO)


@pytest.fixture
def proposing(table: GameSet) -> None:
    proposals.set_phones(table, Phones.PROPOSE)


@pytest.fixture
def trusted(table: GameSet) -> None:
    proposals.set_phones(table, Phones.TRUSTED)


def report(
    phone: Client, table: GameSet, form: dict[str, Any], tap: int = 1, what: str = "life"
) -> HttpResponse:
    return phone.post(address(table, "seat_report", 1, what), {"tap_id": tap_id(tap)} | form)


def answer(
    scorer: Client, table: GameSet, how: str, proposed: int = 1, tap: int = 50, **more: Any
) -> HttpResponse:
    form = {"tap_id": tap_id(tap), "proposed": tap_id(proposed)} | more
    return scorer.post(address(table, f"{how}_proposed", 1), form)


def page(client: Client, table: GameSet, name: str = "seat") -> str:
    return words(client.get(address(table, name)))


# --- end to end ---
def test_at_a_proposing_table_what_a_player_reports_waits_for_the_scorekeepers_tap(
    table, scorer, bo
):
    scorer.post(address(table, "set_phones"), {"phones": "propose"})
    for _ in range(2):  # sent twice, it is one
        assert report(bo, table, own_hit(ANN, BO)).status_code == 302
    report(bo, table, {"life": 3}, tap=2)

    assert events(table) == []
    assert "propose their own life, poison and hits" in page(scorer, table, "links")
    assert "7 from Ann waits" in page(bo, table)
    assert "Take Bo: 7 from Ann Leave Bo: 7 from Ann Take Bo: +3 life" in page(
        scorer, table, "score"
    )

    for _ in range(2):  # so is the tap that takes it
        assert answer(scorer, table, "take").status_code == 302
    assert answer(scorer, table, "leave", 2).status_code == 302
    assert report(bo, table, own_hit(ANN, BO)).status_code == 302  # as a phone without an answer

    by = scorer.cookies[f"scorekeeper-{table.code}"].value.partition(":")[0]
    rows = EventRow.objects.values_list("tap_id", "by", "entry__type")
    assert list(rows) == [(tap_id(50), int(by), "damage")]
    assert "Bo: " not in page(scorer, table, "score")
    shown = page(bo, table)
    assert ("7 from Ann" in shown, "+3 life was not taken OK" in shown) == (False, True)
    check_books(table)

    form = {"tap_id": tap_id(9), "proposed": tap_id(2)}
    assert bo.post(address(table, "drop_own", 1), form).status_code == 302
    assert "was not taken" not in page(bo, table)


def test_at_a_trusting_table_it_is_recorded_under_the_players_own_number(table, scorer, bo):
    scorer.post(address(table, "set_phones"), {"phones": "trusted"})
    for tap, (form, _) in enumerate(OWN.values(), 1):
        for _ in range(2):  # sent twice, it counts once
            assert report(bo, table, form, tap).status_code == 302
    report(bo, table, own_hit(ANN, BO), 8)
    report(bo, table, own_hit(BO, CY, "", typed="13", kind="hero"), 9)

    damage = [
        {"source": str(source), "target": str(target), "amount": amount, "kind": kind}
        for source, target, amount, kind in ((ANN, BO, 7, "combat"), (BO, CY, 13, "hero"))
    ]
    hits = [{"type": "damage", "hits": [one]} for one in damage]
    rows = EventRow.objects.order_by("seq").values_list("by", "entry")
    assert list(rows) == [(102, entry) for entry in [entry for _, entry in OWN.values()] + hits]
    assert "Bo’s phone" in page(scorer, table, "log")
    assert "Bo’s phone" in page(scorer, table, "score")
    assert Proposal.objects.count() == 0
    check_books(table)


# --- the rights of each role ---
NOT_OWN = {
    "another's life is in no form": {"life": 0, "player": ANN},
    "a hit between two others": own_hit(ANN, CY),
    "a hit of oneself": own_hit(BO, BO),
    "a hit by nobody": own_hit(0, BO),
    "a hit by who does not sit there": own_hit(7, BO),
}
PHONES = pytest.mark.parametrize("phones", Phones)


def outsiders(table: GameSet) -> dict[str, Client]:
    """Return who may report nothing at a table."""
    guest_of = set_up(key="another-table")
    proposals.set_phones(guest_of, Phones.TRUSTED)
    revoked = seat_holder(table, DI)
    commands.change_seat_key(table, DI, None)
    guest = seat_holder(guest_of, ANN)
    guest.cookies[f"seat-{table.code}"] = guest.cookies[f"seat-{guest_of.code}"].value
    return {
        "stranger": Client(),
        "revoked": revoked,
        "guest": guest,
        "wrong key": holder(table, "a-guess"),
        "scorekeeper": holder(table),
    }


def test_nobody_else_drops_what_a_player_has_proposed(table, bo, proposing):
    report(bo, table, {"life": 1})
    others = outsiders(table) | {"cy": seat_holder(table, CY)}

    with unchanged():
        for other in others.values():
            form = {"tap_id": tap_id(9), "proposed": tap_id(1)}
            other.post(address(table, "drop_own", 1), form)


@PHONES
@pytest.mark.parametrize("form", NOT_OWN.values(), ids=NOT_OWN.keys())
def test_nothing_but_what_concerns_ones_own_seat_is_reported(table, bo, phones, form):
    proposals.set_phones(table, phones)

    with unchanged():
        assert report(bo, table, form).status_code == 422


@PHONES
def test_nothing_is_reported_or_taken_once_the_game_or_the_set_is_over(table, scorer, bo, phones):
    proposals.set_phones(table, Phones.PROPOSE)
    report(bo, table, {"life": 1})
    record(table, hit(ANN, CY, 2), Draw())
    with unchanged():
        assert answer(scorer, table, "take").status_code == 422
    proposals.set_phones(table, phones)

    with unchanged():
        answers = [report(bo, table, {"life": 1}, tap=2)]
    commands.call_set(table)
    with unchanged():
        answers += [report(bo, table, {"life": 1}, tap=3)]

    assert [one.status_code for one in answers] == [422, 422]
    assert "My life" not in page(bo, table)


def test_switched_off_it_ends_at_once_and_what_waited_is_left(table, scorer, bo, proposing):
    report(bo, table, {"life": 1})
    scorer.post(address(table, "set_phones"), {"phones": "off"})

    with unchanged():
        assert refusal_of(report(bo, table, {"life": 2}, tap=2)) == (
            422,
            "Only the scorekeeper can record that.",
        )
        assert refusal_of(answer(scorer, table, "take")) == (
            422,
            "That was answered already, or taken back by the player.",
        )
    assert "Bo: " not in page(scorer, table, "score")


# --- refused in words ---
def test_what_the_rules_refuse_is_told_to_the_player_and_later_to_the_scorekeeper(
    table, scorer, bo, proposing
):
    report(bo, table, own_hit(CY, BO))
    record(table, Concede(CY))

    with unchanged():
        told = [
            refusal_of(report(bo, table, own_hit(CY, BO), tap=2)),
            refusal_of(report(bo, table, {"poison": -1}, tap=3)),
            refusal_of(answer(scorer, table, "take")),
        ]

    poison = "Bo would have -1 poison counters: between 0 and 99999 is possible."
    gone = "Cy is not in this game any more."
    assert told == [(422, gone), (422, poison), (422, gone)]


def test_a_hit_taken_after_the_turn_has_passed_is_asked_about_once(table, scorer, bo, proposing):
    """It would take the turn back to Ann: the chip means what the scorekeeper's page showed."""
    report(bo, table, own_hit(ANN, BO))
    record(table, PassTurn())

    with unchanged():
        assert refusal_of(answer(scorer, table, "take", seen="1234")) == (
            422,
            "It is now Bo's turn.",
        )
    assert answer(scorer, table, "take", seen="2341").status_code == 302


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "Who hit whom? Choose that first, then the number."),
        ({"amount": 7}, "Who hit whom? Choose that first, then the number."),
        (own_hit(ANN, BO, "0"), "The damage must be a whole number from 1 to 9999."),
        (own_hit(ANN, BO, "", typed="x"), "The damage must be a whole number from 1 to 9999."),
        ({"way": "lose", "by": "1.5"}, "Give a whole number from 1 to 9999."),
        ({"by": "5"}, "Do you gain or lose so much life? Tap which."),
        ({"life": "99999"}, None),
        ({"hit": "1.2.3", "amount": 1}, None),
        (own_hit(ANN, BO, kind="magic"), None),
        ({"life": 1, "tap_id": "x"}, None),
    ],
)
def test_a_report_that_makes_no_sense_is_refused_with_its_reason(table, bo, form, message):
    proposals.set_phones(table, Phones.TRUSTED)
    with unchanged():
        status, problem = refusal_of(report(bo, table, form))

    assert (status, problem in (message, problem)) == (422, True)
    assert problem


def test_a_player_who_reports_without_end_waits_for_the_scorekeeper(table, scorer, bo, proposing):
    for tap in range(proposals.WAITING_MAX):
        report(bo, table, {"life": 1}, tap)

    with unchanged():
        assert refusal_of(report(bo, table, {"life": 1}, 20)) == (422, proposals.TOO_MANY)
    answer(scorer, table, "leave", 0)
    assert report(bo, table, {"life": 1}, 20).status_code == 302


def test_what_was_taken_back_or_left_or_taken_is_taken_no_more(table, scorer, bo, proposing):
    for tap in (1, 2, 3):
        report(bo, table, {"life": tap}, tap)
    bo.post(address(table, "drop_own", 1), {"tap_id": tap_id(9), "proposed": tap_id(1)})
    answer(scorer, table, "leave", 2)
    answer(scorer, table, "take", 3)

    with unchanged():
        answers = [
            answer(holder(table), table, how, one, tap=51)
            for how in ("take", "leave")
            for one in (1, 2, 3)
        ]

    assert [one.status_code for one in answers] == [422] * 3 + [302] * 3


# --- what the pages show ---
def test_an_open_pad_gets_a_chip_with_its_news_and_loses_it_when_it_is_answered(
    table, scorer, bo, proposing
):
    where = address(table, "score")
    pad = {"pad": "1-1234 1 2 3 4"}
    first = scorer.get(where)

    def news(etag: str) -> HttpResponse:
        return scorer.get(where, pad, headers=HTMX | {"If-None-Match": etag})

    assert news(first["ETag"]).status_code == 304
    report(bo, table, {"poison": 1})
    with_chip = news(first["ETag"])
    answer(scorer, table, "leave")
    without = news(with_chip["ETag"])

    assert "Bo: +1 poison" in words(with_chip)
    assert (without.status_code, "Bo: +1 poison" in words(without)) == (200, False)


def test_a_tap_of_the_scorekeepers_shows_what_still_waits(table, tap, bo, proposing):
    report(bo, table, {"life": 1})
    report(bo, table, own_hit(BO, ANN, kind="other"), 2)
    form = {"proposed": tap_id(1)}

    shown = words(tap("take_proposed", 1, htmx=True, **form))

    assert ("Bo: +1 life" in shown, "Bo: 7 to Ann, other" in shown) == (False, True)


@PHONES
def test_a_players_page_has_the_keys_that_the_table_lets_it_have(table, bo, phones):
    proposals.set_phones(table, phones)
    heading = {Phones.OFF: "", Phones.PROPOSE: "Tell the scorekeeper", Phones.TRUSTED: "Record"}
    keys = f"{heading[phones]} Hit I was hit by Ann Cy Di I hit Ann Cy Di"

    at_first = keys in page(bo, table)
    record(table, Concede(CY))
    later = "I hit Ann Di" in page(bo, table)
    record(table, Concede(BO))

    lets = phones != Phones.OFF
    assert (at_first, later, "I hit" in page(bo, table)) == (lets, lets, False)


def test_the_pages_of_a_table_that_lets_phones_act_take_the_same_few_queries(
    table, scorer, bo, proposing
):
    def queries(client: Client, name: str) -> int:
        with CaptureQueriesContext(connection) as taken:
            assert client.get(address(table, name)).status_code == 200
        return len(taken)

    at_first = [queries(bo, "seat"), queries(scorer, "score")]
    for tap in range(proposals.WAITING_MAX):
        report(bo, table, {"life": 1}, tap)

    assert at_first == [queries(bo, "seat"), queries(scorer, "score")] == [4, 5]
