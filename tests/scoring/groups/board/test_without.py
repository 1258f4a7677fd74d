"""The board replayed without a card."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from decks.models import DeckRevision
from scoring.models import Playgroup
from scoring.models.people import Visibility
from scoring.rules.formats import LEVELER
from tests.decks.lists import ELVES, editor, elves, register
from tests.scoring.browsing import words
from tests.scoring.grouped import play
from tests.scoring.groups.visitors import account, browser
from tests.scoring.tables import text

pytestmark = pytest.mark.django_db
WINS, LOSES = (9, 9, 9), (1, 1, 1)


@pytest.fixture
def of(thursday: Playgroup) -> Playgroup:
    """Ann wins three sets with elves, one with Cy too, and loses three without a deck."""
    elves()
    of = thursday
    deck: DeckRevision = register("Elves", ELVES).revisions.get()
    for day in (1, 2, 3):
        others = {"Bo": LOSES} | ({"Cy": LOSES} if day == 3 else {})
        play(of, date(2026, 4, day), {"Ann": WINS} | others, decks={1: deck})
    for day in (4, 5, 6):
        play(of, date(2026, 4, day), {"Bo": (6, 6, 6), "Ann": LOSES})
    return of


def shown(client: Client, of: Playgroup, card: str) -> tuple[int, str]:
    page = client.get(reverse("board_without", args=[of.code]), {"card": card})
    return page.status_code, words(page).partition("Show ")[2].partition(" An independent")[0]


def test_the_board_is_as_if_the_sets_with_a_card_had_not_been_played(owner, of):
    assert shown(owner, of, "llanowar elves") == (
        200,
        "Without Llanowar Elves 3 sets are left out."
        " Player Rank Without VP per game Without Ann 1 2 5.0 1.0 Bo 2 1 3.5 6.0"
        " Cy · · 1.0 no set left"
        " A dot stands for no rank: too few sets.",
    )


def test_an_editor_of_ban_lists_replays_the_boards_that_anybody_may_find(of):
    ed = browser(editor())
    at = reverse("board_without", args=[of.code])
    linked, statuses = {}, {}
    for visibility in Visibility:
        Playgroup.objects.update(visibility=visibility)
        linked[visibility.value] = at in text(ed.get(reverse("announcements", args=["coalition"])))
        statuses[visibility.value] = [
            client.get(at, {"card": "Forest"}).status_code
            for client in (ed, browser(account("any")), Client())
        ]

    assert linked == {"public": True, "unlisted": False, "private": False}
    assert statuses == {
        "public": [200, 403, 403],
        "unlisted": [403, 403, 403],
        "private": [404, 404, 404],
    }
    page = Client().get(reverse("announcements", args=["coalition"]))
    assert "Boards without a card" not in words(page)


def test_sets_of_other_formats_are_not_counted_as_left_out(owner, of):
    other = play(of, date(2026, 4, 7), {"Ann": (0,), "Bo": (0,)}, ruleset=LEVELER)
    other.seats.filter(number=1).update(deck=DeckRevision.objects.get(), deck_report={})

    assert "3 sets are left out." in shown(owner, of, "llanowar\0 elves")[1]


def test_a_card_that_nobody_brought_changes_nothing_and_a_misspelt_one_is_asked_about(owner, of):
    status, page = shown(owner, of, "Elvish Champion")
    assert (status, page) == (
        200,
        "Without Elvish Champion Nobody brought a deck with it to a finished set,"
        " so nothing would change.",
    )
    status, page = shown(owner, of, "Elvish Campion")
    assert status == 404
    assert "Did you mean one of these? Elvish Champion" in page
