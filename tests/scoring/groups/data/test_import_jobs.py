"""Imports as jobs: whole or seen by nobody, one at a time, a set at a time."""

import json
from datetime import timedelta
from itertools import count, pairwise
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.groups.data import import_jobs
from scoring.groups.data.import_jobs import DIED, TOO_LONG, Importer
from scoring.groups.news import sender
from scoring.models import GameSet, Import, Playgroup
from scoring.record import commands
from scoring.rules.formats import COALITION_906

from ...browsing import refusal, words
from ...grouped import group
from ..visitors import account, browser, roles
from .test_importing import written

SETS = 5
HALF = 12  # steps, after which some of the sets are stored


@pytest.fixture
def document(db: None) -> dict[str, Any]:
    """A public playgroup's file, as its page hands it out."""
    return monday(SETS)


def monday(sets: int) -> dict[str, Any]:
    home = group("Monday", visibility="public")
    for _ in range(sets):
        commands.create_set(COALITION_906, ["Ann", "Bo"], playgroup=home)
    return written(home)


@pytest.fixture
def olga(db: None) -> Client:
    return browser("olga")


def send(client: Client, document: Any) -> HttpResponse:
    file = SimpleUploadedFile("monday.json", json.dumps(document).encode())
    return client.post(reverse("import_group"), {"file": file})


def work(importer: Importer | None = None, steps: int = 10**6) -> Importer:
    importer = importer or Importer()
    while steps and importer.go_on() is not None:
        steps -= 1
    return importer


def copies() -> list[Playgroup]:
    return list(Playgroup.objects.order_by("pk")[1:])


def test_the_page_takes_back_what_a_page_handed_out_however_many_sets_it_has(olga):
    document = monday(74)
    page = send(olga, document)["Location"]
    waiting = words(olga.get(page))
    importer = work(steps=130)
    middle = words(olga.get(page, headers={"HX-Request": "true"}))
    stored = Import.objects.get().sets
    work(importer)

    assert "It begins soon." in waiting
    assert 0 < stored < 74
    assert f"{stored} of 74 sets are stored." in middle
    copy = copies()[-1]
    assert olga.get(page)["Location"] == reverse("board", args=[copy.code])
    end = olga.get(page, headers={"HX-Request": "true"})
    assert end["HX-Redirect"] == page
    assert written(copy) == document | {
        "playgroup": document["playgroup"] | {"name": "Monday (copy)"}
    }
    assert roles(copy) == {"olga": "owner"}


def test_each_set_is_stored_by_itself_and_nobody_sees_a_playgroup_before_it_is_whole(
    olga, document
):
    send(olga, document)
    importer, stored = Importer(), []
    visitors = [browser(who) for who in ("olga", "pat", None)]

    def seen() -> list[int]:
        return [one.get(reverse("board", args=[copies()[0].code])).status_code for one in visitors]

    for step in count():
        if step == HALF:
            assert seen() == [404] * 3
            listed = words(olga.get(reverse("groups"))).split("Make a playgroup")[0]
            assert copies()[0].name not in listed
        if importer.go_on() is None:
            break
        there = GameSet.objects.filter(playgroup__in=copies()).count()
        stored.append((Import.objects.get().sets, there))

    assert {after - before for (before, _), (after, _) in pairwise(stored)} == {0, 1}
    assert all(noted == there for noted, there in stored)
    assert seen() == [200] * 3


def test_a_fault_in_the_last_set_is_shown_on_its_page_and_nobody_sees_the_others(olga, document):
    document["sets"][-1]["people"] = ["Ann", "Zoe"]

    page = send(olga, document)["Location"]
    work()

    place = "sets[4].people[1]"
    problem = f"{import_jobs.NOT_A_GROUP}: {place}: must be one of Ann, Bo."
    answer = olga.get(page)
    assert (answer.status_code, refusal(answer)[1]) == (200, problem)
    assert Import.objects.get().document == ""
    assert [(roles(half), half.visibility) for half in copies()] == [({}, "private")]
    assert page in olga.get(reverse("groups")).content.decode()
    assert browser("pat").get(page).status_code == 404


def test_one_import_runs_at_a_time_and_an_account_sends_one(olga, document):
    send(olga, document)
    again = send(olga, document)
    send(browser("pat"), document | {"sets": []})
    first, second = work(steps=HALF), Importer()

    assert refusal(again) == (422, import_jobs.ANOTHER)
    assert second.go_on() is None
    work(first)
    assert list(Import.objects.values_list("state", flat=True)) == ["done", "done"]


def test_an_import_whose_process_died_has_failed_and_the_next_one_begins(olga, document):
    page = send(olga, document)["Location"]
    send(browser("pat"), document | {"sets": []})
    work(steps=HALF)
    work()
    assert list(Import.objects.order_by("pk").values_list("state", flat=True)) == [
        "running",
        "waiting",
    ]

    Import.objects.update(step_at=timezone.now() - timedelta(minutes=4))
    work()

    assert refusal(olga.get(page)) == (200, DIED)
    assert list(Import.objects.order_by("pk").values_list("state", flat=True)) == ["failed", "done"]


def test_an_import_ends_with_its_account_and_when_it_takes_too_long(olga, document, monkeypatch):
    send(olga, document)
    importer = work(steps=HALF)
    account("olga").delete()
    work(importer)
    assert (Import.objects.count(), [roles(half) for half in copies()]) == (0, [{}])

    page = send(pat := browser("pat"), document)["Location"]
    monkeypatch.setattr(import_jobs, "SECONDS_MAX", 0)
    work()
    assert refusal(pat.get(page)) == (200, TOO_LONG)


def test_the_process_that_sends_news_imports_and_goes_on_after_the_database_was_away(
    olga, document, monkeypatch, caplog
):
    send(olga, document)
    pauses = []
    stored = import_jobs.store_group

    def away(*_: Any) -> Any:
        raise OperationalError

    def waits(pause: float) -> bool:
        pauses.append(pause)
        if pause == sender.PAUSE_WITHOUT_DATABASE:
            monkeypatch.setattr(import_jobs, "store_group", stored)
            Import.objects.update(state="waiting")
        return len(pauses) > 3 and pause == sender.PAUSE

    monkeypatch.setattr(import_jobs, "store_group", away)
    monkeypatch.setattr(sender, "close_old_connections", lambda: None)
    monkeypatch.setattr(sender.connection, "close", lambda: None)
    sender.run(waits)

    assert sender.PAUSE_WITHOUT_DATABASE in pauses
    assert "News can't be sent while the database is away: OperationalError" in caplog.text
    assert Import.objects.get().state == "done"
