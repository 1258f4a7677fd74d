"""PostgreSQL's role that serves the site: it reads and writes, and only adds to the record.

Another owns the database, so that who breaks into the site can't remove the record's triggers.
"""

from typing import Any

from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from scoring.models.triggers import append_only

# Run after each migration, so that every role ends up with exactly these.
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
    pass


@transaction.atomic
def grant() -> None:
    """Give the role of COALITION_SERVING_URL, if there is one, what serving needs, and no more.

    :raises RoleRefused: if the role doesn't exist and can't be created here, or owns the database.
    """
    if not settings.SERVING:
        return
    role, password = settings.SERVING["USER"], settings.SERVING["PASSWORD"]
    existing = connection.introspection.table_names()  # a backup of an older version has fewer
    record = [table for table in append_only.TABLES if table in existing]
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
    # Create the role, or set its password, where we may; otherwise it must exist.
    cursor.execute(
        "SELECT current_setting('is_superuser')::bool, (SELECT rolsuper OR rolcreaterole "
        "OR pg_has_role(oid, current_user, 'MEMBER') FROM pg_roles WHERE rolname = %s)",
        [role],
    )
    may_create, has_too_many_rights = cursor.fetchone()
    if has_too_many_rights:
        raise RoleRefused(
            f"{role} owns the database or has more rights than a plain role, and must not serve. "
            f"Name another role in COALITION_SERVING_URL."
        )
    exists = has_too_many_rights is not None
    if may_create:
        # Hashed here, so that the password never reaches the server's log.
        hashed = connection.connection.pgconn.encrypt_password(password.encode(), role.encode())
        statement = f"{'ALTER' if exists else 'CREATE'} ROLE {{}} LOGIN PASSWORD {{}}"
        cursor.execute(
            sql.SQL(statement).format(sql.Identifier(role), sql.Literal(hashed.decode()))
        )
    elif not exists:
        raise RoleRefused(
            f"There is no role {role}. Make it as a superuser: createuser --pwprompt {role}"
        )
