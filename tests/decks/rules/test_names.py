"""Names match however they are typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.rules.names import front_key, name_key


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("  LIGHTNING \t bolt ", "lightning bolt"),
        ("Lightning\u00a0Bolt", "lightning bolt"),
        ("Light\u200bning Bolt", "lightning bolt"),
        ("Jo\u0308tun Grunt", "jotun grunt"),
        ("Æther Vial", "aether vial"),
        ("æther vial", "aether vial"),
        ("Cœur", "coeur"),
        ("Smørrebrød", "smorrebrod"),
        ("Urza’s Saga", "urzas saga"),
        ("Urza‘s Saga", "urzas saga"),
        ("Urza´s Saga", "urzas saga"),
        ("Urza`s Saga", "urzas saga"),
        ("Urzaʼs Saga", "urzas saga"),
        ("Urza′s Saga", "urzas saga"),
        ("Urza＇s Saga", "urzas saga"),
        ("Kongming, “Sleeping Dragon”", 'kongming, "sleeping dragon"'),
        ("Sol‑Ring", "sol-ring"),
        ("Sol–Ring", "sol-ring"),
        ("Sol—Ring", "sol-ring"),
        ("Sol−Ring", "sol-ring"),
        ("Fire /// Ice", "fire/ice"),
        ("Who // What // When", "who/what/when"),
        ("R&D's Secret Lair", "r&ds secret lair"),
        ("", ""),
    ],
)
def test_name_is_compared_without_what_people_type_differently(written, key):
    assert name_key(written) == key


def test_other_punctuation_keeps_names_apart():
    names = ["Sol Ring", "Sol-Ring", "Sol, Ring", "Sol: Ring", "SolRing", "Sol Ring!"]

    assert len({name_key(name) for name in names}) == len(names)


@pytest.mark.parametrize("written", ["Fire // Ice", "Fire / Ice", "Fire//Ice", "Fire/Ice", "Fire"])
def test_front_is_what_stands_before_the_first_slash(written):
    assert front_key(written) == "fire"


@given(st.text())
def test_key_of_a_key_is_itself(name):
    key = name_key(name)

    assert name_key(key) == key
