"""What a page showed when it was tapped holds when the tap is recorded, or the tap is refused."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.http import HttpResponse

from scoring.models import GameSet
from scoring.rules.corrections import Entry, Undo
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy import CallVote, CastVote
from scoring.rules.formats.conspiracy_draft import BeginRound
from scoring.rules.formats.leveler import UseUpLibrary
from scoring.rules.formats.realm_wars.moves import Attack, BeginPhase, DamageZone, PassPriority
from scoring.rules.moves import ChangeLife, CrownMonarch, PassTurn
from tests.scoring.rules.play import ANN, BO, CY, DI, hit

from ..browsing import form_to, problem
from ..tables import address, events, holder, record, set_up, tap_id, unchanged

pytestmark = pytest.mark.django_db

SHOWN_AGAIN = "Somebody else tapped first, and the game has moved on. Here it is now."
BOS_TURN = "It is now Bo's turn."
DI_LEFT = "Meanwhile Di has left the game."
DI_LEAVES = hit(None, DI, 25, "other")
TYRANT = CallVote(ANN, "will of the council", ("death", "torture"), "Tyrant's Choice")
MERCY = CallVote(ANN, "will of the council", ("death", "mercy"))


@dataclass(frozen=True)
class Tap:
    """A form of a page, by its address and its page's, and what is pressed on it."""

    name: str
    args: tuple[object, ...] = ()
    pressed: dict[str, Any] = field(default_factory=dict)
    page: str = "score"
    ruleset: str = "coalition-906"
    before: tuple[Entry, ...] = ()


TURN = Tap("turn")
AGAIN = Tap("end", ("turn",), page="itself")
COMBAT = Tap("hit", pressed={"target": BO, "amount": 3})
OTHER = Tap("hit", pressed={"target": BO, "amount": 3, "kind": "other"})
BY_CY = Tap("hit", pressed={"source": CY, "target": BO, "amount": 3})
EACH = Tap("hit", pressed={"target": "each", "amount": 3})
COLLECTED = Tap("hits", pressed={"collected": ["1.2.3.combat.0.0.0"], "send": 1}, page="collected")
ALL_LOSE = Tap("more", pressed={"player": "each", "life": -1}, page="more")
CROWN = Tap("more", pressed={"player": BO, "monarch": "crown"}, page="more")
EXTRA = Tap("more", pressed={"player": CY, "turn": 1}, page="more")
CONCEDE = Tap("end", ("concede",), page="end")
LIBRARY = Tap("own", ("library",), ruleset="leveler")
VOTE = Tap("own", ("vote",), {"option": "death"}, ruleset="conspiracy", before=(TYRANT,))
VOTE_BACK = Tap("take_back_vote", ruleset="conspiracy", before=(TYRANT,))
CALLED = Tap("call_vote", (), {"vote_card": "Capital Punishment"}, "call_vote", "conspiracy")
PHASE = Tap("own", ("phase",), ruleset="realm-wars")
ROUND = Tap("own", ("round",), ruleset="conspiracy-draft")
PASS = Tap("own", ("pass_priority",), ruleset="realm-wars")
ATTACK = Tap(
    *("own", ("assault",), {"player": BO, "zone": "quest"}, "zones", "realm-wars"),
    before=(BeginPhase("battlefield"),),
)
ZONE = Tap(
    "own", ("zone_damage",), {"player": BO, "zone": "quest", "amount": 1}, "zones", "realm-wars"
)


def open_page(table: GameSet, tap: Tap) -> tuple[str, dict[str, Any]]:
    """Return where a tap goes and what it sends, as its page shows the game now."""
    to = address(table, tap.name, *([1] if tap.name != "score" else []), *tap.args)
    pages = {
        "score": address(table, "score"),
        "collected": f"{address(table, 'score')}?collected=1.2.3.combat.0.0.0",
        "zones": address(table, "score"),
        "more": address(table, "more", 1),
        "end": f"{to}?player={ANN}",
    }
    form_at = address(table, "own", 1, "zone_damage") if tap.page == "zones" else to
    shown = holder(table).get(pages.get(tap.page, to))
    css = "tray" if tap.page == "collected" else ""
    return to, form_to(shown, form_at, css).fields | tap.pressed


def tapped_late(tap: Tap, *meanwhile: Entry) -> tuple[GameSet, str, HttpResponse]:
    """Return a table after a tap on a page of before ``meanwhile``, and what the tap recorded."""
    table = set_up(4, ruleset=RULESETS[tap.ruleset])
    record(table, *tap.before)
    to, form = open_page(table, tap)
    record(table, *meanwhile)
    count = len(events(table))
    answer = holder(table).post(to, form)
    told = [entry["type"] for _, entry, _ in events(table)[count:]]
    return table, " ".join(told), answer


@pytest.mark.parametrize(
    ("tap", "meanwhile", "told"),
    [
        (TURN, (PassTurn(),), BOS_TURN),
        (TURN, (hit(CY, BO, 25, "other"),), "Cy is now next."),
        (AGAIN, (PassTurn(),), BOS_TURN),
        (COMBAT, (PassTurn(),), BOS_TURN),
        (COLLECTED, (PassTurn(),), BOS_TURN),
        (EACH, (DI_LEAVES,), DI_LEFT),
        (ALL_LOSE, (DI_LEAVES,), DI_LEFT),
        (CONCEDE, (DI_LEAVES,), DI_LEFT),
        (CONCEDE, (PassTurn(),), BOS_TURN),
        (LIBRARY, (UseUpLibrary((ANN,)),), SHOWN_AGAIN),
        (VOTE, (CastVote(ANN, "torture"), *map(Undo, (2, 1)), MERCY), SHOWN_AGAIN),
        (VOTE_BACK, (Undo(1), MERCY), SHOWN_AGAIN),
        (CALLED, (PassTurn(),), BOS_TURN),
        (PHASE, (BeginPhase(),), SHOWN_AGAIN),
        (ROUND, (BeginRound(),), SHOWN_AGAIN),
        (PASS, (PassPriority(),), SHOWN_AGAIN),
        (ATTACK, (Attack(CY, "kingdom"),), SHOWN_AGAIN),
    ],
)
def test_a_tap_that_would_mean_something_else_by_now_is_refused_and_told(tap, meanwhile, told):
    table, recorded, answer = tapped_late(tap, *meanwhile)

    assert (answer.status_code, problem(answer), recorded) == (422, told, "")
    to, form = open_page(table, tap)
    holder(table).post(to, form)
    assert len(events(table)) == len(tap.before) + len(meanwhile) + (tap is not ATTACK)


@pytest.mark.parametrize(
    ("tap", "meanwhile", "recorded"),
    [
        (TURN, (DI_LEAVES,), "turn"),
        (TURN, (hit(ANN, BO, 3),), "turn"),
        (COMBAT, (hit(CY, DI, 3, "other"),), "damage"),
        (COMBAT, (DI_LEAVES,), "damage"),
        (OTHER, (PassTurn(),), "damage"),
        (BY_CY, (PassTurn(),), "damage"),
        (BY_CY, (PassTurn(CY),), "damage"),
        (EACH, (hit(ANN, DI, 3),), "damage"),
        (CROWN, (CrownMonarch(CY),), "monarch"),
        (EXTRA, (PassTurn(),), "turn"),
        (CONCEDE, (ChangeLife({BO: 1}),), "concede"),
        (LIBRARY, (UseUpLibrary((BO,)),), "library"),
        (PHASE, (DamageZone((BO,), "quest", 1),), "phase"),
        (ZONE, (BeginPhase(),), "zone_damage"),
    ],
)
def test_a_tap_that_means_the_same_is_recorded_whatever_happened_meanwhile(
    tap, meanwhile, recorded
):
    assert tapped_late(tap, *meanwhile)[1] == recorded


def test_a_turn_that_waited_behind_another_names_the_turn_that_its_phone_showed():
    table = set_up(4)

    def tap(number: int, seen: str) -> int:
        form = {"tap_id": tap_id(number), "seen": seen}
        return holder(table).post(address(table, "turn", 1), form).status_code

    assert [tap(1, "1234"), tap(2, "2341"), tap(3, "2341")] == [302, 302, 422]
    assert tap(1, "1234") == 302, "its answer was lost: it is sent again, and counts once"
    assert len(events(table)) == 2


@pytest.mark.parametrize("seen", ["", "x", "1", "1-", "9999", "1234 vote", "1234 marks:", "ß 0"])
@pytest.mark.parametrize("tap", [TURN, EACH, CONCEDE, PHASE, VOTE, LIBRARY])
def test_what_no_page_shows_is_never_an_error(tap, seen):
    table = set_up(4, ruleset=RULESETS[tap.ruleset])
    record(table, *tap.before)
    to, form = open_page(table, tap)

    assert holder(table).post(to, form | {"seen": seen}).status_code in (302, 422)


def test_a_game_that_is_over_says_so_itself():
    table = set_up(2)
    to, form = open_page(table, TURN)
    record(table, hit(BO, ANN, 25))

    with unchanged():
        answer = holder(table).post(to, form)

    assert problem(answer).startswith("This game is over.")
