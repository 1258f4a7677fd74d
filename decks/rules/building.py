"""Changing a deck card by card: each function takes a deck and returns the deck that results."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from coalition_site.lib.refusals import Refused

from .entries import COUNT_MAX, LEVELS, WORDS, BadLine, Entry, LeftOut, Section

HEADINGS = {
    Section.MAIN: "Deck",
    Section.SIDEBOARD: "Sideboard",
    **{section: f"Level {level}" for level, section in enumerate(LEVELS, 1)},
}
HERO = "hero"
OTHER = {Section.MAIN: Section.SIDEBOARD, Section.SIDEBOARD: Section.MAIN}
NAMES = WORDS | {Section.MAIN: "the main deck", Section.SIDEBOARD: "the sideboard"}


@dataclass(frozen=True, slots=True)
class Build:
    """A deck as it is built, the cards by their full names.

    ``left_out`` are the cards outside the deck. An empty ``coalition_type`` stands for the type
    that fits best.
    """

    entries: tuple[Entry, ...] = ()
    bad_lines: tuple[BadLine, ...] = ()
    coalition_type: str = ""
    left_out: tuple[LeftOut, ...] = ()


Change = Callable[[Build], Build]


def copies(build: Build, name: str, sections: Collection[Section] = tuple(Section)) -> int:
    """
    >>> copies(_ELVES, "Elf"), copies(_ELVES, "Elf", [Section.MAIN])
    (5, 4)
    """
    return sum(
        entry.count for entry in build.entries if entry.name == name and entry.section in sections
    )


def add(build: Build, name: str, section: Section, count: int = 1, printing: str = "") -> Build:
    r"""
    >>> written(add(add(_ELVES, "Ox", Section.MAIN, 2), "Elf", Section.MAIN))
    'Deck\n5 Elf\n2 Ox\n\nSideboard\n1 Zug *HERO*\n1 Elf\n'
    """
    entries = list(build.entries)
    for place, entry in enumerate(entries):
        same = (name, section, printing or entry.printing)
        if (entry.name, entry.section, entry.printing) == same and entry.count + count <= COUNT_MAX:
            entries[place] = replace(entry, count=entry.count + count)
            return replace(build, entries=tuple(entries))
    new = Entry(0, count, name, section, printing=printing)
    return replace(build, entries=(*build.entries, new))


def take_out(
    build: Build, name: str, count: int, sections: Collection[Section] = tuple(Section)
) -> Build:
    r"""Take out copies of the sideboard first, and of the last lines of the list before the first.

    >>> written(take_out(_ELVES, "Elf", 2))
    'Deck\n3 Elf\n\nSideboard\n1 Zug *HERO*\n'
    """
    left = list(build.entries)
    places = sorted(range(len(left)), key=lambda at: left[at].section is Section.SIDEBOARD)
    for place in reversed(places):
        entry = left[place]
        if entry.name == name and entry.section in sections:
            taken = min(count, entry.count)
            count -= taken
            left[place] = replace(entry, count=entry.count - taken)
    return replace(build, entries=tuple(entry for entry in left if entry.count))


def move(build: Build, name: str, source: Section, count: int = 1) -> Build:
    r"""Return a deck with copies of a card in the sideboard instead of the main deck, or back.

    >>> written(move(_ELVES, "Elf", Section.MAIN))
    'Deck\n3 Elf\n\nSideboard\n1 Zug *HERO*\n2 Elf\n'
    >>> move(_ELVES, "Ox", Section.MAIN) == _ELVES
    True
    """
    rest = take_out(build, name, count, [source])
    before, left = (
        Counter(one.printing for one in deck.entries if one.name == name for _ in range(one.count))
        for deck in (build, rest)
    )
    for printing, moved in (before - left).items():
        rest = add(rest, name, OTHER[source], moved, printing)
    return rest


def take_out_all(build: Build, names: Iterable[str]) -> Build:
    """
    >>> take_out_all(_ELVES, ["Elf", "Zug"]).entries
    ()
    """
    gone = frozenset(names)
    return replace(build, entries=tuple(entry for entry in build.entries if entry.name not in gone))


def rename(build: Build, names: Mapping[str, str]) -> Build:
    """Return a deck with other cards in place of some, or of names that no card has.

    >>> copies(rename(_ELVES, {"Elf": "Ox"}), "Ox")
    5
    """
    renamed = (replace(entry, name=names.get(entry.name, entry.name)) for entry in build.entries)
    return replace(build, entries=tuple(renamed))


def lead(build: Build, name: str, instead_of: Iterable[str] = ()) -> Build:
    r"""Return a deck under a hero: one copy, in the sideboard. Former heroes may leave the deck.

    >>> written(lead(add(_ELVES, "Ann", Section.MAIN), "Ann", ["Zug"]))
    'Deck\n4 Elf\n\nSideboard\n1 Ann *HERO*\n1 Elf\n'
    """
    others = take_out_all(build, [name, *instead_of]).entries
    printing = next((entry.printing for entry in build.entries if entry.name == name), "")
    hero = Entry(0, 1, name, Section.SIDEBOARD, is_hero=True, printing=printing)
    return replace(build, entries=(hero, *(replace(entry, is_hero=False) for entry in others)))


def part(build: Build, sizes: Sequence[int]) -> Build:
    """Return a deck parted into sub-decks by the order of its list; what is too much goes last.

    >>> parted = part(Build((Entry(1, 3, "Elf", Section.LEVEL_1),)), (1, 1, 1))
    >>> [(entry.count, entry.section.value) for entry in parted.entries]
    [(1, 'level-1'), (1, 'level-2'), (1, 'level-3')]
    """
    entries = []
    level, room = 0, sizes[0]
    for entry in build.entries:
        left = entry.count
        while left:
            if not room and level < len(sizes) - 1:
                level += 1
                room = sizes[level]
            taken = min(left, room) or left
            entries.append(replace(entry, count=taken, section=LEVELS[level]))
            left, room = left - taken, max(0, room - taken)
    return replace(build, entries=tuple(entries))


def count_too(build: Build, place: str, section: Section) -> Build:
    """Return a deck with the cards in it that its list has outside, in one place.

    >>> left = replace(_ELVES, left_out=(LeftOut(9, 2, "Ox", "It is a token.", "Maybeboard"),))
    >>> copies(count_too(left, "Maybeboard", Section.SIDEBOARD), "Ox", [Section.SIDEBOARD])
    2
    """
    into = [one for one in build.left_out if one.place == place]
    entries = (Entry(one.line, one.count, one.name, section, printing=one.printing) for one in into)
    rest = tuple(one for one in build.left_out if one.place != place)
    return replace(build, entries=(*build.entries, *entries), left_out=rest)


def part_at(build: Build, line: int, section: Section) -> Build:
    """Return a deck with all from a line on in a section, but its hero.

    >>> parted = part_at(_ELVES, 1, Section.MAIN)
    >>> copies(parted, "Elf", [Section.MAIN]), copies(parted, "Zug", [Section.SIDEBOARD])
    (5, 1)
    """
    entries = (
        replace(entry, section=section) if entry.line >= line and not entry.is_hero else entry
        for entry in build.entries
    )
    return replace(build, entries=tuple(entries))


def swapped(
    entries: Iterable[Entry],
    out: Iterable[Entry],
    into: Iterable[Entry],
    key: Callable[[str], str],
) -> list[Entry]:
    """Return a deck after cards went out of its main deck, and others of its sideboard into it.

    ``key`` is equal for different spellings of a card.

    >>> deck = [Entry(1, 4, "Elf", Section.MAIN), Entry(2, 1, "Ox", Section.SIDEBOARD)]
    >>> for entry in swapped(deck, [Entry(1, 1, "elf", Section.MAIN)], deck[1:], str.casefold):
    ...     print(entry.count, entry.name, entry.section)
    3 Elf main
    1 elf sideboard
    1 Ox main

    :raises Refused: if there are not so many copies.
    """
    rest, came = list(entries), []
    for cards, source in ((out, Section.MAIN), (into, Section.SIDEBOARD)):
        for card in cards:
            missing = card.count
            for place, entry in enumerate(rest):
                if entry.section is source and key(entry.name) == key(card.name):
                    taken = min(missing, entry.count)
                    missing -= taken
                    rest[place] = replace(entry, count=entry.count - taken)
            if missing:
                raise Refused(
                    f"There are only {card.count - missing} {card.name} in {NAMES[source]}, "
                    f"not {card.count}."
                )
            came.append(replace(card, section=OTHER[source], is_hero=False))
    return [entry for entry in rest if entry.count] + came


def written(build: Build) -> str:
    r"""Return a deck as text, which is read as the same deck; "" if there is nothing in it.

    >>> written(replace(_ELVES, left_out=(LeftOut(9, 2, "Ox", "It is a token."),)))
    'Deck\n4 Elf\n\nSideboard\n1 Zug *HERO*\n1 Elf\n\nMaybeboard\n2 Ox\n'
    """
    parts = []
    for section, heading in HEADINGS.items():
        lines = [
            f"{entry.count} {entry.printed}{' *HERO*' if entry.is_hero else ''}\n"
            for entry in build.entries
            if entry.section is section
        ]
        parts.append("".join([f"{heading}\n", *lines]) if lines else "")
    outside = [f"{one.count} {one.printed}\n" for one in build.left_out]
    parts.append("".join(["Maybeboard\n", *outside]) if outside else "")
    # A text that begins with a bad line may look like a file or a table.
    parts.append("".join(f"{line.text}\n" for line in build.bad_lines))
    return "\n".join(filter(None, parts))


_ELVES = Build(
    (
        Entry(1, 4, "Elf", Section.MAIN),
        Entry(2, 1, "Zug", Section.SIDEBOARD, is_hero=True),
        Entry(3, 1, "Elf", Section.SIDEBOARD),
    )
)
