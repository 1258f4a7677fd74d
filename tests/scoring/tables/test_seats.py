"""Heroes and decks at a table: judged on the day they are brought, and kept as judged then."""

import re
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
from scoring.models import GameSet, Seat, SetResult
from scoring.record import commands
from scoring.rules.formats import COALITION_2026, LEVELER
from scoring.rules.moves import Draw
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import TODAY, YESTERDAY, coalition, house, register
from tests.decks.written import deck, leveler
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import Page, refusal, words
from ..grouped import group
from . import address, holder, record, set_up, text, unchanged

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
    bring(" ", BO)
    assert (seat(table, BO).deck, report(table, BO)) == (None, None)


@pytest.mark.parametrize(
    "typed",
    [" {} ", "/decks/{}/?revision=1", "HTTPS://EXAMPLE.ORG/DECKS/{}", "{upper}"],
)
def test_a_deck_is_brought_by_its_code_or_its_link(table, bring, elves, typed):
    assert bring(typed.format(elves.code, upper=elves.code.upper())).status_code == 302

    assert seat(table).deck.deck == elves


def test_a_deck_of_this_browser_is_brought_by_its_name(table, scorer, bring, elves):
    register("Other", deck())
    scorer.cookies[f"deck-{elves.code}"] = "Elves"

    page = text(scorer.get(address(table, "seat_decks")))
    assert re.findall(r'<option value="(\w{8})">(.*?)</option>', page) == [(elves.code, "Elves")]
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


def test_a_deck_is_judged_as_it_was_saved_last_by_the_type_that_its_maker_chose(table, bring):
    found = register("Elves", deck("2 Negate"), deck("4 Elvish Mystic"))
    bring(found)
    assert (seat(table).deck.number, report(table)["legal"]) == (2, True)

    found.revisions.update(coalition_type="Warrior")
    bring(found)

    assert (report(table)["coalition_type"], report(table)["legal"]) == ("Warrior", False)


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
    seen = words(Client().get(address(table, "watch")))
    assert f"Heroes and decks Ann {HERO} , Elf · Elves Bo not legal {HERO} , Elf · Faulty" in seen
    assert f"1 problem on {TODAY.day} {TODAY:%B %Y} {TOO_MANY}" in shown


# --- the report of that day stays ---
def test_a_later_ban_does_not_change_what_was_judged_and_the_report_says_its_day(
    table, scorer, bring, elves
):
    bring(elves)
    before = report(table)

    ban()

    assert report(table) == before
    assert "Elves legal" in words(scorer.get(address(table, "seat_decks")))
    bring(elves)
    assert [one["message"] for one in report(table)["problems"]] == [BANNED]
    then = TODAY - timedelta(days=400)
    dated = report(table) | {"judged_on": then.isoformat()}
    Seat.objects.filter(pk=seat(table).pk).update(deck_report=dated)
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


def test_the_list_of_a_table_stays_there_for_whoever_could_not_find_it(table, scorer):
    home, secret = group(visibility="private"), house()
    home.house = secret
    home.save()
    GameSet.objects.update(house=secret)

    page = text(scorer.get(address(table, "seat_decks")))

    assert '<option value="tuesday" selected>Tuesday group</option>' in page


# --- what can't be ---
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"deck": "22222222"}, NO_DECK),
        ({"deck": "?"}, NO_DECK),
        ({"deck": "x" * 10_000}, NO_DECK),
        ({"deck": "\0"}, "Null characters are not allowed."),
        (
            {"deck": "{levels}"},
            "That deck is for another format. Choose one for the format of this table.",
        ),
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
    base = BanList.objects.get(key="leveler")
    BanList.objects.create(key="levels", name="Levels", format="leveler", base=base)
    levels = register("Levels", leveler(), ruleset="leveler")
    bring(elves)

    form = {"seat": ANN, "deck": elves.code} | said
    form["deck"] = form["deck"].format(levels=levels.code)
    with unchanged():
        answer = scorer.post(address(table, "seat_decks"), form)

    assert refusal(answer) == (422, message)


def test_decks_and_verdicts_of_a_finished_set_stay(table, scorer, bring, elves):
    house()
    record(table, Draw())
    assert bring(elves).status_code == 302  # a game is over, and the set goes on
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


# --- a hero by name ---
KAALIA = "Kaalia"


def name(client: Client, table: Any, hero: str, type: str = "", seat: Any = ANN) -> HttpResponse:
    form = {"seat": seat, "hero": hero} | ({"type": type} if type else {})
    return client.post(address(table, "seat_hero"), form)


def played(table: Any, seat: int = ANN) -> tuple[str, str]:
    table.refresh_from_db()
    stored = Seat.objects.get(game_set=table, number=seat).led_by
    assert table.hero_of(seat) == stored
    return stored


def test_a_format_without_heroes_is_404(db):
    table = set_up(ruleset=LEVELER, key="another")

    assert name(holder(table, "another"), table, HERO).status_code == 404


@pytest.mark.parametrize(
    ("hero", "type", "expected"),
    [
        ("EZURI, claw of progress", "elf", (HERO, "Elf")),
        (HERO, "", (HERO, "")),
        (KAALIA, "Angel", (KAALIA, "Angel")),
        ("Krenko", "", ("Krenko", "Goblin")),
    ],
)
def test_a_hero_is_stored_as_its_card_prints_it_with_its_only_type(
    table, scorer, hero, type, expected
):
    given(card("Krenko", "Legendary Creature — Human Goblin"))

    response = name(scorer, table, hero, type)

    assert (response.status_code, response["Location"]) == (302, address(table, "seat_decks"))
    assert (played(table), played(table, BO)) == (expected, ("", ""))


@pytest.mark.parametrize(
    ("hero", "type", "message"),
    [
        ("Elvish Mystic", "", "Elvish Mystic is not a legendary creature, so it can’t be a hero."),
        ("Nemo", "", "Nemo has no creature type for a deck to share. Choose another hero."),
        ("Ezuri Claw", "", "No legendary creature is called “Ezuri Claw”. Did you mean one of"),
        ("Qqqq", "", "No legendary creature is called “Qqqq”. Check the spelling."),
        (KAALIA, "Human", "The coalition type may not be Human. Choose another type."),
        (KAALIA, "Elf", "Kaalia does not have the type Elf. Choose again."),
        ("", "Elf", "Name the hero as well: its types are the ones to choose from."),
        ("E" * 201, "", "That is too long for a card’s name."),
    ],
)
def test_what_can_not_lead_is_refused_and_changes_nothing(table, scorer, hero, type, message):
    name(scorer, table, HERO, "Elf")

    with unchanged():
        status, problem = refusal(name(scorer, table, hero, type))

    assert (status, problem.startswith(message)) == (422, True), problem


def test_a_hero_is_completed_in_place_and_a_misspelt_one_comes_with_those_it_may_be(table, scorer):
    where = address(table, "seat_hero")
    answer = scorer.get(where, {"hero": "kaa", "seat": BO}, headers={"HX-Request": "true"})
    page = name(scorer, table, "Ezuri Claw")

    assert words(answer) == "Kaalia Angel Cleric"
    assert [form.fields["seat"] for form in Page(text(answer)).forms] == [["2"]]
    forms = [form for form in Page(text(page)).forms if form.fields.get("hero") == [HERO]]
    assert [(form.fields["seat"], form.attributes["action"]) for form in forms] == [(["1"], where)]
    assert f"{HERO} Elf Warrior" in words(page)
    assert 'value="Ezuri Claw"' in text(page)


def test_where_the_catalogue_is_empty_a_hero_stays_as_it_is_typed(table, scorer):
    BanEntry.objects.all().delete()
    Card.objects.all().delete()

    name(scorer, table, "Somebody New", "Ninja")

    assert played(table) == ("Somebody New", "Ninja")
    assert "so heroes and types are stored as you type them" in words(
        scorer.get(address(table, "seat_decks"))
    )


def test_a_deck_fills_in_its_hero_and_one_that_is_named_later_counts(table, scorer):
    name(scorer, table, KAALIA)
    assert "Kaalia : which type? Kaalia Angel Cleric" in words(
        scorer.get(address(table, "seat_decks"))
    )
    elves = register("Elves", deck("4 Elvish Mystic"))

    scorer.post(address(table, "seat_decks"), {"seat": ANN, "deck": elves.code})
    of_deck = played(table)
    name(scorer, table, HERO, "Warrior")

    assert (of_deck, played(table)) == ((HERO, "Elf"), (HERO, "Warrior"))
    name(scorer, table, "")
    assert played(table) == (HERO, "Elf")
    scorer.post(address(table, "seat_decks"), {"seat": ANN, "deck": ""})
    name(scorer, table, "")
    assert played(table) == ("", "")


def test_hero_and_type_are_on_the_players_row_and_on_the_result_and_corrected_there(table, scorer):
    pages = [address(table, page) for page in ("score", "watch", "tablet")]
    tags = [scorer.get(page).headers.get("ETag") for page in pages]
    name(scorer, table, HERO, "Elf")
    for page, tag in zip(pages, tags, strict=True):
        shown = scorer.get(page)
        assert f"{HERO}, Elf" in words(shown)
        assert tag is None or tag != shown.headers["ETag"]
    record(table, hit(ANN, BO, 3), Draw())
    commands.call_set(table)

    before = words(Client().get(address(table, "watch")))
    name(scorer, table, KAALIA, "Angel")

    assert f"Heroes and decks Ann {HERO} , Elf" in before
    assert f"Heroes and decks Ann {KAALIA} , Angel" in words(Client().get(address(table, "watch")))
    results = SetResult.objects.filter(game_set=table).exclude(hero="")
    assert list(results.values_list("hero", "coalition_type")) == [(KAALIA, "Angel")]
