"""The card catalogue, the ban lists with their history, and the decks with their revisions."""

from .announcements import TITLE_MAX, Announced, Announcement, AnnouncementLine
from .bans import FORMATS, NAMED_RULES, BanEntry, BanList, Playing, Rule, Status
from .cards import (
    NAME_MAX,
    NUMBER_MAX,
    POOL,
    Affiliation,
    Card,
    CardFace,
    CardImport,
    CatalogueVersion,
    CreatureType,
    Legality,
    check_creature_type,
)
from .decks import Deck, DeckLine, DeckRevision, today

__all__ = [
    "FORMATS",
    "NAMED_RULES",
    "NAME_MAX",
    "NUMBER_MAX",
    "POOL",
    "TITLE_MAX",
    "Affiliation",
    "Announced",
    "Announcement",
    "AnnouncementLine",
    "BanEntry",
    "BanList",
    "Card",
    "CardFace",
    "CardImport",
    "CatalogueVersion",
    "CreatureType",
    "Deck",
    "DeckLine",
    "DeckRevision",
    "Legality",
    "Playing",
    "Rule",
    "Status",
    "check_creature_type",
    "today",
]
