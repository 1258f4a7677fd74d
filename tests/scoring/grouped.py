"""A small language for tests of playgroups: groups, their finished sets, and what was counted."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

from decks.models import DeckRevision
from scoring.groups.settings.commands import create_playgroup
from scoring.models import GameSet, Playgroup, SetResult, Tally
from scoring.models.tallies import SUMS
from scoring.record import commands
from scoring.rules.corrections import Entry
from scoring.rules.formats import COALITION_906, Ruleset
from scoring.rules.moves import Draw

from .rules.play import hit

NOON = time(12)


def group(name: str = "Thursday group", *, zone: str = "UTC", **said: Any) -> Playgroup:
    """Return a new playgroup without an owner."""
    given = {"visibility": "public", "ruleset": COALITION_906.key, **said}
    return create_playgroup(name, None, zone=zone, **given)


def play(
    of: Playgroup | None,
    day: date | datetime,
    points: Mapping[str, Sequence[int]],
    *,
    ruleset: Ruleset = COALITION_906,
    key: str | None = None,
    decks: Mapping[int, DeckRevision] | None = None,
    until: datetime | None = None,
) -> GameSet:
    """Play a set, on a day at noon, in which the players score these points each game.

    It ends at once, or at ``until``. Whoever is named first begins each game; each game ends as a
    draw. ``decks`` are brought by the seats of those numbers.
    """
    at = day if isinstance(day, datetime) else datetime.combine(day, NOON, UTC)
    names = list(points)
    table = commands.create_set(ruleset, names, key=key, seed=1, at=at, playgroup=of)
    for seat, revision in (decks or {}).items():
        commands.bring_deck(table, seat, revision)
    for number in range(1, ruleset.games + 1):
        commands.start_game(table, number, first=1, at=at)
        for seat, name in enumerate(names, 1):
            target = 1 + seat % len(names)
            if scored := points[name][number - 1]:
                commands.record(table, number, hit(seat, target, scored), at=at)
        is_last = number == ruleset.games
        commands.record(table, number, Draw(), at=until if until and is_last else at)
    return table


def play_one_game(table: GameSet, *moves: Entry, at: datetime | None = None) -> None:
    """Play a game of these moves, which ends as a draw, and end the set after it."""
    commands.start_game(table, 1, first=1, at=at)
    for move in (*moves, Draw()):
        commands.record(table, 1, move, at=at)
    commands.call_set(table)


def tallies(of: Playgroup, span: str = "day") -> list[tuple[Any, ...]]:
    """Return a playgroup's tallies: name, first day, ruleset, size, and the sums."""
    kept = Tally.objects.filter(player__playgroup=of, span=span)
    return list(
        kept.order_by("player__name", "starts_on", "ruleset", "size").values_list(
            "player__name", "starts_on", "ruleset", "size", *SUMS
        )
    )


def ratings(of: Playgroup) -> list[tuple[str, float, float]]:
    """Return the ratings after each set, in the order of play."""
    kept = SetResult.objects.filter(player__playgroup=of)
    return list(
        kept.order_by("finished_at", "rank", "pk").values_list("player__name", "mu", "sigma")
    )
