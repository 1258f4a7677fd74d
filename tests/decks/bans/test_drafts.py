"""Announcements: drafted, planned, published; and nobody overwrites another editor's work."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from coalition_site.lib.dates import day
from decks.bans import commands, drafts
from decks.bans.commands import BanRefused, EntryContent
from decks.bans.drafts import plan
from decks.bans.history import announcements, standings
from decks.catalogue.memory import find_cards
from decks.models import Announcement, BanEntry, Card, Rule
from tests.scoring.tables import everything

from ..cards import given, record
from ..lists import (
    ELVES,
    TODAY,
    TOMORROW,
    coalition,
    editor,
    elves,
    entries_in,
    house,
    put,
    register,
    report,
)
from .announcing import announce, draft, publish, say

JUNE, MARCH = date(2024, 6, 1), date(2026, 3, 9)


@pytest.fixture
def new(ed: User) -> Announcement:
    return draft(ed)


@contextmanager
def refused(message: str) -> Iterator[None]:
    """Expect a refusal in these words, which changes nothing."""
    before = everything()
    with pytest.raises(BanRefused) as caught:
        yield
    assert (str(caught.value), everything()) == (message, before)


# --- drafts ---
def test_a_tap_makes_one_draft_and_a_line_about_the_same_card_replaces_the_line_before(ed):
    tap = UUID(int=1, version=4)
    new, again = (drafts.create(coalition(), TODAY, "Spring", "", ed, tap) for _ in range(2))
    say(new, ed, {"Balance": "banned"})
    say(new, ed, {"Balance": ("watched", "Seen often.")})

    assert new == again
    assert [(str(line), line.reason) for line in new.lines.all()] == [
        ("Balance: watched", "Seen often.")
    ]


def test_a_new_draft_sent_again_takes_the_new_words_unless_another_editor_changed_it(ed):
    send = partial(drafts.create, coalition(), text="", by=ed, tap_id=UUID(int=1, version=4))
    send(TODAY, "Spring")
    again = send(TOMORROW, "Summer")

    assert (again.on, again.title, again.version) == (TOMORROW, "Summer", 2)
    drafts.save_words(again, 2, editor("other"), on=TODAY, title="Autumn", text="")
    with refused("Another editor changed this draft meanwhile: open it, and change it there."):
        send(TOMORROW, "Winter")


def test_a_second_editor_sees_the_change_of_the_first_and_overwrites_nothing(ed, new):
    other = editor("other")
    other.first_name = "Ola"
    other.save()
    seen = new.version
    drafts.save_words(new, seen, other, on=TOMORROW, title="Summer", text="")

    with refused(
        "Ola changed this draft meanwhile. It is shown as it is now, and what you typed is not "
        "saved yet: look at the draft, then save again."
    ):
        drafts.save_words(new, seen, ed, on=TODAY, title="Autumn", text="")
    with pytest.raises(BanRefused):
        drafts.discard(new, seen, ed)
    new.refresh_from_db()
    drafts.save_words(new, new.version, ed, on=TODAY, title="Autumn", text="")
    new.refresh_from_db()
    assert (new.title, new.version) == ("Autumn", 3)


def test_what_is_there_already_is_no_conflict(ed, new):
    seen = new.version
    say(new, ed, {"Balance": "banned"})

    balance = EntryContent(Card.objects.get(name="Balance"), "banned", "")
    drafts.put_lines(new, seen, editor("other"), [balance])
    drafts.save_words(new, seen, ed, on=new.on, title=new.title, text=new.text)

    new.refresh_from_db()
    assert new.version == 2


# --- the plan ---
def planned(of: Announcement) -> list[tuple[str, str, str]]:
    """Return of each line what changes, its problem, and its note."""
    return [
        (step.change.words if step.change else "", step.problem, step.note)
        for step in plan(of).steps
    ]


def test_a_plan_says_what_each_line_does_and_what_bans_the_card_besides(ed, new):
    mox = given(record("Mox", "Artifact", reserved=True))[0]
    for subject in (Card.objects.get(name="Channel"), Rule.RESERVED_LIST, mox):
        commands.ban(coalition(), subject, "banned", "", JUNE, None)
    said = {
        "Balance": "banned",
        "Channel": ("watched", "Slow."),
        "Jihad": "legal",
        "ante": "banned",
        "Mox": "legal",
    }
    say(new, ed, said)
    of_house = draft(ed, TODAY, ban_list=house())
    say(of_house, ed, {"Channel": "banned", "Balance": "banned"})

    stays = "It stays banned: Reserved list. To exempt it, say that it is allowed."
    assert planned(new) == [
        ("Balance: banned", "", ""),
        ("Channel: watched, was banned", "", ""),
        ("", "", "It has no entry already."),
        ("Ante: banned", "", ""),
        ("Mox: legal, was banned", "", stays),
    ]
    assert planned(of_house) == [
        ("Channel: banned", "", "It is banned already: by another entry."),
        ("Balance: banned", "", ""),
    ]


def test_a_line_that_a_later_entry_contradicts_is_a_problem(ed, new):
    commands.ban(coalition(), Card.objects.get(name="Balance"), "banned", "", TOMORROW, None)
    say(new, ed, {"Balance": "watched"})
    problem = (
        f"Balance: The list already has a later entry: Balance: banned, from {day(TOMORROW)} on. "
        "Start on that day or later, or end that entry first."
    )

    assert planned(new) == [("", problem, "")]
    with refused(problem):
        publish(new, ed)


def test_a_past_day_frees_no_deck_of_a_card_that_is_banned_again(ed):
    elves()
    register("Elves", ELVES)
    elf = "Llanowar Elves"
    for on, status in ((JUNE, "banned"), (MARCH, "legal"), (TODAY, "banned")):
        announce(ed, on, {elf: status})
    past = draft(ed, date(2025, 7, 1))
    say(past, ed, {elf: "legal"})

    assert not any(plan(past).fates.values())


@pytest.mark.parametrize("group", ["reserved-list", "ante"])
def test_a_group_that_allows_a_card_lifts_the_ban_of_another_group_everywhere(ed, new, group):
    elves()
    (champion,) = given(record("Elvish Champion", text="Play for ante.", reserved=True))
    deck = register("Elves", ELVES.replace("4 Elvish Mystic", "4 Elvish Champion"))
    put(group, "banned", JUNE)
    drafts.put_lines(new, 1, ed, [EntryContent(Rule.NAMED, "allowed", "", frozenset({champion}))])
    new.refresh_from_db()
    known = find_cards(["Elvish Champion"])["Elvish Champion"]

    assert plan(new).fates["back"] == [deck]
    publish(new, ed)
    assert report(deck).legal
    assert standings(known, [coalition()], TODAY)[0].status == "allowed"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Elves of Tomorrow", "4xElves of Tomorrow²"),
        ("Éowyn, Fearless Knight", "4 Eowyn, Fearless Knight"),
        ("Urza's Saga", "4 Urza’s Saga"),
        ("R&D's Lab", "4 R&amp;D's Lab"),
        ("Æther Vial", "4 Aether Vial"),
    ],
)
def test_decks_are_found_that_named_a_card_before_it_was_in_the_catalogue(ed, new, name, line):
    elves()
    early = register("Early", ELVES.replace("4 Llanowar Elves", line))
    given(record(name))
    say(new, ed, {name: "banned"})

    assert plan(new).fates["decks"] == [early]


# --- publishing ---
def test_publishing_puts_all_lines_in_force_on_the_day(ed):
    other = editor("other")
    announce(ed, JUNE, {"Channel": "banned", "Jihad": "watched"})
    announce(other, MARCH, {"Balance": "banned", "Channel": "legal", "Jihad": "banned"})

    assert entries_in(coalition()) == [
        ("Channel: banned", JUNE, MARCH),
        ("Jihad: watched", JUNE, MARCH),
        ("Balance: banned", MARCH, None),
        ("Jihad: banned", MARCH, None),
    ]
    assert {entry.changed_by for entry in BanEntry.objects.all()} == {other}


def test_another_reason_is_no_new_entry_and_the_earlier_one_is_noted(ed):
    announce(ed, JUNE, {"Balance": ("banned", "Too strong.")})
    announce(ed, MARCH, {"Balance": ("banned", "Too boring.")}, title="Words")

    entry = BanEntry.objects.get()
    assert (entry.starts_on, entry.reason) == (JUNE, "Too boring.")
    assert LogEntry.objects.get().change_message == "Its reason was: Too strong."
    newest = announcements(coalition())[0]
    assert (newest.row.title, newest.changes) == ("Words", [])


def test_another_reason_keeps_a_planned_end_and_another_status_says_that_it_drops_it(ed, new):
    announce(ed, JUNE, {"Balance": "banned", "Channel": "watched"})
    announce(ed, TOMORROW, {"Balance": "legal", "Channel": "legal"})
    say(new, ed, {"Balance": ("banned", "Far too good."), "Channel": "banned"})

    assert planned(new) == [
        ("Balance: banned", "", "Only the reason or its cards change."),
        ("Channel: banned, was watched", "", f"Its planned end on {day(TOMORROW)} is dropped."),
    ]
    publish(new, ed)
    assert entries_in(coalition()) == [
        ("Balance: banned", JUNE, TOMORROW),
        ("Channel: watched", JUNE, TODAY),
        ("Channel: banned", TODAY, None),
    ]


def test_what_changed_after_the_preview_has_to_be_looked_at_first(ed, new):
    with refused("Nothing would change. Add a card, or change what is said of one."):
        publish(new, ed)
    say(new, ed, {"Balance": "banned"})
    seen = plan(new).fingerprint
    announce(editor("other"), TODAY, {"Balance": "watched"})

    with refused(
        "The list, this draft or the saved decks changed since you looked. Look at what it does "
        "now, then publish it."
    ):
        drafts.publish(new, seen, ed)
    publish(new, ed)
    assert entries_in(coalition())[-1] == ("Balance: banned", TODAY, None)


def test_a_draft_is_published_once_and_not_again_if_it_joined_an_announcement(ed, new):
    first = draft(ed)
    say(first, ed, {"Balance": ("banned", "Why.")})
    seen = plan(first).fingerprint
    assert [drafts.publish(first, seen, ed) for _ in range(2)] == [first, first]
    assert entries_in(coalition()) == [("Balance: banned", TODAY, None)]
    say(new, ed, {"Channel": ("banned", "Why.")})
    at_once, seen = Announcement.objects.get(pk=new.pk), plan(new).fingerprint
    drafts.publish(new, seen, ed)

    gone = "This draft was published with another announcement, or discarded."
    with refused(gone):
        drafts.publish(at_once, seen, ed)
    with refused(gone):
        drafts.discard(at_once, at_once.version, ed)


@pytest.mark.both
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has a single writer")
def test_publishing_locks_the_draft_so_that_no_line_comes_in_between(ed, new):
    say(new, ed, {"Balance": "banned"})
    seen = plan(new).fingerprint

    with CaptureQueriesContext(connection) as captured:
        drafts.publish(new, seen, ed, without_reason=True)

    locking = [one["sql"] for one in captured if one["sql"].endswith("FOR UPDATE")]
    assert any('FROM "decks_announcement"' in sql for sql in locking)


def test_a_second_announcement_of_a_day_joins_the_first(ed):
    first = announce(ed, MARCH, {"Balance": "banned"}, title="Spring", text="So be it.")
    second = announce(ed, MARCH, {"Channel": "banned"}, title="More", text="This too.")

    (found,) = announcements(coalition())
    assert (second, second.version) == (first, first.version + 1)
    assert (found.row.title, found.row.text) == ("Spring", "So be it.\n\nMore\n\nThis too.")
    assert [change.words for change in found.changes] == ["Balance: banned", "Channel: banned"]


def test_words_that_are_too_long_together_are_not_joined(ed):
    announce(ed, TODAY, {"Balance": "banned"}, title="Spring", text="x" * 9000)
    new = draft(ed, title="More", text="y" * 1000)
    say(new, ed, {"Channel": "banned"})

    with refused(
        "“Spring” is announced for that day already, and the words of both are too long together: "
        "10000 characters at most. Shorten these, or choose another day."
    ):
        publish(new, ed)


def test_the_words_of_an_announcement_can_be_fixed(ed):
    announce(ed, MARCH, {"Balance": "banned"})
    other = editor("other")

    drafts.save_published_words(coalition(), MARCH, 2, ed, title="Spring", text="Why.")
    with refused(
        "Another editor changed these words meanwhile. They are shown above as they are now, and "
        "yours are not saved yet: look at them, then save again."
    ):
        drafts.save_published_words(coalition(), MARCH, 2, other, title="Mine", text="")

    assert announcements(coalition())[0].row.text == "Why."
