"""What the tests of playgroups share."""

import pytest
from django.test import Client

from scoring.models import Playgroup

from .visitors import account, browser, owned_group


@pytest.fixture
def thursday(db: None) -> Playgroup:
    return owned_group()


@pytest.fixture
def owner(thursday: Playgroup) -> Client:
    return browser("olga")


@pytest.fixture
def member(thursday: Playgroup) -> Client:
    return browser(account("mia", thursday, "member"))


@pytest.fixture
def scorekeeper(thursday: Playgroup) -> Client:
    return browser(account("sam", thursday, "scorekeeper"))
