"""The page that lists the keys of the pad."""

import pytest
from django.test import Client
from django.urls import reverse

from ..browsing import words

PAD = "/s/abcdefgh/score/"


@pytest.fixture
def keyboard() -> str:
    return reverse("keyboard")


def test_keys_are_on_until_they_are_turned_off_and_the_browser_remembers_it(client, keyboard):
    assert "The keys are on." in words(client.get(keyboard))

    answer = client.post(keyboard, {"keys": "off", "back": PAD})

    assert answer["Location"] == f"{keyboard}?back=%2Fs%2Fabcdefgh%2Fscore%2F"
    assert client.cookies["shortcuts"].value == "off"
    assert "The keys are off." in words(client.get(keyboard))
    client.post(keyboard, {"keys": "on"})
    assert "The keys are on." in words(client.get(keyboard))


@pytest.mark.parametrize("elsewhere", ["", "//example.org/", "https://example.org/", "s/"])
def test_the_page_leads_back_to_a_pad_and_never_to_another_site(client, keyboard, elsewhere):
    assert f'href="{PAD}"' in client.get(keyboard, {"back": PAD}).content.decode()

    page = client.get(keyboard, {"back": elsewhere})

    assert "Back to the pad" not in words(page)
    assert Client().post(keyboard, {"back": elsewhere})["Location"] == keyboard
