"""Which texts the site accepts in forms, files and lists. Plain Python: the rules use it too."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, TypeVar
from unicodedata import category, combining, normalize

UNSHOWABLE = {"Cc", "Cs"}
UNSEEN = {"Cf", "Zs", "Zl", "Zp"}
# Nothing to see either, though Unicode has them among letters and signs.
FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    chr(code) for start, end in ((0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for code in range(start, end)
}
# What has no accent that could be taken off, and yet sorts with the letter it is made of.
PLAIN = str.maketrans({"æ": "ae", "đ": "d", "ı": "i", "ł": "l", "ø": "o", "œ": "oe"})


def is_showable(text: str) -> bool:
    r"""Return whether a text has no control characters, halves of characters and non-characters.

    Characters that Unicode may yet assign are accepted: phones know new ones before Python does.

    >>> is_showable("Zoë 👩\u200d🚀"), is_showable("\U0003abcd")
    (True, True)
    >>> [is_showable(text) for text in ("a\0b", "\ud800", "\ufdd0", "\ufdef", "\U0010ffff")]
    [False, False, False, False, False]
    """
    return text.isprintable() or not any(
        # Unicode will never assign a non-character: many readers fail on those.
        category(mark) in UNSHOWABLE or "\ufdd0" <= mark <= "\ufdef" or ord(mark) & 0xFFFE == 0xFFFE
        for mark in text
    )


def is_visible(text: str) -> bool:
    r"""Return whether a text can be shown and, unless it is empty, has something to see.

    >>> is_visible("Zoë"), is_visible(""), is_visible("\u200b\u2060"), is_visible("a\uffff")
    (True, True, False, False)
    >>> is_visible("\u3164\u2800"), is_visible("\u2764\ufe0f")
    (False, True)
    """
    has_something_to_see = not text or any(
        category(mark) not in UNSEEN and mark not in FILLERS for mark in text
    )
    return has_something_to_see and is_showable(text)


def name_key(name: str) -> str:
    r"""Return the key of a person's name, equal for all spellings that look or sound the same.

    >>> name_key("JOSÉ"), name_key("Jose\u0301"), name_key("Jo\u200bsé"), name_key("Jose")
    ('josé', 'josé', 'josé', 'jose')
    >>> name_key("İrem") == name_key("irem"), name_key("Ann \u00a0B.")
    (True, 'ann b.')
    """
    seen = "".join(mark for mark in name if category(mark) != "Cf" and mark not in FILLERS)
    folded = normalize("NFKC", normalize("NFKC", seen).casefold())
    return " ".join(folded.replace("i\u0307", "i").split())


@lru_cache(maxsize=4096)
def sort_key(name: str) -> tuple[str, str]:
    """Return what sorts names as people expect: accents only decide where all else is equal.

    The same on all databases, each of which has an order of its own.

    >>> sorted(["Zoe", "Łukasz", "Élodie", "max", "Elodie"], key=sort_key)
    ['Elodie', 'Élodie', 'Łukasz', 'max', 'Zoe']
    """
    key = name_key(name)
    plain = "".join(mark for mark in normalize("NFKD", key) if not combining(mark))
    return plain.translate(PLAIN), key


class Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


def by_name(named: Iterable[N]) -> list[N]:
    return sorted(named, key=lambda one: sort_key(one.name))
