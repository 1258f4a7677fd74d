"""What a search expression consists of, and how it is written."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Term:
    """A single condition: a key such as "mv", an operator such as "<=", and a value.

    ``at`` is where it begins in the text, ``value_at`` where its value does.
    """

    key: str
    operator: str
    value: str
    at: int = field(default=0, compare=False)
    value_at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """What a condition leaves out."""

    node: Node


@dataclass(frozen=True, slots=True)
class All:
    """What fits all of some conditions; without any, every card."""

    nodes: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Any:
    """What fits any of some conditions."""

    nodes: tuple[Node, ...]


Node = Term | Not | All | Any


class Misread(Exception):
    """An expression can't be understood: why, and at which character of its text, from 0.

    ``replacements`` are likely corrections of the text between ``at`` and ``end``.
    """

    def __init__(
        self, why: str, at: int, end: int | None = None, replacements: tuple[str, ...] = ()
    ) -> None:
        super().__init__(why)
        self.why, self.at = why, at
        self.end = at if end is None else end
        self.replacements = replacements

    def message(self, text: str) -> str:
        """Return where and why, as people count: from line 1 and column 1.

        >>> Misread("A value is missing.", 6).message("t:elf c:")
        'Line 1, column 7: A value is missing.'
        """
        before = text[: self.at].split("\n")
        return f"Line {len(before)}, column {len(before[-1]) + 1}: {self.why}"

    def corrections(self, text: str) -> list[tuple[str, str]]:
        """Return each replacement with the whole text after it.

        >>> Misread("?", 0, 2, ("mv",)).corrections("mw<=3")
        [('mv', 'mv<=3')]
        """
        before, after = text[: self.at], text[self.end :]
        is_quoted = before.endswith(_QUOTES)
        return [
            (new, before + (new if is_quoted else quoted(new)) + after) for new in self.replacements
        ]


_SIGNS = frozenset(" \t\r\n()\"':<>=≤≥≠!")
_FIRST = ("-", "/", "−", "–", "—")
_QUOTES = ('"', "'", "“", "”", "„")
_NO_QUOTES = str.maketrans(dict.fromkeys('"“”„‟″«»', " "))  # nothing can stand for them


def quoted(value: str) -> str:
    """Return a value as an expression writes it: in quotation marks only where it needs them.

    >>> quoted("elf"), quoted("Time Lord"), quoted("or")
    ('elf', '"Time Lord"', '"or"')
    """
    plain = value.translate(_NO_QUOTES).strip()
    is_plain = plain and not set(plain) & _SIGNS and not plain.startswith(_FIRST)
    return plain if is_plain and plain.lower() not in ("or", "and") else f'"{plain}"'


# --- writing ---
def write(node: Node) -> str:
    """Return the text of an expression, which means the same when it is read.

    >>> write(All((Term("t", ":", "elf"), Any((Term("c", "=", "g"), Not(Term("o", ":", "a b")))))))
    't:elf (c=g or -o:"a b")'
    """
    match node:
        case All((only,)):
            return write(only)
        case All(nodes):
            return " ".join(_in_parentheses(part, Any, All) for part in nodes)
        case Any(nodes):
            return " or ".join(_in_parentheses(part, Any) for part in nodes)
        case Not(inner):
            return f"-{_in_parentheses(inner, All, Any, Not)}"
        case Term("name", _, value):
            return quoted(value)
        case Term("exact", _, value):
            return f"!{quoted(value)}"
        case Term(key, operator, value):
            return f"{key}{operator}{quoted(value)}"


def _in_parentheses(node: Node, *inside: type[Node]) -> str:
    return f"({write(node)})" if isinstance(node, inside) else write(node)
