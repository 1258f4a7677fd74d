"""Between games: starting the next one, changing a start, and calling the set."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import Game, GameSet
from scoring.record import commands
from scoring.rules.corrections import Undo
from scoring.rules.formats import COALITION_906, COALITION_2026, COALITION_README, RULESETS
from scoring.rules.moves import Concede, Draw, PassTurn
from scoring.rules.ruleset import Ruleset
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import Page, form_to, refusal, text, words
from . import address, check_books, holder, record, results, set_up, tap_id, the_game, unchanged

pytestmark = pytest.mark.django_db

WHO = "Who starts? Choose that player first."


def test_the_lowest_says_who_starts_the_next_game_which_goes_without_who_left(table, scorer, tap):
    record(table, hit(ANN, BO, 4), hit(BO, ANN, 3), hit(CY, ANN, 2), Draw())
    assert "Di has the lowest standing and chooses who starts" in words(
        scorer.get(address(table, "score"))
    )

    response = tap("start_game", 2, starter=CY, dropped=[DI, DI])

    game = the_game(table, 2)
    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert (game.turn_order, game.dropped, game.rolled) == ([CY, ANN, BO], [DI], False)


@pytest.mark.parametrize(
    ("ruleset", "message"),
    [
        (COALITION_906, WHO),
        (COALITION_2026, "What is the turn order? Choose a place for each player first."),
    ],
    ids=["906", "2026"],
)
def test_the_first_game_starts_by_the_dice_where_somebody_chose_that(ruleset, message):
    table = set_up(ruleset=ruleset, first=None)
    scorer, where = holder(table), address(table, "start_game", 1)

    with unchanged():
        assert refusal(scorer.post(where, {"tap_id": tap_id(1)})) == (422, message)
    scorer.post(where, {"tap_id": tap_id(1), "roll": 1})

    assert the_game(table).rolled
    assert ", by the roll." in words(scorer.get(address(table, "change_start", 1)))


def chosen(page: HttpResponse) -> list[str]:
    """Return what the page's forms about the start have chosen already."""
    inputs = [tag for _, tag in Page(text(page)).tags if "checked" in tag or "selected" in tag]
    return [tag.get("name") or tag.get("value") or "option" for tag in inputs]


def test_nobody_is_chosen_already_to_start(table, scorer, tap):
    record(table, Draw())
    assert chosen(scorer.get(address(table, "score"))) == []

    tap("start_game", 2, starter=CY)

    page = scorer.get(address(table, "change_start", 2))
    assert chosen(page) == []
    assert "So far Cy , Di , Ann , Bo . Who starts: the turn then goes clockwise" in words(page)


def test_a_table_of_2026_waits_until_heroes_and_types_are_announced_before_the_roll():
    """Whoever draws by hand announces before that, too."""
    names = ["Ann", "Bo", "Cy", "Di"]
    form = {"tap_id": tap_id(1), "name": names, "ruleset": "coalition-2026"}
    client = Client()
    client.post(reverse("start"), form)
    table = GameSet.objects.get()
    table.heroes = {str(BO): ["Krenko, Mob Boss", "Goblin"]}
    table.save()

    page = client.get(address(table, "score"))

    assert not Game.objects.exists()
    assert (
        "Before the roll Everybody announces hero and coalition type. "
        "Ann not noted Bo Krenko, Mob Boss , Goblin Cy not noted Di not noted "
        "Note heroes and types No free mulligan; the first player does draw. "
        "Roll for the turn order Already decided at the table"
    ) in words(page)
    assert address(table, "seat_decks") in text(page)


def test_2026_takes_the_first_turn_order_as_it_was_drawn_and_the_next_by_standing():
    table = set_up(ruleset=COALITION_2026, first=None)
    places = {"place-1": 3, "place-2": 1, "place-3": 4, "place-4": 2}

    holder(table).post(address(table, "start_game", 1), {"tap_id": tap_id(1), **places})
    record(table, hit(BO, ANN, 1), hit(CY, ANN, 2), hit(ANN, BO, 3), Draw())
    holder(table).post(address(table, "start_game", 2), {"tap_id": tap_id(2)})

    orders = [the_game(table, number).turn_order for number in (1, 2)]
    assert orders == [[BO, DI, ANN, CY], [DI, BO, CY, ANN]]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, WHO),
        ({"place-1": 1, "place-3": 1}, "Two players have the same place in the turn order."),
        ({"starter": ANN, "tap_id": "x"}, "This form is damaged. Reload the page."),
    ],
)
def test_a_game_that_can_not_start_so_is_refused(table, tap, form, message):
    """Bo conceded game 1."""
    record(table, Concede(BO), Draw())

    with unchanged():
        response = tap("start_game", 2, **form)

    assert refusal(response) == (422, message)


def test_the_start_can_be_changed_while_no_event_is_in_force(table, scorer, tap):
    page = scorer.get(address(table, "change_start", 1))
    assert "Who starts game 1?" in words(page)

    response = tap("change_start", 1, starter=CY)

    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert the_game(table).turn_order == [CY, DI, ANN, BO]
    check_books(table)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "This game has begun: undo its events first."),
        (2, "That game is not there any more. Here is the table as it stands."),
    ],
)
def test_the_start_of_a_game_that_has_begun_or_is_not_there_is_not_changed(
    table, scorer, number, told
):
    record(table, PassTurn())
    where, form = address(table, "change_start", number), {"tap_id": tap_id(1), "starter": CY}

    with unchanged():
        shown, sent = scorer.get(where), scorer.post(where, form)

    assert (shown.status_code, shown["Location"]) == (302, address(table, "score"))
    assert refusal(sent) == (422, told)


def test_a_game_is_taken_back_while_no_event_is_in_force(table, scorer, tap):
    record(table, PassTurn(), Undo(1))
    assert form_to(scorer.get(address(table, "score")), address(table, "take_back", 1))

    response = tap("take_back", 1)

    assert (response.status_code, response["Location"]) == (302, address(table, "score"))
    assert list(Game.objects.values_list("taken_back", flat=True)) == [True]
    assert "Game 1 is next" in words(scorer.get(address(table, "score")))


def test_a_set_is_called_and_goes_on_after_all(table, scorer, tap):
    record(table, hit(ANN, BO, 3), Draw())

    called = tap("call")

    assert (called.status_code, called["Location"]) == (302, address(table, "score"))
    assert results(table)[0] == (ANN, 1, 3, 1, 0)
    assert "Continue the set after all" in words(scorer.get(address(table, "score")))

    tap("call", go_on=1)

    assert results(table) == []
    assert form_to(scorer.get(address(table, "score")), address(table, "start_game", 2))


# --- the clock of the whole set ---
SET_CLOCK = re.compile(r'id="set-clock".*?</small>')
NOTES = [
    "20 of the set’s 120 minutes are left.",
    "The set’s 120 minutes are over. It can be ended after this game.",
]


def started(ruleset: Ruleset, minutes: int) -> GameSet:
    """Return a table that has played game 1, which began so long ago, and has begun game 2."""
    table = set_up(ruleset=ruleset, first=None)
    commands.start_game(table, 1, first=ANN, at=timezone.now() - timedelta(minutes=minutes))
    record(table, Draw())
    commands.start_game(table, 2, first=ANN)
    return table


def test_only_000_gives_a_set_120_minutes():
    given = {ruleset.key: ruleset.minutes for ruleset in RULESETS.values() if ruleset.minutes}

    assert given == dict.fromkeys(("coalition-readme", "coalition-readme-21"), 120)


@pytest.mark.parametrize(
    ("minutes", "due"), [(99, []), (100, NOTES[:1]), (119, NOTES[:1]), (120, NOTES[1:])]
)
def test_the_clock_of_a_set_counts_from_its_first_game_and_has_a_note_at_100_and_120(minutes, due):
    table = started(COALITION_README, minutes)

    page = holder(table).get(address(table, "score"))

    [clock] = SET_CLOCK.findall(text(page))
    assert the_game(table).started_at.strftime("%Y-%m-%dT%H:%M:%S") in clock
    assert re.findall(r'data-minute="\d+"><span>(.*?)</span>', text(page)) == due
    record(table, Draw(), game=2)
    commands.call_set(table)
    assert "set-clock" not in text(holder(table).get(address(table, "score")))


def test_an_answer_to_a_tap_leaves_the_clock_of_the_set_as_it_is():
    """It knows the game that goes on only; the page keeps what has an id and hx-preserve."""
    table = started(COALITION_README, 30)
    form = {"tap_id": tap_id(1), "pad": "another"}

    where = address(table, "turn", 2)
    page = holder(table).post(where, form, headers={"HX-Request": "true"})

    assert [" ".join(clock.split()) for clock in SET_CLOCK.findall(text(page))] == [
        'id="set-clock" hx-preserve></small>'
    ]
    assert '<div id="set-notes" hx-preserve role="status"></div>' in text(page)


def test_between_games_everybody_is_told_to_sideboard(table, scorer):
    """000: you sideboard between matches, and the hero starts each game outside."""
    told = "Sideboard now , and put the heroes outside the game."
    assert told not in words(scorer.get(address(table, "score")))

    record(table, Draw())

    assert told in words(scorer.get(address(table, "score")))


def test_the_clock_of_a_set_is_shown_and_hidden_where_the_rules_give_no_time(table, scorer, tap):
    shown = []
    for form in ({}, {"on": 1}, {"off": 1}):
        if form:
            response = tap("set_clock", **form)
            assert (response.status_code, response["Location"]) == (302, address(table, "links"))
        shown.append("set-clock" in text(scorer.get(address(table, "score"))))

    assert shown == [False, True, False]
