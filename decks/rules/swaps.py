"""Cards that change places between main deck and sideboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from coalition_site.lib.refusals import Refused

from .entries import Entry, Section

PLACES = {Section.MAIN: "main deck", Section.SIDEBOARD: "sideboard"}
Key = Callable[[str], str]


class CannotSwap(Refused):
    """A card is not where it should go from."""


def swapped(
    entries: Iterable[Entry], out: Iterable[Entry], into: Iterable[Entry], key: Key
) -> list[Entry]:
    """Return a deck after cards went out of its main deck, and others of its sideboard into it.

    ``key`` is equal for different spellings of a card.

    >>> deck = [Entry(1, 4, "Elf", Section.MAIN), Entry(2, 1, "Ox", Section.SIDEBOARD)]
    >>> for entry in swapped(deck, [Entry(1, 1, "elf", Section.MAIN)], deck[1:], str.casefold):
    ...     print(entry.count, entry.name, entry.section)
    3 Elf main
    1 elf sideboard
    1 Ox main

    :raises CannotSwap: if there are not so many copies.
    """
    rest = list(entries)
    came = []
    for cards, source, target in (
        (out, Section.MAIN, Section.SIDEBOARD),
        (into, Section.SIDEBOARD, Section.MAIN),
    ):
        for card in cards:
            rest = _without(rest, card, source, key)
            came.append(replace(card, section=target, is_hero=False))
    return rest + came


def _without(entries: Iterable[Entry], card: Entry, source: Section, key: Key) -> list[Entry]:
    rest, missing = [], card.count
    for entry in entries:
        taken = 0
        if entry.section is source and key(entry.name) == key(card.name):
            taken = min(missing, entry.count)
        missing -= taken
        if entry.count > taken:
            rest.append(replace(entry, count=entry.count - taken))
    if missing:
        raise CannotSwap(
            f"There are only {card.count - missing} {card.name} in the {PLACES[source]}, "
            f"not {card.count}."
        )
    return rest


def written(entries: Sequence[Entry]) -> str:
    r"""Return a deck as text that is read as it was.

    >>> written([Entry(1, 4, "Elf", Section.MAIN), Entry(2, 1, "Ox", Section.SIDEBOARD, True)])
    'Deck\n4 Elf\n\nSideboard\n1 Ox *HERO*\n'
    """
    return "\n".join(
        f"{title}\n" + "".join(map(_line, filter(lambda entry: entry.section is place, entries)))
        for title, place in (("Deck", Section.MAIN), ("Sideboard", Section.SIDEBOARD))
    )


def _line(entry: Entry) -> str:
    return f"{entry.count} {entry.name}{' *HERO*' if entry.is_hero else ''}\n"
