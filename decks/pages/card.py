"""The page of a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from coalition_site.lib.pages import Page

from .. import legality, verdicts
from ..catalogue.known import KnownCard
from ..models import CardFace
from ..rules.rulesets import RULESETS, DeckRuleset
from ..verdicts import Verdict


@dataclass(frozen=True)
class Ruling:
    """What a ruleset says of a card today."""

    ruleset: DeckRuleset
    verdict: Verdict


@dataclass(kw_only=True)
class CardPage(Page):
    """A card with its faces, its affiliations, and what each ruleset says of it.

    ``as_of`` is the day of the cards, None if unknown.
    """

    template: ClassVar[str] = "decks/card.html"
    card: KnownCard
    faces: Sequence[CardFace]
    types: Sequence[str]
    rulings: Sequence[Ruling]
    today: date
    as_of: date | None


@dataclass(kw_only=True)
class NoCardPage(Page):
    """A name that no card has, with the closest that cards have."""

    template: ClassVar[str] = "decks/no_card.html"
    name: str
    closest: Sequence[str]


def card_page(card: KnownCard, today: date, as_of: date | None) -> CardPage:
    """Return the page of a card on a day."""
    return CardPage(
        card=card,
        faces=list(CardFace.objects.filter(card=card.pk).order_by("position")),
        types=sorted(card.types),
        rulings=list(_rulings(card, today)),
        today=today,
        as_of=as_of,
    )


def _rulings(card: KnownCard, today: date) -> Iterator[Ruling]:
    for ruleset in RULESETS.values():
        bans = legality.read_bans(ruleset, today)
        (verdict,) = verdicts.verdicts([card.name], ruleset, bans)
        yield Ruling(ruleset, verdict)
