"""The deck check for cards that are in no catalogue: by the names on the list alone (004)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .deck import Bans, Card, Code, Line, Problem, Report
from .entries import Entry, Section
from .names import name_key
from .ordering import Copies, banned, by_card, copies_in_words, in_order
from .rulesets import DeckRuleset


def judge(
    ruleset: DeckRuleset, entries: Sequence[Entry], bans: Bans, unread: Sequence[Problem]
) -> Report:
    """Return the report on a deck: nothing banned, and one copy of what is restricted."""
    cards = by_card(_lines(entries))
    problems = [problem for copies in cards for problem in _of_card(copies, bans)]
    count = sum(entry.count for entry in entries)
    return Report(
        ruleset=ruleset.key,
        counts={Section.MAIN.value: count},
        problems=in_order([], [*unread, *problems]),
    )


def _lines(entries: Iterable[Entry]) -> Iterator[Line]:
    """Yield the entries as cards: names that differ in case or accents are the same card's."""
    names: dict[str, str] = {}
    for entry in entries:
        name = names.setdefault(name_key(entry.name), entry.name)
        yield Line(entry.line, entry.count, Card(name=name), entry.section)


def _of_card(copies: Copies, bans: Bans) -> Iterator[Problem]:
    key = name_key(copies.card.name)
    if ban := bans.banned.get(key):
        yield banned(copies, ban)
    elif (limit := bans.restricted.get(key)) and copies.count > 1:
        why = f" ({limit.reason.rstrip('.')})" if limit.reason else ""
        yield copies.problem(
            Code.RESTRICTED,
            f"{copies_in_words(copies.count)} of {copies.card.name}: it is restricted{why}, so a "
            f"deck has one copy of it at most. Take out {copies.count - 1}.",
        )
