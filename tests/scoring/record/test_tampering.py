"""Whoever changes the books behind the site's back is noticed by verify_ledger, way by way."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, models, transaction
from django.db.models import F
from django.utils import timezone

from decks.models import BanList
from scoring.groups.people.account_deletion import leave_groups
from scoring.models import (
    EventRow,
    Game,
    GameSet,
    LedgerRow,
    Player,
    Playgroup,
    Seat,
    SetResult,
    Tally,
    triggers,
)
from scoring.models.triggers import append_only, circles, deleting
from scoring.record import chaining, commands, queries
from scoring.rules.corrections import Amend, Entry, Strike, Undo
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw, PassTurn
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..grouped import group, play
from ..groups.visitors import account
from ..tables import run, tap_id

MARCH = datetime(2026, 3, 6, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def books(db: None) -> None:
    """A set of three games with corrections, one that goes on, and one that another group has."""
    home = group()
    table = commands.create_set(
        COALITION_906, ["Ann", "Bo", "Cy"], seed=1, at=MARCH, playgroup=home
    )
    commands.start_game(table, 1, at=MARCH)
    said = [hit(ANN, BO, 3), hit(BO, CY, 4), hit(CY, ANN, 2), Amend(1, hit(ANN, BO, 5))]
    said += [PassTurn(), Undo(5), Strike(2), hit(BO, ANN, 1), Draw()]
    _tap(table, 1, said)
    commands.start_game(table, 2, first=BO, dropped=[CY], at=MARCH + HOUR)
    _tap(table, 2, [hit(BO, ANN, 21), Undo(1), hit(BO, ANN, 21)])
    commands.start_game(table, 3, first=ANN, at=MARCH + 2 * HOUR)
    commands.take_back_game(table, 3)
    commands.start_game(table, 3, first=ANN, at=MARCH + 2 * HOUR)
    _tap(table, 3, [hit(ANN, BO, 6), Draw("time")])
    going_on = commands.create_set(COALITION_906, ["Ann", "Dee"], at=MARCH, playgroup=home)
    commands.start_game(going_on, 1, first=ANN, at=MARCH)
    _tap(going_on, 1, [hit(ANN, BO, 2)])
    long_after_the_first_release = timezone.now() + timedelta(days=2)
    commands.record(going_on, 1, PassTurn(), at=long_after_the_first_release)
    play(group("Friday group"), date(2026, 3, 7), {"Ed": (7, 7, 7), "Flo": (3, 3, 3)})


def _tap(table: Any, number: int, said: list[Entry]) -> None:
    for place, entry in enumerate(said):
        at = MARCH + (number - 1) * HOUR + timedelta(minutes=place + 1)
        commands.record(table, number, entry, tap_id=uuid4(), at=at, by=1 + place % 2)


@contextmanager
def unguarded() -> Iterator[None]:
    """Take off what would refuse, and put it back: whoever owns the database can."""
    vendor = connection.vendor
    guards = (append_only, circles, deleting)
    made = {key: each for one in guards for key, each in one.triggers(vendor).items()}
    with connection.cursor() as cursor:
        cursor.execute(FLUSH[vendor])
        for table, name in made:
            place = "" if vendor == "sqlite" else f" ON {table}"
            cursor.execute(f"DROP TRIGGER {name}{place}")
        yield
        cursor.execute(FLUSH[vendor])
        for statement in made.values():
            cursor.execute(statement)


FLUSH = {"sqlite": "SELECT 1", "postgresql": "SET CONSTRAINTS ALL IMMEDIATE"}


# --- what is tampered with ---
def the_set() -> GameSet:
    return GameSet.objects.earliest("pk")


def other_set() -> GameSet:
    return GameSet.objects.order_by("pk")[1]


def game(number: int = 1, of: GameSet | None = None) -> Game:
    return Game.objects.get(game_set=of or the_set(), number=number, taken_back=False)


def event(seq: int, number: int = 1) -> EventRow:
    return EventRow.objects.get(game=game(number), seq=seq)


def seat(number: int) -> Seat:
    return Seat.objects.get(game_set=the_set(), number=number)


def person(name: str) -> Player:
    return Player.objects.get(name=name)


def put(row: models.Model, **values: Any) -> None:
    type(row)._base_manager.filter(pk=row.pk).update(**values)


def swap(one: models.Model, other: models.Model, *fields: str) -> None:
    """Give each of two rows what the other has, past their unique keys."""
    had = {field: getattr(other, field) for field in fields}
    put(other, **{field: AWAY.get(field, had[field]) for field in fields})
    put(one, **had)
    put(other, **{field: getattr(one, field) for field in fields})


AWAY = {"seq": 990, "number": 8, "name": "Nobody", "tap_id": None, "player_id": None, "rank": 8}


def copy(row: models.Model, **values: Any) -> None:
    row.pk, row._state.adding = None, True
    for name, value in values.items():
        setattr(row, name, value)
    row.save(force_insert=True)


def drop(row: EventRow) -> None:
    LedgerRow.objects.filter(reverses__event=row)._raw_delete("default")
    for ledger in (LedgerRow.objects.filter(event=row), LedgerRow.objects.filter(written_by=row)):
        ledger._raw_delete("default")
    EventRow.objects.filter(pk=row.pk)._raw_delete("default")


def cut_off() -> None:
    """Delete the last event of the game that goes on, and all that is stored of it."""
    goes_on = game(1, other_set())
    EventRow.objects.filter(game=goes_on, seq=2)._raw_delete("default")
    commands.repair(other_set())


def gone() -> None:
    """Delete the set that goes on, which no count knows of yet."""
    of = {"game_set": other_set()}
    LedgerRow.objects.filter(event__game_set=of["game_set"])._raw_delete("default")
    for model in (EventRow, Game, Seat):
        model.objects.filter(**of)._raw_delete("default")
    other_set().delete()


def rename() -> None:
    put(seat(1), name="Zed")
    put(the_set(), seating=[[one, "Zed" if name == "Ann" else name] for one, name in seating()])


def seating() -> list[list[Any]]:
    return the_set().seating


def state(**values: Any) -> dict[str, Any]:
    return game().state | values


def ledger(place: int) -> LedgerRow:
    return LedgerRow.objects.order_by("pk")[place]


def reversal() -> LedgerRow:
    return LedgerRow.objects.exclude(reverses=None).earliest("pk")


def delete_reversed() -> None:
    row = reversal()
    row.delete()
    LedgerRow.objects.filter(pk=row.reverses_id)._raw_delete("default")


def add_reversed() -> None:
    copy(ledger(0))
    wrong = LedgerRow.objects.latest("pk")
    copy(LedgerRow.objects.latest("pk"), points=-wrong.points, reverses=wrong, written_by=event(4))


def result() -> SetResult:
    return SetResult.objects.earliest("pk")


def tally() -> Tally:
    return Tally.objects.earliest("pk")


def friday() -> Playgroup:
    return Playgroup.objects.get(name="Friday group")


def circle() -> None:
    put(person("Ann"), merged_into=person("Bo"))
    put(person("Bo"), merged_into=person("Ann"))


def delay(find: Callable[[], models.Model], *fields: str) -> Callable[[], None]:
    def tamper() -> None:
        row = find()
        put(row, **{field: getattr(row, field) + HOUR for field in fields})

    return tamper


WAYS: dict[str, Callable[[], object]] = {
    # sets
    "set: ruleset": lambda: put(the_set(), ruleset="coalition-readme"),
    "set: seed": lambda: put(the_set(), seed=2),
    "set: seating": lambda: put(the_set(), seating=seating()[::-1]),
    "set: seating that is none": lambda: put(the_set(), seating={"a": 1}),
    "set: seed that no dice were rolled from": lambda: put(other_set(), seed=2),
    "set: called while it goes on": lambda: put(other_set(), called=True),
    "set: called after its last game": lambda: put(the_set(), called=True),
    "set: to try": lambda: put(other_set(), trial_until=MARCH),
    "set: playgroup": lambda: put(the_set(), playgroup=friday()),
    "set: by a ban list of another format": lambda: put(
        the_set(), house=BanList.objects.filter(format="leveler").earliest("pk")
    ),
    "set: out of its playgroup": lambda: put(the_set(), playgroup=None),
    "set: from a draft that is none": lambda: put(the_set(), draft=other_set()),
    "set: begun later": delay(the_set, "created_at"),
    "set: finished later": delay(the_set, "finished_at"),
    "set: not finished": lambda: put(the_set(), finished_at=None),
    "set: finished while it goes on": lambda: put(other_set(), finished_at=MARCH),
    "set: gone with all of it": gone,
    # seats
    "seat: number": lambda: put(seat(3), number=5),
    "seat: numbers swapped": lambda: swap(seat(1), seat(2), "number"),
    "seat: name": lambda: put(seat(1), name="Zed"),
    "seat: names swapped": lambda: swap(seat(1), seat(2), "name"),
    "seat: renamed with the stored seating": rename,
    "seat: player": lambda: put(seat(1), player=person("Dee")),
    "seat: players swapped": lambda: swap(seat(1), seat(2), "player_id"),
    "seat: of another set": lambda: put(seat(3), game_set=other_set()),
    "seat: more of them": lambda: copy(seat(1), number=4, name="Zed", player=None),
    # games
    "game: number": lambda: put(game(1, other_set()), number=2),
    "game: turn order": lambda: put(game(), turn_order=game().turn_order[::-1]),
    "game: turn order of strangers": lambda: put(game(), turn_order=[1, 2, 7]),
    "game: turn order that is none": lambda: put(game(), turn_order=[]),
    "game: dropped, more": lambda: put(game(), dropped=[3]),
    "game: dropped, fewer": lambda: put(game(2), dropped=[]),
    "game: VP before it": lambda: put(game(2), before=[9, 0, 0]),
    "game: rolled": lambda: put(game(2), rolled=True),
    "game: not rolled": lambda: put(game(1), rolled=False),
    "game: taken back": lambda: put(game(3), taken_back=True),
    "game: begun later": delay(game, "started_at"),
    "game: ended later": delay(game, "ended_at"),
    "game: ended later, also for the first time": delay(game, "ended_at", "first_ended_at"),
    "game: ended first at another time": delay(game, "first_ended_at"),
    "game: not ended": lambda: put(game(), ended_at=None),
    "game: status": lambda: put(game(), status="ended"),
    "game: winner": lambda: put(game(2), winner=seat(1)),
    "game: ruleset in the state": lambda: put(game(), state=state(ruleset="coalition-readme")),
    "game: unknown ruleset in the state": lambda: put(game(), state=state(ruleset="chess")),
    "game: players in the state": lambda: put(
        game(), state=state(players=game().state["players"][::-1])
    ),
    "game: state that is none": lambda: put(game(), state=[]),
    "game: state without players": lambda: put(game(), state=state(players=[])),
    "game: latest events": lambda: put(game(), recent={"lines": [], "targets": []}),
    "game: latest events that are none": lambda: put(game(), recent=[]),
    "game: length": lambda: put(game(), length=3),
    "game: latest phone": lambda: put(game(), last_by=7),
    "game: head": lambda: put(game(), head="9:" + "0" * 64),
    "game: no head": lambda: put(game(), head=None),
    "game: of another set": lambda: put(game(3), game_set=other_set()),
    # events
    "event: set": lambda: put(event(3), game_set=other_set()),
    "event: game": lambda: put(event(9), game=game(3), seq=9),
    "event: number": lambda: put(event(9), seq=12),
    "event: two swapped": lambda: swap(event(1), event(2), "seq"),
    "event: two taps swapped": lambda: swap(event(1), event(2), "tap_id"),
    "event: tap": lambda: put(event(1), tap_id=tap_id(5)),
    "event: no tap": lambda: put(event(1), tap_id=None),
    "event: what it says": lambda: put(event(3), entry={"type": "turn"}),
    "event: how much it says": lambda: put(event(3), entry=_more(event(3).entry)),
    "event: what it says, struck long since": lambda: put(event(2), entry=_more(event(2).entry)),
    "event: without a type": lambda: put(event(3), entry={}),
    "event: no object": lambda: put(event(3), entry=7),
    "event: corrects another": lambda: put(event(4), corrects=2),
    "event: corrects none": lambda: put(event(6), corrects=None),
    "event: corrects, as none may": lambda: put(event(3), corrects=1),
    "event: time": delay(lambda: event(3), "at"),
    "event: time of the last": delay(lambda: event(9), "at"),
    "event: no time": lambda: put(event(3), at=None),
    "event: phone": lambda: put(event(3), by=9),
    "event: no phone": lambda: put(event(3), by=None),
    "event: hash": lambda: put(event(3), hash=bytes(32)),
    "event: no hash": lambda: put(EventRow.objects.latest("at"), hash=None),
    "event: deleted": lambda: drop(event(3)),
    "event: the last deleted": lambda: drop(event(9)),
    "event: the last deleted and repaired": cut_off,
    "event: one more": lambda: copy(event(5), seq=10, tap_id=None),
    # the ledger
    "ledger: event": lambda: put(ledger(0), event=event(2)),
    "ledger: written by": lambda: put(ledger(0), written_by=event(3)),
    "ledger: seat": lambda: put(ledger(0), seat=seat(2)),
    "ledger: seat of another set": lambda: put(
        ledger(0), seat=Seat.objects.filter(game_set=other_set()).earliest("pk")
    ),
    "ledger: reason": lambda: put(ledger(0), reason="hero"),
    "ledger: dealt": lambda: put(ledger(0), dealt=99),
    "ledger: points": lambda: put(ledger(0), points=9),
    "ledger: points of a reversal": lambda: put(reversal(), points=-1),
    "ledger: written by, of a reversal": lambda: put(reversal(), written_by=event(5)),
    "ledger: reverses another": lambda: put(reversal(), reverses=ledger(2)),
    "ledger: deleted": lambda: LedgerRow.objects.filter(pk=ledger(2).pk)._raw_delete("default"),
    "ledger: deleted with its reversal": delete_reversed,
    "ledger: one more": lambda: copy(ledger(0)),
    "ledger: one more with its reversal": add_reversed,
    # results
    **{
        f"result: {field}": lambda field=field: put(result(), **{field: F(field) + 1})
        for field in (
            *("victory_points", "games_played", "games_at_cap", "games_first", "points_first"),
            *("games_last", "points_last", "size", "mu", "sigma"),
        )
    },
    "result: rank": lambda: put(result(), rank=8),
    "result: games won": lambda: put(result(), games_won=0, games_played=9),
    "result: hero": lambda: put(result(), hero="Krenko"),
    "result: coalition type": lambda: put(result(), coalition_type="Elf"),
    "result: finished": delay(result, "finished_at"),
    "result: day": lambda: put(result(), played_on=date(2026, 3, 9)),
    "result: day of a whole set": lambda: SetResult.objects.update(played_on=date(2026, 3, 9)),
    "result: player": lambda: put(result(), player=person("Dee")),
    "result: of nobody": lambda: put(result(), player=None, played_on=None, mu=None, sigma=None),
    "result: set": lambda: put(result(), game_set=other_set()),
    "result: deleted": lambda: result().delete(),
    # tallies
    **{
        f"tally: {field}": lambda field=field: put(tally(), **{field: F(field) + 1})
        for field in (
            *("size", "sets", "sets_won", "games", "victory_points", "games_won", "games_at_cap"),
            *("games_first", "points_first", "games_last", "points_last"),
        )
    },
    "tally: player": lambda: put(tally(), player=person("Dee")),
    "tally: span": lambda: put(tally(), span="month", starts_on=date(2026, 4, 1)),
    "tally: day": lambda: put(tally(), starts_on=date(2026, 3, 9)),
    "tally: ruleset": lambda: put(tally(), ruleset="leveler"),
    "tally: deleted": lambda: tally().delete(),
    # players
    "player: of another playgroup": lambda: put(person("Ann"), playgroup=friday()),
    "player: merged": lambda: put(person("Ann"), merged_into=person("Dee")),
    "player: merged into another playgroup's": lambda: put(person("Ann"), merged_into=person("Ed")),
    "player: merged in a circle": circle,
    # playgroups
    "playgroup: zone": lambda: put(Playgroup.objects.earliest("pk"), zone="Pacific/Kiritimati"),
    "playgroup: zone that is none": lambda: put(Playgroup.objects.earliest("pk"), zone="Nowhere"),
}


def _more(entry: dict[str, Any]) -> dict[str, Any]:
    (one,) = entry["hits"]
    return entry | {"hits": [one | {"amount": one["amount"] + 1}]}


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize("each", [6, *long(1)])
def test_every_way_of_tampering_is_noticed_and_none_ends_the_check(monkeypatch, each):
    assert run("verify_ledger") == (0, "sets checked: 3, 0 wrong\nplaygroups checked: 2, 0 wrong\n")

    monkeypatch.setattr(triggers, "wrong", list)  # they are off once for all ways
    with unguarded():
        unnoticed = {way for way in list(WAYS)[::each] if not noticed(WAYS[way])}

    assert unnoticed == set()


def noticed(tamper: Callable[[], object]) -> bool:
    with transaction.atomic():
        tamper()
        code, out = run("verify_ledger")
        transaction.set_rollback(True)
    assert "sets checked" in out
    assert "playgroups checked: 2" in out
    return code == 1


@pytest.mark.usefixtures("books")
def test_a_trigger_that_is_off_or_empty_is_noticed():
    table, name = next(iter(append_only.triggers(connection.vendor)))
    with connection.cursor() as cursor:
        cursor.execute(FLUSH[connection.vendor])
        for statement in HOLLOW[connection.vendor]:
            cursor.execute(statement.format(table=table, name=name))

    code, out = run("verify_ledger")

    assert (code, f"trigger {name}: missing, disabled, or changed" in out) == (1, True)


def test_what_commands_change_is_no_tampering(books):
    user = account("ann")
    put(person("Ann"), user=user)
    commands.call_set(begun := other_set_with_a_break())
    commands.reopen_set(begun)
    commands.call_set(begun)
    leave_groups(user)

    assert seat(1).name == "Former player"
    assert run("verify_ledger") == (0, "sets checked: 3, 0 wrong\nplaygroups checked: 2, 0 wrong\n")


def test_a_seal_that_is_broken_stays_broken_after_what_commands_change(books):
    going_on = other_set_with_a_break()
    put(going_on, seed=2)

    commands.call_set(going_on)
    commands.repair(going_on)

    assert run("verify_ledger")[0] == 1


def other_set_with_a_break() -> GameSet:
    commands.record(other_set(), 1, Draw(), at=MARCH + HOUR)
    return other_set()


def test_what_older_versions_wrote_is_right_and_repair_seals_it(books):
    GameSet.objects.update(seal=None)
    with unguarded():
        for row in EventRow.objects.select_related("game"):
            link = chaining.links(row.game, queries.rows(row.game))[row.seq]
            put(row, hash=bytes.fromhex(chaining.hashed(link, row.corrects, row.by)))
    assert run("verify_ledger")[0] == 0
    put(other_set(), created_at=timezone.now() + timedelta(days=2))
    assert run("verify_ledger")[1].startswith(f"set {other_set().code}: it has lost its seal\n")

    run("verify_ledger", "--repair")

    assert all(GameSet.objects.values_list("seal", flat=True))
    assert run("verify_ledger")[0] == 0


@pytest.mark.parametrize("place", [2, 4])
def test_a_ledger_row_that_was_repaired_is_as_it_was_sealed(books, place):
    """The first was written by its own event, the other by a correction."""
    row = ledger(place)
    with unguarded():
        put(row, points=row.points + 1)
    assert run("verify_ledger")[0] == 1

    commands.repair(the_set())

    assert run("verify_ledger") == (0, "sets checked: 3, 0 wrong\nplaygroups checked: 2, 0 wrong\n")


HOLLOW = {
    "sqlite": (
        "DROP TRIGGER {name}",
        "CREATE TRIGGER {name} BEFORE UPDATE ON {table} BEGIN SELECT 1; END",
    ),
    "postgresql": ("ALTER TABLE {table} DISABLE TRIGGER {name}",),
}


def test_repair_makes_missing_triggers_again(transactional_db):
    with connection.schema_editor() as editor:
        append_only.unguard(None, editor)
    assert run("verify_ledger")[0] == 1

    run("verify_ledger", "--repair")

    assert run("verify_ledger") == (0, "sets checked: 0, 0 wrong\n")
