"""The keys that an expression can ask for, with their other names."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

EITHER = (":", "=", "!=")  # of texts, for which "=" means ":"
COMPARE = (":", "=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class Key:
    """A key, the operators that it takes, and what ":" stands for."""

    name: str
    others: tuple[str, ...]
    operators: tuple[str, ...]
    colon: str = ":"


KEYS = (
    Key("name", ("n",), EITHER),
    Key("t", ("type",), EITHER),
    Key("o", ("oracle", "text"), EITHER),
    Key("fo", ("fulloracle",), EITHER),
    Key("kw", ("keyword", "keywords"), EITHER),
    Key("c", ("color", "colors", "colour", "colours"), COMPARE),
    Key("id", ("identity", "ci", "commander"), COMPARE),
    Key("m", ("mana", "cost"), COMPARE, ">="),
    Key("mv", ("cmc", "manavalue"), COMPARE, "="),
    Key("pow", ("power",), COMPARE, "="),
    Key("tou", ("toughness",), COMPARE, "="),
    Key("pt", ("powtou",), COMPARE, "="),
    Key("loy", ("loyalty",), COMPARE, "="),
    Key("def", ("defense",), COMPARE, "="),
    Key("is", (), EITHER),
    Key("not", (), EITHER),
    Key("legal", ("f", "format"), EITHER),
    Key("banned", (), EITHER),
    Key("aff", ("affiliation",), EITHER),
    Key("fits", (), EITHER),
    Key("hero", (), EITHER),
    Key("played", ("decks",), COMPARE, "="),
    Key("order", ("sort",), EITHER),
    Key("direction", ("dir",), EITHER),
)
BY_NAME = {name: key for key in KEYS for name in (key.name, *key.others)}
# Of Scryfall's keys, those about printings and prices, of which this site knows nothing.
OF_PRINTINGS = frozenset(
    """
    a art artist atag b block border cheapest cn cube date e edition eur fa flavor frame ft function
    game in lang language new number oracletag otag prefer prints r rarity s set sets stamp tix
    unique usd wm watermark year
    """.split()
)
CLOSE_MAX = 3


def closest(word: str, words: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Return a few words that somebody may have meant, the likeliest first.

    >>> closest("typ", ["type", "toughness", "t"])
    ('type',)
    """
    return tuple(get_close_matches(word, words, n=CLOSE_MAX, cutoff=0.6))
