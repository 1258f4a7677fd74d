"""Cards that change places between main deck and sideboard."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from coalition_site.lib.refusals import Refused

from .entries import Entry, Section

PLACES = {Section.MAIN: "main deck", Section.SIDEBOARD: "sideboard"}


class CannotSwap(Refused):
    """A card is not where it should go from."""


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

    :raises CannotSwap: if there are not so many copies.
    """
    rest, came = list(entries), []
    for cards, source, target in (
        (out, Section.MAIN, Section.SIDEBOARD),
        (into, Section.SIDEBOARD, Section.MAIN),
    ):
        for card in cards:
            missing = card.count
            for place, entry in enumerate(rest):
                if entry.section is source and key(entry.name) == key(card.name):
                    taken = min(missing, entry.count)
                    missing -= taken
                    rest[place] = replace(entry, count=entry.count - taken)
            if missing:
                raise CannotSwap(
                    f"There are only {card.count - missing} {card.name} in the {PLACES[source]}, "
                    f"not {card.count}."
                )
            came.append(replace(card, section=target, is_hero=False))
    return [entry for entry in rest if entry.count] + came


def written(entries: Sequence[Entry]) -> str:
    r"""Return a deck as text that is read as it was.

    >>> written([Entry(1, 4, "Elf", Section.MAIN), Entry(2, 1, "Ox", Section.SIDEBOARD, True)])
    'Deck\n4 Elf\n\nSideboard\n1 Ox *HERO*\n'
    """
    parts = []
    for title, section in (("Deck", Section.MAIN), ("Sideboard", Section.SIDEBOARD)):
        lines = (
            f"{entry.count} {entry.name}{' *HERO*' if entry.is_hero else ''}\n"
            for entry in entries
            if entry.section is section
        )
        parts.append("".join([f"{title}\n", *lines]))
    return "\n".join(parts)
