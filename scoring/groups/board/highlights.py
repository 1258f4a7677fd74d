"""What a playgroup looks for after an evening: who moved, who wins in a row, records."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice, pairwise
from typing import Any, NamedTuple

from coalition_site.lib.bidi import isolated
from coalition_site.lib.texts import sort_key

from ...models.tallies import SUMS
from ...rules.formats import FORMATS
from ...rules.words import count, series
from ..queries import result_text
from ..statistics.records import FinishedSet, Remarkable, holders
from .leaderboard import Filters, Row

PODIUM = 3
STREAK = 2  # sets won in a row that are worth a line
LINES = 6  # of one kind
NEAR = 3  # lines of who is near whom


class Headline(NamedTuple):
    icon: str
    text: str
    code: str
    game: int


class RecordHolder(NamedTuple):
    """Who has a record, by which value, in which set and game; the last, if it is of the whole."""

    text: str
    value: str
    code: str
    game: int
    day: date | None


def last_day(
    day: date, rows: Iterable[Row], of_day: Mapping[int, Sequence[int]], filters: Filters
) -> dict[str, Any] | None:
    measure = SUMS.index("victory_points" if filters.scores else "games_won")
    played = [(of_day[row.player_id][measure], row.name) for row in rows if row.player_id in of_day]
    played.sort(key=lambda each: (-each[0], sort_key(each[1])))
    unit = "VP" if filters.scores else "won"
    least = min((value for value, _ in played[:PODIUM]), default=0)
    first = [
        (name, f"{value} {unit}", value == played[0][0]) for value, name in played if value >= least
    ]
    return {"day": day, "first": first} if first else None


def next_line(own: Row, rows: Iterable[Row], filters: Filters) -> str:
    """Return who is next after the visitor, and how far, where VP tell that."""
    ranked = [row for row in rows if row.rank]
    if not own.rank:
        what = "set" if filters.scores else "game"
        return f"It takes {count(own.needed, what)}: you have {own.sets}."
    better = [row for row in ranked if row.rank and row.rank < own.rank]
    if not better:
        return "Nobody is ahead of you."
    ahead, ruleset = better[-1], FORMATS[filters.format][0]
    if not filters.scores:
        return f"{isolated(ahead.name)} is next."
    points = vp_to_pass(own, ahead, ruleset.games)
    if points > ruleset.games * (ruleset.cap or 0):
        behind = ahead.per_game - own.per_game
        return f"{isolated(ahead.name)} is next, {behind:.1f} VP per game ahead."
    return f"{points} VP in your next set pass {isolated(ahead.name)}."


def news(rows: Sequence[Row], remarkable: Remarkable, filters: Filters) -> list[Headline]:
    ranked = [row for row in rows if row.rank]
    lines: list[Headline] = []
    if remarkable.latest:
        last, *before = remarkable.latest
        # Its records, if it is not the first set; streaks have lines of their own.
        for field, best in remarkable.of_all.items():
            if before and field != "streak" and best.game_set == last.game_set:
                record, (title, _) = _record(best, field), RECORDS[field]
                text = f"A record: {title[:1].lower()}{title[1:]}, {record.text}, {record.value}."
                lines.append(Headline("laurel", text, record.code, record.game))
        lines += islice(_moves(ranked, last), LINES)
    of_player = [(row.form[-1].streak or 0, row) for row in rows if row.form]
    streaks = [pair for pair in of_player if pair[0] >= STREAK]
    streaks.sort(key=lambda pair: (-pair[0], sort_key(pair[1].name)))
    for streak, row in streaks[:LINES]:
        text = f"{isolated(row.name)} won {streak} sets in a row."
        lines.append(Headline("laurel", text, *_last_game(row)))
    if not filters.scores:
        return lines
    # Who can pass the next one by the VP of one more set that the other is not in.
    ruleset, needed = FORMATS[filters.format][0], []
    for ahead, row in pairwise(row for row in ranked if row.form):
        points = vp_to_pass(row, ahead, ruleset.games)
        if row.rank != ahead.rank and 0 < points <= ruleset.games * (ruleset.cap or 0):
            needed.append((points, row, ahead))
    needed.sort(key=lambda line: line[0])
    for points, row, ahead in needed[:NEAR]:
        text = f"{isolated(row.name)} needs {points} VP in the next set to pass "
        text += f"{isolated(ahead.name)}{'' if ahead.name.endswith('.') else '.'}"
        lines.append(Headline("swords", text, *_last_game(row)))
    return lines


def _moves(ranked: Sequence[Row], last: FinishedSet) -> Iterator[Headline]:
    def moved_by(row: Row) -> tuple[str, int]:
        # The own last game, if it was on the last day, or else the last one of all.
        if row.form and row.form[-1].played_on == last.results[0].played_on:
            return _last_game(row)
        return last.game_set.code, _games(last)

    stood = [(row.former, row.rank, row) for row in ranked if row.former and row.rank]
    stood.sort(key=lambda each: (each[1] - each[0], sort_key(each[2].name)))
    for former, rank, row in stood:
        if rank < former:
            passed = [isolated(one.name) for was, now, one in stood if was < former and now > rank]
            text = f"{isolated(row.name)} went up {count(former - rank, 'place')}, to {rank}"
            text += f", past {series(passed)}." if passed else "."
            yield Headline("up", text, *moved_by(row))
    if stood:
        for row in (row for row in ranked if not row.former):
            text = f"{isolated(row.name)} is new in the ranking, at {row.rank}."
            yield Headline("plus", text, *moved_by(row))


def vp_to_pass(row: Row, ahead: Row, games: int) -> int:
    """Return the VP with which a player ranks above another, after so many games more.

    >>> vp_to_pass(Row(1, "Ann", games=6, victory_points=60),
    ...            Row(2, "Bo", games=3, victory_points=33), 3)
    40
    """
    return ahead.victory_points * (row.games + games) // ahead.games - row.victory_points + 1


def _last_game(row: Row) -> tuple[str, int]:
    return row.form[-1].code, row.form[-1].games_played


def _games(of: FinishedSet) -> int:
    return max(result.games_played for result in of.results)


# --- records ---
def records(best: Mapping[str, FinishedSet]) -> dict[str, RecordHolder]:
    """Return records by their titles, in the order of a page."""
    return {
        title: _record(best[field], field) for field, (title, _) in RECORDS.items() if field in best
    }


def _record(best: FinishedSet, field: str) -> RecordHolder:
    facts, results = best.facts, holders(best, field)
    assert facts
    names = ", ".join(isolated(result.player.name) for result in results if result.player)
    _, value = RECORDS[field]
    return RecordHolder(
        result_text(results) if field == "margin" else names,
        value(getattr(facts, field)),
        best.game_set.code,
        getattr(facts, f"{field}_game", None) or _games(best),
        facts.played_on,
    )


def length(minutes: int) -> str:
    """
    >>> length(48), length(60), length(125)
    ('48 min', '1 h', '2 h 5 min')
    """
    hours, rest = divmod(minutes, 60)
    return " ".join([f"{hours} h"] * bool(hours) + [f"{rest} min"] * bool(rest or not hours))


RECORDS: dict[str, tuple[str, Callable[[int], str]]] = {
    "highest": ("Highest set", "{} VP".format),
    "streak": ("Longest streak", lambda sets: f"{count(sets, 'set')} in a row"),
    "best_turn": ("Most VP in a turn", "{} VP".format),
    "margin": ("Closest finish", "by {} VP".format),
    "minutes": ("Longest game", length),
}
