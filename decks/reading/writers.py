"""Deck lists to copy into other sites.

A hero goes in the sideboard, as in our decks, but on Archidekt, which marks a commander in any
deck. No site has sub-decks, so those become a single main deck. Arena and Magic Online name
two-faced cards by their front face, but split cards by both halves.
"""

from collections.abc import Callable, Collection, Iterable
from functools import partial

from ..rules.entries import Entry, Section


def _written(
    name_of: Callable[[Entry, bool], str],
    main: str,
    side: str,
    entries: Iterable[Entry],
    split: Collection[str],
) -> str:
    """Return a list; ``split`` are the cards with both halves on their front (Fire // Ice)."""
    first, second = "", ""
    for entry in entries:
        written = f"{entry.count} {name_of(entry, entry.name in split)}\n"
        if entry.is_hero or entry.section is Section.SIDEBOARD:
            second += written
        else:
            first += written
    parts = (f"{main}{first}" if first else "", f"{side}\n{second}" if second else "")
    return "\n".join(filter(None, parts))


def _front(entry: Entry, is_split: bool) -> str:
    return entry.name if is_split else entry.name.split(" // ")[0]


write_moxfield = partial(_written, lambda entry, _: entry.printed, "", "SIDEBOARD:")
write_arena = partial(_written, _front, "Deck\n", "Sideboard")
write_mtgo = partial(
    _written,
    lambda entry, is_split: _front(entry, is_split).replace(" // ", "/"),
    "",
    "Sideboard",
)


def write_archidekt(entries: Iterable[Entry], split: Collection[str]) -> str:
    """Return a list with the category of each card behind it; cards have their whole names."""
    lines = []
    for entry in entries:
        in_side = " [Sideboard]" if entry.section is Section.SIDEBOARD else ""
        category = " [Commander{top}]" if entry.is_hero else in_side
        lines.append(f"{entry.count}x {entry.printed.removesuffix(' *F*')}{category}\n")
    return "".join(lines)
