"""Reading an expression: `t:elf c:g mv<=3 o:"draw a card"`, with Scryfall's usual syntax."""

from __future__ import annotations

import re

from .keys import BY_NAME, KEYS, OF_PRINTINGS, closest
from .nodes import All, Any, Misread, Node, Not, Term

LENGTH_MAX = 500  # characters
TERMS_MAX = 8
DEPTH_MAX = 20  # parentheses inside each other

# Phones type curly quotes and long dashes. Each is replaced by one character, so places stay.
_PLAIN = str.maketrans(
    {**dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("−–—", "-"), "\xa0": " ", "\0": " "}
)
_SPACE = re.compile(r"\s*")
_KEY = re.compile(r"([A-Za-z]+)(:|!=|<=|>=|=|<|>|≠|≤|≥)")
_WORD = re.compile(r'[^\s()"]+')
_IN_APOSTROPHES = re.compile(r"'([^']*)'(?=[\s()]|$)")
_SIGNS = {"≠": "!=", "≤": "<=", "≥": ">="}


def read(text: str) -> Node:
    """Return what an expression asks for; an empty one asks for every card.

    >>> read("t:elf mv<=3") == All((Term("t", ":", "elf"), Term("mv", "<=", "3")))
    True
    >>> read('-(bolt or !"Fire // Ice")').node.nodes[1]
    Term(key='exact', operator=':', value='Fire // Ice', at=10, value_at=12)
    >>> read("t:elf (c:g")
    Traceback (most recent call last):
    ...
    decks.rules.expressions.nodes.Misread: Nothing closes this parenthesis.

    :raises Misread: if it can't be understood.
    """
    if len(text) > LENGTH_MAX:
        raise Misread(f"That is too long: {LENGTH_MAX} characters at most.", LENGTH_MAX)
    return _Reader(text.translate(_PLAIN)).whole()


class _Reader:
    """Reads a text from left to right; ``at`` is the place of what comes next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.terms = self.depth = 0
        self._skip_space()

    def whole(self) -> Node:
        if not self._rest():
            return All()
        node = self._alternatives()
        if self._rest():
            raise Misread("Nothing opens this parenthesis.", self.at)
        return node

    def _alternatives(self) -> Node:
        nodes = [self._conditions()]
        while self._takes_word("or"):
            nodes.append(self._conditions())
        return nodes[0] if len(nodes) == 1 else Any(tuple(nodes))

    def _conditions(self) -> Node:
        nodes: list[Node] = []
        while self._rest() and self._rest()[0] != ")" and not self._is_word("or"):
            if self._takes_word("and"):
                continue
            nodes.append(self._condition())
        if not nodes:
            raise Misread(self._nothing(), self.at)
        return nodes[0] if len(nodes) == 1 else All(tuple(nodes))

    def _nothing(self) -> str:
        if self._is_word("or") or self.terms:
            return "“or” stands between two conditions: one is missing here."
        return (
            "There is nothing between these parentheses."
            if self.depth
            else "Nothing opens this parenthesis."
        )

    def _condition(self) -> Node:
        begin, negates = self.at, False
        while self._takes("-"):
            negates = not negates
        if begin < self.at and (not self._rest() or self._rest()[0] in " \t\r\n)"):
            raise Misread("A minus leaves out what follows it: nothing does.", begin)
        begin = self.at
        node = self._group(begin) if self._takes("(") else self._term(begin)
        return Not(node) if negates else node

    def _group(self, begin: int) -> Node:
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise Misread(f"{DEPTH_MAX} parentheses inside each other are the limit.", begin)
        self._skip_space()
        node = self._alternatives() if self._rest() else All()
        if not self._takes(")"):
            raise Misread("Nothing closes this parenthesis.", begin)
        self._skip_space()
        self.depth -= 1
        return node

    def _term(self, begin: int) -> Node:
        if self._takes("!"):
            return self._named("exact", ":", begin)
        match = _KEY.match(self.text, self.at)
        if match and self._is_keyed(match):
            return self._keyed(match)
        return self._named("name", ":", begin)

    def _is_keyed(self, match: re.Match[str]) -> bool:
        """Return whether a word is a key: in "Circle of Protection: Red" it is a part of a name."""
        ends = self.text[match.end() : match.end() + 1]
        return match[1].lower() in BY_NAME or not (ends == "" or ends.isspace())

    def _keyed(self, match: re.Match[str]) -> Node:
        key = BY_NAME.get(match[1].lower())
        if key is None:
            raise _unknown(match)
        operator = _SIGNS.get(match[2], match[2])
        if operator not in key.operators:
            allowed = ", ".join(key.operators)
            raise Misread(
                f"“{match[1]}” can't be compared by “{match[2]}”, only by {allowed}.",
                match.start(2),
            )
        self.at = match.end()
        negates = operator == "!="
        operator = key.colon if operator == ":" else operator
        if negates or (operator == "=" and "<" not in key.operators):
            operator = "=" if "<" in key.operators else ":"
        name = "is" if key.name == "not" else key.name
        term = self._named(name, operator, match.start(), match[0])
        return Not(term) if negates != (key.name == "not") else term

    def _named(self, key: str, operator: str, begin: int, what: str = "!") -> Term:
        self.terms += key != "order"
        if self.terms > TERMS_MAX:
            raise Misread(f"{TERMS_MAX} conditions are the limit.", begin)
        value_at, value = self._value(key, what)
        self._skip_space()
        return Term(key, operator, value, begin, value_at)

    def _value(self, key: str, what: str) -> tuple[int, str]:
        """Read a word, or what is between quotes; return where it begins, too."""
        begin = self.at
        if self._takes('"'):
            end = self.text.find('"', self.at)
            if end < 0:
                raise Misread("Nothing closes this quotation mark.", begin)
            value, self.at = self.text[self.at : end], end + 1
            if not value.strip():
                raise Misread("There is nothing between these quotation marks.", begin)
            return begin + 1, value
        if quoted := _IN_APOSTROPHES.match(self.text, self.at):
            self.at = quoted.end()
            return begin + 1, quoted[1]
        word = _WORD.match(self.text, self.at)
        if word is None:
            raise Misread(f"A value is missing after “{what}”.", begin)
        self.at = word.end()
        if key in ("o", "fo", "t", "name") and what != "!" and word[0].startswith("/"):
            raise Misread(
                "Patterns between slashes are not understood here. Write the words in quotes.",
                begin,
            )
        return begin, word[0]

    def _rest(self) -> str:
        return self.text[self.at :]

    def _skip_space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _takes(self, sign: str) -> bool:
        taken = self.text.startswith(sign, self.at)
        self.at += len(sign) if taken else 0
        return taken

    def _is_word(self, word: str) -> bool:
        match = _WORD.match(self.text, self.at)
        return match is not None and match[0].lower() == word

    def _takes_word(self, word: str) -> bool:
        taken = self._is_word(word)
        if taken:
            self.at += len(word)
            self._skip_space()
        return taken


def _unknown(match: re.Match[str]) -> Misread:
    word = match[1]
    end = match.end(1)
    if word.lower() in OF_PRINTINGS:
        return Misread(
            f"“{word}” is about printings, and this site knows only cards.", match.start(), end
        )
    names = ", ".join(key.name for key in KEYS)
    return Misread(
        f"“{word}” is not known here. Known are {names}. A name with a colon needs quotes.",
        match.start(),
        end,
        closest(word.lower(), list(BY_NAME)),
    )
