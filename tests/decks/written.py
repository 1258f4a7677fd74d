"""Deck lists as text, filled up with Forests to their size."""

import re

COUNT = re.compile(r"^(?:\w+: )?(\d+) ", re.MULTILINE)
EZURI = "1 Ezuri, Claw of Progress"


def deck(
    *main: str, side: tuple[str, ...] = (), hero: str = EZURI, sizes: tuple[int, int] = (60, 10)
) -> str:
    """Return a list for Coalition: the hero is on line 2, then come ``side`` and ``main``.

    Without ``side`` the first line of ``main`` is on line 5. An empty ``hero`` leaves it out.

    >>> print(deck("4 Elvish Mystic", side=("1 Negate",)))
    Sideboard
    1 Ezuri, Claw of Progress
    1 Negate
    8 Forest
    Deck
    4 Elvish Mystic
    56 Forest
    """
    in_main, in_side = sizes
    around = [hero, *side] if hero else side
    return "\n".join(["Sideboard", *_filled(around, in_side), "Deck", *_filled(main, in_main)])


def leveler(*first: str, second: tuple[str, ...] = (), third: tuple[str, ...] = ()) -> str:
    """Return a list for Leveler; the first line of ``first`` is on line 2."""
    parts = zip((first, second, third), (50, 30, 20), strict=True)
    return "\n".join(
        line
        for level, (lines, size) in enumerate(parts, 1)
        for line in (f"Level {level}", *_filled(lines, size))
    )


def _filled(lines: tuple[str, ...] | list[str], size: int) -> list[str]:
    missing = size - sum(map(int, COUNT.findall("\n".join(lines))))
    return [*lines, f"{missing} Forest"] if missing > 0 else [*lines]
