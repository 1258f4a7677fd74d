"""The pad's hits, as the keys of the pad send them."""

from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from scoring.forms.taps import TappedHit, read_hit
from scoring.rules.damage import Kind
from scoring.rules.taps import Aim, Targets
from tests.scoring.rules.play import ANN, BO, CY, NAMES

from ..tables import tap_id

PLAIN = {"tap_id": str(tap_id(1)), "source": "1", "kind": "combat", "amount": "3"}


@pytest.mark.parametrize(
    ("fields", "targets", "amount"),
    [
        ({}, Targets.LAST, 3),
        ({"tap_id": tap_id(1).hex}, Targets.LAST, 3),  # as outbox.js writes it
        ({"target": ["2", "3"]}, (BO, CY), 3),
        ({"amount": "10", "target": "each", "typed": "", "toxic": ""}, Targets.EACH, 10),
        ({"amount": "", "typed": "9999", "target": "2"}, (BO,), 9999),
    ],
)
def test_a_hit_is_read_as_the_keys_of_the_pad_send_it(fields, targets, amount):
    data = QueryDict(urlencode(PLAIN | fields, doseq=True))

    aim = Aim(source=ANN, targets=targets, amount=amount, kind=Kind.COMBAT)
    assert read_hit(data, NAMES) == TappedHit(tap_id(1), aim)
