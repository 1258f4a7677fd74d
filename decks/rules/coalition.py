"""The deck check for Coalition: a deck around a hero and a single creature type (000, 906.5)."""

from collections.abc import Iterator, Sequence

from .deck import (
    NOT_HUMAN,
    Bans,
    Card,
    Code,
    Copies,
    Line,
    OutOfPlace,
    Problem,
    Report,
    by_card,
    in_order,
    size_problems,
)
from .entries import DeckList, Section
from .names import front_key, name_key
from .rulesets import CoalitionDeck

TYPES_LISTED = 6
HEROES_LISTED = 5


# The type of a deck, how well each type of its hero fits, and what is wrong with its type.
Choice = tuple[str | None, tuple[OutOfPlace, ...], list[Problem]]


def judge(
    ruleset: CoalitionDeck,
    deck_list: DeckList,
    lines: Sequence[Line],
    bans: Bans,
    unread: Sequence[Problem],
    hero: str | None,
    coalition_type: str | None,
    every_type: frozenset[str],
) -> Report:
    deck, marks_hero = by_card(lines), deck_list.marks_hero
    heroes = find_heroes(lines, hero, marks_hero)
    # A lone legend in the main deck is probably the hero: then only its place is reported.
    legends = [] if heroes or hero or marks_hero else _legends(lines, Section.MAIN)
    misplaced = legends[0] if len({card.name for card in legends}) == 1 else None
    leader = heroes[0] if len(heroes) == 1 else None
    none: Choice = (None, (), [])
    chosen, offered, of_type = _choose(leader, deck, coalition_type, every_type) if leader else none
    of_cards = [
        problem
        for card in deck
        for problem in _of_card(ruleset, card, leader, (*heroes, misplaced), chosen, bans)
    ]
    counts, needed = deck_list.counts, ruleset.sizes
    of_hero = _of_hero(heroes, hero, marks_hero, misplaced)
    deck_wide = [*size_problems(counts, needed), *of_hero, *of_type]
    return Report(
        ruleset=ruleset.key,
        hero=leader.name if leader else None,
        coalition_type=chosen,
        out_of_place=offered,
        counts={section.value: counts[section] for section in needed},
        problems=in_order(deck_wide, [*unread, *of_cards]),
    )


def find_heroes(lines: Sequence[Line], requested: str | None, marks_hero: bool) -> tuple[Card, ...]:
    # The hero is the card requested by name, else the card that the list marks, else the only
    # legendary creature in the sideboard. A mark on an unknown name yields no hero at all.
    if requested:
        key = name_key(requested)
        heroes = [
            line.card
            for line in lines
            if key in (name_key(line.card.name), front_key(line.card.name))
        ]
    elif marks_hero:
        heroes = [line.card for line in lines if line.is_hero]
    else:
        heroes = _legends(lines, Section.SIDEBOARD)
    return tuple({card.name: card for card in heroes}.values())


def _legends(lines: Sequence[Line], section: Section) -> list[Card]:
    return [line.card for line in lines if line.section is section and line.card.can_lead]


def _of_hero(
    heroes: Sequence[Card], requested: str | None, marks_hero: bool, misplaced: Card | None
) -> Iterator[Problem]:
    if not heroes:
        message = "No hero: put a legendary creature in the sideboard."
        if requested:
            message = f"The hero {requested} is not in the list: add it to the sideboard."
        elif marks_hero:
            name = "no card has the name that the list marks as the hero"
            message = f"No hero: {name}. Correct that name."
        elif misplaced:
            message = f"No hero: move {misplaced.name} from the main deck to the sideboard."
        yield Problem(Code.NO_HERO, message)
    elif len(heroes) > 1:
        names = [card.name for card in heroes[:HEROES_LISTED]]
        more = len(heroes) - len(names)
        *others, last = [*names, f"{more} more"] if more else names
        yield Problem(
            Code.SEVERAL_HEROES,
            f"Who is the hero: {', '.join(others)} and {last}? "
            "Write *HERO* after the hero's name, and take out the others.",
        )


def _choose(
    hero: Card, deck: Sequence[Copies], requested: str | None, every_type: frozenset[str]
) -> Choice:
    types = sorted((every_type if hero.every_type else hero.types) - {NOT_HUMAN})
    offered = []
    for name in types:
        misfits = [copies for copies in deck if not copies.card.fits(name)]
        cards = tuple(copies.card.name for copies in misfits)
        offered.append(OutOfPlace(name, sum(copies.count for copies in misfits), cards))
    if requested:  # in the spelling that cards print, else with capitals
        printed = {NOT_HUMAN, *types}.union(*(copies.card.types for copies in deck))
        by_key = {name.casefold(): name for name in printed}
        requested = by_key.get(requested.casefold(), requested.title())
    best = min(offered, key=lambda option: option.count, default=None)
    chosen = requested or (best.type if best else None)
    *others, last = types or [""]
    advice = f"Choose {', '.join(others)} or {last}." if others else f"Choose {last}."
    if not types:
        advice = "Choose another hero."
    elif len(types) > TYPES_LISTED:
        advice = "Choose another of the hero's types."
    problems = []
    if requested == NOT_HUMAN or (not requested and not types and NOT_HUMAN in hero.types):
        message = f"The coalition type may not be Human. {advice}"
        problems.append(Problem(Code.HUMAN_TYPE, message))
    elif requested and requested not in types:
        message = f"{hero.name} does not have the type {requested}. {advice}"
        problems.append(Problem(Code.NOT_A_HERO_TYPE, message))
    elif not types:
        message = f"{hero.name} has no creature type: choose another hero."
        problems.append(Problem(Code.NOT_A_HERO_TYPE, message))
    return chosen, tuple(offered), problems


def _of_card(
    ruleset: CoalitionDeck,
    copies: Copies,
    hero: Card | None,
    may_be_legendary: Sequence[Card | None],
    coalition_type: str | None,
    bans: Bans,
) -> Iterator[Problem]:
    card = copies.card
    is_hero = hero is not None and card.name == hero.name
    if is_hero:
        yield from _of_hero_card(copies)
    if coalition_type and not card.fits(coalition_type):
        types = ", ".join(sorted(card.types))
        reason = card.override_reason.rstrip(".")
        why = f" (decided by an editor: {reason})" if reason else ""
        remedy = "change the type" if is_hero else "take it out, or change the type"
        yield copies.problem(
            Code.NOT_AFFILIATED,
            f"{card.name} belongs to {types}, not to {coalition_type}{why}: {remedy}.",
        )
    if not is_hero:
        yield from _of_other_card(ruleset, copies, may_be_legendary)
    if ban := bans.banned.get(card.name):
        yield copies.banned(ban)
    if not card.in_pool and card.name not in bans.allowed:
        yield copies.problem(
            Code.NOT_IN_POOL,
            f"{card.name} is not legal in Vintage, so it is not in the pool: take it out.",
        )


def _of_hero_card(copies: Copies) -> Iterator[Problem]:
    card = copies.card
    if not card.can_lead:
        yield copies.problem(
            Code.NOT_A_HERO, f"{card.name} can't be the hero: choose a legendary creature."
        )
    in_main = sum(line.count for line in copies.lines if line.section is Section.MAIN)
    if copies.count > 1 or in_main:
        yield copies.problem(
            Code.HERO_COPIES,
            f"{copies.in_words} of the hero {card.name}, {in_main} in the main deck: "
            "keep only one, in the sideboard.",
        )


def _of_other_card(
    ruleset: CoalitionDeck, copies: Copies, may_be_legendary: Sequence[Card | None]
) -> Iterator[Problem]:
    card = copies.card
    is_legend = card.is_legendary or (card.has_legendary_back and ruleset.bars_legendary_backs)
    if is_legend and card not in may_be_legendary:
        where = "" if card.is_legendary else " on its back"
        yield copies.problem(
            Code.LEGENDARY, f"{card.name} is legendary{where}: only the hero may be. Take it out."
        )
    if card.limit is not None and copies.count > card.limit:
        why = "only creatures and lands may have more than 1."
        if card.copies is not None:
            why = f"its text allows up to {card.copies}."
        elif card.is_creature:
            why = "4 is the limit for a creature."
        elif card.is_land:
            why = "4 is the limit for a nonbasic land."
        message = f"{copies.in_words} of {card.name}: {why} Take out {copies.count - card.limit}."
        yield copies.problem(Code.TOO_MANY_COPIES, message)
