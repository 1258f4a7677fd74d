"""Selects whose SQL Django writes once: it takes longer to write one than to run it."""

from collections.abc import Callable
from copy import copy
from datetime import date, datetime
from functools import cached_property
from inspect import signature
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Expression, QuerySet

R = TypeVar("R")
Value = datetime | date | int | str | None


class Parameter(Expression):
    """A value in a condition of a queryset that is given each time the select runs."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place  # among the values, from 0

    def as_sql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        return "%s", [self]


class PreparedSelect(Generic[R]):
    """``build`` makes a queryset of objects or tuples, with a ``Parameter`` for each argument.

    ``parameters`` is their number, if it isn't fixed.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, R]], parameters: int = 0) -> None:
        self.build = build
        self.parameters = parameters or len(signature(build).parameters)
        self.written: dict[str, tuple[Any, str, list[Any]]] = {}  # by database

    @cached_property
    def queryset(self) -> QuerySet[Any, R]:
        return self.build(*map(Parameter, range(self.parameters)))

    def all(self, *values: Value) -> list[R]:
        alias = self.queryset.db  # pages may read from another database than commands
        connection = connections[alias]
        if alias not in self.written:
            compiler = self.queryset.query.get_compiler(using=alias)
            self.written[alias] = (compiler, *compiler.as_sql())
            # The same for each run, too: Django would ask 30 columns how their values are read.
            converters = compiler.get_converters([column for column, *_ in compiler.select])
            compiler.get_converters = lambda _: converters
        compiler, sql, params = self.written[alias]
        given = []
        for param in params:
            value = values[param.place] if isinstance(param, Parameter) else param
            if isinstance(value, datetime):  # which SQLite has none of
                value = connection.ops.adapt_datetimefield_value(value)
            given.append(value)
        # Django runs a queryset by its query's compiler: this one knows its SQL already.
        compiler, rows = copy(compiler), self.queryset.all()
        compiler.connection, compiler.as_sql = connection, lambda *_, **__: (sql, given)
        rows.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return list(rows)

    def only(self, *values: Value) -> R | None:
        return next(iter(self.all(*values)), None)
