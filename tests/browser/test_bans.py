"""The admin, and the pages on which announcements of a ban list are drafted."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from decks.models import Card
from tests.decks.bans.announcing import draft, say
from tests.decks.lists import ELVES, TOMORROW, editor, elves, register
from tests.scoring.groups.visitors import browser

from .checks import DESK, SCREENS, Console, complaints_on
from .hand import sign_in

pytestmark = pytest.mark.browser_context_args(**DESK)  # where lists are edited


def choose(page: Page, field: str, typed: str, name: str) -> None:
    page.locator(f".field-{field} .select2-selection").click()
    page.keyboard.type(typed)
    page.get_by_role("option", name=name, exact=True).click()


def test_an_editor_settles_a_card_and_no_page_of_the_admin_complains(page, site):
    elves()
    console = Console(page)
    elf = Card.objects.get(name="Llanowar Elves")
    sign_in(page, site.address, browser(editor()))
    page.goto(reverse("admin:decks_card_change", args=[elf.pk]))

    choose(page, "affiliated", "gob", "Goblin")
    page.get_by_label("Reason:").fill("It says so elsewhere.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text("was changed successfully")
    assert sorted(elf.types.values_list("name", flat=True)) == ["Elf", "Goblin"]

    for name in ("index", "decks_banentry_changelist", "decks_creaturetype_add"):
        page.goto(reverse(f"admin:{name}"))
    assert console.complaints(200) == []


def test_the_pages_of_a_draft_fit_fingers_and_readers(page, site):
    elves()
    register("Elves of Tuesday", ELVES)
    ed = editor()
    new = draft(ed, TOMORROW, title="Autumn changes", text="Elves won too often.")
    say(new, ed, {"Llanowar Elves": ("banned", "Too quick."), "Forest": "watched"})
    console = Console(page)
    sign_in(page, site.address, browser(ed))

    wrong = []
    for where in (
        reverse("new_draft", args=["coalition"]),
        reverse("draft", args=["coalition", new.pk]),
    ):
        page.goto(where)
        wrong += complaints_on(page, SCREENS) + console.complaints(200)
    page.get_by_label("Card (English name)").fill("Lanowar Elves")
    page.get_by_role("button", name="Add it to the draft").click()
    expect(page.get_by_role("button", name="Take Llanowar Elves")).to_be_visible()

    assert wrong + complaints_on(page, SCREENS) + console.complaints(422) == []
