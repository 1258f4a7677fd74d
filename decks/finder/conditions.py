"""What an expression asks for, as a condition on the rows of cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import reduce
from itertools import groupby
from operator import and_, or_
from typing import TypeVar

from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, Value, When
from django.db.models.functions import Cast
from django.db.models.lookups import Exact

from .. import queries
from ..catalogue.known import Catalogue
from ..catalogue.memory import BanLists
from ..models import POOL, Affiliation, Card, CardFace, Legality, Status
from ..queries import Ban
from ..rules.deck import NOT_HUMAN
from ..rules.names import name_key
from ..rules.oracle_text import text_key
from ..rules.rulesets import COALITION_906, OF_CARDS, CoalitionDeck, DeckRuleset, LevelerDeck
from ..rules.searched import NO_TEXT
from . import names
from .expressions import BY_NAME, All, Any, Misread, Node, Not, Term, closest, wrong
from .values import COLOR_NAMES, COMPARISONS, fitting_colors, symbols, typed_number

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
WATCHED = "watched"
OTHER_NAMES = {"legendary": "legend", "commander": "hero", "leader": "hero"}


def listed_status(entries: Sequence[Ban]) -> Case:
    """Return what the first entry that covers a card says of it, "" if none does."""
    whens = []
    for (status, flag), some in groupby(entries, lambda entry: (entry.status, entry.field)):
        covered = Q(pk__in=frozenset[int]().union(*(entry.cards for entry in some)))
        whens.append(When(Q(**{flag: True}) if flag else covered, then=Value(status)))
    return Case(*whens, default=Value(""))


def has_status(status: Status, entries: Sequence[Ban]) -> Q:
    return Q(Exact(listed_status(entries), Value(status.value)))


def is_banned(ruleset: DeckRuleset, entries: Sequence[Ban]) -> Q:
    banned = has_status(Status.BANNED, entries)
    if not isinstance(ruleset, LevelerDeck):
        return banned
    by_ruleset = Q(legacy=Legality.BANNED) | Q(key__in=[*map(name_key, ruleset.banned)])
    return banned | (by_ruleset & ~has_status(Status.ALLOWED, entries))


def is_legal(ruleset: DeckRuleset, entries: Sequence[Ban]) -> Q:
    """Return the cards that may be in a deck, legendary ones only if they can be its hero."""
    legal = ~is_banned(ruleset, entries)
    if not isinstance(ruleset, CoalitionDeck):
        return legal
    is_legend = Q(is_legendary=True)
    if ruleset.bars_legendary_backs:
        is_legend |= Q(has_legendary_back=True)
    in_pool = Q(vintage__in=POOL) | has_status(Status.ALLOWED, entries)
    return legal & in_pool & (Q(can_lead=True) | ~is_legend)


def chosen(term: Term, choices: Mapping[str, T], why: str) -> T:
    """Return what a value stands for.

    :raises Misread: if it is none of the choices, with the closest of them.
    """
    word = term.value.lower()
    if word not in choices:
        known = f"Known are {', '.join(choices)}."
        raise wrong(term, f"{term.shown} {why} here. {known}", closest(word, choices))
    return choices[word]


@dataclass
class Conditions:
    catalogue: Catalogue
    ban_lists: BanLists
    on: date
    _heroes: dict[str, names.Hero] = field(default_factory=dict)

    def of(self, node: Node) -> Q:
        """Return the cards that an expression finds.

        :raises Misread: if a value means nothing.
        """
        match node:
            case All(nodes):
                return reduce(and_, map(self.of, nodes), Q())
            case Any(nodes):
                return reduce(or_, map(self.of, nodes))
            case Not(inner):
                return ~self.of(inner)
            case Term():
                condition: Q = getattr(self, f"_{node.key}")(node)
                return condition

    def entries(self, ruleset: DeckRuleset) -> Sequence[Ban]:
        """Return the bans of a ruleset's format. Two queries if this process has not seen them."""
        return self.ban_lists.entries(ruleset.format, None, self.on)

    def hero(self, term: Term) -> names.Hero:
        """Return the hero that somebody wrote. A query, or two for a name that no card has."""
        if term.value in self._heroes:
            return self._heroes[term.value]
        hero = names.find_hero(term.value, self.catalogue.types)
        if hero is None:
            likely = names.similar_heroes(term.value)
            raise wrong(term, f"No legendary creature is called {term.shown}.", likely)
        if not hero.can_lead:
            why = "is not a legendary creature, so it can't be a hero. Choose another."
            raise wrong(term, f"{hero.name} {why}")
        if not hero.types:
            why = "has no creature type for a deck to share. Choose another hero."
            raise wrong(term, f"{hero.name} {why}")
        self._heroes[term.value] = hero
        return hero

    def _name(self, term: Term) -> Q:
        return Q(key__contains=name_key(term.value))

    def _exact(self, term: Term) -> Q:
        key = name_key(term.value)
        is_front = Q(key__startswith=f"{key}/") & Q(~Exists(Card.objects.filter(key=key)))
        return Q(key=key) | is_front

    def _t(self, term: Term) -> Q:
        """Return the cards with all of some words; a part of a word will do if it is no word."""
        found = Q()
        for word in term.value.split():
            is_no_word = Q(~Exists(Card.objects.filter(has_word(word))))
            found &= has_word(word) | (Q(type_line__icontains=word) & is_no_word)
        return found

    def _o(self, term: Term) -> Q:
        return Q(rules_key__contains=text_key(term.value))

    def _fo(self, term: Term) -> Q:
        return Q(text_key__contains=text_key(term.value))

    def _kw(self, term: Term) -> Q:
        word, known = term.value.casefold(), self.catalogue.keywords
        if word not in known:
            raise wrong(term, f"No card has the keyword {term.shown}.", closest(word, known))
        return has_part("keywords", word, ",")

    def _c(self, term: Term) -> Q:
        return on_a_face(Q(colors__in=_colors(term, ">=")))

    def _id(self, term: Term) -> Q:
        return Q(identity__in=_colors(term, "<="))

    def _m(self, term: Term) -> Q:
        try:
            wanted = symbols(term.value)
        except ValueError as error:
            raise wrong(term, f"{error} Write a cost such as 2WW or {{2}}{{W/U}}.") from None
        compares = COMPARISONS[term.operator]
        fitting = [
            cost
            for cost in self.catalogue.costs
            if any(compares(symbols(part), wanted) for part in cost.split(" // "))
        ]
        return on_a_face(Q(mana_cost__in=fitting))

    def _mv(self, term: Term) -> Q:
        word = term.value.lower()
        if word in ("even", "odd"):
            rest = int(word == "odd")
            half = Cast((F("mana_value") - rest) / 2, IntegerField())
            return Q(mana_value=half * 2 + rest)
        number = typed_number(word)
        if number is None:
            return self._number(term)
        return Q(**{f"mana_value__{LOOKUPS[term.operator]}": number})

    def _number(self, term: Term) -> Q:
        other = BY_NAME.get(term.value.lower(), "")  # another number of the card, but defense
        number = F(NUMBERS[other]) if other in NUMBERS and other != "def" else _typed(term)
        return on_a_face(Q(**{f"{NUMBERS[term.key]}__{LOOKUPS[term.operator]}": number}))

    _pow = _tou = _loy = _def = _number

    def _pt(self, term: Term) -> Q:
        faces = CardFace.objects.annotate(sum=F("power_value") + F("toughness_value"))
        fitting = faces.filter(**{f"sum__{LOOKUPS[term.operator]}": _typed(term)})
        return Q(pk__in=fitting.values("card"))

    def _is(self, term: Term) -> Q:
        word = term.value.lower()
        if word == WATCHED:
            return has_status(Status.WATCHED, self.entries(COALITION_906))
        if word in OTHER_NAMES:
            return KINDS[OTHER_NAMES[word]]
        return chosen(term, KINDS | {WATCHED: Q()}, "is no kind known")

    def _legal(self, term: Term) -> Q:
        ruleset = chosen(term, LISTS, "is no ruleset known")
        if isinstance(ruleset, tuple):
            return Q(**{f"{term.value.lower()}__in": ruleset})
        return is_legal(ruleset, self.entries(ruleset))

    def _banned(self, term: Term) -> Q:
        ruleset = chosen(term, LISTS, "is no ruleset known")
        if isinstance(ruleset, tuple):
            return Q(**{term.value.lower(): Legality.BANNED})
        return is_banned(ruleset, self.entries(ruleset))

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
            likely = names.suggestions(term.value, self.catalogue.types)
            raise wrong(term, f"There is no creature type {term.shown}.", likely)
        return creature_type

    def _hero(self, term: Term) -> Q:
        """Return what fits one of the hero's types and is no other legend."""
        hero = self.hero(term)
        is_other = Q(is_legendary=True) & ~Q(name=hero.name)
        return (of_types(hero.types) | UNAFFILIATED) & ~is_other

    def _played(self, term: Term) -> Q:
        number = _typed(term)
        counted = queries.cards_in_decks()
        fitting = Q(**{f"decks__{LOOKUPS[term.operator]}": number})
        if COMPARISONS[term.operator](0, number):  # so does a card that no deck has
            return ~Q(pk__in=counted.exclude(fitting).values("card"))
        return Q(pk__in=counted.filter(fitting).values("card"))

    def _order(self, term: Term) -> Q:
        why = f"“{term.key}:” stands alone, outside of “or”, minus and parentheses."
        raise Misread(why, term.at)

    _direction = _order


def _colors(term: Term, colon: str) -> list[str]:
    try:
        return fitting_colors(term.operator, term.value, colon)
    except ValueError as error:
        raise wrong(term, str(error), closest(term.value.lower(), COLOR_NAMES)) from None


def _typed(term: Term) -> float:
    number = typed_number(term.value)
    if number is None:
        raise wrong(term, f"{term.shown} is no number.")
    return number
