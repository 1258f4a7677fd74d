"""Measure what news cost those who keep score: taps with a webhook beside taps without one.

    python -m tests.bench.news

Works on the database of DATABASE_URL, migrated; prints its rows as JSON. Taps are rolled back, so
that each finds the same table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import django

django.setup()

from django.db import transaction  # noqa: E402

from scoring.groups.playgroups import create_playgroup  # noqa: E402
from scoring.models import GameSet  # noqa: E402
from scoring.news import webhooks  # noqa: E402
from scoring.play import commands  # noqa: E402
from scoring.rules.formats import COALITION_906  # noqa: E402
from scoring.rules.moves import Draw  # noqa: E402
from tests.bench.cards import beside, settle  # noqa: E402
from tests.bench.rows import Row  # noqa: E402
from tests.scoring.rules.play import hit  # noqa: E402

ADDRESS = "https://receiver.example/news"
HITS = 20  # before the tap that is measured


def table(*, has_webhook: bool) -> GameSet:
    """Return a set of a playgroup in its first game."""
    group = create_playgroup("Bench", None, visibility="public", ruleset=COALITION_906.key)
    if has_webhook:
        webhooks.save(group, "json", ADDRESS, site="https://table.example", key="bench")
    game_set = commands.create_set(COALITION_906, ["Ann", "Bo", "Cy", "Di"], playgroup=group)
    commands.start_game(game_set, 1, first=1)
    for _ in range(HITS):
        commands.record(game_set, 1, hit(1, 2, 1))
    return game_set


def tap_of(game_set: GameSet) -> Callable[[], object]:
    return lambda: _undone(lambda: commands.record(game_set, 1, hit(2, 1, 1)))


def end_of(game_set: GameSet) -> Callable[[], object]:
    return lambda: _undone(lambda: commands.call_set(game_set))


def _undone(act: Callable[[], object]) -> None:
    with transaction.atomic():
        act()
        transaction.set_rollback(True)


def rows() -> Iterator[Row]:
    told, silent = table(has_webhook=True), table(has_webhook=False)
    settle()
    yield beside("a hit with a webhook / without", tap_of(told), tap_of(silent), "1.1")
    for game_set in (told, silent):
        commands.record(game_set, 1, Draw())
    yield beside("the end of a set with a webhook / without", end_of(told), end_of(silent), "1.5")


def main() -> None:
    print(json.dumps(list(rows())))


if __name__ == "__main__":
    main()
