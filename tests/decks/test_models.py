"""The database itself refuses cards, lists and decks that can't be."""

from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from decks.models import (
    Affiliation,
    Announcement,
    AnnouncementLine,
    BanEntry,
    BanList,
    Card,
    CardFace,
    CreatureType,
    Deck,
    DeckLine,
    DeckRevision,
)
from tests.scoring.tables import unchanged

from .faults import bring_pool
from .lists import coalition, house, register
from .written import deck

MARCH, MAY = date(2026, 3, 9), date(2026, 5, 1)
OTHER_ID = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def full(db: None) -> None:
    """A row of every kind: the first entry bans a card and is open, the others are a rule's."""
    bring_pool()
    for ban_list in (house(), coalition()):
        ban_list.entries.create(rule="ante", starts_on=MARCH)
    announcement = Announcement.objects.create(
        ban_list=coalition(), on=MARCH, title="Spring", published_at=timezone.now(), tap_id=OTHER_ID
    )
    announcement.lines.create(card=Card.objects.get(name="Balance"))
    announcement.lines.create(rule="ante")
    register("Elves", deck("4 Elvish Mystic"))


# A constraint, the model, and how a copy of its first row breaks it.
BREACHES: list[tuple[str, type[models.Model], dict[str, Any]]] = [
    ("name", CreatureType, {}),
    ("oracle_id", Card, {}),
    ("card_has_name", Card, {"oracle_id": OTHER_ID, "name": ""}),
    ("card_has_name", Card, {"oracle_id": OTHER_ID, "key": ""}),
    ("card_vintage_known", Card, {"oracle_id": OTHER_ID, "vintage": "perhaps"}),
    ("card_legacy_known", Card, {"oracle_id": OTHER_ID, "legacy": "perhaps"}),
    ("face_place", CardFace, {}),
    ("affiliation_once", Affiliation, {}),
    ("key", BanList, {"base_id": 1}),
    ("one_list_per_format", BanList, {"key": "second"}),
    ("list_format_known", BanList, {"key": "second", "format": "chess"}),
    ("list_playing_known", BanList, {"key": "second", "illegal_decks": "perhaps"}),
    ("entry_of_card_or_rule", BanEntry, {"card": None}),
    ("entry_of_card_or_rule", BanEntry, {"rule": "ante"}),
    ("entry_ends_after_start", BanEntry, {"ends_on": date(2026, 3, 8)}),
    ("entry_rule_known", BanEntry, {"card": None, "rule": "tuesdays"}),
    ("entry_status_known", BanEntry, {"ends_on": MARCH, "status": "frowned"}),
    ("one_open_entry_per_card", BanEntry, {}),
    ("one_open_entry_per_rule", BanEntry, {"card": None, "rule": "ante"}),
    ("announcement_has_title", Announcement, {"tap_id": None, "on": MAY, "title": ""}),
    ("one_announcement_a_day", Announcement, {"tap_id": None}),
    ("tap_id", Announcement, {"on": MAY}),
    ("announced_card_or_rule", AnnouncementLine, {"card": None}),
    ("announced_card_or_rule", AnnouncementLine, {"rule": "ante"}),
    ("announced_rule_known", AnnouncementLine, {"card": None, "rule": "tuesdays"}),
    ("announced_status_known", AnnouncementLine, {"card_id": 1, "status": "frowned"}),
    ("card_announced_once", AnnouncementLine, {}),
    ("rule_announced_once", AnnouncementLine, {"card": None, "rule": "ante"}),
    ("code", Deck, {"key_hash": "another"}),
    ("key_hash", Deck, {"code": "another"}),
    ("deck_has_name", Deck, {"code": "another", "key_hash": "another", "name": ""}),
    ("revision_number", DeckRevision, {}),
    ("revision_number_from_1", DeckRevision, {"number": 0}),
    ("revision_ruleset_known", DeckRevision, {"number": 2, "ruleset": "chess"}),
    ("line_count_range", DeckLine, {"count": 0}),
    ("line_count_range", DeckLine, {"count": 1000}),
    ("line_section_known", DeckLine, {"section": "maybe"}),
]


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(("name", "model", "breach"), BREACHES)
def test_row_that_can_not_be_is_refused(name, model, breach):
    row = copy_of_first(model, **breach)

    with unchanged(), pytest.raises(IntegrityError) as caught, transaction.atomic():
        row.save(force_insert=True)

    assert named(name, model) in str(caught.value)


def test_every_constraint_is_tried():
    tried = {name for name, *_ in BREACHES}
    every = [*apps.get_app_config("decks").get_models()]
    declared = {constraint.name for model in every for constraint in model._meta.constraints}
    unique = {
        field.name
        for model in every
        for field in model._meta.fields
        if field.unique and not field.primary_key
    }

    assert declared | unique <= tried


@pytest.mark.usefixtures("full")
def test_what_decks_and_lists_stand_on_is_not_deleted():
    decked, listed = (Card.objects.get(name=name) for name in ("Elvish Mystic", "Balance"))
    for one in (decked, listed, BanList.objects.get(key="tuesday"), coalition()):
        with unchanged(), pytest.raises(models.ProtectedError), transaction.atomic():
            one.delete()


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("model", [CardFace, Affiliation, BanEntry, DeckRevision, DeckLine])
def test_row_of_something_that_is_not_there_is_refused(model):
    field = {CardFace: "card", DeckLine: "card", DeckRevision: "deck", BanEntry: "ban_list"}
    row = copy_of_first(model, **{f"{field.get(model, 'creature_type')}_id": 10**9}, number=2)

    def save() -> None:
        row.save(force_insert=True)
        connection.check_constraints()

    with unchanged(), pytest.raises(IntegrityError), transaction.atomic():
        save()


def copy_of_first(model: type[models.Model], **changes: Any) -> models.Model:
    """Return a copy of a model's first row with changes, not saved yet."""
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    row.pk = None
    row._state.adding = True
    for field, value in changes.items():
        setattr(row, field, value)
    return row


def named(name: str, model: type[models.Model]) -> str:
    """Return how the database names a broken constraint: on SQLite by columns, if unique."""
    unique = {
        constraint.name: constraint.fields[-1]
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
    }
    return unique.get(name, name) if connection.vendor == "sqlite" else name
