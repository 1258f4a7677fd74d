"""How often something may be posted from one place, counted by all processes together."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib import limits
from coalition_site.models import Posted
from decks.models import Deck
from scoring.models import EventRow, GameSet
from tests.decks.lists import register
from tests.scoring.browsing import words
from tests.scoring.groups.visitors import browser
from tests.scoring.record.test_concurrency import at_once
from tests.scoring.tables import holder, set_up, tap_id, text

pytestmark = pytest.mark.django_db
NOON = 1_800_000_000  # the begin of an hour
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def _twice_an_hour(settings: Any, clock: SimpleNamespace) -> None:
    settings.LIMITS = dict.fromkeys(limits.DONE, (2, 3600))
    limits.IN_MEMORY["tap"].times.clear()


def start(client: Client, number: int, address: str = HERE) -> HttpResponse:
    form = {"tap_id": tap_id(number), "name": ["Ann", "Bo"], "ruleset": "coalition-906"}
    return client.post(reverse("start"), form, REMOTE_ADDR=address)


def test_a_post_too_many_is_refused_with_when_to_try_again():
    answers = [start(Client(), at, f"2001:db8:1:{at}::1") for at in (1, 2, 3)]  # of one /48
    refused = answers[2]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert (GameSet.objects.count(), refused["Retry-After"]) == (2, "3540")
    assert "no-store" in refused["Cache-Control"]
    assert (
        "2 tables were started from here within 60 minutes, which is the limit. "
        "Nothing was changed. Try again in 59 minutes." in words(refused)
    )


def test_neither_a_look_nor_a_forged_form_is_counted_and_counting_begins_again(clock):
    Client().get(reverse("start"))
    Client(enforce_csrf_checks=True).post(reverse("start"))
    assert not Posted.objects.exists()

    for number in (1, 2, 3):
        start(Client(), number)
    clock.now = NOON + 3600

    assert start(Client(), 4).status_code == 302
    assert list(Posted.objects.values_list("what", "who", "ends", "times")) == [
        ("start", HERE, NOON + 7200, 1)
    ]


def test_addresses_are_counted_apart_but_an_account_is_counted_once_everywhere():
    for number in (1, 2, 3):
        start(browser("Ann"), number)

    assert start(Client(), 4, ELSEWHERE).status_code == 302
    assert start(browser("Bo"), 5, ELSEWHERE).status_code == 302
    assert start(browser("Ann"), 6, "192.0.2.3").status_code == 429


@pytest.mark.parametrize(
    ("name", "args", "what"),
    [
        ("start", [], "start"),
        ("check", [], "check"),
        ("groups", [], "found"),
        ("import_group", [], "import"),
        ("claim", ["22222222", 1], "claim"),
        ("change_deck", ["22222222"], "check"),
        ("login", [], "sign_in"),
        ("admin:login", [], "sign_in"),
        ("signup", [], "sign_up"),
        ("password_reset", [], "reset"),
    ],
)
def test_each_of_these_is_limited(name, args, what):
    answers = [Client().post(reverse(name, args=args)) for _ in range(3)]

    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert limits.DONE[what] in words(answers[-1])


def test_saving_decks_is_limited_apart_from_checking_them(settings):
    settings.LIMITS["check"] = (600, 600)
    elves = register("Elves", "4 Forest")
    client = Client()
    client.cookies[f"deck-{elves.code}"] = "Elves"
    form = {"ruleset": "coalition-906", "name": "Elves"}

    def save(number: int, where: str, **said: str) -> HttpResponse:
        return client.post(where, form | {"tap_id": tap_id(number), "text": f"{number} Ox"} | said)

    answers = [save(1, reverse("check"), save="1")]
    answers += [save(2, reverse("change_deck", args=[elves.code]), save="1")]
    answers += [save(3, reverse("check"), save="1")]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "2 decks were saved or tried from here within 60 minutes" in words(answers[2])
    assert Deck.objects.count() == 2
    assert save(4, reverse("check")).status_code == 200


def test_checking_a_deck_while_typing_is_refused_in_place():
    headers = {"HX-Request": "true", "HX-Target": "report"}

    *_, refused = [Client().post(reverse("check"), headers=headers) for _ in range(3)]

    assert text(refused).count("<") < 12
    assert 'id="report"' in text(refused)
    assert "Try again in 59 minutes" in words(refused)


def tap(table: GameSet, number: int, address: str = HERE, **headers: str) -> HttpResponse:
    form = {"tap_id": tap_id(number)}
    where = reverse("turn", args=[table.code, 1])
    return holder(table).post(where, form, REMOTE_ADDR=address, headers=headers)


def test_a_tap_too_many_is_refused_before_the_database_is_asked(django_assert_num_queries, clock):
    table = set_up()
    assert holder(table).get(reverse("score", args=[table.code])).status_code == 200  # not counted
    statuses = [tap(table, number).status_code for number in (1, 2)]

    with django_assert_num_queries(0):
        refused = tap(table, 3, **{"HX-Request": "true"})
    elsewhere = tap(table, 4, ELSEWHERE)
    clock.now = NOON + 3600
    later = tap(table, 3)

    assert (statuses, refused.status_code) == ([302, 302], 429)
    assert refused["Retry-After"] == "3540"
    assert "2 taps were sent from here within 60 minutes" in words(refused)
    assert (elsewhere.status_code, later.status_code) == (302, 302)
    assert EventRow.objects.count() == 4
    assert not Posted.objects.exists()


def test_taps_of_threads_are_all_counted():
    def count(number: int) -> list[int]:
        return [limits.IN_MEMORY["tap"].count(HERE, NOON) for _ in range(500)]

    with ThreadPoolExecutor(4) as pool:
        counted = [one for each in pool.map(count, range(4)) for one in each]

    assert sorted(counted) == list(range(1, 2001))


def test_two_who_post_at_once_are_both_counted(transactional_db):
    ends = NOON + 3600

    def post(number: int) -> list[int]:
        return [limits.count("start", HERE, ends, NOON) for _ in range(10)]

    counted = at_once(4, post)

    assert sorted(one for each in counted for one in each) == list(range(1, 41))
    assert Posted.objects.get().times == 40
