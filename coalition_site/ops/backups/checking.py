"""Checking a backup: it is restored into a place that is thrown away, and all logs are played."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import connection, connections

from . import proofs
from .files import BackupRefused
from .kinds import KINDS, check_is_ours, check_kind, is_behind
from .proofs import Check, NotChecked, Proof

Tell = Callable[[str], None]


def check(path: Path, tell: Tell, **output: Any) -> Proof:
    """Restore a backup into a place that is thrown away, play all its logs, and note how it went.

    :raises NotChecked: if there is no proof, or no such place can be made.
    :raises BackupRefused: if the backup is not what was written, or not right.
    """
    proof, started = proofs.read(path), time.monotonic()

    def noted(fault: str) -> Proof:
        seconds = round(time.monotonic() - started, 1)
        checked = replace(proof, check=Check(proofs.now(), seconds, fault))
        _note(path, checked, tell)
        return checked

    try:
        _try_out(path, proof, tell, **output)
    except NotChecked:
        raise
    except BackupRefused as refusal:
        noted(str(refusal))
        raise
    return noted("")


def _note(path: Path, proof: Proof, tell: Tell) -> None:
    try:
        proofs.write(path, proof)
    except OSError as error:
        tell(f"The check could not be noted beside {path}: {error.strerror}")


def _try_out(path: Path, proof: Proof, tell: Tell, **output: Any) -> None:
    kind = KINDS[check_kind(path)]
    tell(f"1 of 3: comparing the checksum of {proof.bytes:,} bytes")
    proofs.check_bytes(path, proof)
    check_is_ours(path, kind.migrations(path))
    with _stopped_cleanly(), kind.elsewhere() as name, _on(name):
        tell(f"2 of 3: restoring into {name}, which is thrown away afterwards")
        kind.read(path)
        if is_behind():
            tell("It is from an older version, so it is migrated there.")
            call_command(migrate.Command(), verbosity=0, **output)
        _check_counts(path, proof)
        tell(f"3 of 3: playing {proof.content}")
        _play(path, **output)


def _check_counts(path: Path, proof: Proof) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM scoring_gameset), (SELECT count(*) FROM scoring_eventrow)"
        )
        sets, events = cursor.fetchone()
    if (sets, events) != (proof.sets, proof.events):
        raise BackupRefused(
            f"{path} has {proofs.content(sets, events)}, and its proof names {proof.content}."
        )


def _play(path: Path, **output: Any) -> None:
    try:
        call_command("verify_ledger", **output)
    except SystemExit as end:
        raise BackupRefused(
            f"{path} is as it was written, but its logs are not right: see above. The same may be "
            f"wrong in the database: run verify_ledger."
        ) from end


@contextmanager
def _on(name: str) -> Iterator[None]:
    """Have this process on another database of the same kind meanwhile."""
    own = connection.settings_dict["NAME"]
    connections.close_all()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connections.close_all()
        connection.settings_dict["NAME"] = own


@contextmanager
def _stopped_cleanly() -> Iterator[None]:
    """Clean up at SIGTERM too, as an engine sends it, and not at Ctrl-C only."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
