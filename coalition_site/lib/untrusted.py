"""Reading untrusted JSON: every value knows its path, so that errors can name it."""

import json
import re
from collections import Counter
from collections.abc import Collection
from typing import Any

from .texts import is_visible

TEXT_MAX = 200
KEY_SHOWN = 40  # characters of a key in a path
VALUES_MAX = 3_000_000  # of a document: some 2000 sets, and at most 750 MB in memory


class MalformedDocument(Exception):
    """A document of the wrong form; ``path`` is where: ``games[0].events[2].hits[0].amount``."""

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{path}: {problem}" if path else problem)


class TooManyValues(MalformedDocument):
    pass


class _TwiceNamed(dict[str, Any]):
    twice = ""  # a key that appeared twice


def load(text: str | bytes, *, values: int = VALUES_MAX) -> Any:
    """Return the JSON value of ``text``, after counting its values: each takes sixty bytes or more.

    :raises MalformedDocument: if it is not JSON, with the line and column.
    :raises TooManyValues: if it has more than ``values``.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        # Each value but the first follows a comma or bracket. Those within strings count as well.
        if 1 + sum(map(text.count, ",[{")) > values:
            raise TooManyValues("", f"this has more than {values:,} values")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise MalformedDocument("", f"this is not JSON: {error.msg} ({place})") from error
    except UnicodeDecodeError as error:
        raise MalformedDocument("", f"this is not UTF-8 text (byte {error.start})") from error
    except RecursionError as error:
        raise MalformedDocument("", "this is nested too deeply") from error
    except ValueError as error:
        raise MalformedDocument("", f"this is not JSON: {error}") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    marked = _TwiceNamed(values)
    counted = Counter(key for key, _ in pairs)
    marked.twice = next(key for key, times in counted.items() if times > 1)
    return marked


class Node:
    """
    >>> Node({"a": [4]}, "").fields("a")["a"].items()[0].path
    'a[0]'
    """

    __slots__ = ("_parent", "_step", "value")

    def __init__(self, value: Any, step: str | int = "", parent: "Node | None" = None) -> None:
        self.value, self._step, self._parent = value, step, parent

    @property
    def path(self) -> str:
        # Where the value stands, put together when it is refused: most are not.
        if self._parent is None:
            return str(self._step)
        above = self._parent.path
        if isinstance(self._step, int):
            return f"{above}[{self._step}]"
        cut = self._step if len(self._step) <= KEY_SHOWN else f"{self._step[:KEY_SHOWN]}…"
        shown = cut.encode("utf-8", "backslashreplace").decode()
        return f"{above}.{shown}" if above else shown

    def refuse(self, problem: str) -> MalformedDocument:
        return MalformedDocument(self.path, problem)

    def fields(self, required: str = "", optional: str = "") -> "dict[str, Node]":
        """Return an object's fields; ``required`` and ``optional`` are names, by spaces."""
        needed, fields = required.split(), self._children()
        known = dict.fromkeys(needed + optional.split())
        if not fields.keys() <= known.keys():
            unknown = next(node for name, node in fields.items() if name not in known)
            raise unknown.refuse(f"unknown field; known here: {', '.join(known)}")
        for name in needed:
            if name not in fields:
                raise self.refuse(f"the field {name} is missing")
        return fields

    def entries(self) -> "dict[str, Node]":
        entries = self._children()
        if not entries:
            raise self.refuse("must not be empty")
        return entries

    def _children(self) -> "dict[str, Node]":
        if not isinstance(self.value, dict):
            raise self.refuse("must be an object")
        if isinstance(self.value, _TwiceNamed):
            raise self.field(self.value.twice).refuse("appears twice")
        node = type(self)
        return {key: node(value, key, self) for key, value in self.value.items()}

    def field(self, key: str) -> "Node":
        return type(self)(self.value[key], key, self)

    def items(self, *, may_be_empty: bool = False) -> "list[Node]":
        if not isinstance(self.value, list):
            raise self.refuse("must be a list")
        if not self.value and not may_be_empty:
            raise self.refuse("must not be empty")
        node = type(self)
        return [node(item, at, self) for at, item in enumerate(self.value)]

    def number(self, lowest: int, highest: int | None = None) -> int:
        value = self.value
        if type(value) is not int or value < lowest or (highest is not None and value > highest):
            most = "" if highest is None else f" to {highest}"
            raise self.refuse(f"must be a whole number from {lowest}{most}")
        return value

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse("must be true or false")
        return self.value

    def takes(self, text: str) -> bool:
        return is_visible(text)

    def text(self, longest: int = TEXT_MAX, *, lines: bool = False) -> str:
        """Return a text of 1 to ``longest`` characters; ``lines`` allows several, and tabs."""
        value = self.value
        if not isinstance(value, str) or not value.strip():
            raise self.refuse("must be a text")
        if len(value) > longest:
            raise self.refuse(f"must have at most {longest} characters")
        if not self.takes(re.sub(r"[\r\n\t]", "", value) if lines else value):
            raise self.refuse("has a character that can't be shown")
        return value

    def one_of(self, known: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in known:
            raise self.refuse(f"must be one of {', '.join(known)}")
        return self.value


class StoredNode(Node):
    # A value of the record: what was accepted once stays readable, even if refused today.

    __slots__ = ()

    def takes(self, text: str) -> bool:
        return True
