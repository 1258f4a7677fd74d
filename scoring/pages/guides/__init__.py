"""What somebody who chooses or learns a format reads: a registry, so that pages name no format.

Formats register when the app is ready, in ``scoring/apps.py``, each with words of its own module.
Their numbers come from the rulesets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAGIC = "Magic: The Gathering"


@dataclass(frozen=True, slots=True)
class Way:
    """A way to start a table: a format, the words that lead to it, and those that choose it."""

    format: str
    label: str
    choice: str = "Choose"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the rules: a sentence or a few for each thing that players ask."""

    title: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How rulesets differ from the ``usual``: ``names``, and rows of a label and values."""

    usual: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A format as its card on the start page has it, and its page with the rules.

    ``minute`` is what is read before a first game, ``taps`` is what the scorekeeper does at the
    table; ``chapters`` are the whole rules. ``night`` is how a night of it goes, where that has
    several parts. ``bans`` is the key of the ban list.
    """

    name: str
    game: str = MAGIC
    ways: tuple[Way, ...]
    players: str
    length: str
    needs: str
    fun: str
    minute: tuple[str, ...]
    taps: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    night: tuple[str, ...] = ()
    comparison: Comparison | None = None
    bans: str = ""

    @property
    def title(self) -> str:
        """Its name, and the game whose cards it takes where that is not Magic."""
        return self.name if self.game == MAGIC else f"{self.name} ({self.game})"

    @property
    def key(self) -> str:
        """The name of its page in addresses."""
        return self.ways[-1].format

    def has(self, format: str) -> bool:
        """Return whether a table of this format is one way in."""
        return any(way.format == format for way in self.ways)


HIT = (
    "A hit: tap under “To” whom it hits, then the number. It comes from the player whose turn it "
    "is, unless you tap another under “From”: combat damage means that it is that player’s turn."
)
LIFE = "Life that changes without damage: tap the player’s life, then + or −."
TURN = "“Turn”, when somebody’s turn ends."
MISTAKE = "“Undo” takes the last entry back. The log changes any older one."

_guides: dict[str, Guide] = {}


def register(guide: Guide) -> None:
    """Show a format on the start page, and give it a page."""
    _guides[guide.key] = guide


def every() -> Sequence[Guide]:
    """Return the guides, in the order in which they are shown."""
    return list(_guides.values())


def of(format: str) -> Guide | None:
    """Return the guide of a format; a format that leads to another shares its guide."""
    return next((guide for guide in _guides.values() if guide.has(format)), None)
