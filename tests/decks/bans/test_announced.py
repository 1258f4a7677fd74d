"""The history of a list as announcements, whoever entered it; and what lists say of a card."""

from datetime import date

from django.utils import timezone

from decks.bans import commands, drafts, history
from decks.bans.history import announcements
from decks.catalogue import memory
from decks.decks import legality
from decks.models import BanList
from decks.rules.rulesets import LEVELER

from ..cards import card, given, record
from ..lists import TODAY, TOMORROW, coalition, house, put, register, report
from ..written import leveler
from .announcing import announce

JUNE, MARCH, MAY = date(2024, 6, 11), date(2026, 3, 9), date(2026, 5, 1)


def test_entries_that_were_made_elsewhere_are_announcements_too(ed):
    put("Balance", "watched", JUNE)
    put("ante", "banned", JUNE, "Nobody plays for ante.")
    put("Balance", "banned", MARCH, "Too strong.")
    commands.end(coalition().entries.get(rule="ante"), TOMORROW, None)

    found = [
        (one.row.title, one.row.on, [(change.words, change.reason) for change in one.changes])
        for one in announcements(coalition())
    ]

    assert found[1:] == [
        ("Changes of 9 March 2026", MARCH, [("Balance: banned, was watched", "Too strong.")]),
        (
            "The first list",
            JUNE,
            [("Ante: banned", "Nobody plays for ante."), ("Balance: watched", "")],
        ),
    ]
    assert found[0][1:] == (TOMORROW, [("Ante: off the list, was banned", "")])
    assert [one.is_planned for one in announcements(coalition())] == [True, False, False]


def test_a_ban_taken_back_on_the_day_on_which_it_changed_is_no_change(ed):
    commands.end(put("Balance", "banned", MARCH), TODAY, None)
    put("Balance", "banned", TODAY)

    assert [one.row.on for one in announcements(coalition())] == [MARCH]


def test_neither_an_end_nor_words_later_make_a_past_day_new(ed):
    commands.end(put("Balance", "banned", MARCH), TODAY, None)
    first = announcements(coalition())[-1]
    assert timezone.localdate(first.announced_at) == MARCH

    drafts.save_published_words(coalition(), MARCH, 0, ed, title="Spring", text="")
    assert announcements(coalition())[-1].announced_at == first.announced_at


def test_what_levelers_rules_ban_is_not_legal_without_an_entry_and_was_not_legal_before(ed):
    of_leveler = BanList.objects.get(key="leveler")
    maniac, oath = "Laboratory Maniac", card("Oath", legacy="banned").name
    given(record(maniac))
    for name, status in ((maniac, "allowed"), (oath, "banned"), ("Balance", "banned")):
        commands.end(put(name, status, MARCH, ban_list=of_leveler), MAY, None)
    put(maniac, "banned", TODAY, ban_list=of_leveler)

    ruled = "It is banned all the same, by the rules of Leveler."
    notes = [(one.name, one.note) for one in announcements(of_leveler)[1].changes]
    assert notes == [("Balance", ""), (maniac, ruled), (oath, ruled)]
    of_leveler.entries.filter(status="allowed").delete()
    deck = register("Maniac", leveler(f"1 {maniac}"), ruleset="leveler")
    resolved = legality.read(deck.revisions.get().text, LEVELER)
    assert history.barred(resolved, report(deck), TODAY) == {}


def standings(name: str, on: date = TODAY, *lists: BanList) -> list[tuple[object, ...]]:
    known = memory.CATALOGUE.now().find([name])[name]
    found = history.standings(known, lists or (coalition(),), on)
    return [(one.status, one.since, one.reason, one.announcement, one.is_legal) for one in found]


def address(on: date, key: str = "coalition") -> str:
    return f"/bans/{key}/announcements/{on.isoformat()}/"


def test_what_lists_say_of_a_card_since_when_with_a_reason_and_an_announcement(ed):
    ante = card("Contract", "Sorcery", "Remove it if you're not playing for ante.")
    given(record("Ox"))
    put("Balance", "watched", JUNE)
    put("Balance", "banned", MARCH, "Too strong.")
    put("Channel", "banned", JUNE, "Too strong.")
    announce(ed, MARCH, {"Channel": ("legal", "Nobody plays it.")}, title="Spring")
    put("ante", "banned", JUNE, "Nobody plays for ante.")
    tuesday = house()
    put("Contract", "allowed", MAY, "We do.", ban_list=tuesday)

    assert standings("Balance") == [("banned", MARCH, "Too strong.", address(MARCH), False)]
    assert standings("Balance", date(2025, 1, 1)) == [("watched", JUNE, "", address(JUNE), True)]
    assert standings("Ox") == [("legal", None, "", "", True)]
    again = ("legal", MARCH, "Nobody plays it.", address(MARCH), True)
    assert standings("Channel") == standings("Channel", TODAY, tuesday) == [again]
    spring = announcements(coalition())[0]
    assert (spring.row.title, [(one.words, one.reason) for one in spring.changes]) == (
        "Spring",
        [
            ("Balance: banned, was watched", "Too strong."),
            ("Channel: legal, was banned", "Nobody plays it."),
        ],
    )
    assert ante.uses_ante
    assert standings("Contract", TODAY, coalition(), tuesday) == [
        ("banned", JUNE, "Nobody plays for ante.", address(JUNE), False),
        ("allowed", MAY, "We do.", address(MAY, "tuesday"), True),
    ]
    put("Contract", "banned", MARCH, "This one above all.")  # it was banned before, with its group
    assert standings("Contract") == [("banned", JUNE, "This one above all.", address(JUNE), False)]
