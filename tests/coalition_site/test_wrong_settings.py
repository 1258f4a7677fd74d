"""What a site that is set up wrongly says: on a page, and in the log."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from coalition_site import errors
from tests.scoring.browsing import parse, words_of
from tests.scoring.tables import text

pytestmark = pytest.mark.django_db
START = "https://table.example.org"


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
        f"{START} , and this site takes itself for {site} . If both are the same: Have the proxy "
        "pass on the header Host as the visitor sent it, and set X-Forwarded-Proto . Where "
        "visitors come by https, set COALITION_HTTPS=1 . Or, where the proxy changes name or port, "
        "put what visitors see into COALITION_ORIGINS ."
    )
    assert said(caplog) == [
        f"Refused a form from {START!r}, for this is {site!r}: see COALITION_ORIGINS, "
        "COALITION_HTTPS, and the proxy's headers Host, X-Forwarded-Proto and Referrer-Policy."
    ]


def test_a_form_from_nowhere_is_told_of_the_referrer_policy(caplog):
    page = post(origin="null")

    assert page.status_code == 403
    assert main(page).startswith("Nothing says where this form came from Nothing was changed.")
    assert "Referrer-Policy: same-origin" in main(page)
    assert len(said(caplog)) == 1


def test_an_address_of_the_site_under_which_visitors_see_it_may_send_forms(settings):
    settings.CSRF_TRUSTED_ORIGINS = [START]

    page = post(origin=START)

    assert "This page is too old" in main(page)  # it has no token, but comes from the site
