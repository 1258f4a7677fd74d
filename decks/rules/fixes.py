"""What would fix each problem of a deck, in a single step."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate

from . import building
from .building import NAMES, Build, Change, copies
from .deck import BARS, NOT_HUMAN, Code, Line, OutOfPlace, Problem, Report, cards_in_words
from .entries import LEVELS, DeckList, Section, displayable
from .rulesets import NO_END, RULESETS, ConspiracyDeck, DeckRuleset

LEGENDS_SHOWN = 5
TYPES_SHOWN, SURE_SHOWN = 3, 3
NAMED = {section: NAMES[section] for section in (Section.MAIN, Section.SIDEBOARD)}
Choice = tuple[str, str, Change]  # which of a problem's fixes it is, its words, the change


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that fixes a problem: ``words`` say what it does, ``key`` names it in a form."""

    key: str
    words: str
    change: Change


class Fixes:
    """``build`` has the full names of the cards in ``lines``.

    ``closest`` are the names that may be meant by an unknown name, ``sure`` those without doubt.
    """

    def __init__(
        self,
        build: Build,
        lines: Sequence[Line],
        report: Report,
        closest: Mapping[str, Sequence[str]],
        sure: Mapping[str, str],
    ) -> None:
        self.build, self.report, self.closest, self.sure = build, report, closest, sure
        self.ruleset = RULESETS[report.ruleset]
        self.cards = {line.card.name: line.card for line in lines}
        self.counts: Counter[str] = Counter()
        for entry in build.entries:
            self.counts[entry.name] += entry.count
        self.bad = {line.line: displayable(line.text) for line in build.bad_lines}
        misfits = [
            problem.card or "" for problem in report.problems if problem.code is Code.NOT_AFFILIATED
        ]
        self.misfits = [name for name in misfits if name != report.hero]
        # A list of a thousand lines may have as many misfits: count them once.
        self.out_of_place = sum(self.counts[name] for name in misfits)
        self.best_types = best_types(report)
        self.barred = {one.card for one in report.problems if one.code in BARS}

    def by_problem(self) -> list[tuple[Problem, list[Fix]]]:
        """Return each problem of the deck with what would fix it, the best fix first."""
        fixes = []
        for problem in self.report.problems:
            of = f"{problem.code.value}/{problem.card or ''}"
            choices = self._choices(problem)
            options = [Fix(f"{of}/{key}", words, change) for key, words, change in choices]
            fixes.append((problem, options))
        return fixes

    def _choices(self, problem: Problem) -> Iterator[Choice]:
        name = problem.card or ""
        match problem.code:
            case Code.BAD_LINE:
                if text := self.bad.get(problem.line or 0):
                    left = tuple(bad for bad in self.build.bad_lines if self.bad[bad.line] != text)
                    yield text, f"Take out the line “{text}”", partial(replace, bad_lines=left)
                if len(self.bad) > 1 and problem.line == min(self.bad):
                    words = f"Take out all {len(self.bad)} lines that can’t be read"
                    yield "", words, partial(replace, bad_lines=())
            case Code.UNKNOWN_CARD:
                for new in self.closest.get(name, ()):
                    change = partial(building.rename, names={name: new})
                    yield new, f"Take {new} instead", change
                yield self._out(name)
                if len(self.sure) > 1 and name == next(iter(self.closest)):
                    names = ", ".join([*self.sure.values()][:SURE_SHOWN])
                    rest = ", …" if len(self.sure) > SURE_SHOWN else ""
                    words = f"Take all {len(self.sure)} that are sure: {names}{rest}"
                    yield "/sure", words, partial(building.rename, names=self.sure)
            case Code.SUB_DECK_SIZE if is_unparted(self.report):
                # One fix for all its sizes, offered with the first.
                if problem == next(one for one in self.report.problems if one.code is problem.code):
                    shape = [size for size, _ in self.ruleset.sizes.values()]
                    words = f"Divide the list in order: {', '.join(map(str, shape))}"
                    yield "part", words, partial(building.part, sizes=shape)
            case Code.MAIN_SIZE | Code.SIDEBOARD_SIZE | Code.SUB_DECK_SIZE:
                if at_end := side_at_end(self.build, self.ruleset):
                    yield "side", *at_end
                else:
                    yield from self._sized(problem)
            case Code.NO_HERO | Code.SEVERAL_HEROES | Code.NOT_A_HERO:
                # The legends of the list; of several heroes, the others go out.
                legends = [name for name, card in self.cards.items() if card.can_lead]
                side = [one for one in legends if copies(self.build, one, [Section.SIDEBOARD])]
                candidates = side if problem.code is Code.SEVERAL_HEROES else legends
                for new in [*filter(self._may_lead, candidates)][:LEGENDS_SHOWN]:
                    yield self._lead(new, new, [other for other in side if other != new])
            case Code.HERO_COPIES:
                yield "", f"Keep 1 {name}, in the sideboard", partial(building.lead, name=name)
            case Code.HUMAN_TYPE | Code.NOT_A_HERO_TYPE:
                yield from self._typed(self.best_types[:TYPES_SHOWN])
            case Code.NOT_AFFILIATED:
                yield from self._affiliated(name)
            case Code.LEGENDARY:
                yield self._out(name)
                if self._may_lead(name) and self.report.hero:
                    yield self._lead("lead", name, [self.report.hero])
            case Code.TOO_MANY_COPIES | Code.NOT_SINGLETON | Code.RESTRICTED:
                limit = self.cards[name].limit if problem.code is Code.TOO_MANY_COPIES else 1
                if limit is not None:
                    count = self.counts[name] - limit
                    change = partial(building.take_out, name=name, count=count)
                    yield "", f"Keep {limit} {name}, take out {count}", change
            case Code.BANNED | Code.NOT_IN_POOL:
                yield self._out(name)
            case Code.CONSPIRACY_IN_DECK:
                count = copies(self.build, name, [Section.MAIN])
                change = partial(building.move, name=name, source=Section.MAIN, count=count)
                yield "", f"Move {name} beside the deck", change

    def _out(self, name: str) -> Choice:
        words = f"Take out {self.counts[name]} {name}"
        return "", words, partial(building.take_out_all, names=[name])

    def _sized(self, problem: Problem) -> Iterator[Choice]:
        """Offer basic lands in or out: those that the section has most of, or else the deck."""
        section = problem.section  # None for cards outside of all sub-decks
        basics = [name for name, card in self.cards.items() if card.is_basic]
        if section is None or not basics:
            return
        here = {name: copies(self.build, name, [section]) for name in basics}
        basic = max(basics, key=lambda name: (here[name], self.counts[name]))
        low, high = self.ruleset.sizes[section]
        count = self.report.counts[section]
        surplus, missing = count - high, low - count
        is_drafted = isinstance(self.ruleset, ConspiracyDeck) and section is Section.MAIN
        place = "the deck" if is_drafted else NAMES[section]
        if missing > 0:
            change = partial(building.add, name=basic, section=section, count=missing)
            yield basic, f"Add {missing} {basic} to {place}", change
        elif here[basic] >= surplus:
            change = partial(building.take_out, name=basic, count=surplus, sections=[section])
            yield basic, f"Take {surplus} {basic} out of {place}", change

    def _may_lead(self, name: str) -> bool:
        card = self.cards[name]
        has_type = card.every_type or card.types - {NOT_HUMAN}
        return card.can_lead and name not in self.barred and bool(has_type)

    def _lead(self, choice: str, name: str, others: Sequence[str]) -> Choice:
        words = [f"Make {name} the hero"]
        if copies(self.build, name, [Section.MAIN]):
            words.append("move it to the sideboard")
        if self.counts[name] > 1:
            words.append(f"take out the other {self.counts[name] - 1} of it")
        if others:
            words.append(f"take out {' and '.join(others)}")
        *rest, last = words
        sentence = f"{', '.join(rest)} and {last}" if rest else last
        return choice, sentence, partial(building.lead, name=name, instead_of=others)

    def _affiliated(self, name: str) -> Iterator[Choice]:
        if name != self.report.hero:
            yield self._out(name)
            if len(self.misfits) > 1 and name == self.misfits[0]:
                count = cards_in_words(sum(self.counts[name] for name in self.misfits))
                change = partial(building.take_out_all, names=self.misfits)
                yield "all", f"Take out all {count} that do not fit", change
        best = self.best_types[:1]
        yield from self._typed(option for option in best if option.count < self.out_of_place)

    def _typed(self, options: Iterable[OutOfPlace]) -> Iterator[Choice]:
        for option in options:
            count = option.count
            fit = f"{cards_in_words(count)} out of place" if count else "all cards fit"
            change = partial(replace, coalition_type=option.type)
            yield option.type, f"Choose the type {option.type}: {fit}", change


def readings(build: Build, deck_list: DeckList, ruleset: DeckRuleset) -> Iterator[Fix]:
    # With what the list leaves out, or another sideboard.
    if not ruleset.sizes.keys() >= NAMED.keys():
        return
    for place in dict.fromkeys(one.place for one in build.left_out if one.place):
        count = sum(one.count for one in build.left_out if one.place == place)
        for section, where in NAMED.items():
            words = f"Count the {count} of “{place}” in {where}"
            change = partial(building.count_too, place=place, section=section)
            yield Fix(f"count/{section.value}/{place}", words, change)
    if deck_list.guessed:
        change = partial(building.part_at, line=deck_list.guessed, section=Section.MAIN)
        yield Fix("main", "No sideboard: all of it is the main deck", change)
    elif at_end := side_at_end(build, ruleset, deck_list.breaks):
        yield Fix("side", *at_end)


def side_at_end(
    build: Build, ruleset: DeckRuleset, breaks: Sequence[int] = ()
) -> tuple[str, Change] | None:
    """Return how a list without a sideboard has one: below a blank line, or beyond a full deck."""
    if any(entry.section is Section.SIDEBOARD and not entry.is_hero for entry in build.entries):
        return None
    in_main = [entry for entry in build.entries if entry.section is Section.MAIN]
    before = accumulate((entry.count for entry in in_main), initial=0)
    most = ruleset.sizes.get(Section.MAIN, (0, NO_END))[1]
    beyond = [entry.line for entry, count in zip(in_main, before, strict=False) if count >= most]
    if not (starts := breaks[-1:] or beyond[:1]):
        return None
    last = sum(entry.count for entry in in_main if entry.line >= starts[0])
    change = partial(building.part_at, line=starts[0], section=Section.SIDEBOARD)
    return f"Make the last {cards_in_words(last)} the sideboard", change


def best_types(report: Report) -> list[OutOfPlace]:
    return sorted(report.out_of_place, key=lambda option: (option.count, option.type))


def is_unparted(report: Report) -> bool:
    first, *others = (report.counts.get(section, 0) for section in LEVELS)
    return first > 0 and not any(others)
