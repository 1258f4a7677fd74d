"""Names written from right to left, in sentences written from left to right.

Templates put a name into a ``<bdi>``; plain text uses characters that do the same.
"""

from functools import lru_cache
from unicodedata import bidirectional

# Letters from right to left, and the invisible characters that turn what comes after them.
TURNS = {"R", "AL", "LRE", "LRO", "LRI", "RLE", "RLO", "RLI", "FSI", "PDF", "PDI"}
ISOLATE, POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


@lru_cache(4096)
def isolated(name: str) -> str:
    """Return a name for use in a sentence; a right-to-left name then leaves the rest in place.

    >>> isolated("Olga"), ascii(isolated("שרה"))
    ('Olga', "'\\\\u2068\\\\u05e9\\\\u05e8\\\\u05d4\\\\u2069'")
    """
    turns = any(bidirectional(character) in TURNS for character in name)
    return f"{ISOLATE}{name}{POP}" if turns else name
