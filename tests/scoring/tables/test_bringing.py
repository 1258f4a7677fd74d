"""A deck is brought to a table from its own page, by whoever may speak for a seat."""

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib.refusals import Refused
from decks.decks.commands import begin_deck, edit_deck
from decks.decks.legality import report_to_store
from decks.models import Deck
from decks.rules.building import add
from decks.rules.entries import Section
from decks.rules.rulesets import RULESETS
from scoring.models import GameSet, Seat
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.decks.faults import bring_pool
from tests.decks.lists import register
from tests.decks.pages import LEGAL, saved_deck
from tests.scoring.browsing import words
from tests.scoring.grouped import group
from tests.scoring.groups.visitors import account, browser
from tests.scoring.tables import holder, record, set_up, unchanged

pytestmark = pytest.mark.django_db

COALITION = RULESETS["coalition-906"]


@pytest.fixture(autouse=True)
def pool() -> None:
    bring_pool()


@pytest.fixture
def table() -> GameSet:
    """A table of a playgroup at which the player of the account "ann" sits first."""
    thursday = group()
    made = commands.create_set(COALITION_906, ["Ann", "Bo"], key=None, seed=1, playgroup=thursday)
    thursday.players.filter(name="Ann").update(user=account("ann", thursday, "member"))
    return made


def bring(client: Client, found: Deck, seat: Seat | None = None) -> HttpResponse:
    where = reverse("bring_deck", args=[found.code])
    return client.post(where, {"seat": seat.pk if seat else ""})


def seats(client: Client, found: Deck) -> str:
    return words(client.get(reverse("bring_deck", args=[found.code])))


def test_a_member_brings_a_deck_to_the_seat_of_the_members_own_player(table):
    client = browser("ann")
    found = saved_deck(client)
    first, second = table.seats.order_by("number")
    assert "To Ann’s seat" in seats(client, found)
    assert "To Bo’s seat" not in seats(client, found)

    answer = bring(client, found, first)

    assert answer["Location"] == reverse("watch", args=[table.code])
    first.refresh_from_db()
    assert (first.deck, first.deck_report["legal"]) == (found.revisions.get(), True)
    assert "instead of Elves" in seats(client, found)
    with unchanged():
        assert bring(client, found, second).status_code == 422


def test_whoever_keeps_the_score_brings_a_deck_to_any_seat_and_a_seats_own_link_to_that_one():
    table = set_up(2)
    commands.change_seat_key(table, 1, "a-key")
    ann, bo = table.seats.order_by("number")
    scorer, phone = holder(table), Client()
    phone.cookies[f"seat-{table.code}"] = "a-key"
    found, anns = saved_deck(scorer), saved_deck(phone, save=2)

    assert "To Ann’s seat To Bo’s seat" in seats(scorer, found)
    bring(scorer, found, bo)
    bring(phone, anns, ann)
    decks = [seat.deck for seat in table.seats.order_by("number")]
    assert decks == [anns.revisions.get(), found.revisions.get()]
    with unchanged():
        assert bring(phone, anns, bo).status_code == 422


def test_a_deck_that_taps_change_meanwhile_is_judged_as_it_is_brought(table):
    begun = begin_deck("Elves", COALITION, key="elves")
    seen = begun.revisions.get()
    edit_deck(begun, lambda opened: (add(opened.build, "Forest", Section.MAIN), ""))

    commands.bring_deck(table, 1, seen)

    seat = table.seats.get(number=1)
    assert seat.deck_report == report_to_store(begun.revisions.get(), COALITION.key)


def test_a_deck_that_is_removed_meanwhile_is_refused_in_words(table):
    seen = begin_deck("Elves", COALITION, key="elves").revisions.get()
    Deck.objects.all().delete()

    with unchanged(), pytest.raises(Refused, match="This deck is not there any more"):
        commands.bring_deck(table, 1, seen)


def test_a_stranger_to_the_table_or_to_the_deck_brings_none(table):
    theirs = register("Theirs", LEGAL)
    client = browser("bo")
    found, ann = saved_deck(client), browser("ann")
    with unchanged():
        answers = [
            bring(client, found, table.seats.get(number=1)),
            bring(ann, theirs, table.seats.get(number=1)),
        ]

    assert [answer.status_code for answer in answers] == [422, 403]
    assert "You sit at no open table of this format." in seats(client, found)


def test_the_page_takes_as_many_queries_at_six_tables_as_at_one(django_assert_num_queries):
    client = Client()
    found = saved_deck(client)
    where = reverse("bring_deck", args=[found.code])
    for keys in ("a", "bcdef"):
        for key in keys:
            table = set_up(2, key=key)
            commands.change_seat_key(table, 2, f"key-{table.code}")
            client.cookies[f"seat-{table.code}"] = f"key-{table.code}"
        with django_assert_num_queries(4):
            assert client.get(where).status_code == 200


def test_a_finished_set_and_a_set_of_another_format_are_not_offered(table):
    client = browser("ann")
    levels = saved_deck(client, text="50 Forest\n\n30 Forest\n\n20 Forest", ruleset="leveler")
    assert "Ann’s seat" not in seats(client, levels)

    found = saved_deck(client, save=2)
    commands.start_game(table, 1, first=1)
    record(table, Draw())
    commands.call_set(table)
    assert "Ann’s seat" not in seats(client, found)
