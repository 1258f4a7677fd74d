"""Search expressions such as `t:elf c:g mv<=3 o:"draw a card"`, in Scryfall's usual syntax."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedToken, v_args

LENGTH_MAX = 500  # characters
TERMS_MAX = 8
DEPTH_MAX = 20  # parentheses inside each other
SHOWN_MAX = 40  # characters of a value that a message quotes

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
OF_PRINTINGS = """
a art artist atag b block border cheapest cn cube date e edition eur fa flavor frame ft function
game in lang language new number oracletag otag prefer prints r rarity s set sets stamp tix
unique usd wm watermark year
""".split()


@dataclass(frozen=True, slots=True)
class Term:
    """A condition; ``at`` is where it begins in the text, ``value_at`` where its value does."""

    key: str
    operator: str
    value: str
    at: int = field(default=0, compare=False)
    value_at: int = field(default=0, compare=False)

    @property
    def shown(self) -> str:
        return f"“{self.value[:SHOWN_MAX]}{'…' * (len(self.value) > SHOWN_MAX)}”"


# A tree is "all" of its children, "any" of them, or a single one that is "negated".
Node = Term | Tree[Term]


@dataclass(eq=False)
class Misread(Exception):
    """An expression can't be understood: why, and at which character of its text, from 0.

    ``replacements`` are likely corrections of ``length`` characters from there on.
    """

    why: str
    at: int
    length: int = 0
    replacements: Iterable[str] = ()

    def message(self, text: str) -> str:
        """Return where and why, as people count: from line 1 and column 1."""
        before = text[: self.at].split("\n")
        return f"Line {len(before)}, column {len(before[-1]) + 1}: {self.why}"

    def corrections(self, text: str) -> list[tuple[str, str]]:
        before, after = text[: self.at], text[self.at + self.length :]
        written = str if before.endswith(_QUOTES) else quoted
        return [(new, before + written(new) + after) for new in self.replacements]


def wrong(term: Term, why: str, replacements: Iterable[str] = ()) -> Misread:
    return Misread(why, term.value_at, len(term.value), replacements)


_SIGNS = frozenset(" \t\r\n()\"':<>=≤≥≠!")
_FIRST = ("-", "/", "−", "–", "—")
_QUOTES = ('"', "'", "“", "”", "„")
_NO_QUOTES = str.maketrans(dict.fromkeys('"“”„‟″«»', " "))  # nothing can stand for them


def quoted(value: str) -> str:
    plain = value.translate(_NO_QUOTES).strip()
    is_plain = plain and not set(plain) & _SIGNS and not plain.startswith(_FIRST)
    return plain if is_plain and plain.lower() not in ("or", "and") else f'"{plain}"'


def write(node: Node) -> str:
    match node:
        case Term("name", _, value):
            return quoted(value)
        case Term("exact", _, value):
            return f"!{quoted(value)}"
        case Term(key, operator, value):
            return f"{key}{operator}{quoted(value)}"
        case Tree(data="negated", children=[inner]):
            return f"-{_in_parentheses(inner)}"
        case Tree(data="any"):
            return " or ".join(_in_parentheses(part, "any") for part in node.children)
        case Tree(children=[only]):
            return write(only)
    return " ".join(_in_parentheses(part, "any", "all") for part in node.children)


def _in_parentheses(node: Node, *inside: str) -> str:
    is_inside = isinstance(node, Tree) and (not inside or node.data in inside)
    return f"({write(node)})" if is_inside else write(node)


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
_OPERATORS = {"≠": "!=", "≤": "<=", "≥": ">="}
_ORDER = re.compile("(order|sort)[:=]", re.IGNORECASE)  # it is no condition
_NOTHING_LEFT_OUT = "A minus leaves out what follows it: nothing does."


def read(text: str) -> Node:
    """Return what an expression asks for; an empty one asks for every card.

    >>> read('-(bolt or !"Fire // Ice")').children[0].children[1]
    Term(key='exact', operator=':', value='Fire // Ice', at=10, value_at=12)

    :raises Misread: if it can't be understood.
    """
    if len(text) > LENGTH_MAX:
        raise Misread(f"That is too long: {LENGTH_MAX} characters at most.", LENGTH_MAX)
    # Token by token: the first problem is reported, be it a limit or a sign out of place.
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
    except UnexpectedCharacters as error:  # nothing but a minus begins like this
        raise Misread(_NOTHING_LEFT_OUT, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise _misplaced(error.token, last, opened, len(text)) from None
    return node


def _misplaced(token: Token, last: Token | None, opened: list[int], length: int) -> Misread:
    """Return why a token can't stand where it does; ``last`` is the one before it."""
    is_end = token.type == "$END"
    at = length if is_end else token.start_pos or 0
    before = last.type if last else ""
    if before == "MINUS" and last:
        return Misread(_NOTHING_LEFT_OUT, last.start_pos or 0)
    if "_OR" in (token.type, before):
        return Misread("“or” stands between two conditions: one is missing here.", at)
    if is_end:
        return Misread("Nothing closes this parenthesis.", opened[-1])
    if before == "LPAR":
        return Misread("There is nothing between these parentheses.", at)
    return Misread("Nothing opens this parenthesis.", at)


@v_args(inline=True)
class _Nodes(Transformer[Token, Node]):
    def start(self, node: Node | None = None) -> Node:
        return node or Tree("all", [])

    def negated(self, minus: Token, node: Node) -> Node:
        return Tree("negated", [node]) if len(minus) % 2 else node

    def term(self, token: Token) -> Node:
        at = token.start_pos or 0
        match = _PARTS.fullmatch(token) if token.type == "KEYED" else None
        if match is None:
            return _term("name", ":", at, at, str(token))
        prefix, word, sign, value = match.groups()
        value_at = at + match.start(4)
        if word and word.lower() not in BY_NAME:
            if not value:
                return Term("name", ":", str(token), at, at)  # as in "Circle of Protection: Red"
            if word.lower() in OF_PRINTINGS:
                raise Misread(f"“{word}” is about printings, and this site knows only cards.", at)
            why = f"“{word}” is not known here. Known are {', '.join(names[0] for names in KEYS)}. "
            why += "A name with a colon needs quotes."
            raise Misread(why, at, len(word), get_close_matches(word.lower(), BY_NAME))
        if not value:
            raise Misread(f"A value is missing after “{prefix}”.", value_at)
        if word is None:
            return _term("exact", ":", at, value_at, value)
        key, operator = BY_NAME[word.lower()], _OPERATORS.get(sign, sign)
        allowed = COMPARISONS if key in COLONS else TEXTS
        if operator not in allowed:
            why = f"“{word}” can't be compared with “{sign}”, only with {', '.join(allowed)}."
            raise Misread(why, at + len(word))
        if key in ("o", "fo", "t", "name") and value.startswith("/"):
            why = "Patterns between slashes are not understood here. Write the words in quotes."
            raise Misread(why, value_at)
        negates = (operator == "!=") != (key == "not")
        if key not in COLONS:
            operator = ":"
        elif operator in (":", "!="):
            operator = COLONS[key] if operator == ":" else "="
        term = _term("is" if key == "not" else key, operator, at, value_at, value)
        return Tree("negated", [term]) if negates else term


def _term(key: str, operator: str, at: int, value_at: int, value: str) -> Term:
    is_quoted = value[0] in "\"'" and len(value) > 1 and value.endswith(value[0])
    if value.startswith('"') and not is_quoted:
        raise Misread("Nothing closes this quotation mark.", value_at)
    text = value[1:-1] if is_quoted else value
    if not text.translate(_NO_QUOTES).strip():
        raise Misread("There is nothing between these quotation marks.", value_at)
    return Term(key, operator, text, at, value_at + is_quoted)


_PARSER = Lark(_GRAMMAR, parser="lalr", lexer="basic", transformer=_Nodes())
