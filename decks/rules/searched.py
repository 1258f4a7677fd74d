"""The texts and numbers of cards as the finder searches them."""

import re
from collections.abc import Sequence

from .affiliations import Face, own_names
from .oracle_text import rules_text, text_key

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# What rules texts say of themselves instead of their names.
_ITSELF = re.compile(
    "this (?:creature|land|artifact|enchantment|spell|card|permanent|token|aura|equipment|vehicle|"
    "saga|class|planeswalker|siege|case|room)"
)
NO_TEXT = "/\n\n/"  # in the text of a card with a face that has none


def searched_text(faces: Sequence[Face], *, has_reminders: bool = False) -> str:
    """Return the texts of all faces, each between slashes and line breaks.

    Where a text speaks of its own card, it is there a second time with "~" in place of that.

    >>> searched_text([Face("Ox", "Creature", "Ox attacks. (At once.)"), Face("Cow", "Land", "")])
    '/\\nox attacks.\\n//\\n~ attacks.\\n//\\n\\n/'
    >>> searched_text([Face("Elf", "Creature", "(At once.)")], has_reminders=True)
    '/\\n(at once.)\\n/'
    """
    texts = []
    names = sorted(map(text_key, own_names(faces)), key=len, reverse=True)
    for face in faces:
        if has_reminders:
            texts.append(text_key(face.oracle_text))
            continue
        text = text_key(rules_text(face.oracle_text)).strip()
        itself = _ITSELF.sub("~", text)
        for name in names:
            itself = itself.replace(name, "~")
        texts += [text] if itself == text else [text, itself]
    return "".join(f"/\n{text}\n/" for text in texts)


def printed_number(text: str) -> float | None:
    """Return what a printed power counts as, None if nothing is printed; a star counts as 0.

    >>> printed_number("1+*"), printed_number("*"), printed_number("3.5"), printed_number("")
    (1.0, 0.0, 3.5, None)
    """
    if not text:
        return None
    if text == "∞":
        return float("inf")
    number = _NUMBER.search(text)
    return float(number[0]) if number else 0.0
