"""Selects whose SQL is put together once: Django takes longer to write a select than to run it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db import connections, router
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
Value = int | str | datetime


class PreparedSelect(Generic[M]):
    """A select with parameters, in the order of the SQL.

    ``build`` makes a queryset of them, which is turned into SQL once for each database, with the
    values of ``example``.
    """

    def __init__(self, model: type[M], build: Callable[..., QuerySet[M]], *example: Value) -> None:
        self.model, self.build, self.example = model, build, example
        self.selects: dict[str, _Select[M]] = {}

    def all(self, *values: Value) -> list[M]:
        """Return the objects of all rows. One query."""
        alias = router.db_for_read(self.model)
        if alias not in self.selects:
            self.selects[alias] = _Select(self.build(*self.example).using(alias), self.example)
        return list(self.selects[alias].objects(values))

    def only(self, *values: Value) -> M | None:
        """Return the object of the only row, or None. One query."""
        return next(iter(self.all(*values)), None)


class _Select(Generic[M]):
    """The SQL of a queryset, and what makes objects of its rows, as in Django's ModelIterable."""

    def __init__(self, queryset: QuerySet[M], example: tuple[Value, ...]) -> None:
        self.alias = queryset.db
        compiler = queryset.query.get_compiler(using=self.alias)
        self.sql, params = compiler.as_sql()
        assert list(params) == self._adapted(example), (
            "the parameters are other values, or in another order"
        )
        select, info = compiler.select, compiler.klass_info
        self.converters = list(compiler.get_converters([column for column, *_ in select]).items())
        first, last = info["select_fields"][0], info["select_fields"][-1]
        self.model, self.own = info["model"], slice(first, last + 1)
        self.names = [column.target.attname for column, *_ in select[self.own]]
        # Django 6.1 asks for one argument more; its types are those of 6.1.
        self.related = get_related_populators(info, select, self.alias)  # type: ignore[call-arg]

    def _adapted(self, values: tuple[Value, ...]) -> list[Any]:
        """Return parameters as the database takes them: SQLite has no times."""
        adapt = connections[self.alias].ops.adapt_datetimefield_value
        return [adapt(value) if isinstance(value, datetime) else value for value in values]

    def objects(self, values: tuple[Value, ...]) -> Iterator[M]:
        connection = connections[self.alias]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, self._adapted(values))
            rows = cursor.fetchall()
        for row in map(list, rows):
            for place, (converters, column) in self.converters:
                for convert in converters:
                    row[place] = convert(row[place], column, connection)
            instance = self.model.from_db(self.alias, self.names, row[self.own])
            for related in self.related:
                related.populate(row, instance)
            yield instance
