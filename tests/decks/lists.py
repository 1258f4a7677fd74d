"""Decks and ban lists for tests: a deck of elves that is legal, and who edits lists."""

from collections.abc import Iterable
from datetime import date, timedelta

from django.contrib.auth.models import Group, User
from django.utils import timezone

from decks.apps import EDITORS
from decks.bans import commands
from decks.decks import legality
from decks.decks.commands import save_deck, save_revision
from decks.models import (
    BanEntry,
    BanList,
    Card,
    Deck,
    DeckRevision,
    NamedCard,
    Rule,
    Subject,
)
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


def register(name: str, text: str, *later: str, ruleset: str = "coalition-906") -> Deck:
    """Return a registered deck; each text is a revision of it."""
    first, *others = (
        (DeckRevision(text=each, ruleset=ruleset), legality.read(each, RULESETS[ruleset]))
        for each in (text, *later)
    )
    deck = save_deck(name, *first, key=name)
    for revised in others:
        save_revision(deck, name, *revised)
    return deck


def report(deck: Deck, on: date = TODAY) -> Report:
    """Return what judging says of a deck's latest revision on a day."""
    last = deck.revisions.last()
    assert last
    ruleset = RULESETS[last.ruleset]
    return legality.judge(
        legality.read(last.text, ruleset), ruleset, legality.read_bans(ruleset, on)
    )


def put(
    name: str,
    status: str,
    on: date,
    reason: str = "",
    *,
    ban_list: BanList | None = None,
    by: User | None = None,
    cards: Iterable[str] = (),
) -> BanEntry:
    """Let a list, or else Coalition's, say something of a card, a rule or a name from a day on."""
    to = ban_list or coalition()
    subject: Subject = Rule(name) if name in Rule.values else NamedCard(name)
    if not (name in Rule.values or to.is_by_name):
        subject = Card.objects.get(name=name)
    named = Card.objects.filter(name__in=cards)
    return commands.ban(to, subject, status, reason, on, by, named)


def entries_in(ban_list: BanList) -> list[tuple[str, date, date | None]]:
    """Return all entries of a list, the oldest first: what, from when, until when."""
    entries = BanEntry.objects.filter(ban_list=ban_list).order_by("starts_on", "pk")
    return [(str(one), one.starts_on, one.ends_on) for one in entries]


def editor(name: str = "ed", password: str | None = None) -> User:
    """Return a new account that edits ban lists; it is none of the staff."""
    user = User.objects.create_user(name, password=password)
    user.groups.add(Group.objects.get(name=EDITORS))
    return user
