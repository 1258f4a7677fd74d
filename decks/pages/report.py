"""A report on a deck list, worked out for templates that know no rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zlib import crc32

from ..catalogue.known import KnownCard
from ..checking.legality import ResolvedList
from ..pictures.addresses import Picture
from ..rules.building import OTHER
from ..rules.deck import OutOfPlace, Problem, Report
from ..rules.entries import LEVELS, Entry, LeftOut, Section
from ..rules.mends import is_unparted
from ..rules.rulesets import NO_END, RULESETS, CoalitionDeck, ConspiracyDeck, DeckRuleset, sizes

POOL = {Section.MAIN: "Deck", Section.SIDEBOARD: "Rest of the pool"}
SECTIONS = {
    Section.SIDEBOARD: "Hero and sideboard",
    Section.MAIN: "Main deck",
    **{section: f"Sub-deck {level}" for level, section in enumerate(LEVELS, 1)},
}
KINDS = (("is_creature", "Creatures"), ("is_land", "Lands"), ("", "Other spells"))
COLOURS = {"W": "White", "U": "Blue", "B": "Black", "R": "Red", "G": "Green"}
HOW_TO_PART = (
    "This list is not parted into sub-decks. Write a heading above each: Level 1, Level 2 and "
    "Level 3, or 50 cards, 30 cards and 20 cards. Blank lines between them do as well."
)
LEGAL = {
    "coalition": "",
    "leveler": "Three sub-decks without duplicates.",
    "conspiracy": "Enough cards, and no conspiracy among them.",
    "realm-wars": "Nothing banned, and one copy at most of what is restricted.",
}
TYPES_SHOWN = 12
CURVE_TOP = 7  # higher mana values share the bar of this value
PLOT = 84  # height of the curve's plot, in the units of its SVG
ProblemsByPlace = Mapping[tuple[int | None, str | None], Sequence[Problem]]  # by line and card name


@dataclass(frozen=True)
class Verdict:
    """The banner on top of a report; ``look`` is a CSS class."""

    look: str
    icon: str
    title: str
    words: str


@dataclass(frozen=True)
class CardRow:
    """A line of a deck list; ``number`` is its number in the text."""

    number: int
    count: int
    name: str
    cost: str
    section: Section
    is_known: bool
    is_hero: bool
    problems: Sequence[Problem]

    @property
    def key(self) -> str:
        """The id of the row on a page: one for each card in a section."""
        return f"c{crc32(f'{self.section}:{self.name}'.encode()):x}"

    @property
    def moves_to(self) -> Section | None:
        """The section that a tap moves a copy to, if there is one."""
        return OTHER.get(self.section) if self.is_known and not self.is_hero else None


@dataclass(frozen=True)
class BadRow:
    """A line that could not be read, as its player wrote it."""

    number: int
    text: str
    problems: Sequence[Problem]


@dataclass(frozen=True)
class Count:
    """A number of cards; ``of`` is the size that is needed, "" if any number is fine."""

    what: str
    count: int
    of: str = ""
    wrong: bool = False


@dataclass(frozen=True)
class Colour:
    """How many cards have a colour in their cost; ``symbol`` is its letter, C for none."""

    symbol: str
    word: str
    count: int


@dataclass(frozen=True)
class Bar:
    """A bar of the mana curve, in the units of its SVG."""

    label: str
    count: int
    x: int
    height: int


@dataclass(frozen=True, kw_only=True)
class JudgedList:
    """A deck list and its report, as the templates ``_report``, ``_types`` and ``_curve`` show it.

    ``drawn`` names the part of the deck that the curve counts, ``as_of`` is the day of the cards,
    and ``art`` the hero's picture, where the site shows pictures.
    """

    report: Report
    ruleset: DeckRuleset
    verdict: Verdict
    sections: Sequence[tuple[str, Sequence[CardRow]]]
    bad_lines: Sequence[BadRow]
    left_out: Sequence[LeftOut]
    types: Sequence[OutOfPlace]
    counts: Sequence[Count]
    curve: Sequence[Bar]
    colours: Sequence[Colour]
    drawn: str
    advice: str = ""
    as_of: date | None = None
    art: Picture | None = None


def section_titles(ruleset: DeckRuleset) -> Mapping[Section, str]:
    """Return the titles of the parts of a deck, in the order of a page."""
    if isinstance(ruleset, ConspiracyDeck):
        return POOL
    return {Section.MAIN: "Cards"} if ruleset.by_name else SECTIONS


def judged_list(resolved: ResolvedList, report: Report) -> JudgedList:
    """Return a report as pages show it: the verdict, what to fix, and the list itself."""
    problems = problems_by_place(report)
    ruleset = RULESETS[report.ruleset]
    return JudgedList(
        report=report,
        ruleset=ruleset,
        verdict=_verdict(report),
        sections=_sections(resolved, report, problems),
        bad_lines=[
            BadRow(bad.line, bad.text, problems.get((bad.line, None), ()))
            for bad in resolved.deck_list.bad_lines
        ],
        left_out=resolved.deck_list.left_out,
        types=_types_to_show(report),
        counts=_counts(resolved, report),
        curve=curve(resolved),
        colours=colours(resolved),
        drawn=_drawn(ruleset),
        advice=HOW_TO_PART if is_unparted(report) else "",
        as_of=resolved.as_of,
        art=_art(resolved, report),
    )


def _art(resolved: ResolvedList, report: Report) -> Picture | None:
    """Return the picture of a deck's hero, if it has art to show."""
    cards = (card for card in resolved.cards.values() if card.name == report.hero)
    pictures = next((card.pictures for card in cards), ())
    return pictures[0] if pictures and pictures[0].art else None


def problems_by_place(report: Report) -> ProblemsByPlace:
    """Return a report's problems by line and card name."""
    problems: dict[tuple[int | None, str | None], list[Problem]] = {}
    for problem in report.problems:
        problems.setdefault((problem.line, problem.card), []).append(problem)
    return problems


def _verdict(report: Report) -> Verdict:
    count = len(report.problems)
    if not report.legal:
        title = f"Not legal: {count} problem{'s' * (count > 1)}"
        return Verdict(
            "bad", "no", title, "See below what to fix. The lines in question are marked."
        )
    words = LEGAL[RULESETS[report.ruleset].format]
    if report.hero:
        words = f"Your hero is {report.hero}, and the coalition type is {report.coalition_type}."
    return Verdict("good", "yes", "Legal", words)


def _types_to_show(report: Report) -> list[OutOfPlace]:
    """Return the types to choose from, best fit first.

    A hero with every creature type offers too many of them to list.
    """
    best = sorted(report.out_of_place, key=lambda option: (option.count, option.type))
    chosen = [option for option in best[TYPES_SHOWN:] if option.type == report.coalition_type]
    return best[:TYPES_SHOWN] + chosen


def _sections(
    resolved: ResolvedList, report: Report, problems: ProblemsByPlace
) -> list[tuple[str, list[CardRow]]]:
    rows: dict[Section, list[CardRow]] = {}
    for entry in resolved.deck_list.entries:
        rows.setdefault(entry.section, []).append(card_row(resolved, report, entry, problems))
    titles = section_titles(RULESETS[report.ruleset])
    return [(title, rows[part]) for part, title in titles.items() if part in rows]


def card_row(
    resolved: ResolvedList, report: Report, entry: Entry, problems: ProblemsByPlace
) -> CardRow:
    """Return the row of an entry, with the name that its card has in the catalogue."""
    card = resolved.cards.get(entry.name)
    name = card.name if card else entry.name
    return CardRow(
        number=entry.line,
        count=entry.count,
        name=name,
        cost=card.mana_cost if card else "",
        section=entry.section,
        is_known=card is not None,
        is_hero=card is not None and card.name == report.hero,
        problems=problems.get((entry.line, name), ()),
    )


def _counts(resolved: ResolvedList, report: Report) -> list[Count]:
    ruleset = RULESETS[report.ruleset]
    counts = []
    for key, count in report.counts.items():
        low, high = sizes(ruleset)[Section(key)]
        title = section_titles(ruleset)[Section(key)]
        counts.append(Count(title, count, _size(low, high), not low <= count <= high))
    for field, title in KINDS[:2]:
        cards = sum(count for count, card in _drawn_cards(resolved) if getattr(card, field))
        counts.append(Count(f"{title}, {_drawn(ruleset).lower()}", cards))
    return counts


def _size(low: int, high: int) -> str:
    """Return how many cards a part of a deck needs, "" if any number is fine.

    >>> _size(60, 60), _size(1, 15), _size(40, NO_END), _size(0, NO_END)
    ('60', '1 to 15', '40 or more', '')
    """
    if high == NO_END:
        return f"{low} or more" if low else ""
    return str(low) if low == high else f"{low} to {high}"


def _drawn_cards(resolved: ResolvedList) -> Iterator[tuple[int, KnownCard]]:
    """Yield the known cards that can be drawn in a game, with counts: no sideboard, no hero."""
    for entry in resolved.deck_list.entries:
        if entry.name in resolved.cards and entry.section is not Section.SIDEBOARD:
            yield entry.count, resolved.cards[entry.name]


def _drawn(ruleset: DeckRuleset) -> str:
    if isinstance(ruleset, CoalitionDeck):
        return "Main deck"
    return "Deck" if isinstance(ruleset, ConspiracyDeck) else "All sub-decks"


def curve(resolved: ResolvedList) -> list[Bar]:
    """Return the mana curve without lands; the highest bar is ``PLOT`` high."""
    values: Counter[int] = Counter()
    for count, card in _drawn_cards(resolved):
        if not card.is_land:
            values[min(int(card.mana_value), CURVE_TOP)] += count
    highest = max(values.values(), default=1)
    return [
        Bar(
            label=f"{value}+" if value == CURVE_TOP else str(value),
            count=values[value],
            x=6 + 39 * value,  # eight bars fill the width of 320
            height=round(PLOT * values[value] / highest),
        )
        for value in range(CURVE_TOP + 1)
    ]


def colours(resolved: ResolvedList) -> list[Colour]:
    """Return how many of the cards that can be drawn have each colour, and how many have none.

    Lands are left out; a card of two colours counts for both.
    """
    counts: Counter[str] = Counter()
    for count, card in _drawn_cards(resolved):
        if not card.is_land:
            for symbol in COLOURS.keys() & set(card.mana_cost) or {"C"}:
                counts[symbol] += count
    return [
        Colour(symbol, word, counts[symbol])
        for symbol, word in (*COLOURS.items(), ("C", "Colourless"))
        if counts[symbol]
    ]
