"""What a format does in many turns stands beside the keys of its pad, for whoever has the turn."""

import pytest

from coalition_site.lib import parts
from scoring.rules.formats import leveler
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.leveler import LEVELER, UseUpLibrary
from scoring.rules.moves import PassTurn
from tests.scoring.rules.play import ANN, BO, hit

from ..browsing import form_to, parse
from ..tables import address, events, holder, record, set_up, text

pytestmark = pytest.mark.django_db


def press(table, name, *args, **button):
    scorer = holder(table)
    form = form_to(scorer.get(address(table, "score")), address(table, name, *args))
    return scorer.post(address(table, name, *args), form.fields | button)


def test_the_library_of_the_active_player_is_empty_by_one_tap():
    table = set_up(ruleset=LEVELER)
    record(table, PassTurn())

    press(table, "own", 1, "library")

    assert events(table)[-1][1] == {"type": "library", "players": ["2"]}


def test_the_bar_of_damage_ends_at_the_highest_mark_of_the_rules(monkeypatch):
    monkeypatch.setattr(leveler, "THRESHOLDS", (12, 24))
    monkeypatch.setattr(parts, "_renderings", {})  # rows that were drawn by the marks of the rules
    table = set_up(2, ruleset=LEVELER)
    record(table, hit(BO, ANN, 26))

    bars = parse(text(holder(table).get(address(table, "score")))).xpath("//progress")

    assert [(bar.get("value"), bar.get("max")) for bar in bars] == [("24", "24"), ("0", "24")]


def test_who_has_no_library_left_draws_from_it_by_the_same_key():
    table = set_up(ruleset=LEVELER)
    record(table, *[UseUpLibrary((ANN,))] * 3)

    press(table, "own", 1, "overdraw")

    assert events(table)[-1][1] == {"type": "overdraw", "players": ["1"]}


def test_the_active_player_is_crowned_by_one_tap():
    """003 23: Cards make a player the monarch."""
    table = set_up(ruleset=CONSPIRACY)
    record(table, PassTurn())

    press(table, "more", 1, monarch="crown")

    assert events(table)[-1][1] == {"type": "monarch", "player": "2"}


def test_votes_goads_and_agendas_are_asked_for_from_the_pad():
    table = set_up(ruleset=CONSPIRACY)
    record(table, PassTurn())
    page = parse(text(holder(table).get(address(table, "score"))))

    assert page.xpath('//div[@class="strip"]/a/@href') == [
        address(table, "call_vote", 1),
        f"{address(table, 'own', 1, 'goad')}?player={BO}",
        address(table, "agendas", 1),
    ]


def test_what_the_pad_asks_for_is_filled_in_for_the_active_player():
    table = set_up(ruleset=CONSPIRACY)
    asked = holder(table).get(f"{address(table, 'own', 1, 'goad')}?player={BO}")

    form = form_to(asked, address(table, "own", 1, "goad"))

    assert form.fields["player"] == [str(BO)]
