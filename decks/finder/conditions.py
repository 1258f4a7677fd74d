"""What an expression asks for, as a condition on the rows of cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import reduce
from operator import and_, or_
from typing import TypeVar

from django.db.models import Exists, F, IntegerField, OuterRef, Q
from django.db.models.functions import Cast
from lark import Tree

from .. import queries
from ..catalogue.heroes import Hero, find_hero, similar_heroes, suggestions
from ..catalogue.known import Catalogue
from ..decks.legality import read_bans
from ..decks.verdicts import has_status, is_banned, is_legal
from ..models import Affiliation, Card, CardFace, Legality, Status
from ..rules.deck import NOT_HUMAN
from ..rules.mana import cost_symbols
from ..rules.names import name_key
from ..rules.oracle_text import text_key
from ..rules.rulesets import COALITION_906, OF_CARDS, DeckRuleset
from ..rules.searched import NO_TEXT
from .expressions import BY_NAME, Misread, Node, Term, wrong
from .values import COMPARES, fitting_colors, number

T = TypeVar("T")

FORMATS: dict[str, DeckRuleset] = {"coalition": COALITION_906, **OF_CARDS}
# Official formats, with the legality that is legal in each.
OFFICIAL = {"vintage": (Legality.LEGAL, Legality.RESTRICTED), "legacy": (Legality.LEGAL,)}
LISTS: Mapping[str, DeckRuleset | tuple[Legality, ...]] = {**FORMATS, **OFFICIAL}
LOOKUPS = {"=": "exact", "<": "lt", "<=": "lte", ">": "gt", ">=": "gte"}
NUMBERS = {
    "mv": "card__mana_value",
    "pow": "power_value",
    "tou": "toughness_value",
    "loy": "loyalty_value",
    "def": "defense_value",
}
UNAFFILIATED = Q(every_type=False) & Q(~Exists(Affiliation.objects.filter(card=OuterRef("pk"))))


def has_part(field: str, part: str, separator: str) -> Q:
    """Return the cards that have a whole part in a field, between separators or at its ends."""
    is_whole = Q(**{f"{field}__iexact": part})
    is_whole |= Q(**{f"{field}__istartswith": f"{part}{separator}"})
    is_whole |= Q(**{f"{field}__iendswith": f"{separator}{part}"})
    is_whole |= Q(**{f"{field}__icontains": f"{separator}{part}{separator}"})
    return Q(**{f"{field}__icontains": part}) & is_whole  # the first alone refuses most cards


def has_word(*words: str) -> Q:
    return reduce(or_, (has_part("type_line", word, " ") for word in words))


def on_a_face(faces: Q) -> Q:
    return Q(pk__in=CardFace.objects.filter(faces).values("card"))


def of_types(names: Sequence[str]) -> Q:
    having = Affiliation.objects.filter(creature_type__name__in=names)
    return Q(every_type=True) | Q(pk__in=having.values("card"))


_PERMANENTS = ("Artifact", "Battle", "Enchantment", "Planeswalker")
KINDS: dict[str, Q] = {
    "legend": Q(is_legendary=True),
    "hero": Q(can_lead=True),
    "creature": Q(is_creature=True),
    "noncreature": Q(is_creature=False, is_land=False),
    "land": Q(is_land=True),
    "basic": Q(is_basic=True),
    "permanent": Q(is_creature=True)
    | Q(is_land=True)
    | on_a_face(
        Q(position=0) & reduce(or_, (Q(type_line__contains=word) for word in _PERMANENTS)),
    ),
    "spell": Q(is_land=False, is_conspiracy=False),
    "historic": has_word("legendary", "artifact", "saga"),
    "party": has_word("cleric", "rogue", "warrior", "wizard"),
    "outlaw": has_word("assassin", "mercenary", "pirate", "rogue", "warlock"),
    "vanilla": Q(is_creature=True, rules_key__contains=NO_TEXT),
    "changeling": Q(every_type=True),
    "unaffiliated": UNAFFILIATED,
    "hybrid": on_a_face(Q(mana_cost__contains="/")),
    "phyrexian": on_a_face(Q(mana_cost__contains="/P")),
    "reserved": Q(reserved=True),
    "conspiracy": Q(is_conspiracy=True),
    "ante": Q(uses_ante=True),
    "stickers": Q(uses_stickers=True),
    "dfc": Q(layout__in=("transform", "modal_dfc")),
    "mdfc": Q(layout="modal_dfc"),
}
_LAYOUTS = "split flip transform meld adventure saga class case leveler mutate prototype"
KINDS |= {name: Q(layout=name) for name in _LAYOUTS.split()}
OTHER_NAMES = {"legendary": "legend", "commander": "hero", "leader": "hero"}


def chosen(term: Term, choices: Mapping[str, T], why: str) -> T:
    """:raises Misread: if a value is none of the choices, with the closest of them."""
    word = term.value.lower()
    if word not in choices:
        known = f"Known are {', '.join(choices)}."
        raise wrong(term, f"{term.shown} {why} here. {known}", get_close_matches(word, choices))
    return choices[word]


@dataclass
class Conditions:
    catalogue: Catalogue
    on: date

    def of(self, node: Node) -> Q:
        """:raises Misread: if a value means nothing."""
        match node:
            case Tree(data="all", children=nodes):
                return reduce(and_, map(self.of, nodes), Q())
            case Tree(data="any", children=nodes):
                return reduce(or_, map(self.of, nodes))
            case Tree(children=nodes):  # negated
                return ~self.of(nodes[0])
            case Term("name", _, value):
                return Q(key__contains=name_key(value))
            case Term("exact", _, value):
                key = name_key(value)
                is_front = Q(~Exists(Card.objects.filter(key=key)), key__startswith=f"{key}/")
                return Q(key=key) | is_front
            case Term("o", _, value):
                return Q(rules_key__contains=text_key(value))
            case Term("fo", _, value):
                return Q(text_key__contains=text_key(value))
            case Term("c"):
                return on_a_face(Q(colors__in=fitting_colors(node, ">=")))
            case Term("id"):
                return Q(identity__in=fitting_colors(node, "<="))
            case Term("pow" | "tou" | "loy" | "def"):
                return self._number(node)
            case Term("pt", operator):
                power = number(node) - F("toughness_value")
                return on_a_face(Q(**{f"power_value__{LOOKUPS[operator]}": power}))
            case Term("order" | "direction" as key):
                why = f"“{key}:” can't be inside “or”, a minus or parentheses."
                raise Misread(why, node.at)
            case Term("legal" | "banned" as key, _, value):
                ruleset = chosen(node, LISTS, "is not a ruleset known")
                if isinstance(ruleset, tuple):
                    wanted = ruleset if key == "legal" else (Legality.BANNED,)
                    return Q(**{f"{value.lower()}__in": wanted})
                judged = is_legal if key == "legal" else is_banned
                return judged(ruleset, read_bans(ruleset, self.on))
            case Term(key):
                condition: Q = getattr(self, f"_{key}")(node)
                return condition

    def hero(self, term: Term) -> Hero:
        """:raises Misread: if no deck can be built around the card that somebody wrote."""
        hero = find_hero(term.value, self.catalogue)
        if hero is None:
            likely = similar_heroes(term.value)
            raise wrong(term, f"No legendary creature is called {term.shown}.", likely)
        if not hero.can_lead:
            why = "is not a legendary creature, so it can't be a hero. Choose another."
            raise wrong(term, f"{hero.name} {why}")
        if not hero.types:
            why = "has no creature type for a deck to share. Choose another hero."
            raise wrong(term, f"{hero.name} {why}")
        return hero

    def _t(self, term: Term) -> Q:
        """Return the cards with all of some words; a part of a word will do if it is no word."""
        condition = Q()
        for word in term.value.split():
            is_no_word = Q(~Exists(Card.objects.filter(has_word(word))))
            condition &= has_word(word) | (Q(type_line__icontains=word) & is_no_word)
        return condition

    def _kw(self, term: Term) -> Q:
        word, known = term.value.casefold(), self.catalogue.keywords
        if word not in known:
            likely = get_close_matches(word, known)
            raise wrong(term, f"No card has the keyword {term.shown}.", likely)
        return has_part("keywords", word, ",")

    def _m(self, term: Term) -> Q:
        try:
            wanted = cost_symbols(term.value)
        except ValueError as error:
            raise wrong(term, f"{error} Write a cost such as 2WW or {{2}}{{W/U}}.") from None
        compares = COMPARES[term.operator]
        fitting = [
            cost
            for cost in self.catalogue.costs
            if any(compares(cost_symbols(part), wanted) for part in cost.split(" // "))
        ]
        return on_a_face(Q(mana_cost__in=fitting))

    def _mv(self, term: Term) -> Q:
        word = term.value.lower()
        if word in ("even", "odd"):
            rest = int(word == "odd")
            half = Cast((F("mana_value") - rest) / 2, IntegerField())
            return Q(mana_value=half * 2 + rest)
        if word in BY_NAME:
            return self._number(term)
        return Q(**{f"mana_value__{LOOKUPS[term.operator]}": number(term)})

    def _number(self, term: Term) -> Q:
        other = BY_NAME.get(term.value.lower(), "")  # another number of the card, but defense
        than = F(NUMBERS[other]) if other in NUMBERS and other != "def" else number(term)
        return on_a_face(Q(**{f"{NUMBERS[term.key]}__{LOOKUPS[term.operator]}": than}))

    def _is(self, term: Term) -> Q:
        word = term.value.lower()
        if word == "watched":
            return has_status(Status.WATCHED, read_bans(COALITION_906, self.on))
        if word in OTHER_NAMES:
            return KINDS[OTHER_NAMES[word]]
        return chosen(term, KINDS | {"watched": Q()}, "is not a kind known")

    def _aff(self, term: Term) -> Q:
        match term.value.lower():
            case "none":
                return UNAFFILIATED
            case "any":
                return ~UNAFFILIATED
            case "all":
                return Q(every_type=True)
        return of_types([self._creature_type(term)])

    def _fits(self, term: Term) -> Q:
        creature_type = self._creature_type(term)
        if creature_type == NOT_HUMAN:
            raise wrong(term, "The coalition type may not be Human. Choose another type.")
        return of_types([creature_type]) | UNAFFILIATED

    def _creature_type(self, term: Term) -> str:
        """Return the creature type that somebody wrote, in any case, also in the plural."""
        creature_type = self.catalogue.type_forms.get(term.value.casefold())
        if creature_type is None:
            likely = suggestions(term.value, self.catalogue.types)
            raise wrong(term, f"There is no creature type {term.shown}.", likely)
        return creature_type

    def _hero(self, term: Term) -> Q:
        """Return what fits one of the hero's types and is no other legend."""
        hero = self.hero(term)
        is_other = Q(is_legendary=True) & ~Q(name=hero.name)
        return (of_types(hero.types) | UNAFFILIATED) & ~is_other

    def _played(self, term: Term) -> Q:
        typed, counted = number(term), queries.cards_in_decks()
        fitting = Q(**{f"decks__{LOOKUPS[term.operator]}": typed})
        if COMPARES[term.operator](0, typed):  # so does a card that no deck has
            return ~Q(pk__in=counted.exclude(fitting).values("card"))
        return Q(pk__in=counted.filter(fitting).values("card"))
