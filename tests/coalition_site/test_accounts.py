"""Accounts: in, out, what one changes of one's own, and that nobody else does."""

import re
import socket
from datetime import date, timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from coalition_site import settings as of_the_site
from coalition_site.accounts import forms
from coalition_site.accounts.limits import SIGNED_IN
from coalition_site.lib import visitors
from scoring.groups.news import webhooks
from scoring.groups.settings import commands as group_settings
from scoring.models import (
    Delivery,
    GameSet,
    Invitation,
    Membership,
    Player,
    Playgroup,
    Seat,
    SetResult,
    Webhook,
)
from scoring.models.people import Role
from scoring.record import queries
from tests.receiver import send_next
from tests.scoring.browsing import Page, parse, refusal, words
from tests.scoring.grouped import group as new_group
from tests.scoring.grouped import play
from tests.scoring.groups.visitors import browser
from tests.scoring.tables import address, check_books, holder, set_up, text, unchanged

pytestmark = pytest.mark.django_db

MARCH = date(2026, 3, 6)
PASSWORD = "three-taps-for-a-hit"
OTHER = "never-lose-a-game-again"
WRONG = (422, "Name and password don’t match. Try again; capitals matter.")
LOCKED = "A wrong password was entered too often for this name. Wait 15 minutes, then try again."


@pytest.fixture
def ann() -> User:
    return account("Ann")


def account(name: str, email: str = "") -> User:
    return User.objects.create_user(name, email, PASSWORD)


def sign_in(client: Client, name: str, password: str, **options: Any) -> HttpResponse:
    return client.post(reverse("login"), {"username": name, "password": password}, **options)


def sign_up(client: Client, **changed: str) -> HttpResponse:
    form = {"username": "Ann", "email": ""} | twice(PASSWORD)
    return client.post(reverse("signup"), form | changed)


def twice(password: str) -> dict[str, str]:
    return {"password1": password, "password2": password}


def who(client: Client) -> str:
    """Return who is signed in by the header of a page, "Sign in" for nobody."""
    return parse(text(client.get(reverse("home")))).xpath('//*[@class="account"]//span')[0].text


def stored(user: User) -> tuple[str, str, bool]:
    """Return name and e-mail of an account, and whether its password is the one it began with."""
    user = User.objects.get(pk=user.pk)
    return user.username, user.email, user.check_password(PASSWORD)


# --- sign up ---
def test_who_signs_up_is_signed_in_and_led_to_the_playgroups(settings):
    """The password is stored with Argon2."""
    settings.PASSWORD_HASHERS = of_the_site.PASSWORD_HASHERS
    client = Client()

    answer = sign_up(client, email="ann@example.org")

    assert (answer.status_code, answer["Location"]) == (302, "/groups/")
    assert who(client) == "Ann"
    assert stored(user := User.objects.get()) == ("Ann", "ann@example.org", True)
    assert user.password.startswith("argon2$argon2id$")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"username": "bO"}, forms.TAKEN),
        ({"username": "JOSÉ"}, forms.TAKEN),
        (
            {"username": "Ann <b>"},
            "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ "
            "characters.",
        ),
        ({"email": "ann"}, "Enter a valid email address."),
        ({"password1": ""}, "“Password” is empty. Fill it in."),
        ({"password2": OTHER}, forms.DIFFERENT),
        (twice("k7#pQ"), "The password is too short. Use 8 characters or more."),
        (twice("password1"), "Many people use this password. Choose another."),
        (twice("8294619357"), "The password is all digits. Add some letters."),
        (
            {"username": "Maximiliane"} | twice("maximiliane1"),
            "The password is too similar to your name or e-mail. Choose another.",
        ),
    ],
)
def test_a_sign_up_that_will_not_do_is_refused_with_what_to_do(said, message):
    for name in ("Bo", "José"):
        account(name)

    with unchanged():
        answer = sign_up(Client(), **said)

    assert refusal(answer) == (422, message)


def test_a_refused_field_is_marked_and_no_password_is_sent_back():
    page = Page(text(sign_up(Client(), username="Ann <b>")))

    fields = {shown["name"]: shown for tag, shown in page.tags if shown.get("name")}
    assert {name for name, shown in fields.items() if "aria-invalid" in shown} == {"username"}
    assert fields["username"]["value"] == "Ann <b>"
    assert "value" not in fields["password1"]


@pytest.mark.parametrize("name", ["Ann", "aNN"])
def test_a_name_that_is_taken_in_the_same_moment_is_refused(ann, monkeypatch, name):
    as_typed = {"clean_username": lambda form: name, "validate_unique": lambda form: None}
    for what, does in as_typed.items():
        monkeypatch.setattr(forms.AccountForm, what, does)
    client, said = browser(account("Bo")), {"username": name, "email": "", "password": PASSWORD}

    with unchanged():
        answers = [sign_up(Client(), username=name), client.post(reverse("account"), said)]

    assert [refusal(answer) for answer in answers] == [(422, forms.TAKEN)] * 2


def test_the_admin_gives_no_name_that_is_taken(ann):
    bo, _ = account("Bo"), account("jürgen")
    admin = browser(User.objects.create_superuser("root"))
    where = reverse("admin:auth_user_change", args=[bo.pk])
    form = {"username": "aNN", "date_joined_0": "2026-03-06", "date_joined_1": "12:00"}

    answer = admin.post(where, form)

    assert (answer.status_code, forms.TAKEN in text(answer)) == (200, True)
    assert stored(bo)[0] == "Bo"
    assert admin.post(where, form | {"username": "BO"}).status_code == 302
    form = {"username": "JÜRGEN", "usable_password": "true"} | twice(PASSWORD)
    assert forms.TAKEN in text(admin.post(reverse("admin:auth_user_add"), form))


JOIN = "/groups/join/key/the-key/"
SIGN_UPS = {
    #                     open, by invitation and closed: who comes without a link, and by which
    ("open", ""): 302,
    ("invitation", ""): 403,
    ("invitation", JOIN): 302,
    ("invitation", "/groups/join/key/guessed/"): 403,
    ("invitation", "//evil.example" + JOIN): 403,
    ("closed", ""): 403,
    ("closed", JOIN): 403,
}


@pytest.mark.parametrize(("how", "back"), SIGN_UPS)
def test_who_may_create_an_account_is_up_to_the_site(settings, how, back):
    settings.SIGN_UP = how
    group_settings.invite(new_group(), "member", 7, key="the-key")
    expected = SIGN_UPS[how, back]

    page = Client().get(reverse("signup"), {"next": back})
    answer = sign_up(Client(), next=back)
    offered = "Create an account" in words(Client().get(reverse("login"), {"next": back}))

    assert (page.status_code, answer.status_code) == (200 if expected == 302 else 403, expected)
    assert (User.objects.count(), offered) == (expected == 302, expected == 302)
    assert ("Create an account" in words(Client().get(JOIN))) == (how != "closed")


@pytest.mark.parametrize("ends", ["revoked_at", "expires_at"])
def test_an_invitation_that_is_over_creates_no_account(settings, ends):
    settings.SIGN_UP = "invitation"
    group_settings.invite(new_group(), "member", 7, key="the-key")
    hour = timedelta(hours=1)
    Invitation.objects.update(**{"created_at": F("created_at") - 2 * hour, ends: timezone.now()})

    answer = sign_up(Client(), next=JOIN)

    assert answer.status_code == 403
    assert "New accounts are by invitation Ask an owner of a playgroup" in words(answer)
    assert not User.objects.exists()


# --- where it goes on ---
@pytest.mark.parametrize(
    ("wanted", "led"),
    [
        ("/g/abc/?sort=sets", "/g/abc/?sort=sets"),
        ("", "/groups/"),
        ("https://evil.example/", "/groups/"),
        ("/\\evil.example/", "/groups/"),
        ("javascript:alert(1)", "/groups/"),
    ],
)
def test_what_comes_next_is_a_page_of_this_site(ann, wanted, led):
    form = {"username": "Ann", "password": PASSWORD, "next": wanted}

    assert Client().post(reverse("login"), form)["Location"] == led
    assert sign_up(Client(), username="Bo", next=wanted)["Location"] == led


# --- in and out ---
@pytest.mark.parametrize(
    ("name", "password"),
    [("Ann", OTHER), ("ann", PASSWORD), ("Nobody", PASSWORD), ("Closed", PASSWORD)],
)
def test_whatever_is_wrong_with_a_sign_in_gets_the_same_refusal(ann, name, password):
    User.objects.create_user("Closed", "", PASSWORD, is_active=False)
    client = Client()

    assert refusal(sign_in(client, name, password)) == WRONG
    assert who(client) == "Sign in"


@pytest.mark.parametrize("key", ["", "no-such-session", '"\\000aaaaaaaa"', "x" * 4000])
def test_a_session_that_is_none_is_nobody(key):
    client = Client(headers={"cookie": f"sessionid={key}"})

    assert "Sign in" in words(client.get(reverse("home")))
    assert client.get(reverse("account")).status_code == 302


def test_scripts_know_which_account_is_signed_in_and_signing_out_takes_a_post(ann):
    client = browser(ann)
    assert client.get(reverse("home")).cookies["account"].value == str(ann.pk)
    assert client.get(reverse("home")).cookies.keys() & {"account"} == set()
    assert client.get(reverse("logout"))["Location"] == reverse("account")
    assert who(client) == "Ann"

    answer = client.post(reverse("logout"))

    assert (answer.cookies["account"].value, answer.cookies["account"]["max-age"]) == ("", 0)
    assert (answer["Location"], answer["Clear-Site-Data"]) == ("/", '"cache"')
    assert who(client) == "Sign in"
    assert not Session.objects.exists()
    assert "account" not in Client().get(reverse("home")).cookies


# --- limits ---
def fail(name: str = "Ann", times: int = 8, **options: Any) -> list[int]:
    return [sign_in(Client(), name, OTHER, **options).status_code for _ in range(times)]


@pytest.mark.usefixtures("clock")
def test_eight_wrong_passwords_lock_a_name_at_one_address_for_a_quarter_of_an_hour(ann, settings):
    settings.LIMITS = {"name": (20, 900)}
    account("Bo")
    fail(times=7)
    sign_in(Client(), "Ann", PASSWORD)  # which forgets the wrong ones

    browsers = [{"user-agent": f"Browser {number}"} for number in range(8)]
    assert [fail(times=1, headers=one)[0] for one in browsers] == [422] * 7 + [429]
    locked = sign_in(Client(), "Ann", PASSWORD)
    assert (locked.status_code, locked["Retry-After"]) == (429, "900")
    assert "no-store" in locked["Cache-Control"]
    assert LOCKED in words(locked)
    assert OTHER not in repr(list(AccessAttempt.objects.values()))
    assert sign_in(Client(), "Bo", PASSWORD).status_code == 302
    fail(times=20)  # by which one address alone does not lock the name for others
    assert sign_in(Client(), "Ann", PASSWORD, REMOTE_ADDR="192.0.2.7").status_code == 302

    pass_minutes(14)
    assert sign_in(Client(), "Ann", PASSWORD).status_code == 429
    pass_minutes(1)
    assert sign_in(Client(), "Ann", PASSWORD).status_code == 302


def pass_minutes(minutes: int) -> None:
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=minutes))


@pytest.mark.usefixtures("clock")
def test_a_name_tried_from_ever_new_addresses_is_locked_but_where_its_owner_was_before(
    ann, settings
):
    settings.LIMITS = {"name": (4, 900)}
    here, elsewhere, bo = Client(), browser(ann), Client()
    sign_in(here, "Ann", PASSWORD)
    here.post(reverse("logout"))
    account("Bo")
    sign_in(bo, "Bo", PASSWORD)
    form = {"username": "Ann", "email": "ann@example.org", "password": PASSWORD}

    statuses = [fail(times=1, REMOTE_ADDR=f"198.51.100.{n}")[0] for n in range(5)]

    assert statuses == [422] * 3 + [429] * 2
    assert LOCKED in words(sign_in(Client(), "Ann", PASSWORD))
    assert sign_in(here, "Ann", PASSWORD).status_code == 302
    assert elsewhere.post(reverse("account"), form).status_code == 302
    assert sign_in(bo, "Ann", PASSWORD).status_code == 429


@pytest.mark.usefixtures("clock")
def test_nobody_is_locked_out_where_they_signed_up_or_into_the_admin_not_even_renamed(settings):
    settings.LIMITS = {"name": (4, 900)}
    User.objects.create_superuser("Root", password=PASSWORD)
    ann, root = Client(), Client()
    sign_up(ann)
    ann.cookies.pop(SIGNED_IN)  # as a browser that an older version signed in
    ann.post(reverse("account"), {"username": "Anna", "email": "", "password": PASSWORD})
    root.post("/admin/login/", {"username": "Root", "password": PASSWORD})

    for client, name in ((ann, "Anna"), (root, "Root")):
        client.post(reverse("logout"))
        assert [fail(name, 1, REMOTE_ADDR=f"198.51.100.{n}")[0] for n in range(5)][-1] == 429
        assert sign_in(client, name, PASSWORD).status_code == 302


def test_the_sign_in_of_the_admin_is_limited_too():
    User.objects.create_superuser("Root", password=PASSWORD)
    form = {"username": "Root", "password": OTHER}

    statuses = [Client().post("/admin/login/", form).status_code for _ in range(8)]

    assert statuses == [200] * 7 + [429]
    locked = Client().post("/admin/login/", form | {"password": PASSWORD})
    assert (locked.status_code, LOCKED in words(locked)) == (429, True)


@pytest.mark.parametrize(
    ("https", "told", "found"),
    [
        (False, "203.0.113.9", "192.0.2.1"),
        (True, "203.0.113.9", "203.0.113.9"),
        (True, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (True, "unknown", "192.0.2.1"),
        (True, "", "192.0.2.1"),
    ],
)
def test_a_visitors_address_is_taken_from_a_proxy_only_where_there_is_one(
    settings, https, told, found
):
    settings.HTTPS = https
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1", headers={"x-forwarded-for": told})

    assert visitors.visitors_place(request) == found


# --- reset ---
def ask_for_reset(mailoutbox: list[Any], email: str = "ann@example.org") -> str:
    for asked_for in ("nobody@example.org", email):
        Client().post(reverse("password_reset"), {"email": asked_for})
    assert [send_next() for _ in range(3)] == [True, True, False]
    assert not Delivery.objects.exists()
    return mailoutbox[-1].body.split("http://testserver")[1].split()[0]


def new_password(client: Client, link: str, password: str = OTHER) -> HttpResponse:
    shown = client.get(link)
    assert shown.status_code == 302
    form = {"new_password1": password, "new_password2": password}
    return client.post(shown["Location"], form)


def test_a_mailed_link_sets_a_new_password_and_signs_in(mailoutbox):
    ann = account("Ann", "ann@example.org")
    before, client = browser(ann), Client()
    fail()  # and so she is locked out

    link = ask_for_reset(mailoutbox, "Ann@Example.org")
    answer = new_password(client, link)

    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == (["ann@example.org"], "A new password for Coalition table")
    assert mail.body == (
        'Somebody, hopefully you, asked for a new password for the account "Ann" at testserver.\n'
        f"Set it here, within a day:\n\nhttp://testserver{link}\n\n"
        "If it was not you, do nothing: the password stays as it is."
    )
    assert (answer["Location"], who(client), who(before)) == (
        reverse("password_reset_complete"),
        "Ann",
        "Sign in",
    )
    assert sign_in(Client(), "Ann", OTHER).status_code == 302


@pytest.mark.parametrize("backend", ["locmem", "no_mail_server"])
def test_an_address_is_answered_alike_and_without_a_mail_server_whether_known_or_not(
    mailoutbox, settings, backend
):
    account("Ann", "ann@example.org")
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{backend}.EmailBackend"
    answers, statements = [], []
    for name in ("ann", "nob"):
        with CaptureQueriesContext(connection) as queries:
            form = {"email": f"{name}@example.org"}
            answers.append(Client().post(reverse("password_reset"), form, follow=True))
        statements.append(
            [re.sub(rf"{name}|20\d\d-[^']*|[0-9a-f-]{{32,}}", "_", one["sql"]) for one in queries]
        )

    assert [one.redirect_chain for one in answers] == [[("/account/reset/sent/", 302)]] * 2
    assert words(answers[0]) == words(answers[1])
    assert statements[0] == statements[1] != []
    assert mailoutbox == []


def test_a_link_works_once_and_for_a_day_and_not_when_guessed(mailoutbox, settings):
    ann = account("Ann", "ann@example.org")
    link = ask_for_reset(mailoutbox)
    new_password(Client(), link, PASSWORD)
    late = ask_for_reset(mailoutbox)
    settings.PASSWORD_RESET_TIMEOUT = -1  # over in the second in which it was sent
    guessed = [
        re.sub("reset/.*?/", f"reset/{uid}/", late) for uid in ("__", "OTk5OTk5OTk5OTk5OTk5OTk5")
    ]
    dead = (link, late, late.replace("/key/", "/key/x"), *guessed)

    for where in dead:
        for answer in (Client().get(where), Client().post(where, {"new_password1": OTHER})):
            assert answer.status_code == 410
            assert "Ask for another one." in words(answer)
    assert stored(ann) == ("Ann", "ann@example.org", True)


def test_a_mail_server_that_says_nothing_is_not_waited_for_long_and_tried_again(settings, caplog):
    account("Ann", "ann@example.org")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = silent.getsockname()
        settings.EMAIL_TIMEOUT = 0.01
        Client().post(reverse("password_reset"), {"email": "ann@example.org"})
        assert [send_next(), send_next()] == [True, False]

    again = Delivery.objects.get().next_at - timezone.now()
    assert round(again.total_seconds() / 60) == 1
    told = ["A mail could not be sent: SMTPServerDisconnected"]
    assert [entry.getMessage() for entry in caplog.records] == told


def test_a_site_that_sends_no_mails_says_whom_to_ask(settings):
    settings.SENDS_MAIL = False

    page = text(Client().get(reverse("password_reset")))

    assert "This site sends no e-mail. Ask whoever runs it" in page
    assert 'name="email"' not in page


# --- one's own account ---
def named(name: str) -> Playgroup:
    return Playgroup.objects.filter(name=name).first() or new_group(name)


def joined(user: User, name: str, role: str, days_ago: int = 0) -> None:
    at = timezone.now() - timedelta(days=days_ago)
    Membership.objects.create(playgroup=named(name), user=user, role=role, joined_at=at)


def test_the_account_page_shows_the_playgroups_with_their_roles(ann):
    joined(ann, "Monday", Role.OWNER)
    joined(account("Bo"), "Tuesday", Role.OWNER)
    joined(ann, "Tuesday", Role.MEMBER)

    shown = words(browser(ann).get(reverse("account")))

    assert "Your playgroups Monday Owner Tuesday Member All, and create another" in shown


@pytest.mark.parametrize("name", ["Anna", "ANN"])
def test_name_and_address_change_with_the_password(ann, name):
    client = browser(ann)
    form = {"username": name, "email": "anna@example.org", "password": PASSWORD}

    answer = client.post(reverse("account"), form, follow=True)

    assert answer.redirect_chain == [("/account/", 302)]
    assert "Sign out Saved." in words(answer)
    assert (stored(ann), who(client)) == ((name, "anna@example.org", True), name)


NEW = {"old_password": PASSWORD, "new_password1": OTHER, "new_password2": OTHER}


@pytest.mark.parametrize(
    ("page", "said", "message"),
    [
        ("account", {"password": OTHER}, forms.WRONG),
        ("account", {"username": "bo"}, forms.TAKEN),
        ("password_change", {"old_password": OTHER}, forms.WRONG),
        ("password_change", {"new_password2": PASSWORD}, forms.DIFFERENT),
    ],
)
def test_a_change_that_will_not_do_is_refused_and_the_page_keeps_the_name(ann, page, said, message):
    account("Bo")
    form = NEW | {"username": "Anna", "email": "", "password": PASSWORD} | said

    answer = browser(ann).post(reverse(page), form)

    assert refusal(answer) == (422, message)
    assert ("<h1>Ann</h1>" in text(answer)) is (page == "account")
    assert stored(ann) == ("Ann", "", True)


def test_guessing_the_password_of_a_signed_in_visitor_is_limited(ann):
    client = browser(ann)
    form = {"username": "Ann", "password": OTHER, "old_password": OTHER}

    statuses = [
        client.post(reverse(name), form).status_code
        for name in ("account", "delete_account", "password_change")
        for _ in range(3)
    ]

    assert statuses == [422] * 7 + [429] * 2
    assert LOCKED in words(client.post(reverse("password_change"), form))


def test_a_new_password_signs_out_other_devices(ann):
    client, other = browser(ann), browser(ann)

    answer = client.post(reverse("password_change"), NEW, follow=True)

    assert "Your password is changed. Other devices are signed out." in words(answer)
    assert (who(client), who(other), stored(ann)[2]) == ("Ann", "Sign in", False)


# --- deleting it ---
def played(*players: User, group: str = "Monday") -> GameSet:
    """Return a finished set of a playgroup; who has a player's name is that player."""
    home = named(group)
    table = play(home, MARCH, {"Ann": (3, 0, 0), **dict.fromkeys(("Bo", "Cy", "Di"), (0, 0, 0))})
    for user in players:
        Player.objects.filter(playgroup=home, name=user.username).update(user=user)
    return table


def delete(user: User) -> Client:
    client = browser(user)
    answer = client.post(reverse("delete_account"), {"password": PASSWORD})
    assert (answer.status_code, answer.get("Location")) == (302, reverse("account_deleted"))
    return client


def results() -> list[tuple[str, int, int]]:
    rows = SetResult.objects.order_by("game_set", "rank", "seat__number")
    return [(row.player.name, row.rank, row.victory_points) for row in rows]


def test_results_stay_under_a_neutral_name_on_every_page(ann):
    table, mine, strangers = played(ann), played(ann, group="Tuesday"), set_up()
    joined(ann, "Monday", Role.MEMBER)
    before = results()

    client = delete(ann)

    assert who(client) == "Sign in"
    assert not User.objects.exists()
    assert not Membership.objects.exists()
    neutral = [(name.replace("Ann", "Former player"), *rest) for name, *rest in before]
    assert results() == neutral
    for one in (table, mine):
        found = queries.find_set(one.code)
        assert found
        check_books(found)
        for name in ("watch", "log", "export"):
            assert "Ann" not in text(client.get(address(one, name)))
    board = text(client.get(reverse("board", args=[Playgroup.objects.first().code])))
    assert ("Former player" in board, "Ann" in board) == (True, False)
    assert strangers.seats.get(number=1).name == "Ann"
    call_command("verify_ledger")


def test_a_deleted_name_stays_neither_in_messages_nor_in_failed_sign_ins(ann):
    played(ann)
    webhooks.save(Playgroup.objects.get(), "json", "https://discord.com/", site="", key="key")
    Webhook.objects.get().deliveries.create(kind=Delivery.Kind.SET, body="Ann won a set")
    fail("Ann", 1)

    delete(ann)

    assert Delivery.objects.get().body == ""
    assert not AccessAttempt.objects.exists()


@pytest.mark.parametrize(("merged", "into"), [("Cy", "Ann"), ("Ann", "Cy")])
def test_each_who_leaves_has_a_name_of_their_own_and_so_has_whoever_is_the_same(ann, merged, into):
    bo = account("Bo")
    played(ann, bo)
    Player.objects.filter(name=merged).update(merged_into=Player.objects.get(name=into))

    delete(ann)
    delete(bo)

    names = ["Former player", "Former player 3", "Former player 2", "Di"]
    assert list(Player.objects.order_by("pk").values_list("name", flat=True)) == names
    assert list(Seat.objects.order_by("pk").values_list("name", flat=True)) == names


def roles(name: str) -> dict[str, str]:
    found = Membership.objects.filter(playgroup__name=name)
    return dict(found.values_list("user__username", "role"))


def test_a_playgroup_of_a_sole_owner_goes_to_the_scorekeeper_of_longest_standing(ann):
    for name in ("Monday", "Tuesday", "Friday", "Sunday"):
        joined(ann, name, Role.OWNER, days_ago=9)
    bo, cy, di, closed = map(account, ("Bo", "Cy", "Di", "Zoë"))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    for user, role, days_ago in ((bo, "member", 8), (cy, "scorekeeper", 2), (di, "scorekeeper", 3)):
        joined(user, "Monday", role, days_ago)
    joined(bo, "Tuesday", Role.MEMBER)
    joined(closed, "Tuesday", Role.OWNER)  # inherits nothing
    joined(cy, "Friday", Role.OWNER)
    joined(di, "Friday", Role.SCOREKEEPER, 5)

    told = words(browser(ann).get(reverse("delete_account")))
    delete(ann)

    assert "Monday will be owned by Di, the longest-standing of its scorekeepers." in told
    assert "Tuesday will be owned by Bo, the longest-standing of its members." in told
    assert "Sunday will have no owner, as it has no other members." in told
    assert "Friday" not in told
    assert [roles(name) for name in ("Monday", "Tuesday", "Friday", "Sunday")] == [
        {"Bo": "member", "Cy": "scorekeeper", "Di": "owner"},
        {"Bo": "owner", "Zoë": "owner"},
        {"Cy": "owner", "Di": "scorekeeper"},
        {},
    ]


@pytest.mark.parametrize("is_alone", [True, False])
def test_an_account_deleted_in_the_admin_hands_over_as_on_its_own_page(ann, is_alone):
    bo, admin = account("Bo"), browser(User.objects.create_superuser("root"))
    played(ann)
    joined(ann, "Friday", Role.OWNER, days_ago=9)
    joined(bo, "Friday", Role.SCOREKEEPER)
    joined(account("Cy"), "Friday", Role.MEMBER)

    if is_alone:
        admin.post(reverse("admin:auth_user_delete", args=[ann.pk]), {"post": "yes"})
    else:
        form = {"action": "delete_selected", "_selected_action": [ann.pk, bo.pk], "post": "yes"}
        admin.post(reverse("admin:auth_user_changelist"), form)

    assert roles("Friday") == ({"Bo": "owner", "Cy": "member"} if is_alone else {"Cy": "owner"})
    names = ["Former player", "Bo", "Cy", "Di"]
    assert list(Player.objects.order_by("pk").values_list("name", flat=True)) == names
    assert list(Seat.objects.order_by("number").values_list("name", flat=True)) == names


def test_a_deletion_that_breaks_off_leaves_everything(ann, monkeypatch):
    played(ann)
    client = browser(ann)
    client.raise_request_exception = False
    monkeypatch.setattr(User, "delete", Mock(side_effect=ZeroDivisionError))

    with unchanged():
        answer = client.post(reverse("delete_account"), {"password": PASSWORD})

    assert answer.status_code == 500


# --- what it costs, and who keeps it ---
def asked(client: Client, where: str) -> list[str]:
    """Return the tables of sessions and accounts that a page asked for."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(where).status_code == 200
    return re.findall(r'FROM "(django_session|auth_\w+|axes_\w+)"', str(captured.captured_queries))


def test_an_account_costs_two_queries_and_visitors_without_one_none(ann):
    table, client = set_up(), browser(ann)

    for where in (reverse("home"), reverse("login"), address(table, "watch")):
        assert asked(Client(), where) == []
        assert "sessionid" not in Client().get(where).cookies
    assert asked(holder(table), address(table, "score")) == []
    assert asked(client, reverse("home")) == ["django_session", "auth_user"]
    for name in ("account", "delete_account", "login", "signup"):
        assert "no-store" in client.get(reverse(name))["Cache-Control"]
