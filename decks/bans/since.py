"""Since which day a ban list keeps cards out of a deck, from the history of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from .. import queries
from ..legality import Read
from ..models import BanEntry, BanList, Card, Status
from ..queries import RULE_FIELDS
from ..rules.deck import Code, Report
from ..rules.rulesets import RULESETS
from . import page

A_DAY = timedelta(days=1)
BARS = (Code.BANNED, Code.NOT_IN_POOL)


@dataclass(frozen=True)
class Barred:
    """A card that a list keeps out: since when, by a ban or by an exemption that ended."""

    card: Card
    since: date
    entry: BanEntry


def barred(
    found: Read, report: Report, today: date, house: BanList | None = None
) -> dict[str, Barred]:
    """Return which cards a format's list, or a house's, keeps out today, by name.

    Without those that no entry ever let in. Three queries, none for a deck without such cards.
    """
    names = {problem.card for problem in report.problems if problem.code in BARS}
    cards = [card for card in set(found.cards.values()) if card.name in names]
    ban_list = (house or queries.find_list(RULESETS[report.ruleset].format)) if cards else None
    entries = page.history(ban_list) if ban_list else []
    outside = {problem.card for problem in report.problems if problem.code == Code.NOT_IN_POOL}
    first = house.pk if house else None
    judged = (_barred(card, entries, card.name not in outside, today, first) for card in cards)
    return {one.card.name: one for one in judged if one}


def _barred(
    card: Card, entries: Iterable[BanEntry], is_in_pool: bool, today: date, house: int | None
) -> Barred | None:
    said = [one for one in entries if one.status != Status.WATCHED and _means(one, card)]

    def is_out(on: date) -> bool:
        entry = page.counting(said, on, house)
        return entry.status == Status.BANNED if entry else not is_in_pool

    ended = [(one.ends_on, one) for one in said if one.ends_on and one.ends_on <= today]
    days = {one.starts_on for one in said} | {on for on, _ in ended}
    turns = [on for on in days if on <= today and not (on > date.min and is_out(on - A_DAY))]
    _, last = max(ended, key=lambda one: one[0], default=(None, None))
    by = page.counting(said, today, house) or last
    return Barred(card, max(turns), by) if turns and by else None


def _means(entry: BanEntry, card: Card) -> bool:
    field = RULE_FIELDS.get(entry.rule)
    named = [entry.card, *entry.cards.all()]
    return getattr(card, field) if field else card in named
