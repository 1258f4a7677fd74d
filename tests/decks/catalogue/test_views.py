"""The page of each card, and what leads to it."""

from datetime import date
from statistics import stdev
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from decks.addresses import card_address
from decks.bans import commands
from decks.decks import counted
from decks.decks.counted import EVIDENCE
from decks.models import Card
from scoring.groups.settings import commands as group_settings
from scoring.models import Playgroup
from tests.scoring.browsing import words
from tests.scoring.grouped import group, play
from tests.scoring.groups.visitors import account, browser
from tests.scoring.tables import text

from ..cards import face, given, record
from ..lists import ELVES, elves, register
from ..pages import saved_deck

MARCH = date(2026, 3, 9)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    EVIDENCE.forget()


SPLIT = record(
    "Ember // Frost",
    "Instant // Instant",
    layout="split",
    card_faces=[
        face("Ember", "Instant", "Ember deals 2 damage to any target.", mana_cost="{1}{R}"),
        face("Frost", "Instant", "Tap target Elf.\nDraw a card.", mana_cost="{2/U}{W/P}"),
    ],
)


def test_a_page_shows_all_faces_and_what_each_ruleset_says_of_the_card():
    given(SPLIT)

    page = Client().get(card_address("Ember // Frost"))

    assert (page.status_code, page["Cache-Control"]) == (200, "private, no-cache")
    shown = words(page)
    assert "Ember deals 2 damage to any target." in shown
    assert shown.count("Legal") == 7  # the heading, and six rulesets
    assert 'aria-label="2 generic or blue mana"' in page.content.decode()
    assert "{" not in shown


ELF, SPIRIT = (f'<mark title="Affiliation: {one}">{one}</mark>' for one in ("Elf", "Spirit"))


@pytest.mark.parametrize(
    ("type_line", "text", "shown"),
    [
        (
            "Legendary Creature — Elf Spirit",
            "Create an Elf. (An Elf is green.)\n{T}: Draw.",
            f"<b>Legendary Creature — {ELF} {SPIRIT}</b>|"
            f"<p>Create an {ELF}. (An Elf is green.)<br><svg|</svg>: Draw.</p>|"
            "A deck with another hero may not have it.|1 copy in all three sub-decks together.",
        ),
        (
            "Creature — Shapeshifter",
            "Flying, changeling (It is every Elf.)",
            '<p>Flying, <mark title="Affiliation: every creature type">changeling</mark> (It is'
            " every Elf.)</p>",
        ),
    ],
)
def test_the_words_that_give_an_affiliation_are_marked_and_reminders_are_not(
    type_line, text, shown
):
    given(record("Elf Spy", type_line, text))

    page = Client().get(card_address("Elf Spy")).content.decode()

    assert [part for part in shown.split("|") if part not in page] == []


def test_another_spelling_leads_to_the_cards_address_and_a_misspelt_name_to_the_closest():
    given(SPLIT, record("Elvish Warden"))

    for asked in ("Ember // Frost", "ember", "EMBER;FROST", "ember_;_frost"):
        answer = Client().get(reverse("card", args=[asked.replace("/", ";")]))
        assert (answer.status_code, answer["Location"]) == (302, "/cards/ember;frost/")
    page = Client().get("/cards/elvish_wardn/")
    assert page.status_code == 404
    assert '<a class="card-name" href="/cards/elvish_warden/">Elvish Warden</a>' in (
        page.content.decode()
    )


def test_every_name_leads_to_its_card_and_whatever_people_type_as_a_hero_has_an_address():
    names = ["Jötun Grunt", "Æther “Vial”", "SP//dr, Peni", "_____ Goblin", "_____-o-saurus"]
    given(*(record(name) for name in names))

    for name in names:
        page = Client().get(card_address(name))
        assert page.status_code == 200
        assert f"<h1>{name}</h1>" in page.content.decode()
    for part in ("a%00b", "%CC%81", "_", "x" * 3000, ";;", "%0A"):
        assert Client().get(f"/cards/{part}/").status_code == 404
    for typed in ("", " ", "\u0301", "/", "..", "a\nb", "?#%"):
        assert card_address(typed).startswith("/cards/")


def played(of: Playgroup, name: str, sets: int = 1) -> None:
    """Let Ann win sets with a deck of elves."""
    deck = register(name, ELVES)
    for day in range(sets):
        points = {"Ann": (5, 5, 5), "Bo": (1, 1, 1), "Cy": (0, 0, 0)}
        play(of, date(2026, 4, 1 + day), points, decks={1: deck.revisions.get()})


def results(client: Client, name: str) -> str:
    shown = words(client.get(card_address(name)))
    return shown.partition("Played here ")[2].partition(" An independent")[0]


def test_decks_with_a_card_are_shown_to_whoever_may_find_their_playgroup():
    elves()
    played(group("Open table"), "Elves of all")
    hidden = group("Closed table", visibility="private")
    played(hidden, "Elves of few")
    member = User.objects.create_user("mia")
    hidden.memberships.create(user=member, role="member", joined_at=hidden.created_at)
    stranger, mia = Client(), Client()
    mia.force_login(member)

    seen = "Elves of all Rank 1 Ann, 1 April 2026 , Open table"
    assert results(stranger, "Llanowar Elves").endswith(f" Latest sets {seen}")
    assert results(stranger, "Elvish Champion") == (
        "No deck with it has finished a set that you can see."
    )
    both = results(mia, "Llanowar Elves")
    assert seen in both
    assert "Elves of few Rank 1" in both


def test_the_lists_of_playgroups_that_a_visitor_may_find_are_shown_where_they_differ():
    elves()
    given(record("Balance", "Sorcery"))
    card = Card.objects.get(name="Llanowar Elves")
    members = {}
    for visibility in ("public", "unlisted", "private"):
        home = group(f"{visibility} table", visibility=visibility)
        members[visibility] = browser(account(f"mia-{visibility}", home, "member"))
        house = group_settings.house_list(home)
        commands.ban(house, card, "banned", f"Too fast at {visibility}.", MARCH, None)

    def shown(client: Client, name: str = "Llanowar Elves") -> set[str]:
        page = words(client.get(card_address(name)))
        return {visibility for visibility in members if f"Too fast at {visibility}." in page}

    assert "public table Banned Banned since 9 March 2026 : Too fast at public." in words(
        Client().get(card_address("Llanowar Elves"))
    )
    assert shown(Client()) == {"public"}
    assert {visibility: shown(client) for visibility, client in members.items()} == {
        visibility: {"public", visibility} for visibility in members
    }
    assert shown(members["private"], "Balance") == set()


def test_a_page_costs_as_many_queries_whatever_was_played(django_assert_max_num_queries):
    elves()
    of = group("Open table")
    played(of, "Elves")
    client = Client()
    client.get(card_address("Llanowar Elves"))
    with django_assert_max_num_queries(12):
        client.get(card_address("Llanowar Elves"))
    played(of, "More elves", sets=20)
    with django_assert_max_num_queries(12):
        page = client.get(card_address("Llanowar Elves"))
    assert words(page).count("Rank 1") == 10


def test_evidence_is_what_a_computation_by_hand_gives_on_a_fixed_season(monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: 0)
    monkeypatch.setattr(counted, "time", clock)
    elves()
    given(record("Negate", "Instant"))
    of = group("Open table")
    with_it = register("Elves", ELVES).revisions.get()
    without = register("Forests", ELVES.replace("4 Llanowar Elves", "4 Negate")).revisions.get()
    season = [(9, 3), (20, 0), (4, 6), (2, 8), (12, 5), (7, 7), (0, 15), (18, 1), (6, 2), (10, 9)]
    for day, (ann, bo) in enumerate(season, 1):
        points = {"Ann": (ann, ann, 0), "Bo": (bo, 0, bo)}
        play(of, date(2026, 5, day), points, decks={1: with_it, 2: without})

    # Three games a set. Ann: 176 VP in 30 games; Bo: 112. The range of VP: 1.96 times the root of
    # the sum of squares around the mean times 10/9, by 30 games. Sets won: Wilson's interval.
    assert results(Client(), "Llanowar Elves").startswith(
        "How decks with this card and without it did in sets of public playgroups"
        " Decks Games VP per game Sets won"
        f" With it 30 {by_hand([2 * ann for ann, _ in season])} 70 % 40 to 89 %"
        f" Without it 30 {by_hand([2 * bo for _, bo in season])} 40 % 17 to 69 %"
    )
    played(of, "More elves", sets=20)  # which both rows count in ten minutes
    assert "With it 30 " in results(Client(), "Llanowar Elves")
    clock.monotonic = lambda: counted.LASTS
    assert "With it 90 " in results(Client(), "Llanowar Elves")


def by_hand(points: list[int]) -> str:
    """Return VP per game and its range, from the points of sets of three games."""
    mean = sum(points) / (3 * len(points))
    error = 1.96 * stdev(points) * len(points) ** 0.5 / (3 * len(points))
    return f"{mean:.1f} {max(mean - error, 0):.1f} to {mean + error:.1f}"


def test_ones_own_decks_with_a_card_are_named_to_oneself_alone():
    elves()
    client = Client()
    deck = saved_deck(client, text=ELVES)

    assert f'<a href="/decks/{deck.code}/">' in text(client.get(card_address("Llanowar Elves")))
    assert deck.code not in text(Client().get(card_address("Llanowar Elves")))
