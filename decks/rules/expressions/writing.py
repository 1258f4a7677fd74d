"""Writing an expression, so that reading it gives the same again."""

from __future__ import annotations

from .nodes import All, Any, Node, Not, Term, quoted


def write(node: Node) -> str:
    """Return the text of an expression.

    >>> from .reading import read
    >>> write(read("T:elf   AND (c=g  or -mv<=3) 'draw a'"))
    't:elf (c=g or -mv<=3) "draw a"'
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
        case Term():
            return _term(node)


def _in_parentheses(node: Node, *inside: type[Node]) -> str:
    return f"({write(node)})" if isinstance(node, inside) else write(node)


def _term(term: Term) -> str:
    if term.key == "name":
        return quoted(term.value)
    if term.key == "exact":
        return f"!{quoted(term.value)}"
    return f"{term.key}{term.operator}{quoted(term.value)}"
