"""Which texts the site accepts in forms, files and lists. Plain Python: the rules use it too."""

from __future__ import annotations

from unicodedata import category

UNSHOWABLE = {"Cc", "Cs"}
UNSEEN = {"Cf", "Zs", "Zl", "Zp"}


def is_showable(text: str) -> bool:
    r"""Return whether a text has no control characters, halves of characters and non-characters.

    Characters that Unicode may yet assign are accepted: phones know new ones before Python does.

    >>> is_showable("Zoë 👩\u200d🚀"), is_showable("\U0003abcd")
    (True, True)
    >>> is_showable("a\0b"), is_showable("\ud800"), is_showable("\uffff"), is_showable("\ufdd0")
    (False, False, False, False)
    """
    return text.isprintable() or not any(map(_is_unshowable, text))


def _is_unshowable(mark: str) -> bool:
    return category(mark) in UNSHOWABLE or _is_non_character(ord(mark))


def _is_non_character(code: int) -> bool:
    """Return whether Unicode will never assign a code point: many readers fail on those.

    >>> [_is_non_character(code) for code in (0xFDCF, 0xFDD0, 0xFDEF, 0xFFFD, 0xFFFE, 0x10FFFF)]
    [False, True, True, False, True, True]
    """
    return 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE


def is_visible(text: str) -> bool:
    r"""Return whether a text can be shown and, unless it is empty, has something to see.

    >>> is_visible("Zoë"), is_visible(""), is_visible("\u200b\u2060"), is_visible("a\uffff")
    (True, True, False, False)
    """
    has_something_to_see = not text or any(category(mark) not in UNSEEN for mark in text)
    return has_something_to_see and is_showable(text)
