"""What a playgroup looks for after an evening: who leads, who moved, the last sets, records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice, pairwise

from coalition_site.lib.bidi import isolated
from coalition_site.lib.texts import sort_key
from decks.pictures import heroes
from decks.pictures.addresses import Picture

from ...pages.board import Who
from ...rules.formats import FORMATS
from ...rules.ruleset import Ruleset
from ...rules.words import count
from ..leaderboard import Row, Wanted
from ..queries import result_text
from ..records import FinishedSet, Remarkable, holders

PODIUM = 3
STREAK = 2  # sets won in a row that are worth a line
LINES = 6  # of one kind
NEAR = 3  # lines of who is near whom


@dataclass(frozen=True)
class Place:
    """A player on the podium, with the hero that was played last, "" if none was named.

    ``art`` is the hero's picture, where the site shows pictures.
    """

    who: Who
    row: Row
    hero: str
    art: Picture | None


@dataclass(frozen=True)
class Line:
    """A sentence, and the game that made it: the code of its set, and its number."""

    icon: str
    text: str
    code: str
    game: int


@dataclass(frozen=True)
class Holder:
    """Who has a record, by which value, in which set and game; the last, if it is of the whole."""

    text: str
    value: str
    code: str
    game: int
    day: date | None


@dataclass(frozen=True)
class RecordLine:
    """A record: of the days that are shown, None if there is none, and of all time."""

    title: str
    of_days: Holder | None
    of_all: Holder


def podium(rows: Iterable[Row]) -> list[Place]:
    """Return who ranks first to third; with more who share these ranks, the first by name."""
    ranked = [row for row in rows if row.rank and row.rank <= PODIUM][:PODIUM]
    art = heroes.art([_hero(row) for row in ranked])
    return [
        Place(Who(place, row.name), row, _hero(row), art.get(_hero(row)))
        for place, row in enumerate(ranked, 1)
    ]


def _hero(row: Row) -> str:
    return next((past.hero for past in reversed(row.form) if past.hero), "")


def news(rows: Sequence[Row], remarkable: Remarkable, wanted: Wanted) -> list[Line]:
    """Return the sentences of a board: who moved, who wins in a row, who is near whom."""
    ranked = [row for row in rows if row.rank]
    moves = _moves(ranked, remarkable.latest[0]) if remarkable.latest else ()
    lines = [*islice(moves, LINES), *islice(_streaks(rows), LINES)]
    return [*lines, *_near(ranked, FORMATS[wanted.format][0])] if wanted.scores else lines


def _moves(ranked: Sequence[Row], last: FinishedSet) -> Iterator[Line]:
    moved = [(row.former - row.rank, row) for row in ranked if row.former and row.rank]
    for by, row in sorted(moved, key=lambda pair: (-abs(pair[0]), sort_key(pair[1].name))):
        if by:
            which = "up" if by > 0 else "down"
            text = f"{isolated(row.name)} went {which} {count(abs(by), 'place')}, to {row.rank}."
            yield Line(which, text, *_moved_by(row, last))
    if moved:
        for row in (row for row in ranked if not row.former):
            text = f"{isolated(row.name)} is new in the ranking, at {row.rank}."
            yield Line("plus", text, *_moved_by(row, last))


def _streaks(rows: Iterable[Row]) -> Iterator[Line]:
    of_player = [(row.form[-1].streak or 0, row) for row in rows if row.form]
    for streak, row in sorted(of_player, key=lambda pair: (-pair[0], sort_key(pair[1].name))):
        if streak >= STREAK:
            text = f"{isolated(row.name)} won the last {streak} sets."
            yield Line("laurel", text, *_last_game(row))


def _near(ranked: Sequence[Row], ruleset: Ruleset) -> list[Line]:
    """Return who can pass the next one by the VP of one more set that the other is not in."""
    needed = []
    for ahead, row in pairwise(row for row in ranked if row.form):
        points = vp_to_pass(row, ahead, ruleset.games)
        if row.rank != ahead.rank and 0 < points <= ruleset.games * (ruleset.cap or 0):
            needed.append((points, row, ahead))
    return [
        Line(
            "swords",
            f"{isolated(row.name)} needs {points} VP in the next set to pass "
            f"{isolated(ahead.name)}{'' if ahead.name.endswith('.') else '.'}",
            *_last_game(row),
        )
        for points, row, ahead in sorted(needed, key=lambda line: line[0])[:NEAR]
    ]


def vp_to_pass(row: Row, ahead: Row, games: int) -> int:
    """Return the VP with which a player ranks above another, after so many games more.

    >>> vp_to_pass(Row(1, "Ann", games=6, victory_points=60),
    ...            Row(2, "Bo", games=3, victory_points=33), 3)
    40
    """
    return ahead.victory_points * (row.games + games) // ahead.games - row.victory_points + 1


def _moved_by(row: Row, last: FinishedSet) -> tuple[str, int]:
    """Return the game that moved a player: the own last one of the last day, or else the last."""
    if row.form and row.form[-1].played_on == last.results[0].played_on:
        return _last_game(row)
    return last.game_set.code, _games(last)


def _last_game(row: Row) -> tuple[str, int]:
    """Return a player's last game: the code of its set, and its number."""
    return row.form[-1].code, row.form[-1].games_played


def _games(of: FinishedSet) -> int:
    return max(result.games_played for result in of.results)


def records(remarkable: Remarkable) -> list[RecordLine]:
    """Return all records that are there; those of the days are left out where they are the same."""
    return [
        RecordLine(
            title,
            _holder(remarkable.of_days, field),
            _of(remarkable.of_all[field], field),
        )
        for field, title in TITLES.items()
        if field in remarkable.of_all
    ]


def _holder(best: Mapping[str, FinishedSet], field: str) -> Holder | None:
    return _of(best[field], field) if field in best else None


def _of(best: FinishedSet, field: str) -> Holder:
    facts = best.facts
    assert facts
    return Holder(
        _people(best, field),
        VALUES[field](getattr(facts, field)),
        best.game_set.code,
        getattr(facts, f"{field}_game", None) or _games(best),
        facts.played_on,
    )


def _people(best: FinishedSet, field: str) -> str:
    held = holders(best, field)
    if field == "margin":
        return result_text(held)
    return ", ".join(isolated(result.player.name) for result in held if result.player)


def length(minutes: int) -> str:
    """Return how long something took.

    >>> length(48), length(60), length(125)
    ('48 min', '1 h', '2 h 5 min')
    """
    hours, rest = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest or not hours))


TITLES = {
    "highest": "Highest set",
    "streak": "Longest streak",
    "best_turn": "Most VP in a turn",
    "margin": "Closest finish",
    "minutes": "Longest game",
}
VALUES: Mapping[str, Callable[[int], str]] = {
    "highest": lambda points: f"{points} VP",
    "streak": lambda sets: f"{count(sets, 'set')} in a row",
    "best_turn": lambda points: f"{points} VP",
    "margin": lambda points: f"by {points} VP",
    "minutes": length,
}
