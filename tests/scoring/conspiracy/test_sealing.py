"""What a conspiracy names is nowhere to be read before it is turned up."""

import logging
from http.cookies import Morsel
from urllib.parse import unquote_plus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.crypto import salted_hmac

from scoring.conspiracy import sealing
from scoring.conspiracy.agendas import ELSEWHERE, FULL
from scoring.conspiracy.boards import seals
from scoring.rules.corrections import Undo
from scoring.rules.errors import NoSuchGame
from scoring.rules.formats.conspiracy import (
    CONSPIRACY,
    Disclose,
    PutAgenda,
    PutConspiracy,
    TurnUp,
)
from scoring.rules.formats.conspiracy.zone import (
    GameHadBegun,
    GameHasBegun,
    first_seal,
    seal,
    sealed,
)
from scoring.rules.moves import Concede, Draw, ExchangeLife, PassTurn, SetLife
from tests.scoring.rules.play import ANN, BO, CY, game, play

from ..browsing import form_to, refusal, words
from ..tables import (
    address,
    check_books,
    events,
    everything,
    holder,
    record,
    results,
    set_up,
    tap_id,
    text,
    unchanged,
)

pytestmark = pytest.mark.django_db

CARD, NAME, SECOND = "Hymn of the Wilds", "Llanowar Reborn", "Xantcha, Sleeper Agent"
# None so short that what is encrypted spells it by chance.
SECRETS = (CARD, "Llanowar", "Reborn", "Xantcha", "Sleeper")
TOKEN = "0123456789abcdef" * 2
SEAL = seal(ANN, TOKEN, CARD, [NAME])
"""What who reads the page can work out, and what seals nothing."""
PROVED = f"1 {CARD} , names {NAME} . Proof As sealed"


@pytest.fixture
def table():
    return set_up(3, ruleset=CONSPIRACY)


@pytest.fixture
def phone(table):
    return holder(table)


def fields(**changed):
    return {
        "tap_id": str(tap_id(1)),
        "token": TOKEN,
        "player": str(ANN),
        "card": CARD,
        "name": NAME,
        "second": "",
    } | changed


def put(client: Client, table, **changed):
    return client.post(address(table, "agendas", 1), fields(**changed))


def secret_at(table, *names: str, card: str = CARD, token: str = TOKEN) -> TurnUp:
    return sealing.secret(table, 1, token, ANN, card, names or (NAME,))


def seal_at(table, *names: str, card: str = CARD) -> str:
    return secret_at(table, *names, card=card).seal


def cookie(client: Client, table, sealed: str = "") -> Morsel[str]:
    return client.cookies[f"agenda-{table.code}-{(sealed or seal_at(table))[:12]}"]


def turn_up(client: Client, table, number: int = 9):
    where = address(table, "turn_up", 1, seal_at(table))
    return client.post(where, {"tap_id": str(tap_id(number))})


def revealed(found: str) -> list[str]:
    """Return which words of the secret a text reveals."""
    plain = unquote_plus(found).casefold()
    return [word for word in SECRETS if word.casefold() in plain]


# --- secrecy ---
def test_nothing_that_is_stored_or_sent_reveals_what_was_sealed(table, phone, caplog):
    """003 37: All know how many are face down, and not which."""
    caplog.set_level(logging.DEBUG)
    answers = [put(phone, table, second=SECOND)]
    sealed = seal_at(table, NAME, SECOND)
    answers.append(put(phone, table, second=SECOND, tap_id=str(tap_id(2))))  # refused: is there
    answers.append(put(phone, table, second=SECOND, player="7"))
    stranger, other = Client(), holder(table)
    pages = ["score", "watch", "table", "log", "export"]
    numbered = ["agendas", "more"]
    for client in (phone, other, stranger):
        answers += [client.get(address(table, name)) for name in pages]
        answers += [client.get(address(table, name, 1)) for name in numbered]
        answers.append(client.get(address(table, "turn_up", 1, sealed)))
        answers.append(client.get(address(table, "line", 1, 1)))
        answers.append(client.get(address(table, "score"), HTTP_HX_REQUEST="true"))

    assert [revealed(text(answer)) for answer in answers] == [[]] * len(answers)
    assert [revealed(str(answer.headers)) for answer in answers] == [[]] * len(answers)
    assert revealed(repr(everything())) == []
    assert revealed(caplog.text) == []
    assert [revealed(answer.cookies.output()) for answer in answers] == [[]] * len(answers)
    assert sealed in repr(everything())
    told = [*map(text, answers), repr(everything()), caplog.text, phone.cookies.output()]
    assert not any(secret_at(table, NAME, SECOND).salt in each for each in told)


def test_the_sealing_page_is_cached_nowhere_and_what_it_says_works_no_seal_out(table, phone):
    where = address(table, "agendas", 1)
    page, another = phone.get(where), phone.get(where)
    form = form_to(page, where)
    (token,) = form.fields["token"]
    assert "no-store" in page["Cache-Control"]
    assert (form.attributes["autocomplete"], "data-tap" in form.attributes) == ("off", False)
    assert form_to(another, where).fields["token"] != [token]

    put(phone, table, token=token, salt=token)

    salt = secret_at(table, token=token).salt
    assert events(table)[0][1]["seal"] == seal(ANN, salt, CARD, [NAME])
    assert salt != token
    assert salt not in text(page)


def test_every_secret_has_a_salt_of_its_own(table):
    other = set_up(3, ruleset=CONSPIRACY, key="another-key")
    first = (table, 1, TOKEN, ANN, CARD, (NAME,))
    others = [
        *[(other, *first[1:]), (table, 2, *first[2:]), (table, 1, TOKEN[::-1], *first[3:])],
        *[(*first[:3], BO, *first[4:]), (*first[:4], SECOND, first[5])],
        *[(*first[:5], names) for names in ((SECOND,), (NAME, SECOND), (f"{NAME}, {SECOND}",))],
    ]

    salts = {sealing.secret(*what).salt for what in (first, *others)}

    assert len(salts) == 1 + len(others)


@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
def test_the_browser_that_sealed_gets_a_cookie_that_scripts_do_not_read(table, phone, secure):
    answer = phone.post(address(table, "agendas", 1), fields(), secure=secure)
    kept = cookie(phone, table)

    assert (answer.status_code, answer.url) == (302, address(table, "agendas", 1))
    assert "no-store" in answer["Cache-Control"]
    assert (kept["httponly"], kept["samesite"], kept["path"], kept["secure"]) == (
        True,
        "Lax",
        address(table, "watch"),
        secure or "",
    )


def test_the_length_of_the_cookie_reveals_nothing_of_the_name_and_the_longest_names_fit(
    table, phone
):
    for tap, name in enumerate(["Elf", "Goblin King", "Öl" * 40]):
        put(phone, table, name=name, tap_id=str(tap_id(tap)))
        assert len(cookie(phone, table, seal_at(table, name)).value) == 440

    long = "Ö" * 148
    put(phone, table, card=long, name=f"{long}1", second=f"{long}2", tap_id=str(tap_id(9)))
    kept = cookie(phone, table, seal_at(table, f"{long}1", f"{long}2", card=long))
    assert len(f"{kept.key}={kept.value}") < 4096


def test_one_browser_keeps_eight_secrets_of_a_table_within_what_servers_take(table, phone):
    names = [f"{NAME} {number}" for number in range(8)]
    for number, name in enumerate(names):
        assert put(phone, table, name=name, tap_id=str(tap_id(number))).status_code == 302
    cookies = [f"{kept.key}={kept.value}" for kept in phone.cookies.values()]
    assert len("; ".join(cookies)) < 4096

    with unchanged():
        answer = put(phone, table, tap_id=str(tap_id(20)))
        again = put(phone, table, name=names[7], tap_id=str(tap_id(7)))
    assert refusal(answer) == (422, FULL)
    assert again.status_code == 302
    assert put(holder(table), table, tap_id=str(tap_id(21))).status_code == 302


# --- turning up ---
def test_a_form_sent_twice_seals_once_and_its_browser_turns_it_up_also_after_undo(table, phone):
    put(phone, table)
    with unchanged():
        assert put(phone, table).status_code == 302
    assert seal_at(table) in words(Client().get(address(table, "watch")))
    assert seal_at(table) in text(Client().get(address(table, "export")))
    assert "Ann ’s conspiracy, face down, sealed" in words(Client().get(address(table, "log")))
    record(table, PassTurn())

    page = phone.get(address(table, "turn_up", 1, seal_at(table)))
    assert "Turn Ann’s conspiracy 1 face up?" in words(page)
    assert turn_up(phone, table).status_code == 302
    assert events(table)[-1][1] == {
        "type": "turn_up",
        "player": "1",
        "seal": seal_at(table),
        "salt": secret_at(table).salt,
        "card": CARD,
        "names": [NAME],
    }
    assert PROVED in words(Client().get(address(table, "watch")))
    phone.get(address(table, "agendas", 1))
    record(table, Undo())
    assert turn_up(phone, table, number=10).status_code == 302


def spoil(value: str) -> str:
    return value[:-4] + ("AAAA" if value[-4:] != "AAAA" else "BBBB")


def test_a_cookie_that_is_spoiled_or_of_another_seal_or_table_opens_nothing(table, phone):
    put(phone, table)
    put(phone, table, name="Elf", tap_id=str(tap_id(2)))
    key, value = cookie(phone, table).key, cookie(phone, table).value
    of_elf = cookie(phone, table, seal_at(table, "Elf")).value
    other = set_up(3, ruleset=CONSPIRACY, key="another-key")
    record(other, PutAgenda(ANN, seal_at(table)))
    second = holder(other, "another-key")
    second.cookies[key.replace(table.code, other.code)] = value
    at_other = address(other, "turn_up", 1, seal_at(table))

    with unchanged():
        for bad in ("", "é", "gAAAA", "A" * 440, spoil(value), of_elf):
            phone.cookies[key] = bad
            assert refusal(turn_up(phone, table)) == (422, ELSEWHERE)
        assert refusal(second.post(at_other, {"tap_id": tap_id(9)})) == (422, ELSEWHERE)


def test_what_was_sealed_by_the_first_release_is_turned_up(table, phone):
    salt = salted_hmac(
        "scoring.sealing.salt", f"{table.code}:1:{TOKEN}", algorithm="sha256"
    ).hexdigest()[:32]
    sealed = first_seal(salt, CARD, [NAME])
    put(phone, table)  # for its cookie, in which nothing has changed
    phone.cookies[f"agenda-{table.code}-{sealed[:12]}"] = cookie(phone, table).value
    record(table, Undo(), PutAgenda(ANN, sealed), PassTurn())

    answer = phone.post(address(table, "turn_up", 1, sealed), {"tap_id": str(tap_id(9))})

    assert answer.status_code == 302
    assert events(table)[-1][1]["salt"] == salt
    assert PROVED in words(Client().get(address(table, "watch")))


# --- what has to be revealed ---
def reveal(client: Client, table, **headers):
    return client.post(address(table, "reveal", 1), **headers)


def test_after_the_end_the_page_reveals_by_itself_each_seal_in_few_queries(table, phone):
    for number in range(3):
        put(phone, table, name=f"{NAME} {number}", tap_id=str(tap_id(number)))
    record(table, Concede(BO), Concede(CY))
    settled = results(table)
    form = form_to(phone.get(address(table, "score")), address(table, "reveal", 1))
    assert form.attributes["hx-trigger"] == "load delay:10s, submit"

    with CaptureQueriesContext(connection) as taken:
        answer = reveal(phone, table, HTTP_HX_REQUEST="true")

    assert (answer.status_code, answer.content) == (204, b"")
    assert [entry["type"] for _, entry, _ in events(table)[-3:]] == ["turn_up"] * 3
    of_each = {"sqlite": 5, "postgresql": 3}[connection.vendor]
    assert len(taken) == 2 + 3 * of_each
    assert results(table) == settled
    check_books(table)
    kept = [cookie(phone, table, seal_at(table, f"{NAME} {number}")) for number in range(3)]
    assert [each.value for each in kept] == ["", "", ""]
    page = words(phone.get(address(table, "score")))
    assert f"1 {CARD} , names {NAME} 0" in page
    assert "Turn face up now" not in page


def test_a_player_who_leaves_reveals_and_nobody_else_by_the_browser_that_sealed(table, phone):
    put(phone, table)
    put(phone, table, player=str(BO), name="Elf", tap_id=str(tap_id(2)))
    record(table, Concede(BO))
    shown = [words(each.get(address(table, "score"))) for each in (holder(table), phone)]
    where = "Bo has to turn conspiracy 1 face up: open this page in the browser that sealed it."
    assert where in shown[0]
    assert "Players who are out must reveal: 1 not opened yet" in shown[1]

    with unchanged():
        assert reveal(holder(table), table).status_code == 302
    assert reveal(phone, table).status_code == 302

    told = [(entry["type"], entry.get("player")) for _, entry, _ in events(table)[2:]]
    assert told == [("concede", "2"), ("turn_up", "2")]
    assert revealed(text(Client().get(address(table, "watch")))) == [CARD]


def test_the_browser_that_sealed_proves_what_another_revealed_by_word(table, phone):
    put(phone, table)
    record(table, Draw("time"), Disclose(ANN, seal_at(table), "Natural Unity", ("Island",)))
    phone.get(address(table, "agendas", 1))
    page = words(phone.get(address(table, "score")))
    assert "The game is over: 1 not opened yet, opened here in ten seconds." in page
    assert "Turn Ann’s conspiracy 1 face up?" in words(
        phone.get(address(table, "turn_up", 1, seal_at(table)))
    )

    assert reveal(phone, table).status_code == 302
    assert PROVED in words(Client().get(address(table, "watch")))


def test_cookies_that_open_nothing_any_more_are_deleted(table, phone):
    put(phone, table)
    record(table, Undo())
    phone.get(address(table, "agendas", 1))

    assert cookie(phone, table).value == ""


# --- bad input ---
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"player": "7"}, "Choose whose it is."),
        ({"card": " "}, "Conspiracy: fill this in."),
        ({"card": "x" * 151}, "Conspiracy: 150 characters at most."),
        ({"name": ""}, "Named card: fill this in."),
        ({"name": "a\x00b"}, "This contains a character that can't be shown. Type it again."),
        ({"second": NAME}, "Double agenda names two different cards."),
        ({"second": "x" * 151}, "Second named card: 150 characters at most."),
        ({"token": TOKEN.upper()}, "This form is damaged. Reload the page."),
        ({"token": f"{TOKEN}\n"}, "This form is damaged. Reload the page."),
        ({"tap_id": "x"}, "This form is damaged. Reload the page."),
    ],
)
def test_text_that_can_not_be_sealed_is_refused(table, phone, changed, message):
    with unchanged():
        answer = put(phone, table, **changed)

    assert refusal(answer) == (422, message)
    assert revealed(text(answer)) == []
    assert "agenda-" not in phone.cookies.output()


def test_nothing_is_sealed_once_the_game_had_begun_and_was_undone(table, phone):
    put(phone, table)
    record(table, PassTurn(), PassTurn(), Undo(), Undo())
    sealed_elsewhere = {"tap_id": str(tap_id(3)), "player": ANN, "seal": "5" * 64}
    page = phone.get(address(table, "agendas", 1))

    with unchanged():
        answers = [
            put(phone, table, name="Elf", tap_id=str(tap_id(2))),
            put(holder(table), table),  # the same form again, which must tell no right guess
            phone.post(address(table, "own", 1, "agenda"), sealed_elsewhere),
        ]

    assert [refusal(answer) for answer in answers] == [(422, GameHadBegun.text)] * 3
    assert "Seal it" not in words(page)
    assert "Put it face up" in words(page)


@pytest.mark.parametrize("move", [SetLife(ANN, 20), ExchangeLife(ANN, BO)])
def test_no_conspiracy_is_put_after_a_move_that_changed_nothing_unless_it_is_undone(table, move):
    record(table, PutConspiracy(BO, "Weight Advantage"), move)

    with unchanged(), pytest.raises(GameHasBegun):
        record(table, PutConspiracy(ANN, "Sovereign's Realm"))

    record(table, Undo(), PutConspiracy(ANN, "Sovereign's Realm"))


def test_a_missing_game_is_refused_with_a_reason(table, phone):
    pages = [address(table, "agendas", 2), address(table, "turn_up", 2, SEAL)]
    taps = [*pages, address(table, "reveal", 2)]

    with unchanged():
        answers = [phone.get(where) for where in pages]
        answers += [phone.post(where, {"tap_id": str(tap_id(5))}) for where in taps]

    assert [refusal(answer) for answer in answers] == [(422, NoSuchGame.text)] * 5


# --- what a browser can do about the seals of a table ---
ANNS_FIRST, ANNS_SECOND, OF_BO = (
    sealed(player, f"{number:032x}", "Hymn of the Wilds", ("Forest",))
    for number, player in enumerate((ANN, ANN, BO))
)
SEALED = [PutAgenda(move.player, move.seal) for move in (ANNS_FIRST, ANNS_SECOND, OF_BO)]


def places(*moves, tags):
    state = play(*SEALED, *moves, start=game(CONSPIRACY, players=3)).state
    shown = seals(state, sorted(state.players), frozenset(move.seal[:12] for move in tags))
    own, must_tell = ([one[:2] for one in shown[key]] for key in ("own", "must_tell"))
    return own, shown["must_open"], must_tell


def test_a_browser_opens_what_it_sealed_and_of_who_left_the_names_of_others_are_told():
    assert places(tags=[ANNS_FIRST, OF_BO]) == ([(ANN, 1), (BO, 1)], 0, [])
    assert places(ANNS_SECOND, tags=[ANNS_FIRST, ANNS_SECOND]) == ([(ANN, 1)], 0, [])
    assert places(Concede(BO), tags=[ANNS_FIRST, OF_BO]) == ([(ANN, 1)], 1, [])
    assert places(Concede(BO), tags=[ANNS_FIRST]) == ([(ANN, 1)], 0, [(BO, 1)])
    assert places(ANNS_FIRST, Draw(), tags=[]) == ([], 0, [(ANN, 2), (BO, 1)])
