"""What would mend each problem of a deck, in a single step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from . import building
from .building import Build, Change
from .deck import Code, Line, OutOfPlace, Problem, Report
from .entries import LEVELS, BadLine, Section
from .ordering import by_card, cards_in_words, size_problem
from .rulesets import ConspiracyDeck, DeckRuleset, LevelerDeck, sizes

LEGENDS_SHOWN = 5
TYPES_SHOWN = 3
SIZES = (Code.MAIN_SIZE, Code.SIDEBOARD_SIZE, Code.SUB_DECK_SIZE)
NAMES = {Section.MAIN: "main deck", Section.SIDEBOARD: "sideboard"} | {
    section: f"sub-deck {level}" for level, section in enumerate(LEVELS, 1)
}


def in_words(section: Section) -> str:
    """Return a section as it stands within a sentence.

    >>> in_words(Section.MAIN), in_words(Section.LEVEL_2)
    ('the main deck', 'sub-deck 2')
    """
    return NAMES[section] if section in LEVELS else f"the {NAMES[section]}"


@dataclass(frozen=True, slots=True)
class Mend:
    """A change that mends a problem: ``words`` say what it does, ``key`` names it in a form."""

    key: str
    words: str
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A deck with its report: ``build`` has the full names of the cards in ``lines``.

    ``closest`` are the names that may be meant by an unknown name.
    """

    ruleset: DeckRuleset
    build: Build
    lines: Sequence[Line]
    bad_lines: Sequence[BadLine]
    report: Report
    closest: Mapping[str, Sequence[str]]


def of_report(judged: Judged) -> list[tuple[Problem, list[Mend]]]:
    """Return each problem of a deck with what would mend it, the best mend first."""
    mends = _Mends(judged)
    return [(problem, list(mends.of(problem))) for problem in judged.report.problems]


def find(judged: Judged, key: str) -> Mend | None:
    """Return the mend with a key, None if nothing in the deck needs it."""
    return next((mend for _, mends in of_report(judged) for mend in mends if mend.key == key), None)


class _Mends:
    """The mends for a deck, with what several of them need."""

    def __init__(self, judged: Judged) -> None:
        self.judged = judged
        self.build, self.report = judged.build, judged.report
        self.cards = {copies.card.name: copies.card for copies in by_card(judged.lines)}
        self.counts: Counter[str] = Counter()
        for entry in self.build.entries:
            self.counts[entry.name] += entry.count
        self.bad = {line.line: line.text for line in judged.bad_lines}
        misfits = [
            problem.card or ""
            for problem in self.report.problems
            if problem.code is Code.NOT_AFFILIATED
        ]
        self.misfits = [name for name in misfits if name != self.report.hero]
        # A list of a thousand lines may have as many misfits: count them once.
        self.out_of_place = sum(self.counts[name] for name in misfits)
        self.best_types = sorted(
            self.report.out_of_place, key=lambda option: (option.count, option.type)
        )

    def of(self, problem: Problem) -> Iterator[Mend]:
        """Yield what would mend a problem."""
        match problem.code:
            case Code.BAD_LINE:
                yield from self._without_line(problem)
            case Code.UNKNOWN_CARD:
                yield from self._named(problem)
            case Code.MAIN_SIZE | Code.SIDEBOARD_SIZE | Code.SUB_DECK_SIZE:
                yield from self._sized(problem)
            case Code.NO_HERO | Code.SEVERAL_HEROES | Code.NOT_A_HERO:
                yield from self._led(problem)
            case Code.HERO_COPIES:
                yield from self._hero_in_place(problem)
            case Code.HUMAN_TYPE | Code.NOT_A_HERO_TYPE:
                yield from self._typed(problem, self.best_types[:TYPES_SHOWN])
            case _:
                yield from self._of_card(problem)

    def _of_card(self, problem: Problem) -> Iterator[Mend]:
        match problem.code:
            case Code.NOT_AFFILIATED:
                yield from self._affiliated(problem)
            case Code.LEGENDARY:
                yield from self._out(problem)
                yield from self._in_the_heros_place(problem)
            case Code.TOO_MANY_COPIES | Code.NOT_SINGLETON:
                yield from self._cut(problem)
            case Code.BANNED | Code.NOT_IN_POOL:
                yield from self._out(problem)
            case Code.RESTRICTED:
                yield self._one(problem)
            case Code.CONSPIRACY_IN_DECK:
                name = problem.card or ""
                count = building.copies(self.build, name, [Section.MAIN])
                change = partial(building.move, name=name, source=Section.MAIN, count=count)
                yield Mend(_key(problem), f"Move {name} beside the deck", change)

    def _without_line(self, problem: Problem) -> Iterator[Mend]:
        text = self.bad.get(problem.line or 0)
        if text:

            def change(build: Build) -> Build:
                left = tuple(line for line in build.unreadable if line != text)
                return replace(build, unreadable=left)

            yield Mend(_key(problem, text), f"Take out the line “{text}”", change)

    def _named(self, problem: Problem) -> Iterator[Mend]:
        written = problem.card or ""
        for name in self.judged.closest.get(written, ()):
            change = partial(building.rename, name=written, new=name)
            yield Mend(_key(problem, name), f"Take {name} instead", change)
        yield from self._out(problem)

    def _out(self, problem: Problem) -> Iterator[Mend]:
        name = problem.card or ""
        words = f"Take out {self.counts[name]} {name}"
        yield Mend(_key(problem), words, partial(building.take_out, name=name))

    def _cut(self, problem: Problem) -> Iterator[Mend]:
        card = self.cards[problem.card or ""]
        limit = card.limit if problem.code is Code.TOO_MANY_COPIES else 1
        if limit is not None:
            surplus = self.counts[card.name] - limit
            words = f"Keep {limit} {card.name}, take out {surplus}"
            yield Mend(_key(problem), words, partial(building.cut, name=card.name, limit=limit))

    def _one(self, problem: Problem) -> Mend:
        name = problem.card or ""
        words = f"Keep 1 {name}, take out {self.counts[name] - 1}"
        return Mend(_key(problem), words, partial(building.cut, name=name, limit=1))

    def _sized(self, problem: Problem) -> Iterator[Mend]:
        if self._is_unparted():
            yield from self._parted(problem)
            return
        section = self._section_of(problem)
        basic = self._usual_basic(section) if section else None
        if section and basic:
            yield from self._with_basics(problem, section, basic)

    def _parted(self, problem: Problem) -> Iterator[Mend]:
        """Offer to part a list for Leveler, once for all its sizes."""
        if problem == self._first_size_problem():
            shape = sizes(self.judged.ruleset).values()
            words = ", ".join(str(size) for size, _ in shape)
            yield Mend(
                _key(problem, "part"),
                f"Part the list by its order: {words}",
                partial(building.part, sizes=[size for size, _ in shape]),
            )

    def _is_unparted(self) -> bool:
        """Return whether a list for Leveler has all its cards in the first sub-deck."""
        return isinstance(self.judged.ruleset, LevelerDeck) and is_unparted(self.report)

    def _first_size_problem(self) -> Problem:
        return next(problem for problem in self.report.problems if problem.code in SIZES)

    def _section_of(self, problem: Problem) -> Section | None:
        """Return the section whose size is wrong, None for cards outside of all sections."""
        if problem.code is not Code.SUB_DECK_SIZE:
            return Section.MAIN if problem.code is Code.MAIN_SIZE else Section.SIDEBOARD
        for level, (section, (low, high)) in enumerate(sizes(self.judged.ruleset).items(), 1):
            count = self.report.counts[section]
            if problem == size_problem(problem.code, f"Sub-deck {level}", count, low, high):
                return section
        return None

    def _usual_basic(self, section: Section) -> str | None:
        """Return the basic land that a section has most of, or else the deck."""
        basics = [name for name, card in self.cards.items() if card.is_basic]
        return max(
            basics,
            key=lambda name: (
                building.copies(self.build, name, [section]),
                self.counts[name],
            ),
            default=None,
        )

    def _with_basics(self, problem: Problem, section: Section, basic: str) -> Iterator[Mend]:
        low, high = sizes(self.judged.ruleset)[section]
        count = self.report.counts[section]
        surplus, missing = count - high, low - count
        if missing > 0:
            yield Mend(
                _key(problem, basic),
                f"Add {missing} {basic} to {self._named_part(section)}",
                partial(building.add, name=basic, section=section, count=missing),
            )
        elif building.copies(self.build, basic, [section]) >= surplus:
            yield Mend(
                _key(problem, basic),
                f"Take {surplus} {basic} out of {self._named_part(section)}",
                partial(building.take_out, name=basic, count=surplus, sections=[section]),
            )

    def _named_part(self, section: Section) -> str:
        is_drafted = isinstance(self.judged.ruleset, ConspiracyDeck)
        return "the deck" if is_drafted and section is Section.MAIN else in_words(section)

    def _led(self, problem: Problem) -> Iterator[Mend]:
        """Offer the legends of the list as the hero; of several heroes, the others go out."""
        legends = [name for name, card in self.cards.items() if card.can_lead]
        in_side = [name for name in legends if self._is_in_sideboard(name)]
        candidates = in_side if problem.code is Code.SEVERAL_HEROES else legends
        for name in candidates[:LEGENDS_SHOWN]:
            others = [other for other in in_side if other != name]
            change = partial(building.lead, name=name, instead_of=others)
            yield Mend(_key(problem, name), self._leads(name, others), change)

    def _leads(self, name: str, others: Sequence[str]) -> str:
        """Say what making a card the hero does."""
        count = self.counts[name]
        from_main = building.copies(self.build, name, [Section.MAIN])
        words = [f"Make {name} the hero"]
        if from_main:
            words.append("move it to the sideboard")
        if count > 1:
            words.append(f"take out the other {count - 1} of it")
        if others:
            words.append(f"take out {' and '.join(others)}")
        *rest, last = words
        return f"{', '.join(rest)} and {last}" if rest else last

    def _is_in_sideboard(self, name: str) -> bool:
        return building.copies(self.build, name, [Section.SIDEBOARD]) > 0

    def _hero_in_place(self, problem: Problem) -> Iterator[Mend]:
        name = problem.card or ""
        words = f"Keep 1 {name}, in the sideboard"
        yield Mend(_key(problem), words, partial(building.lead, name=name))

    def _in_the_heros_place(self, problem: Problem) -> Iterator[Mend]:
        card, hero = self.cards[problem.card or ""], self.report.hero
        if card.can_lead and hero:
            yield Mend(
                _key(problem, "lead"),
                self._leads(card.name, [hero]),
                partial(building.lead, name=card.name, instead_of=[hero]),
            )

    def _affiliated(self, problem: Problem) -> Iterator[Mend]:
        if problem.card != self.report.hero:
            yield from self._out(problem)
            if len(self.misfits) > 1 and problem.card == self.misfits[0]:
                yield self._all_out(problem)
        better = (option for option in self.best_types[:1] if option.count < self.out_of_place)
        yield from self._typed(problem, better)

    def _all_out(self, problem: Problem) -> Mend:
        count = sum(self.counts[name] for name in self.misfits)
        return Mend(
            _key(problem, "all"),
            f"Take out all {cards_in_words(count)} that do not fit",
            partial(building.take_out_all, names=self.misfits),
        )

    def _typed(self, problem: Problem, options: Iterable[OutOfPlace]) -> Iterator[Mend]:
        for option in options:
            change = partial(_with_type, coalition_type=option.type)
            fit = (
                f"{cards_in_words(option.count)} out of place" if option.count else "all cards fit"
            )
            yield Mend(_key(problem, option.type), f"Choose the type {option.type}: {fit}", change)


def is_unparted(report: Report) -> bool:
    """Return whether a list for Leveler is not parted into sub-decks."""
    first, *others = (report.counts.get(section, 0) for section in LEVELS)
    return first > 0 and not any(others)


def _with_type(build: Build, coalition_type: str) -> Build:
    return replace(build, coalition_type=coalition_type)


def _key(problem: Problem, choice: str = "") -> str:
    return "/".join((problem.code.value, problem.card or "", choice))
