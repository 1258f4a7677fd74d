"""The deck check: it reports every problem at once, each with what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from . import by_name, coalition, conspiracy, leveler
from .deck import Bans, Code, Line, Problem, Report
from .entries import BadLine, DeckList, Entry, Section
from .names import name_key
from .rulesets import ConspiracyDeck, DeckRuleset, LevelerDeck, RealmWarsDeck


def judge(
    ruleset: DeckRuleset,
    deck_list: DeckList,
    lines: Sequence[Line],
    bans: Bans,
    *,
    unknown: Iterable[tuple[Entry, Sequence[str]]] = (),
    hero: str | None = None,
    coalition_type: str | None = None,
    every_type: Collection[str] = (),
) -> Report:
    """Return the report on a deck under a ruleset.

    ``lines`` are the entries of ``deck_list`` whose card is in the catalogue; the others are
    ``unknown``, each with the closest names. ``hero`` and ``coalition_type`` override what the list
    says. ``every_type`` are the types to choose from under a hero that has every creature type.
    """
    bad_lines = [*map(_bad_line, deck_list.bad_lines)]
    if isinstance(ruleset, RealmWarsDeck):
        return by_name.judge(ruleset, deck_list.entries, bans, bad_lines)
    unread = [*bad_lines, *_all_unknown(unknown)]
    counts = _counts(deck_list.entries)
    if isinstance(ruleset, ConspiracyDeck):
        return conspiracy.judge(ruleset, lines, bans, counts, unread)
    if isinstance(ruleset, LevelerDeck):
        return leveler.judge(ruleset, lines, bans, counts, unread)
    return coalition.judge(
        ruleset,
        lines,
        bans,
        counts,
        unread,
        hero,
        deck_list.marks_hero,
        coalition_type,
        frozenset(every_type),
    )


def _counts(entries: Iterable[Entry]) -> dict[Section, int]:
    counts = dict.fromkeys(Section, 0)
    for entry in entries:
        counts[entry.section] += entry.count
    return counts


def _bad_line(bad: BadLine) -> Problem:
    return Problem(Code.BAD_LINE, bad.problem, line=bad.line)


def _all_unknown(unknown: Iterable[tuple[Entry, Sequence[str]]]) -> Iterator[Problem]:
    """Yield each unknown name once, at its first line."""
    reported: set[str] = set()
    for entry, closest in unknown:
        key = name_key(entry.name)
        if key not in reported:
            reported.add(key)
            yield _unknown(entry, closest)


def _unknown(entry: Entry, closest: Sequence[str]) -> Problem:
    hint = f" Did you mean {' or '.join(closest)}?" if closest else " Check the spelling."
    return Problem(
        Code.UNKNOWN_CARD, f"No card is called “{entry.name}”.{hint}", entry.name, entry.line
    )
