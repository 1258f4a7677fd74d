"""The site among a phone's apps."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import find
from django.test import Client
from django.urls import reverse

from tests.scoring.browsing import words
from tests.scoring.tables import text


def test_the_manifest_names_icons_that_are_there():
    told = Client().get(reverse("manifest")).json()

    assert (told["name"], told["display"]) == ("Coalition table", "standalone")
    assert {(icon["sizes"], icon["purpose"]) for icon in told["icons"]} == {
        *(("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
    }
    for icon in told["icons"]:
        head = Path(find(icon["src"].removeprefix("/static/"))).read_bytes()[16:24]  # of a PNG
        width, height = int.from_bytes(head[:4]), int.from_bytes(head[4:])
        assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_may_serve_the_whole_site_and_is_revalidated():
    answer = Client().get(reverse("worker"))

    assert reverse("worker").count("/") == 1
    assert answer["Content-Type"] == "text/javascript"
    assert "no-cache" in answer["Cache-Control"]


@pytest.mark.django_db
def test_the_page_without_connection_says_nobodys_name():
    client = Client()
    client.force_login(User.objects.create_user("olga"))

    page = client.get(reverse("offline"))

    assert "No connection" in words(page)
    assert "olga" not in text(page)
