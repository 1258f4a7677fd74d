"""Reading an expression: `t:elf c:g mv<=3 o:"draw a card"`, with Scryfall's usual syntax."""

from __future__ import annotations

import re
from difflib import get_close_matches

from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedToken

from .nodes import All, Any, Misread, Node, Not, Term

LENGTH_MAX = 500  # characters
TERMS_MAX = 8
DEPTH_MAX = 20  # parentheses inside each other
CLOSE_MAX = 3

TEXTS = (":", "=", "!=")  # operators of texts, for which "=" means ":"
COMPARISONS = (*TEXTS, "<", "<=", ">", ">=")
_KEYS = """
name n, t type, o oracle text, fo fulloracle, kw keyword keywords, c color colors colour colours,
id identity ci commander, m mana cost, mv cmc manavalue, pow power, tou toughness, pt powtou,
loy loyalty, def defense, is, not, legal f format, banned, aff affiliation, fits, hero,
played decks, order sort, direction dir
"""
KEYS = [names.split() for names in _KEYS.split(",")]
BY_NAME = {name: names[0] for names in KEYS for name in names}
# What ":" stands for in those that compare.
COLONS = {"c": ":", "id": ":", "m": ">="}
COLONS |= dict.fromkeys(("mv", "pow", "tou", "pt", "loy", "def", "played"), "=")
# Of Scryfall's keys, those about printings and prices, of which this site knows nothing.
OF_PRINTINGS = frozenset(
    """
    a art artist atag b block border cheapest cn cube date e edition eur fa flavor frame ft function
    game in lang language new number oracletag otag prefer prints r rarity s set sets stamp tix
    unique usd wm watermark year
    """.split()
)

# Phones type curly quotes and long dashes. Each is replaced by one character, so places stay.
_PLAIN = str.maketrans(
    {**dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("−–—", "-"), "\xa0": " ", "\0": " "}
)
_GRAMMAR = r"""
    start: any?
    ?any: all (_OR all)*
    ?all: one+
    ?one: MINUS one -> negated
        | "(" any ")"
        | (KEYED | WORD) -> term

    _OR.4: /or(?=[\s()"]|$)/i
    AND.4: /and(?=[\s()"]|$)/i
    MINUS.3: /-+(?![-\s)]|$)/
    KEYED.2: /(!|[a-z]+(!=|<=|>=|[:=<>≠≤≥]))("[^"]*"?|'[^']*'(?=[\s()]|$)|[^\s()"]*)/i
    WORD.1: /"[^"]*"?|'[^']*'(?=[\s()]|$)|[^\s()"-][^\s()"]*/
    SPACE: /\s+/
    %ignore SPACE
    %ignore AND
"""
_PARTS = re.compile(r"(!|([A-Za-z]+)(!=|<=|>=|[:=<>≠≤≥]))?(.*)", re.DOTALL)
_SIGNS = {"≠": "!=", "≤": "<=", "≥": ">="}
_ORDER = re.compile("(order|sort)[:=]", re.IGNORECASE)  # it is no condition
_BETWEEN = "“or” stands between two conditions: one is missing here."


def closest(word: str, words: list[str]) -> tuple[str, ...]:
    """Return a few words that somebody may have meant, the likeliest first.

    >>> closest("typ", ["type", "toughness", "t"])
    ('type',)
    """
    return tuple(get_close_matches(word, words, n=CLOSE_MAX, cutoff=0.6))


def read(text: str) -> Node:
    """Return what an expression asks for; an empty one asks for every card.

    >>> read("t:elf mv<=3") == All((Term("t", ":", "elf"), Term("mv", "<=", "3")))
    True
    >>> read('-(bolt or !"Fire // Ice")').node.nodes[1]
    Term(key='exact', operator=':', value='Fire // Ice', at=10, value_at=12)
    >>> read("t:elf (c:g")
    Traceback (most recent call last):
    ...
    decks.finder.expressions.nodes.Misread: Nothing closes this parenthesis.

    :raises Misread: if it can't be understood.
    """
    if len(text) > LENGTH_MAX:
        raise Misread(f"That is too long: {LENGTH_MAX} characters at most.", LENGTH_MAX)
    parsing = _PARSER.parse_interactive(text.translate(_PLAIN))
    opened: list[int] = []
    terms, last = 0, None
    try:
        for token in parsing.lexer_thread.lex(parsing.parser_state):  # type: ignore[no-untyped-call]
            at = token.start_pos or 0
            terms += token.type in ("KEYED", "WORD") and not _ORDER.match(token)
            if terms > TERMS_MAX:
                raise Misread(f"{TERMS_MAX} conditions are the limit.", at)
            if token.type == "LPAR":
                opened.append(at)
            if len(opened) > DEPTH_MAX:
                raise Misread(f"{DEPTH_MAX} parentheses inside each other are the limit.", at)
            parsing.feed_token(token)
            if token.type == "RPAR":
                opened.pop()
            last = token
        node: Node = parsing.feed_eof(last)  # type: ignore[no-untyped-call]
    except UnexpectedCharacters as error:  # nothing else begins like this
        at = error.pos_in_stream or 0
        raise Misread("A minus leaves out what follows it: nothing does.", at) from None
    except UnexpectedToken as error:
        raise _misplaced(error.token, last, opened, len(text)) from None
    return node


def _misplaced(token: Token, last: Token | None, opened: list[int], length: int) -> Misread:
    """Return why a token can't stand where it does; ``last`` is the one before it."""
    is_end = token.type == "$END"
    at = length if is_end else token.start_pos or 0
    before = last.type if last else ""
    if before == "MINUS" and last:
        return Misread("A minus leaves out what follows it: nothing does.", last.start_pos or 0)
    if "_OR" in (token.type, before):
        return Misread(_BETWEEN, at)
    if is_end:
        return Misread("Nothing closes this parenthesis.", opened[-1])
    if before == "LPAR":
        return Misread("There is nothing between these parentheses.", at)
    return Misread("Nothing opens this parenthesis.", at)


class _Nodes(Transformer[Token, Node]):
    """What each rule of the grammar means."""

    def start(self, nodes: list[Node]) -> Node:
        return nodes[0] if nodes else All()

    def any(self, nodes: list[Node]) -> Node:
        return Any(tuple(nodes))

    def all(self, nodes: list[Node]) -> Node:
        return All(tuple(nodes))

    def negated(self, parts: list[Token | Node]) -> Node:
        minus, node = parts
        assert isinstance(minus, Token)
        assert not isinstance(node, Token)
        return Not(node) if len(minus) % 2 else node

    def term(self, tokens: list[Token]) -> Node:
        (token,) = tokens
        at = token.start_pos or 0
        match = _PARTS.fullmatch(token) if token.type == "KEYED" else None
        if match is None:
            return _term("name", ":", at, at, str(token))
        prefix, key, operator, value = match.groups()
        value_at = at + match.start(4)
        if value == "" and (key is None or key.lower() in BY_NAME):
            raise Misread(f"A value is missing after “{prefix}”.", value_at)
        if key is None:
            return _term("exact", ":", at, value_at, value)
        if key.lower() in BY_NAME:
            return _keyed(key, operator, at, value_at, value)
        if value:
            raise _unknown(key, at)
        return Term("name", ":", str(token), at, at)  # as in "Circle of Protection: Red"


def _keyed(word: str, sign: str, at: int, value_at: int, value: str) -> Node:
    key, operator = BY_NAME[word.lower()], _SIGNS.get(sign, sign)
    compares = key in COLONS
    allowed = COMPARISONS if compares else TEXTS
    if operator not in allowed:
        why = f"“{word}” can't be compared by “{sign}”, only by {', '.join(allowed)}."
        raise Misread(why, at + len(word))
    if key in ("o", "fo", "t", "name") and value.startswith("/"):
        why = "Patterns between slashes are not understood here. Write the words in quotes."
        raise Misread(why, value_at)
    negates = (operator == "!=") != (key == "not")
    if not compares:
        operator = ":"
    elif operator == ":":
        operator = COLONS[key]
    elif operator == "!=":
        operator = "="
    term = _term("is" if key == "not" else key, operator, at, value_at, value)
    return Not(term) if negates else term


def _term(key: str, operator: str, at: int, value_at: int, value: str) -> Term:
    """Return a condition; its value may stand in quotes."""
    if value.startswith('"'):
        if len(value) == 1 or not value.endswith('"'):
            raise Misread("Nothing closes this quotation mark.", value_at)
        if not value[1:-1].strip():
            raise Misread("There is nothing between these quotation marks.", value_at)
    is_quoted = value[0] in "\"'" and len(value) > 1 and value.endswith(value[0])
    return Term(key, operator, value[1:-1] if is_quoted else value, at, value_at + is_quoted)


def _unknown(word: str, at: int) -> Misread:
    end = at + len(word)
    if word.lower() in OF_PRINTINGS:
        why = f"“{word}” is about printings, and this site knows only cards."
        return Misread(why, at, end)
    known = ", ".join(names[0] for names in KEYS)
    why = f"“{word}” is not known here. Known are {known}. A name with a colon needs quotes."
    return Misread(why, at, end, closest(word.lower(), list(BY_NAME)))


_PARSER = Lark(_GRAMMAR, parser="lalr", lexer="basic", transformer=_Nodes())
