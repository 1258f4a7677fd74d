"""What takes an account: its own pages from sign up to the end, and the editing of ban lists."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from coalition_site import asgi
from decks.models import Card
from tests.decks.bans.announcing import draft, say
from tests.decks.lists import ELVES, TOMORROW, editor, elves, register
from tests.scoring.groups.visitors import browser

from .checks import DESK, SCREENS, Console, complaints_on, seen
from .hand import sign_in

PASSWORD = "three-taps-for-a-hit"
NAME = "Maximiliane_Konstanze_von_Hohenstaufen-Rabenau"
OPEN = ("login", "signup", "password_reset", "password_reset_done", "account_deleted")
OWN = ("home", "groups", "account", "password_change", "delete_account", "password_reset_complete")


def sign_up(page: Page) -> None:
    page.goto(reverse("home"))
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="Create an account").click()
    send_account(page)
    expect(page.get_by_role("heading", name="Playgroups")).to_be_visible()


def send_account(page: Page) -> None:
    for name, said in (("username", NAME), ("password1", PASSWORD), ("password2", PASSWORD)):
        page.locator(f"[name={name}]").fill(said)
    page.get_by_role("button", name="Create it and sign in").click()


def test_a_form_that_a_restart_has_cut_off_is_sent_again_by_reloading_as_its_answer_says(
    page, site
):
    def cut_off(route: Route) -> None:
        if route.request.method == "GET":
            route.fallback()
        else:
            route.fulfill(status=503, content_type="text/plain", body=asgi.ENDING)

    own = "**" + reverse("signup")
    page.context.route(own, cut_off)
    page.goto(reverse("signup"))
    send_account(page)
    expect(page.get_by_text(asgi.ENDING)).to_be_visible()

    page.context.unroute(own)
    page.reload()

    expect(page.get_by_role("heading", name="Playgroups")).to_be_visible()


def test_every_page_of_accounts_fits_fingers_and_readers(page, site):
    console = Console(page)
    lost = reverse("password_reset_confirm", args=["MQ", "cut-off"])

    wrong = []
    for where in (*map(reverse, OPEN), lost):
        wrong += seen(page, console, where)
    sign_up(page)
    for name in OWN:
        wrong += seen(page, console, reverse(name))

    assert not wrong, "\n".join(wrong)


def test_a_token_can_be_copied_and_revoked_however_long_its_name(page, site):
    sign_up(page)
    page.goto(reverse("tokens"))
    page.get_by_label("What it is for").fill("W" * 40)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Make it").click()

    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    revoke = page.get_by_role("button", name="Revoke").bounding_box()
    assert revoke["x"] + revoke["width"] <= 393, "a long name leaves it in sight"


# --- ban lists, edited at a desk ---
desk = pytest.mark.browser_context_args(**DESK)


@desk
def test_an_editor_settles_a_card_and_no_page_of_the_admin_complains(page, site):
    elves()
    console = Console(page)
    elf = Card.objects.get(name="Llanowar Elves")
    sign_in(page, site, browser(editor()))
    page.goto(reverse("admin:decks_card_change", args=[elf.pk]))

    page.locator(".field-affiliated .select2-selection").click()
    page.keyboard.type("gob")
    page.get_by_role("option", name="Goblin", exact=True).click()
    page.get_by_label("Reason:").fill("It says so elsewhere.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text("was changed successfully")
    assert sorted(elf.types.values_list("name", flat=True)) == ["Elf", "Goblin"]

    for name in ("index", "decks_banentry_changelist", "decks_creaturetype_add"):
        page.goto(reverse(f"admin:{name}"))
    assert console.complaints(200) == []


@desk
def test_the_pages_of_a_draft_fit_fingers_and_readers(page, site):
    elves()
    register("Elves of Tuesday", ELVES)
    ed = editor()
    new = draft(ed, TOMORROW, title="Autumn changes", text="Elves won too often.")
    say(new, ed, {"Llanowar Elves": ("banned", "Too quick."), "Forest": "watched"})
    console = Console(page)
    sign_in(page, site, browser(ed))

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
