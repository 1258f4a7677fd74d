"""A draft on pages, and its way to tables: who sits where, with which keys, notes and links."""

import json
from collections.abc import Sequence
from typing import Any
from unittest.mock import ANY

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib.untrusted import MalformedDocument
from decks.addresses import card_address
from scoring import access
from scoring.conspiracy import drafts, splits
from scoring.conspiracy.cards import AIDS, CARDS
from scoring.groups.data.exporting import export_group
from scoring.groups.data.importing import import_group
from scoring.groups.sets import membership as set_membership
from scoring.models import GameSet, Playgroup, SetResult
from scoring.models.people import Visibility
from scoring.record import audit, commands, dice, queries
from scoring.rules.corrections import Undo
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy_draft import (
    CONSPIRACY_DRAFT,
    BeginRound,
    DraftFaceUp,
    EndDraft,
    LeaveDraft,
    Reveal,
    TakeNote,
)
from scoring.rules.moves import Concede
from scoring.rules.splitting import tables_of
from tests.decks.cards import card as imported
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import form_to, parse, refusal, words
from ..grouped import group
from ..tables import (
    KEY,
    address,
    check_books,
    everything,
    holder,
    record,
    tap_id,
    text,
    the_game,
    unchanged,
)

pytestmark = pytest.mark.django_db

PEOPLE = ["Ann", "Bo", "Cy", "Di", "Ev", "Fay", "Gus", "Hal"]
HTMX = {"HX-Request": "true"}
SEED = 3


def pod(
    players: int = 8,
    *,
    over: bool = True,
    playgroup: Playgroup | None = None,
    names: Sequence[str] = PEOPLE,
) -> GameSet:
    """Return a draft in which Ann and Bo noted something, over unless told otherwise."""
    table = commands.create_set(
        CONSPIRACY_DRAFT, names[:players], key=KEY, seed=SEED, playgroup=playgroup
    )
    commands.start_game(table, 1, first=ANN)
    record(
        table,
        TakeNote(ANN, "Garbage Fire", 4),
        TakeNote(BO, "Noble Banneret", name="<i>Elf"),
        DraftFaceUp(CY, "Smuggler Captain"),
    )
    if over:
        record(table, EndDraft())
    return table


def own(table: GameSet, what: str, client: Client | None = None, **said: Any) -> HttpResponse:
    where = address(table, "own", 1, what)
    return (client or holder(table)).post(where, {"tap_id": tap_id(77), **said})


def post_split(table: GameSet, client: Client, tap: int = 1) -> HttpResponse:
    return client.post(address(table, "split"), {"tap_id": tap_id(tap)})


def split(table: GameSet, client: Client | None = None, tap: int = 1) -> list[GameSet]:
    """Split a draft through its page, start the games, and return the tables."""
    assert post_split(table, client or holder(table), tap).status_code == 302
    for seated in tables(table):
        commands.begin(seated)
    return tables(table)


def tables(draft: GameSet) -> list[GameSet]:
    return [one for one, _ in queries.tables_of(draft)]


def names(table: GameSet) -> list[str]:
    return list(table.names.values())


def rolled(draft: GameSet, people: list[str]) -> list[str]:
    rolls = dice.roll(draft.seed, splits.ROLL, draft.names)
    return [draft.names[seat] for seat in dice.highest_first(rolls) if draft.names[seat] in people]


# --- the draft ---
def test_a_draft_begins_as_soon_as_a_pod_of_the_right_size_is_seated_and_nobody_starts_it():
    """003 55: Eight at most are in a draft, and fewer can be."""
    client = Client()
    asked = client.get(reverse("start"), {"format": "conspiracy-draft"})
    form = {"tap_id": tap_id(1), "name": PEOPLE, "ruleset": "conspiracy-draft"}

    with unchanged():
        answer = client.post(reverse("start"), form | {"name": [*PEOPLE, "Ida"]})
    client.post(reverse("start"), form)

    assert answer.status_code == 422
    assert "“Conspiracy draft” is for 3 to 8 players, not for 9." in words(answer)
    draft = GameSet.objects.get()
    page = client.get(address(draft, "score"))
    assert "Who starts" not in words(asked)
    assert the_game(draft).turn_order == list(range(1, 9))
    assert "Pass left · round 1" in words(page)
    assert "starts" not in words(page)


@pytest.mark.parametrize(
    ("card", "said", "message"),
    [
        ("lurking automaton", {"number": "0"}, "Give a number from 1 to 99999."),
        (
            "Cogwork Tracker",
            {"number": "2"},
            "Cogwork Tracker notes the player who passed it to you (Name).",
        ),
    ],
)
def test_the_pad_reveals_no_card_without_what_it_notes_at_once(card, said, message):
    draft = pod(4, over=False)
    before = everything()

    assert refusal(own(draft, "reveal", player=CY, card=card, **said)) == (422, message)

    assert everything() == before


@pytest.mark.parametrize("page", ["score", "watch", "table"])
def test_every_board_shows_who_passes_to_whom_and_what_is_public(page):
    """003 49: Notes are public in the draft and in all games after it."""
    draft = pod(4, over=False)
    record(draft, BeginRound(), Reveal(CY, "Fork"))

    shown = words(holder(draft).get(address(draft, page)))

    assert "Pass right · round 2" in shown
    for told in (
        "passes to Di",
        "4 for Garbage Fire",
        "<i>Elf for Noble Banneret",
        "Smuggler Captain face up",
        "revealed Fork",
    ):
        assert told in shown


def test_who_acts_first_is_rolled_for_the_moment_among_those_who_can_act():
    """003 52: Nobody has the turn in a draft: who act at once do so in a random order."""
    draft = pod(5, over=False)

    def order() -> list[str]:
        return [who.name for who in drafts.act_order(draft, the_game(draft))]

    assert order() == []  # Cy alone has a card face up
    record(draft, DraftFaceUp(ANN, "Deal Broker"), DraftFaceUp(BO, "Cogwork Librarian"))
    first = order()
    assert sorted(first) == ["Ann", "Bo", "Cy"]
    shown = words(holder(draft).get(address(draft, "score")))
    assert f"with a card face up: {' , '.join(first)} ." in shown
    moments = set()
    for _ in range(8):
        record(draft, BeginRound())
        moments.add(tuple(order()))
    assert len(moments) > 1


def test_a_card_that_is_not_drafted_face_up_is_asked_about_and_taken_when_chosen_again():
    draft = pod(4, over=False)
    form = {"player": ANN, "card": "regicide"}
    before = everything()

    asked = own(draft, "face_up", **form)

    assert everything() == before
    assert refusal(asked) == (
        422,
        "regicide isn’t drafted face up. It is revealed as it is drafted: choose Reveal. If it is "
        "face up all the same, choose Face up again.",
    )
    assert '<input type="hidden" name="asked" value="regicide">' in text(asked)
    assert own(draft, "face_up", **form, asked="regicide").status_code == 302
    assert "regicide face up" in words(holder(draft).get(address(draft, "watch")))


@pytest.mark.parametrize(
    ("what", "card"),
    [
        ("face_up", "Deal Broker"),
        ("face_up", "a card of our own"),
        ("reveal", "Cogwork Spy"),  # which notes nothing
        ("reveal", "Spire Phantasm"),  # or later
        ("reveal", "Fork"),
    ],
)
def test_a_card_that_is_drafted_so_or_unknown_is_not_asked_about(what, card):
    assert own(pod(4, over=False), what, player=ANN, card=card).status_code == 302


@pytest.mark.parametrize(
    ("what", "more"), [("face_up", {}), ("reveal", {}), ("note", {"number": 3})]
)
def test_a_name_that_no_card_has_is_asked_about_once(what, more):
    imported("Fork", "Instant")
    draft = pod(4, over=False)
    form = {"player": ANN, "card": "Fork of our own"} | more

    with unchanged():
        asked = own(draft, what, **form)
    assert refusal(asked) == (
        422,
        "No card is called Fork of our own. If it is right all the same, enter it again.",
    )
    assert '<input type="hidden" name="asked" value="Fork of our own">' in text(asked)
    assert own(draft, what, **form, asked="fork of our own").status_code == 302


def test_cards_that_act_in_a_draft_have_the_text_of_the_catalogue_or_words():
    where = reverse("conspiracy_cards")
    without = words(Client().get(where))
    imported("Regicide", "Instant", "Reveal <it>.")

    page = words(Client().get(where))

    assert "Their printed text appears here once this site has imported the cards." in without
    assert "Their printed text" not in page
    assert "Reveal <it>." in page


def test_a_draft_that_is_over_has_no_winner_no_results_and_right_books():
    draft = pod(4)
    client = holder(draft)

    for page in ("score", "watch", "table", "log"):
        shown = words(client.get(address(draft, page)))
        assert "draw" not in shown.lower().replace("draw seats", "")
        assert "share the set" not in shown
    assert "The draft is over" in words(client.get(address(draft, "watch")))
    assert not SetResult.objects.exists()
    assert GameSet.objects.get().finished_at is not None
    assert list(audit.faults(draft)) == []


def test_the_public_page_of_a_draft_that_is_over_is_still_refreshed():
    draft = pod()
    where = address(draft, "watch")
    first = Client().get(where, headers=HTMX)
    again = Client().get(where, headers=HTMX | {"If-None-Match": first["ETag"]})
    split(draft)

    after = Client().get(where, headers=HTMX | {"If-None-Match": first["ETag"]})

    assert (first.status_code, again.status_code, after.status_code) == (200, 304, 200)
    assert "HX-Reselect" not in first
    assert "Table 2" in words(after)


# --- split ---
@pytest.mark.parametrize("players", range(3, 9))
def test_all_sit_at_tables_in_the_order_of_their_rolls(players):
    """003 57: Seats are random, wherever somebody sat in the draft.
    003 58: Each plays against all, at 20 life.
    """
    draft = pod(players)

    made = split(draft)

    order = rolled(draft, PEOPLE[:players])
    assert [names(one) for one in made] == [list(one) for one in tables_of(order)]
    assert {one.ruleset for one in made} == {"conspiracy"}
    assert {one.draft for one in made} == {draft}
    for one in made:
        game = the_game(one)
        assert game.rolled
        assert {player[1] for player in game.state["players"]} == {20}
        check_books(one)


def test_a_player_who_left_rolls_with_the_others_and_sits_nowhere():
    draft = pod(7, over=False)
    record(draft, LeaveDraft(BO), EndDraft(), LeaveDraft(CY))
    shown = words(holder(draft).get(address(draft, "score")))

    made = split(draft)

    stayed = ["Ann", "Di", "Ev", "Fay", "Gus"]
    assert [names(one) for one in made] == [rolled(draft, stayed)]
    assert [name for name in rolled(draft, PEOPLE[:7]) if name in stayed] == names(made[0])
    for name, numbers in by_name(draft).items():
        assert (f"{name} {numbers}" in shown) == (name in stayed)


def by_name(draft: GameSet, game: int = 1, times: int = 1) -> dict[str, str]:
    rolls = splits.rolls(draft, game, times)
    return {draft.names[seat]: ", again ".join(map(str, rolls[seat])) for seat in rolls}


def test_the_tap_that_splits_brings_the_keys_of_every_table_and_another_tap_brings_none():
    draft = pod()
    client, other = holder(draft), holder(draft)
    form = form_to(client.get(address(draft, "draft_tables")), address(draft, "split"))

    client.post(form.attributes["action"], form.fields | {"tap_id": tap_id(1)})

    made = tables(draft)
    keys = [client.cookies[f"key-{one.code}"].value for one in made]
    assert len({KEY, *keys}) == 3
    assert not any(key in repr(everything()) for key in keys)
    for browser, tap, status in ((client, 2, 200), (other, 2, 403), (other, 1, 200)):
        with unchanged():
            assert post_split(draft, browser, tap).status_code == 302
        assert [browser.get(address(one, "score")).status_code for one in made] == [status] * 2
    assert [one.pk for one in tables(draft)] == [one.pk for one in made]


def test_after_the_split_what_the_tables_build_on_stays_and_a_forgotten_note_can_be_added():
    draft = pod()
    [one, *_] = [one for one in split(draft) if "Cy" in names(one)]

    for entry in (Undo(), LeaveDraft(CY)):
        with unchanged(), pytest.raises(Exception, match="The tables are seated already"):
            commands.record(draft, 1, entry)

    answer = own(draft, "note", player=CY, card="Spire Phantasm", number=1)
    assert answer.status_code == 302
    assert "1 for Spire Phantasm" in words(Client().get(address(one, "watch")))


# --- what the pages of draft and tables say of each other ---
def test_a_table_shows_the_notes_of_its_own_players_and_leads_to_the_draft():
    draft = pod()
    made = split(draft)
    told = {"Ann": "4 for Garbage Fire", "Bo": "<i>Elf for Noble Banneret"}

    for one in made:
        commands.change_seat_key(one, ANN, f"the-key-at-{one.code}")
        for where in (
            *(address(one, "watch"), address(one, "table"), address(one, "more", 1)),
            address(one, "take_seat_key", f"the-key-at-{one.code}"),
        ):
            client = Client()
            if where != address(one, "table"):  # who keeps the score is led to the tablet
                client.cookies[f"key-{one.code}"] = access.key_for(
                    tap_id(1), draft.code, str(made.index(one) + 1)
                )
            page = client.get(where, follow=True)
            assert f'href="{address(draft, "watch")}"' in text(page)
            assert "Notes of the draft" in words(page)
            for name, note in told.items():
                assert (note in words(page)) == (name in names(one))


def test_the_draft_lists_its_tables_and_how_they_stand():
    draft = pod()
    first, second = split(draft)
    record(first, Concede(1), Concede(2), Concede(3))

    page = words(Client().get(address(draft, "watch")))

    assert "Table 1 Finished" in page
    assert f"{first.names[4]} won" in page
    over = words(Client().get(address(first, "watch")))
    assert ("4 for Garbage Fire" in over) == ("Ann" in names(first))
    assert "Table 2 Being played" in page
    assert page.count(second.names[1]) > 1


# --- in a playgroup ---
@pytest.fixture
def thursday(db: None) -> Playgroup:
    return group()


def test_draft_and_table_do_not_tell_of_each_other_where_fewer_may_see_it(thursday):
    draft = pod(playgroup=thursday)
    private = group("Private group", visibility=Visibility.PRIVATE)
    anns, other = sorted(split(draft), key=lambda table: "Ann" not in names(table))
    assert "4 for Garbage Fire" in words(Client().get(address(anns, "watch")))
    set_membership.take_set(other, private)

    page = text(Client().get(address(draft, "watch")))

    assert (other.code in page, anns.code in page) == (False, True)
    set_membership.take_set(draft, private)
    page = text(Client().get(address(anns, "watch")))
    assert draft.code not in page
    assert "Garbage Fire" not in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_table_view_leads_to_notes_only_where_it_has_them(thursday, headers):
    draft = pod(playgroup=thursday)
    [table, _] = split(draft)

    def leads() -> bool:
        return "#draft-notes" in text(Client().get(address(table, "table"), headers=headers))

    assert leads()
    set_membership.take_set(draft, group("Private group", visibility=Visibility.PRIVATE))
    assert not leads()


def written(of: Playgroup) -> dict[str, Any]:
    return json.loads("".join(export_group(of)))


def test_a_playgroup_is_brought_with_its_drafts_and_their_tables(thursday):
    commands.create_set(RULESETS["coalition-906"], ["Ann", "Bo"], playgroup=thursday)
    made = split(pod(playgroup=thursday))
    document = written(thursday)

    copy = import_group(document, None)

    assert [one.get("draft") for one in document["sets"]] == [None, None, 1, 1]
    again = written(copy)
    assert again == document | {"playgroup": document["playgroup"] | {"name": ANY}}
    brought = copy.sets.filter(draft=None, ruleset="conspiracy-draft").get()
    assert [names(one) for one in tables(brought)] == [names(one) for one in made]
    shown = words(Client().get(reverse("watch", args=[brought.code])))
    assert "Table 2 Being played" in shown
    assert "Everybody rolled" not in shown  # with other dice


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (2, "sets[2].draft: must be the place, from 0, of a draft before it"),
        (-1, "sets[2].draft: must be the place, from 0, of a draft before it"),
        (True, "sets[2].draft: must be the place, from 0, of a draft before it"),
        (0, "sets[2].draft: is a draft of other players"),
    ],
)
def test_a_document_with_a_wrong_draft_is_refused_with_the_place(thursday, place, message):
    other = commands.create_set(CONSPIRACY_DRAFT, ["Ida", "Jo", "Kim"], playgroup=thursday)
    commands.start_game(other, 1, first=ANN)
    split(pod(playgroup=thursday))
    document = written(thursday)
    document["sets"][2]["draft"] = place
    before = everything()

    with pytest.raises(MalformedDocument) as refused:
        import_group(document, None)

    assert str(refused.value) == message
    assert everything() == before


# --- the card list ---
ALL = [card for cards in CARDS.values() for card in cards]


def test_every_card_of_the_list_links_to_its_page_and_to_its_aids_without_numbers_of_a_forum():
    answer = Client().get(reverse("conspiracy_cards"))
    page = parse(text(answer))

    assert all(f"{aid.name} {aid.where}" in words(answer) for aid in AIDS)
    listed = {
        row.findtext(".//b/a"): [link.get("href") for link in row.findall(".//a")]
        for row in page.findall(".//ul[@class='listed']/li")
    }
    assert listed == {
        card.name: [card_address(card.name), *(f"#aid-{aid.key}" for aid in card.aids)]
        for card in ALL
    }
    assert {f"aid-{aid.key}" for aid in AIDS} == {dt.get("id") for dt in page.findall(".//dl/dt")}
