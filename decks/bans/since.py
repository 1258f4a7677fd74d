"""Since which day a ban list keeps cards out of a deck, from the history of its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from .. import queries
from ..catalogue.known import KnownCard
from ..checking.legality import ResolvedList
from ..models import BanEntry, BanList, Card, Status
from ..queries import RULE_FIELDS
from ..rules.deck import Code, Report
from ..rules.rulesets import RULESETS
from . import page

A_DAY = timedelta(days=1)
BARS = (Code.BANNED, Code.NOT_IN_POOL)


@dataclass(frozen=True)
class Barred:
    """A card that a list keeps out since a day, by a ban or because an exemption ended."""

    card: KnownCard
    since: date
    entry: BanEntry


def barred(
    resolved: ResolvedList, report: Report, today: date, house: BanList | None = None
) -> dict[str, Barred]:
    """Return the cards that a house list, else the format's list, keeps out today, by name.

    Cards that were never legal are left out. Three queries, none for a deck without such cards.
    """
    names = {problem.card for problem in report.problems if problem.code in BARS}
    cards = [card for card in set(resolved.cards.values()) if card.name in names]
    ban_list = (house or queries.find_list(RULESETS[report.ruleset].format)) if cards else None
    entries = page.history(ban_list) if ban_list else []
    outside = {problem.card for problem in report.problems if problem.code == Code.NOT_IN_POOL}
    house_key = house.pk if house else None
    judged = (_barred(card, entries, card.name not in outside, today, house_key) for card in cards)
    return {barred.card.name: barred for barred in judged if barred}


def _barred(
    card: KnownCard, entries: Iterable[BanEntry], is_in_pool: bool, today: date, house: int | None
) -> Barred | None:
    of_card = [entry for entry in entries if entry.status != Status.WATCHED and covers(entry, card)]

    def is_out(on: date) -> bool:
        entry = page.deciding_entry(of_card, on, house)
        return entry.status == Status.BANNED if entry else not is_in_pool

    ended = [
        (entry.ends_on, entry) for entry in of_card if entry.ends_on and entry.ends_on <= today
    ]
    # The card's legality can only change on a day when an entry starts or ends.
    days = {entry.starts_on for entry in of_card} | {on for on, _ in ended}
    became_out = [on for on in days if on <= today and not (on > date.min and is_out(on - A_DAY))]
    _, last_ended = max(ended, key=lambda pair: pair[0], default=(None, None))
    entry = page.deciding_entry(of_card, today, house) or last_ended
    return Barred(card, max(became_out), entry) if became_out and entry else None


def covers(entry: BanEntry, card: Card | KnownCard) -> bool:
    """Return whether an entry is about a card, or about a group with it."""
    field = RULE_FIELDS.get(entry.rule)
    if field:
        return bool(getattr(card, field))
    return card.pk in (entry.card_id, *(named.pk for named in entry.cards.all()))
