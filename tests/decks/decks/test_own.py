"""Whose a deck is: an account's, on every browser, or a browser's by its key."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from coalition_site.accounts import commands as accounts
from decks.models import Card, Deck
from scoring.record import commands as scoring
from tests.scoring.browsing import words
from tests.scoring.groups.visitors import browser
from tests.scoring.tables import set_up, text, unchanged
from tests.scoring.tables.test_query_counts import queries

from ..lists import TODAY, coalition
from ..pages import LEGAL, holder, post, saved_deck
from ..written import deck
from .test_building import begun, tap

pytestmark = pytest.mark.usefixtures("pool")


@pytest.fixture
def found(client: Client) -> Deck:
    """A deck of the browser."""
    return saved_deck(client)


def mine(client: Client) -> str:
    return words(client.get(reverse("my_decks")))


def test_a_deck_saved_by_an_account_is_its_on_every_browser():
    first = browser("ann")
    found = saved_deck(first)

    assert found.owner == begun(browser("ann"), name="More").owner == browser_account("ann")
    assert f"deck-{found.code}" not in first.cookies
    assert tap(browser("ann"), found, less="main:Forest").status_code == 302
    assert "Elves" in mine(browser("ann"))
    assert post(browser("bo"), save=1).status_code == 302  # the same form again
    found.refresh_from_db()
    assert found.owner == browser_account("ann")


@pytest.mark.parametrize("owner", [None, "ann"])
def test_nobody_else_changes_a_deck_and_no_key_opens_an_accounts(client, found, owner):
    key = client.cookies[f"deck-{found.code}"].value
    Deck.objects.update(owner=browser_account(owner) if owner else None)
    others = [Client(), browser("bo"), *(holder(found, one) for one in ("wrong", "é"))]
    asks = [("change_deck", {"save": "1"}), ("change_deck", {}), ("take_deck", {})]
    asks += [("build_deck", {"less": "main:Forest"}), ("build_deck", {"fix": "bad_line//"})]
    adding = {"deck": found.code, "card": "Negate", "place": "main"}

    with unchanged():
        answers = [
            answer
            for other in others + ([client, holder(found, key)] if owner else [])
            for answer in (
                *(other.post(reverse(name, args=[found.code]), form) for name, form in asks),
                other.post(reverse("add_card"), adding),
                other.get(reverse("change_deck", args=[found.code])),
            )
        ]

    assert {answer.status_code for answer in answers} == {403}
    assert "Elves belongs to somebody else" in words(answers[-1])
    assert "Elves" not in mine(browser("bo"))
    assert "Change the deck" not in words(Client().get(reverse("deck", args=[found.code])))
    opened = Client().get(reverse("take_deck_key", args=[found.code, key]))
    assert opened.status_code == (403 if owner else 302)
    assert key not in text(browser("ann").get(reverse("deck", args=[found.code])))


def browser_account(name: str) -> User:
    return User.objects.get_or_create(username=name)[0]


def test_a_deck_of_the_browser_is_taken_into_the_account_once_one_signed_in(client, found):
    with unchanged():
        answer = client.post(reverse("take_deck", args=[found.code]))
    assert answer["Location"] == f"/account/sign-in/?next=/decks/{found.code}/"
    client.force_login(browser_account("ann"))
    assert "Move it to my account" in mine(client)

    answer = client.post(reverse("take_deck", args=[found.code]))

    assert "Elves belongs to your account now." in words(client.get(answer["Location"]))
    assert "Elves" in mine(browser("ann"))
    assert client.cookies[f"deck-{found.code}"].value == ""


def test_decks_of_account_and_browser_are_listed_with_their_verdicts():
    client = Client()
    saved_deck(client, name="Of the browser", text=deck("2 Negate"))
    client.force_login(browser_account("ann"))
    saved_deck(client, save=2, name="Of the account", text=deck())
    saved_deck(client, save=3, name="Hit", text=LEGAL)
    begun(client, name="Nothing yet")
    elf = Card.objects.get(name="Elvish Mystic")
    coalition().entries.create(card=elf, starts_on=TODAY, reason="Too quick.")

    page = mine(client)
    assert "Of the browser 1 problem" in page
    assert "Of the account legal" in page
    assert "Nothing yet empty" in page
    assert (
        "Hit 1 problem Coalition (A win fills up to 21): Ezuri, Claw of Progress and Elf." in page
    )
    assert (
        "The ban list has hit this deck Elvish Mystic has been banned since "
        f"{TODAY.day} {TODAY:%B %Y} (Too quick): take it out."
    ) in page


def test_the_number_of_queries_does_not_grow_with_the_decks():
    client = browser("ann")
    saved_deck(client)
    counts = [queries(lambda: client.get(reverse("my_decks"))) for _ in range(2)]
    for at in range(2, 30):
        saved_deck(client, save=at, name=f"Elves {at}")

    counts += [queries(lambda: client.get(reverse("my_decks"))) for _ in range(2)]
    assert counts[1::2] == [6, 6]


def test_a_deleted_account_leaves_the_decks_that_were_played_without_its_name():
    client = browser("ann")
    played = saved_deck(client, name="Ann's Elves")
    other = saved_deck(client, name="Ann's Goblins", save=2)
    scoring.bring_deck(set_up(2), 1, played.revisions.get())

    accounts.delete(User.objects.get(username="ann"))

    left = Deck.objects.get()
    assert (left.pk, left.owner, left.name) == (played.pk, None, "Deck of a former player")
    assert left.key_hash != played.key_hash
    assert client.get(reverse("deck", args=[other.code])).status_code == 404
