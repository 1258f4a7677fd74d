"""Keys by which card names are compared."""

import re
from unicodedata import category, normalize

# Replaced before decomposing, which would turn some of these into a space and an accent.
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("'`´‘’‚‛′ʹʻʼʽˈ՚", ""),  # many people leave apostrophes out
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃", "-"),
        "\0": "",  # no database has it
        **dict.fromkeys("æÆ", "ae"),
        **dict.fromkeys("œŒ", "oe"),
        **dict.fromkeys("øØ", "o"),
        **dict.fromkeys("łŁ", "l"),
    }
)
_SLASHES = re.compile(r" ?/[/ ]*")


def name_key(name: str) -> str:
    """Return the key of a card's name, equal for all spellings of that name.

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
    # Twice, because decomposing reveals more lookalikes: the wide forms of East Asian keyboards.
    plain = normalize("NFKD", spelled.translate(_LOOKALIKES).casefold())
    if not plain.isascii():  # accents, and signs that have no width at all, are left out
        plain = "".join(mark for mark in plain if category(mark) not in ("Mn", "Mc", "Me", "Cf"))
    return _SLASHES.sub("/", " ".join(plain.split()))


def front_key(name: str) -> str:
    """Return the key of the part before the first slash: the front of a two-faced card.

    A slash in the middle of a word cuts the name too, so look up the whole key first.

    >>> front_key("Brazen Borrower // Petty Theft"), front_key("SP//dr, Piloted by Peni")
    ('brazen borrower', 'sp')
    """
    return name_key(name).partition("/")[0]


def address_name(name: str) -> str:
    """Return a card's name as it stands in addresses: ``written`` reads it back.

    >>> [address_name(name) for name in ("Jötun Grunt", "Fire // Ice", "Wizards of the _____")]
    ['jotun_grunt', 'fire;ice', 'wizards of the _____']
    """
    key = name_key(name).replace("/", ";")
    return key if "_" in key else key.replace(" ", "_")


def written(address_name: str) -> str:
    """Return the key of the name that stands in an address, or the name that somebody typed there.

    >>> written("fire;ice"), written("jotun_grunt"), written("Wizards of the _____")
    ('fire/ice', 'jotun grunt', 'wizards of the _____')
    """
    has_blank = " " in address_name or "__" in address_name  # a blank to fill in, of a joke
    spelled = address_name if has_blank else address_name.replace("_", " ")
    return name_key(spelled.replace(";", "/"))
