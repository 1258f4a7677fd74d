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


class Mends:
    """The mends for a deck, with what several of them need.

    ``build`` has the full names of the cards in ``lines``; ``closest`` are the names that may be
    meant by an unknown name.
    """

    def __init__(
        self,
        ruleset: DeckRuleset,
        build: Build,
        lines: Sequence[Line],
        bad_lines: Sequence[BadLine],
        report: Report,
        closest: Mapping[str, Sequence[str]],
    ) -> None:
        self.ruleset, self.build, self.report, self.closest = ruleset, build, report, closest
        self.cards = {copies.card.name: copies.card for copies in by_card(lines)}
        self.counts: Counter[str] = Counter()
        for entry in build.entries:
            self.counts[entry.name] += entry.count
        self.bad = {line.line: line.text for line in bad_lines}
        misfits = [
            problem.card or "" for problem in report.problems if problem.code is Code.NOT_AFFILIATED
        ]
        self.misfits = [name for name in misfits if name != report.hero]
        # A list of a thousand lines may have as many misfits: count them once.
        self.out_of_place = sum(self.counts[name] for name in misfits)
        self.best_types = sorted(
            report.out_of_place, key=lambda option: (option.count, option.type)
        )

    def by_problem(self) -> list[tuple[Problem, list[Mend]]]:
        """Return each problem of the deck with what would mend it, the best mend first."""
        return [(problem, list(self._of(problem))) for problem in self.report.problems]

    def _of(self, problem: Problem) -> Iterator[Mend]:
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
            case Code.NOT_AFFILIATED:
                yield from self._affiliated(problem)
            case Code.LEGENDARY:
                yield from self._out(problem)
                yield from self._in_the_heros_place(problem)
            case Code.TOO_MANY_COPIES | Code.NOT_SINGLETON | Code.RESTRICTED:
                yield from self._cut(problem)
            case Code.BANNED | Code.NOT_IN_POOL:
                yield from self._out(problem)
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
        for name in self.closest.get(written, ()):
            change = partial(building.rename, name=written, new=name)
            yield Mend(_key(problem, name), f"Take {name} instead", change)
        yield from self._out(problem)

    def _out(self, problem: Problem) -> Iterator[Mend]:
        name = problem.card or ""
        words = f"Take out {self.counts[name]} {name}"
        yield Mend(_key(problem), words, partial(building.take_out, name=name))

    def _cut(self, problem: Problem) -> Iterator[Mend]:
        name = problem.card or ""
        limit = self.cards[name].limit if problem.code is Code.TOO_MANY_COPIES else 1
        if limit is not None:
            words = f"Keep {limit} {name}, take out {self.counts[name] - limit}"
            yield Mend(_key(problem), words, partial(building.cut, name=name, limit=limit))

    def _sized(self, problem: Problem) -> Iterator[Mend]:
        if isinstance(self.ruleset, LevelerDeck) and is_unparted(self.report):
            # One mend for all its sizes, offered with the first.
            if problem == next(each for each in self.report.problems if each.code in SIZES):
                shape = [size for size, _ in sizes(self.ruleset).values()]
                words = f"Part the list by its order: {', '.join(map(str, shape))}"
                yield Mend(_key(problem, "part"), words, partial(building.part, sizes=shape))
            return
        section = self._section_of(problem)
        basic = self._usual_basic(section) if section else None
        if section and basic:
            yield from self._with_basics(problem, section, basic)

    def _section_of(self, problem: Problem) -> Section | None:
        """Return the section whose size is wrong, None for cards outside of all sections."""
        if problem.code is not Code.SUB_DECK_SIZE:
            return Section.MAIN if problem.code is Code.MAIN_SIZE else Section.SIDEBOARD
        for level, (section, (low, high)) in enumerate(sizes(self.ruleset).items(), 1):
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
        low, high = sizes(self.ruleset)[section]
        count = self.report.counts[section]
        surplus, missing = count - high, low - count
        is_drafted = isinstance(self.ruleset, ConspiracyDeck) and section is Section.MAIN
        part = "the deck" if is_drafted else in_words(section)
        if missing > 0:
            change = partial(building.add, name=basic, section=section, count=missing)
            yield Mend(_key(problem, basic), f"Add {missing} {basic} to {part}", change)
        elif building.copies(self.build, basic, [section]) >= surplus:
            change = partial(building.take_out, name=basic, count=surplus, sections=[section])
            yield Mend(_key(problem, basic), f"Take {surplus} {basic} out of {part}", change)

    def _led(self, problem: Problem) -> Iterator[Mend]:
        """Offer the legends of the list as the hero; of several heroes, the others go out."""
        legends = [name for name, card in self.cards.items() if card.can_lead]
        in_side = [
            name for name in legends if building.copies(self.build, name, [Section.SIDEBOARD])
        ]
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
                count = cards_in_words(sum(self.counts[name] for name in self.misfits))
                change = partial(building.take_out_all, names=self.misfits)
                yield Mend(_key(problem, "all"), f"Take out all {count} that do not fit", change)
        better = (option for option in self.best_types[:1] if option.count < self.out_of_place)
        yield from self._typed(problem, better)

    def _typed(self, problem: Problem, options: Iterable[OutOfPlace]) -> Iterator[Mend]:
        for option in options:
            change = partial(replace, coalition_type=option.type)
            fit = (
                f"{cards_in_words(option.count)} out of place" if option.count else "all cards fit"
            )
            yield Mend(_key(problem, option.type), f"Choose the type {option.type}: {fit}", change)


def is_unparted(report: Report) -> bool:
    """Return whether a list for Leveler is not parted into sub-decks."""
    first, *others = (report.counts.get(section, 0) for section in LEVELS)
    return first > 0 and not any(others)


def _key(problem: Problem, choice: str = "") -> str:
    return "/".join((problem.code.value, problem.card or "", choice))
