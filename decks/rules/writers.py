"""Deck lists to copy into other sites.

None of these sites has heroes outside of its Commander formats, so the hero goes in the sideboard,
as in our decks. None has sub-decks either, so those become a single main deck.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

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


def write_moxfield(lines: Iterable[Line]) -> str:
    return _written(lines, lambda line: line.full_name, side="SIDEBOARD:")


def write_arena(lines: Iterable[Line]) -> str:
    """Arena names two-faced cards by their front face, but split cards by both halves."""
    return _written(
        lines,
        lambda line: line.full_name if line.is_split else line.front_name,
        main="Deck\n",
        side="Sideboard",
    )


def write_mtgo(lines: Iterable[Line]) -> str:
    """Magic Online writes split cards as ``Fire/Ice``, and others by their front face."""
    return _written(
        lines,
        lambda line: line.full_name.replace(" // ", "/") if line.is_split else line.front_name,
        side="Sideboard",
    )


def _written(
    lines: Iterable[Line], name_of: Callable[[Line], str], *, main: str = "", side: str
) -> str:
    first, second = "", ""
    for line in lines:
        written = f"{line.count} {name_of(line)}\n"
        if line.is_hero or line.section is Section.SIDEBOARD:
            second += written
        else:
            first += written
    parts = (f"{main}{first}" if first else "", f"{side}\n{second}" if second else "")
    return "\n".join(filter(None, parts))
