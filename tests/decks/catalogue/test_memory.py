"""What a process remembers of cards and ban lists is never older than the database."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction

from decks import versions
from decks.bans import commands
from decks.catalogue import affiliations, importing, known, memory
from decks.catalogue.files import BrokenCardFile
from decks.catalogue.known import Catalogue
from decks.catalogue.memory import CATALOGUE, BanLists
from decks.decks import legality
from decks.models import Affiliation, BanEntry, Card, CatalogueVersion, CreatureType
from decks.rules.affiliations import Affiliations
from decks.rules.rulesets import RULESETS

from ..cards import given, record
from ..lists import TODAY, TOMORROW, YESTERDAY, coalition

COALITION = RULESETS["coalition-906"]
GOBLIN = Affiliations(frozenset({"Goblin"}))


def elf_types() -> list[str]:
    """Return the types of the Elf, as checks see them."""
    return sorted(CATALOGUE.now().find(["Elf"])["Elf"].types)


def banned(on: date = TODAY) -> list[str]:
    """Return the reasons in the list of the format, as checks see them."""
    return [entry.reason for entry in legality.read_bans(COALITION, on)]


def sql(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def elf() -> Card:
    return Card.objects.get(key="elf")


WRITERS: dict[str, tuple[Callable[[], object], list[str] | None]] = {
    "an import": (lambda: given(record("Elf", "Creature — Goblin")), ["Goblin"]),
    "an editor": (lambda: affiliations.override(elf(), GOBLIN, "It is green."), ["Goblin"]),
    "SQL, of the key": (lambda: sql("UPDATE decks_card SET front_key = 'x', key = 'y'"), None),
}


@pytest.mark.django_db
@pytest.mark.parametrize("who", WRITERS)
def test_a_change_of_a_card_is_seen_by_the_next_check_whoever_makes_it(who):
    given(record("Elf"))
    change, types = WRITERS[who]
    assert elf_types() == ["Elf"]

    change()

    if types is None:
        assert CATALOGUE.now().find(["Elf"]) == {}
    else:
        assert elf_types() == types


@pytest.mark.django_db
def test_every_table_that_a_check_reads_draws_a_number_when_it_changes():
    given(record("Elf"), record("Goblin"))
    entry = commands.ban(coalition(), elf(), "banned", "", YESTERDAY, None)
    entry.cards.add(elf())
    tables = {table: part for part, tables in versions.PARTS.items() for table in tables}
    changes = {
        **{f"UPDATE {table} SET id = id": part for table, part in tables.items()},
        "DELETE FROM decks_banentry_cards": "bans",
        "DELETE FROM decks_banentry": "bans",
        "DELETE FROM decks_affiliation": "cards",
        "DELETE FROM decks_cardface": None,
    }

    drawn = []
    for statement in changes:
        before = {part: versions.current(part) for part in versions.PARTS}
        sql(statement)
        drawn.append([part for part in versions.PARTS if versions.current(part) != before[part]])

    assert drawn == [[part] if part else [] for part in changes.values()]


@pytest.mark.django_db
def test_a_row_that_is_inserted_unless_it_is_there_draws_a_number():
    """SQLite lets the policy of such an INSERT rule what its triggers do."""
    (card,) = given(record("Elf"))
    goblin = CreatureType.objects.get(name="Goblin")
    before = versions.current("cards")

    Affiliation.objects.bulk_create(
        [Affiliation(card=card, creature_type=goblin)], ignore_conflicts=True
    )

    assert versions.current("cards") != before


def put_right(card: Card, name: str) -> None:
    affiliations.override(card, Affiliations(frozenset({name})), "So it is.")


@pytest.mark.parametrize("around", [nullcontext, transaction.atomic])
def test_what_was_rolled_back_is_not_remembered(transactional_db, around):
    """A counter would give the number of the first change to the second."""
    (card,) = given(record("Elf"))
    assert elf_types() == ["Elf"]

    with around():
        with transaction.atomic():
            put_right(card, "Goblin")
            assert elf_types() == ["Goblin"]
            transaction.set_rollback(True)
        put_right(card, "Angel")
        assert elf_types() == ["Angel"]

    assert elf_types() == ["Angel"]


def test_an_import_that_is_rolled_back_leaves_nothing_behind(transactional_db, monkeypatch):
    given(record("Elf"))
    monkeypatch.setattr(importing, "BATCH", 1)
    version = versions.current("cards")

    def fail(*_: Any) -> None:
        assert elf_types() == ["Goblin"]  # all is written
        raise BrokenCardFile("The file is broken.")

    monkeypatch.setattr(importing, "changed_in_decks", fail)
    with pytest.raises(BrokenCardFile):
        importing.import_cards([record("Elf", "Creature — Goblin"), record("Ox")])

    assert (versions.current("cards"), elf_types()) == (version, ["Elf"])


@pytest.mark.django_db
@pytest.mark.parametrize("count", [2, 40])
def test_cards_are_read_once_until_they_change(count, django_assert_num_queries):
    names = [card.name for card in given(*(record(f"Elf {at}") for at in range(count)))]

    with django_assert_num_queries(2):
        first = CATALOGUE.now().find(names)
    with django_assert_num_queries(1):
        assert CATALOGUE.now().find(names) == first
    with django_assert_num_queries(1):
        assert CATALOGUE.now().find(names[:1]) == {names[0]: first[names[0]]}


@pytest.mark.django_db
def test_without_a_number_nothing_is_remembered():
    given(record("Elf"))
    CatalogueVersion.objects.all().delete()

    first, second = CATALOGUE.now(), CATALOGUE.now()

    assert first is not second
    assert elf_types() == ["Elf"]


@pytest.mark.django_db
def test_a_ban_is_seen_at_once_and_on_its_days_only():
    given(record("Elf"))
    assert (banned(), banned(TOMORROW)) == ([], [])

    entry = commands.ban(coalition(), elf(), "banned", "Strong.", TOMORROW, None)
    assert (banned(), banned(TOMORROW)) == ([], ["Strong."])

    commands.amend(entry, "Too strong.", None, None)
    assert (banned(), banned(TOMORROW)) == ([], ["Too strong."])

    sql("UPDATE decks_banentry SET reason = 'By hand.'")
    assert banned(TOMORROW) == ["By hand."]

    BanEntry.objects.all().delete()
    assert banned(TOMORROW) == []


@pytest.mark.django_db
def test_what_is_remembered_is_bounded(monkeypatch):
    given(record("Elf"))
    monkeypatch.setattr(memory, "LISTS_MAX", 2)
    monkeypatch.setattr(known, "MISSPELT_MAX", 2)
    lists, catalogue = BanLists(), Catalogue()

    for on in (YESTERDAY, TODAY, TOMORROW):
        lists.entries("coalition", None, on)
    for name in ("Elv", "Elff", "Eelf", "Nobody"):
        catalogue.closest([name])
        catalogue.find([name])

    assert [cache.cache_info().currsize for cache in (lists.entries, catalogue.closest_to)] == [
        2,
        2,
    ]
    assert catalogue._by_key == {}


def test_nobody_waits_while_an_import_reads(transactional_db):
    """Once there are cards, only what differs is written, after all was read."""
    given(record("Elf"))
    is_locked = []

    def reading() -> Iterator[dict[str, Any]]:
        for name in ("Elf", "Ox"):
            is_locked.append(connection.in_atomic_block)
            yield record(name)

    importing.import_cards(reading())

    assert (is_locked, Card.objects.count()) == ([False, False], 2)
