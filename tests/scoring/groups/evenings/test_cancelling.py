"""An evening is cancelled while nothing was played, and nobody's table is lost by it."""

import pytest
from django.urls import reverse

from scoring.groups import audit
from scoring.groups.evenings import commands
from scoring.models import Delivery, Evening, GameSet, Playgroup
from scoring.news import webhooks
from scoring.play import commands as play
from scoring.play.errors import GroupRefused
from scoring.results import counting
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.scoring.grouped import group
from tests.scoring.tables import unchanged

pytestmark = pytest.mark.django_db
SIX = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay"]


@pytest.fixture
def evening() -> Evening:
    made = commands.create_evening(
        group("Friday"), "By mistake", COALITION_906, rounds=2, usual_size=3, seed=5
    )
    commands.arrive(made, SIX)
    return made


def begun(evening: Evening) -> list[GameSet]:
    return [table.game_set for table in commands.begin_round(commands.draw_round(evening))]


def test_an_evening_without_a_game_is_deleted_with_all_that_was_planned(evening):
    commands.draw_round(evening)
    of = evening.playgroup

    commands.cancel_evening(evening)

    assert not of.evenings.exists()
    assert sorted(of.players.values_list("name", flat=True)) == SIX
    assert list(audit.faults(of)) == []


def test_tables_that_were_seated_stay_in_the_playgroup_and_can_still_be_played(evening):
    of, (table, other) = evening.playgroup, begun(evening)

    commands.cancel_evening(evening)

    assert set(of.sets.all()) == {table, other}
    table.refresh_from_db()
    play.start_game(table, 1, first=1)
    assert GameSet.objects.get(pk=other.pk).key_hash
    assert list(audit.faults(of)) == []


def test_no_stranger_watches_tables_of_a_private_playgroup_after_it(client, evening):
    Playgroup.objects.update(visibility="private")
    table, _ = begun(evening)

    commands.cancel_evening(evening)

    code = table.code
    pages = [reverse(name, args=[code]) for name in ("watch", "table", "log", "export", "stream")]
    pages.append(reverse("api_set", args=[code]))
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 404)


def test_a_game_that_was_taken_back_is_no_game(evening):
    table, _ = begun(evening)
    play.start_game(table, 1, first=1)
    play.take_back_game(table, 1)

    commands.cancel_evening(evening)

    assert not Evening.objects.exists()


@pytest.mark.parametrize("is_finished", [False, True])
def test_an_evening_with_a_game_stays(evening, is_finished):
    table, _ = begun(evening)
    play.start_game(table, 1, first=1)
    if is_finished:
        play.record(table, 1, Draw())
        play.call_set(table)

    with unchanged(), pytest.raises(GroupRefused, match="A game was started on this evening"):
        commands.cancel_evening(evening)


def test_a_round_that_begins_meanwhile_keeps_the_evening(evening, monkeypatch):
    lock_group = counting.lock_group

    def begin_first(group: int) -> None:
        monkeypatch.setattr(counting, "lock_group", lock_group)
        begun(evening)

    monkeypatch.setattr(counting, "lock_group", begin_first)

    with unchanged(), pytest.raises(GroupRefused, match="A round was begun meanwhile"):
        commands.cancel_evening(evening)


def test_no_standings_of_a_cancelled_evening_are_sent(evening):
    webhooks.save(
        evening.playgroup,
        "json",
        "https://hooks.slack.com/hook",
        site="https://table.example",
        key="key",
    )
    commands.end_evening(evening)
    assert Delivery.objects.count() == 1

    commands.cancel_evening(evening)

    assert not Delivery.objects.exists()
