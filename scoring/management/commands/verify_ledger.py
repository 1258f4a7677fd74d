"""Replay every log, and compare the stored state, ledger and results with it."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError

from ...groups.data import audit as group_audit
from ...models import Game, GameSet, Playgroup, triggers
from ...record import audit, commands, queries

STEP = 500  # sets between two lines of progress


def _read(code: str) -> tuple[GameSet | None, list[str]]:
    """Return a set with its faults; it is read again if somebody has tapped meanwhile."""
    heads = Game.objects.filter(game_set__code=code).order_by("pk").values_list("head", flat=True)
    while True:
        before, game_set = list(heads.all()), queries.find_set(code)
        if game_set is None:
            return None, [f"set {code}: not there"]
        faults = list(audit.faults(game_set))
        if not faults or list(heads.all()) == before:
            return game_set, faults


class Command(BaseCommand):
    help = "Replay all logs (or those of some sets) and compare; exit 1 if something is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="*", help="codes of sets; default: all")
        parser.add_argument(
            "--repair", action="store_true", help="rebuild what is derived from the logs"
        )

    def handle(self, *args: Any, code: list[str], repair: bool, **options: Any) -> None:
        wrong = checked = repaired = 0
        every_code = GameSet.objects.order_by("pk").values_list("code", flat=True)
        for set_code in code or every_code.iterator():
            checked += 1
            game_set, faults = _read(set_code)
            for fault in faults:
                self.stdout.write(fault)
            if faults:
                wrong += 1
                repaired += bool(repair and game_set and self._repaired(commands.repair, game_set))
            elif repair and game_set and (not game_set.seal or audit.is_uncounted(game_set)):
                self._repaired(commands.repair, game_set)
            if checked % STEP == 0:
                self.stderr.write(f"sets checked: {checked}")
        also = f", {repaired} repaired" if repair else ""
        self.stdout.write(f"sets checked: {checked}, {wrong} wrong{also}")
        bad_groups = 0 if code else self._check_groups(repair)
        gone = [] if code else list(audit.missing_games())
        for fault in gone:
            self.stdout.write(fault)
        bad_triggers = self._check_triggers(repair)
        if wrong > repaired or bad_groups or gone or bad_triggers:
            sys.exit(1)

    def _check_triggers(self, repair: bool) -> int:
        wrong = triggers.wrong()
        for name in wrong:
            self.stdout.write(f"trigger {name}: missing, disabled, or changed")
        if wrong and repair:
            try:
                triggers.put_back(wrong)
            except DatabaseError:
                self.stdout.write("Only the owner of the database can create triggers again.")
            wrong = triggers.wrong()
        return len(wrong)

    def _check_groups(self, repair: bool) -> int:
        wrong = repaired = 0
        groups = list(Playgroup.objects.order_by("pk"))
        for group in groups:
            faults = list(group_audit.faults(group))
            for fault in faults:
                self.stdout.write(fault)
            wrong += bool(faults)
            if repair and (faults or group_audit.is_uncounted(group)):
                repaired += self._repaired(group_audit.repair, group) and bool(faults)
        if groups:
            also = f", {repaired} repaired" if repair else ""
            self.stdout.write(f"playgroups checked: {len(groups)}, {wrong} wrong{also}")
        return wrong - repaired

    def _repaired(self, repair: Callable[[Any], None], broken: GameSet | Playgroup) -> bool:
        try:
            repair(broken)
        except Exception:
            return False  # unreadable data, which was reported: only people can repair it
        return True
