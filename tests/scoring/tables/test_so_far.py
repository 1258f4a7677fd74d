"""How a set stands in its later games: on rows, in sentences, and after corrections."""

import gzip

import pytest
from lxml.html import fromstring

from scoring.models import Game
from scoring.record import commands, queries
from scoring.rules.corrections import Strike
from scoring.rules.formats import COALITION_2026
from scoring.rules.moves import Draw, Lose, Win
from scoring.rules.words import plain
from scoring.tables import board, so_far
from tests.scoring.rules.play import ANN, BO, CY, DI, NAMES, hit
from tests.scoring.rules.test_deciding import course

from . import address, holder, record, tap_id, text

SENTENCES = [
    ("nobody leads", [], {}, ["The set is tied"]),
    ("two lead", [], {"before": (9, 9, 0)}, ["Ann and Bo share the lead in the set"]),
    (
        "near to the game",
        [hit(ANN, BO, 14)],
        {"number": 2},
        ["Ann leads the set by 14 VP", "Ann needs 7 VP to win the game"],
    ),
    (
        "the hit that settles it",
        [hit(ANN, BO, 14)],
        {"before": (1, 0, 0), "number": 2},
        ["Ann leads the set by 15 VP", "Ann needs 7 VP to win the game and the set"],
    ),
    (
        "a wrong winner",
        [hit(BO, ANN, 14)],
        {"before": (22, 0, 20)},
        [
            "Ann leads the set by 2 VP",
            "Bo needs 7 VP to win the game: then Ann takes the set",
            "If Cy loses or concedes now, Ann takes the set",
        ],
    ),
    (
        "a lead to hold on to",
        [hit(ANN, BO, 4)],
        {"before": (15, 0, 0)},
        ["Ann leads the set by 19 VP", "With 3 more VP, Ann can lose the set only by conceding"],
    ),
    (
        "nothing but conceding",
        [hit(ANN, BO, 4)],
        {"before": (20, 0, 0)},
        ["Ann can lose the set only by conceding"],
    ),
    ("decided", [], {"before": (22, 0, 0)}, ["Ann takes the set, whatever happens"]),
    (
        "two left",
        [Lose((CY,))],
        {"before": (9, 5, 0)},
        ["Ann leads the set by 4 VP", "Whoever wins the game takes the set"],
    ),
    (
        "two left, life breaks ties",
        [Lose((CY,))],
        {"before": (9, 5, 0), "ruleset": COALITION_2026},
        [
            "Ann leads the set by 4 VP",
            "If Ann loses or concedes now, Bo takes the set",
            "If Bo loses or concedes now, Ann takes the set",
        ],
    ),
    (
        "shared in the end",
        [Win(BO)],
        {"before": (21, 0, 0)},
        ["Ann and Bo share the set, whatever happens"],
    ),
]


@pytest.mark.parametrize(
    ("moves", "how", "expected"),
    [case[1:] for case in SENTENCES],
    ids=[case[0] for case in SENTENCES],
)
def test_the_set_in_sentences(moves, how, expected):
    sentences = so_far.sentences(course(*moves, **how))

    assert [plain(sentence, NAMES) for sentence in sentences] == expected


@pytest.fixture
def second(table):
    """The table in its second game, after Ann took 10 and Cy 4 in the first."""
    record(table, hit(ANN, BO, 10), hit(CY, DI, 4), Draw())
    commands.start_game(table, 2, first=BO)
    record(table, hit(BO, ANN, 7), game=2)
    return table


def shown(table) -> tuple[dict[int, tuple[int | None, int | None]], object]:
    """Return points before and rank by seat, and the sentences."""
    on_board = board.board(queries.current_game(table, queries.games(table)[-1]))
    return {row.seat: (row.before, row.rank) for row in on_board["players"]}, on_board["so_far"]


def test_who_plays_no_more_still_has_a_place(table):
    record(table, hit(ANN, BO, 10), hit(CY, DI, 4), Draw())
    commands.start_game(table, 2, first=BO, dropped=[ANN])

    assert shown(table) == (
        {BO: (0, 3), CY: (4, 2), DI: (0, 3)},
        ["Ann leads the set by 6 VP."],
    )


def test_the_first_game_and_one_that_an_older_version_began_have_no_set_so_far(table):
    nothing = (dict.fromkeys((ANN, BO, CY, DI), (None, None)), None)

    assert shown(table) == nothing
    record(table, Draw())
    commands.start_game(table, 2, first=BO)
    Game.objects.update(before=None)
    assert shown(table) == nothing


def test_a_finished_set_has_nothing_that_could_still_decide_it(second):
    record(second, Draw(), game=2)
    commands.call_set(second)

    assert shown(second)[1] is None


def test_a_correction_of_an_earlier_game_reaches_open_pages(second):
    browser = holder(second)
    headers = {"HX-Request": "true"}
    known = {name: browser.get(address(second, name), headers=headers)["ETag"] for name in PAGES}

    record(second, Strike(1), game=1)

    for name in PAGES:
        asked = headers | {"If-None-Match": known[name]}
        answer = browser.get(address(second, name), headers=asked)
        assert "Bo leads the set by 3 VP." in text(answer).replace("\u2068", "").replace(
            "\u2069", ""
        )


PAGES = ("score", "watch", "table")


def test_a_hit_is_answered_with_the_set_so_far_and_in_1500_bytes(second):
    browser = holder(second)
    page = fromstring(text(browser.get(address(second, "score"))))
    (drawn_for,) = page.xpath("//form[@id='pad']/@data-stamp")
    form = {"source": BO, "target": ANN, "kind": "combat", "amount": 3, "pad": f"{drawn_for}.21"}
    form["tap_id"] = str(tap_id(1))

    answer = browser.post(address(second, "hit", 2), form, headers={"HX-Request": "true"})

    (line,) = fromstring(f"<div>{text(answer)}</div>").xpath("//p[@id='so-far']")
    assert line.text_content() == "Ann and Bo share the lead in the set."
    assert len(gzip.compress(answer.content, compresslevel=6)) <= 1_500
