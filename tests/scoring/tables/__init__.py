"""A small language for tests of the record: tables, the rows they leave, and the books."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib.untrusted import Node
from scoring.models import EventRow, Game, GameSet, LedgerRow, SetResult
from scoring.record import commands, queries
from scoring.rules import sets
from scoring.rules.corrections import Entry
from scoring.rules.errors import RuleError
from scoring.rules.formats import COALITION_906, Ruleset
from scoring.rules.log import recall_recent
from scoring.setlog import codec, document
from tests.scoring.rules.play import ANN, NAMES

KEY = "the-key-of-this-table"
SEEDED = {"Permission", "Group", "ContentType", "CreatureType", "BanList", "CatalogueVersion"}
VISITS = {"Scorekeeper"}  # who looks at the pad is seen, and changes nothing by that
SEED = 906
BREAK = r"(?:[ ]*\n[ ]*|[ ]{2,})"  # of a template's line
LINE_BREAKS = (  # with what to put in the place of each; lines of a text that is typed stay
    (re.compile(BREAK + r"(?=[^<>]+>)"), " "),
    (re.compile(BREAK + r"(?=>)"), ""),
    (re.compile(f">{BREAK}<"), "><"),
    (re.compile(rf"(<\w[^<>]*>){BREAK}"), r"\1"),
    (re.compile(f"{BREAK}(</(?!textarea))"), r"\1"),
    (re.compile(r"\n[ ]+|[ ]{2,}"), " "),
)


def set_up(
    players: int = 4,
    *,
    ruleset: Ruleset = COALITION_906,
    key: str | None = KEY,
    first: int | None = ANN,
    seed: int = SEED,
) -> GameSet:
    """Return a table in its first game; with ``first`` None that game has not been started."""
    names = [NAMES[seat] for seat in range(1, players + 1)]
    table = commands.create_set(ruleset, names, key=key, seed=seed)
    if first:
        order = tuple(range(1, players + 1)) if ruleset.orders_by_standing else None
        commands.start_game(table, 1, first=first, turn_order=order)
    return table


def record(table: GameSet, *entries: Entry, game: int = 1) -> Game:
    """Record entries one after the other and return the game after them."""
    for entry in entries:
        commands.record(table, game, entry)
    return the_game(table, game)


def the_game(table: GameSet, number: int = 1) -> Game:
    game = queries.find_game(table, number)
    assert game is not None
    return game


def everything() -> dict[str, list[dict[str, Any]]]:
    """Return every row of the database, but for what migrations put there, and for visits.

    Read as the database has them: thousands of tests ask, and models would take ten times as long.
    """
    tables = {
        model.__name__: (model._meta.db_table, model._meta.pk.column)
        for model in apps.get_models()
        if model.__name__ not in SEEDED | VISITS
    }
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # for which fifty statements are too many
            rows = "SELECT '{}', (SELECT json_agg(t ORDER BY {}) FROM {} t)"
            selects = (rows.format(name, key, table) for name, (table, key) in tables.items())
            cursor.execute(" UNION ALL ".join(selects))
            return {name: found or [] for name, found in cursor.fetchall()}
        found = {}
        for name, (table, key) in tables.items():
            cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")
            columns = [column[0] for column in cursor.description]
            found[name] = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        return found


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Expect the refusal with this code, and that it leaves the whole database as it was."""
    before = everything()
    with pytest.raises(RuleError) as caught:
        yield
    assert (caught.value.code, everything()) == (code, before)


@contextmanager
def unchanged() -> Iterator[None]:
    before = everything()
    yield
    assert everything() == before


def winner(table: GameSet, number: int = 1) -> int | None:
    seat = the_game(table, number).winner
    return seat.number if seat else None


def events(table: GameSet, game: int = 1) -> list[tuple[int, dict[str, Any], int | None]]:
    """Return the log of a game: number, entry, and the number of the event that it corrects."""
    rows = EventRow.objects.filter(game=the_game(table, game)).order_by("seq")
    return list(rows.values_list("seq", "entry", "corrects"))


def ledger(table: GameSet, game: int = 1) -> list[tuple[Any, ...]]:
    """Return a game's ledger as it was written, each row as a tuple.

    They are: event, written by event, player, reason, dealt, points, and the place from 0 in this
    list of the row that it reverses.
    """
    rows = LedgerRow.objects.filter(event__game=the_game(table, game)).order_by("pk")
    said = ("event__seq", "written_by__seq", "seat__number", "reason", "dealt", "points")
    place = {key: at for at, key in enumerate(rows.values_list("pk", flat=True))}
    return [
        (*row, place.get(reverses)) for *row, reverses in rows.values_list(*said, "reverses_id")
    ]


def sums(table: GameSet, game: int = 1) -> dict[int, int]:
    found = dict.fromkeys(sorted(codec.read_state(the_game(table, game).state).players), 0)
    for row in ledger(table, game):
        found[row[2]] += row[5]
    return found


def points(table: GameSet, game: int = 1) -> dict[int, int]:
    players = codec.read_state(the_game(table, game).state).players
    return {seat: players[seat].points for seat in sorted(players)}


def results(table: GameSet) -> list[tuple[int, int, int, int, int]]:
    """Return a finished set's results: player, rank, VP, games played, games won."""
    said = ("seat__number", "rank", "victory_points", "games_played", "games_won")
    rows = SetResult.objects.filter(game_set=table).order_by("rank", "seat__number")
    return list(rows.values_list(*said))


def check_books(table: GameSet) -> None:
    """Hold all that is kept of a set against its log, played anew."""
    played = document.play(queries.set_log(table))
    assert played.failure is None
    assert len(played.games) == len(queries.games(table))
    for number, log in enumerate(played.games, 1):
        game = the_game(table, number)
        assert codec.read_state(game.state) == log.state
        assert list(codec.read_state(game.state).players) == list(log.state.players)
        assert codec.read_recent(game.recent) == recall_recent(log.lines)
        assert [row[0] for row in events(table, number)] == list(range(1, game.length + 1))
        assert (game.status, bool(game.ended_at)) == (log.state.status, log.state.is_over)
        assert winner(table, number) == log.state.winner
        rows = ledger(table, number)
        gone = {row[6] for row in rows}
        stand = [row for at, row in enumerate(rows) if at not in gone and row[6] is None]
        assert [(row[0], *row[2:6]) for row in sorted(stand, key=itemgetter(0))] == [
            (line.number, row.player, row.reason, row.dealt, row.points)
            for line in log.lines
            for row in line.postings
        ]
        assert sums(table, number) == points(table, number)
    games = [game.state for game in played.games]
    is_ranked = played.state.is_finished and played.state.ruleset.is_ranked
    assert results(table) == [
        (
            standing.player,
            standing.rank,
            standing.victory_points,
            len(games),
            sum(standing.player in game.winners for game in games),
        )
        for standing in (sets.standings(played.state) if is_ranked else ())
    ]


def holder(table: GameSet, key: str = KEY, **options: Any) -> Client:
    """Return a browser that holds a scorekeeper's key of the table."""
    client = Client(**options)
    client.cookies[f"key-{table.code}"] = key
    return client


def seat_holder(table: GameSet, seat: int = ANN) -> Client:
    """Return a player's own phone, which has opened a new link of the seat."""
    key = f"the-key-of-seat-{seat}"
    commands.change_seat_key(table, seat, key)
    phone = Client()
    phone.get(address(table, "take_seat_key", key))
    return phone


def address(table: GameSet, name: str, *args: object) -> str:
    return reverse(name, args=[table.code, *args])


def check_export(table: GameSet) -> None:
    """Hold a set's export against its replay, its import, and the export of that."""
    log = exported(table)

    imported = commands.store_set(read_log(log))

    played = document.play(read_log(log))
    assert played.failure is None
    for number, game in enumerate(played.games, 1):
        assert codec.read_state(the_game(imported, number).state) == game.state
        assert points(imported, number) == points(table, number)
        assert events(imported, number) == events(table, number)
    check_books(imported)
    assert exported(imported) == log


def exported(table: GameSet) -> dict:
    return json.loads(json.dumps(document.write(queries.set_log(table))))


def read_log(log: dict) -> document.SetLog:
    return document.read(Node(log, ""))


def run(*arguments: str) -> tuple[int, str]:
    """Run a command as from a shell; return its exit code and what it printed."""
    out = io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=out)
    except CommandError as error:
        return error.returncode, str(error)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


def tap_id(number: int) -> UUID:
    """Return an id for a tap, the same for the same number."""
    return UUID(int=number, version=4)


def brief(value: object) -> str:
    """Return a short name of a parameter for the name of a test."""
    if isinstance(value, list | tuple):
        return "+".join(map(brief, value)) or "nothing"
    return value if isinstance(value, str) else type(value).__name__


def text(response: HttpResponse) -> str:
    """Return what an answer says; of a stream or a picture nothing.

    Of a page without its line breaks.
    """
    if response.streaming or response.headers.get("Content-Type", "").startswith("image/"):
        return ""
    content = response.content.decode()
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    return on_one_line(content) if is_page else content


def on_one_line(html: str) -> str:
    """Return a page as a browser reads it: between tags line breaks and indentation say nothing.

    >>> on_one_line("<p>\\n  Hero:\\n  <b>Kaalia</b>\\n</p>\\n<ul>\\n  <li>One</li>\\n</ul>")
    '<p>Hero: <b>Kaalia</b></p><ul><li>One</li></ul>'
    >>> on_one_line('<a class="btn"\\n   href="/">')
    '<a class="btn" href="/">'
    """
    for break_, joined in LINE_BREAKS:
        html = break_.sub(joined, html)
    return html
