"""Deck lists as builds, which are changed card by card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from coalition_site.lib.refusals import Refused

from ..catalogue.known import KnownCard
from ..checking import legality
from ..checking.legality import ResolvedList
from ..models import DeckRevision
from ..rules.building import Build
from ..rules.entries import BAD_LINES_MAX
from ..rules.rulesets import RULESETS, DeckRuleset

TOO_MANY_BAD = "Too many lines of this list can't be read. Change the list as text first."


@dataclass(frozen=True)
class Opened:
    """A list, opened to change it."""

    ruleset: DeckRuleset
    resolved: ResolvedList
    build: Build


def open_revision(revision: DeckRevision) -> Opened:
    """Return a revision opened to change it.

    :raises Refused: if so many lines can't be read that the text would not survive it.
    """
    ruleset = RULESETS[revision.ruleset]
    resolved = legality.read_saved(revision.text, ruleset)
    return Opened(ruleset, resolved, build_of(resolved, revision.coalition_type))


def build_of(resolved: ResolvedList, coalition_type: str) -> Build:
    """Return a list as a build, with the full names of its cards.

    :raises Refused: if so many lines can't be read that the text would not survive it.
    """
    bad_lines = resolved.deck_list.bad_lines
    if len(bad_lines) > BAD_LINES_MAX:
        raise Refused(TOO_MANY_BAD)
    return Build(
        tuple(
            replace(entry, name=full_name(resolved.cards, entry.name))
            for entry in resolved.deck_list.entries
        ),
        tuple(line.text for line in bad_lines),
        coalition_type,
        resolved.deck_list.left_out,
    )


def full_name(cards: Mapping[str, KnownCard], name: str) -> str:
    """Return a card's name in the catalogue, or an unknown name as it was written."""
    return cards[name].name if name in cards else name
