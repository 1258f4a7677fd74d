"""The decks at a table: judged on the day they are brought, and kept as they were judged then."""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.models import BanEntry, BanList, Card, Deck
from scoring.models import Seat
from scoring.play import commands
from scoring.rules.formats import COALITION_2026, RULESETS
from scoring.rules.moves import Draw
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import TODAY, YESTERDAY, coalition, house, register
from tests.decks.written import deck, leveler
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import refusal, words
from ..tables import address, holder, record, set_up, text, unchanged

NO_DECK = "There is no such deck. Copy the link from the deck's page."
TOO_MANY = "2 copies of Negate: only creatures and lands may have more than 1. Take out 1."
BANNED = f"Elvish Mystic has been banned since {YESTERDAY.day} {YESTERDAY:%B %Y}: take it out."
QUERIES = {"page": 7, "bring": 13}  # two lock the deck and read its revision again

Bring = Callable[..., HttpResponse]


@pytest.fixture(autouse=True)
def _pool(db: None) -> None:
    bring_pool()


@pytest.fixture
def elves() -> Deck:
    return register("Elves", deck("4 Elvish Mystic"))


@pytest.fixture
def faulty() -> Deck:
    return register("Faulty", deck("2 Negate"))


@pytest.fixture
def bring(table, scorer) -> Bring:
    """Post the form of a seat: ``bring(deck, seat=2)``, or what is typed instead of a deck."""

    def post(what: Deck | str, seat: Any = ANN, **said: Any) -> HttpResponse:
        typed = what.code if isinstance(what, Deck) else what
        return scorer.post(address(table, "seat_decks"), {"seat": seat, "deck": typed} | said)

    return post


def seat(table: Any, number: int = ANN) -> Seat:
    return Seat.objects.select_related("deck").get(game_set=table, number=number)


def report(table: Any, number: int = ANN) -> Any:
    return seat(table, number).deck_report


def ban(name: str = "Elvish Mystic", ban_list: BanList | None = None) -> None:
    BanEntry.objects.create(
        ban_list=ban_list or coalition(), card=Card.objects.get(name=name), starts_on=YESTERDAY
    )


# --- bringing one ---
def test_a_seat_carries_a_deck_with_the_report_of_the_day(table, bring, elves):
    response = bring(elves, BO)

    assert (response.status_code, response["Location"]) == (302, address(table, "seat_decks"))
    assert seat(table, BO).deck == elves.revisions.get()
    assert report(table, BO) == {
        "ruleset": "coalition-906",
        "legal": True,
        "hero": HERO,
        "coalition_type": "Elf",
        "possible_types": ["Elf"],
        "counts": {"main": 60, "sideboard": 10},
        "problems": [],
        "judged_on": TODAY.isoformat(),
        "playing": "warn",
    }
    assert [seat(table, other).deck for other in (1, 3, 4)] == [None, None, None]


@pytest.mark.parametrize(
    "typed",
    [
        "{}",
        " {} ",
        "/decks/{}/",
        "/decks/{}/?revision=1",
        "https://example.org/decks/{}",
        "HTTPS://EXAMPLE.ORG/DECKS/{}/",
        "{upper}",
    ],
)
def test_a_deck_is_brought_by_its_code_or_its_link(table, bring, elves, typed):
    assert bring(typed.format(elves.code, upper=elves.code.upper())).status_code == 302

    assert seat(table).deck.deck == elves


def test_a_deck_of_this_browser_is_brought_by_its_name(table, scorer, bring, elves):
    register("Other", deck())
    scorer.cookies[f"deck-{elves.code}"] = "Elves"

    assert bring(" elves ").status_code == 302
    assert seat(table).deck.deck == elves
    assert refusal(bring("Other")) == (422, NO_DECK)


def test_what_was_typed_stays_at_its_seat_with_the_refusal(table, bring, elves):
    bring(elves, ANN)

    page = text(bring("no such deck", BO))

    forms = page.split('<section class="card"')[1:]
    assert ["no such deck" in form for form in forms] == [False, True, False, False]
    assert [NO_DECK in unescape(form) for form in forms] == [False, True, False, False]
    assert elves.code in forms[0]


def test_a_deck_is_brought_as_it_was_saved_last(table, bring):
    bring(register("Elves", deck("2 Negate"), deck("1 Negate")))

    assert (seat(table).deck.number, report(table)["legal"]) == (2, True)


def test_a_deck_is_judged_by_the_type_that_its_maker_chose(table, bring, elves):
    elves.revisions.update(coalition_type="Warrior")

    bring(elves)

    assert (report(table)["coalition_type"], report(table)["legal"]) == ("Warrior", False)


def test_an_empty_field_takes_the_deck_off(table, bring, elves):
    bring(elves)

    bring(" ")

    assert (seat(table).deck, report(table)) == (None, None)


def test_a_deck_is_judged_by_the_ruleset_of_the_table(elves):
    table = set_up(ruleset=COALITION_2026, key="another")
    fifteen = register("Fifteen", deck(sizes=(60, 15)))

    client = holder(table, "another")
    client.post(address(table, "seat_decks"), {"seat": ANN, "deck": fifteen.code})

    assert (report(table)["ruleset"], report(table)["legal"]) == ("coalition-2026", True)


def test_the_page_shows_each_seat_with_its_deck(table, scorer, bring, elves, faulty):
    bring(elves, ANN)
    bring(faulty, BO)

    shown = words(scorer.get(address(table, "seat_decks")))

    heading = f"{HERO} , Elf Hero; leave empty to remove it Change"
    assert f"Ann {heading} Elves legal" in shown
    assert f"Bo {heading} Faulty not legal" in shown
    assert f"1 problem on {TODAY.day} {TODAY:%B %Y} {TOO_MANY}" in shown


def test_decks_of_this_browser_are_offered(table, scorer, elves, faulty):
    scorer.cookies[f"deck-{elves.code}"] = "Elves"

    page = scorer.get(address(table, "seat_decks")).content.decode()

    assert f'<option value="{elves.code}">Elves</option>' in page
    assert faulty.code not in page


def test_spectators_see_the_decks(table, bring, elves, faulty):
    bring(elves, ANN)
    bring(faulty, BO)

    shown = words(Client().get(address(table, "watch")))

    assert f"Heroes and decks Ann {HERO} , Elf · Elves Bo not legal {HERO} , Elf · Faulty" in shown


# --- the report of that day stays ---
def test_a_later_ban_does_not_change_what_was_judged(table, scorer, bring, elves):
    bring(elves)
    before = report(table)

    ban()

    assert report(table) == before
    assert "Elves legal" in words(scorer.get(address(table, "seat_decks")))
    bring(elves)
    assert [one["message"] for one in report(table)["problems"]] == [BANNED]


def test_the_report_says_the_day_it_was_made(table, scorer, bring, faulty):
    bring(faulty)
    then = TODAY - timedelta(days=400)
    found = seat(table)
    Seat.objects.filter(pk=found.pk).update(
        deck_report=found.deck_report | {"judged_on": then.isoformat()}
    )

    page = words(scorer.get(address(table, "seat_decks")))

    assert f"1 problem on {then.day} {then:%B %Y}" in page


# --- what the list says of illegal decks ---
@pytest.mark.parametrize(
    ("says", "told"),
    [("allow", "Faulty not legal, but allowed 1 problem"), ("warn", "Faulty not legal 1 problem")],
)
def test_an_illegal_deck_is_played_where_the_list_lets_it(table, scorer, bring, faulty, says, told):
    BanList.objects.update(illegal_decks=says)

    assert bring(faulty).status_code == 302

    assert (report(table)["legal"], report(table)["playing"]) == (False, says)
    assert told in words(scorer.get(address(table, "seat_decks")))
    assert ("not legal" in words(Client().get(address(table, "watch")))) == (says == "warn")


def test_an_illegal_deck_is_refused_where_the_list_says_so(table, bring, elves, faulty):
    BanList.objects.update(illegal_decks="refuse")
    bring(elves)

    with unchanged():
        answer = bring(faulty)

    assert refusal(answer) == (
        422,
        "The deck of Ann is not legal, and the list of this table takes legal decks only. "
        + TOO_MANY,
    )
    assert bring(elves, BO).status_code == 302


# --- house bans ---
def test_decks_brought_before_and_after_are_judged_by_the_house_list_that_is_chosen(
    table, scorer, bring, elves
):
    ban(ban_list=house())
    bring(elves, ANN)
    judged = []

    for chosen in ("tuesday", ""):
        assert scorer.post(address(table, "seat_decks"), {"house": chosen}).status_code == 302
        before = report(table, ANN)
        bring(elves, BO)
        judged.append((before["legal"], report(table, BO)["legal"]))

    assert judged == [(False, False), (True, True)]
    assert seat(table, CY).deck is None


def test_a_list_that_refuses_a_deck_at_the_table_is_not_chosen(table, scorer, bring, elves):
    strict = house()
    BanList.objects.filter(pk=strict.pk).update(illegal_decks="refuse")
    ban(ban_list=strict)
    bring(elves, BO)

    with unchanged():
        answer = scorer.post(address(table, "seat_decks"), {"house": "tuesday"})

    assert refusal(answer) == (
        422,
        "The deck of Bo is not legal, and the list of this table takes legal decks only. " + BANNED,
    )


# --- what can't be ---
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"deck": "22222222"}, NO_DECK),
        ({"deck": "?"}, NO_DECK),
        ({"deck": "x" * 10_000}, NO_DECK),
        ({"deck": "\0"}, "Null characters are not allowed."),
        ({"seat": "5"}, "That player does not sit here."),
        ({"seat": "9" * 5000}, "That player does not sit here."),
        ({"seat": ""}, "Whose deck is it? Reload the page."),
        ({"house": "nobodys"}, "There is no such house list. Choose another."),
        ({"house": "levels"}, "There is no such house list. Choose another."),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_impossible_input_is_refused_and_changes_nothing(
    table, scorer, bring, elves, said, message
):
    BanList.objects.create(
        key="levels",
        name="Levels",
        format="leveler",
        base=BanList.objects.get(key="leveler"),
    )
    bring(elves)

    form = {"seat": ANN, "deck": elves.code} | said
    with unchanged():
        answer = scorer.post(address(table, "seat_decks"), form)

    assert refusal(answer) == (422, message)


def test_a_deck_of_another_format_is_refused(table, bring):
    other = register("Levels", leveler(), ruleset="leveler")

    with unchanged():
        answer = bring(other)

    assert refusal(answer) == (
        422,
        "That deck is for another format. Choose one for the format of this table.",
    )


def test_decks_of_a_format_without_heroes_are_headed_by_what_they_are():
    table = set_up(2, ruleset=RULESETS["leveler"])
    levels = register("Levels", leveler(), ruleset="leveler")
    commands.bring_deck(table, ANN, levels.revisions.get())

    assert "Decks Ann Levels" in words(Client().get(address(table, "watch")))


def test_a_deck_is_brought_also_when_the_game_is_over(table, bring, elves):
    record(table, Draw())

    assert bring(elves).status_code == 302


def test_decks_and_verdicts_of_a_finished_set_stay(table, scorer, bring, elves):
    house()
    bring(elves)
    record(table, Draw())
    commands.call_set(table)

    with unchanged():
        answers = [bring(""), bring(elves, BO)]
        answers.append(scorer.post(address(table, "seat_decks"), {"house": "tuesday"}))

    told = (422, "The set is finished: its decks stay as they were played.")
    assert [refusal(answer) for answer in answers] == [told] * 3


# --- queries ---
def cost(ask: Callable[[], HttpResponse]) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert ask().status_code in (200, 302)
    return len(captured)


@pytest.mark.parametrize("lines", [10, 60])
@pytest.mark.parametrize("players", [2, 5])
def test_the_number_of_queries_grows_with_neither_lists_nor_seats(lines, players):
    given(*(card(f"Elf {at}") for at in range(lines)))
    table = set_up(players, key="another")
    client, where = holder(table, "another"), address(table, "seat_decks")
    found = register("Many", deck(*(f"1 Elf {at}" for at in range(lines))))
    for number in range(2, players + 1):
        client.post(where, {"seat": number, "deck": found.code})

    assert {
        "bring": cost(lambda: client.post(where, {"seat": ANN, "deck": found.code})),
        "page": cost(lambda: client.get(where)),
    } == QUERIES
