"""A deck that is built by single taps: begun empty, filled, fixed, by two browsers at once."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.addresses import card_address
from decks.decks import legality
from decks.decks.commands import save_revision
from decks.models import Card, Deck, DeckRevision
from decks.rules.rulesets import RULESETS
from scoring.record import commands as scoring
from tests.scoring.browsing import parse, refusal, words, words_of
from tests.scoring.tables import set_up, text, unchanged
from tests.scoring.tables.test_query_counts import queries

from ..cards import given, record
from ..faults import HERO
from ..lists import register
from ..pages import HTMX, LEGAL, holder, post, verdict
from ..written import deck

pytestmark = pytest.mark.usefixtures("pool")
NEW = {"tap_id": UUID(int=1, version=4), "name": "Elves", "ruleset": "coalition-906"}


def begun(client: Client, **form: Any) -> Deck:
    answer = client.post(reverse("new_deck"), NEW | form)
    assert answer.status_code == 302, text(answer)
    return Deck.objects.get(name=form.get("name", "Elves"))


@pytest.fixture
def elves() -> Deck:
    return register("Elves", LEGAL)


@pytest.fixture
def owner(elves: Deck) -> Client:
    return holder(elves)


def add(client: Client, found: Deck, card: str, place: str = "main", **form: Any) -> HttpResponse:
    form = {"deck": found.code, "card": card, "place": place} | form
    return client.post(reverse("add_card"), form)


def tap(client: Client, found: Deck, *, htmx: bool = False, **form: str) -> HttpResponse:
    where = reverse("build_deck", args=[found.code])
    return client.post(where, form, headers=HTMX if htmx else {})


def shown(found: Deck, client: Client | None = None) -> HttpResponse:
    return (client or Client()).get(reverse("deck", args=[found.code]))


def lists(found: Deck) -> list[str]:
    """Return the lists of a deck's revisions."""
    return [row.text for row in found.revisions.order_by("number")]


# --- beginning ---
def test_copies_on_several_lines_are_one_row_and_colours_are_counted_without_lands():
    Card.objects.filter(name="Negate").update(mana_cost="{1}{U}")
    Card.objects.filter(name="Elvish Mystic").update(mana_cost="{G/U}")

    page = shown(register("Elves", deck("2 Elvish Mystic", "1 Negate", "2 Elvish Mystic")))

    assert "Creatures 4 cards 4 × Elvish Mystic" in words(page)
    (colours,) = parse(text(page)).xpath('//p[contains(@class, "colours")]')
    counts = zip(colours.xpath(".//svg/@aria-label"), colours.xpath(".//b/text()"), strict=True)
    assert [*counts] == [("blue mana", "5"), ("green mana", "4")]


def test_a_form_sent_twice_begins_one_deck_which_is_shown_empty_without_a_verdict(client):
    found = begun(client)
    assert begun(client) == found == Deck.objects.get()
    page = shown(found, client)
    assert (page.status_code, lists(found)) == (200, [""])
    assert "This deck is empty." in words(page)
    assert "Not legal" not in words(page)
    with unchanged():
        for code in ("", "nothing", "\0"):
            assert add(client, Deck(code=code), "Negate").status_code == 404
        answer = client.post(reverse("new_deck"), NEW | {"name": ""})
    assert refusal(answer) == (422, "Give the deck a name to save it under.")


# --- adding ---
def test_cards_are_added_to_a_deck_begun_for_one_and_htmx_is_told_what_it_has(client):
    answer = client.post(reverse("new_deck"), NEW | {"card": "Negate"})
    assert "card=Negate" in answer["Location"]
    assert "Add Negate to a deck" in words(client.get(answer["Location"]))
    found = Deck.objects.get()
    for card, place, count in (
        ("elvish mystic", "main", 4),
        ("Negate", "sideboard", 2),
        ("Lathril", "hero", 1),
        (HERO, "hero", 1),  # in the place of the first
        ("Elvish Mystic", "main", 1),
    ):
        assert add(client, found, card, place, count=count).status_code == 302

    as_before = [f"Deck\n5 Elvish Mystic\n\nSideboard\n1 {HERO} *HERO*\n2 Negate\n"]
    assert lists(found) == as_before
    refused = add(client, found, "Elvish Mystic", "hero", count=1)
    assert "Elvish Mystic can’t be the hero" in words(refused)
    assert lists(found) == as_before
    adding = {"deck": found.code, "add": "main:Negate"}
    answer = client.post(reverse("add_card"), adding, headers=HTMX)
    assert words(answer) == "1 in the main deck and 2 in the sideboard of Elves"


def test_without_a_script_one_comes_back_to_the_page_one_came_from(client):
    found = begun(client)
    page = client.get(add(client, found, "Negate", back="/cards/?name=neg")["Location"])
    assert "Elves has 1 in the main deck." in words(page)
    assert 'href="/cards/?name=neg"' in text(page)
    elsewhere = add(client, found, "Negate", back="https://evil.example/")
    assert "evil" not in text(client.get(elsewhere["Location"]))


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"card": ""}, "Which card? Type its name."),
        (
            {"card": "Elvish Mystik"},
            "No card is called “Elvish Mystik”. Did you mean Elvish Mystic? Elvish Mystic",
        ),
        ({"card": "x" * 201}, "No card has so long a name. Check the spelling."),
        ({"place": "hand"}, "Choose where to add it."),
        ({"place": "level-1"}, "This deck has no such part. Choose where to add the card."),
        ({"count": "0"}, "The count must be from 1 to 999."),
        ({"count": "many"}, "The count must be from 1 to 999."),
    ],
)
def test_what_can_not_be_added_is_refused_and_nothing_changes(client, form, message):
    found = begun(client)
    with unchanged():
        answer = add(client, found, **{"card": "Negate", **form})

    assert refusal(answer) == (422, message)


def test_a_suggestion_keeps_the_place_and_the_count_that_were_chosen(elves, owner):
    typed = {"card": "Elvish Mystik", "place": "sideboard", "count": "3"}

    for refused in (tap(owner, elves, **typed), add(owner, elves, **typed)):
        [link] = parse(text(refused)).xpath('//a[@class="btn"][.="Elvish Mystic"]/@href')
        page = parse(text(owner.get(link)))
        kept = '//select[@name="place"]/option[@selected]/@value', '//input[@name="count"]/@value'
        assert [page.xpath(each) for each in kept] == [["sideboard"], ["3"]]


def test_a_card_for_leveler_goes_to_the_first_sub_deck_with_room(client):
    found = begun(client, ruleset="leveler")
    add(client, found, "Forest", "level-1", count=50)
    add(client, found, "Negate", "main")

    assert lists(found) == ["Level 1\n50 Forest\n\nLevel 2\n1 Negate\n"]


def test_a_tap_moves_a_copy_to_the_sideboard_and_back(elves, owner):
    def buttons() -> list[str]:
        page = parse(text(owner.get(reverse("deck", args=[elves.code]))))
        return sorted(page.xpath('//button[@name="move"]/@value'))

    before = buttons()
    for place, times in (("main", 2), ("sideboard", 1)):
        for _ in range(times):
            answer = tap(owner, elves, move=f"{place}:Elvish Mystic")
            assert answer["Location"] == f"/decks/{elves.code}/#cards"

    assert before == ["main:Elvish Mystic", "main:Forest", "sideboard:Forest"]
    assert buttons() == sorted([*before, "sideboard:Elvish Mystic"])
    assert lists(elves)[-1].startswith("Deck\n3 Elvish Mystic\n")
    assert lists(elves)[-1].endswith("1 Elvish Mystic\n")
    with unchanged():
        assert tap(owner, elves, move="sideboard:Nothing").status_code == 302
        assert tap(owner, elves, move="level-1:Forest").status_code == 422


def test_the_deck_in_hand_is_the_one_that_was_opened_last(client):
    found = [begun(client), begun(client, name="Goblins", tap_id=UUID(int=2, version=4))]
    for one in found:
        shown(one, client)
        page = parse(text(client.get(reverse("add_card"), {"card": "Negate"})))
        assert page.xpath("//select[@name='deck']/option[@selected]/@value") == [one.code]


def test_card_and_finder_add_to_the_deck_in_hand_as_its_hero_only_what_can_lead(client):
    begun(client)

    find = f"{reverse('finder')}?q=elvish+mystic"
    for where, name, places in (
        (card_address("Elvish Mystic"), "Elvish Mystic", ["main", "sideboard"]),
        (card_address(HERO), HERO, ["main", "sideboard", "hero"]),
        (find, "Elvish Mystic", ["main", "sideboard"]),
    ):
        page = parse(text(client.get(where)))
        buttons = page.xpath('//button[@name="add"]/@value')
        assert buttons == [f"{place}:{name}" for place in places]
    page = parse(text(Client().get(find)))  # where no deck is in hand
    assert page.xpath('//*[@class="line adding"]/a/@href') == ["/decks/add/?card=Elvish%20Mystic"]


def test_a_new_hero_takes_the_place_of_one_that_the_list_does_not_mark(elves, owner):
    add(owner, elves, "Lathril", "hero", count=1)

    names = [line.split(" ", 1)[1] for line in lists(elves)[-1].splitlines() if line[:2] == "1 "]
    assert names == ["Lathril *HERO*"]


# --- tapping ---


def test_htmx_gets_the_row_and_the_figures_and_its_buttons_stay():
    found = register("Elves", deck("4 Elvish Mystic", "1 Negate"))
    client = holder(found)
    answer = tap(client, found, more="main:Elvish Mystic", state="1.0", htmx=True)

    part = parse(text(answer))
    counts = part.xpath("//span[@hx-swap-oob and not(@class)]")
    assert answer["HX-Reswap"] == "none"
    assert [words_of(count) for count in counts] == ["5"]
    assert [words_of(count) for count in part.xpath("//span[starts-with(@id, 'part-')]")] == [
        "61 of 60",
        "10 of 10",
    ]
    assert part.xpath('//span[@class="why"]/span/text()') == [
        "5 copies of Elvish Mystic: 4 is the limit for a creature. Take out 1."
    ]
    assert part.xpath('//input[@id="state"]/@value') == ["2.1"]
    assert not part.xpath('//button[@name="more"]')

    assert "5 Elvish Mystic" in part.get_element_by_id("copy").xpath("string(.//textarea)")
    assert "Revision 2" in words_of(part.get_element_by_id("history"))

    gone = tap(client, found, less="main:Negate", state="2.1", htmx=True)
    counts = parse(text(gone)).xpath("//span[@hx-swap-oob and not(@class)]")
    assert [words_of(count) for count in counts] == ["0"]  # its row stays on the page


def test_a_copy_that_moves_puts_only_its_new_group_in_place():
    found = register("Elves", deck("4 Elvish Mystic", side=("15 Negate",)))
    answer = tap(holder(found), found, move="sideboard:Negate", state="1.0", htmx=True)

    part = parse(text(answer))
    groups = part.xpath("//div[@hx-swap-oob and h3]")
    counts = part.xpath("//span[@hx-swap-oob and not(@class)]")
    sizes = part.xpath('//span[@hx-swap-oob and @class="soft small"]')
    assert answer["HX-Reswap"] == "none"
    assert [words_of(group.find("h3")) for group in groups] == ["Instants 1 card"]
    assert [words_of(count) for count in counts] == ["14"]
    assert "14 cards" in [words_of(size) for size in sizes]
    page = parse(text(holder(found).get(f"/decks/{found.code}/")))
    assert page.xpath("//div/@id[. = $key]", key=groups[0].get("id"))


def test_taps_that_follow_make_one_revision_but_change_none_that_sits_at_a_table(elves, owner):
    for _ in range(5):
        tap(owner, elves, less="main:Forest")
    elves.revisions.update(created_at=timezone.now() - timedelta(minutes=11))
    tap(owner, elves, less="main:Forest")
    assert [row.edits for row in elves.revisions.order_by("number")] == [None, 5, 1]

    brought = elves.revisions.latest("number")
    scoring.bring_deck(set_up(2), 1, brought)
    tap(owner, elves, less="main:Forest")
    assert elves.revisions.count() == 4
    assert "50 Forest" in DeckRevision.objects.get(pk=brought.pk).text


@pytest.mark.parametrize(
    "form", [{}, {"more": "hand:Forest"}, {"more": "main:Forest", "less": "main:Forest"}]
)
def test_a_tap_that_says_nothing_changes_nothing(elves, owner, form):
    with unchanged():
        answer = tap(owner, elves, **form)

    assert refusal(answer) == (422, "This form is damaged. Reload the page.")


def test_a_card_added_by_name_on_the_page_is_told_and_nobody_else_is_blamed(elves):
    form = {"card": "negate", "place": "main", "count": "2"}
    answers = [
        tap(holder(elves), elves, htmx=True, **form),
        tap(holder(elves), elves, htmx=True, state=f"{elves.revisions.last().state}", **form),
    ]

    for answer in answers:
        assert "Done: add 2 Negate." in words(answer)
        assert "another browser" not in words(answer)


def test_a_name_is_completed_while_it_is_typed_for_the_page(elves, owner):
    (field,) = parse(text(shown(elves, owner))).xpath('//input[@name="card"]')

    offered = parse(text(owner.post(field.get("hx-post"), {"card": "elvish m"})))

    assert offered.xpath("//option/@value") == ["Elvish Mystic"]


# --- fixing ---
def test_a_fix_is_offered_to_the_owner_alone_and_does_what_it_says_once():
    found = register("Elves", deck("2 Negate"))
    client = holder(found)
    key = "too_many_copies/Negate/"
    assert "Keep 1 Negate, take out 1" in words(shown(found, client))
    assert "Keep 1 Negate" not in words(shown(found))

    for answer in [post(text=deck("2 Negate"), fix=key, htmx=htmx) for htmx in (False, True)]:
        assert verdict(answer)[0] == "Not legal: 1 problem"  # of a list that is only checked
        assert "1 Negate\n" in parse(text(answer)).xpath("string(//textarea)")
    answer = tap(client, found, fix=key, state="1.0", htmx=True)

    assert "Done: keep 1 Negate, take out 1." in words(answer)
    assert answer["HX-Retarget"] == "#deck"
    assert "Add 1 Forest to the main deck" in words(answer)
    with unchanged():
        answer = tap(client, found, fix=key)
    message = "The deck has changed, and does not need that any more."
    assert refusal(answer) == (422, message)


# --- two browsers ---
def test_a_tap_of_another_browser_is_kept_and_shown(elves):
    one, other = holder(elves), holder(elves)
    tap(one, elves, less="main:Forest", state="1.0", htmx=True)

    answer = tap(other, elves, less="main:Elvish Mystic", state="1.0", htmx=True)

    assert "This deck was changed in another browser meanwhile" in words(answer)
    assert lists(elves)[-1].startswith("Deck\n3 Elvish Mystic\n55 Forest\n")


def test_a_list_saved_over_another_browsers_change_is_asked_about_first(elves):
    mine = {"state": "1.0", "text": deck("1 Negate")}
    where = reverse("change_deck", args=[elves.code])
    tap(holder(elves), elves, less="main:Forest")
    with unchanged():
        refused = post(holder(elves), where, save=1, **mine)

    assert refusal(refused) == (
        422,
        "This deck was changed in another browser meanwhile. Compared with the list above it has"
        " +4 Elvish Mystic, −4 Forest, −1 Negate. Save again to replace that list with yours;"
        " the old one stays in the history.",
    )
    state = parse(text(refused)).xpath('//input[@name="state"]/@value')[0]
    assert post(holder(elves), where, save=1, **mine | {"state": state}).status_code == 302
    assert len(lists(elves)) == 3
    assert lists(elves)[-1] == mine["text"]


# --- comparing ---
def test_two_revisions_are_compared_card_by_card():
    other = deck("3 Elvish Mystic", "1 Negate", side=("1 Elvish Mystic",))
    found = register("Elves", LEGAL, other, LEGAL)
    where = reverse("compare_deck", args=[found.code])

    page = words(Client().get(where, {"from": 1, "to": 2}))
    assert "Came in 1 card +1 Negate main deck" in page
    assert "Went out 1 card −1 Forest sideboard" in page
    assert "Moved 1 Elvish Mystic main deck to sideboard" in page
    assert "No known card differs." in words(Client().get(where, {"from": 1, "to": 3}))
    single = reverse("compare_deck", args=[register("Single", LEGAL).code])
    only = words(Client().get(single))
    assert "This deck has only one revision so far. Choose another deck to compare it with." in only
    assert "No known card differs." not in only
    assert Client().get(where, {"from": 9}).status_code == 404
    assert Client().get(where, {"to": "x"}).status_code == 404


def test_a_deck_is_compared_with_another_by_its_link_its_code_or_as_one_of_the_visitors_own():
    first = register("First", deck("3 Elvish Mystic", "1 Negate", side=("1 Elvish Mystic",)))
    second = register("Second", LEGAL, deck("1 Elvish Mystic", side=("2 Elvish Mystic",)))
    where = reverse("compare_deck", args=[first.code])

    link = f"https://table.example/decks/{second.code}/?revision=1"
    pages = [Client().get(where, {"with": one}) for one in (link, f" {second.code} ")]
    pages += [holder(second).get(where, {"with": "Second"})]
    for page in pages:
        assert "Only in First 2 cards 1 Elvish Mystic main deck, 1 in both 1 Negate" in words(page)
        assert "Only in Second 2 cards 2 Forest main deck, 56 in both" in words(page)
        assert "In another part 1 Elvish Mystic main deck here, sideboard there" in words(page)
        assert "In both: 66 cards" in words(page)
    earlier = words(Client().get(where, {"with": second.code, "to": 1}))
    assert "Only in Second 1 card 1 Forest sideboard, 8 in both" in earlier
    for unknown in ("Second", "x" * 500, "/decks/", "\0"):
        refused = Client().get(where, {"with": unknown})
        assert refused.status_code == 422
        assert "Paste the link to it, or choose one of yours." in words(refused)


def test_a_comparison_names_rulesets_and_leaves_open_what_unknown_names_are(elves, owner):
    typo = DeckRevision(text=LEGAL + "\n1 Forst", ruleset="coalition-2026")
    save_revision(elves, "Elves", typo, legality.read(typo.text, RULESETS[typo.ruleset]))

    page = words(Client().get(reverse("compare_deck", args=[elves.code])))
    mine = {"state": "1.0", "text": LEGAL}
    refused = post(owner, reverse("change_deck", args=[elves.code]), save=1, **mine)

    assert "changed from “A win fills up to 21” to “2026: 60 + 15”. No known card differs." in page
    assert "meanwhile. No known card differs. Save again" in refusal(refused)[1]


# --- queries ---
def queries_of(found: Deck) -> list[int]:
    """Return the queries of a tap, and of the page, whose cards the process has seen before."""
    client, counts = holder(found), []

    def tapped() -> HttpResponse:
        state = found.revisions.latest("number").state
        return tap(client, found, less="main:Forest", state=state, htmx=True)

    for ask in (tapped, lambda: shown(found, client)):
        ask()
        counts.append(queries(ask))
    return counts


def test_the_number_of_queries_does_not_grow_with_the_list_or_its_history():
    given(*(record(f"Elf {at}") for at in range(50)))
    small = register("Small", LEGAL)
    many = [deck(*(f"1 Elf {at}" for at in range(50)), side=(f"1 Elf {no}",)) for no in range(9)]
    large = register("Large", *many)

    assert queries_of(small) == queries_of(large) == [17, 6]
