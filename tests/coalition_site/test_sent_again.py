"""Forms that come back filled, and visits of addresses that only take forms."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.scoring.browsing import form_to, words
from tests.scoring.groups.visitors import account, at, names, owned_group
from tests.scoring.tables import text, unchanged

pytestmark = pytest.mark.django_db
STALE = {"csrfmiddlewaretoken": "x" * 64}


def owner() -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(account("olga"))
    return client


def test_a_form_whose_token_is_stale_comes_back_filled_and_is_sent_by_one_button():
    group, client = owned_group(), owner()
    where = at(group, "add_player")
    typed = {"name": 'Zoë "Z" <script>&amp;', "is_guest": "on"}

    with unchanged():
        page = client.post(where, typed | STALE)
    form = form_to(page, where)

    assert (page.status_code, page["Cache-Control"]) == (
        403,
        "max-age=0, no-cache, no-store, must-revalidate, private",
    )
    assert 'Name Zoë "Z" <script>&amp; Is guest on Send it again' in words(page)
    assert "<script>&amp;" not in text(page)
    token = form.fields.pop("csrfmiddlewaretoken")
    assert form.fields == {name: [value] for name, value in typed.items()}
    client.post(where, form.fields | {"csrfmiddlewaretoken": token})
    assert names(group) == [typed["name"]]


def test_passwords_are_not_sent_back_but_asked_for_again():
    typed = {"username": "olga", "password": "three-taps-for-a-hit", "next": "/start/"}

    page = Client(enforce_csrf_checks=True).post(reverse("login"), typed | STALE)
    form = form_to(page, reverse("login"))

    assert "three-taps" not in text(page)
    assert "Your password" in words(page)
    assert (form.fields["username"], form.fields["password"]) == (["olga"], [""])


def test_several_choices_and_lines_come_back_as_they_were_and_a_file_is_chosen_again():
    where, file = reverse("import_group") + "?group=x", SimpleUploadedFile("group.json", b"{}")
    typed = {"name": ["Ann", "", "Bo"], "text": "1 Elf\r\n2 Goblin", "file": file}

    page = owner().post(where, typed | STALE)
    form = form_to(page, where)

    assert form.fields["name"] == ["Ann", "", "Bo"]
    assert form.fields["text"][0].splitlines() == ["1 Elf", "2 Goblin"]
    assert "Choose the file again" in words(page)
    assert form.attributes["enctype"] == "multipart/form-data"


LEADS = {
    "/g/CODE/people/add/": "/g/CODE/people/",
    "/g/CODE/settings/bans/7/": "/g/CODE/settings/bans/",
    "/g/CODE/claims/7/": "/g/CODE/",
    "/s/CODE/score/1/hit/": "/s/CODE/score/",
    "/account/tokens/7/revoke/": "/account/tokens/",
    "/account/sign-out/": "/account/",
    "/theme/?next=//evil.example": "/",
}


@pytest.mark.parametrize("where", LEADS)
def test_a_visit_of_an_address_that_only_takes_forms_leads_to_the_page_of_the_form(where):
    client = owner()

    visited = client.get(where)

    assert (visited.status_code, visited["Location"]) == (302, LEADS[where])
    assert client.head(where).status_code == 302
