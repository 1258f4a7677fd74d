"""Changing a deck card by card: each function takes a deck and returns the deck that results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from .entries import COUNT_MAX, LEVELS, Entry, Section

HEADINGS = {
    Section.MAIN: "Deck",
    Section.SIDEBOARD: "Sideboard",
    **{section: f"Level {level}" for level, section in enumerate(LEVELS, 1)},
}
HERO = "hero"
PLACES = (*(section.value for section in Section), HERO)  # where a card can be added


@dataclass(frozen=True, slots=True)
class Draft:
    """A deck that is being built: the cards by their full names, and the chosen coalition type.

    ``unreadable`` are the lines that could not be read, as they were typed. An empty
    ``coalition_type`` stands for the type that fits best.
    """

    entries: tuple[Entry, ...] = ()
    unreadable: tuple[str, ...] = ()
    coalition_type: str = ""


Change = Callable[[Draft], Draft]


def copies(draft: Draft, name: str, sections: Collection[Section] = tuple(Section)) -> int:
    """Return how many copies of a card a deck has, in some sections or in all.

    >>> copies(_ELVES, "Elf"), copies(_ELVES, "Elf", [Section.MAIN])
    (5, 4)
    """
    return sum(
        entry.count for entry in draft.entries if entry.name == name and entry.section in sections
    )


def add(draft: Draft, name: str, section: Section, count: int = 1) -> Draft:
    """Return a deck with more copies of a card in a section.

    >>> print(written(add(add(_ELVES, "Ox", Section.MAIN, 2), "Elf", Section.MAIN)), end="")
    Deck
    5 Elf
    2 Ox
    <BLANKLINE>
    Sideboard
    1 Zug *HERO*
    1 Elf
    """
    entries = list(draft.entries)
    for place, entry in enumerate(entries):
        if (entry.name, entry.section) == (name, section) and entry.count + count <= COUNT_MAX:
            entries[place] = replace(entry, count=entry.count + count)
            return replace(draft, entries=tuple(entries))
    return replace(draft, entries=(*entries, Entry(0, count, name, section)))


def add_at(draft: Draft, name: str, place: str, count: int = 1) -> Draft:
    """Return a deck with more copies of a card at a place, or with the card as its hero.

    >>> add_at(_ELVES, "Ox", "main") == add(_ELVES, "Ox", Section.MAIN)
    True
    >>> [entry.name for entry in add_at(_ELVES, "Ann", HERO).entries]
    ['Ann', 'Elf', 'Elf']
    """
    if place != HERO:
        return add(draft, name, Section(place), count)
    return lead(draft, name, [entry.name for entry in draft.entries if entry.is_hero])


def take_out(
    draft: Draft,
    name: str,
    count: int | None = None,
    sections: Collection[Section] = tuple(Section),
) -> Draft:
    """Return a deck with fewer copies of a card, or with none of it.

    Copies of the sideboard go first, and the last lines of the list before the first.

    >>> print(written(take_out(_ELVES, "Elf", 2)), end="")
    Deck
    3 Elf
    <BLANKLINE>
    Sideboard
    1 Zug *HERO*
    """
    missing = copies(draft, name, sections) if count is None else count
    left = list(draft.entries)
    for place in sorted(range(len(left)), key=lambda place: _goes_last(left[place], place)):
        entry = left[place]
        if entry.name == name and entry.section in sections:
            taken = min(missing, entry.count)
            missing -= taken
            left[place] = replace(entry, count=entry.count - taken)
    return replace(draft, entries=tuple(entry for entry in left if entry.count))


def _goes_last(entry: Entry, place: int) -> tuple[bool, int]:
    return entry.section is not Section.SIDEBOARD, -place


def take_out_all(draft: Draft, names: Iterable[str]) -> Draft:
    """Return a deck without some cards.

    >>> take_out_all(_ELVES, ["Elf", "Zug"]).entries
    ()
    """
    gone = frozenset(names)
    return replace(draft, entries=tuple(entry for entry in draft.entries if entry.name not in gone))


def cut(draft: Draft, name: str, limit: int) -> Draft:
    """Return a deck with so many copies of a card at most.

    >>> copies(cut(_ELVES, "Elf", 4), "Elf"), copies(cut(_ELVES, "Elf", 9), "Elf")
    (4, 5)
    """
    return take_out(draft, name, max(0, copies(draft, name) - limit))


def rename(draft: Draft, name: str, new: str) -> Draft:
    """Return a deck with a card in place of another, or of a name that no card has.

    >>> copies(rename(_ELVES, "Elf", "Ox"), "Ox")
    5
    """
    return replace(
        draft,
        entries=tuple(
            replace(entry, name=new) if entry.name == name else entry for entry in draft.entries
        ),
    )


def lead(draft: Draft, name: str, instead_of: Iterable[str] = ()) -> Draft:
    """Return a deck under a hero: one copy, in the sideboard. Former heroes may leave the deck.

    >>> print(written(lead(add(_ELVES, "Ann", Section.MAIN), "Ann", ["Zug"])), end="")
    Deck
    4 Elf
    <BLANKLINE>
    Sideboard
    1 Ann *HERO*
    1 Elf
    """
    others = take_out_all(draft, [name, *instead_of]).entries
    hero = Entry(0, 1, name, Section.SIDEBOARD, is_hero=True)
    return replace(draft, entries=(hero, *(replace(entry, is_hero=False) for entry in others)))


def part(draft: Draft, sizes: Sequence[int]) -> Draft:
    """Return a deck parted into sub-decks by the order of its list; what is too much goes last.

    >>> parted = part(Draft((Entry(1, 3, "Elf", Section.LEVEL_1),)), (1, 1, 1))
    >>> [(entry.count, entry.section.value) for entry in parted.entries]
    [(1, 'level-1'), (1, 'level-2'), (1, 'level-3')]
    """
    entries = []
    level, room = 0, sizes[0]
    for entry in draft.entries:
        left = entry.count
        while left:
            if not room and level < len(sizes) - 1:
                level += 1
                room = sizes[level]
            taken = min(left, room) or left
            entries.append(replace(entry, count=taken, section=LEVELS[level]))
            left, room = left - taken, max(0, room - taken)
    return replace(draft, entries=tuple(entries))


def written(draft: Draft) -> str:
    """Return a deck as text, which is read as the same deck; "" if there is nothing in it."""
    parts = ["".join(f"{line}\n" for line in draft.unreadable)]
    for section, heading in HEADINGS.items():
        lines = [_line(entry) for entry in draft.entries if entry.section is section]
        parts.append("".join([f"{heading}\n", *lines]) if lines else "")
    return "\n".join(filter(None, parts))


def _line(entry: Entry) -> str:
    return f"{entry.count} {entry.name}{' *HERO*' if entry.is_hero else ''}\n"


_ELVES = Draft(
    (
        Entry(1, 4, "Elf", Section.MAIN),
        Entry(2, 1, "Zug", Section.SIDEBOARD, is_hero=True),
        Entry(3, 1, "Elf", Section.SIDEBOARD),
    )
)
