"""Ban lists as files: loaded all or nothing, told in words, and written as they are read."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from decks.bans import commands
from decks.models import BanEntry, Card, Rule

from ..cards import given, record
from ..lists import TODAY, TOMORROW, coalition, editor, entries_in, house

MARCH, MAY = date(2026, 3, 9), date(2026, 5, 1)
BALANCE = {"card": "Balance", "status": "banned"}
CHANNEL = {"card": "Channel", "status": "watched", "reason": "Seen often."}
ANTE = {"rule": "ante", "about": "Nobody plays for ante."}
DEPICTIONS = {"rule": "offensive", "about": "Depictions", "cards": ["Crusade", "Jihad"]}


@pytest.fixture(autouse=True)
def cards(db: None) -> dict[str, Card]:
    names = ("Balance", "Channel", "Crusade", "Jihad", "Éowyn’s Oath")
    return {card.name: card for card in given(*(record(name, "Sorcery") for name in names))}


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., str]:
    """Load a document, or the bytes of a file, and return what the command says."""

    def load(found: Any, *options: str) -> str:
        file = tmp_path / "list.json"
        file.write_bytes(found if isinstance(found, bytes) else json.dumps(found).encode())
        out = io.StringIO()
        call_command("load_banlist", str(file), *options, stdout=out)
        return out.getvalue()

    return load


@pytest.fixture
def refused(load: Callable[..., str], tmp_path: Path) -> Callable[..., str]:
    """Load a bad file, check that nothing changed, and return what the command prints."""

    def refused(found: Any, *options: str) -> str:
        before = rows()
        with pytest.raises(CommandError) as caught:
            load(found, *options)
        assert rows() == before
        beginning = f"Nothing was changed. {tmp_path / 'list.json'}: "
        return str(caught.value).removeprefix(beginning)

    return refused


def document(*entries: Any, batches: Any = (), **fields: Any) -> dict[str, Any]:
    known = {"version": 1, "name": "Coalition", "as_of": "2026-03-09"}
    return {**known, "batches": list(batches), "entries": list(entries), **fields}


def rows() -> list[tuple[Any, ...]]:
    entries = list(BanEntry.objects.order_by("pk").values_list())
    return entries + list(BanEntry.cards.through.objects.order_by("pk").values_list())


def export(*options: str) -> str:
    out = io.StringIO()
    call_command("export_banlist", *options, stdout=out)
    return out.getvalue()


# --- what a file changes ---
def test_first_file_brings_its_cards_and_rules_from_its_day_on(load):
    told = load(document(BALANCE, CHANNEL, batches=[ANTE, DEPICTIONS]))

    assert told == (
        "Coalition as of 9 March 2026:\n"
        "+ Ante banned\n+ Balance banned\n+ Channel watched\n+ Depictions banned\n"
    )
    assert sorted(entries_in(coalition())) == [
        ("Ante: banned", MARCH, None),
        ("Balance: banned", MARCH, None),
        ("Channel: watched", MARCH, None),
        ("Depictions: banned", MARCH, None),
    ]
    assert list(BanEntry.objects.get(rule="ante").cards.all()) == []
    named = BanEntry.objects.get(rule="offensive")
    assert [card.name for card in named.cards.all()] == ["Crusade", "Jihad"]
    assert BanEntry.objects.get(card__name="Channel").reason == "Seen often."


def test_same_file_again_changes_nothing(load):
    whole = document(BALANCE, CHANNEL, batches=[ANTE, DEPICTIONS])
    load(whole)
    before = rows()

    assert load(whole) == "Coalition as of 9 March 2026:\nNothing changes.\n"
    assert rows() == before


def test_newer_file_ends_what_it_leaves_out_and_replaces_what_it_changes(load):
    load(document(BALANCE, CHANNEL, batches=[ANTE, DEPICTIONS]))
    newer = document(
        {"card": "Crusade", "status": "watched"},
        CHANNEL | {"status": "banned"},
        batches=[ANTE | {"about": "Never."}, DEPICTIONS | {"cards": ["Jihad"]}],
        as_of="2026-05-01",
    )

    assert load(newer) == (
        "Coalition as of 1 May 2026:\n"
        "+ Crusade watched\n"
        "~ Ante banned, with another reason\n"
        "~ Channel banned (was watched)\n"
        "~ Depictions banned, with other cards\n"
        "- Balance (was banned)\n"
    )
    assert sorted(entries_in(coalition()), key=str) == [
        ("Ante: banned", MARCH, None),
        ("Balance: banned", MARCH, MAY),
        ("Channel: banned", MAY, None),
        ("Channel: watched", MARCH, MAY),
        ("Crusade: watched", MAY, None),
        ("Depictions: banned", MARCH, MAY),
        ("Depictions: banned", MAY, None),
    ]


def test_a_dry_run_prints_the_same_and_writes_nothing(load):
    load(document(BALANCE))
    before, newer = rows(), document(CHANNEL, as_of="2026-05-01")

    tried = load(newer, "--dry-run")

    assert rows() == before
    assert tried == f"{load(newer)}This was a dry run: nothing was changed.\n"
    assert rows() != before


def test_file_of_a_day_to_come_is_planned(load):
    load(document(BALANCE, as_of=TOMORROW.isoformat()))

    assert commands.entries_on(coalition(), TODAY) == {}
    assert entries_in(coalition()) == [("Balance: banned", TOMORROW, None)]


def test_file_of_a_house_leaves_the_format_alone(load):
    load(document(BALANCE))
    tuesday = house()

    told = load(document(CHANNEL, name="Tuesday group"), "--list", "tuesday")

    assert told == "Tuesday group as of 9 March 2026:\n+ Channel watched\n"
    assert entries_in(coalition()) == [("Balance: banned", MARCH, None)]
    assert entries_in(tuesday) == [("Channel: watched", MARCH, None)]


# --- what is refused ---
def test_older_file_after_a_newer_change_is_refused(load, refused):
    load(document(BALANCE, as_of="2026-05-01"))

    assert refused(document(CHANNEL)) == (
        "this list is of 9 March 2026, but the site's list was changed later, last on 1 May 2026: "
        "load a newer file"
    )


def test_list_that_is_not_there_is_refused_with_those_that_are(refused):
    assert refused(document(), "--list", "tuesday") == (
        "There is no ban list 'tuesday'. The lists are coalition, conspiracy, leveler, realm-wars."
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Leveler", "name: this is the list 'Leveler', not 'Coalition': use --list leveler"),
        ("Friday", "name: this is the list 'Friday', not 'Coalition': use the --list of that name"),
    ],
)
def test_file_of_another_list_is_refused(load, refused, name, told):
    load(document(BALANCE))

    assert refused(document(CHANNEL, name=name)) == told


def test_the_editor_who_loads_a_list_is_stored(load):
    ann = editor("ann")

    load(document(BALANCE), "--by", "ann")

    assert BanEntry.objects.get().changed_by == ann


def test_account_that_there_is_not_loads_nothing(refused):
    assert refused(document(BALANCE), "--by", "nobody") == (
        "There is no account 'nobody': give --by an existing username."
    )


def without(field: str) -> dict[str, Any]:
    return {name: said for name, said in document().items() if name != field}


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([], "must be an object"),
        (without("version"), "the field version is missing"),
        (document(version=2), "version: must be a whole number from 1 to 1"),
        (document(name=7), "name: must be a text"),
        (document(as_of="9 March"), "as_of: '9 March' is not a day like 2026-03-09"),
        (document(as_of="2026-02-30"), "as_of: '2026-02-30' is not a day like 2026-03-09"),
        (
            document(motto=""),
            "motto: unknown field; known here: version, name, as_of, batches, entries",
        ),
        (document(entries={}), "entries: must be a list"),
        (document(BALANCE, "Channel"), "entries[1]: must be an object"),
        (
            document(BALANCE | {"since": ""}),
            "entries[0].since: unknown field; known here: card, status, reason",
        ),
        (
            document(BALANCE | {"status": "Banned"}),
            "entries[0].status: must be one of banned, watched, allowed",
        ),
        (document(BALANCE | {"reason": None}), "entries[0].reason: must be a text"),
        (
            document(BALANCE | {"reason": "\0"}),
            "entries[0].reason: has a character that can't be shown",
        ),
        (
            document(BALANCE | {"card": "Bal\0ance"}),
            "entries[0].card: has a character that can't be shown",
        ),
        (
            document(BALANCE, BALANCE | {"card": "Balanse"}),
            "entries[1].card: no card is called 'Balanse'. Did you mean Balance?",
        ),
        (
            document(BALANCE, CHANNEL, BALANCE | {"card": "balance"}),
            "entries[2]: Balance is already in entries[0]",
        ),
        (
            document(batches=[{"rule": "silly"}]),
            "batches[0].rule: must be one of reserved-list, conspiracy, ante, "
            "stickers-attractions, offensive, named",
        ),
        (document(batches=[ANTE, ANTE]), "batches[1]: Ante is already in batches[0]"),
        (document(batches=[ANTE | {"cards": ["Jihad"]}]), "batches[0]: ante takes no cards"),
        (document(batches=[DEPICTIONS | {"cards": []}]), "batches[0]: its cards are missing"),
        (
            document(batches=[DEPICTIONS | {"cards": ["Jihad", {}]}]),
            "batches[0].cards[1]: must be a text",
        ),
        (
            document(batches=[DEPICTIONS | {"cards": ["Jihad", "jihad"]}]),
            "batches[0].cards[1]: Jihad appears twice",
        ),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_fault_is_reported_with_its_place_and_nothing_is_loaded(load, refused, found, told):
    load(document(CHANNEL, as_of="2024-06-11"))

    assert refused(found) == told


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            json.dumps(document(BALANCE)).encode()[:-10],
            "this is not JSON: Unterminated string starting at (line 1, column 117)",
        ),
        (b'{"version": 1, "version": 1}', "version: stands here twice"),
    ],
    ids=["cut", "twice"],
)
def test_file_that_is_no_list_is_refused(refused, found, told):
    assert refused(found) == told


def test_missing_file_is_reported():
    with pytest.raises(CommandError, match=r"^Nothing was changed\. no-file: .*No such file"):
        call_command("load_banlist", "no-file")


# --- what is written ---
def test_list_is_written_in_its_form_by_name():
    ban = commands.ban
    named = [Card.objects.get(name=name) for name in ("Jihad", "Crusade")]
    oath = Card.objects.get(name="Éowyn’s Oath")
    ban(coalition(), Card.objects.get(name="Channel"), "watched", "Seen often.", MARCH, None)
    ban(coalition(), Card.objects.get(name="Balance"), "banned", "", MARCH, None)
    ban(coalition(), oath, "allowed", "", MAY, None)
    ban(coalition(), Rule.OFFENSIVE, "banned", "Depictions", MARCH, None, named)
    ban(coalition(), Rule.ANTE, "watched", "", MARCH, None)

    assert json.loads(export()) == document(
        BALANCE,
        CHANNEL,
        {"card": "Éowyn’s Oath", "status": "allowed"},
        batches=[{"rule": "ante", "about": "", "status": "watched"}, DEPICTIONS],
        as_of="2026-05-01",
    )
    assert "Éowyn’s" in export()


def test_export_loads_to_the_same_bytes(load):
    load(document(BALANCE, CHANNEL, batches=[ANTE | {"status": "watched"}, DEPICTIONS]))
    written = export()
    BanEntry.objects.all().delete()

    load(written.encode())

    assert export() == written


def test_any_day_is_written(load):
    load(document(BALANCE, as_of="2024-06-11"))
    load(document(CHANNEL))

    assert json.loads(export("--on", "2026-03-08")) == document(BALANCE, as_of="2026-03-08")
    assert json.loads(export("--on", "2024-06-10")) == document(as_of="2024-06-10")
    assert json.loads(export()) == document(CHANNEL)


def test_list_of_a_house_is_written_without_what_it_stands_on(load):
    load(document(BALANCE))
    house()
    load(document(CHANNEL, name="Tuesday group"), "--list", "tuesday")

    assert json.loads(export("--list", "tuesday")) == document(CHANNEL, name="Tuesday group")


def test_empty_list_is_written_as_of_today():
    assert json.loads(export("--list", "leveler")) == document(
        name="Leveler", as_of=TODAY.isoformat()
    )


def test_day_that_is_none_is_not_written():
    with pytest.raises(CommandError, match=r"^--on: '9 March' is not a day like 2026-03-09\.$"):
        export("--on", "9 March")
