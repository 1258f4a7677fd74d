"""What a migration must not do while the version before it still serves: see docs/upgrading.md.

Our own, for django-migration-linter 6.0 looks at the SQL alone. On PostgreSQL it lets a check
constraint, a dropped database default, a key of another model and any reversible RunPython pass,
and refuses longer texts and more digits; on SQLite it refuses whatever rebuilds a table. It only
warns of an index, and lets a migration justify no single operation.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.fields import NOT_PROVIDED

HARMLESS = (
    migrations.CreateModel,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    migrations.AlterModelTableComment,
    migrations.RemoveConstraint,
    migrations.AlterConstraint,
    migrations.RemoveIndex,
    migrations.RenameIndex,
)
GONE = "the old version still reads it; stop using it in one release, remove it in the next"
RENAMED = "the old version knows the old name only; add the new one beside it, and copy"
INDEXED = "taps wait while it is built; say how long on the largest table"
LONGER = "the old version writes longer values"
UNKNOWN = "nothing here can tell what it does while the old version serves"
WHY: dict[type[Operation], str] = {
    migrations.RemoveField: GONE,
    migrations.DeleteModel: GONE,
    migrations.RenameField: RENAMED,
    migrations.RenameModel: RENAMED,
    migrations.AlterModelTable: RENAMED,
    migrations.AddConstraint: "what the old version writes may break it, and all rows are read "
    "under a lock; say why neither matters",
    migrations.AlterUniqueTogether: "what the old version writes may break it",
    migrations.AddIndex: INDEXED,
}


def problems(app: str, migration: migrations.Migration, state: ProjectState) -> list[str]:
    """Return what must not go out in one release, and why; ``state`` is the one before it.

    A migration can justify operations: its ``proven`` maps "Operation model.name" to a reason,
    for all operations of that name.
    """
    proven = getattr(migration, "proven", {})
    unused, problems = set(proven), []
    for operation in migration.operations:
        for inner in _inner(operation):
            if not (why := _why(app, inner, state)):
                continue
            unused.discard(name(inner))
            if not proven.get(name(inner), "").strip():
                problems.append(f"{app}.{migration.name}: {name(inner)}: {why}.")
        operation.state_forwards(app, state)
    problems += [
        f"{app}.{migration.name}: proven {left!r} is not in it." for left in sorted(unused)
    ]
    return problems


def name(operation: Operation) -> str:
    """Return the name of an operation, as in ``proven``.

    >>> name(migrations.RemoveField("Seat", "name"))
    'RemoveField seat.name'
    """
    named = [getattr(operation, "model_name", "") or "", _part(operation)]
    return f"{type(operation).__name__} {'.'.join(filter(None, named)).lower()}".strip()


def _part(operation: Operation) -> str:
    """Return the name of the field, constraint, index or model that an operation changes."""
    inside = getattr(operation, "constraint", None) or getattr(operation, "index", None)
    of = inside or operation
    return getattr(of, "name", None) or getattr(of, "old_name", None) or ""


def _inner(operation: Operation) -> Iterator[Operation]:
    """Yield the operations that change the database."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        for inner in operation.database_operations:
            yield from _inner(inner)
    else:
        yield operation


def _why(app: str, operation: Operation, state: ProjectState) -> str:
    """Return why an operation must not go out in one release, "" if it may."""
    if isinstance(operation, HARMLESS):
        return ""
    if isinstance(operation, migrations.AddField):
        return _of_new(operation.field)
    if isinstance(operation, migrations.AlterField):
        model = state.models[app, operation.model_name_lower]
        return _of_changed(model.fields[operation.name], operation.field)
    return WHY.get(type(operation), UNKNOWN)


def _of_new(field: models.Field) -> str:
    if isinstance(field, models.ManyToManyField):
        return ""
    if field.unique:
        return "all rows are read under a lock to see that it is unique"
    if not field.null and field.db_default is NOT_PROVIDED:
        return "the old version writes rows without it; let it be null, or give it a db_default"
    return INDEXED if field.db_index else ""


def _of_changed(was: models.Field, now: models.Field) -> str:
    if type(was) is not type(now):
        return "another type rewrites every row, under a lock; add a field beside it, and copy"
    if was.null and not now.null:
        return "the old version writes rows without it"
    if was.db_default is not NOT_PROVIDED and now.db_default is NOT_PROVIDED:
        return "the old version may leave it to the database"
    if now.unique and not was.unique:
        return "what the old version writes may be there twice"
    if now.db_index and not was.db_index and not now.unique:
        return INDEXED
    if was.db_column != now.db_column:
        return RENAMED
    return _of_changed_values(was, now)


def _of_changed_values(was: models.Field, now: models.Field) -> str:
    """Return why values that the old version writes into a field may not fit, "" if they do."""
    if _target(was) != _target(now):
        return "the old version writes keys of the other model; add a field beside it, and copy"
    if _shorter(was.max_length, now.max_length):
        return LONGER
    if isinstance(was, models.DecimalField) and isinstance(now, models.DecimalField):
        if was.decimal_places != now.decimal_places:
            return "all rows are rewritten, under a lock; add a field beside it, and copy"
        if _shorter(was.max_digits, now.max_digits):
            return LONGER
    return ""


def _target(field: models.Field) -> tuple[str, str]:
    """Return the model and field that a foreign key points to, as a migration names them."""
    to = getattr(field.remote_field, "model", "")
    named = to if isinstance(to, str) else to._meta.label
    return named.lower(), str(getattr(field.remote_field, "field_name", None) or "")


def _shorter(was: int | None, now: int | None) -> bool:
    """Return whether values that fitted before may not any more; None is without limit."""
    return now is not None and (was is None or was > now)
