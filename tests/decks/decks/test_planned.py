"""What planned changes of a ban list will do to decks, and decks checked for a day."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from coalition_site.lib.dates import day
from decks.catalogue import memory
from decks.decks import legality
from decks.decks.planned import planned
from decks.models import BanList, Deck
from decks.rules.rulesets import RULESETS
from scoring.groups.evenings.commands import create_evening
from scoring.rules.formats import COALITION_906
from tests.scoring.browsing import parse, refusal, words
from tests.scoring.grouped import group
from tests.scoring.tables import text, unchanged

from ..lists import ELVES, TODAY, TOMORROW, elves, house, put, register
from ..pages import holder, post, verdict

SOON, LATER = TODAY + timedelta(days=13), TODAY + timedelta(days=20)
MYSTIC, ELF = "Elvish Mystic", "Llanowar Elves"


@pytest.fixture
def deck(db: None) -> Deck:
    elves()
    return register("Elves", ELVES)


def coming(deck: Deck, on: date = TODAY, by: Any = None) -> list[tuple[Any, ...]]:
    """Return of each planned day its title, what hits the deck and why, and what is freed."""
    revision = deck.revisions.latest("number")
    ruleset, lists = RULESETS[revision.ruleset], memory.BAN_LISTS.now()
    resolved = legality.read(revision.text, ruleset)
    report = legality.judge(resolved, ruleset, lists.entries(ruleset.format, by, on))
    found = []
    for each in planned(resolved, report, lists, by, on, ""):
        hits = [(hit.card, why, [fix.words for fix in fixes]) for hit, why, fixes in each.hits]
        found.append((each.title, hits, each.freed))
    return found


def test_a_deck_hears_of_each_planned_day_that_changes_its_verdict_with_reason_and_fix(deck):
    tuesday, end = house(), LATER + timedelta(days=1)
    put(MYSTIC, "banned", SOON, "Too fast.")
    put(ELF, "watched", SOON)  # which changes no verdict
    put("Elvish Champion", "banned", SOON)  # which it does not play
    put(MYSTIC, "watched", LATER)
    put(ELF, "banned", LATER)
    put(ELF, "watched", end)
    for name in (MYSTIC, ELF):
        put(name, "allowed", TOMORROW, ban_list=tuesday)

    hits = [
        (f"Legal until {day(SOON)}", [(MYSTIC, "Too fast", [f"Take out 4 {MYSTIC}"])], []),
        (f"From {day(LATER)} on", [(ELF, "", [f"Take out 4 {ELF}"])], [MYSTIC]),
        (f"Legal from {day(end)} on", [], [ELF]),
    ]
    assert (coming(deck), coming(deck, SOON)) == (hits, hits[1:])
    assert coming(deck, by=tuesday) == coming(deck, end) == []


def test_a_card_by_name_that_will_be_restricted_is_told_in_words(db):
    wars = register("Orcs", "3 Waaagh!\n2 Squig", ruleset="realm-wars")
    of_wars = BanList.objects.get(key="realm-wars")
    put("Grom", "banned", TODAY, ban_list=of_wars)
    put("WAAAGH!", "restricted", SOON, "Too strong.", ban_list=of_wars)

    ((title, hits, _),) = coming(wars)
    assert (title, hits[0][:2]) == (f"Legal until {day(SOON)}", ("Waaagh!", "Too strong"))
    page = words(holder(wars).get(reverse("deck", args=[wars.code])))
    assert "Waaagh! will be restricted to one copy: Too strong." in page


def test_a_fix_of_a_planned_ban_is_taken_before_its_day_by_a_deck_and_by_a_list(deck):
    put(MYSTIC, "banned", SOON)
    client, page = holder(deck), reverse("deck", args=[deck.code])

    (button,) = parse(text(client.get(page))).xpath('//button[@name="fix"]')
    client.post(reverse("build_deck", args=[deck.code]), {"fix": button.get("value")})
    of_list = post(client, text=ELVES, fix=button.get("value"))

    assert MYSTIC not in deck.revisions.latest("number").text
    assert f"Legal until {day(SOON)}" not in words(client.get(page))
    assert MYSTIC not in parse(text(of_list)).xpath("string(//textarea[@name='text'])")


def test_deck_and_list_are_checked_for_a_day_and_an_odd_day_is_refused(deck):
    put(MYSTIC, "banned", SOON)
    put(ELF, "banned", TODAY - timedelta(days=9))
    put(ELF, "watched", TODAY)
    client, page = holder(deck), reverse("deck", args=[deck.code])

    assert verdict(client.get(page))[0] == "Legal"
    for on in (SOON, TODAY - timedelta(days=5)):
        title, about = verdict(client.get(page, {"on": on.isoformat()}))
        assert (title, f"on {day(on)}" in about) == ("Not legal: 1 problem", True)
        assert verdict(post(text=ELVES, on=on.isoformat()))[0] == "Not legal: 1 problem"
    # That page shows a day, and changes nothing.
    assert not parse(text(client.get(page, {"on": SOON.isoformat()}))).xpath(
        '//button[@name="fix"]'
    )
    odd = "The day to check for is not a date: write it like 2026-03-09."
    assert refusal(client.get(page, {"on": "soon"})) == (422, odd)
    with unchanged():
        assert refusal(post(text=ELVES, on="soon")) == (422, odd)


def test_an_evening_and_ones_own_decks_say_what_a_planned_ban_will_hit(deck):
    put(MYSTIC, "banned", SOON, "Too fast.")
    thursday, at = group("Thursday"), datetime.combine(SOON, time(19), UTC)
    create_evening(thursday, "Winter cup", COALITION_906, rounds=2, usual_size=4, starts_at=at)

    evening = holder(deck).get(reverse("evening", args=[thursday.code, 1]))
    mine = holder(deck).get(reverse("my_decks"))

    assert f"Your decks on {day(SOON)} Elves not legal" in words(evening)
    where = reverse("deck", args=[deck.code])
    links = parse(text(evening)).xpath('//section[@aria-labelledby="own-decks"]//a/@href')
    assert links == [f"{where}?on={SOON.isoformat()}"]
    assert f"Legal until {day(SOON)} : {MYSTIC}" in words(mine)
    assert parse(text(mine)).xpath('//a[contains(., "Fix it")]/@href')[0].startswith(where)


def test_a_card_page_says_what_is_planned_for_whom(deck):
    tuesday = house()
    put(MYSTIC, "watched", SOON, "Seen often.")
    put(MYSTIC, "banned", LATER, ban_list=tuesday)
    page = words(Client().get(reverse("card", args=["elvish_mystic"])))

    # Once for each ruleset of Coalition, and for the group that goes further.
    assert page.count(f"Watched from {day(SOON)} on: Seen often.") == 5
    assert page.count(f"Banned from {day(LATER)} on.") == 1
