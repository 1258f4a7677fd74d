"""The pad's hits: those that need no form are read as the form would read them."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from hypothesis import event, given
from hypothesis import strategies as st

from scoring.forms import taps
from scoring.forms.taps import HitForm, TappedHit, plain_hit, read_hit
from scoring.rules.damage import Kind
from scoring.rules.taps import Aim, Targets
from tests.scoring.rules.play import ANN, BO, CY, NAMES

from ..tables import tap_id

PLAIN = {"tap_id": str(tap_id(1)), "source": "1", "kind": "combat", "amount": "3"}
SEATS = ["1", "2", "5", "6", "0", "01", " 1", "１", "each", "Each", "", "None", "\0"]
NUMBERS = [
    "1",
    "7",
    "9999",
    "10000",
    "0",
    "007",
    "-1",
    "+1",
    "1.0",
    " 14 ",
    "٣",
    "²",
    "",
    "\0",
    "x",
]
FLAGS = ["1", "0", "", "on", "false", "True"]
VALUES = {
    "tap_id": [
        PLAIN["tap_id"],
        PLAIN["tap_id"].upper(),
        PLAIN["tap_id"].replace("-", ""),
        f"{{{PLAIN['tap_id']}}}",
        f" {PLAIN['tap_id']}\n",
        f"{PLAIN['tap_id']}\n",
        "",
        "x",
    ],
    "source": SEATS,
    "target": SEATS,
    "kind": ["combat", "hero", "other", "Combat", "combat ", "", "poison"],
    "amount": NUMBERS,
    "typed": NUMBERS,
    "toxic": NUMBERS,
    **dict.fromkeys(("signs", "infect", "lifelink", "together"), FLAGS),
    "collected": ["1.2.3.combat.0.0.0", "x"],
    "elsewhere": [""],
}


@st.composite
def forms(draw: Any) -> QueryDict:
    fields = {name: [value] for name, value in PLAIN.items()}
    for name in draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=3)):
        usual = st.sampled_from(VALUES[name])
        values = st.lists(st.one_of(usual, usual, st.text(max_size=3)), max_size=3)
        fields[name] = draw(values)
    return QueryDict(urlencode(fields, doseq=True))


def is_plain(data: QueryDict, players: int = 4) -> bool:
    """Return whether a hit is plain, after a look at whether the form agrees then."""
    names = {seat: NAMES[seat] for seat in range(1, players + 1)}
    hit = plain_hit(data, names)
    if hit is not None:
        form = HitForm(data, names=names)
        assert form.is_valid(), form.errors
        cleaned = form.cleaned_data
        assert hit == TappedHit(cleaned["tap_id"], cleaned["aim"], cleaned["together"])
    return hit is not None


@given(forms(), st.integers(2, 5))
def test_a_plain_hit_is_read_as_the_form_reads_it(data, players):
    event("plain" if is_plain(data, players) else "by the form")


@pytest.mark.parametrize("name", VALUES)
def test_a_plain_hit_is_read_as_the_form_reads_it_whatever_one_field_says(name):
    for value in VALUES[name]:
        for before in ([], VALUES[name][:1]):
            is_plain(QueryDict(urlencode(PLAIN | {name: [*before, value]}, doseq=True)))


@pytest.mark.parametrize(
    ("fields", "targets", "amount"),
    [
        ({"amount": "3"}, Targets.LAST, 3),
        ({"amount": "3", "tap_id": tap_id(1).hex}, Targets.LAST, 3),  # as outbox.js writes it
        ({"amount": "3", "target": ["2", "3"]}, (BO, CY), 3),
        ({"amount": "10", "target": "each", "typed": "", "toxic": ""}, Targets.EACH, 10),
        ({"amount": "", "typed": "9999", "target": "2"}, (BO,), 9999),
    ],
)
def test_what_the_keys_of_the_pad_send_needs_no_form(fields, targets, amount, monkeypatch):
    monkeypatch.setattr(taps, "HitForm", None)
    data = QueryDict(urlencode(PLAIN | fields, doseq=True))

    aim = Aim(source=ANN, targets=targets, amount=amount, kind=Kind.COMBAT)
    assert read_hit(data, NAMES) == TappedHit(tap_id(1), aim)
