"""The fields of a form and an expression, each written from the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from .colors import LETTERS
from .nodes import All, Node, Not, Term, write
from .reading import read

COLORLESS = "C"
KINDS = ("hero", "creature", "land", "noncreature")
NO_TYPES = ("none", "any", "all")
PLAIN = {"o": "text", "t": "line", "hero": "hero", "legal": "legal", "order": "sort"}
UNAFFILIATED = Term("aff", ":", "none")
_PHRASE = re.compile(r'"([^"]+)"|([^\s"]+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """What a form asks for, each field as it was typed or chosen, "" where nothing was.

    ``colors`` and ``identity`` are letters of WUBRG, or C. ``within`` says how the colours compare:
    these and more (""), exactly ("="), or at most ("<="). ``free`` says what becomes of
    unaffiliated cards: shown unless a type is chosen (""), "always", "never" or "only". ``rest`` is
    the part of an expression that no other field can show.
    """

    name: str = ""
    text: str = ""
    line: str = ""
    colors: str = ""
    within: str = ""
    identity: str = ""
    least: str = ""
    most: str = ""
    kind: str = ""
    type: str = ""
    hero: str = ""
    free: str = ""
    legal: str = ""
    sort: str = ""
    rest: str = ""


NAMES = tuple(field.name for field in fields(Fields))


def expression(form: Fields) -> str:
    """Return the expression that asks for what a form does.

    >>> expression(Fields(type="Elf", colors="G", most="3", text="draw a card"))
    'c:g mv<=3 o:"draw a card" aff:Elf'
    >>> expression(Fields(hero="Kaalia of the Vast", free="never", rest="pow>3 or tou>3"))
    'hero:"Kaalia of the Vast" -aff:none (pow>3 or tou>3)'

    :raises Misread: if ``rest`` can't be understood.
    """
    rest = read(form.rest)
    others = rest.nodes if isinstance(rest, All) else (rest,)
    return write(All((*_nodes(form), *others)))


def _nodes(form: Fields) -> Iterator[Node]:
    for phrase, word in _PHRASE.findall(form.name):
        yield Term("name", ":", phrase or word)
    if form.line:
        yield Term("t", ":", form.line)
    if form.colors:
        yield Term("c", form.within or ":", _letters(form.colors))
    if form.identity:
        yield Term("id", ":", _letters(form.identity))
    if form.least and form.least == form.most:
        yield Term("mv", "=", form.least)
    else:
        for operator, value in ((">=", form.least), ("<=", form.most)):
            if value:
                yield Term("mv", operator, value)
    if form.text:
        yield Term("o", ":", form.text)
    if form.kind:
        yield Term("is", ":", form.kind)
    yield from _affiliated(form)
    for key, value in (("legal", form.legal), ("order", form.sort)):
        if value:
            yield Term(key, ":", value)


def _letters(colors: str) -> str:
    """Return the letters of ticked colours; colourless counts only alone.

    >>> _letters("GW"), _letters("C"), _letters("CG")
    ('wg', 'c', 'g')
    """
    return "".join(letter for letter in LETTERS if letter in colors.upper()).lower() or "c"


def _affiliated(form: Fields) -> Iterator[Node]:
    if form.hero:
        yield Term("hero", ":", form.hero)
    if form.type:
        yield Term("fits" if form.free in ("always", "only") else "aff", ":", form.type)
    if form.free == "only":
        yield UNAFFILIATED
    elif not form.type and (form.free == "never" or (form.hero and not form.free)):
        yield Not(UNAFFILIATED)


def form_of(node: Node) -> Fields:
    """Return the form that asks for what an expression does, with the rest of it in ``rest``.

    >>> from .reading import read
    >>> form_of(read('elves "of the" t:elf c:g mv=3 pow>2'))  # doctest: +ELLIPSIS
    Fields(name='elves "of the"', text='', line='elf', colors='G', ..., rest='pow>2')
    """
    form, rest = Fields(), []
    for part in node.nodes if isinstance(node, All) else (node,):
        filled = _fill(form, part)
        if filled is None:
            rest.append(part)
        else:
            form = filled
    form, more = _of_unaffiliated(form, rest)
    return replace(form, rest=write(All(tuple(more))))


def _fill(form: Fields, node: Node) -> Fields | None:
    """Return the form with a condition filled in, None if no field of it is free for that."""
    match node:
        case Term("name", ":", value) if '"' not in value:
            word = f'"{value}"' if " " in value else value
            return replace(form, name=f"{form.name} {word}".strip())
        case Term("c", ":" | "=" | "<=" as operator, value) if not form.colors and _ticked(value):
            within = operator.removeprefix(":")
            return replace(form, colors=_ticked(value), within=within)
        case Term("id", ":" | "<=", value) if not form.identity and _ticked(value):
            return replace(form, identity=_ticked(value))
        case Term("mv", "=" | ">=" | "<=" as operator, value) if value.isdecimal():
            names = {"=": ("least", "most"), ">=": ("least",), "<=": ("most",)}[operator]
            is_free = not any(getattr(form, name) for name in names)
            return replace(form, **dict.fromkeys(names, value)) if is_free else None
        case Term("is", ":", kind) if not form.kind and kind in KINDS:
            return replace(form, kind=kind)
        case Term("aff", ":", value) if not form.type and value.lower() not in NO_TYPES:
            return replace(form, type=value)
        case Term("fits", ":", value) if not form.type:
            return replace(form, type=value, free="always")
        case Term("o" | "t" | "hero" | "legal" | "order" as key, ":", value):
            name = PLAIN[key]
            typed = value.lower() if key in ("legal", "order") else value
            return None if getattr(form, name) else replace(form, **{name: typed})
    return None


def _ticked(value: str) -> str:
    """Return the colours to tick, "" if a value names them otherwise than by letters."""
    letters = value.upper()
    return letters if letters and (letters == COLORLESS or not set(letters) - set(LETTERS)) else ""


def _of_unaffiliated(form: Fields, rest: list[Node]) -> tuple[Fields, list[Node]]:
    """Return the form with what the rest says of unaffiliated cards."""
    said = {node for node in rest if node in (UNAFFILIATED, Not(UNAFFILIATED))}
    others = [node for node in rest if node not in said]
    if said == {UNAFFILIATED} and (form.free or not form.type):
        return replace(form, free="only"), others
    if said == {Not(UNAFFILIATED)} and not form.type:
        return replace(form, free="" if form.hero else "never"), others
    if form.hero and not form.type:
        return replace(form, free="always"), rest
    return form, rest
