"""Names from right to left: they stand apart from what is beside them, and are kept as they are."""

import json
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import GameSet, Playgroup
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from tests.scoring.rules.play import hit

from ..grouped import group, play
from . import KEY, address, holder, text

SARA = "שרה"
APART = f"\N{FIRST STRONG ISOLATE}{SARA}\N{POP DIRECTIONAL ISOLATE}"
IN_HTML = f"<bdi>{SARA}</bdi>"


@pytest.fixture
def sara(db: None) -> GameSet:
    """Olga and Sara in their first game, in which Olga hit Sara for 12."""
    made = commands.create_set(COALITION_906, ["Olga", SARA], key=KEY)
    commands.start_game(made, 1, first=1)
    commands.record(made, 1, hit(1, 2, 12))
    return made


@pytest.fixture
def evening(db: None) -> tuple[Playgroup, GameSet]:
    """A finished set of a playgroup whose name runs from right to left, too."""
    made = group("Könige 👑 שלום")
    return made, play(made, date(2026, 3, 5), {SARA: (7, 0, 0), "Olga": (0, 0, 0)})


def test_an_event_is_worded_with_isolated_names(sara):
    pad = text(holder(sara).get(address(sara, "score")))
    assert f"<small>Olga → {APART} 12</small>" in pad
    assert f"<span>Olga hits {APART} for 12, combat</span>" in pad
    assert f"{IN_HTML}</span> for 12, combat" in text(Client().get(address(sara, "log")))


def test_names_stand_apart_from_dates_and_points(evening):
    made, table = evening
    final = text(Client().get(address(table, "watch")))
    player = reverse("player", args=[made.code, made.players.get(name=SARA).pk])
    assert f"<bdi>{made.name}</bdi></a> · <time" in final
    assert f'content="{APART} 7, Olga 0"' in final
    assert f"{APART} 7</text>" in final
    assert f"<b>{IN_HTML} 7</b>" in text(Client().get(player))


def test_what_is_handed_out_keeps_names_as_they_are(evening):
    made, table = evening
    ask = Client().get
    log = ask(address(table, "export")).json()
    csv = ask(reverse("results_csv", args=[made.code])).getvalue().decode()
    document = json.loads(ask(reverse("export_group", args=[made.code])).getvalue())
    assert log["players"] == [SARA, "Olga"]
    assert [line.split('","')[4] for line in csv.splitlines()[1:]] == [SARA, "Olga"]
    assert document["playgroup"]["name"] == made.name
