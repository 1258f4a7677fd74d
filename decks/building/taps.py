"""Taps on a deck: a card more, a card less, or a mend, each with what it makes of the deck."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.utils import timezone

from coalition_site.lib.forms import DAMAGED
from coalition_site.lib.refusals import Refused
from coalition_site.lib.texts import is_showable

from ..catalogue import memory
from ..catalogue.known import KnownCard
from ..checking import legality
from ..checking.legality import ResolvedList
from ..models import BanList, DeckRevision
from ..rules import building, mends
from ..rules.building import Build, Change
from ..rules.deck import Problem, Report
from ..rules.entries import LEVELS, Section, displayable
from ..rules.mends import Mend, Mends
from ..rules.rulesets import (
    RULESETS,
    CoalitionDeck,
    ConspiracyDeck,
    DeckRuleset,
    LevelerDeck,
    sizes,
)
from .builds import Opened, build_of

PLACES = {section.value: name for section, name in mends.NAMES.items()} | {building.HERO: "hero"}

IN_POOL = {Section.MAIN.value: "deck", Section.SIDEBOARD.value: "rest of the pool"}


class UnknownCard(Refused):
    """No card has a name; ``closest`` are names that may be meant."""

    def __init__(self, name: str, closest: tuple[str, ...]) -> None:
        hint = f" Did you mean {' or '.join(closest)}?" if closest else " Check the spelling."
        super().__init__(f"No card is called “{name}”.{hint}")
        self.closest = closest


class NotNeeded(Refused):
    """A mend that the deck does not need any more."""


def known_card(name: str) -> KnownCard:
    """Return a card by its name, as people write it. Two queries at most.

    :raises UnknownCard: if there is none.
    """
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([name]).get(name) if is_showable(name) else None
    if card is None:
        raise UnknownCard(displayable(name), tuple(catalogue.closest([name])[name]))
    return card


def copies_in_words(revision: DeckRevision, card: KnownCard) -> str:
    """Return how often and where a deck has a card, "" if it has none. One query."""
    counts: dict[str, int] = {}
    for section, is_hero, count in revision.lines.filter(card=card.pk).values_list(
        "section", "is_hero", "count"
    ):
        place = building.HERO if is_hero else section
        counts[place] = counts.get(place, 0) + count
    return " and ".join(
        "the hero" if place == building.HERO else f"{count} in {mends.in_words(Section(place))}"
        for place, count in counts.items()
    )


@dataclass(frozen=True)
class Add:
    """Copies of a card to add at a place, or the card as the hero."""

    card: KnownCard
    place: str
    count: int = 1

    @property
    def words(self) -> str:
        """What it does, as mends say it."""
        if self.place == building.HERO:
            return f"Make {self.card.name} the hero"
        return f"Add {self.count} {self.card.name}"

    def change(self, opened: Opened) -> Build:
        place = _fitting(opened, self.place, self.count)
        if place is None:
            raise Refused("This deck has no such part. Choose where to add the card.")
        return building.add_at(opened.build, self.card.name, place, self.count)


def _fitting(opened: Opened, place: str, count: int) -> str | None:
    """Return where a card goes, None if decks of this format have no such place.

    The main deck of Leveler is the first sub-deck with room.
    """
    if place == Section.MAIN and isinstance(opened.ruleset, LevelerDeck):
        return next((level for level in LEVELS if _has_room(opened, level, count)), LEVELS[-1])
    fits = place in sizes(opened.ruleset) or (
        place == building.HERO and isinstance(opened.ruleset, CoalitionDeck)
    )
    return place if fits else None


def _has_room(opened: Opened, section: Section, count: int) -> bool:
    cards = sum(entry.count for entry in opened.build.entries if entry.section is section)
    return cards + count <= sizes(opened.ruleset)[section][1]


@dataclass(frozen=True)
class Step:
    """A copy of a card in a section more, less or moved, as the buttons of its row make it."""

    change_build: Change

    def change(self, opened: Opened) -> Build:
        return self.change_build(opened.build)


@dataclass(frozen=True)
class Mending:
    """A mend by its key, if the deck still needs it by the bans that the page showed."""

    key: str
    house: BanList | None = None

    def mend(self, opened: Opened) -> Mend:
        """Return what the key names.

        :raises NotNeeded: if the deck does not need it any more.
        """
        for _, options in mends_for(opened, judge(opened, self.house)).by_problem():
            for mend in options:
                if mend.key == self.key:
                    return mend
        raise NotNeeded("The deck has changed, and does not need that any more.")


def mends_for(opened: Opened, report: Report) -> Mends:
    """Return the mends for an opened list with its report."""
    resolved = opened.resolved
    bad_lines = resolved.deck_list.bad_lines
    return Mends(opened.ruleset, opened.build, resolved.lines, bad_lines, report, resolved.closest)


def mends_of(
    resolved: ResolvedList, ruleset: DeckRuleset, report: Report, coalition_type: str
) -> list[tuple[Problem, list[Mend]]]:
    """Return the problems of a list, each with what would mend it if its lines can be read."""
    try:
        opened = Opened(ruleset, resolved, build_of(resolved, coalition_type))
        return mends_for(opened, report).by_problem()
    except Refused:  # hardly any of its lines can be read
        return [(problem, []) for problem in report.problems]


Tap = Add | Step | Mending


def judge(opened: Opened, house: BanList | None) -> Report:
    """Return the report on an opened revision, by a house list or the format's. A query."""
    bans = legality.read_bans(opened.ruleset, timezone.localdate(), house)
    chosen = opened.build.coalition_type or None
    return legality.judge(opened.resolved, opened.ruleset, bans, coalition_type=chosen)


def read(what: str, of: str, house: BanList | None = None) -> Step | Mending:
    """Return the tap that a form describes.

    :raises Refused: if it describes none.
    """
    if what == "mend":
        return Mending(of, house)
    section, name = _section(of), of.partition(":")[2]
    if what == "move":
        if section not in building.OTHER:
            raise Refused(DAMAGED)
        return Step(partial(building.move, name=name, source=section))
    if what == "less":
        return Step(partial(building.take_out, name=name, count=1, sections=[section]))
    return Step(partial(building.add, name=known_card(name).name, section=section))


def _section(of: str) -> Section:
    """Return the section that a tap on a row names.

    :raises Refused: if it names none.
    """
    try:
        return Section(of.partition(":")[0])
    except ValueError:
        raise Refused(DAMAGED) from None


def places_of(ruleset: str) -> list[tuple[str, str]]:
    """Return where cards can be added to a deck of a ruleset, each with its name.

    >>> places_of("coalition-906")
    [('main', 'main deck'), ('sideboard', 'sideboard'), ('hero', 'hero')]
    """
    rules = RULESETS[ruleset]
    if rules.by_name:  # nothing looks them up
        return []
    names = PLACES | IN_POOL if isinstance(rules, ConspiracyDeck) else PLACES
    heroes = [building.HERO] if isinstance(rules, CoalitionDeck) else []
    return [(str(place), names[place]) for place in [*sizes(rules), *heroes]]
