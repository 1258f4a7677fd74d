"""The page of a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from django.http import HttpRequest
from markupsafe import Markup

from coalition_site.lib.pages import Page

from .. import access, queries, record
from ..bans import history
from ..bans.history import Standing
from ..catalogue import memory
from ..catalogue.affiliations import printed
from ..catalogue.known import Catalogue, KnownCard
from ..checking import verdicts
from ..checking.verdicts import Verdict
from ..counted import EVIDENCE
from ..models import BanList, CardFace, Deck
from ..record import SetResult
from ..rules import in_a_deck
from ..rules.affiliations import Extractor, Mention
from ..rules.evidence import Sums
from ..rules.rulesets import OF_CARDS, DeckRuleset
from .symbols import symbols

RESULTS_MAX = 10  # listed on a card's page


@dataclass(frozen=True)
class PrintedFace:
    """A face of a card, with the words marked that give affiliations."""

    face: CardFace
    type_line: Markup
    text: Markup


@dataclass(frozen=True)
class Ruling:
    """What a ruleset says of a card today, and what its ban list says; None if it has no list."""

    ruleset: DeckRuleset
    verdict: Verdict
    standing: Standing | None


@dataclass(kw_only=True)
class CardPage(Page):
    """A card with its faces, its affiliations, and what each ruleset says of it.

    ``houses`` are the lists of playgroups that the visitor may find and that say something else
    than their format's. ``own`` are the visitor's decks with it, ``played`` the latest results of
    decks with it, and ``evidence`` is how they all did.
    """

    template: ClassVar[str] = "decks/card.html"
    card: KnownCard
    faces: Sequence[PrintedFace]
    types: Sequence[str]
    rulings: Sequence[Ruling]
    houses: Sequence[Standing]
    sentences: Sequence[str]
    in_leveler: str
    own: Sequence[Deck]
    played: Sequence[SetResult]
    evidence: Sequence[tuple[str, Sums]]
    as_of: date | None


@dataclass(kw_only=True)
class NoCardPage(Page):
    """A name that no card has, with the closest that cards have."""

    template: ClassVar[str] = "decks/no_card.html"
    name: str
    closest: Sequence[str]


def card_page(request: HttpRequest, card: KnownCard, catalogue: Catalogue, today: date) -> CardPage:
    """Return the page of a card of the catalogue on a day."""
    houses = access.house_lists(request)
    standings = _standings(card, [*queries.format_lists().values(), *houses], today)
    return CardPage(
        card=card,
        faces=_faces(card, catalogue.extractor),
        types=sorted(card.types),
        rulings=list(_rulings(card, standings, today)),
        houses=[
            standings[house.pk]
            for house in houses
            if house.base_id and standings[house.pk].status != standings[house.base_id].status
        ],
        sentences=list(in_a_deck.sentences(card)),
        in_leveler=in_a_deck.in_leveler(card),
        own=queries.decks_with(card.pk, access.own_decks(request)),
        played=_played(request, card),
        evidence=_evidence(card),
        as_of=catalogue.as_of,
    )


def _faces(card: KnownCard, extractor: Extractor) -> list[PrintedFace]:
    faces = list(CardFace.objects.filter(card=card.pk).order_by("position"))
    mentions = extractor.mentions_of(printed(faces))
    return [
        PrintedFace(
            face,
            marked(face.type_line, extractor.on_line(face.type_line)),
            marked(face.oracle_text, of_face),
        )
        for face, of_face in zip(faces, mentions, strict=True)
    ]


def marked(text: str, mentions: Iterable[Mention]) -> Markup:
    """Return a card's text with the words marked that give affiliations."""
    pieces, end = [], 0
    for mention in mentions:
        pieces.append(symbols(text[end : mention.start]))
        words = text[mention.start : mention.end]
        mark = Markup('<mark title="Affiliation: {}">{}</mark>')
        pieces.append(mark.format(", ".join(mention.types), words))
        end = mention.end
    return Markup("").join([*pieces, symbols(text[end:])])


def _standings(card: KnownCard, lists: Sequence[BanList], today: date) -> dict[int, Standing]:
    """Return what ban lists say of a card, by the primary keys of the lists."""
    standings = history.standings(card, lists, today)
    return {standing.ban_list.pk: standing for standing in standings}


def _rulings(card: KnownCard, standings: Mapping[int, Standing], today: date) -> Iterator[Ruling]:
    of_format = {
        standing.ban_list.format: standing
        for standing in standings.values()
        if not standing.ban_list.base_id
    }
    bans = memory.BAN_LISTS.now()
    for ruleset in OF_CARDS.values():
        entries = bans.entries(ruleset.format, None, today)
        verdict = verdicts.verdict(card.name, card, ruleset, entries)
        yield Ruling(ruleset, verdict, of_format.get(ruleset.format))


def _evidence(card: KnownCard) -> list[tuple[str, Sums]]:
    """Return how decks did with a card and without it; none for a card that all decks have."""
    if card.is_basic:
        return []
    having, others = EVIDENCE.now(card.pk)
    return [("With it", having), ("Without it", others)]


def _played(request: HttpRequest, card: KnownCard) -> list[SetResult]:
    results = record.results_with(request, card.pk)
    results = results.select_related("game_set__playgroup", "seat__deck__deck")
    return list(results.order_by("-finished_at", "pk")[:RESULTS_MAX])
