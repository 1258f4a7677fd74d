"""The fields of the finder's form and an expression, each written from the other."""

import re

from lark import Tree

from .expressions import Node, Term, read, write
from .values import LETTERS

# Each field as it was typed or chosen. ``colors`` and ``identity`` are letters of WUBRG, or C.
# ``within`` says how the colours compare: these and more (""), exactly ("="), or at most ("<=").
# ``free`` says what becomes of unaffiliated cards: shown unless a type is chosen (""), "always",
# "never" or "only". ``rest`` is the part of an expression that no other field can show.
NAMES = (
    *("name", "text", "line", "colors", "within", "identity", "least", "most", "kind", "type"),
    *("hero", "free", "legal", "sort", "rest"),
)
KINDS = ("hero", "creature", "land", "noncreature")
NO_TYPES = ("none", "any", "all")
PLAIN = {"o": "text", "t": "line", "hero": "hero", "legal": "legal", "order": "sort"}
UNAFFILIATED = Term("aff", ":", "none")
AFFILIATED = Tree("negated", [UNAFFILIATED])
_PHRASE = re.compile(r'"([^"]+)"|([^\s"]+)')
Form = dict[str, str]


def expression(form: Form) -> str:
    """:raises Misread: if ``rest`` can't be understood."""
    words = [Term("name", ":", one or other) for one, other in _PHRASE.findall(form["name"])]
    least, most, free = form["least"], form["most"], form["free"]
    is_one = least and least == most
    typed = [
        ("t", ":", form["line"]),
        ("c", form["within"] or ":", _letters(form["colors"])),
        ("id", ":", _letters(form["identity"])),
        ("mv", "=", least if is_one else ""),
        ("mv", ">=", "" if is_one else least),
        ("mv", "<=", "" if is_one else most),
        ("o", ":", form["text"]),
        ("is", ":", form["kind"]),
        ("hero", ":", form["hero"]),
        ("fits" if free in ("always", "only") else "aff", ":", form["type"]),
    ]
    nodes: list[Node] = [*words, *(Term(*term) for term in typed if term[2])]
    if free == "only":
        nodes.append(UNAFFILIATED)
    elif not form["type"] and (free == "never" or (form["hero"] and not free)):
        nodes.append(AFFILIATED)
    last = (("legal", form["legal"]), ("order", form["sort"]))
    nodes += [Term(key, ":", value) for key, value in last if value]
    return write(Tree("all", nodes + conditions(read(form["rest"]))))


def conditions(node: Node) -> list[Node]:
    return node.children if isinstance(node, Tree) and node.data == "all" else [node]


def _letters(colors: str) -> str:
    """Return the letters of ticked colours; colourless counts only alone.

    >>> _letters("GW"), _letters("C"), _letters("CG"), _letters("")
    ('wg', 'c', 'g', '')
    """
    letters = "".join(letter for letter in LETTERS if letter in colors.upper()).lower()
    return letters or ("c" if colors else "")


def form_of(node: Node) -> Form:
    """Return the form that asks for what an expression does, with the rest of it in ``rest``."""
    filled, rest = dict.fromkeys(NAMES, ""), []
    for part in conditions(node):
        values = _values(filled, part)
        if values is None:
            rest.append(part)
        else:
            filled |= values
    others = [part for part in rest if part not in (UNAFFILIATED, AFFILIATED)]
    asks = UNAFFILIATED in rest, AFFILIATED in rest
    if asks == (True, False) and (filled["free"] or not filled["type"]):
        filled["free"], rest = "only", others
    elif asks == (False, True) and not filled["type"]:
        filled["free"], rest = "" if filled["hero"] else "never", others
    elif filled["hero"] and not filled["type"]:
        filled["free"] = "always"
    return filled | {"rest": write(Tree("all", rest))}


def _values(form: Form, node: Node) -> Form | None:
    """Return what a condition fills in, None if no field of the form is free for it."""
    match node:
        case Term("name", ":", value) if '"' not in value:
            word = f'"{value}"' if " " in value else value
            return {"name": f"{form['name']} {word}".strip()}
        case Term("c", ":" | "=" | "<=" as operator, value) if _ticked(value):
            values = {"colors": _ticked(value), "within": operator.removeprefix(":")}
        case Term("id", ":" | "<=", value) if _ticked(value):
            values = {"identity": _ticked(value)}
        case Term("mv", "=" | ">=" | "<=" as operator, value) if value.isdecimal():
            names = {"=": ("least", "most"), ">=": ("least",), "<=": ("most",)}[operator]
            values = dict.fromkeys(names, value)
        case Term("is", ":", kind) if kind in KINDS:
            values = {"kind": kind}
        case Term("aff", ":", value) if value.lower() not in NO_TYPES:
            values = {"type": value}
        case Term("fits", ":", value):
            values = {"type": value, "free": "always"}
        case Term("legal" | "order" as key, ":", value):
            values = {PLAIN[key]: value.lower()}
        case Term("o" | "t" | "hero" as key, ":", value):
            values = {PLAIN[key]: value}
        case _:
            return None
    return None if any(map(form.get, values)) else values


def _ticked(value: str) -> str:
    """Return the colours to tick, "" if a value names them otherwise than by letters."""
    letters = value.upper()
    return letters if letters and (letters == "C" or not set(letters) - set(LETTERS)) else ""
