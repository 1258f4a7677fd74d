"""The page of a deck, and that of checking a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from markupsafe import Markup

from coalition_site.lib.dates import day
from coalition_site.lib.keys import KEYS_MAX
from coalition_site.lib.pages import Page

from ..bans.since import BARS, Barred
from ..building.taps import PLACES
from ..checking.legality import ResolvedList
from ..forms import HouseForm
from ..models import BanList, Deck, DeckRevision, Status
from ..queries import Places
from ..record import SetResult
from ..rules.comparing import Difference
from ..rules.deck import Problem, Report
from ..rules.entries import Section
from ..rules.mends import Mend
from ..rules.rulesets import CONSPIRACY, RULESETS, DeckRuleset
from ..rules.writers import Line, write_arena, write_moxfield, write_mtgo
from .groups import CardGroup, Changed, group_titles
from .report import JudgedList

EXAMPLES = {
    "coalition": """Hero
1 Kaalia of the Vast

Deck
4 Scourge of Valkas
…

Sideboard
1 Boros Charm""",
    "conspiracy": """Deck
1 Palace Sentinels
17 Plains
…

Pool
1 Hold the Perimeter""",
    "realm-wars": """3 Innovation
2 Verena’s Charge""",
    "leveler": """50 cards
1 Llanowar Elves
20 Forest
…

30 cards
1 Giant Growth
…

20 cards
1 Naturalize""",
}
TEMPLATES = {
    "leveler": """# The library that you begin with: 30 cards besides these lands, no two the same
50 cards
20 Forest

# Shuffled in when the library is empty, or exiled at 10 damage: 18 more
30 cards
12 Forest

# Shuffled in when that is empty, or exiled at 20 damage: 12 more
20 cards
8 Forest
""",
}
"""Lists to begin a deck with, by ruleset: their parts, with lands."""

SITES = (("Moxfield", write_moxfield), ("Arena", write_arena), ("MTGO", write_mtgo))


@dataclass(kw_only=True)
class CheckPage(Page):
    """The form to check a list, and the report if a readable list was sent.

    ``typed`` is the form as sent, ``text`` the list in it; ``is_new_text`` says that it came from a
    file or a mend. ``is_empty`` says that nothing was pasted yet.
    ``asked`` is the coalition type that was chosen, None for the best fit.
    """

    template: ClassVar[str] = "decks/check.html"
    deck: Deck | None
    problem: str
    name_problem: str
    rulesets: Iterable[DeckRuleset]
    typed: Mapping[str, Any]
    text: str
    is_new_text: bool
    is_empty: bool
    judged: JudgedList | None = None
    mends: Sequence[tuple[Problem, Sequence[Mend]]] = ()
    asked: str | None = None
    house: BanList | None = None
    today: date
    has_cards: bool = True
    houses: Sequence[BanList] = ()
    is_signed_in: bool = False

    @property
    def placeholder(self) -> str:
        """An example of a list for the chosen ruleset."""
        chosen = RULESETS.get(self.typed.get("ruleset", ""))
        return EXAMPLES[chosen.format if chosen else "coalition"]

    @property
    def templates(self) -> list[tuple[str, str]]:
        """The lists to begin with: the name of each ruleset, and what a link asks of this page."""
        return [
            (RULESETS[key].name, urlencode({"ruleset": key, "text": text}))
            for key, text in TEMPLATES.items()
        ]

    def context(self) -> dict[str, Any]:
        computed = {"placeholder": self.placeholder, "templates": self.templates}
        return super().context() | computed


@dataclass(kw_only=True)
class ReportPart(CheckPage):
    """The report alone, which htmx puts into the page."""

    template: ClassVar[str] = "decks/_report.html"


@dataclass(kw_only=True)
class LockedPage(Page):
    """A deck that the visitor's browser has no key for."""

    template: ClassVar[str] = "decks/locked.html"
    deck: Deck


@dataclass(frozen=True)
class IllegalSince:
    """Which cards of a deck its ban list keeps out, a sentence for each."""

    title: str
    sentences: Sequence[str]


@dataclass(kw_only=True)
class Shown:
    """What all see of a revision; ``drawn`` is the part that taps change as readers see it."""

    judged: JudgedList
    legalities: Sequence[tuple[DeckRuleset, Report]]
    since: IllegalSince | None
    groups: Sequence[CardGroup]
    copies: Sequence[tuple[str, str]]
    mends: Sequence[tuple[Problem, Sequence[Mend]]]
    drawn: Markup | str = ""


@dataclass(kw_only=True)
class DeckPage(Page):
    """A revision of a deck, judged today.

    ``all_groups`` are the groups that the list has, and the empty ones where a tap may put a card.
    ``legalities`` are the reports under all rulesets of its format, ``copies`` the list for each of
    the other sites. ``secret`` is the link to change the deck, "" if the visitor has no key of it.
    ``mends`` are the problems, each with what would mend it; ``can_edit`` says whether taps may
    change the list. ``done`` is what a tap has done, ``problem`` why it was refused, and
    ``closest`` the cards that may have been meant.
    """

    template: ClassVar[str] = "decks/deck.html"
    deck: Deck
    revision: DeckRevision
    is_latest: bool
    revisions: Sequence[DeckRevision]
    results: Sequence[SetResult]
    address: str
    secret: str
    secret_qr: SafeString | str
    keys_max: int = KEYS_MAX
    form: HouseForm
    house: BanList | None
    houses: Sequence[BanList]
    shown: Shown
    places: Sequence[tuple[str, str]]
    may_change: bool
    may_take_in: bool
    is_own: bool
    problem: str = ""
    closest: Sequence[str] = ()
    done: str = ""
    messages: Iterable[Any] = ()

    def draw(self, request: HttpRequest) -> Markup:
        """Draw the part that taps change."""
        return Markup(render_to_string(EditorPart.template, self.context(), request))

    @property
    def can_edit(self) -> bool:
        return self.may_change and self.is_latest

    def context(self) -> dict[str, Any]:
        has_pool = self.revision.ruleset == CONSPIRACY.key
        return {
            **super().context(),
            **vars(self.shown),
            "can_edit": self.can_edit,
            "has_pool": has_pool,
            "all_groups": self._all_groups() if self.can_edit else self.shown.groups,
        }

    def _all_groups(self) -> list[CardGroup]:
        filled = {group.title: group for group in self.shown.groups}
        titles = group_titles(self.shown.judged.report)
        return [filled.get(title) or CardGroup(title, 0, ()) for title in titles]


@dataclass(kw_only=True)
class EditorPart(DeckPage):
    """All of a deck's page that a tap may change."""

    template: ClassVar[str] = "decks/_editor.html"


@dataclass(kw_only=True)
class TapAnswer(DeckPage):
    """What a tap on a row has changed, put in place of what is there: its buttons stay."""

    template: ClassVar[str] = "decks/_tapped.html"
    changed: Changed


@dataclass(kw_only=True)
class ComparePage(Page):
    """What differs between two revisions of a deck."""

    template: ClassVar[str] = "decks/compare.html"
    deck: Deck
    revisions: Sequence[DeckRevision]
    old: DeckRevision
    new: DeckRevision
    difference: Difference
    sections: Mapping[str, str] = field(default_factory=lambda: PLACES)
    rulesets: Mapping[str, DeckRuleset] = field(default_factory=lambda: RULESETS)


def exports(resolved: ResolvedList, report: Report) -> list[tuple[str, str]]:
    """Return the list in the format of each of the other sites, by the site's name."""
    if RULESETS[report.ruleset].by_name:
        return []
    lines = list(_lines(resolved, report))
    return [(site, write(lines)) for site, write in SITES]


def _lines(resolved: ResolvedList, report: Report) -> Iterator[Line]:
    for entry in resolved.deck_list.entries:
        card = resolved.cards.get(entry.name)
        name = card.name if card else entry.name
        is_split = card is not None and card.layout == "split"
        yield Line(
            entry.count,
            name,
            name.split(" // ")[0],
            entry.section,
            name == report.hero,
            is_split,
        )


def illegal_since(
    report: Report, barred: Mapping[str, Barred], revision: DeckRevision
) -> IllegalSince | None:
    """Return which cards of a deck its ban list keeps out, and since when the deck is illegal.

    The title gives a day only if the ban list is all that is wrong: since when a deck has other
    problems is not known.
    """
    if not barred:
        return None
    is_only_bans = all(
        problem.code in BARS and problem.card in barred for problem in report.problems
    )
    first = min(card.since for card in barred.values())
    title = "Kept out by the ban list:"
    if is_only_bans and first > timezone.localtime(revision.created_at).date():
        title = f"Illegal since {day(first)}, legal before:"
    elif is_only_bans:
        title = "Illegal since it was saved:"
    return IllegalSince(title, [_barred_sentence(barred[name]) for name in sorted(barred)])


def _barred_sentence(barred: Barred) -> str:
    name, entry, since = barred.card.name, barred.entry, day(barred.since)
    if entry.status == Status.ALLOWED:
        return f"{name} has not been allowed since {since}: its exemption ended."
    again = " again" if entry.starts_on < barred.since else ""
    reason = entry.reason or (entry.name if entry.rule else "")
    why = f": {reason.rstrip('.')}" if reason else ""
    return f"{name} has been banned{again} since {since}{why}."


def changes(before: Places, now: Places) -> list[str]:
    """Return what changed from a revision to the next, in words.

    >>> from collections import Counter
    >>> changes(Counter({("Elf", "main"): 4}), Counter({("Ox", "sideboard"): 1}))
    ['−4 Elf', '+1 Ox (sideboard)']
    """
    return [
        f"{'+' if now[place] > before[place] else '−'}{abs(now[place] - before[place])} {place[0]}"
        + ("" if place[1] == Section.MAIN else f" ({place[1]})")
        for place in sorted({*before, *now})
        if now[place] != before[place]
    ]
