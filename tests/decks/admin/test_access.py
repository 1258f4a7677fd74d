"""Who may do what in the admin: every address, every role; nobody deletes, nothing is inline."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from decks.apps import EDITORS, EDITORS_MAY, make_editors
from decks.models import CreatureType
from tests.coalition_site.test_security_headers import POLICY, is_inline
from tests.scoring.browsing import Page
from tests.scoring.tables import everything, text

from ..cards import card
from ..lists import YESTERDAY, coalition, editor, house, register

# What GET and POST with an empty form answer the staff outside the group, an editor, and a
# superuser. All others are led to the login, but where they are there.
STATUSES = {
    name: statuses
    for statuses, names in {
        "200 200  200 200  200 200": "index password_change",
        "302 200  302 200  302 200": "login",
        "200 405  200 405  200 405": "password_change_done jsi18n",
        "403 405  200 405  200 405": "autocomplete",
        "404 404  404 404  404 404": "view_on_site catch_all_view",  # whatever is not there
        "404 404  200 200  200 200": "app_list",
        "403 403  200 200  200 200": (
            "decks_banentry_changelist decks_banentry_history decks_card_changelist"
            " decks_card_history decks_card_change decks_creaturetype_changelist"
            " decks_creaturetype_add decks_creaturetype_history decks_creaturetype_change"
            " decks_banlist_changelist decks_banlist_history"
        ),
        "403 403  200 403  200 200": "decks_banlist_change",
        "403 403  200 403  200 403": "decks_banentry_change",
        "403 403  403 403  200 200": (
            "auth_group_changelist auth_group_add auth_group_history auth_group_delete"
            " auth_group_change auth_user_changelist auth_user_add auth_user_history"
            " auth_user_delete auth_user_change auth_user_password_change decks_banlist_add"
            " decks_deck_changelist decks_deck_history"
        ),
        "403 403  403 403  200 403": "decks_deck_change",
        "403 403  403 403  403 403": (
            "decks_banentry_add decks_banentry_delete decks_card_add decks_card_delete"
            " decks_creaturetype_delete decks_banlist_delete decks_deck_add decks_deck_delete"
        ),
        "302 302  302 302  302 302": "RedirectView logout",  # the one leads on to a row's /change/
    }.items()
    for name in names.split()
}
STAFF = ("no group", "editor", "superuser")
CHOICES = "?app_label=decks&model_name=banentry&field_name=card&term=elves"


def patterns(entries: list[Any] | None = None) -> Iterator[URLPattern]:
    """Yield every address of the admin."""
    for entry in admin.site.urls[0] if entries is None else entries:
        if isinstance(entry, URLResolver):
            yield from patterns(entry.url_patterns)
        else:
            yield entry


def fill(name: str, existing: dict[str, Model]) -> str:
    """Return the address of that name, for a row that exists."""
    if name in ("RedirectView", "catch_all_view"):
        entry = reverse("admin:decks_banentry_change", args=[existing["banentry"].pk])
        return entry.removesuffix("change/") if name == "RedirectView" else "/admin/no-such-page/"
    model = next((model for model in existing if f"_{model}_" in name), "")
    is_of_one = name.endswith(("_history", "_delete", "_change")) and model
    args = {"app_list": ["decks"], "view_on_site": [1, 1]}.get(name, [])
    where = reverse(f"admin:{name}", args=[existing[model].pk] if is_of_one else args)
    return where + CHOICES * (name == "autocomplete")


@pytest.fixture
def existing(db: None) -> dict[str, Model]:
    """A row of each kind that the admin shows, by the name of its model."""
    elf = card("Llanowar Elves")
    return {
        "banentry": coalition().entries.create(card=elf, starts_on=YESTERDAY),
        "banlist": coalition(),
        "card": elf,
        "creaturetype": CreatureType.objects.get(name="Elf"),
        "deck": register("Elves", "4 Llanowar Elves"),
        "group": Group.objects.get(),
        "user": User.objects.create(username="somebody"),
    }


def signed_in(role: str) -> Client:
    client = Client()
    if role.startswith("no "):
        client.force_login(User.objects.create(username=role, is_staff=role == "no group"))
    elif role != "stranger":
        client.force_login(editor() if role == "editor" else User.objects.create_superuser(role))
    return client


def rows() -> dict[str, Any]:
    return everything() | {"Session": []}


def test_every_address_has_a_line_in_the_table():
    # Those that only lead on have no name.
    names = {one.name or one.lookup_str.rsplit(".", 1)[-1] for one in patterns()}
    assert sorted(STATUSES) == sorted(names)


def walk(client: Client, existing: dict[str, Model]) -> dict[str, list[int]]:
    """Return how each address answers GET and POST."""
    return {
        name: [ask(fill(name, existing)).status_code for ask in (client.get, client.post)]
        for name in STATUSES
    }


@pytest.mark.parametrize("role", ["stranger", "no staff"])
def test_visitors_who_are_not_staff_are_led_to_the_login(existing, role):
    client, before = signed_in(role), rows()

    assert walk(client, existing) == {name: [302, 302] for name in STATUSES} | {"login": [200, 200]}
    assert client.get("/admin/decks/card/").url == "/admin/login/?next=/admin/decks/card/"
    assert rows() == before


@pytest.mark.parametrize("role", STAFF)
def test_every_address_answers_the_staff_as_the_table_says(existing, role):
    client, before = signed_in(role), rows()

    found = {name: " ".join(map(str, said)) for name, said in walk(client, existing).items()}

    at = 2 * STAFF.index(role)
    assert found == {name: " ".join(said.split()[at : at + 2]) for name, said in STATUSES.items()}
    if role == "no group":
        assert rows() == before


@pytest.mark.parametrize(
    ("is_editor", "is_active", "status"),
    [(True, True, 302), (True, False, 200), (False, True, 200)],
)
def test_whoever_is_in_the_group_gets_in_without_being_of_the_staff(
    db, is_editor, is_active, status
):
    user = editor("ann", password="a-secret")
    User.objects.filter(pk=user.pk).update(is_active=is_active)
    user.groups.set(Group.objects.all() if is_editor else [])
    client = Client()

    answer = client.post(
        reverse("admin:login"), {"username": "ann", "password": "a-secret", "next": "/admin/"}
    )

    assert answer.status_code == status
    assert client.get("/admin/").status_code == (200 if status == 302 else 302)


@pytest.fixture
def private(existing: dict[str, Model]) -> dict[str, Model]:
    """What editors have no business with: a playgroup's own list, its ban, and a deck."""
    own = house()
    entry = own.entries.create(card=card("Forest"), starts_on=YESTERDAY, reason="Tom's deck.")
    return existing | {"banlist": own, "banentry": entry}


def test_no_page_shows_an_editor_a_playgroups_list_or_a_deck(private):
    client, deck = signed_in("editor"), private["deck"]
    secrets = ("Tuesday group", "Tom&#x27;s deck.", deck.code, deck.key_hash)
    filtered = f"?ban_list__id__exact={private['banlist'].pk}"
    asked = [fill(name, private) for name in STATUSES if name != "logout"]
    asked += [f"{where}{filtered}" for where in asked if where.endswith("/banentry/")]

    answers = {where: client.get(where, follow=True) for where in asked}

    shown = {where: [one for one in secrets if one in text(got)] for where, got in answers.items()}
    assert {where: found for where, found in shown.items() if found} == {}
    for name in ("banentry_change", "banentry_history", "banlist_change", "banlist_history"):
        assert "Perhaps it was deleted?" in text(answers[fill(f"decks_{name}", private)])


@pytest.mark.parametrize("lookup", ["entries", "entries__in", "entries__isnull", "deck_lines"])
def test_no_lookup_reveals_to_an_editor_which_card_a_private_list_or_deck_names(private, lookup):
    cards = reverse("admin:decks_card_changelist")

    answer = signed_in("editor").get(cards, {lookup: private["banentry"].pk})

    assert (answer.status_code, answer["Location"]) == (302, f"{cards}?e=1")


def test_no_form_lets_an_editor_change_a_playgroups_list_or_a_deck(private):
    client, own = signed_in("editor"), private["banlist"]
    form = {"card": card("Swamp").pk, "status": "banned", "starts_on": YESTERDAY.isoformat()}
    asked = [fill(name, private) for name in STATUSES if name != "logout"]
    before = rows()

    for where in asked:
        client.post(where, {**form, "ban_list": own.pk, "reason": "Mine."})

    assert rows() == before


def test_editors_keep_what_an_admin_gave_them_but_for_the_decks_of_the_first_release(db):
    group = Group.objects.get(name=EDITORS)
    group.permissions.add(*Permission.objects.filter(codename__in=["add_banlist", "view_deck"]))

    make_editors()
    import_module("decks.migrations.0002_editors_without_decks").take_decks_away(apps, None)

    found = group.permissions.values_list("codename", flat=True)
    assert sorted(found) == sorted([*EDITORS_MAY, "add_banlist"])


@pytest.mark.parametrize("model", ["banentry", "banlist", "card", "creaturetype", "deck"])
def test_nothing_of_the_lists_is_deleted_by_anybody(existing, model):
    one = existing[model]
    before = type(one).objects.count()
    bulk = {"action": "delete_selected", "_selected_action": [one.pk], "post": "yes"}

    for client in (signed_in("editor"), signed_in("superuser")):
        page = client.get(reverse(f"admin:decks_{model}_changelist"))
        client.post(reverse(f"admin:decks_{model}_changelist"), bulk)
        said = client.post(reverse(f"admin:decks_{model}_delete", args=[one.pk]), {"post": "yes"})
        assert ("delete_selected" in text(page), said.status_code) == (False, 403)

    assert type(one).objects.count() == before


def test_no_page_of_the_admin_has_anything_inline_and_each_has_the_policy(existing):
    client = signed_in("superuser")
    words = ("script", {"src": reverse("admin:jsi18n")})  # of our own, though no file

    for name in STATUSES:
        answer = client.get(fill(name, existing))
        assert answer.headers["Content-Security-Policy"] == POLICY
        if answer["Content-Type"].startswith("text/html"):
            tags = Page(text(answer)).tags
            assert [one for one in tags if is_inline(*one) and one != words] == [], name
