"""Which cards an expression finds, as a set of the catalogue's index."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from weakref import WeakKeyDictionary

from ..catalogue.known import Catalogue
from ..catalogue.memory import BanLists
from ..catalogue.printed import Numbers
from ..models import Legality
from ..queries import Ban
from ..rules.deck import NOT_HUMAN
from ..rules.expressions import colors
from ..rules.expressions.comparing import compare, symbols, typed_number
from ..rules.expressions.keys import closest
from ..rules.expressions.nodes import All, Any, Misread, Node, Not, Term
from ..rules.names import name_key
from ..rules.oracle_text import text_key
from ..rules.rulesets import COALITION_906, OF_CARDS, DeckRuleset
from . import names
from .kinds import KINDS, OTHER_NAMES, unaffiliated
from .legal import Sets, sets

SHOWN_MAX = 40  # characters of what was typed that a message quotes
FORMATS = {"coalition": COALITION_906, **OF_CARDS}
VINTAGE = {"vintage": (Legality.LEGAL, Legality.RESTRICTED), "legacy": (Legality.LEGAL,)}
NO_TYPE, ANY_TYPE, EVERY_TYPE = "none", "any", "all"
HEROES_MAX = 1000  # names that are remembered
NUMBERS = {"mv": "mv", "pow": "pow", "tou": "tou", "loy": "loy", "def": "defense"}

_heroes: WeakKeyDictionary[Catalogue, dict[str, names.Hero]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Matcher:
    """Finds cards by the catalogue and the ban lists of a day; ``played`` counts decks by card."""

    catalogue: Catalogue
    ban_lists: BanLists
    on: date
    played: Callable[[], Mapping[int, int]]

    def cards(self, node: Node) -> int:
        """Return the cards that an expression finds.

        No query once this process has seen the catalogue, but for a hero's name.

        :raises Misread: if a value means nothing.
        """
        match node:
            case All(nodes):
                cards = self.catalogue.index.all
                for part in nodes:
                    cards &= self.cards(part)
                return cards
            case Any(nodes):
                cards = 0
                for part in nodes:
                    cards |= self.cards(part)
                return cards
            case Not(inner):
                return self.catalogue.index.all & ~self.cards(inner)
            case Term():
                by_key: Callable[[Term], int] = getattr(self, f"_{node.key}")
                return by_key(node)

    def _name(self, term: Term) -> int:
        return self.catalogue.index.with_words([name_key(term.value)])

    def _exact(self, term: Term) -> int:
        return self.catalogue.index.named(name_key(term.value))

    def _t(self, term: Term) -> int:
        """Return the cards with all of some words; a part of a word will do if it is no word."""
        cards, by_word = self.catalogue.index.all, self.catalogue.printed.type_words
        for word in term.value.casefold().split():
            cards &= by_word.of(word) or by_word.where(_containing(word))
        return cards

    def _o(self, term: Term) -> int:
        phrase, texts = text_key(term.value), self.catalogue.printed.texts
        if "~" in phrase:
            return texts.with_pattern(phrase, self.catalogue.printed.names)
        return texts.with_phrase(phrase)

    def _fo(self, term: Term) -> int:
        return self.catalogue.printed.full_texts.with_phrase(text_key(term.value))

    def _kw(self, term: Term) -> int:
        keywords, word = self.catalogue.printed.keywords, term.value.casefold()
        known = keywords.values()
        if word not in known:
            raise _wrong(term, f"No card has the keyword “{_short(term)}”.", closest(word, known))
        return keywords.of(word)

    def _c(self, term: Term) -> int:
        return self.catalogue.printed.colors.where(_colors(term, ">="))

    def _id(self, term: Term) -> int:
        return self.catalogue.printed.identities.where(_colors(term, "<="))

    def _m(self, term: Term) -> int:
        try:
            wanted = symbols(term.value)
        except ValueError as error:
            raise _wrong(term, f"{error} Write a cost such as 2WW or {{2}}{{W/U}}.") from None
        return self.catalogue.printed.costs.where(
            lambda cost: any(
                compare(symbols(part), term.operator, wanted) for part in cost.split(" // ")
            )
        )

    def _mv(self, term: Term) -> int:
        if term.value.lower() in ("even", "odd"):
            rest = term.value.lower() == "odd"
            return self.catalogue.printed.numbers.where(lambda printed: printed.mv % 2 == rest)
        return self._number(term)

    def _number(self, term: Term) -> int:
        column = NUMBERS[term.key]
        number = typed_number(term.value)
        other = NUMBERS.get(_NAMED_NUMBERS.get(term.value.lower(), ""))
        if number is None and other is None:
            raise _wrong(term, f"“{_short(term)}” is no number.")

        def fits(printed: Numbers) -> bool:
            mine = getattr(printed, column)
            than = getattr(printed, other) if other else number
            return mine is not None and than is not None and compare(mine, term.operator, than)

        return self.catalogue.printed.numbers.where(fits)

    _pow = _tou = _loy = _def = _number

    def _pt(self, term: Term) -> int:
        number = _typed(term)
        return self.catalogue.printed.numbers.where(
            lambda printed: (
                printed.pow is not None
                and printed.tou is not None
                and compare(printed.pow + printed.tou, term.operator, number)
            )
        )

    def _is(self, term: Term) -> int:
        word = OTHER_NAMES.get(term.value.lower(), term.value.lower())
        if word == "watched":
            return self.sets(COALITION_906).watched
        if word not in KINDS:
            known = [*KINDS, "watched"]
            why = f"“{_short(term)}” is no kind known here. Known are {', '.join(known)}."
            raise _wrong(term, why, closest(word, known))
        return KINDS[word](self.catalogue)

    def _legal(self, term: Term) -> int:
        index, word = self.catalogue.index, term.value.lower()
        if word in VINTAGE:
            return sum(index.legalities[word, legality] for legality in VINTAGE[word])
        return self.sets(ruleset_of(term)).legal

    def _banned(self, term: Term) -> int:
        index, word = self.catalogue.index, term.value.lower()
        if word in VINTAGE:
            return index.legalities[word, Legality.BANNED]
        return self.sets(ruleset_of(term)).banned

    def sets(self, ruleset: DeckRuleset) -> Sets:
        """Return the cards that a ruleset bans, allows, watches and takes."""
        return sets(self.catalogue.index, ruleset, self.entries(ruleset))

    def entries(self, ruleset: DeckRuleset) -> Sequence[Ban]:
        """Return the bans of a ruleset's format. Two queries if this process has not seen them."""
        return self.ban_lists.entries(ruleset.format, None, self.on)

    def _aff(self, term: Term) -> int:
        index, word = self.catalogue.index, term.value.lower()
        if word == NO_TYPE:
            return unaffiliated(self.catalogue)
        if word == ANY_TYPE:
            return index.all & ~unaffiliated(self.catalogue)
        if word == EVERY_TYPE:
            return index.flags["every_type"]
        return index.of_types([self.creature_type(term)])

    def _fits(self, term: Term) -> int:
        creature_type = self.creature_type(term)
        if creature_type == NOT_HUMAN:
            raise _wrong(term, "The coalition type may not be Human. Choose another type.")
        return self.catalogue.index.of_types([creature_type]) | unaffiliated(self.catalogue)

    def creature_type(self, term: Term) -> str:
        """Return the creature type that somebody wrote, in any case, also in the plural."""
        creature_type = self.catalogue.type_forms.get(term.value.casefold())
        if creature_type is None:
            likely = tuple(names.suggestions(term.value, self.catalogue.types))
            raise _wrong(term, f"There is no creature type “{_short(term)}”.", likely)
        return creature_type

    def _hero(self, term: Term) -> int:
        """Return what fits one of the hero's types and is no other legend."""
        hero, index = self.hero(term), self.catalogue.index
        others = index.flags["is_legendary"] & ~index.legends_named(hero.name)
        return (index.of_types(hero.types) | unaffiliated(self.catalogue)) & ~others

    def hero(self, term: Term) -> names.Hero:
        """Return the hero that somebody wrote. A query for a name that is new here, or two."""
        heroes = _heroes.setdefault(self.catalogue, {})
        if term.value not in heroes:
            if len(heroes) >= HEROES_MAX:
                heroes.clear()
            heroes[term.value] = self._find_hero(term)
        return heroes[term.value]

    def _find_hero(self, term: Term) -> names.Hero:
        hero = names.find_hero(term.value, self.catalogue.types)
        if hero is None:
            likely = tuple(names.similar_heroes(term.value))
            raise _wrong(term, f"No legendary creature is called “{_short(term)}”.", likely)
        if not hero.can_lead:
            why = "is not a legendary creature, so it can't be a hero. Choose another."
            raise _wrong(term, f"{hero.name} {why}")
        if not hero.types:
            why = "has no creature type for a deck to share. Choose another hero."
            raise _wrong(term, f"{hero.name} {why}")
        return hero

    def _played(self, term: Term) -> int:
        number, index = _typed(term), self.catalogue.index
        decks = self.played()
        if compare(0, term.operator, number):
            others = [
                row for row, count in decks.items() if not compare(count, term.operator, number)
            ]
            return index.all & ~index.of_rows(others)
        return index.of_rows(
            row for row, count in decks.items() if compare(count, term.operator, number)
        )

    def _order(self, term: Term) -> int:
        raise Misread(
            f"“{term.key}:” stands alone, outside of “or”, minus and parentheses.", term.at
        )

    _direction = _order


_NAMED_NUMBERS = {
    **dict.fromkeys(("mv", "cmc", "manavalue"), "mv"),
    **dict.fromkeys(("pow", "power"), "pow"),
    **dict.fromkeys(("tou", "toughness"), "tou"),
    **dict.fromkeys(("loy", "loyalty"), "loy"),
}


def _containing(part: str) -> Callable[[str], bool]:
    return lambda word: part in word


def _colors(term: Term, colon: str) -> Callable[[str], bool]:
    try:
        return colors.which(term.operator, term.value, colon)
    except ValueError as error:
        raise _wrong(term, str(error), closest(term.value.lower(), list(colors.NAMES))) from None


def _typed(term: Term) -> float:
    number = typed_number(term.value)
    if number is None:
        raise _wrong(term, f"“{_short(term)}” is no number.")
    return number


def ruleset_of(term: Term) -> DeckRuleset:
    """Return the ruleset that somebody wrote."""
    ruleset = FORMATS.get(term.value.lower())
    if ruleset is None:
        known = [*FORMATS, *VINTAGE]
        why = f"“{_short(term)}” is no ruleset known here. Known are {', '.join(known)}."
        raise _wrong(term, why, closest(term.value.lower(), known))
    return ruleset


def _wrong(term: Term, why: str, replacements: Sequence[str] = ()) -> Misread:
    """Return what is wrong with a value; a replacement of several words brings its quotes."""
    return Misread(why, term.value_at, term.value_at + len(term.value), tuple(replacements))


def _short(term: Term) -> str:
    return term.value if len(term.value) <= SHOWN_MAX else f"{term.value[:SHOWN_MAX]}…"
