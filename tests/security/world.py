"""A small world with one of everything: every address leads to something, for every role."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from decks.models import BanEntry, Card, CreatureType, Deck, Status
from scoring import access
from scoring.groups.evenings import commands as evenings
from scoring.groups.people import players
from scoring.groups.settings import commands as settings
from scoring.models import GameSet, Playgroup
from scoring.record import commands as tables
from scoring.record import seating
from scoring.rules.formats import COALITION_906
from scoring.rules.moves import Draw
from tests.decks.admin import test_access as admin
from tests.decks.cards import card
from tests.decks.lists import coalition
from tests.scoring.grouped import group
from tests.scoring.groups import test_access as of_groups
from tests.scoring.groups.visitors import account
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import everything, record
from tests.scoring.test_access import fill, patterns

KEY = "the-key-of-the-walled-table"
COUNTED = {"AccessAttempt", "Session"}  # wrong passwords are counted, and who signs in has one


@dataclass(frozen=True)
class World:
    """A quick table, a playgroup with a table, and all that stands around them.

    ``addresses`` are all of the site with their names, each of something that is there.
    """

    table: GameSet
    group: Playgroup
    kept: dict[str, Model]  # what the admin shows
    addresses: list[tuple[str, str]]

    def clients(self, **options: Any) -> dict[str, Client]:
        found = {"stranger": Client(**options), "key": Client(**options)}
        for name in ("key-", "deck-"):
            found["key"].cookies[name + self.table.code] = KEY
        for role in ("signed in", "member", "scorekeeper", "owner", "editor", "superuser"):
            found[role] = Client(**options)
            found[role].force_login(User.objects.get(username=role))
        return found


def _addresses(
    table: GameSet, group: Playgroup, kept: dict[str, Model]
) -> Iterator[tuple[str, str]]:
    for pattern in patterns():
        yield str(pattern.name), fill(pattern, table)
    for pattern in patterns(of_groups=True):
        yield str(pattern.name), of_groups.fill(pattern, group)
    for name in admin.STATUSES:
        yield f"admin:{name}", admin.fill(name, kept)


def build(names: Sequence[str] = ("Ann", "Bo", "Cy")) -> World:
    """Make the world; the accounts are called as their roles, and ``names`` sit at the table."""
    elf, home, now = card("Llanowar Elves"), group("Thursday"), timezone.now()
    for role in ("member", "scorekeeper", "owner"):
        account(role, home, role)
    account("signed in")
    account("editor").groups.set(Group.objects.filter(name="Ban list editors"))
    User.objects.create_superuser("superuser")
    _furnish(home, elf)
    table = tables.create_set(COALITION_906, list(names), key=KEY, seed=1)
    tables.start_game(table, 1, first=ANN)
    record(table, hit(ANN, BO, 3))
    deck = Deck.objects.create(
        code=table.code, name="Elves", key_hash=access.key_hash(KEY), created_at=now
    )
    deck.revisions.create(number=1, text="4 Llanowar Elves", ruleset="leveler", created_at=now)
    kept: dict[str, Model] = {
        "banentry": BanEntry.objects.get(),
        "banlist": coalition(),
        "card": elf,
        "creaturetype": CreatureType.objects.get(name="Elf"),
        "deck": deck,
        "group": Group.objects.get(),
        "user": User.objects.get(username="signed in"),
    }
    return World(table, home, kept, list(_addresses(table, home, kept)))


def _furnish(home: Playgroup, elf: Card) -> None:
    players.claim(seating.add_player(home, "Ann"), account("signed in"))
    settings.invite(home, "member", 7, key=of_groups.INVITED)
    today = timezone.localdate()
    settings.add_season(
        home, "Spring", today.replace(month=3, day=1), today.replace(month=5, day=31)
    )
    settings.ban(home, elf, Status.BANNED, "", today, account("owner"))
    for is_done in (True, False):
        table = tables.create_set(COALITION_906, ["Bo", "Cy"], playgroup=home, seed=1)
        tables.start_game(table, 1, first=1)
        if is_done:
            record(table, Draw())
            tables.call_set(table)
    evening = evenings.create_evening(home, "Club", COALITION_906, rounds=2, usual_size=3)
    evenings.arrive(evening, ["Ann", "Bo", "Cy"])
    evenings.pair_round(evening)


def rows() -> dict[str, Any]:
    return {name: found for name, found in everything().items() if name not in COUNTED}
