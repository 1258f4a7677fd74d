"""How heroes and coalition types do in a playgroup."""

import pytest

from scoring.models import Player
from scoring.play import commands
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.moves import Win
from tests.decks.cards import given, record
from tests.scoring.tables import text

from ...browsing import words
from .evenings import (
    BEGAN,
    ask,
    carry,
    evening,
    history,
    make_group,
    sums,
    table_rows,
)

KRENKO, LATHRIL = "Krenko, Mob Boss", "Lathril, Blade of the Elves"
GOBLINS, ELVES = (KRENKO, "Goblin"), (LATHRIL, "Elf")


@pytest.fixture
def played(group):
    """Two sets with goblins and elves, and one of another playgroup."""
    evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": GOBLINS, "Bo": GOBLINS})
    evening(group, {"Ann": 3, "Bo": 6}, led={"Ann": GOBLINS, "Bo": ELVES}, day=1)
    evening(make_group(), {"Cy": 20, "Di": 0}, led={"Cy": GOBLINS})
    return group


def test_the_overview_has_all_that_were_played_the_most_played_first(played):
    page = ask(played, "heroes")

    assert table_rows(page, "Heroes") == [[KRENKO, "3", "1", "5.3"], [LATHRIL, "1", "1", "6.0"]]
    assert table_rows(page, "Coalition types") == [
        ["Goblin", "3", "1", "5.3"],
        ["Elf", "1", "1", "6.0"],
    ]


def test_decks_count_in_every_format(played):
    table = commands.create_set(LEVELER, ["Ann", "Bo"], at=BEGAN, playgroup=played)
    carry(table, "Bo", None, None)
    commands.start_game(table, 1, first=1, at=BEGAN)
    commands.record(table, 1, Win(2), at=BEGAN)

    assert table_rows(ask(played, "heroes"), "Decks") == [
        ["A deck", "Section 906", "4", "2"],
        ["A deck", "Leveler", "1", "1"],
    ]


def test_a_page_without_heroes_or_decks_explains_how_they_come_here(group):
    page = words(ask(make_group(ruleset="leveler"), "heroes"))

    assert "No finished set has heroes yet." in words(ask(group, "heroes"))
    assert "No finished set has decks yet." in page
    assert "Heroes" not in page


def test_a_hero_has_its_sums_its_players_and_its_sets(played):
    page = ask(played, "hero", name=KRENKO)

    assert sums(page) == {
        "Played in sets": "3",
        "Sets won": "1",
        "Games": "3",
        "VP": "16",
        "VP per game": "5.3",
    }
    assert table_rows(page, "By whom") == [["Ann", "2", "1", "6.0"], ["Bo", "1", "0", "4.0"]]
    assert table_rows(page, "As which type") == [["Goblin", "3", "1", "5.3"]]
    assert history(page) == [
        "3 March 2026 Rank 2 Bo 6, Ann 3",
        "2 March 2026 Rank 1 Ann 9, Bo 4",
        "2 March 2026 Rank 2 Ann 9, Bo 4",
    ]


def test_a_hero_has_its_art_and_the_artist_where_the_site_shows_pictures(played, settings):
    settings.CARD_PICTURES = "scryfall"
    source = settings.CARD_PICTURES_SOURCE
    addresses = {size: f"{source}/{size}/krenko.jpg" for size in ("normal", "art_crop")}
    given(record(KRENKO, image_uris=addresses, artist="Ann Ox"))

    shown = {name: text(ask(played, "hero", name=name)) for name in (KRENKO, LATHRIL)}
    board = text(ask(played, "board"))

    for name, page in shown.items():
        assert (addresses["art_crop"] in page) is (name == KRENKO)
    assert f"{KRENKO} by Ann Ox." in " ".join(shown[KRENKO].split())
    assert ("art_crop" in board) is (f"{KRENKO} by Ann Ox." in " ".join(board.split()))


def test_a_type_has_its_sums_its_heroes_and_its_players_but_guests(played):
    Player.objects.filter(name="Bo").update(is_guest=True)

    elves, goblins = ask(played, "type", name="Elf"), ask(played, "type", name="Goblin")

    assert sums(elves)["VP"] == "6"
    assert table_rows(elves, "With which hero") == [[LATHRIL, "1", "1", "6.0"]]
    assert sums(goblins)["VP"] == "16"
    assert table_rows(goblins, "By whom") == [["Ann", "2", "1", "6.0"]]


@pytest.mark.parametrize("name", ["", "Nobody", "krenko\0", "x" * 999, "'; --", "🐲"])
def test_a_name_that_nobody_played_is_404_and_says_where_to_choose(played, name):
    for page in ("hero", "type"):
        answer = ask(played, page, name=name)

        assert answer.status_code == 404
        assert "no finished set here with a hero or a type of that name" in words(answer)
    assert ask(played, "hero").status_code == 404
