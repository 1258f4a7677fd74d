"""Stored states are read by names, in the order in which the first release wrote them."""

from typing import ClassVar

import pytest

from scoring.rules.formats import COALITION_906, RULESETS
from scoring.rules.state import PlayerState, new_game
from scoring.setlog import codec

PLAYER = ("life", "poison", "points", "out", "barred", "cannot_lose", "cannot_win", "hero")
FIRST = {
    "coalition": (PLAYER, ()),
    "leveler": ((*PLAYER, "taken", "gone"), ()),
    "conspiracy": (
        (*PLAYER, "face_up", "agendas"),
        ("has_begun", "council", "ballots", "goads", "attacked"),
    ),
    "conspiracy-draft": ((*PLAYER, "face_up", "revealed", "notes"), ("round",)),
    "realm-wars": (
        (*PLAYER, "zones", "legend", "decked"),
        ("commanders", "phase", "priority", "passes", "attacked"),
    ),
}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.key)
def test_rows_begin_as_those_of_the_first_release(ruleset):
    player, game = FIRST[ruleset.format]

    assert ruleset.player.stored[: len(player)] == player
    assert ruleset.game.stored[: len(game)] == game


class Later(PlayerState):
    """A player of a later version: with one fact more, which stands first in the class."""

    stored: ClassVar[tuple[str, ...]] = (*PlayerState.stored, "shield")

    shield: int = 7


def test_a_row_of_an_older_version_has_the_newer_facts_at_their_defaults(monkeypatch):
    written = codec.write_state(new_game(COALITION_906, (1, 2)))
    monkeypatch.setattr(type(COALITION_906), "player", Later)

    state = codec.read_state(written)

    assert {player.shield for player in state.players.values()} == {7}
    assert [player.life for player in state.players.values()] == [25, 25]
