"""The page of the site's state in a browser: from the admin's start page, on every screen."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import expect

from coalition_site.lib import durations
from scoring.models import Game, GameSet
from tests.coalition_site.test_last_backup import checked, folder, write
from tests.scoring.groups.visitors import browser
from tests.scoring.tables import set_up

from .checks import DESKTOP, PHONES, Console, complaints_on

__all__ = ["folder"]


def test_the_page_of_the_site_s_state_fits_every_screen_and_readers(page, site, folder):
    write(folder, "2026-11-22", 50, checked("2 logs are wrong."))
    GameSet.objects.filter(pk=set_up().pk).update(created_at=timezone.now() - timedelta(days=9))
    Game.objects.update(length=1_234_567, started_at=timezone.now())
    durations.current().note("admin:decks_creaturetype_changelist", 12.5)
    root = User.objects.create_superuser("root")
    session = browser(root).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    console = Console(page)

    page.goto("/admin/")
    page.get_by_role("link", name="State of the site").click()

    expect(page.get_by_role("heading", name="State of the site")).to_be_visible()
    expect(page.get_by_text("Its check found a fault: 2 logs are wrong.")).to_be_visible()
    wrong = complaints_on(page, [*PHONES, DESKTOP]) + console.complaints(200)
    assert not wrong, "\n".join(wrong)
