"""What is said of requests that go wrong: by settings, by stale forms, by the wrong method."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from coalition_site import errors
from tests.scoring.browsing import form_to, parse, words, words_of
from tests.scoring.groups.visitors import account, at, names, owned_group
from tests.scoring.tables import text, unchanged

pytestmark = pytest.mark.django_db
START = "https://table.example.org"
STALE = {"csrfmiddlewaretoken": "x" * 64}


def main(response: Any) -> str:
    return words_of(parse(text(response)).xpath("//main")[0])


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]


@pytest.fixture(autouse=True)
def _each_time(monkeypatch) -> None:
    monkeypatch.setattr(errors.log, "filters", [])


def post(*, secure: bool = False, **headers: str) -> Any:
    client = Client(enforce_csrf_checks=True)
    return client.post(reverse("start"), {"name": "Ann"}, headers=headers, secure=secure)


def test_an_unknown_host_is_told_where_names_are_set(caplog):
    host = "<b>Table.example.org\n" + "y" * 500

    page = Client().get(reverse("home"), headers={"host": host})

    assert page.status_code == 400
    assert main(page) == (
        "This site doesn’t go by that name Check the address. "
        "If you run this site, and the name is right: add it to COALITION_HOSTS , "
        "without a port, and restart the site. Behind a proxy: have it pass on the header Host as "
        "the visitor sent it."
    )
    assert said(caplog) == [
        f"Refused a request for the host {host[:100]!r}: it is not in COALITION_HOSTS."
    ]


@pytest.mark.parametrize(
    ("headers", "site"),
    [
        ({"origin": START}, "http://testserver"),
        ({"referer": START + "/start/?secret=1", "secure": True}, "https://testserver"),
    ],
    ids=str,
)
def test_a_form_from_another_address_is_told_what_to_set(caplog, headers, site):
    page = post(**headers)

    assert page.status_code == 403
    assert main(page) == (
        "This form came from elsewhere Nothing was changed. Open the page on this site, and enter "
        "it there. Go to the start page If you run this site The form came from "
        f"{START} , and this site’s own address is {site} . If both are the same: Have the proxy "
        "pass on the header Host as the visitor sent it, and set X-Forwarded-Proto . Where "
        "visitors come by https, set COALITION_HTTPS=1 . Or, where the proxy changes name or port, "
        "put what visitors see into COALITION_ORIGINS ."
    )
    assert said(caplog) == [
        f"Refused a form from {START!r}, for this is {site!r}: see COALITION_ORIGINS, "
        "COALITION_HTTPS, and the proxy's headers Host, X-Forwarded-Proto and Referrer-Policy."
    ]


def test_a_form_from_nowhere_is_told_of_the_referrer_policy_and_one_of_our_address_is_not(
    caplog, settings
):
    page = post(origin="null")
    settings.CSRF_TRUSTED_ORIGINS = [START]
    ours = post(origin=START)

    assert page.status_code == 403
    assert main(page).startswith("Nothing says where this form came from Nothing was changed.")
    assert "Referrer-Policy: same-origin" in main(page)
    assert len(said(caplog)) == 1
    assert "This page is too old" in main(ours)  # it has no token, but comes from the site


# --- forms and addresses ---
def owner() -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(account("olga"))
    return client


def test_a_form_whose_token_is_stale_comes_back_filled_and_is_sent_by_one_button():
    group, client = owned_group(), owner()
    where = at(group, "add_player")
    typed = {"names": 'Zoë "Z" <script>&amp;', "is_guest": "on"}

    with unchanged():
        page = client.post(where, typed | STALE)
    form = form_to(page, where)

    assert (page.status_code, page["Cache-Control"]) == (
        403,
        "max-age=0, no-cache, no-store, must-revalidate, private",
    )
    assert 'Names Zoë "Z" <script>&amp; Is guest on Send it again' in words(page)
    assert "<script>&amp;" not in text(page)
    token = form.fields.pop("csrfmiddlewaretoken")
    assert form.fields == {name: [value] for name, value in typed.items()}
    client.post(where, form.fields | {"csrfmiddlewaretoken": token})
    assert names(group) == [typed["names"]]


def test_all_else_comes_back_as_it_was_but_passwords_and_files_are_asked_for_again():
    typed = {"username": "olga", "password": "three-taps-for-a-hit", "next": "/start/"}
    page = Client(enforce_csrf_checks=True).post(reverse("login"), typed | STALE)
    form = form_to(page, reverse("login"))

    assert "three-taps" not in text(page)
    assert "Your password" in words(page)
    assert (form.fields["username"], form.fields["password"]) == (["olga"], [""])

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
