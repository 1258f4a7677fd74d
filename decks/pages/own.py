"""The page of one's own decks: each judged today, with what a ban has hit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from coalition_site.lib.pages import Page

from .. import queries
from ..bans.since import BARS
from ..checking import legality
from ..models import Deck, DeckRevision
from ..rules.deck import Report
from ..rules.rulesets import RULESETS, DeckRuleset


@dataclass(frozen=True)
class OwnDeck:
    """A deck with its verdict of today; ``hits`` say what the ban list keeps out of it.

    ``report`` is None for a list that can't be read. ``is_free`` says that it is in no account.
    """

    deck: Deck
    revision: DeckRevision
    ruleset: DeckRuleset
    report: Report | None
    hits: Sequence[str]

    @property
    def is_empty(self) -> bool:
        return not self.revision.text.strip()

    @property
    def is_free(self) -> bool:
        return self.deck.owner_id is None


@dataclass(kw_only=True)
class MyDecksPage(Page):
    """The decks that the visitor may change, a page of them."""

    template: ClassVar[str] = "decks/mine.html"
    rows: Sequence[OwnDeck]
    number: int
    pages: int
    is_signed_in: bool
    messages: Iterable[Any]


def own_rows(decks: Sequence[Deck], on: date) -> list[OwnDeck]:
    """Return decks with their verdicts on a day, in their order.

    Five queries and those that a list judges by, however many decks there are.
    """
    latest = queries.latest_revisions(decks)
    read = dict(legality.read_all(latest.values()))
    bans = {
        ruleset.format: legality.read_bans(ruleset, on)
        for ruleset in {RULESETS[revision.ruleset] for revision in latest.values()}
    }
    rows = []
    for deck in decks:
        revision = latest[deck.pk]
        ruleset = RULESETS[revision.ruleset]
        report = None
        if revision in read:
            chosen = revision.coalition_type or None
            report = legality.judge(
                read[revision], ruleset, bans[ruleset.format], coalition_type=chosen
            )
        rows.append(OwnDeck(deck, revision, ruleset, report, _hits(report)))
    return rows


def _hits(report: Report | None) -> list[str]:
    problems = report.problems if report else ()
    return [problem.message for problem in problems if problem.code in BARS]
