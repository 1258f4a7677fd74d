"""Backups of the whole database in one file, and restoring them, on either kind of database.

On SQLite the file is a database itself, on PostgreSQL a dump of pg_dump. Each shows one
moment, without the sessions. Beside it is its proof: FILE.json with its checksum.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import DatabaseError, Error, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from . import roles
from .logs import is_unavailable

EMPTY = b"""\
SET client_min_messages = warning; -- or each table that is dropped is listed
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
"""
SIGN_OUT = b"DELETE FROM public.django_session;\n"  # the first release's backups have them


class BackupRefused(Exception):
    pass


class NotChecked(BackupRefused):
    """A backup can't be checked here, and so nothing is known of it."""


class Unproven(NotChecked):
    """A backup, or its proof, is not there or can't be read."""


def _proof_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def back_up(path: Path) -> None:
    if path.exists():
        raise BackupRefused(f"{path} exists already, and was not changed. Choose a new name.")
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    if not applied:
        raise BackupRefused(
            "There is nothing to back up yet: `manage.py migrate` creates the tables."
        )
    try:
        beside = _proof_of(path)  # only that of a killed backup is there without one
        if beside.exists() and b'"sha256":' not in beside.read_bytes():
            raise BackupRefused(
                f"{beside} is no proof of a backup, and was not changed. Choose a new name."
            )
        with TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:  # mode 0700
            backup, proof = Path(folder, "backup"), Path(folder, "proof")
            for file in (backup, proof):
                file.touch(mode=0o600)
            _write(backup)
            facts = {
                "database": connection.vendor,
                "written": datetime.now(UTC).isoformat(timespec="seconds"),
                "sha256": _checksum(backup),
                "migrations": [".".join(migration) for migration in applied],
            }
            proof.write_text(json.dumps(facts, indent=1) + "\n")
            os.sync()  # so that both survive a power failure
            proof.rename(beside)
            backup.rename(path)
    except (OSError, Error, sqlite3.Error) as error:
        raise BackupRefused(f"{path}: {error}. No backup was written.") from error


def latest(folder: Path) -> Path:
    proven = [path for path in folder.iterdir() if _proof_of(path).exists()]
    if not proven:
        raise NotChecked(f"{folder} has no backup with a proof beside it.")
    return max(proven, key=lambda path: path.stat().st_mtime)


def restore(path: Path, *, replace: bool = False, unproven: bool = False) -> None:
    """Replace the database's content with a backup's, in one transaction.

    :raises BackupRefused: with what to do, if it is not what was written, of another database or a
        newer version, has no proof, or if the database is not empty.
    """
    if not unproven or _proof_of(path).exists():
        _prove(path)
    elif not path.exists():
        raise BackupRefused(f"{path} is not there. Nothing was changed.")
    if not replace and connection.introspection.table_names():
        raise BackupRefused(
            "This database is not empty. Restore into an empty database, or add --replace to lose "
            "what it contains. Nothing was changed."
        )
    _read(path)
    roles.grant()
    connection.close()  # it may have cached things about the database as it was


def check(path: Path, **output: Any) -> None:
    """Restore a backup into a place that is thrown away, and play all its logs there.

    :raises NotChecked: if there is no proof, it is of another database or a newer version, or no
        such place can be made.
    :raises BackupRefused: if the backup is not what was written, or not right.
    """
    _prove(path)
    try:
        with _on_empty_database():
            _read(path)
            # It may be of an older version. Django's own: the role that serves gets nothing here.
            call_command(migrate.Command(), verbosity=0, **output)
            call_command("verify_ledger", **output)
    except SystemExit as end:
        raise BackupRefused(
            f"{path} is as it was written, but its logs are not right: see above. The same may "
            f"be wrong in the database: run verify_ledger."
        ) from end
    except (BackupRefused, DatabaseError) as error:
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            no_room = f"{gettempdir()} has no room: set TMPDIR to another folder."
            raise NotChecked(no_room) from error
        if is_unavailable(error):
            raise NotChecked(f"The database does not do it: {error}") from error
        raise


def _prove(path: Path) -> None:
    try:
        proof = json.loads(_proof_of(path).read_bytes())
        expected, kind = proof["sha256"], proof["database"]
        migrations = proof.get("migrations", [])  # older versions named none
        checksum = _checksum(path)
    except OSError as error:
        raise Unproven(f"{error.filename}: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise Unproven(f"{_proof_of(path)} can't be read.") from error
    if checksum != expected:
        raise BackupRefused(
            f"{path} is damaged: its bytes are not those that were written. Take another backup. "
            f"Nothing was changed."
        )
    if kind != connection.vendor:
        raise NotChecked(
            f"{path} is a backup of a database of the kind {kind}. Set DATABASE_URL to one of that "
            f"kind; to move playgroups between the kinds use export_group and import_group."
        )
    known = {".".join(migration) for migration in MigrationLoader(None).disk_migrations}
    if unknown := sorted(set(migrations) - known):
        raise NotChecked(
            f"{path} was written by a newer version of the site, which knows {', '.join(unknown)}. "
            f"Install that version, then restore. Nothing was changed."
        )


@contextmanager
def _on_empty_database() -> Iterator[None]:
    """Have this process on an empty database meanwhile, which is thrown away afterwards."""
    own = connection.settings_dict["NAME"]
    with TemporaryDirectory(prefix="coalition-check-") as folder:  # mode 0700
        if connection.vendor == "sqlite":
            name = str(Path(folder, "backup.sqlite3"))
        else:
            name = f"{own[:50]}_backup_check"  # a name has 63 bytes at most
            try:
                # That of a killed check; one that another check is using stays, and is refused.
                _execute("DROP DATABASE IF EXISTS {}", name)
                _execute("CREATE DATABASE {} TEMPLATE template0", name)
            except DatabaseError as error:
                user = connection.settings_dict["USER"]
                problem = f"{name} can't be created: {str(error).strip()}"
                if isinstance(error.__cause__, InsufficientPrivilege):
                    problem += f". As postgres: ALTER ROLE {user} CREATEDB"
                raise NotChecked(f"A check needs a database of its own, and {problem}") from error
        connections.close_all()
        connection.settings_dict["NAME"] = name
        try:
            yield
        finally:
            connections.close_all()
            connection.settings_dict["NAME"] = own
            if connection.vendor == "postgresql":
                _execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _execute(statement: str, database: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(sql.Identifier(database)))


def _write(path: Path) -> None:
    if connection.vendor == "postgresql":
        dumped = ("--format=custom", "--no-owner", "--no-privileges", f"--file={path}")
        _run("pg_dump", *dumped, "--exclude-table-data=django_session", _database())
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(path)])
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA secure_delete=ON")  # or deleted rows stay readable in the file
        with copy:
            copy.execute("DELETE FROM django_session")


def _read(path: Path) -> None:
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        is_empty = not connection.introspection.table_names()
        command = [_program("psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", _database()]
        with subprocess.Popen(command, env=_environment(), stdin=subprocess.PIPE) as writing:
            assert writing.stdin
            writing.stdin.write(b"BEGIN;\n" + (b"" if is_empty else EMPTY))
            writing.stdin.flush()
            options = ("--no-owner", "--no-privileges", "--file=-")
            _run("pg_restore", *options, str(path), to=writing.stdin)
            # Last: a script that ends earlier, whatever ended it, changes nothing.
            writing.stdin.write(SIGN_OUT + b"COMMIT;\n")
        if writing.returncode:
            raise BackupRefused("psql failed: see above. Nothing was changed.")
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # a restored table has no statistics to plan queries by
        return
    try:
        # Immutable: no lock is taken, and no file written beside it, so read-only media will do.
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as backup:
            # SQLite copies whatever it can open: an empty file, and what is damaged inside, too.
            tables = {name for (name,) in backup.execute("SELECT name FROM sqlite_schema")}
            if not tables >= {"scoring_gameset", "django_session"}:
                raise sqlite3.DatabaseError("it is no backup of this site")
            (state,) = backup.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":
                raise sqlite3.DatabaseError(state)
            backup.backup(connection.connection)
        connection.connection.execute("DELETE FROM django_session")
    except sqlite3.Error as error:
        raise BackupRefused(f"{path}: {error}. Nothing was changed.") from error


def _run(program: str, *arguments: str, to: IO[bytes] | None = None) -> None:
    command = [_program(program), *arguments]
    if subprocess.run(command, env=_environment(), stdout=to, check=False).returncode:
        raise BackupRefused(f"{program} failed: see above. Nothing was changed.")


def _program(name: str) -> str:
    executable = shutil.which(name, path=settings.POSTGRES_BIN or None)
    if executable is None:
        raise BackupRefused(
            f"There is no {name} here. Install PostgreSQL's client programs (on Debian "
            f"postgresql-client), or set COALITION_POSTGRES_BIN to their folder."
        )
    return executable


def _database() -> str:
    options = connection.get_connection_params()  # only those that old programs know too
    names = {"host", "hostaddr", "port", "user", "dbname"}.intersection(options)
    names.update(name for name in options if name.startswith("ssl"))
    return f"--dbname={make_conninfo(**{name: options[name] for name in names})}"


def _environment() -> dict[str, str]:
    connection.ensure_connection()
    # In arguments, every user of the machine could read the password.
    return os.environ | {"PGPASSWORD": connection.connection.info.password}
