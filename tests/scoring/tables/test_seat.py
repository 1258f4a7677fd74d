"""A seat's own page: a deck is sealed there between games, and opens after the set."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.models import GameSet, SeatLink, Sideboarding
from scoring.record import commands, queries
from scoring.rules.formats import RULESETS
from scoring.rules.moves import Concede, Draw, PassTurn
from scoring.tables.additions import on_own_phones
from tests.decks.faults import HERO, bring_pool
from tests.decks.lists import register
from tests.decks.written import deck, leveler
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import Page, words
from ..browsing import refusal as refusal_of
from . import address, everything, holder, record, seat_holder, set_up, tap_id, text, unchanged

LEGAL, ILLEGAL = deck("4 Elvish Mystic"), deck("2 Negate")
NEGATE = "2 copies of Negate: only creatures and lands may have more than 1. Take out 1."
BETWEEN = "can’t be sideboarded for now: that is done between games."


@pytest.fixture(autouse=True)
def _pool(db: None) -> None:
    bring_pool()


def link(table: Any, scorer: Client, seat: int = ANN, tap: int = 1) -> str:
    """Have a seat link made, and return its address."""
    form = {"tap_id": tap_id(tap), "seat": seat, "new": 1}
    page = scorer.post(address(table, "seat_link"), form)
    found = re.search(rf"http://testserver(/s/{table.code}/seat/key/\w+/)", text(page))
    assert found
    assert "no-store" in page["Cache-Control"]
    return found[1]


@pytest.fixture
def ann(table: Any, scorer: Client) -> Client:
    """Ann's phone, which has opened the link of her seat."""
    phone = Client()
    phone.get(link(table, scorer))
    return phone


@pytest.fixture
def between(table: Any) -> None:
    record(table, hit(ANN, BO, 3), Draw())


@pytest.fixture
def brought(table: Any, scorer: Client) -> None:
    elves = register("Elves", deck("4 Elvish Mystic"))
    scorer.post(address(table, "seat_decks"), {"seat": ANN, "deck": elves.code})


def seal(
    client: Client, table: Any, list_: str = LEGAL, game: int = 2, **more: str
) -> HttpResponse:
    return client.post(address(table, "seat"), {"game": game, "text": list_} | more)


def page(client: Client, table: Any) -> str:
    return words(client.get(address(table, "seat")))


# --- the link ---


def test_a_new_link_ends_the_old_one_and_revoked_it_opens_nothing(table, scorer, ann):
    """A repeated tap gives the same link, of which the database has only the hash."""
    first = link(table, scorer)
    second = link(table, scorer, tap=2)

    assert link(table, scorer, tap=2) == second != first
    assert second.split("/")[-2] not in repr(everything())
    assert [Client().get(at).status_code for at in (first, second)] == [403, 302]
    assert ann.get(address(table, "seat")).status_code == 403
    ann.get(second)
    form = {"tap_id": tap_id(9), "seat": ANN, "revoke": 1}
    assert scorer.post(address(table, "seat_link"), form).status_code == 302
    assert (ann.get(address(table, "seat")).status_code, SeatLink.objects.count()) == (403, 0)


# --- what concerns the player ---
def test_without_scripts_the_page_loads_again_only_by_a_link(table, ann):
    shown = text(ann.get(address(table, "seat")))

    assert ('http-equiv="refresh"' in shown, ">Reload</a></noscript>" in shown) == (False, True)


def test_a_seats_page_shows_ones_own_row_first_and_whose_turn_it_is(table, ann):
    war, bo = set_up(ruleset=RULESETS["realm-wars"], key=None), seat_holder(table, BO)

    tags = Page(text(bo.get(address(table, "seat")))).tags

    rows = [at["data-seat"] for tag, at in tags if tag == "li" and "data-seat" in at]
    assert rows == ["2", "1", "3", "4"]
    assert "Game 1 of 3 It’s your turn" in page(ann, table)
    assert "Ann’s turn, you are next" in page(bo, table)
    assert "It’s your team’s turn" in page(seat_holder(war, ANN), war)
    assert "The other team’s turn" in page(seat_holder(war, CY), war)
    record(table, hit(BO, ANN, 3), PassTurn(BO))
    shown = page(ann, table)
    assert "Bo’s turn" in shown
    assert shown.index("22 life is right") < shown.index("The others") < shown.index("Turn of Bo")


def test_the_page_follows_the_table_and_comes_as_a_whole_once_a_deck_can_be_sealed(table, ann):
    where, htmx = address(table, "seat"), {"HX-Request": "true"}
    first = ann.get(where)
    live = next(at for _, at in Page(text(first)).tags if at.get("id") == "live")
    same = ann.get(live["data-fresh"], headers=htmx | {"If-None-Match": live["data-etag"]})
    record(table, hit(BO, ANN, 3))
    piece = ann.get(live["data-fresh"], headers=htmx | {"If-None-Match": live["data-etag"]})
    record(table, Draw())
    whole = ann.get(live["data-fresh"], headers=htmx | {"If-None-Match": piece["ETag"]})

    assert same.status_code == 304
    assert text(piece).lstrip().startswith("<div")
    assert "22 life is right" in words(piece)
    assert whole["HX-Reselect"] == "#main"
    assert "Seal your deck for game 2" in words(whole)


def confirm(phone: Client, table: Any, life: Any) -> HttpResponse:
    form = {"tap_id": tap_id(7), "life": life}
    return phone.post(address(table, "seat_confirm", 1), form)


def test_a_player_confirms_ones_life_and_everybody_sees_it_until_it_changes(table, scorer, ann):
    seen = {"HX-Request": "true"}
    before = Client().get(address(table, "watch"), headers=seen)["ETag"]
    with unchanged():
        answers = [confirm(ann, table, life) for life in (24, -5, "x", "", "9" * 30)]
    assert [answer.status_code for answer in answers] == [422] * 5
    assert confirm(ann, table, 25).status_code == 302
    assert Client().get(address(table, "watch"), headers=seen)["ETag"] != before
    with unchanged():
        confirm(ann, table, 25)
    record(table, hit(ANN, BO, 3))

    pages = [scorer.get(address(table, "score")), Client().get(address(table, "watch"))]
    assert [words(one).count("Life confirmed") for one in pages] == [1, 1]
    assert "You confirmed 25 life." in page(ann, table)

    record(table, hit(BO, ANN, 1))
    assert "Life confirmed" not in words(scorer.get(address(table, "score")))


# --- all links at once ---
def test_every_player_gets_a_link_at_once_but_who_has_one_and_a_repeated_tap_shows_the_same(
    table, scorer, ann
):
    def links_of(tap: int) -> tuple[str, list[str]]:
        page = scorer.post(address(table, "hand_out"), {"tap_id": tap_id(tap)})
        links = r'value="http://testserver(/s/\w+/seat/key/\w+/)"'
        return words(page), re.findall(links, text(page))

    (said, first), (_, again), (_, later) = map(links_of, (5, 5, 6))

    assert "Ann already has a link." in said
    assert (len(first), again, later) == (3, first, [])
    for at, name in zip(first, ("Bo", "Cy", "Di"), strict=True):
        phone = Client()
        phone.get(at)
        assert page(phone, table).startswith(f"{name}’s seat")
    assert page(ann, table).startswith("Ann’s seat")


# --- sealing ---
def test_who_conceded_and_plays_no_later_game_seals_no_deck_for_it(table, ann):
    record(table, hit(BO, ANN, 3), Concede(ANN), hit(BO, CY, 18))

    shown = page(ann, table)

    assert "Game 1 of 3" in shown
    assert "Seal" not in shown


def test_a_sealed_deck_is_judged_for_its_owner_alone_and_opens_to_all_after_the_set(
    table, scorer, ann, between
):
    assert seal(ann, table, ILLEGAL, hero=HERO, type="Elf").status_code == 302

    shown = page(ann, table)
    other = Client()
    other.get(link(table, scorer, tap=5))  # with the newest link of the same seat
    seen = [words(other.get(address(table, name))) for name in ("seat", "watch")]
    seen += [words(scorer.get(address(table, name))) for name in ("seat_decks", "links", "score")]
    commands.call_set(table)
    after = words(Client().get(address(table, "watch")))

    assert f"Sealed for game 2 not legal {HERO} , Elf {NEGATE} Only you see this." in shown
    assert [text_ for text_ in seen if "Negate:" in text_ or HERO in text_] == []
    assert "A deck is sealed for game 2. Only the browser that sealed it" in seen[0]
    assert "sealed for game 2" in seen[2]
    assert f"Sealed for game 2: {HERO}, Elf not legal {NEGATE}" in after
    assert "2 Negate" in after


def test_the_database_shows_of_what_is_sealed_neither_the_cards_nor_how_many(table, ann, between):
    sizes = set()
    for list_ in (LEGAL, LEGAL + "\n1 Negate" * 20):
        seal(ann, table, list_, hero=HERO)
        stored = repr(everything()["Sideboarding"])
        assert (HERO in stored, "Elvish Mystic" in stored) == (False, False)
        sizes.add(len(Sideboarding.objects.get().box or ""))

    assert len(sizes) == 1


def test_a_sealed_deck_can_change_until_its_game_begins_and_never_after(table, ann, between):
    seal(ann, table, ILLEGAL)
    seal(ann, table, LEGAL)
    commands.start_game(table, 2, first=ANN)

    with unchanged():
        status, problem = refusal_of(seal(ann, table, ILLEGAL))

    assert (status, BETWEEN in problem) == (422, True)
    assert "Seal your deck" not in page(ann, table)
    record(table, Draw(), game=2)
    commands.call_set(table)
    shown = words(Client().get(address(table, "watch")))
    assert (f"Sealed for game 2: {HERO}, Elf" in shown, "not legal" in shown) == (True, False)


def test_only_a_deck_list_for_the_next_game_is_sealed(table, ann, between):
    with unchanged():
        answers = [seal(ann, table, game=game) for game in (1, 3, 9, "x")]
        no_lists = ("", "   ", "<!DOCTYPE a><a/>", "1 Elf\n" * 2000)
        answers += [seal(ann, table, list_) for list_ in no_lists]

    assert [answer.status_code for answer in answers] == [422] * 8


def test_a_box_that_was_changed_does_not_open(table, ann, between):
    seal(ann, table)
    assert Sideboarding.objects.exclude(digest="0" * 64).update(digest="0" * 64) == 1
    commands.call_set(table)

    shown = words(Client().get(address(table, "watch")))
    assert "What was sealed for game 2 does not fit its seal." in shown


def test_the_brought_deck_is_there_and_cards_are_swapped_in_it(table, ann, brought, between):
    typed = queries.seats_with_decks(table)[0].deck.text

    assert "4 Elvish Mystic" in page(ann, table)
    seal(ann, table, typed, out="1 elvish mystic", into="1 Forest")

    assert "3 Elvish Mystic" in page(ann, table)


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_only_a_set_of_several_games_has_decks_sealed_for_the_next(key):
    rules = RULESETS[key]
    table = set_up(max(3, rules.players_min), ruleset=rules, first=None)
    phone = seat_holder(table)

    shown, sealed = page(phone, table), seal(phone, table, game=1).status_code

    is_sealed = rules.games > 1
    assert ("Seal your deck for game 1" in shown, sealed) == (is_sealed, 302 if is_sealed else 422)
    assert ("Hero" in shown, "Coalition type" in shown) == (is_sealed, is_sealed)


IN_A_SET = "seal their deck for the next game and confirm their life total"
ON_OWN_PHONES = {
    "coalition": IN_A_SET,
    "leveler": "confirm their life total",
    "conspiracy": "vote, seal and reveal their conspiracies and confirm their life total",
    "conspiracy-draft": "",
    "realm-wars": "",
}


def test_where_phones_are_linked_it_says_what_players_do_on_them_in_the_format(table, scorer):
    told = {rules.format: on_own_phones(GameSet(ruleset=key)) for key, rules in RULESETS.items()}
    pages = [
        scorer.get(address(table, "links")),
        scorer.post(address(table, "hand_out"), {"tap_id": tap_id(3)}),
        holder(war := set_up(ruleset=RULESETS["realm-wars"], key="war"), "war").get(
            address(war, "links")
        ),
    ]

    assert told == ON_OWN_PHONES
    says = [f"There they {IN_A_SET}.", f"There they {IN_A_SET}.", "concerns them. It doesn’t let"]
    assert [said in words(page) for said, page in zip(says, pages, strict=True)] == [True] * 3
    assert ["Clock of the whole set" in words(page) for page in pages] == [True, False, False]


def test_a_players_phone_shows_the_deck_that_was_brought_before_a_game_and_in_it():
    table = set_up(2, ruleset=RULESETS["leveler"], first=None)
    phone = seat_holder(table)
    live = next(
        at for _, at in Page(text(phone.get(address(table, "seat")))).tags if at.get("id") == "live"
    )
    levels = register("Levels", leveler(), ruleset="leveler")
    commands.bring_deck(table, ANN, levels.revisions.get())

    renewed = phone.get(live["data-fresh"], headers={"HX-Request": "true"})
    before = page(phone, table)
    commands.start_game(table, 1, first=ANN)

    deck_of_ann = "Your deck Levels legal"
    assert renewed["HX-Reselect"] == "#main"
    assert (deck_of_ann in before, deck_of_ann in page(phone, table)) == (True, True)
    assert "Your deck" not in page(seat_holder(table, BO), table)


# --- a swap that is noted ---
def note(scorer: Client, table: Any, out: str, into: str, seat: Any = ANN) -> HttpResponse:
    return scorer.post(address(table, "seat_swap"), {"seat": seat, "out": out, "into": into})


def test_a_swap_is_noted_and_public_after_the_set_only(table, scorer, brought, between):
    assert note(scorer, table, "2 elvish mystic", "2 Forest").status_code == 302

    before = words(Client().get(address(table, "watch")))
    noted = "Before game 2: out 2 elvish mystic; in 2 Forest"
    assert noted in words(scorer.get(address(table, "seat_decks")))
    commands.call_set(table)
    assert (noted in before, noted in words(Client().get(address(table, "watch")))) == (False, True)


def test_a_swap_from_an_older_page_leaves_a_sealed_deck(table, scorer, ann, brought, between):
    seal(ann, table)
    with unchanged():
        status, problem = refusal_of(note(scorer, table, "2 Elvish Mystic", "2 Forest"))

    assert (status, problem) == (422, "Ann sealed a deck for game 2 meanwhile: it stays.")


@pytest.mark.parametrize(
    ("out", "into", "message"),
    [
        ("2 Elvish Mystic", "1 Forest", "After this swap: The main deck has 59 cards"),
        ("5 Elvish Mystic", "5 Forest", "There are only 4 Elvish Mystic in the main deck, not 5."),
        ("1 Elvish Mystic", "1 Negate", "There are only 0 Negate in the sideboard, not 1."),
        ("1 Elvish Mystic", f"1 {HERO}", f"After this swap: No hero: move {HERO}"),
    ],
)
def test_a_swap_leaves_the_deck_its_size(table, scorer, brought, between, out, into, message):
    with unchanged():
        status, problem = refusal_of(note(scorer, table, out, into))

    assert (status, problem[: len(message)]) == (422, message)


def test_swaps_are_noted_between_games_only_and_without_a_deck_as_many_out_as_in(table, scorer):
    with unchanged():
        assert note(scorer, table, "1 Negate", "1 Forest").status_code == 422
    record(table, Draw())

    with unchanged():
        answer = refusal_of(note(scorer, table, "2 Negate", "1 Forest"))

    assert answer == (422, "2 cards go out and 1 come in: both must be the same number.")
    assert note(scorer, table, "1 Negate", "1 Forest").status_code == 302
    note(scorer, table, "", "")  # which takes it back
    assert Sideboarding.objects.count() == 0
