"""Every page of a playgroup as its owner sees it, on small and large screens."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from scoring.groups import settings
from scoring.groups.set_membership import take
from scoring.models import Playgroup
from scoring.play import commands
from scoring.rules.formats import LEVELER
from scoring.rules.moves import Draw
from tests.scoring.grouped import group, play
from tests.scoring.groups.visitors import account, browser, player

from .checks import Console
from .test_account_pages import seen

MARCH = date(2026, 3, 6)
NAMES = ("Ann", "Maximiliane Konstanze von Hohenstaufen-Rabenau", "W" * 40)
PAGES = (
    *("board", "heroes", "versus", "seasons_archive", "people", "settings", "invitations"),
    *("edit_seasons", "house_bans"),
)


@pytest.fixture
def full() -> Playgroup:
    """A playgroup with ratings, a season, and a player whom nobody else is like."""
    made = group("A playgroup of long names that does not fit into one line of a phone")
    account("olga", made, "owner")
    for week in range(6):
        play(made, MARCH + timedelta(weeks=week), dict(zip(NAMES, [(7, 7, 7)] * 3, strict=True)))
    levelled = commands.create_set(LEVELER, NAMES)
    commands.start_game(levelled, 1)
    take(levelled, made)
    commands.record(levelled, 1, Draw())
    settings.add_season(made, "Spring", MARCH, date(2026, 5, 31))
    settings.invite(made, "member", 7, key="the-key-of-an-invitation")
    return made


def addresses(of: Playgroup) -> list[str]:
    return [
        *(reverse(name, args=[of.code]) for name in PAGES),
        reverse("player", args=[of.code, player(of, NAMES[1]).pk]),
        reverse("season", args=[of.code, of.seasons.get().pk]),
        reverse("join", args=["the-key-of-an-invitation"]),
        f"{reverse('start')}?group={of.code}",
        reverse("take_set", args=[of.sets.latest("created_at").code]),
        reverse("board", args=["22222222"]),
    ]


def test_every_page_of_a_playgroup_fits_fingers_and_readers(page: Page, site, full):
    session = browser("olga").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    console = Console(page)

    wrong = [what for where in addresses(full) for what in seen(page, console, where)]

    assert not wrong, "\n".join(wrong)
