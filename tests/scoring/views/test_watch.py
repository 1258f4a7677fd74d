"""What anybody may see: the board, the view for the middle of the table, the standings."""

import pytest
from django.test import Client

from scoring.play import commands
from scoring.rules.corrections import Undo
from scoring.rules.formats.conspiracy import CONSPIRACY, PutAgenda
from scoring.rules.formats.conspiracy.zone import sealed
from scoring.rules.moves import Draw
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import Page, words
from ..tables import address, record, set_up, text

pytestmark = pytest.mark.django_db

HTMX = {"hx-request": "true"}


each_view = pytest.mark.parametrize("name", ["watch", "table"])


@each_view
def test_it_is_for_anybody_and_is_not_cached(name, table):
    response = Client().get(address(table, name))

    assert response.status_code == 200
    assert {"private", "no-cache"} <= set(response["Cache-Control"].replace(",", " ").split())


@each_view
@pytest.mark.parametrize("players", [2, 3, 5])
def test_it_shows_every_player_in_and_between_games(name, players):
    table = set_up(players, first=None)
    names = list(table.names.values())

    before = words(Client().get(address(table, name)))
    commands.start_game(table, 1, first=ANN)
    record(table, hit(ANN, BO, 4))
    during = words(Client().get(address(table, name)))
    record(table, Draw())
    after = words(Client().get(address(table, name)))

    assert "Game 1 begins soon" in before
    assert all(name in said for name in names for said in (during, after))
    assert "A draw" in after


def test_only_the_scorekeeper_is_shown_the_way_to_the_pad(table, scorer):
    where = address(table, "watch")

    assert address(table, "score") in text(scorer.get(where))
    assert address(table, "score") not in text(Client().get(where))


def test_an_open_page_gets_board_and_standings_again(table):
    record(table, hit(ANN, BO, 4))
    record(table, Draw())

    page = Page(text(Client().get(address(table, "watch"))))
    live = text(Client().get(address(table, "watch"), headers={"hx-request": "true"}))

    followed = [at["data-stream"] for _, at in page.tags if at.get("id") == "live"]
    assert followed == [address(table, "stream")]
    assert 'id="now-played" hx-swap-oob="true"' in live
    assert "A draw" in live
    assert 'class="podium"' in live
    assert "<html" not in live


def test_spectators_get_the_standings_when_the_set_ends(table):
    play_all_games(table)

    response = Client().get(address(table, "watch"), headers=HTMX)

    assert response["HX-Reselect"] == "#main"
    assert "Ann takes the set" in words(response)


def test_an_open_page_of_standings_hears_of_corrections_and_gets_the_board_back(table):
    play_all_games(table)
    where = address(table, "watch")
    page = Page(text(Client().get(where)))
    (followed,) = [at for _, at in page.tags if at.get("id") == "live"]
    assert (followed["data-stream"], followed["data-fresh"]) == (
        address(table, "stream"),
        f"{where}?final",
    )
    known = HTMX | {"If-None-Match": followed["data-etag"]}
    assert Client().get(followed["data-fresh"], headers=known).status_code == 304

    record(table, Undo(2), game=3)
    answer = Client().get(followed["data-fresh"], headers=known)

    assert answer["HX-Reselect"] == "#main"
    (followed,) = [at for _, at in Page(text(answer)).tags if at.get("id") == "live"]
    assert followed["data-fresh"] == where
    assert "Game 3" in words(answer)
    assert "hx-swap-oob" not in text(answer), "it would be taken out of its page"
    assert "takes the set" not in words(answer)


def test_a_secret_that_is_revealed_after_the_end_reaches_spectators():
    table = set_up(3, ruleset=CONSPIRACY)
    secret = sealed(BO, "5f" * 16, "Hymn of the Wilds", ("Forest",))
    record(table, PutAgenda(BO, secret.seal), hit(ANN, BO, 20), hit(ANN, CY, 20))
    where = address(table, "watch") + "?final"
    known = HTMX | {"If-None-Match": Client().get(where, headers=HTMX)["ETag"]}

    record(table, secret)

    assert "names Forest" in words(Client().get(where, headers=known))


def test_the_rolls_of_the_start_are_shown_to_all():
    table = set_up(first=None)
    game = commands.start_game(table, 1)

    page = words(Client().get(address(table, "watch")))

    assert f"{table.names[game.turn_order[0]]} starts , by the roll" in page


def play_all_games(table):
    record(table, hit(ANN, BO, 21))
    commands.start_game(table, 2, first=CY)
    record(table, hit(BO, CY, 21), game=2)
    commands.start_game(table, 3, first=DI)
    record(table, hit(ANN, DI, 4), Draw("time"), game=3)


def test_a_finished_set_shows_its_standings(table):
    play_all_games(table)

    said = words(Client().get(address(table, "watch")))

    assert "Ann takes the set" in said
    assert "Ended by: 21 VP · 21 VP · time. 3 games" in said
    assert "called early" not in said


@pytest.mark.parametrize("query", ["", "?upright", "?upright=1", "?upright=%00", "?x=<script>"])
def test_the_table_view_can_be_all_upright(table, query):
    page = text(Client().get(address(table, "table") + query))

    assert ('class="side far"' in page) == ("upright" not in query)
    assert "<script>" not in page
