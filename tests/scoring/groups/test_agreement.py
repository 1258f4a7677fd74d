"""Whatever is played, left early, called, corrected and merged: what a playgroup's pages say is
what its sets say, each by its own standings, worked out here from the logs and nothing else."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations
from operator import attrgetter
from random import Random
from statistics import median

import pytest

from scoring.groups import audit, leaderboard, meetings, records, teams, winners
from scoring.groups.evenings import queries as evening_queries
from scoring.groups.evenings.standings import standings as evening_standings
from scoring.groups.leaderboard import LISTED, Wanted
from scoring.models import Evening, GameSet, Player, Playgroup, SetResult
from scoring.play import queries
from scoring.results.counting import root
from scoring.rules import recap, sets
from scoring.rules.formats import FORMATS, scores
from scoring.rules.sets import SetState
from tests.lengths import long

from ..grouped import group
from .random_season import BEGAN, RandomSeason

SEEDS = [0, *long(1, 2, 3, 4, 5)]
STEPS = 20
SOME = Wanted(first=BEGAN.date() + timedelta(days=20), last=BEGAN.date() + timedelta(days=69))


@dataclass(frozen=True)
class Played:
    """A set by its log: who sat at which seat, and what each of them did in each game."""

    table: GameSet
    began_at: datetime
    state: SetState
    seats: Mapping[int, int]
    stats: Sequence[Mapping[int, recap.Stats]]

    @property
    def day(self) -> date:
        return self.began_at.date()

    def ranks(self) -> dict[int, sets.Standing]:
        return {self.seats[one.player]: one for one in sets.standings(self.state)}

    def most(self, kind: str) -> int:
        """Return what this set has of what records are made of."""
        points = sorted((one.victory_points for one in self.ranks().values()), reverse=True)
        if kind == "best_turn":
            return max(done.best_turn for of_game in self.stats for done in of_game.values())
        return points[0] if kind == "highest" else points[0] - points[1]


def is_won(standing: sets.Standing) -> bool:
    """Nobody has won a set in which all share first place with nothing."""
    return standing.rank == 1 and standing.victory_points + standing.games_won > 0


def of_log(table: GameSet, merged: dict[int, int | None]) -> Played:
    games = queries.games(table)
    logs = queries.replayed_logs(games)
    dropped = frozenset(seat for game in games for seat in game.dropped)
    state = SetState(
        table.rules, tuple(table.names), tuple(log.state for log in logs), dropped, table.called
    )
    seats = {seat.number: root(seat.player_id, merged) for seat in table.seats.all()}
    return Played(table, games[0].started_at, state, seats, recap.stats_of_set(state, logs))


def played(of: Playgroup) -> list[Played]:
    merged = dict(of.players.values_list("pk", "merged_into"))
    every = (of_log(table, merged) for table in GameSet.objects.filter(playgroup=of))
    done = [one for one in every if one.state.has_results]
    return sorted(done, key=lambda one: (one.table.finished_at, one.table.pk))


def of_format(some: Iterable[Played], wanted: Wanted) -> list[Played]:
    return [
        one
        for one in some
        if one.table.ruleset in wanted.rulesets
        and (wanted.first is None or wanted.first <= one.day <= wanted.last)
    ]


Line = tuple[str, int | None, int, int, int, int, int, int]


def expected_board(of: Playgroup, some: Sequence[Played], wanted: Wanted) -> list[Line]:
    """Return name, rank, sets, sets won, games, VP, games won and opponents outlasted of each."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for one in some:
        for player, standing in one.ranks().items():
            seat = standing.player
            sums[player] += Counter(
                sets=1,
                sets_won=is_won(standing),
                games=len(one.state.games),
                points=standing.victory_points,
                won=standing.games_won,
                outlasted=sum(of_game[seat].outlasted for of_game in one.stats),
            )
    names = dict(of.players.filter(is_guest=False).values_list("pk", "name"))
    listed = {player: of_player for player, of_player in sums.items() if player in names}

    def mark(of_player: Counter[str]) -> tuple[float, ...]:
        if scores(wanted.format):
            return (of_player["points"] / of_player["games"],)
        return of_player["won"] / of_player["games"], of_player["outlasted"] / of_player["games"]

    ranked = [one for one in listed.values() if one["sets"] >= LISTED]
    fields = ("sets", "sets_won", "games", "points", "won", "outlasted")
    return sorted(
        (
            names[player],
            1 + sum(mark(other) > mark(one) for other in ranked) if one in ranked else None,
            *(one[name] for name in fields),
        )
        for player, one in listed.items()
    )


def board(of: Playgroup, wanted: Wanted) -> list[Line]:
    fields = ("name", "rank", "sets", "sets_won", "games", "victory_points", "games_won")
    line = attrgetter(*fields, "outlasted")
    return sorted(map(line, leaderboard.board(of, wanted).rows))


def check_boards(of: Playgroup, some: Sequence[Played]) -> None:
    for wanted in (*(Wanted(format=format) for format in FORMATS), SOME):
        own = of_format(some, wanted)
        assert board(of, wanted) == expected_board(of, own, wanted)
        assert leaderboard.board(of, wanted).sets == len(own)


def check_results(some: Sequence[Played]) -> None:
    for one in some:
        rows = SetResult.objects.filter(game_set=one.table)
        assert {row.player_id: (row.rank, row.victory_points, row.games_won) for row in rows} == {
            player: (standing.rank, standing.victory_points, standing.games_won)
            for player, standing in one.ranks().items()
        }


def check_evenings(of: Playgroup) -> None:
    merged = dict(of.players.values_list("pk", "merged_into"))
    for evening in of.evenings.all():
        rows = evening_queries.read(evening)
        sums: dict[int, Counter[str]] = {player: Counter() for player in rows.here}
        every, begun = [], set()
        for one in evening_sets(evening, merged):
            begun.add(one.table.round_table.round_id)
            for player, standing in one.ranks().items():
                had = (
                    standing.victory_points
                    if scores(one.table.rules.format)
                    else standing.games_won
                )
                sums[player]["games"] += len(one.state.games)
                sums[player]["points"] += standing.victory_points
                sums[player]["had"] += had
                every += [had] * one.state.has_results
        for place in rows.places:
            if place.round_id in begun:
                player = root(place.player_id, merged)
                sums[player]["sat" if place.table else "byes"] += 1
        totals = {
            player: round(one["had"] + one["byes"] * max(one["had"] / one["sat"], usual), 1)
            if one["sat"]
            else 0
            for player, one in sums.items()
            for usual in [median(every or [0])]
        }
        ranked = [
            player for player, one in sums.items() if one["games"] and one["sat"] >= len(begun) / 2
        ]
        assert {
            (one.player.pk, one.rank, one.score.games, one.score.points, one.total)
            for one in evening_standings(rows)
        } == {
            (
                player,
                1 + sum(totals[other] > totals[player] for other in ranked)
                if player in ranked
                else None,
                one["games"],
                one["points"],
                totals[player],
            )
            for player, one in sums.items()
            if one["games"] or rows.here[player]
        }


def evening_sets(evening: Evening, merged: dict[int, int | None]) -> Iterator[Played]:
    """Yield the sets of an evening with a game, finished and not."""
    for table in GameSet.objects.filter(round_table__round__evening=evening):
        one = of_log(table, merged)
        if one.state.games:
            yield one


def expected_records(some: Sequence[Played]) -> dict[str, tuple[int, str]]:
    """Return the value of each record, and the code of the latest set that has it."""
    best: dict[str, tuple[int, int, str]] = {}
    streaks = streaks_after(some)
    for one in some:
        values = {kind: one.most(kind) for kind in ("highest", "best_turn", "margin")}
        values["streak"] = streaks[one.table.pk]
        for kind, value in values.items():
            sign = -1 if kind == "margin" else 1
            if value > 0:
                mark = (sign * value, one.table.pk, one.table.code)
                best[kind] = max(best.get(kind, mark), mark)
    return {kind: (abs(value), code) for kind, (value, _, code) in best.items()}


def streaks_after(some: Sequence[Played]) -> dict[int, int]:
    streaks: Counter[int] = Counter()
    longest = {}
    for one in some:
        for player, standing in one.ranks().items():
            streaks[player] = streaks[player] + 1 if is_won(standing) else 0
        longest[one.table.pk] = max(streaks[player] for player in one.ranks())
    return longest


def check_records(of: Playgroup, some: Sequence[Played], monkeypatch: pytest.MonkeyPatch) -> None:
    own = of_format(some, Wanted())
    longest = streaks_after(own)
    days = {SOME.first + timedelta(days=at) for at in range(50)}
    within = [one for one in own if one.day in days]
    of_days = expected_records(within)
    if streaks := [(longest[one.table.pk], one.table.pk, one.table.code) for one in within]:
        value, _, code = max(streaks)
        of_days |= {"streak": (value, code)} if value else {}
    for few in (records.FEW, 0):
        monkeypatch.setattr(records, "FEW", few)
        found = records.remarkable(of, SOME)
        assert held(found.of_all) == expected_records(own)
        assert held(found.of_days) == of_days


def held(best: Mapping[str, records.FinishedSet]) -> dict[str, tuple[int, str]]:
    return {
        kind: (getattr(one.facts, kind), one.game_set.code)
        for kind, one in best.items()
        if kind != "minutes"
    }


def check_teams(of: Playgroup, some: Sequence[Played]) -> None:
    whole: dict[frozenset[int], Counter[str]] = defaultdict(Counter)
    pairs: dict[frozenset[int], Counter[str]] = defaultdict(Counter)
    guests = set(of.players.filter(is_guest=True).values_list("pk", flat=True))
    for one in some:
        for seats in one.state.ruleset.teams(len(one.seats)):
            if len(seats) < 2:
                continue
            done = Counter(games=1, won=sets.games_won(one.state, seats[0]))
            team = [one.seats[seat] for seat in seats]
            for counted, parts in ((whole, [team]), (pairs, combinations(team, 2))):
                for part in parts:
                    if guests.isdisjoint(part):
                        counted[frozenset(part)] += done
    found = teams.teams(of)
    assert (by_team(found.whole), by_team(found.pairs)) == (whole, pairs)


def by_team(rows: Iterable[teams.Team]) -> dict[frozenset[int], Counter[str]]:
    return {
        frozenset(key for key, _ in row.players): Counter(games=row.games, won=row.won)
        for row in rows
    }


def check_pairs(of: Playgroup, some: Sequence[Played]) -> None:
    """Head to head: who ranked above whom, of those who did not sit in one team."""
    met: Counter[tuple[int, int]] = Counter()
    for one in some:
        ranks = one.ranks()
        for a, b in combinations(ranks, 2):
            seats = {ranks[a].player, ranks[b].player}
            if not any(seats <= set(team) for team in one.state.ruleset.teams(len(one.seats))):
                met[a, b] += ranks[a].rank < ranks[b].rank
                met[b, a] += ranks[b].rank < ranks[a].rank
    for a, b in combinations(Player.objects.filter(playgroup=of), 2):
        duel = meetings.duel(meetings.against(a, b))
        assert (duel.ahead, duel.behind) == (met[a.pk, b.pk], met[b.pk, a.pk])


def check_winners(of: Playgroup) -> None:
    season = of.seasons.get()
    [finish] = winners.finishes(of, [season])
    rows = leaderboard.board(of, SOME).rows
    assert {row.name for row in finish["first"]} == {row.name for row in rows if row.rank == 1}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_playgroup_shows_is_what_its_sets_say(db, seed, monkeypatch):
    of = group()
    of.seasons.create(name="Some", starts_on=SOME.first, ends_on=SOME.last)
    season = RandomSeason(of, Random(seed))
    for _ in range(3):
        season.go_on(STEPS)
        some = played(of)

        check_results(some)
        check_boards(of, some)
        check_evenings(of)
        check_records(of, some, monkeypatch)
        check_teams(of, some)
        check_pairs(of, some)
        check_winners(of)
        assert list(audit.faults(of)) == []
