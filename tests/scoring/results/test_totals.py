"""Totals of pairs and heroes: what every set adds, and what corrections change."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from scoring.groups import audit, merging, set_membership
from scoring.models import DeckTally, HeroTally, Meeting, Playgroup, SetResult
from scoring.play import audit as audit_of_set
from scoring.play import commands
from scoring.rules.corrections import Undo
from scoring.rules.moves import Draw
from tests.decks.lists import ELVES, register

from ..grouped import group, play
from ..groups.test_teams import war

MARCH = date(2026, 3, 6)
WEEK = timedelta(weeks=1)


@pytest.fixture
def thursday(db: None) -> Playgroup:
    return group()


def pairs() -> list[tuple[object, ...]]:
    fields = ("player__name", "other__name", "sets", "ahead", "behind")
    points = ("points", "games", "others_points", "others_games")
    rows = Meeting.objects.order_by("player__name", "other__name")
    return list(rows.values_list(*fields, *points))


def decks() -> list[tuple[object, ...]]:
    fields = ("player__name", "deck__name", "ruleset", "sets", "sets_won")
    return list(DeckTally.objects.order_by("player__name", "deck__name").values_list(*fields))


def test_each_pair_of_a_set_is_added_once(thursday):
    play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3), "Cy": (7, 7, 7)})
    play(thursday, MARCH + WEEK, {"Bo": (9, 9, 9), "Ann": (1, 1, 1)})

    assert pairs() == [
        ("Ann", "Bo", 2, 1, 1, 24, 6, 36, 6),
        ("Ann", "Cy", 1, 0, 0, 21, 3, 21, 3),
        ("Bo", "Cy", 1, 0, 1, 9, 3, 21, 3),
    ]


def test_teammates_are_no_pair_and_repair_agrees(thursday):
    war(thursday, "Ann Bo Cy Di", 1)
    counted = pairs()
    audit.repair(thursday)

    assert [row[:5] for row in counted] == [
        ("Ann", "Cy", 1, 1, 0),
        ("Ann", "Di", 1, 1, 0),
        ("Bo", "Cy", 1, 1, 0),
        ("Bo", "Di", 1, 1, 0),
    ]
    assert pairs() == counted
    assert list(audit.faults(thursday)) == []


def test_a_set_that_is_opened_again_or_taken_out_leaves_no_totals(thursday):
    table = play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    commands.record(table, 3, Undo(), at=timezone.now())
    opened = pairs()
    commands.record(table, 3, Draw(), at=timezone.now())
    ended = pairs()
    set_membership.take_out(table)

    assert (opened, pairs()) == ([], [])
    assert ended == [("Ann", "Bo", 1, 1, 0, 21, 3, 9, 3)]


def test_a_merge_moves_totals_and_its_undo_moves_them_back(thursday):
    play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    play(thursday, MARCH + WEEK, {"Annie": (7, 7, 7), "Bo": (3, 3, 3)})
    before = pairs()
    annie = thursday.players.get(name="Annie")

    merging.merge(annie, thursday.players.get(name="Ann"))
    merged = pairs()
    merging.separate(annie)

    assert merged == [("Ann", "Bo", 2, 2, 0, 42, 6, 18, 6)]
    assert len(before) == 2
    assert pairs() == before


def test_heroes_are_added_by_player_hero_and_type(thursday):
    play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    SetResult.objects.filter(player__name="Ann").update(hero="Krenko", coalition_type="Goblin")
    audit.repair(thursday)

    fields = ("player__name", "hero", "coalition_type", "sets", "sets_won", "games")
    assert list(HeroTally.objects.values_list(*fields, "victory_points")) == [
        ("Ann", "Krenko", "Goblin", 1, 1, 3, 21)
    ]


def test_a_deck_is_counted_when_a_set_ends_and_until_it_is_opened_again(thursday):
    elves = register("Elves", ELVES).revisions.get()
    table = play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}, decks={1: elves})
    play(thursday, MARCH + WEEK, {"Ann": (1, 1, 1), "Bo": (9, 9, 9)}, decks={1: elves})
    both = decks()
    commands.record(table, 3, Undo(), at=timezone.now())

    assert both == [("Ann", "Elves", "coalition-906", 2, 1)]
    assert decks() == [("Ann", "Elves", "coalition-906", 1, 0)]
    assert list(audit.faults(thursday)) == []


def test_decks_that_an_older_version_did_not_count_are_counted_by_repair(thursday):
    elves = register("Elves", ELVES).revisions.get()
    table = play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}, decks={1: elves})
    DeckTally.objects.all().delete()
    SetResult.objects.update(deck=None, best_turn=None)

    assert list(audit_of_set.faults(table)) == []
    commands.repair(table)

    assert decks() == [("Ann", "Elves", "coalition-906", 1, 1)]


def test_results_that_an_older_version_wrote_end_no_tap_and_are_counted_by_repair(thursday):
    table = play(thursday, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    play(thursday, MARCH + WEEK, {"Ann": (1, 1, 1), "Bo": (9, 9, 9)})
    Meeting.objects.all().delete()

    assert list(audit.faults(thursday)) == []
    assert audit.is_uncounted(thursday)

    commands.record(table, 3, Undo(), at=timezone.now())
    assert pairs() == []
    commands.record(table, 3, Draw(), at=timezone.now())
    assert list(audit.faults(thursday)) == [
        f"playgroup {thursday.code}: its totals of pairs and heroes are not what its sets give"
    ]
    audit.repair(thursday)
    assert pairs() == [("Ann", "Bo", 2, 1, 1, 24, 6, 36, 6)]
    assert list(audit.faults(thursday)) == []
