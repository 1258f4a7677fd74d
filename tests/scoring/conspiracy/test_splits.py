"""The tables of a draft: looked at before anybody sits, drawn again, undone, and played again."""

import json
from contextlib import AbstractContextManager
from itertools import chain
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.addresses import card_address
from scoring.conspiracy import splits
from scoring.conspiracy.pools import pools
from scoring.conspiracy.splits import Drawn
from scoring.groups.data.exporting import export_group
from scoring.groups.people import merging
from scoring.models import GameSet, Seat
from scoring.record import audit, commands, seating
from scoring.rules.errors import IllegalDeck, TableIsGone
from scoring.rules.formats.conspiracy import PutAgenda, zone
from scoring.rules.formats.conspiracy_draft import DrawnAgain, LeaveDraft
from scoring.rules.moves import Draw
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.decks.lists import register
from tests.scoring.rules.play import BO

from ..browsing import form_to, refusal, words
from ..grouped import group
from ..tables import address, everything, holder, record, tap_id, text, the_game, unchanged
from .test_drafts import PEOPLE, by_name, names, own, pod, tables, written

pytestmark = pytest.mark.django_db


def post(draft: GameSet, what: str, tap: int = 1, **said: Any) -> HttpResponse:
    return holder(draft).post(address(draft, what), {"tap_id": tap_id(tap), **said})


def page(draft: GameSet, **query: Any) -> str:
    return words(holder(draft).get(address(draft, "draft_tables"), query))


def seated(draft: GameSet, drawn: Drawn) -> list[str]:
    return [draft.names[seat] for seat in splits.order(draft, the_game(draft).current_state, drawn)]


def play(*sets: GameSet) -> None:
    for table in sets:
        commands.begin(table)
        record(table, Draw())


def sitting(draft: GameSet) -> list[list[str]]:
    return [names(table) for table in tables(draft)]


def test_who_would_sit_where_is_shown_before_anything_is_stored():
    draft = pod(7)

    with unchanged():
        shown = page(draft)

    order = seated(draft, Drawn())
    places = [shown.index(f"{name} {by_name(draft)[name]}") for name in order]
    assert places == sorted(places)
    assert shown.index("Table 2") > places[3]


@pytest.mark.parametrize(("sizes", "expected"), [("", [4, 4]), ("4-4", [4, 4]), ("5-3", [5, 3])])
def test_tables_have_the_sizes_that_were_chosen(sizes, expected):
    draft = pod(8)

    post(draft, "split", sizes=sizes)

    assert [len(table) for table in sitting(draft)] == expected
    assert list(chain.from_iterable(sitting(draft))) == seated(draft, Drawn())


def test_tables_that_were_drawn_again_are_those_that_the_page_showed():
    draft = pod(8)
    assert seated(draft, Drawn(times=3)) != seated(draft, Drawn())
    for draw in (2, 3):
        post(draft, "draw_again", draw, draw=draw)
        with unchanged():  # the same phone's repeated tap, and another's that came late
            assert post(draft, "draw_again", draw, draw=draw).status_code == 302
            late = refusal(post(draft, "draw_again", 9, draw=draw))
    assert late == (422, DrawnAgain.text)
    assert "Draw 3: everybody rolled" in page(draft)
    assert "The tables of game 1 are drawn again: draw 3" in words(
        Client().get(address(draft, "log"))
    )
    with unchanged():
        assert refusal(post(draft, "split")) == (422, DrawnAgain.text)

    post(draft, "split", draw=3)

    assert list(chain.from_iterable(sitting(draft))) == seated(draft, Drawn(times=3))
    watched = words(Client().get(address(draft, "watch")))
    assert "Everybody rolled again: this is draw 3." in watched
    for name, numbers in by_name(draft, 1, 3).items():
        assert f"{name} {numbers}" in watched


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"sizes": "3-3"}, "Tables of these sizes don't seat exactly those who play. Choose"),
        ({"sizes": "9"}, "Choose the sizes again."),
        ({"draw": "21"}, "It can be drawn 20 times at most."),
        ({"who": "99"}, "Choose who plays again."),
    ],
)
def test_what_can_not_be_drawn_is_refused_in_words(said, message):
    draft = pod(8)

    with unchanged():
        status, problem = refusal(post(draft, "split", **said))

    assert (status, problem.startswith(message)) == (422, True)
    assert page(draft, **said)  # the usual is shown instead


def test_tables_are_undone_until_a_game_has_started():
    draft = pod(8)
    before = everything()
    post(draft, "split")
    assert "Undo these tables" in page(draft)

    post(draft, "undo_split")

    assert everything() == before
    assert refusal(post(draft, "undo_split")) == (422, "There are no tables to undo.")
    assert own(draft, "leaves", player=BO).status_code == 302  # who stayed can change again
    post(draft, "split", tap=2)
    commands.begin(tables(draft)[1])
    assert "Undo these tables" not in page(draft)
    with unchanged():
        told = refusal(post(draft, "undo_split"))
    assert told == (422, "A game was started at one of these tables, so they stay.")


def test_a_table_where_a_game_starts_while_tables_are_undone_stays(monkeypatch):
    draft = pod(8)
    post(draft, "split")
    lock = splits.lock

    def start_first(table: GameSet) -> None:
        commands.start_game(tables(draft)[0], 1, first=1)
        lock(table)

    monkeypatch.setattr(splits, "lock", start_first)

    assert refusal(post(draft, "undo_split")) == (422, splits.GameStarted.text)
    assert len(tables(draft)) == 2


def test_who_starts_at_a_table_that_is_undone_meanwhile_is_told_so(monkeypatch):
    draft = pod(8)
    scorer = holder(draft)
    scorer.post(address(draft, "split"), {"tap_id": tap_id(1)})
    [table, _] = tables(draft)
    locked = commands.locked

    def undo_first(game_set: GameSet) -> AbstractContextManager[None]:
        splits.undo(draft)
        return locked(game_set)

    monkeypatch.setattr(commands, "locked", undo_first)

    answer = scorer.post(address(table, "start_game", 1), {"tap_id": tap_id(2), "roll": "1"})

    assert refusal(answer) == (422, TableIsGone.text)
    assert tables(draft) == []


def test_each_table_has_its_code_to_keep_score_or_to_watch_on_one_page():
    draft = pod(8)
    client = holder(draft)
    client.post(address(draft, "split"), {"tap_id": tap_id(1)})
    keys = [client.cookies[f"key-{table.code}"].value for table in tables(draft)]

    secret = text(client.get(address(draft, "draft_tables"), {"keys": ""}))
    public = text(client.get(address(draft, "draft_tables")))

    for table, key in zip(tables(draft), keys, strict=True):
        assert address(table, "take_key", key) in secret
        assert key not in public
        assert f"http://testserver{address(table, 'watch')}" in public
    assert secret.count('<svg class="qr"') == public.count('<svg class="qr"')


def test_newly_drawn_tables_play_the_next_game_with_notes_and_the_link_back():
    """003 44: A new game after the draft has new names.
    003 49: Notes are public in the draft and in all games after it.
    """
    draft = pod(8)
    post(draft, "split")
    first, other = tables(draft)
    commands.begin(first)
    record(first, PutAgenda(BO, "1" * 64), Draw())
    play(other)
    assert "Game 2 with the same decks" in page(draft)

    post(draft, "split_again", tap=2, sizes="5-3")

    second = tables(draft)[2:]
    assert [len(table.names) for table in second] == [5, 3]
    assert list(chain.from_iterable(map(names, second))) == seated(draft, Drawn(game=2))
    for table in second:
        shown = Client().get(address(table, "watch"))
        assert ("4 for Garbage Fire" in words(shown)) == ("Ann" in names(table))
        assert f'href="{address(draft, "watch")}"' in text(shown)
        commands.begin(table)
        assert zone.game_of(the_game(table).current_state).sealed == {}
    watched = words(Client().get(address(draft, "watch")))
    assert watched.index("Game 2") < watched.index("Game 1")


def test_the_same_tables_play_again_once_a_tap_and_whoever_goes_home_sits_at_none():
    draft = pod(8)
    post(draft, "split")
    play(*tables(draft))

    for _ in range(2):
        assert post(draft, "split_again", tap=2, same="1").status_code == 302

    first, second = sitting(draft)[:2], sitting(draft)[2:]
    assert first == second
    post(draft, "undo_split")
    assert sitting(draft) == first
    stays = [seat for seat, name in draft.names.items() if name not in ("Ann", "Hal")]
    post(draft, "split_again", tap=3, who=stays)
    assert sorted(chain.from_iterable(sitting(draft)[2:])) == sorted(set(PEOPLE) - {"Ann", "Hal"})


def with_deck(table: GameSet, seat: int, text: str) -> str:
    deck = register(f"{table.names[seat]}: {text}", text, ruleset="conspiracy")
    commands.bring_deck(table, seat, deck.revisions.get())
    return f"/decks/{deck.code}/"


def decks_at(table: GameSet) -> dict[str, str]:
    seats = Seat.objects.filter(game_set=table, deck__isnull=False)
    return {seat.name: f"/decks/{seat.deck.deck.code}/" for seat in seats}


@pytest.mark.parametrize("same", ["", "1"])
def test_decks_and_pools_go_on_to_further_games_at_the_same_tables_and_at_new_ones(same):
    given(card("Plains", "Basic Land — Plains"))
    draft = pod(8)
    post(draft, "split")
    brought = {
        name: with_deck(table, seat, "40 Plains")
        for table in tables(draft)
        for seat, name in table.names.items()
    }
    play(*tables(draft))

    post(draft, "split_again", tap=2, same=same)

    second = tables(draft)[2:]
    assert {name: deck for table in second for name, deck in decks_at(table).items()} == brought
    changed = with_deck(second[0], 1, "41 Plains")
    play(*second)
    post(draft, "split_again", tap=3, same=same)
    third = {name: deck for table in tables(draft)[4:] for name, deck in decks_at(table).items()}
    assert third == brought | {names(second[0])[0]: changed}
    shown = {pool["who"].name: pool["deck"] for pool in pools(draft, the_game(draft))}
    assert shown == dict.fromkeys(PEOPLE, 40) | {names(second[0])[0]: 41}
    address_of_pools = reverse("pools", args=[draft.code])
    assert "Garbage Fire" in words(Client().get(address_of_pools))


def test_a_deck_that_its_list_refuses_today_stays_away_and_the_table_plays(monkeypatch):
    given(card("Plains", "Basic Land — Plains"))
    draft = pod(4)
    post(draft, "split")
    [table] = tables(draft)
    with_deck(table, 1, "40 Plains")
    play(table)

    def refuse(*_: object) -> None:
        raise IllegalDeck(player=1, problems="Plains is banned.")

    monkeypatch.setattr(commands, "bring_deck", refuse)

    assert post(draft, "split_again", tap=2, same="1").status_code == 302
    assert decks_at(tables(draft)[1]) == {}


def test_a_table_that_is_done_plays_again_with_its_decks_and_nothing_ends_the_other_that_plays():
    given(card("Plains", "Basic Land — Plains"))
    draft = pod(8)
    client = holder(draft)
    client.post(address(draft, "split"), {"tap_id": tap_id(1)})
    first, second = tables(draft)
    deck = with_deck(first, 1, "40 Plains")
    play(first)
    commands.begin(second)

    for where in (address(draft, "split_again"), address(second, "table_again")):
        with unchanged():
            answer = client.post(where, {"tap_id": tap_id(2)})
        assert refusal(answer)[1].startswith("A table of this draft is still playing.")
    assert "Play again with these decks" in words(client.get(address(first, "score")))
    for _ in range(2):
        client.post(address(first, "table_again"), {"tap_id": tap_id(5)})

    again = tables(draft)[2:]
    assert [(names(table), table.draft) for table in again] == [(names(first), draft)]
    assert client.get(address(again[0], "score")).status_code == 200
    assert decks_at(again[0]) == {names(first)[0]: deck}
    assert deck not in text(Client().get(address(again[0], "watch")))
    assert the_game(again[0]).rolled
    play(second)
    client.post(address(second, "table_again"), {"tap_id": tap_id(6)})
    by_game = splits.of_games([(table, []) for table in tables(draft)])
    assert {number: len(each) for number, each in by_game.items()} == {1: 2, 2: 2}


def test_a_deck_that_plays_on_is_hidden_again_wherever_its_earlier_game_leads_to_it():
    given(card("Plains", "Basic Land — Plains"), card("Double Stroke", "Conspiracy"))
    draft = pod(3, playgroup=group())
    post(draft, "split")
    [first] = tables(draft)
    deck = with_deck(first, 1, "40 Plains\n1 Double Stroke")
    addresses = [address(first, "watch"), card_address("Double Stroke")]
    addresses.append(reverse("heroes", args=[draft.playgroup.code]))

    def seen() -> list[bool]:
        written = json.loads("".join(export_group(draft.playgroup)))["sets"]
        exported = any(deck for one in written for deck in one["decks"])
        return [deck in text(Client().get(where)) for where in addresses] + [exported]

    play(first)
    assert seen() == [True] * 4
    post(draft, "split_again", tap=2, same="1")
    assert seen() == [False] * 4
    play(tables(draft)[1])
    assert seen() == [True] * 4


def test_a_table_of_a_draft_is_offered_no_game_without_its_decks():
    draft = pod(4)
    post(draft, "split", tap=2)
    [table] = tables(draft)
    play(table)
    client = holder(table)

    for where in (address(table, "score"), address(table, "watch"), reverse("home"), "/start/"):
        assert address(table, "play_again") not in text(client.get(where)), where
    with unchanged():
        answer = client.post(address(table, "play_again"), {"tap_id": tap_id(7)})

    assert refusal(answer) == (
        422,
        "This table comes from a draft: use “Play again with these decks” on its page.",
    )


def test_a_draft_that_is_over_leads_to_its_tables_and_starts_another_draft_only_in_so_many_words():
    draft = pod(4)
    client = holder(draft)
    home, start, pad = (
        client.get(where) for where in (reverse("home"), reverse("start"), address(draft, "score"))
    )

    assert [words(each).count("Same as last time") for each in (home, start, pad)] == [0, 0, 0]
    assert [words(each).count("Draft again") for each in (home, start, pad)] == [0, 1, 0]
    assert "Last draft" in words(home)
    assert "Ann lost" not in words(home)
    for each in (home, pad):
        assert f'href="{address(draft, "draft_tables")}"' in text(each)

    form = form_to(start, address(draft, "play_again")).fields
    client.post(address(draft, "play_again"), form)
    assert GameSet.objects.latest("pk").ruleset == "conspiracy-draft"


def test_further_games_seat_the_same_players_of_the_playgroup_and_are_exported():
    thursday = group()
    draft = pod(playgroup=thursday)
    thursday.players.filter(name="Ann").update(name="Anna")
    splits.split(draft, "first-{}".format)
    play(*tables(draft))

    splits.split_again(draft, "second-{}".format, Drawn(game=2))

    seats = Seat.objects.filter(game_set__in=tables(draft)[2:])
    drafted = dict(Seat.objects.filter(game_set=draft).values_list("name", "player"))
    assert dict(seats.values_list("name", "player")) == drafted
    assert thursday.players.count() == 8
    assert {table.playgroup for table in tables(draft)} == {thursday}
    at_first = Seat.objects.filter(game_set__in=tables(draft)[:2])
    assert dict(at_first.values_list("name", "player")) == drafted
    assert [one.get("draft") for one in written(thursday)["sets"]] == [None, 0, 0, 0, 0]
    assert [list(audit.faults(table)) for table in tables(draft)] == [[]] * 4


def test_guests_called_by_a_colour_who_turned_out_to_be_somebody_play_on():
    thursday = group()
    draft = pod(playgroup=thursday, names=[""] * 8)
    guests = list(thursday.players.all())
    for guest, name in zip(guests, PEOPLE, strict=True):
        merging.merge(guest, seating.add_player(thursday, name))

    splits.split(draft, "first-{}".format)

    assert Seat.objects.filter(game_set__in=tables(draft), player__in=guests).count() == 8


def test_a_draft_that_goes_on_has_no_tables():
    draft = pod(over=False)
    record(draft, LeaveDraft(BO))

    with unchanged():
        answers = [holder(draft).get(address(draft, "draft_tables")), post(draft, "split")]

    told = (422, "The draft is not over. End it first, then split.")
    assert [refusal(answer) for answer in answers] == [told] * 2
