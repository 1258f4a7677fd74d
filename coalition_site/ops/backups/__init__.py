"""Backups of the whole database in one file, and restoring them, on either kind of database.

On SQLite the file is a database itself, on PostgreSQL a dump in pg_dump's own format. Neither stops
the site, and each shows one moment. Sessions are left out: everybody signs in again afterwards.
Beside each is its proof: `proofs.py`.
"""

from __future__ import annotations

from pathlib import Path

from django.db import connection

from .. import roles
from . import proofs
from .checking import check
from .files import BackupRefused, written
from .kinds import KINDS, check_is_ours, check_kind, is_behind
from .proofs import NotChecked, Proof, latest

__all__ = ["BackupRefused", "NotChecked", "back_up", "check", "is_behind", "latest", "restore"]


def back_up(path: Path) -> Proof:
    """Write the database to a new file, whole or not at all, and its proof beside it.

    The file is read back before it gets its name, and its proof is there before it.

    :raises BackupRefused: with what to do, if it can't be written.
    """
    kind = KINDS[connection.vendor]
    with written(path) as place:
        kind.write(place)
        if not kind.migrations(place):
            raise BackupRefused(
                "There is nothing to back up yet: `manage.py migrate` creates the tables."
            )
        proof = _proof(path.name, place)
        try:
            proofs.write(path, proof)
        except OSError as error:
            raise BackupRefused(f"{path}: {error.strerror}. No backup was written.") from error
    return proof


def _proof(name: str, place: Path) -> Proof:
    sets, events = KINDS[connection.vendor].counts(place)
    return Proof(
        file=name,
        database=connection.vendor,
        written=proofs.now(),
        bytes=place.stat().st_size,
        sha256=proofs.checksum(place),
        sets=sets,
        events=events,
    )


def restore(path: Path, *, replace: bool = False, unproven: bool = False) -> None:
    """Replace the database's content with a backup's, in one transaction.

    :raises BackupRefused: with what to do, if the file is not a backup, not what was written, of
        another database or a newer version, has no proof although ``unproven`` is not set, or if
        the database is not empty and ``replace`` is not set.
    """
    kind = KINDS[check_kind(path)]
    if not unproven or proofs.place_of(path).exists():
        proofs.check_bytes(path, proofs.read(path))
    check_is_ours(path, kind.migrations(path))
    if not replace and connection.introspection.table_names():
        raise BackupRefused(
            "This database is not empty. Restore into an empty database, or add --replace to lose "
            "what it contains. Nothing was changed."
        )
    kind.read(path)
    roles.grant()
    connection.close()  # it may have cached things about the database as it was
