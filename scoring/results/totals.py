"""Totals over all sets: of two opponents who met, of a player's heroes and decks, and of teams.

The only writer of them. A set adds to them and a correction changes them by the difference, so that
neither takes longer after many sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, groupby
from operator import or_
from typing import Any, NamedTuple

from django.db.models import F, Model, Q, QuerySet

from ..models import DeckTally, GameSet, HeroTally, Meeting, SetResult, TeamTally
from ..rules.formats import RULESETS

OF_MEETING = ("sets", "ahead", "behind", "points", "games", "others_points", "others_games")
OF_HERO = ("sets", "sets_won", "games", "victory_points")
OF_DECK = ("sets", "sets_won")
OF_TEAM = ("sets", "games", "games_won")
TOGETHER_MAX = 3  # players of a team who are counted together
Kind = type[Model]  # a key of KEYS
KEYS: dict[Kind, tuple[str, ...]] = {
    Meeting: ("player_id", "other_id", "ruleset"),
    HeroTally: ("player_id", "ruleset", "hero", "coalition_type"),
    DeckTally: ("player_id", "deck_id", "ruleset"),
    TeamTally: ("player_id", "mate_id", "third_id", "ruleset", "size"),
}
# Which parts of the keys are players.
PLAYERS: dict[Kind, tuple[str, ...]] = {
    Meeting: ("player_id", "other_id"),
    HeroTally: ("player_id",),
    DeckTally: ("player_id",),
    TeamTally: ("player_id", "mate_id", "third_id"),
}
SUMS: dict[Kind, tuple[str, ...]] = {
    Meeting: OF_MEETING,
    HeroTally: OF_HERO,
    DeckTally: OF_DECK,
    TeamTally: OF_TEAM,
}
BATCH = 500

Key = tuple[Any, ...]
# By model and key, and by name: what the sums are, or by how much they change.
Totals = dict[tuple[Kind, Key], Counter[str]]


class Counted(NamedTuple):
    """A result as far as totals need it."""

    game_set: int
    ruleset: str
    seat: int
    size: int
    player: int
    rank: int
    victory_points: int
    games_played: int
    games_won: int
    hero: str
    coalition_type: str
    deck: int | None

    @property
    def is_won(self) -> bool:
        return self.rank == 1 and (self.victory_points > 0 or self.games_won > 0)


def counted(results: Iterable[SetResult], game_set: GameSet) -> list[Counted]:
    """Return a set's results that have players. No query."""
    numbers = {key: number for number, key in game_set.seat_keys.items()}
    return [
        Counted(
            result.game_set_id,
            game_set.ruleset,
            numbers[result.seat_id],
            result.size,
            result.player_id,
            result.rank,
            result.victory_points,
            result.games_played,
            result.games_won,
            result.hero,
            result.coalition_type,
            result.deck_id,
        )
        for result in results
        if result.player_id
    ]


def read(results: QuerySet[SetResult]) -> Iterator[Counted]:
    """Yield results, those of a set after one another. One query."""
    ordered = results.exclude(player=None).annotate(rules=F("game_set__ruleset"))
    named = {"ruleset": "rules", "seat": "seat__number"}
    fields = [named.get(name, name) for name in Counted._fields]
    rows = ordered.order_by("game_set").values_list(*fields)
    return (Counted(*row) for row in rows.iterator(chunk_size=2000))


def add(
    totals: Totals, results: Iterable[Counted], times: int = 1, kinds: Iterable[Kind] = KEYS
) -> None:
    """Add the results of sets; with ``times`` -1 take them away."""
    for _, of_set in groupby(results, key=lambda result: result.game_set):
        in_order = sorted(of_set, key=lambda result: result.player)
        for kind in kinds:
            for key, sums in ADDED[kind](in_order):
                row = totals.setdefault((kind, key), Counter())
                for name, value in sums.items():
                    row[name] += times * value


Added = Iterator[tuple[Key, dict[str, int]]]


def _meetings(in_order: Sequence[Counted]) -> Added:
    teams = _teams(in_order)
    mates = {pair for team in teams for pair in combinations(team, 2)}
    for one, other in combinations(in_order, 2):
        if (one, other) in mates:
            continue
        values = (
            *(1, one.rank < other.rank, one.rank > other.rank),
            *(one.victory_points, one.games_played),
            *(other.victory_points, other.games_played),
        )
        key = (one.player, other.player, one.ruleset)
        yield key, dict(zip(OF_MEETING, map(int, values), strict=True))


def _heroes(results: Iterable[Counted]) -> Added:
    for one in results:
        if one.hero or one.coalition_type:
            sums = (1, int(one.is_won), one.games_played, one.victory_points)
            with_hero = (one.player, one.ruleset, one.hero, one.coalition_type)
            yield with_hero, dict(zip(OF_HERO, sums, strict=True))


def _decks(results: Iterable[Counted]) -> Added:
    for one in results:
        if one.deck:
            sums = (1, int(one.is_won))
            yield (one.player, one.deck, one.ruleset), dict(zip(OF_DECK, sums, strict=True))


def _together(results: Sequence[Counted]) -> Added:
    for team in _teams(results):
        yield from _of_team(team)


def _teams(results: Sequence[Counted]) -> list[list[Counted]]:
    """Return the results of a set by who win and lose together."""
    teams = RULESETS[results[0].ruleset].teams(results[0].size) if results else ()
    return [[each for each in results if each.seat in team] for team in teams]


def _of_team(team: Sequence[Counted]) -> Added:
    """Yield what its pairs did, and the three that it may be."""
    threes = [tuple(team)] if len(team) == TOGETHER_MAX else []
    for players in (*combinations(team, 2), *threes):
        keys = [each.player for each in players]
        nobody = [None] * (TOGETHER_MAX - len(keys))
        sums = (1, players[0].games_played, players[0].games_won)
        with_mates = (*keys, *nobody, players[0].ruleset, len(team))
        yield with_mates, dict(zip(OF_TEAM, sums, strict=True))


ADDED: dict[Kind, Callable[[Sequence[Counted]], Added]] = {
    Meeting: _meetings,
    HeroTally: _heroes,
    DeckTally: _decks,
    TeamTally: _together,
}


def change(before: Iterable[Counted], after: Iterable[Counted]) -> None:
    """Change the totals by the difference that a set's results make. The playgroup is locked."""
    totals: Totals = {}
    add(totals, before, -1)
    add(totals, after)
    changed = {key: sums for key, sums in totals.items() if any(sums.values())}
    for model in KEYS:
        own = {key: sums for (of, key), sums in changed.items() if of is model}
        if own:
            _change(model, own)


def _change(model: Kind, changes: dict[Key, Counter[str]]) -> None:
    gone: list[Any] = []
    changed: list[Any] = []
    for row in _rows(model, changes):
        sums = changes.pop(_key(row))
        for name, by in sums.items():
            # Never below 0: the release before this one counted no totals, and still may serve.
            setattr(row, name, max(getattr(row, name) + by, 0))
        (changed if row.sets else gone).append(row)
    model._default_manager.filter(pk__in=[row.pk for row in gone]).delete()
    model._default_manager.bulk_update(changed, SUMS[model])
    model._default_manager.bulk_create(
        _row(model, key, sums) for key, sums in changes.items() if _is_positive(sums)
    )


def _rows(model: Kind, keys: Iterable[Key]) -> list[Any]:
    """Return the rows that there are of some keys. One query."""
    wanted = set(keys)
    columns = dict(zip(KEYS[model], zip(*wanted, strict=True), strict=True))
    conditions = {f"{name}__in": set(v) for name, v in columns.items() if None not in v}
    rows = model._default_manager.filter(**conditions)
    return [row for row in rows if _key(row) in wanted]


def _key(row: Model) -> Key:
    return tuple(getattr(row, name) for name in KEYS[type(row)])


def _row(model: Kind, key: Key, sums: Counter[str]) -> Any:
    return model(**dict(zip(KEYS[model], key, strict=True)), **sums)


def _is_positive(sums: Counter[str]) -> bool:
    return sums["sets"] > 0 and min(sums.values()) >= 0


def recount(players: Collection[int]) -> None:
    """Count all totals of some players again. Their playgroup is locked."""
    for model in KEYS:
        _of_players(model, players).delete()
    totals = of_players(players)
    for model in KEYS:
        rows = (_row(model, key, sums) for (of, key), sums in totals.items() if of is model)
        model._default_manager.bulk_create(rows, batch_size=BATCH)


def of_players(players: Collection[int]) -> Totals:
    """Return all totals of some players as their results give them. One query."""
    totals: Totals = {}
    theirs = SetResult.objects.filter(player__in=players)
    add(totals, read(SetResult.objects.filter(game_set__in=theirs.values("game_set"))))
    return {
        (model, key): sums
        for (model, key), sums in totals.items()
        if not set(key[: len(PLAYERS[model])]).isdisjoint(players)
    }


def stored(players: Collection[int]) -> Totals:
    """Return all totals of some players as they are stored. A query for each kind."""
    return {
        (model, _key(row)): Counter({name: getattr(row, name) for name in SUMS[model]})
        for model in KEYS
        for row in _of_players(model, players)
    }


def _of_players(model: Kind, players: Collection[int]) -> QuerySet[Any]:
    theirs = (Q(**{f"{name}__in": players}) for name in PLAYERS[model])
    return model._default_manager.filter(reduce(or_, theirs))
