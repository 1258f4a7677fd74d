"""Selects whose SQL is put together once: Django takes longer to write a select than to run it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from inspect import signature
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Expression, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql.compiler import SQLCompiler

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
    """A select with parameters.

    ``build`` makes a queryset of objects or tuples, with a ``Parameter`` for each of its arguments;
    ``parameters`` is their number, if it isn't fixed.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, R]], parameters: int = 0) -> None:
        self.build = build
        self.parameters = parameters or len(signature(build).parameters)
        self.selects: dict[str, _Select] = {}

    @cached_property
    def queryset(self) -> QuerySet[Any, R]:
        return self.build(*map(Parameter, range(self.parameters)))

    def all(self, *values: Value) -> list[R]:
        """Return all rows, given the values of the parameters. One query."""
        alias = self.queryset.db  # pages may read from another database than commands
        if alias not in self.selects:
            self.selects[alias] = _Select(self.queryset.using(alias))
        return list(self.selects[alias].rows(values))

    def only(self, *values: Value) -> R | None:
        """Return the only row, or None. One query."""
        return next(iter(self.all(*values)), None)


class _Select:
    """The SQL of a queryset for one database, and what Django makes of its rows."""

    def __init__(self, queryset: QuerySet[Any, Any]) -> None:
        self.alias = queryset.db
        compiler = queryset.query.get_compiler(using=self.alias)
        self.sql, self.params = compiler.as_sql()
        columns = [column for column, *_ in compiler.select]
        self.converters = list(compiler.get_converters(columns).items())
        is_of_objects = issubclass(queryset._iterable_class, ModelIterable)
        self.object_of = _object_maker(compiler, self.alias) if is_of_objects else tuple

    def rows(self, values: Sequence[Value]) -> Iterator[Any]:
        connection = connections[self.alias]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [self._given(param, values) for param in self.params])
            rows = cursor.fetchall()
        for row in map(list, rows):
            for place, (converters, column) in self.converters:
                for convert in converters:
                    row[place] = convert(row[place], column, connection)
            yield self.object_of(row)

    def _given(self, param: Any, values: Sequence[Value]) -> Any:
        """Return a parameter as the database takes it: SQLite has no times."""
        if not isinstance(param, Parameter):
            return param
        value = values[param.place]
        if isinstance(value, datetime):
            return connections[self.alias].ops.adapt_datetimefield_value(value)
        return value


def _object_maker(compiler: SQLCompiler, alias: str) -> Callable[[list[Any]], Model]:
    """Return what makes an object of a row, as Django's ModelIterable does."""
    select, info = compiler.select, compiler.klass_info
    assert info is not None
    first, last = info["select_fields"][0], info["select_fields"][-1]
    own = slice(first, last + 1)
    names = [column.target.attname for column, *_ in select[own]]
    # Django 6.1 asks for one argument more; its types are those of 6.1.
    related = get_related_populators(info, select, alias)  # type: ignore[call-arg]
    annotations = list((compiler.annotation_col_map or {}).items())

    def make(row: list[Any]) -> Model:
        instance = _object(info["model"], alias, names, row[own])
        for populator in related:
            _populate(populator, row, instance)
        for name, place in annotations:
            setattr(instance, name, row[place])
        return instance

    return make


def _object(model: type[Model], alias: str, names: Sequence[str], values: list[Any]) -> Model:
    """Return an object with these columns, as ``from_db`` does: a model's ``__init__`` takes longer
    than to read the row. A column that is not among them is read when it is needed, likewise."""
    instance = model.__new__(model)
    instance._state = ModelState()
    instance._state.adding, instance._state.db = False, alias
    vars(instance).update(zip(names, values, strict=True))
    return instance


def _populate(populator: Any, row: list[Any], instance: Model) -> None:
    """Give an object the related object of the row, or None, and that one its own."""
    values = row[populator.cols_start : populator.cols_end]
    related = None
    if values[populator.pk_idx] is not None:
        related = _object(populator.model_cls, populator.db, populator.init_list, values)
        for further in populator.related_populators:
            _populate(further, row, related)
        populator.remote_setter(related, instance)
    populator.local_setter(instance, related)
