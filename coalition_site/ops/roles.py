"""The role that serves, on PostgreSQL: it reads and writes, and to the record it only adds.

Another role owns the database and migrates it. Whoever gets hold of the site then can't take the
triggers off that keep the record as it is.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from scoring.models.triggers import append_only

# Said again after each migration, so that a role with more or with less comes to the same.
GRANTS = (
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    "REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC",
    "GRANT CONNECT ON DATABASE {database} TO {role}",
    "GRANT USAGE ON SCHEMA public TO {role}",
    "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}",
    "REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    "GRANT SELECT, USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}",
    "REVOKE UPDATE, DELETE ON {record} FROM {role}",
    "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    "ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role}",
    "ALTER DEFAULT PRIVILEGES GRANT SELECT, USAGE ON SEQUENCES TO {role}",
)


class RoleRefused(Exception):
    """Says why, and what to do."""


@transaction.atomic
def grant() -> None:
    """Give the role of COALITION_SERVING_URL what serving needs, and no more. Without it, nothing.

    :raises RoleRefused: if the role is not there and can't be made here, or owns the database.
    """
    if not settings.SERVING:
        return
    role, password = settings.SERVING["USER"], settings.SERVING["PASSWORD"]
    there = connection.introspection.table_names()  # a backup of an older version has fewer
    record = [table for table in append_only.TABLES if table in there]
    names = {
        "role": sql.Identifier(role),
        "database": sql.Identifier(connection.settings_dict["NAME"]),
        "record": sql.SQL(", ").join(map(sql.Identifier, record)),
    }
    with connection.cursor() as cursor:
        _prepare(cursor, role, password)
        for statement in GRANTS:
            cursor.execute(sql.SQL(statement).format(**names))


def _prepare(cursor: Any, role: str, password: str) -> None:
    """Make the role, or give it its password, where we may; else it must be there."""
    cursor.execute("SELECT current_setting('is_superuser')::bool")
    (may_make,) = cursor.fetchone()
    cursor.execute(
        "SELECT rolsuper OR rolcreaterole OR pg_has_role(oid, current_user, 'MEMBER') "
        "FROM pg_roles WHERE rolname = %s",
        [role],
    )
    known = cursor.fetchone()
    if known and known[0]:
        raise RoleRefused(
            f"{role} owns the database or is more than a plain role, and must not serve. Name "
            f"another one in COALITION_SERVING_URL."
        )
    if not known and not may_make:
        raise RoleRefused(
            f"There is no role {role}. Make it as a superuser: createuser --pwprompt {role}"
        )
    if may_make:
        # Hashed here: the server's log never gets to see it.
        hashed = connection.connection.pgconn.encrypt_password(password.encode(), role.encode())
        cursor.execute(
            sql.SQL("{} ROLE {} LOGIN PASSWORD {}").format(
                sql.SQL("ALTER" if known else "CREATE"),
                sql.Identifier(role),
                sql.Literal(hashed.decode()),
            )
        )
