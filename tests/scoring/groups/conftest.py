"""What the tests of playgroups share."""

import pytest
from django.test import Client

from scoring.models import Playgroup

from ..grouped import group as new_group
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


@pytest.fixture
def group(db: None) -> Playgroup:
    """A playgroup without an owner that anybody with its link sees."""
    return new_group("Thursday", visibility="unlisted")
