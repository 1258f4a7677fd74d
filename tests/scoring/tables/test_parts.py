"""Parts of pages that are drawn once: the stored drawing is right wherever it is shown."""

from contextlib import suppress
from random import Random

import pytest
from django.http import QueryDict
from django.template import engines
from jinja2 import StrictUndefined

from coalition_site.lib import parts
from coalition_site.lib.parts import Part
from scoring.models import GameSet
from scoring.record import commands
from scoring.record.queries import CurrentGame, current_game
from scoring.record.simulation import random_move
from scoring.rules.damage import DealDamage
from scoring.rules.errors import RuleError
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy_draft import TakeNote
from scoring.rules.moves import Draw
from scoring.rules.ruleset import Ruleset
from scoring.tables.board import board
from scoring.tables.scorekeeper import HitKeys, pad
from tests.scoring.rules.play import ANN, BO, hit

from . import record, set_up, the_game

pytestmark = pytest.mark.django_db
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@pytest.fixture(autouse=True)
def drawings(monkeypatch) -> dict[Part, str]:
    """Return the stored drawings: none at the start of a test."""
    drawings: dict[Part, str] = {}
    monkeypatch.setattr(parts, "_renderings", drawings)
    return drawings


def parts_of(table: GameSet) -> list[Part]:
    """Return the rows of a table's board, and the keys of its pad if it has them."""
    current = current_game(table, the_game(table))
    keys = [keys_of(current)] if DealDamage in table.rules.moves else []
    return [*board(current, {ANN: "20"})["players"], *keys]


def keys_of(current: CurrentGame, typed: QueryDict | None = None) -> HitKeys:
    keys = pad(current, (), typed, "", is_used=False)["keys"]
    assert isinstance(keys, HitKeys)
    return keys


def play(table: GameSet, dice: Random) -> None:
    state = the_game(table).current_state
    with suppress(RuleError):
        commands.record(table, 1, Draw() if state.is_over else random_move(dice, state))


def tables(ruleset: Ruleset) -> list[GameSet]:
    """Seat a table, and another at which other people sit in the same seats."""
    names = ["Ann & Co", "Bo", "Cy", "<i>Di</i>"]
    other = commands.create_set(ruleset, names, key="another-key", seed=1)
    commands.start_game(other, 1, first=ANN)
    return [set_up(ruleset=ruleset), other]


@every_ruleset
def test_a_stored_drawing_is_as_a_new_one_of_its_fields_alone_at_every_table(ruleset, drawings):
    """A variable of the page would be empty in a part, and nobody would see why."""
    dice, seated = Random(1), tables(ruleset)
    strict = engines["jinja2"].env.overlay(undefined=StrictUndefined)

    for _ in range(25):
        for table in seated:
            play(table, dice)
            for part in parts_of(table):
                drawing = strict.get_template(part.template).render(part=part)
                assert part.__html__() == drawing

    assert 0 < len(drawings) <= parts.PARTS_MAX


def test_rows_that_stay_the_same_are_not_drawn_again(drawings):
    table = set_up()
    for part in parts_of(table):
        part.__html__()
    before = len(drawings)
    record(table, hit(ANN, BO, 3))

    for part in parts_of(table):
        part.__html__()

    assert len(drawings) - before == 3, "two rows and the keys with another ring"


def test_what_somebody_typed_is_not_stored(drawings):
    table = set_up()
    current = current_game(table, the_game(table))
    for refused in ("kind=hero&typed=x", "kind=combat&source=%3Cb%3E", "kind=combat"):
        keys_of(current, QueryDict(refused)).__html__()

    assert len(drawings) == 0


def test_a_long_drawing_is_not_stored(drawings):
    """Anybody can fill a draft with notes, each of which makes a row another one."""
    table = set_up(ruleset=RULESETS["conspiracy-draft"])
    note = "x" * 200
    for _ in range(parts.LONGEST // len(note)):
        record(table, TakeNote(ANN, "Cogwork Librarian", name=note))
    for part in parts_of(table):
        part.__html__()

    assert len(drawings) == len(parts_of(table)) - 1


def test_the_drawings_have_a_bound(drawings, monkeypatch):
    monkeypatch.setattr(parts, "PARTS_MAX", 3)
    table = set_up()
    for number in range(4):
        record(table, hit(ANN, BO, 1 + number))
        for part in parts_of(table):
            part.__html__()

        assert 0 < len(drawings) <= 3
