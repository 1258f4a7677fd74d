"""Decks and ban lists for tests: a deck of elves that is legal, and who edits lists."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from django.contrib.auth.models import Group, User
from django.utils import timezone

from decks import judging
from decks.apps import EDITORS
from decks.models import BanEntry, BanList, Deck, DeckLine, DeckRevision
from decks.rules.deck import Report
from decks.rules.rulesets import RULESETS

from .cards import given, record

TODAY = timezone.localdate()
YESTERDAY, TOMORROW = TODAY - timedelta(days=1), TODAY + timedelta(days=1)
ELVES = """4 Llanowar Elves
56 Forest

Sideboard
1 Ezuri, Claw of Progress
4 Elvish Mystic
5 Forest"""


def elves() -> None:
    """Bring the cards that decks of elves are made of."""
    given(
        record("Llanowar Elves"),
        record("Elvish Mystic"),
        record("Elvish Champion", reserved=True),
        record("Ezuri, Claw of Progress", "Legendary Creature — Elf Warrior"),
        record("Forest", "Basic Land — Forest"),
    )


def coalition() -> BanList:
    return BanList.objects.get(key="coalition")


def house(key: str = "tuesday") -> BanList:
    """Return a new house list on top of Coalition's."""
    return BanList.objects.create(
        key=key, name="Tuesday group", format="coalition", base=coalition()
    )


def register(name: str, *texts: str, ruleset: str = "coalition-906") -> Deck:
    """Return a registered deck; each text is a revision of it."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    code = f"deck{Deck.objects.count()}"
    deck = Deck.objects.create(code=code, name=name, key_hash="-", created_at=at)
    for number, text in enumerate(texts, 1):
        revision = DeckRevision.objects.create(
            deck=deck, number=number, text=text, ruleset=ruleset, created_at=at
        )
        found = judging.read(text, RULESETS[ruleset])
        DeckLine.objects.bulk_create(
            DeckLine(
                revision=revision,
                line=entry.line,
                count=entry.count,
                card=found.cards[entry.name],
                section=entry.section,
                is_hero=entry.is_hero,
            )
            for entry in found.deck_list.entries
            if entry.name in found.cards
        )
    return deck


def report(deck: Deck, on: date = TODAY) -> Report:
    """Return what judging says of a deck's latest revision on a day."""
    last = deck.revisions.last()
    assert last
    ruleset = RULESETS[last.ruleset]
    return judging.judge(judging.read(last.text, ruleset), ruleset, judging.read_bans(ruleset, on))


def said(ban_list: BanList) -> list[tuple[str, date, date | None]]:
    """Return all entries of a list, the oldest first: what, from when, until when."""
    entries = BanEntry.objects.filter(ban_list=ban_list).order_by("starts_on", "pk")
    return [(str(one), one.starts_on, one.ends_on) for one in entries]


def editor(name: str = "ed") -> User:
    """Return a new member of staff who edits ban lists."""
    user = User.objects.create_user(name, password="secret", is_staff=True)
    user.groups.add(Group.objects.get(name=EDITORS))
    return user
