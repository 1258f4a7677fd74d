"""Players of Conspiracy on their own phones: they seal, look, turn up, reveal and vote."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import access
from scoring.conspiracy import ready
from scoring.models import EventRow, GameSet
from scoring.record import commands
from scoring.rules.formats.conspiracy import (
    CONSPIRACY,
    CallVote,
    CastVote,
    Disclose,
    PutAgenda,
    PutConspiracy,
    TurnUp,
)
from scoring.rules.formats.conspiracy.ready import SCOREKEEPER
from scoring.rules.formats.conspiracy.state import DILEMMA, WILL
from scoring.rules.formats.conspiracy.zone import seal as seal_of
from scoring.rules.formats.conspiracy_draft import LeaveDraft
from scoring.rules.moves import Concede, CrownMonarch, Draw, PassTurn
from tests.decks.cards import given
from tests.decks.cards import record as card
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import form_to, parse, refusal, words, words_of
from ..tables import (
    address,
    check_books,
    events,
    everything,
    holder,
    record,
    seat_holder,
    set_up,
    tap_id,
    text,
    unchanged,
)
from .test_drafts import pod, tables

pytestmark = pytest.mark.django_db

TOKEN = "0123456789abcdef" * 2
UNITY, BOND, HYMN = "Natural Unity", "Summoner's Bond", "Hymn of the Wilds"
VOTE = CallVote(ANN, DILEMMA, ("death", "taxes"), "Capital Punishment")


@pytest.fixture
def table() -> GameSet:
    return set_up(3, ruleset=CONSPIRACY)


def links_of(client: Client, table: GameSet) -> dict[str, str]:
    links = parse(text(client.get(address(table, "seat")))).xpath("//main//a")
    return {words_of(link): link.get("href") for link in links}


def test_one_link_leads_from_the_draft_to_the_deck_and_from_table_to_table():
    draft = pod(8)
    record(draft, LeaveDraft(BO))
    ann, scorer = seat_holder(draft, ANN), holder(draft)
    seat, watch = address(draft, "seat"), address(draft, "watch")
    rules = f"{reverse('format', args=['conspiracy-draft'])}?table={draft.code}&from=seat"
    read = {"Reload": seat, "Watch": watch, "Rules": rules, "Who will sit where": f"{watch}#tables"}
    assert links_of(ann, draft) == read | {"Build your deck": address(draft, "pools")}
    assert links_of(seat_holder(draft, BO), draft) == read

    def now() -> tuple[str, str]:
        """Return where the phone is led from the draft, and whose seat that is."""
        news = ann.get(seat, headers={"HX-Request": "true"})
        page = words(ann.get(seat, follow=True))
        return news.get("Location", ""), page.partition(" ")[0]

    def table_of_ann() -> GameSet:
        return [table for table in tables(draft) if "Ann" in table.names.values()][-1]

    scorer.post(address(draft, "split"), {"tap_id": tap_id(1)})
    first = table_of_ann()
    assert now() == (address(first, "seat"), "Ann’s")
    assert links_of(ann, first)["What you drafted"] == address(draft, "pools")

    scorer.post(address(draft, "undo_split"), {"tap_id": tap_id(2)})
    assert ann.get(address(first, "seat"))["Location"] == seat  # the table is gone
    assert now() == ("", "Ann’s")

    scorer.post(address(draft, "split"), {"tap_id": tap_id(3)})
    first = table_of_ann()
    commands.start_game(first, 1, first=1)
    record(first, *map(Concede, list(first.names)[1:]))
    key = access.key_for(tap_id(3), draft.code, str(tables(draft).index(first) + 1))
    holder(first, key).post(address(first, "table_again"), {"tap_id": tap_id(4)})
    assert table_of_ann() != first
    assert now() == (address(table_of_ann(), "seat"), "Ann’s")


@pytest.fixture
def ann(table: GameSet) -> Client:
    return seat_holder(table, ANN)


@pytest.fixture
def bo(table: GameSet) -> Client:
    return seat_holder(table, BO)


def seal(client: Client, table: GameSet, tap: int = 1, **changed: str) -> Any:
    form = {"tap_id": tap_id(tap), "token": TOKEN, "card": UNITY, "name": "Forest"}
    return client.post(address(table, "seal_own", 1), form | changed)


def sealed(table: GameSet) -> list[str]:
    return [entry["seal"] for _, entry, _ in events(table) if entry["type"] == "agenda"]


def page(client: Client, table: GameSet, name: str = "seat") -> str:
    where = address(table, name, 1) if name == "call_own" else address(table, name)
    return words(client.get(where))


def act(client: Client, table: GameSet, name: str, of: str, tap: int = 9) -> Any:
    return client.post(address(table, name, 1, of), {"tap_id": tap_id(tap)})


def cast(client: Client, table: GameSet, option: str, tap: int = 1, **more: Any) -> Any:
    form = {"tap_id": tap_id(tap), "option": option} | more
    return client.post(address(table, "seat_report", 1, "vote"), form)


def begin(table: GameSet) -> None:
    """Let the game begin without waiting for players' phones."""
    ready.say(table, 1, SCOREKEEPER, "begin 0")


# --- sealing and looking ---
def test_a_player_seals_on_the_own_phone_and_that_phone_alone_shows_it(table, ann):
    """003 39: With hidden agenda it starts face down, with a card named in secret."""
    assert seal(ann, table).status_code == 302
    (it,) = sealed(table)
    other = Client()
    other.get(address(table, "take_seat_key", "the-key-of-seat-1"))

    shown = words(act(ann, table, "look_at_own", it))
    assert "Conspiracy 1 of Ann Hide it" in shown
    assert "Natural Unity Names Forest ." in shown
    assert "no-store" in act(ann, table, "look_at_own", it)["Cache-Control"]
    for client, name in ((other, "look_at_own"), (holder(table), "look")):
        status, problem = refusal(act(client, table, name, it))
        assert (status, problem[:35]) == (422, "This browser can't open that seal. ")
    everywhere = [page(client, table) for client in (ann, other)]
    everywhere += [page(Client(), table, name) for name in ("watch", "table", "log", "export")]
    assert [one for one in everywhere if "Unity" in one or "Forest" in one] == []
    assert "Unity" not in repr(everything())


def test_the_scorekeepers_phone_shows_what_it_sealed_for_a_player(table):
    scorer = holder(table)
    form = {"tap_id": tap_id(1), "token": TOKEN, "player": BO, "card": UNITY, "name": "Forest"}
    scorer.post(address(table, "agendas", 1), form)

    assert "Show it to Bo" in page(scorer, table, "score")
    assert "Turn face up: Bo 1 Show it to Bo" in words(scorer.get(address(table, "agendas", 1)))
    assert "Natural Unity Names Forest ." in words(act(scorer, table, "look", *sealed(table)))


def test_a_player_neither_looks_at_nor_turns_up_what_another_sealed_in_the_same_browser(table, ann):
    seal(ann, table)
    commands.change_seat_key(table, BO, "a-key")
    ann.get(address(table, "take_seat_key", "a-key"))  # now the phone of Bo

    with unchanged():
        for name in ("look_at_own", "turn_up_own"):
            assert act(ann, table, name, *sealed(table)).status_code == 422


def test_it_is_turned_up_with_its_text_and_its_proof_and_sealed_before_the_first_move(
    table, ann, bo
):
    """003 40: Its player may turn it up at any time with priority, without an answer."""
    given(card(UNITY, "Conspiracy", "Hidden agenda\nWhenever you grow, draw."), card("Forest"))
    seal(ann, table)
    begin(table)
    act(ann, table, "turn_up_own", *sealed(table))

    for client, name in ((Client(), "watch"), (bo, "seat")):
        shown = page(client, table, "watch")
        told = f"{UNITY} , names Forest . Hidden agenda Whenever you grow, draw. Proof As sealed"
        assert told in shown, name
    assert [row.by for row in EventRow.objects.all()] == [101, 101]
    assert "Ann’s phone" in page(holder(table), table, "log")
    record(table, PassTurn())
    with unchanged():
        assert refusal(seal(ann, table))[1].startswith("The game has begun")
    assert "Add a conspiracy" not in page(ann, table)


def test_who_is_out_reveals_by_the_own_phone_as_all_read_and_nobody_reveals_before(table, ann, bo):
    where = address(table, "reveal_own", 1)
    seal(ann, table)
    seal(bo, table, tap=2)
    with unchanged():
        refused = ann.post(where)
    assert refusal(refused)[1].startswith("Ann may keep this secret until the game is over for Ann")
    record(table, Concede(BO))

    with unchanged():
        assert ann.post(where).status_code == 422
    pages = [words(refused), page(ann, table), page(Client(), table, "watch")]
    assert ["Bo has to reveal 1 conspiracy" in one for one in pages] == [False, True, True]
    form = form_to(bo.get(address(table, "seat")), where)
    assert form.attributes["hx-trigger"] == "load delay:10s, submit"
    bo.post(where)
    ann.post(where)
    turned_up = [entry["player"] for _, entry, _ in events(table) if entry["type"] == "turn_up"]
    assert turned_up == ["2"]
    check_books(table)


def test_a_player_says_the_names_by_the_own_phone_if_the_browser_is_lost(table, ann, bo):
    seal(ann, table)
    (it,) = sealed(table)
    record(table, Draw("time"))
    form = {"tap_id": tap_id(5), "seal": it, "card": UNITY, "names": "Forest"}
    lost = seat_holder(table, ANN)

    with unchanged():
        bo.post(address(table, "seat_report", 1, "disclose"), form)
    assert "The browser that sealed 1 is lost" in page(lost, table)
    with unchanged():
        answer = lost.post(address(table, "reveal_own", 1))
    assert refusal(answer)[1].startswith("This browser can't open that seal.")
    lost.post(address(table, "seat_report", 1, "disclose"), form)

    assert "On the player’s word only; the seal" in page(Client(), table, "watch")
    assert commands.current_game(table, 1).recent_events.lines[0].move == Disclose(
        ANN, it, UNITY, ("Forest",)
    )


# --- what can be sealed ---
@pytest.fixture
def cards() -> None:
    given(
        card(UNITY, "Conspiracy", "Hidden agenda (Start the game face down.)"),
        card(BOND, "Conspiracy", "Double agenda (Start the game face down.)"),
        card(HYMN, "Conspiracy", "Spells cost less."),
        card("Forest", "Basic Land — Forest"),
        card("Forest Bear", "Creature — Bear"),
        card("Elvish Mystic"),
        card("Deep Forest Hermit"),
    )


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"card": HYMN}, "Conspiracy: this card has neither hidden nor double agenda"),
        ({"card": "Unity"}, "Conspiracy: no card has this name."),
        ({"name": "Bear Token"}, "Named card: no card has this name."),
        ({"second": "Elvish Mystic"}, "This conspiracy has hidden agenda: it names one card."),
        ({"card": BOND}, "This conspiracy has double agenda: it names two cards."),
        ({"card": BOND, "second": "Nothing"}, "Second named card: no card has this name."),
        ({"card": BOND, "second": "FOREST"}, "Double agenda names two different cards."),
    ],
)
@pytest.mark.usefixtures("cards")
def test_only_a_conspiracy_with_its_number_of_cards_is_sealed(table, ann, typed, message):
    """003 43: The name is that of a Magic card, and not only of a token.
    003 45: At the end all are revealed, so that nothing else can lie there face down.
    """
    for client, name in ((ann, "seal_own"), (holder(table), "agendas")):
        form = {"tap_id": tap_id(1), "token": TOKEN, "card": UNITY, "name": "Forest", "player": ANN}
        with unchanged():
            status, problem = refusal(client.post(address(table, name, 1), form | typed))
        assert (status, problem[: len(message)]) == (422, message)
        assert "Bear Token" not in problem


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (HYMN, ""),
        (
            "A card of our own",
            "No card is called A card of our own. If it is right all the same, enter it again.",
        ),
        ("elvish mystic", "Elvish Mystic isn’t a conspiracy: it stays out of the command zone."),
        (
            UNITY,
            "Natural Unity has hidden agenda: it goes face down and names a card in secret. "
            "Seal it under “Face down”.",
        ),
    ],
)
@pytest.mark.usefixtures("cards")
def test_only_a_conspiracy_without_a_secret_is_put_face_up_or_after_a_question_what_is_unknown(
    table, ann, typed, message
):
    form = {"player": ANN, "card": typed}
    for tap, (client, name) in enumerate(((ann, "seat_report"), (holder(table), "own"))):
        where = address(table, name, 1, "conspiracy")
        answer = client.post(where, form | {"tap_id": tap_id(tap)})
        assert not message or refusal(answer) == (422, message)
        if message:
            again = form_to(answer, where)
            client.post(where, again.fields | {"card": typed})

    is_put = not message or message.startswith("No card")
    assert [entry["card"] for _, entry, _ in events(table)] == ([typed, typed] if is_put else [])


@pytest.mark.usefixtures("cards")
def test_names_are_sealed_as_cards_print_them(table, ann):
    seal(ann, table, card="summoner’s bond", name="FOREST", second="elvish mystic")

    shown = words(act(ann, table, "look_at_own", *sealed(table)))
    assert "Summoner's Bond Double agenda (Start the game face down.) Names" in shown
    assert "Names Forest and Elvish Mystic ." in shown


@pytest.mark.usefixtures("cards")
def test_names_are_completed_while_they_are_typed_and_posted_so_that_no_log_has_them(table, ann):
    offered = [
        text(ann.post("/cards/names/", {field: typed})).split('value="')[1:]
        for field, typed in (
            *(("name", "forest"), ("second", "FOREST b")),
            *(("name", " "), ("name", "forest" * 99)),
        )
    ]

    assert [[one.partition('"')[0] for one in some] for some in offered] == [
        ["Forest", "Forest Bear", "Deep Forest Hermit"],
        ["Forest Bear"],
        *([], []),
    ]
    listed = text(ann.get(address(table, "seal_own", 1)))
    assert (BOND.replace("'", "&#39;") in listed, UNITY in listed, HYMN in listed) == (
        True,
        True,
        False,
    )


# --- votes ---
def test_a_vote_on_the_own_phone_takes_one_query_more_than_a_scorekeepers_tap(table, ann):
    record(table, VOTE)

    with CaptureQueriesContext(connection) as taken:
        cast(ann, table, "death")

    sent = [each["sql"] for each in taken.captured_queries if "SAVEPOINT" not in each["sql"]]
    assert len(sent) == {"sqlite": 5, "postgresql": 3}[connection.vendor], sent


def test_each_player_votes_on_the_own_phone_in_turn_order_and_all_see_the_tally(table, ann, bo):
    """003 18: Votes go in turn order, and each player knows those before."""
    record(table, VOTE)
    assert "You vote for" in page(ann, table)
    assert "You vote for" not in page(bo, table)

    cast(ann, table, "taxes", more="on")
    assert "You vote again for" in page(ann, table)
    assert cast(ann, table, "death", tap=2).status_code == 302

    pages = [page(bo, table), *(page(Client(), table, name) for name in ("watch", "table"))]
    pages.append(page(holder(table), table, "score"))
    assert [one.count("Bo votes (so far death 1, taxes 1)") for one in pages] == [1] * 4
    assert [one.count("1 death · 1 taxes") for one in pages] == [1, 1, 0, 0]
    assert "Bo votes now, then Cy." in page(Client(), table, "watch")
    assert "You vote for" in page(bo, table)


def test_nobody_votes_out_of_turn_for_another_or_twice(table, ann, bo):
    record(table, VOTE)
    with unchanged():
        assert refusal(cast(bo, table, "death"))[1].startswith("Votes go in turn order")
        answer = refusal(cast(bo, table, "death", player=ANN))
        assert answer[1].startswith("Votes go in turn order")
        answer = refusal(cast(ann, table, "death", chosen_by=BO))
        assert answer == (422, "Only the scorekeeper can record that.")
    cast(ann, table, "death")

    with unchanged():
        assert cast(ann, table, "death").status_code == 302  # the same tap
        assert cast(ann, table, "taxes", tap=2).status_code == 422


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("squire", ""),
        ("nobody", "No card has this name: choose it from the list, or call another vote."),
        ("forest", "Forest calls no vote: choose another card, or call another vote."),
        (
            "truth",
            "Truth has a secret vote: all write down theirs and show them. Then call another vote "
            "to enter them.",
        ),
        ("", "Which card?"),
    ],
)
def test_the_vote_of_any_card_is_called_by_its_name(table, typed, message):
    words_ = "Will of the council — Each player votes for blue, black, or green. If blue, draw."
    secret = "Secret council — Each player secretly votes for truth or dare, then they are shown."
    given(
        card("Squire", "Creature", words_),
        card("Forest", "Basic Land — Forest"),
        card("Truth", "Sorcery", secret),
    )
    record(table, PassTurn())
    where = address(table, "call_vote", 1)
    asked = holder(table).get(where)
    assert "Bo calls it and votes first, then all others in turn order." in words(asked)
    form = form_to(asked, where).fields | {"name": typed, "player": CY}

    answer = holder(table).post(where, form)

    latest = commands.current_game(table, 1).recent_events.lines[0].move
    if message:
        assert (refusal(answer), latest) == ((422, message), PassTurn())
    else:
        assert latest == CallVote(BO, WILL, ("blue", "black", "green"), "Squire")


def call(client: Client, table: GameSet, tap: int = 1, **form: str) -> Any:
    return client.post(address(table, "call_own", 1), {"tap_id": tap_id(tap)} | form)


def test_whoever_has_the_turn_calls_a_vote_on_the_own_phone(table, ann, bo):
    assert "Call a vote" in page(ann, table)
    assert "Call a vote" not in page(bo, table)
    begin(table)
    asked = ann.get(address(table, "call_own", 1))
    form = form_to(asked, address(table, "call_own", 1))

    for _ in range(2):  # the same tap counts once
        assert call(ann, table, **form.fields, vote_card="Messenger Jays").status_code == 302

    called = CallVote(ANN, DILEMMA, ("feather", "quill"), "Messenger Jays")
    assert commands.current_game(table, 1).recent_events.lines[0].move == called
    assert [row.by for row in EventRow.objects.all()] == [101]
    assert "You vote for" in page(ann, table)
    assert "Call a vote" not in page(ann, table)
    check_books(table)


def test_voters_name_the_options_of_a_card_that_has_none_on_the_pad_and_on_phones(table, ann, bo):
    given(card("Judgment", "Sorcery", "Starting with you, each player votes for a permanent."))
    begin(table)
    call(ann, table, name="judgment")
    called = CallVote(ANN, DILEMMA, (), "Judgment", named=True)
    assert commands.current_game(table, 1).recent_events.lines[0].move == called
    assert "Ann votes for anything" in page(bo, table)

    cast(ann, table, "Ogre", 2)
    form = form_to(bo.get(address(table, "seat")), address(table, "seat_report", 1, "vote"))
    bo.post(form.attributes["action"], form.fields | {"option": ["", "Ogre"]})  # its button is last
    pad = form_to(holder(table).get(address(table, "score")), address(table, "own", 1, "vote"))
    holder(table).post(pad.attributes["action"], pad.fields | {"option": "Elf"})

    assert "Council's dilemma, in this order: Ogre 2, Elf 1" in page(bo, table)


def test_a_vote_that_is_refused_on_its_page_sends_no_part_that_only_the_pad_has(table):
    form = {"tap_id": tap_id(1), "name": "Nothing"}
    refused = holder(table).post(
        address(table, "call_vote", 1), form, headers={"HX-Request": "true"}
    )

    assert refusal(refused)[1].startswith("No card has this name")
    assert "hx-swap-oob" not in text(refused)


def test_only_whoever_has_the_turn_calls_a_vote_and_no_second_one_during_it(table, ann, bo):
    form = {"tap_id": tap_id(1), "kind": WILL, "options": "grace\nguilt", "card": ""}
    where = address(table, "seat_report", 1, "vote_called")
    with unchanged():
        status, problem = refusal(call(bo, table, vote_card="Messenger Jays"))
        report = bo.post(where, form)
    assert (status, problem) == (
        422,
        "It is Ann's turn, so Ann calls the votes. The scorekeeper can call one for anybody.",
    )
    assert refusal(report) == (422, "Only the scorekeeper can record that.")
    assert problem in page(bo, table, "call_own")
    begin(table)
    ann.post(where, form)  # with options of one's own
    called = CallVote(ANN, WILL, ("grace", "guilt"), "")
    assert commands.current_game(table, 1).recent_events.lines[0].move == called

    with unchanged():
        answer = refusal(call(ann, table, tap=2, vote_card="Capital Punishment"))
    assert answer[1] == "Finish the vote first: it is Ann's turn to vote."


def test_somebody_else_who_chose_a_vote_goes_on_choosing_until_it_is_over(table, bo):
    record(table, VOTE, CastVote(ANN, "death", 1, CY))

    form = form_to(holder(table).get(address(table, "score")), address(table, "own", 1, "vote"))
    assert form.fields["chosen_by"] == [str(CY)]
    assert "Cy chooses how you vote ( Illusion of Choice )" in page(bo, table)
    assert "You vote for" not in page(bo, table)
    assert "Cy chose: Illusion of Choice" in page(Client(), table, "watch")


@pytest.mark.parametrize("votes", [0, 2, 3])
def test_a_mistaken_vote_is_taken_back_as_a_whole_and_once(table, votes):
    record(table, PassTurn(), VOTE)
    record(table, *[CastVote(seat, "death") for seat in (ANN, BO, CY)[:votes]])
    before = len(events(table))

    for _ in range(2):
        answer = holder(table).post(address(table, "take_back_vote", 1), {"tap_id": tap_id(3)})
        assert answer.status_code == 302

    assert [entry["type"] for _, entry, _ in events(table)[before:]] == ["undo"] * (votes + 1)
    assert "Council" not in page(Client(), table, "watch")
    check_books(table)


def test_a_vote_after_which_something_happened_is_not_taken_back(table):
    record(table, VOTE, *[CastVote(seat, "death") for seat in (ANN, BO, CY)], hit(ANN, BO, 1))

    with unchanged():
        answer = holder(table).post(address(table, "take_back_vote", 1), {"tap_id": tap_id(3)})

    assert refusal(answer)[1].startswith("There is no vote to take back")


# --- what everybody sees ---
def test_every_screen_counts_what_is_face_down_and_names_what_is_face_up(table, bo):
    """003 36: All may look at what is face up.
    003 37: All know how many are face down, and not which.
    """
    screens = [(holder(table), "score"), (Client(), "table"), (Client(), "watch"), (bo, "seat")]
    salt, elves = "5f" * 16, ("Llanowar Elves", "Wings of the Guard")
    it = seal_of(ANN, salt, BOND, elves)
    given(card("Sovereign's Realm", "Conspiracy", "Your starting hand size is five."))
    record(table, PutAgenda(ANN, it))
    down = [page(client, table, name) for client, name in screens]
    record(table, PutConspiracy(CY, "Sovereign's Realm"), TurnUp(ANN, it, salt, BOND, elves))
    up = [page(client, table, name) for client, name in screens]

    assert [("1 face down" in shown, "Bond" in shown) for shown in down] == [(True, False)] * 4
    names = (BOND, *elves, "Sovereign's Realm")
    assert [[name for name in names if name in shown] for shown in up] == [[*names]] * 4
    told = "Cy Sovereign's Realm Your starting hand size is five"
    assert "Conspiracies of the others" in up[3]
    assert told in up[3]


def test_no_screen_offers_that_nobody_is_the_monarch(table):
    """003 28: A game starts without a monarch; once there was one there is exactly one."""
    record(table, CrownMonarch(ANN), PassTurn())

    assert "No monarch" not in text(holder(table).get(address(table, "more", 1)))
