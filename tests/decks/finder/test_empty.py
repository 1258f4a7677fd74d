"""The finder before any card was imported."""

import pytest

from .pool import ask, text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("expression", ["", "elf", "o:x t:x c:g pow>1 is:vanilla m:g"])
def test_an_empty_catalogue_is_announced(expression):
    page = ask(q=expression)

    assert page.status_code == 200
    assert "No card has been imported yet." in text(page)
