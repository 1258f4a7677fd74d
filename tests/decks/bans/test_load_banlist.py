"""Ban lists as files: loaded all or nothing, told in words, and written as they are read."""

import io
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from decks.models import BanEntry

from ..cards import given, record
from ..lists import TODAY, coalition, editor, entries_in, house

MARCH, MAY = date(2026, 3, 9), date(2026, 5, 1)
BALANCE = {"card": "Balance", "status": "banned"}
CHANNEL = {"card": "Channel", "status": "watched", "reason": "Seen often."}
ANTE = {"rule": "ante", "about": "Nobody plays for ante."}
DEPICTIONS = {"rule": "offensive", "about": "Depictions", "cards": ["Crusade", "Jihad"]}


@pytest.fixture(autouse=True)
def _cards(db: None) -> None:
    names = ("Balance", "Channel", "Crusade", "Jihad", "Éowyn’s Oath")
    given(*(record(name, "Sorcery") for name in names))


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
def test_a_file_brings_its_entries_from_its_day_on_and_a_newer_one_ends_and_replaces_them(load):
    first = document(BALANCE, CHANNEL, batches=[ANTE, DEPICTIONS])
    assert load(first) == (
        "Coalition as of 9 March 2026:\n"
        "+ Ante banned\n+ Balance banned\n+ Channel watched\n+ Depictions banned\n"
    )
    assert list(BanEntry.objects.get(rule="ante").cards.all()) == []
    named = BanEntry.objects.get(rule="offensive")
    assert [card.name for card in named.cards.all()] == ["Crusade", "Jihad"]
    assert BanEntry.objects.get(card__name="Channel").reason == "Seen often."
    before = rows()
    assert load(first) == "Coalition as of 9 March 2026:\nNothing changes.\n"
    newer = document(
        {"card": "Crusade", "status": "watched"},
        CHANNEL | {"status": "banned"},
        batches=[ANTE | {"about": "Never."}, DEPICTIONS | {"cards": ["Jihad"]}],
        as_of="2026-05-01",
    )

    tried = load(newer, "--dry-run")

    assert rows() == before
    assert tried == f"{load(newer)}This was a dry run: nothing was changed.\n"
    assert tried.startswith(
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


def test_file_of_a_house_leaves_the_format_alone(load):
    load(document(BALANCE))
    tuesday = house()

    theirs = document(CHANNEL, name="Tuesday group")
    told = load(theirs, "--list", "tuesday", "--by", editor("ann").username)

    assert told == "Tuesday group as of 9 March 2026:\n+ Channel watched\n"
    assert entries_in(coalition()) == [("Balance: banned", MARCH, None)]
    assert entries_in(tuesday) == [("Channel: watched", MARCH, None)]
    assert tuesday.entries.get().changed_by == User.objects.get(username="ann")
    assert json.loads(export("--list", "tuesday")) == theirs


# --- what is refused ---
@pytest.mark.parametrize(
    ("options", "said", "told"),
    [
        (
            (),
            {"name": "Leveler"},
            "name: this is the list 'Leveler', not 'Coalition': load it into that one",
        ),
        (
            (),
            {"as_of": "2026-03-08"},
            "this list is of 8 March 2026, but the site's list was changed later, last on 9 March "
            "2026: load a newer file",
        ),
        (
            ("--list", "tuesday"),
            {},
            "There is no ban list 'tuesday'. The lists are coalition, conspiracy, leveler, "
            "realm-wars.",
        ),
        (("--by", "nobody"), {}, "There is no account 'nobody': give --by an existing username."),
    ],
)
def test_what_is_older_or_for_another_list_or_account_is_refused(
    load, refused, options, said, told
):
    load(document(BALANCE))

    assert refused(document(CHANNEL, **said), *options) == told


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (
            b"{",
            "this is not JSON: Expecting property name enclosed in double quotes "
            "(line 1, column 2)",
        ),
        (document(version=2), "version: must be a whole number from 1 to 1"),
        (document(as_of="9 March"), "as_of: '9 March' is not a day like 2026-03-09"),
        (
            document(BALANCE | {"since": ""}),
            "entries[0].since: unknown field; known here: card, status, reason",
        ),
        (
            document(BALANCE | {"status": "Banned"}),
            "entries[0].status: must be one of banned, watched, allowed",
        ),
        (
            document(BALANCE | {"reason": "\0"}),
            "entries[0].reason: has a character that can't be shown",
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
            document(batches=[DEPICTIONS | {"cards": ["Jihad", "jihad"]}]),
            "batches[0].cards[1]: Jihad appears twice",
        ),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_fault_is_reported_with_its_place_and_nothing_is_loaded(load, refused, found, told):
    load(document(CHANNEL, as_of="2024-06-11"))

    assert refused(found) == told
    with pytest.raises(CommandError, match=r"^Nothing was changed\. no-file: .*No such file"):
        call_command("load_banlist", "no-file")


# --- what is written ---
def test_list_is_written_in_its_form_by_name_and_comes_back_the_same(load, monkeypatch):
    oath = {"card": "Éowyn’s Oath", "status": "allowed"}
    watched = {"rule": "ante", "about": "", "status": "watched"}
    load(document(oath, CHANNEL, BALANCE, batches=[DEPICTIONS, watched]))

    written = export()
    assert json.loads(written) == document(BALANCE, CHANNEL, oath, batches=[watched, DEPICTIONS])
    assert "Éowyn’s" in written
    BanEntry.objects.all().delete()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written.encode())))
    call_command("load_banlist", "-", stdout=io.StringIO())
    assert export() == written


def test_any_day_is_written(load):
    load(document(BALANCE, as_of="2024-06-11"))
    load(document(CHANNEL))

    assert json.loads(export("--on", "2026-03-08")) == document(BALANCE, as_of="2026-03-08")
    assert json.loads(export("--on", "2024-06-10")) == document(as_of="2024-06-10")
    assert json.loads(export()) == document(CHANNEL)
    nothing = document(name="Leveler", as_of=TODAY.isoformat())
    assert json.loads(export("--list", "leveler")) == nothing
    with pytest.raises(CommandError, match=r"--on: '9 March' is not a day like 2026-03-09$"):
        export("--on", "9 March")
