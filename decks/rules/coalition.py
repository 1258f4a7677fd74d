"""Judging a deck for Coalition: around a hero and one creature type (000, 906.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .deck import NOT_HUMAN, Bans, Card, Code, Line, OutOfPlace, Problem, Report
from .entries import Section
from .names import front_key, name_key
from .ordering import Copies, banned, by_card, copies, in_order, size_problem
from .rulesets import CoalitionDeck

TYPES_TOLD = 6
HEROES_TOLD = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """The coalition type of a deck: the one it is judged by, and all that the hero offers."""

    chosen: str | None = None
    offered: tuple[OutOfPlace, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def possible(self) -> tuple[str, ...]:
        return tuple(one.type for one in self.offered if not one.count)


def judge(
    ruleset: CoalitionDeck,
    lines: Sequence[Line],
    bans: Bans,
    counts: Mapping[Section, int],
    unread: Sequence[Problem],
    hero: str | None,
    marks_hero: bool,
    coalition_type: str | None,
    every_type: frozenset[str],
) -> Report:
    """Return the report on a deck of main deck and sideboard."""
    deck = by_card(lines)
    heroes = find_heroes(lines, hero, marks_hero)
    misplaced = None if heroes or hero or marks_hero else _legend_of_main(lines)
    leader = heroes[0] if len(heroes) == 1 else None
    choice = _choose(leader, deck, coalition_type, every_type) if leader else Choice()
    of_cards = [
        problem
        for held in deck
        for problem in _of_card(ruleset, held, leader, (*heroes, misplaced), choice.chosen, bans)
    ]
    deck_wide = [
        *_sizes(ruleset, counts),
        *_of_hero(heroes, hero, marks_hero, misplaced),
        *choice.problems,
    ]
    return Report(
        ruleset=ruleset.key,
        hero=leader.name if leader else None,
        coalition_type=choice.chosen,
        possible_types=choice.possible,
        out_of_place=choice.offered,
        counts={section.value: counts[section] for section in (Section.MAIN, Section.SIDEBOARD)},
        problems=in_order(deck_wide, [*unread, *of_cards]),
    )


def find_heroes(lines: Sequence[Line], asked: str | None, marks_hero: bool) -> tuple[Card, ...]:
    """Return the deck's hero; several, or none, where it is not clear who that is.

    It is the one asked for by name, else the one that the list marks, be it known or not, else
    the only legendary creature of the sideboard.
    """
    if asked:
        found = [line.card for line in lines if _is_called(line.card, asked)]
    elif marks_hero:
        found = [line.card for line in lines if line.is_hero]
    else:
        found = _legends(lines, Section.SIDEBOARD)
    return tuple({card.name: card for card in found}.values())


def _legends(lines: Sequence[Line], section: Section) -> list[Card]:
    return [line.card for line in lines if line.section is section and line.card.can_lead]


def _legend_of_main(lines: Sequence[Line]) -> Card | None:
    """Return the only legendary creature of the main deck."""
    found = {card.name: card for card in _legends(lines, Section.MAIN)}
    return next(iter(found.values())) if len(found) == 1 else None


def _is_called(card: Card, name: str) -> bool:
    return name_key(name) in (name_key(card.name), front_key(card.name))


def _sizes(ruleset: CoalitionDeck, counts: Mapping[Section, int]) -> list[Problem]:
    found = (
        size_problem(
            Code.MAIN_SIZE, "The main deck", counts[Section.MAIN], ruleset.main, ruleset.main
        ),
        size_problem(
            Code.SIDEBOARD_SIZE,
            "The sideboard, with the hero,",
            counts[Section.SIDEBOARD],
            ruleset.sideboard_min,
            ruleset.sideboard_max,
        ),
    )
    return [problem for problem in found if problem]


def _of_hero(
    heroes: Sequence[Card], asked: str | None, marks_hero: bool, misplaced: Card | None
) -> Iterator[Problem]:
    if not heroes:
        yield Problem(Code.NO_HERO, _no_hero(asked, marks_hero, misplaced))
    elif len(heroes) > 1:
        yield Problem(
            Code.SEVERAL_HEROES,
            f"Who is the hero: {_names(heroes)}? "
            "Write *HERO* behind that name, and take out the others.",
        )


def _names(heroes: Sequence[Card]) -> str:
    told = [card.name for card in heroes[:HEROES_TOLD]]
    more = len(heroes) - len(told)
    *others, last = [*told, f"{more} more"] if more else told
    return f"{', '.join(others)} and {last}"


def _no_hero(asked: str | None, marks_hero: bool, misplaced: Card | None) -> str:
    if asked:
        return f"The hero {asked} is not in the list: add it to the sideboard."
    if marks_hero:
        return "No hero: no card has the name that the list gives it. Correct that name."
    if misplaced:
        return f"No hero: move {misplaced.name} from the main deck to the sideboard."
    return "No hero: put one legendary creature into the sideboard."


def _choose(
    hero: Card, deck: Sequence[Copies], asked: str | None, every_type: frozenset[str]
) -> Choice:
    """Return the type that a deck is judged by: the asked one, else the one that fits best."""
    types = sorted((every_type if hero.every_type else hero.types) - {NOT_HUMAN})
    offered = tuple(_out_of_place(one, deck) for one in types)
    asked = _spelled(asked, {NOT_HUMAN, *types}.union(*(held.card.types for held in deck)))
    best = min(offered, key=lambda one: one.count, default=None)
    chosen = asked or (best.type if best else None)
    return Choice(chosen, offered, tuple(_of_type(hero, types, asked)))


def _spelled(asked: str | None, types: Iterable[str]) -> str | None:
    """Return a type that was asked for as cards print it, as far as they do."""
    if not asked:
        return None
    return {one.casefold(): one for one in types}.get(asked.casefold(), asked.title())


def _out_of_place(coalition_type: str, deck: Sequence[Copies]) -> OutOfPlace:
    strange = [held for held in deck if not held.card.fits(coalition_type)]
    names = tuple(held.card.name for held in strange)
    return OutOfPlace(coalition_type, sum(held.count for held in strange), names)


def _of_type(hero: Card, types: Sequence[str], asked: str | None) -> Iterator[Problem]:
    if asked == NOT_HUMAN or (not asked and not types and NOT_HUMAN in hero.types):
        yield Problem(Code.HUMAN_TYPE, f"The coalition type may not be Human. {_choose_of(types)}")
    elif asked and asked not in types:
        yield Problem(Code.NOT_A_HERO_TYPE, f"{hero.name} is no {asked}. {_choose_of(types)}")
    elif not types:
        yield Problem(
            Code.NOT_A_HERO_TYPE, f"{hero.name} has no creature type: choose another hero."
        )


def _choose_of(types: Sequence[str]) -> str:
    if not types:
        return "Choose another hero."
    if len(types) > TYPES_TOLD:
        return "Choose another of the hero's types."
    *others, last = types
    return f"Choose {', '.join(others)} or {last}." if others else f"Choose {last}."


def _of_card(
    ruleset: CoalitionDeck,
    held: Copies,
    hero: Card | None,
    may_be_legendary: Sequence[Card | None],
    coalition_type: str | None,
    bans: Bans,
) -> Iterator[Problem]:
    card = held.card
    is_hero = hero is not None and card.name == hero.name
    if is_hero:
        yield from _of_hero_card(held)
    if coalition_type and not card.fits(coalition_type):
        remedy = "change the type" if is_hero else "take it out, or change the type"
        yield held.problem(
            Code.NOT_AFFILIATED, f"{_not_affiliated(card, coalition_type)}: {remedy}."
        )
    if not is_hero:
        yield from _of_other_card(ruleset, held, may_be_legendary)
    if ban := bans.banned.get(card.name):
        yield banned(held, ban)
    if not card.in_pool and card.name not in bans.allowed:
        yield held.problem(
            Code.NOT_IN_POOL,
            f"{card.name} is not legal in Vintage, so not in the pool: take it out.",
        )


def _not_affiliated(card: Card, coalition_type: str) -> str:
    types = ", ".join(sorted(card.types))
    reason = card.override_reason.rstrip(".")
    why = f" (an editor settled this: {reason})" if reason else ""
    return f"{card.name} belongs to {types}, not to {coalition_type}{why}"


def _of_hero_card(held: Copies) -> Iterator[Problem]:
    card = held.card
    if not card.can_lead:
        yield held.problem(
            Code.NOT_A_HERO, f"{card.name} can't be the hero: choose a legendary creature."
        )
    in_main = sum(line.count for line in held.lines if line.section is Section.MAIN)
    if held.count > 1 or in_main:
        yield held.problem(
            Code.HERO_COPIES,
            f"{copies(held.count)} of the hero {card.name}, {in_main} in the main deck: "
            "keep just one, in the sideboard.",
        )


def _of_other_card(
    ruleset: CoalitionDeck, held: Copies, may_be_legendary: Sequence[Card | None]
) -> Iterator[Problem]:
    card = held.card
    is_legend = card.is_legendary or (card.has_legendary_back and ruleset.bars_legendary_backs)
    if is_legend and card not in may_be_legendary:
        where = "" if card.is_legendary else " on its back"
        yield held.problem(
            Code.LEGENDARY, f"{card.name} is legendary{where}: only the hero may be. Take it out."
        )
    if card.limit is not None and held.count > card.limit:
        yield held.problem(
            Code.TOO_MANY_COPIES,
            f"{copies(held.count)} of {card.name}: {_limit(card)} "
            f"Take out {held.count - card.limit}.",
        )


def _limit(card: Card) -> str:
    if card.copies is not None:
        return f"its text allows up to {card.copies}."
    if card.is_creature:
        return "4 is the limit for a creature."
    if card.is_land:
        return "4 is the limit for a land that is not basic."
    return "it is neither creature nor land, so 1 is the limit."
