"""A deck's own page, what becomes of it, and who may change it."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.decks import legality
from decks.decks import views as decks
from decks.models import Card, Deck, DeckRevision
from tests.scoring.browsing import parse, refusal, words, words_of
from tests.scoring.tables import text, unchanged
from tests.scoring.tables.test_query_counts import queries

from ..cards import face, given, record
from ..faults import HERO, bring_pool
from ..lists import TODAY, coalition, house, register
from ..pages import LEGAL, holder, listed_problems, post, verdict
from ..written import deck

pytestmark = pytest.mark.django_db


@pytest.fixture
def elves() -> Deck:
    """A legal deck, kept ten days ago."""
    bring_pool()
    found = register("Elves", LEGAL)
    made = timezone.now() - timedelta(days=10)
    DeckRevision.objects.update(created_at=made)
    return found


@pytest.fixture
def owner(elves) -> Client:
    """The browser that holds the key of the elves."""
    return holder(elves)


def page(deck: Deck, client: Client | None = None, **asked: Any) -> HttpResponse:
    return (client or Client()).get(reverse("deck", args=[deck.code]), asked)


def change(deck: Deck, client: Client, **said: Any) -> HttpResponse:
    return post(client, reverse("change_deck", args=[deck.code]), **said)


def ban(name: str, days: int, **more: Any) -> None:
    """Ban a card from so many days after today on."""
    starts = TODAY + timedelta(days=days)
    coalition().entries.create(card=Card.objects.get(name=name), starts_on=starts, **more)


def told_since(response: HttpResponse) -> str | None:
    """Return what the page says of since when a deck is illegal, and why."""
    found = re.search(r'<div class="notice problem">(.*?)</ul></div></div>', text(response))
    return found and " ".join(unescape(re.sub("<[^>]*>", " ", found[1])).split())


def day(days: int) -> str:
    then = TODAY + timedelta(days=days)
    return f"{then.day} {then:%B %Y}"


# --- the page ---
def test_deck_is_shown_with_its_verdict_its_list_and_its_legality_under_each_ruleset(elves):
    shown = page(elves)

    assert shown.status_code == 200
    assert verdict(shown) == ("Legal", f"Coalition (A win fills up to 21), today: {HERO} and Elf")
    assert (
        "Main deck 60 of 60 Creatures 4 cards 4 × Elvish Mystic Lands 56 cards 56 × Forest"
        f" Hero and sideboard 10 of 10 Hero 1 card 1 × {HERO} Lands 9 cards 9 × Forest"
    ) in words(shown)
    assert told_since(shown) is None
    assert page(Deck(code="x")).status_code == 404
    for found, legal in (
        (
            register("Another", deck(sizes=(60, 15))),
            {
                "A win fills up to 21": "1 problem",
                "A win gives 5 more": "1 problem",
                "A win gives 5 more, 21 after conceding": "1 problem",
                "2026: 60 + 15": "legal",
            },
        ),
        (
            register("Levels", "50 Forest\n\n30 Forest\n\n20 Forest", ruleset="leveler"),
            {"Leveler": "legal"},
        ),
    ):
        table = text(page(found)).split("Legal today?")[1].split("</table>")[0]
        rows = parse(f"<table>{table}").xpath('//tr[th[@scope="row"]]')
        assert {words_of(row[0]): words_of(row[1]) for row in rows} == legal


def test_a_deck_says_what_its_list_left_out():
    found = register("Elves", f"{LEGAL}\nMaybeboard\n2 Negate")

    assert "2 of “Maybeboard” left out" in words(page(found))


def test_cards_are_shown_by_line_or_by_picture_and_the_choice_is_remembered(elves, settings):
    """For each visitor apart, although what is drawn is shared."""
    settings.CARD_PICTURES = "scryfall"
    address = f"{settings.CARD_PICTURES_SOURCE}/mystic.jpg"
    pictures = {"small": address, "normal": address, "art_crop": address}
    given(record("Elvish Mystic", image_uris=pictures), record("Silver Elf"))
    client, other = Client(), Client()

    def looks(response: HttpResponse) -> tuple[int, list[str]]:
        lists = parse(text(response)).xpath('//section[contains(@class, "part")]')
        images = [one for part in lists for one in part.xpath('.//a[@class="card-name"]//img')]
        chosen = parse(text(response)).xpath('//nav//a[@aria-current="true"]')
        return len(images), [words_of(one) for one in chosen]

    assert looks(page(elves, client)) == (0, ["As lines"])
    assert looks(page(elves, client, cards="pictures")) == (1, ["As pictures"])
    assert "Forest" in words(page(elves, client))  # a card without a picture has its name
    assert looks(page(elves, client)) == (1, ["As pictures"])
    assert looks(page(elves, other, cards="cubes")) == (0, ["As lines"])
    assert looks(page(elves, client, cards="lines")) == (0, ["As lines"])
    assert looks(page(elves, client)) == (0, ["As lines"])
    settings.CARD_PICTURES = "none"
    assert looks(page(elves, client, cards="pictures")) == (0, [])


# --- for other sites ---
def test_list_is_copied_out_as_each_site_takes_it():
    faces = [face("Fire", "Instant"), face("Ice", "Instant")]
    given(record("Fire // Ice", "Instant // Instant", layout="split", card_faces=faces))

    html = text(page(register("Both", deck("1 fire/ice", "1 Nobody"))))

    side = "Sideboard\n1 Ezuri, Claw of Progress\n9 Forest\n"
    lists = re.findall(r'<textarea id="copy-\d" readonly[^>]*>(.*?)</textarea>', html, re.DOTALL)
    assert re.findall(r"For (\w+)</summary>", html) == ["Moxfield", "Archidekt", "Arena", "MTGO"]
    assert [unescape(one) for one in lists[2:]] == [
        f"Deck\n1 Fire // Ice\n1 Nobody\n58 Forest\n\n{side}",
        f"1 Fire/Ice\n1 Nobody\n58 Forest\n\n{side}",
    ]


# --- when the ban list changes ---
MYSTIC = "Elvish Mystic has been banned since"
ENDED = {"ends_on": TODAY - timedelta(days=2)}
BEFORE = {"ends_on": TODAY - timedelta(days=3), "status": "allowed"}
SILVER = f"Silver Elf has not been allowed since {day(-3)}: its exemption ended."


@pytest.mark.parametrize(
    ("cards", "bans", "since"),
    [
        (
            ["4 Elvish Mystic"],
            [("Elvish Mystic", -3, {"reason": "Too quick."})],
            f"Illegal since {day(-3)}, legal before: {MYSTIC} {day(-3)}: Too quick.",
        ),
        (
            ["4 Elvish Mystic"],
            [("Elvish Mystic", -2, {}), ("Forest", -5, {})],
            f"Illegal since {day(-5)}, legal before: {MYSTIC} {day(-2)}. Forest has been banned"
            f" since {day(-5)}.",
        ),
        (
            ["4 Elvish Mystic"],
            [("Elvish Mystic", -5, ENDED), ("Elvish Mystic", -2, {})],
            f"Illegal since {day(-5)}, legal before: {MYSTIC} {day(-5)}.",
        ),
        (
            ["4 Elvish Mystic"],
            [("Elvish Mystic", -30, {})],
            f"Illegal since it was saved: {MYSTIC} {day(-30)}.",
        ),
        (
            ["4 Elvish Mystic", "2 Negate"],
            [("Elvish Mystic", -3, {})],
            f"Kept out by the ban list: {MYSTIC} {day(-3)}.",
        ),
        (
            ["4 Silver Elf"],
            [("Silver Elf", -20, BEFORE)],
            f"Illegal since {day(-3)}, legal before: {SILVER}",
        ),
        # Watching a card neither bans nor allows it.
        (
            ["4 Silver Elf"],
            [("Silver Elf", -20, BEFORE), ("Silver Elf", -3, {"status": "watched"})],
            f"Illegal since {day(-3)}, legal before: {SILVER}",
        ),
        (["4 Silver Elf"], [], None),
        (["2 Negate"], [], None),
        (["4 Elvish Mystic"], [("Elvish Mystic", 1, {})], None),
        (["4 Elvish Mystic"], [("Elvish Mystic", -5, {"ends_on": TODAY})], None),
    ],
)
def test_the_page_says_since_when_a_deck_is_illegal_where_the_ban_list_alone_made_it_so(
    elves, cards, bans, since
):
    found = register("Another", deck(*cards))
    found.revisions.update(created_at=timezone.now() - timedelta(days=10))
    for name, days, more in bans:
        ban(name, days, **more)

    assert told_since(page(found)) == since


def test_on_a_day_to_come_the_page_says_what_will_be_banned_from_when(elves):
    ban("Elvish Mystic", 3)

    shown = page(elves, on=(TODAY + timedelta(days=4)).isoformat())

    will = f"Elvish Mystic will be banned from {day(3)}"
    assert told_since(shown) == f"Illegal from {day(3)}, legal before: {will}."
    assert f"{will}: take it out." in words(shown)


def test_deck_saved_as_judged_by_a_house_is_shown_and_changed_so(elves, owner):
    mystic, since = Card.objects.get(name="Elvish Mystic"), TODAY - timedelta(days=4)
    house().entries.create(card=mystic, starts_on=since, reason="Fast.")
    answers = [
        post(Client(), save=1, house="tuesday"),
        change(elves, owner, save=2, house="tuesday", text=f"{LEGAL}\n"),
    ]

    for answer in answers:
        shown = Client().get(answer["Location"])
        assert verdict(shown)[0].startswith("Not legal")
        assert "today by the list of Tuesday group" in verdict(shown)[1]
        assert '<option value="tuesday" selected>Tuesday group</option>' in text(shown)
    assert verdict(page(elves))[0] == "Legal"
    judged = page(elves, owner, house="tuesday")
    assert f"since {day(-4)}" in words(judged)
    where = f"{reverse('change_deck', args=[elves.code])}?house=tuesday"
    assert f'href="{where}"' in text(judged)
    assert verdict(owner.get(where))[0].startswith("Not legal")
    for key in ("nobodys", "coalition"):
        refused = page(elves, house=key)
        assert refusal(refused) == (422, "There is no such house list. Choose another.")
        assert verdict(refused)[0] == "Legal"


def test_deck_is_illegal_since_its_exemption_from_a_ban_ended(elves):
    coalition().entries.create(rule="named", starts_on=TODAY - timedelta(days=30)).cards.add(
        Card.objects.get(name="Elvish Mystic")
    )
    ban("Elvish Mystic", -20, status="allowed", ends_on=TODAY - timedelta(days=3))

    assert told_since(page(elves)) == (
        f"Illegal since {day(-3)}, legal before:"
        f" Elvish Mystic has been banned again since {day(-3)}: Named cards."
    )


# --- revisions ---
def test_longer_list_than_is_saved_today_is_shown_as_before(elves, owner):
    longer = f"{LEGAL}\n// {'x' * 30_000}"
    elves.revisions.update(text=longer)

    assert verdict(page(elves))[0] == "Legal"
    shown = owner.get(reverse("change_deck", args=[elves.code]))
    assert longer in unescape(text(shown))
    assert 'name="name" maxlength="80" autocomplete="off" value="Elves"' in text(shown)


def test_a_revision_is_worked_out_and_drawn_once_for_all_readers(elves, owner, monkeypatch):
    """Until a card, a ban list or the deck changes."""
    before = words(page(elves))
    judged = []
    judge = legality.judge
    monkeypatch.setattr(legality, "judge", lambda *a, **k: judged.append(1) or judge(*a, **k))
    monkeypatch.setattr(decks, "render_to_string", lambda *_: judged.append(1))

    assert words(page(elves)) == before
    assert verdict(page(elves, owner))[0] == "Legal"
    assert judged == []

    monkeypatch.undo()
    ban("Elvish Mystic", -1)
    assert verdict(page(elves))[0].startswith("Not legal")
    assert "What to fix" in text(page(elves, owner))
    change(elves, owner, save=1, text=deck("2 Negate"))
    assert "Elvish Mystic" not in words(page(elves))


def test_a_deck_has_250_different_cards_at_most(elves, owner):
    given(*(record(f"Elf {at}") for at in range(251)))
    longest = "\n".join(f"1 Elf {at}\n1 elf {at}" for at in range(250))
    problem = (
        "A deck has at most 250 different cards, and this list has 251. Send the list of a single "
        "deck."
    )

    assert post(owner, text=longest).status_code == 200
    assert change(elves, owner, save=1, text=longest).status_code == 302
    adding = {"card": "Negate", "place": "main", "count": "1"}
    for refused in (
        post(owner, text=f"{longest}\n1 Elf 250"),
        change(elves, owner, save=2, text=f"{longest}\n1 Elf 250"),
        owner.post(reverse("build_deck", args=[elves.code]), adding),
    ):
        assert refusal(refused) == (422, problem)


def test_earlier_revision_is_shown_by_its_number_and_judged_today(elves, owner, monkeypatch):
    """Also one that is older than the history on the page."""
    monkeypatch.setattr("decks.queries.REVISIONS_MAX", 1)
    page(elves)  # what it shows as the latest is not what it shows as an earlier one
    change(elves, owner, save=1, text=deck("2 Negate"))

    assert verdict(page(elves))[0] == "Not legal: 1 problem"
    earlier = page(elves, revision=1)
    another_day = parse(text(earlier)).xpath('//form[contains(., "Check")]/input[@name="revision"]')
    assert [one.value for one in another_day] == ["1"]
    on_a_day = parse(text(page(elves, revision=1, on="2026-01-01")))
    (today,) = on_a_day.xpath('//a[normalize-space()="Today"]/@href')
    assert today == f"{reverse('deck', args=[elves.code])}?revision=1"
    listed = text(earlier).split("<h2>History</h2>")[1]
    assert re.findall(r">(Revision \d+)</a>.*?</time>\s*</li>", listed, re.DOTALL) == ["Revision 2"]
    assert verdict(earlier)[0] == "Legal"
    assert "Revision 1 of" in words(earlier)
    assert "4 Elvish Mystic" in words(earlier)


def test_an_earlier_revision_is_opened_as_text_and_saved_as_the_next(elves, owner):
    change(elves, owner, save=1, text=deck("2 Negate"))

    [link] = parse(text(page(elves, owner, revision=1))).xpath(
        '//a[contains(., "Change this revision as text")]/@href'
    )
    form = parse(text(owner.get(link))).xpath('//form[@id="check"]')[0]
    opened = {"text": form.xpath("string(.//textarea)"), "state": form.fields["state"]}
    assert change(elves, owner, save=2, **opened).status_code == 302

    texts = elves.revisions.order_by("number").values_list("text", flat=True)
    assert [*texts] == [LEGAL, deck("2 Negate"), LEGAL]


def test_revision_that_there_is_not_is_404(elves):
    for number in ("0", "2", "", "²", "9" * 5000):
        assert page(elves, revision=number).status_code == 404, number[:9]


# --- who may change it ---
def test_the_change_link_lets_another_browser_change_the_deck(elves, owner):
    link = reverse("take_deck_key", args=[elves.code, "Elves"])
    assert f"http://testserver{link}" in text(page(elves, owner))
    assert link not in text(page(elves))
    other = Client()

    opened = other.get(link)

    assert (opened.status_code, opened["Location"]) == (302, f"/decks/{elves.code}/")
    assert change(elves, other, save=1, text=deck()).status_code == 302
    assert elves.revisions.count() == 2


# --- changing it ---
def test_change_is_judged_before_it_is_saved_and_is_the_next_revision(elves, owner):
    with unchanged():
        whole = change(elves, owner, text=deck("2 Negate"))
        part = change(elves, owner, text=deck("2 Negate"), htmx=True)
    assert "Change Elves" in words(whole)
    assert "<html" not in text(part)
    assert listed_problems(whole) == listed_problems(part) != []

    for tap, name in ((1, "Elves"), (1, "Elves"), (2, "Trees")):  # the same again is no revision
        assert change(elves, owner, save=tap, name=name).status_code == 302
    elves.refresh_from_db()
    assert (elves.name, elves.revisions.count()) == ("Trees", 1)
    said = {"text": "", "file": deck(), "name": "Woods", "ruleset": "coalition-2026"}
    answer = change(elves, owner, save=3, **said)
    assert (answer.status_code, answer["Location"]) == (302, f"/decks/{elves.code}/")
    elves.refresh_from_db()
    assert elves.name == "Woods"
    assert [*elves.revisions.values_list("number", "text", "ruleset")] == [
        (1, LEGAL, "coalition-906"),
        (2, deck(), "coalition-2026"),
    ]


# --- queries ---
def test_the_number_of_queries_grows_with_neither_list_nor_history_nor_bans(elves, owner):
    def cost() -> int:
        page(elves, owner)  # so the process has seen the cards and bans before
        return queries(lambda: page(elves, owner))

    given(*(record(f"Elf {at}") for at in range(60)))
    first = cost()
    for at in range(1, 9):
        change(elves, owner, save=at, text=deck(*(f"1 Elf {one}" for one in range(7 * at))))
    for at in range(50):
        ban(f"Elf {at}", -1)

    assert (first, cost()) == (6, 6)
