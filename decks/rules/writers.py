"""Deck lists to copy into other sites.

None of these sites has heroes outside of its Commander formats, so the hero goes in the sideboard,
as in our decks. None has sub-decks either, so those become a single main deck. Arena and Magic
Online name two-faced cards by their front face, but split cards by both halves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from .entries import Section


@dataclass(frozen=True, slots=True)
class Line:
    """A card of a deck; ``is_split`` if both halves are on its front (Fire // Ice)."""

    count: int
    full_name: str
    front_name: str
    section: Section
    is_hero: bool = False
    is_split: bool = False


def _written(name_of: Callable[[Line], str], main: str, side: str, lines: Iterable[Line]) -> str:
    first, second = "", ""
    for line in lines:
        written = f"{line.count} {name_of(line)}\n"
        if line.is_hero or line.section is Section.SIDEBOARD:
            second += written
        else:
            first += written
    parts = (f"{main}{first}" if first else "", f"{side}\n{second}" if second else "")
    return "\n".join(filter(None, parts))


write_moxfield = partial(_written, attrgetter("full_name"), "", "SIDEBOARD:")
write_arena = partial(
    _written,
    lambda line: line.full_name if line.is_split else line.front_name,
    "Deck\n",
    "Sideboard",
)
write_mtgo = partial(
    _written,
    lambda line: line.full_name.replace(" // ", "/") if line.is_split else line.front_name,
    "",
    "Sideboard",
)
