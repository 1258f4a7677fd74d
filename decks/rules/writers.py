"""Deck lists to copy into other sites.

None of these sites has heroes outside of its Commander formats, so the hero goes in the sideboard,
as in our decks. None has sub-decks either, so those become a single main deck.
"""

from __future__ import annotations

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
    """Return the list for Moxfield, which uses full names.

    >>> print(write_moxfield([_FIRE, _HERO]), end="")
    2 Fire // Ice
    <BLANKLINE>
    SIDEBOARD:
    1 Zug, the Tall // Zug, the Wide
    """
    return _written(lines, lambda line: line.full_name, side="SIDEBOARD:")


def write_arena(lines: Iterable[Line]) -> str:
    """Return the list for MTG Arena.

    Arena names two-faced cards by their front face, but split cards by both halves.

    >>> print(write_arena([_FIRE, _HERO]), end="")
    Deck
    2 Fire // Ice
    <BLANKLINE>
    Sideboard
    1 Zug, the Tall
    """
    return _written(lines, _arena_name, main="Deck", side="Sideboard")


def write_mtgo(lines: Iterable[Line]) -> str:
    """Return the list for Magic Online.

    Magic Online writes split cards as ``Fire/Ice``, and names other cards by their front face.

    >>> print(write_mtgo([_FIRE, _HERO]), end="")
    2 Fire/Ice
    <BLANKLINE>
    Sideboard
    1 Zug, the Tall
    """
    return _written(lines, _mtgo_name, side="Sideboard")


def _arena_name(line: Line) -> str:
    return line.full_name if line.is_split else line.front_name


def _mtgo_name(line: Line) -> str:
    return line.full_name.replace(" // ", "/") if line.is_split else line.front_name


def _written(
    lines: Iterable[Line], name_of: Callable[[Line], str], *, main: str = "", side: str
) -> str:
    """Return the main deck and the sideboard, separated by a blank line."""
    decks: dict[bool, list[str]] = {False: [], True: []}
    for line in lines:
        is_side = line.is_hero or line.section is Section.SIDEBOARD
        decks[is_side].append(f"{line.count} {name_of(line)}\n")
    first = "".join([f"{main}\n" if main else "", *decks[False]]) if decks[False] else ""
    second = "".join([f"{side}\n", *decks[True]]) if decks[True] else ""
    return "\n".join(part for part in (first, second) if part)


_FIRE = Line(2, "Fire // Ice", "Fire", Section.MAIN, is_split=True)
_HERO = Line(1, "Zug, the Tall // Zug, the Wide", "Zug, the Tall", Section.SIDEBOARD, is_hero=True)
