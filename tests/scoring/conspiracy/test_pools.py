"""The pools of a draft: what was noted, the way to a deck, the clock, and who sees a deck."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.conspiracy.pools import drafted, pools
from scoring.models import GameSet, Seat
from scoring.record import commands
from scoring.rules.formats.conspiracy import CONSPIRACY
from scoring.rules.formats.conspiracy_draft import (
    CONSPIRACY_DRAFT,
    DraftFaceUp,
    EndDraft,
    Reveal,
    TakeNote,
    TurnDown,
)
from scoring.rules.moves import Concede
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.lists import register
from tests.scoring.rules.play import ANN, BO, CY, game, play

from ..browsing import words
from ..tables import record, the_game
from .test_drafts import pod

pytestmark = pytest.mark.django_db
PEOPLE = ["Ann", "Bo", "Cy"]


def test_each_pool_has_what_was_drafted_openly_and_the_clock_starts_as_the_draft_ends():
    table = pod(3, over=False)
    where = reverse("pools", args=[table.code])

    shown = list(pools(table, the_game(table)))

    assert [(pool["who"].name, [*pool["cards"]]) for pool in shown] == [
        ("Ann", ["Garbage Fire"]),
        ("Bo", ["Noble Banneret", "<i>Elf"]),
        ("Cy", ["Smuggler Captain"]),
    ]
    form = Client().get(shown[1]["address"]).content.decode()
    assert ">Pool\n1 Noble Banneret\n1 &lt;i&gt;Elf\n</textarea>" in form
    assert '<option value="conspiracy" selected>' in form
    assert "The draft goes on." in words(Client().get(where))
    record(table, EndDraft())
    over = words(Client().get(where))
    assert "30 minutes are usual" in over
    assert "At least 40 cards" in over


@pytest.mark.parametrize(
    ("moves", "pool"),
    [
        ([DraftFaceUp(ANN, "Fork"), TurnDown(ANN, "Fork")], ["Fork"]),
        ([Reveal(ANN, "Fork", 4), TakeNote(ANN, "fork", 5)], ["Fork"]),
        ([TakeNote(ANN, "Smuggler Captain", name="Fork")], ["Smuggler Captain", "Fork"]),
        ([TakeNote(ANN, "noble banneret", name="Elf", down=False)], ["noble banneret", "Elf"]),
        ([Reveal(ANN, "Aether Searcher", None, "Elf")], ["Aether Searcher", "Elf"]),
        (
            [Reveal(ANN, "Fork"), TakeNote(ANN, "Smuggler Captain", name="fork")],
            ["Fork", "Smuggler Captain"],
        ),
        ([TakeNote(ANN, "Paliano Vanguard", name="Elf Druid")], ["Paliano Vanguard"]),
        ([TakeNote(ANN, "Spire Phantasm", name="Fork, guessed right")], ["Spire Phantasm"]),
        ([TakeNote(ANN, "Animus of Predation", name="Elf")], ["Animus of Predation"]),
    ],
)
def test_a_card_that_is_noted_as_its_player_drafts_it_is_in_the_pool(moves, pool):
    assert drafted(play(*moves, start=game(CONSPIRACY_DRAFT, players=3)), ANN) == pool


def test_a_card_that_went_into_a_pack_is_in_the_pool_of_whoever_drafts_it_next():
    log = play(
        DraftFaceUp(ANN, "Fork"),
        DraftFaceUp(ANN, "Cogwork Librarian"),
        TurnDown(ANN, "cogwork librarian", into_pack=True),
        DraftFaceUp(BO, "Cogwork Librarian"),
        start=game(CONSPIRACY_DRAFT, players=3),
    )

    assert (drafted(log, ANN), drafted(log, BO)) == (["Fork"], ["Cogwork Librarian"])


def test_a_deck_at_the_table_is_judged_for_all_and_seen_when_the_game_is_over():
    given(card("Plains", "Basic Land — Plains"))
    draft = pod(3)
    table = commands.create_set(CONSPIRACY, PEOPLE, key="another", draft=draft)
    commands.start_game(table, 1, first=ANN)
    deck = register("Ann's secret", "40 Plains", ruleset="conspiracy")
    commands.bring_deck(table, ANN, deck.revisions.get())
    address, where = f"/decks/{deck.code}/", reverse("watch", args=[table.code])

    assert Client().get(reverse("pools", args=[table.code])).status_code == 404  # the draft has
    (ann, bo, _) = pools(draft, the_game(draft))
    assert (ann["deck"], ann["is_legal"], bo["deck"]) == (40, True, None)
    assert Seat.objects.get(game_set=table, number=ANN).deck_report["legal"]
    before = Client().get(where).content.decode()
    assert address not in before
    assert "seen when the game is over" in before

    record(table, Concede(BO), Concede(CY))

    assert GameSet.objects.get(pk=table.pk).finished_at < timezone.now()
    assert address in Client().get(where).content.decode()
