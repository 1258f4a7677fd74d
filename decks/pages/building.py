"""The pages on which decks are begun and cards are added to them, and the list of one's decks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from coalition_site.lib.pages import Page

from ..models import Deck
from ..rules.rulesets import DeckRuleset


@dataclass(kw_only=True)
class NewDeckPage(Page):
    """The form that begins a deck; ``card`` is what it is begun for, "" for none."""

    template: ClassVar[str] = "decks/new.html"
    card: str
    problem: str
    typed: Mapping[str, Any]
    rulesets: Iterable[DeckRuleset]
    is_signed_in: bool


@dataclass(kw_only=True)
class AddCardPage(Page):
    """Where a card can be added: to which of ``decks``, at which of ``places`` of ``deck``.

    ``name`` is the card's, or what was typed; ``closest`` are names that may be meant instead.
    ``has`` says what of the card the deck has, ``back`` is the page that the visitor came from.
    """

    template: ClassVar[str] = "decks/add.html"
    decks: Sequence[Deck]
    deck: Deck | None
    name: str
    places: Sequence[tuple[str, str]]
    place: str
    has: str
    back: str
    problem: str
    closest: Sequence[str]


@dataclass(kw_only=True)
class Added(Page):
    """What a deck has of a card now, beside the button that added it."""

    template: ClassVar[str] = "decks/_added.html"
    deck: Deck
    card: str
    has: str


@dataclass(kw_only=True)
class NotAdded(Page):
    """Why a card was not added, beside the button."""

    template: ClassVar[str] = "decks/_not_added.html"
    problem: str
