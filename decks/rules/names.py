"""The form in which card names are compared."""

from __future__ import annotations

import re
from unicodedata import category, normalize

# Before decomposing, which would make a space and an accent of some of these.
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("'`´‘’‚‛′ʹʻʼʽˈ՚", ""),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃", "-"),
        "æ": "ae",
        "Æ": "ae",
        "œ": "oe",
        "Œ": "oe",
        "ø": "o",
        "Ø": "o",
        "ł": "l",
        "Ł": "l",
    }
)
_SLASHES = re.compile(r" ?/[/ ]*")


def name_key(name: str) -> str:
    """Return the form by which a card's name is compared.

    >>> name_key("Jötun Grunt"), name_key("AETHER   Vial") == name_key("Æther Vial")
    ('jotun grunt', True)
    >>> name_key("Urza’s Saga") == name_key("Urza's Saga")
    True
    >>> {name_key(name) for name in ("Fire // Ice", "Fire / Ice", "Fire//Ice", "Fire/Ice")}
    {'fire/ice'}
    >>> name_key("SP//dr, Piloted by Peni"), name_key("_____")
    ('sp/dr, piloted by peni', '_____')
    """
    spelled = normalize("NFKD", name.translate(_LOOKALIKES).casefold())
    # Once more: decomposing shows some lookalikes, as the wide forms of East Asian keyboards.
    plain = normalize("NFKD", spelled.translate(_LOOKALIKES).casefold())
    shown = plain if plain.isascii() else "".join(mark for mark in plain if not _is_unseen(mark))
    return _SLASHES.sub("/", " ".join(shown.split()))


def front_key(name: str) -> str:
    """Return the key of the part before the first slash, which is a two-faced card's front.

    A name with a slash in the middle of a word is cut as well: look for the whole key first.

    >>> front_key("Brazen Borrower // Petty Theft"), front_key("Brazen Borrower")
    ('brazen borrower', 'brazen borrower')
    >>> front_key("SP//dr, Piloted by Peni")
    'sp'
    """
    return name_key(name).partition("/")[0]


def _is_unseen(mark: str) -> bool:
    """Say whether a mark is an accent, or has no width at all."""
    return category(mark) in ("Mn", "Mc", "Me", "Cf")
