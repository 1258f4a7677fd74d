"""Every move has forms, made from the fields of its class; ordinary hits are read without one."""

from dataclasses import replace
from random import Random

import pytest
from django.http import QueryDict

from scoring.record.inventing import invent
from scoring.rules.fields import SeatList, contradictions, specs
from scoring.rules.formats import RULESETS
from scoring.rules.state import new_game
from scoring.tables.move_forms import AmendForm, MoveForm

from ..browsing import Page
from . import tap_id

FOUR = {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}

every_move = pytest.mark.parametrize(
    ("ruleset", "of"),
    [
        pytest.param(ruleset, of, id=f"{ruleset.key}-{of.type}")
        for ruleset in RULESETS.values()
        for of in sorted(ruleset.moves, key=lambda move: move.type)
    ],
)


def moves(ruleset, of, number=20):
    state, dice = new_game(ruleset, tuple(FOUR)), Random(of.type)
    invented = [in_seat_order(invent(dice, state, of)) for _ in range(number)]
    return [move for move in invented if not list(contradictions(move))]


def in_seat_order(move):
    lists = [name for name, (spec, _) in specs(type(move)).items() if isinstance(spec, SeatList)]
    return replace(move, **{name: tuple(sorted(getattr(move, name))) for name in lists})


def sent(form, **also):
    (page,) = Page(f"<form>{form.as_div()}</form>").forms
    data = QueryDict(mutable=True)
    for name, values in (page.fields | {name: [value] for name, value in also.items()}).items():
        data.setlist(name, values)
    return data


@every_move
def test_a_move_amended_as_its_form_stands_is_the_same_again(ruleset, of):
    for move in moves(ruleset, of):
        form = AmendForm(move, FOUR, sent(AmendForm(move, FOUR)))

        assert form.is_valid(), (move, form.errors)
        assert form.cleaned_data["move"] == move


@every_move
def test_a_moves_form_is_filled_from_its_address(ruleset, of):
    if not of.title:
        pytest.skip("asked for by the keys of the board")
    for move in moves(ruleset, of):
        fields = {name: getattr(move, name) for name in of.__dataclass_fields__}
        numbers = {f"by-{seat}": by for seat, by in fields.get("points", {}).items()}
        asking = MoveForm(of, names=FOUR, initial=fields | numbers)

        form = MoveForm(of, sent(asking, tap_id=str(tap_id(1))), names=FOUR)

        assert form.is_valid(), (move, form.errors)
        assert form.cleaned_data["move"] == move
