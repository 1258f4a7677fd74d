"""A list of names: cards of a game that no catalogue has, banned or restricted (004)."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from decks.bans import drafts, file
from decks.bans.commands import BanRefused, ban
from decks.bans.file import Unclear
from decks.bans.forms import LineForm
from decks.bans.history import announcements
from decks.models import BanEntry, BanList, Card, NamedCard
from decks.rules.rulesets import REALM_WARS
from tests.decks.cards import given, record
from tests.decks.lists import TODAY, coalition, editor, register, report
from tests.decks.pages import post, saved_deck
from tests.scoring.browsing import words
from tests.scoring.tables import text

pytestmark = pytest.mark.django_db


def realm_wars() -> BanList:
    return BanList.objects.get(key="realm-wars")


def restrict(name: str, status: str = "restricted", reason: str = "") -> BanEntry:
    return ban(realm_wars(), NamedCard(name), status, reason, TODAY, None)


def problems(deck) -> list[tuple[str, str | None, int | None]]:
    return [(one.code.value, one.card, one.line) for one in report(deck).problems]


def test_one_copy_of_a_restricted_card_is_legal_and_two_are_not():
    """004 20: Cards banned or restricted where the cards are played are so here."""
    restrict("Innovation")
    restrict("Burn it Down")
    restrict("Chaos", "banned", "Too much")

    assert problems(register("one", "1 Innovation\n1 Burn it Down", ruleset="realm-wars")) == []
    banned = register("no", "1 Chaos\n50 No card of any catalogue", ruleset="realm-wars")
    assert problems(banned) == [("banned", "Chaos", 1)]
    assert report(banned).counts == {"main": 51}
    deck = register("two", "3 Elves\n1 innovation\n\n1 Innovátion", ruleset="realm-wars")
    assert problems(deck) == [("restricted", "innovation", 2)]
    assert report(deck).problems[0].message == (
        "2 copies of innovation: it is restricted, so a deck has one copy of it at most. "
        "Take out 1."
    )


def test_decks_are_judged_once_the_list_has_a_card_and_names_checked_once_it_has_them_all():
    deck = register("deck", "1 Innovation\n3 Elvs", ruleset="realm-wars")
    text = deck.revisions.get().text
    check = reverse("check"), {"text": text, "ruleset": "realm-wars"}
    page = words(Client().post(*check))
    assert ("Not judged" in page, "Legal" in page) == (True, False)
    assert report(deck).legal is None

    restrict("Innovation")
    assert report(deck).legal is True

    restrict("Elves", "allowed")
    assert problems(deck) == [("unknown_card", "Elvs", 2)]
    restrict("Elvs", "allowed")
    assert report(deck).legal is True


def test_an_editor_announces_names_and_sees_which_decks_break():
    deck = register("deck", "2 Innovation", ruleset="realm-wars")
    by = editor()
    draft = drafts.create(realm_wars(), TODAY, "A list", "", by, "0" * 32)
    form = LineForm(
        {"card": "Innovation", "status": "restricted", "version": 1}, ban_list=draft.ban_list
    )
    assert form.is_valid(), form.errors
    drafts.put_lines(draft, 1, by, [form.content()])
    draft.refresh_from_db()

    planned = drafts.plan(draft)
    done = drafts.publish(draft, planned.fingerprint, by, without_reason=True)

    assert planned.fates["decks"] == [deck]
    (day,) = announcements(done.ban_list)
    assert [(one.words, one.has_page) for one in day.changes] == [("Innovation: restricted", False)]
    assert problems(deck) == [("restricted", "Innovation", 1)]


def test_a_pasted_list_of_names_is_read_with_headings_and_says_no_more_than_it_can():
    contents = file.differences(
        realm_wars(), TODAY, "Banned\nChaos\n\nRestricted:\nInnovation", is_whole=True
    )
    assert [(one.subject, one.status) for one in contents] == [
        (NamedCard("Chaos"), "banned"),
        (NamedCard("Innovation"), "restricted"),
    ]
    with pytest.raises(Unclear) as refusal:
        file.differences(realm_wars(), TODAY, "Innovation: watched", is_whole=False)
    assert refusal.value.problems == ["Line 1: say banned, restricted or legal, not watched."]


def test_a_list_of_cards_restricts_none_and_has_no_names():
    given(record("Ox"))
    for subject, status in (
        (Card.objects.get(), "restricted"),
        (NamedCard("Innovation"), "banned"),
    ):
        with pytest.raises(BanRefused):
            ban(coalition(), subject, status, "", TODAY, None)
    with pytest.raises(Unclear):
        file.differences(coalition(), TODAY, "Ox: restricted", is_whole=False)


def test_the_list_goes_out_as_a_file_comes_back_the_same_and_is_shown(tmp_path, capsys):
    restrict("Innovation", reason="One is enough.")
    restrict("Chaos", "banned")
    call_command("export_banlist", "--list", "realm-wars")
    path = tmp_path / "list.json"
    path.write_text(capsys.readouterr().out)

    call_command("load_banlist", str(path), "--list", "realm-wars")
    page = Client().get(reverse("bans"), {"list": "realm-wars"}).content.decode()

    assert capsys.readouterr().out.splitlines()[1:] == ["Nothing changes."]
    assert "2 cards (1 banned, 1 restricted)" in page
    assert "Warhammer: Invasion" in page
    assert "/cards/innovation/" not in page
    assert "Groups of cards" not in page


def test_a_deck_of_names_is_saved_and_fixed_by_a_tap_and_names_the_game_of_its_cards():
    restrict("Innovation")
    client = Client()
    deck = saved_deck(
        client, text="2 Innovation\n1 innovation\n47 Elves", ruleset=REALM_WARS.key, name="Orcs"
    )
    mine = client.get(reverse("my_decks")).content.decode()
    assert "Orcs" in mine
    assert "Realm Wars (Warhammer: Invasion)" in mine

    page = words(Client().get(reverse("deck", args=[deck.code])))
    assert page.count("Realm Wars (Warhammer: Invasion)") == page.count("Realm Wars") > 1
    answer = client.post(
        reverse("build_deck", args=[deck.code]),
        {"fix": "restricted/Innovation/", "state": deck.revisions.get().state},
    )

    assert answer.status_code == 302
    sent = {"text": "1 innovation\n3 Chaos", "ruleset": REALM_WARS.key, "state": "1.0"}
    refused = post(client, reverse("change_deck", args=[deck.code]), save=1, **sent)
    assert "list above it has −3 Chaos, +47 Elves." in words(refused)
    compared = client.get(reverse("compare_deck", args=[deck.code]))
    assert "Went out 2 cards −2 Innovation" in words(compared)
    assert "/cards/innovation/" not in text(compared)
    assert report(deck).legal
    assert deck.revisions.last().text == "Deck\n1 Innovation\n47 Elves\n"
