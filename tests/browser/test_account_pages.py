"""Accounts in a browser: the way from sign up to the end, on every screen."""

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from coalition_site import asgi

from .checks import Console, seen

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
    own = "**" + reverse("signup")
    page.context.route(own, lambda r: r.fallback() if r.request.method == "GET" else cut_off(r))
    page.goto(reverse("signup"))
    send_account(page)
    expect(page.get_by_text(asgi.ENDING)).to_be_visible()

    page.context.unroute(own)
    page.reload()

    expect(page.get_by_role("heading", name="Playgroups")).to_be_visible()


def cut_off(route: Route) -> None:
    route.fulfill(status=503, content_type="text/plain", body=asgi.ENDING)


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


def test_a_new_token_is_copied_by_a_button_and_a_long_name_leaves_revoke_in_sight(page, site):
    page.set_viewport_size({"width": 393, "height": 852})
    sign_up(page)
    page.goto(reverse("tokens"))
    page.get_by_label("What it is for").fill("W" * 40)
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Make it").click()

    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    revoke = page.get_by_role("button", name="Revoke").bounding_box()
    assert revoke["x"] + revoke["width"] <= 393


def test_an_account_is_made_and_deleted(page, site):
    sign_up(page)

    page.get_by_role("link", name=NAME).click()
    page.get_by_role("link", name="Delete the account").click()
    for password, heading in (("wrong", f"Delete the account {NAME}"), (PASSWORD, "Your account")):
        page.get_by_label("Your password").fill(password)
        page.get_by_role("button", name="Delete my account").click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()

    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert not User.objects.exists()
