"""Pages to read beside a game: formats with their rules, answers, and the keys of the pad."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from decks.rules import rulesets as decks
from scoring.models import GameSet
from scoring.record import commands
from scoring.rules.formats import FORMATS, RULESETS
from scoring.rules.formats.conspiracy_draft.state import PACK, ROUNDS
from scoring.rules.formats.leveler import SUB_DECKS, THRESHOLDS
from scoring.rules.formats.realm_wars.moves import BeginPhase
from scoring.rules.formats.realm_wars.state import ZONE_BURNS_AT
from scoring.rules.splitting import FEWEST, MOST
from scoring.tables import guides
from tests.scoring.rules.play import ANN

from ..browsing import form_to, parse, words, words_of
from . import address, holder, record, seat_holder, set_up, tap_id, text

pytestmark = pytest.mark.django_db

DIFFERENCES = {
    "Players": ["2 to 5", "3 to 5", "3 to 5", "2 to 5"],
    "The winner": ["is raised to 21", *["gets 5 VP on top"] * 2, "is raised to 21"],
    "If all opponents concede": ["21 VP", "21 VP, and 5 on top", *["21 VP"] * 2],
    "Heroes’ noncombat damage": [*["scores"] * 3, "scores nothing"],
    "Who concedes": [*["loses the VP of this game"] * 3, "loses the VP of the whole set"],
    "Later games": [*["the lowest standing chooses who starts"] * 3, "lowest standing first"],
    "The same VP at the end": [
        *["the rank is shared"] * 3,
        "more life at the end of the last game",
    ],
    "Sideboard with the hero": [*["10 cards"] * 3, "1 to 15 cards"],
}


def page(format: str) -> HttpResponse:
    return Client().get(reverse("format", args=[format]))


def facts(element: object) -> dict[str, str]:
    labels, values = (element.xpath(f".//{tag}") for tag in ("dt", "dd"))  # type: ignore[attr-defined]
    return dict(zip(map(words_of, labels), map(words_of, values), strict=True))


def links(page: HttpResponse) -> dict[str, str]:
    return {words_of(link): link.get("href") for link in parse(text(page)).xpath("//main//a")}


def at_the_pad(format: str) -> tuple[Client, GameSet]:
    """Return a scorekeeper's browser, and a table of the format in its first game."""
    ruleset = FORMATS[format][0]
    begins = ANN if ruleset.has_turns else None
    table = set_up(ruleset=ruleset, first=begins, key=format)
    if not begins:
        commands.begin(table)
    return holder(table, format), table


def numbers(page: HttpResponse, *parts: str) -> set[int]:
    """Return the numbers in parts of a page, which are known by their headings' ids, but those of
    sources."""
    items = [
        words_of(item)
        for part in parts
        for item in parse(text(page)).xpath(f'//*[@aria-labelledby="{part}" or @id="{part}"]//li')
    ]
    told = re.sub(r"\([^)]*\)", "", " ".join(items))
    return {int(number) for number in re.findall(r"\d+", told)}


@pytest.mark.parametrize("format", FORMATS)
def test_a_card_chooses_its_format_without_javascript_and_one_more_tap_starts(format):
    client = Client()
    names = ["Ann", "Bo", "Cy", "Di"]

    chosen = client.post(
        f"{reverse('start')}?format={format}", {"switch": 1, "name": names, "tap_id": tap_id(1)}
    )
    card = parse(text(chosen)).xpath('//button[@aria-current="true"]/@formaction')
    started = client.post(reverse("start"), form_to(chosen, reverse("start")).fields)

    assert card == [f"{reverse('start')}?format={format}"]
    assert started.status_code == 302
    assert words(client.get(started["Location"])).count("Ann") > 0


def test_the_numbers_are_those_of_the_rulesets(db):
    coalition, leveler = RULESETS["coalition-906"], RULESETS["leveler"]
    conspiracy, draft = RULESETS["conspiracy"], RULESETS["conspiracy-draft"]
    wars, poison = RULESETS["realm-wars"], 10
    deck = decks.COALITION_906
    copies = {4, 1}

    assert numbers(page("coalition"), "minute", "rules") == copies | {
        *(coalition.life, coalition.games, coalition.cap, poison, 0, 1),
        *(deck.main, deck.sideboard_max),
    }
    assert numbers(page("leveler"), "minute", "rules") == {
        *(leveler.life, poison, 0, 1, 2, 3),
        *(*SUB_DECKS, sum(SUB_DECKS), *THRESHOLDS),
    }
    assert numbers(page("conspiracy"), "minute", "rules") == {
        *(conspiracy.life, poison, 0, 1, FEWEST, MOST),  # a melee's +1/+1
        *(draft.players_min, draft.players_max, decks.CONSPIRACY.main_min),
    }
    scorer, table = at_the_pad("conspiracy-draft")
    assert numbers(scorer.get(address(table, "more", 1)), "guide") == {
        *(draft.players_min, draft.players_max, 1, 2, ROUNDS, draft.players_max * ROUNDS),
        *(PACK, draft.players_max + 1, decks.CONSPIRACY.main_min),
        *(FEWEST, MOST, conspiracy.life),
    }
    assert numbers(page("realm-wars"), "minute", "rules") == {2, 3, ZONE_BURNS_AT, 4, 6, 9}
    assert (wars.players_min, wars.players_max) == (4, 6)


def test_the_page_of_coalition_tells_its_rulesets_apart(db):
    section = parse(text(page("coalition"))).xpath('//section[@aria-labelledby="rulesets"]')[0]
    values = list(map(facts, section.xpath("dl")))

    assert [words_of(name) for name in section.xpath("h3")] == [
        ruleset.name for ruleset in FORMATS["coalition"]
    ]
    assert {label: [each[label] for each in values] for label in values[0]} == DIFFERENCES


def test_each_ruleset_tells_its_own_rules_also_from_its_table(db):
    table = set_up(3, ruleset=RULESETS["coalition-readme"])
    guide = reverse("format", args=["coalition"])
    pages = [
        words(Client().get(guide, asked))
        for asked in ({}, {"ruleset": "coalition-readme"}, {"table": table.code}, {"table": "no"})
    ]

    told = ["while the stack is empty. (906.8)", "raised to 21. (906.10e)", "hand of seven cards"]
    others = [
        "at any time you could cast it, as a special action that doesn’t use the stack. (overview)",
        "Damage in a game gives you 21 at most.",
        "5 VP on top, even beyond 21. (overview)",
    ]
    seen = [[sentence in page for sentence in [*told, *others]] for page in pages]
    by_906, by_overview = [True] * 3 + [False] * 3, [False] * 2 + [True] * 4
    assert seen == [by_906, by_overview, by_overview, by_906]


def test_both_ways_into_one_format_share_a_page_and_what_is_none_has_none():
    assert words(page("conspiracy")) == words(page("conspiracy-draft"))
    assert page("chess").status_code == 404
    others = parse(text(page("leveler"))).xpath('//nav[@aria-label="Other formats"]//b')
    titles = ["Coalition", "Conspiracy", "Realm Wars (Warhammer: Invasion)"]
    assert [words_of(other) for other in others] == titles


@pytest.mark.parametrize("format", FORMATS)
def test_the_pad_of_each_format_leads_to_its_rules_and_they_lead_back(format):
    own, table = at_the_pad(format)
    pad = address(table, "score")

    link = links(own.get(pad))["Rules"]
    rules = own.get(link)
    if format == "realm-wars":  # what players ask about this phase comes first
        assert link.startswith(address(table, "answers"))
        assert links(rules)["Back to the game"] == pad
        link = links(rules)["The whole rules"]
        rules = own.get(link)

    assert link.startswith(reverse("format", args=[format]))
    assert "The whole rules" in words(rules)
    assert links(rules)["Back to the game"] == pad


def test_each_page_of_a_table_asks_for_answers_that_lead_back_to_it():
    table = set_up(ruleset=RULESETS["realm-wars"])
    pages = [
        (holder(table), address(table, "score")),
        (seat_holder(table), address(table, "seat")),
        (holder(table), address(table, "watch")),
        (Client(), address(table, "table")),
        (Client(), address(table, "table") + "?upright"),
    ]

    for client, page in pages:
        [to_answers] = {
            link for link in links(client.get(page)).values() if address(table, "answers") in link
        }
        answers = links(client.get(to_answers))
        whole = links(Client().get(answers["The whole rules"]))
        assert answers["Back to the game"] == whole["Back to the game"] == page


@pytest.mark.parametrize("format", sorted(FORMATS.keys() - {"realm-wars"}))
def test_phones_and_the_table_view_lead_to_the_rules_of_their_ruleset_and_back(format):
    ruleset = FORMATS[format][-1]
    table = set_up(4, ruleset=ruleset)
    pages = address(table, "seat"), address(table, "table"), address(table, "table") + "?upright"

    for page in pages:
        phone = seat_holder(table)
        rules = phone.get(links(phone.get(page))["Rules"])
        assert links(rules)["Back to the game"] == page
        assert ruleset.cap is None or f"are those of “{ruleset.name}”" in words(rules)


@pytest.mark.parametrize("odd", ["https://evil.example/", "//evil.example", "..", "", "\0"])
def test_rules_lead_back_to_pages_of_tables_only(odd):
    table = set_up(ruleset=RULESETS["realm-wars"])
    answers = Client().get(address(table, "answers"), {"from": odd})

    assert links(answers)["Back to the game"] == address(table, "watch")
    for place, code in ((odd, table.code), ("watch", odd), ("logout", table.code)):
        said = {"from": place, "table": code}
        rules = Client().get(reverse("format", args=["realm-wars"]), said)
        assert rules.status_code == 200
        assert "Back to the game" not in links(rules)


@pytest.mark.parametrize("guide", guides.GUIDES, ids=lambda guide: guide.key)
def test_the_keys_that_a_format_says_to_tap_are_on_its_pad(db, guide):
    pads: set[str] = set()
    for way in guide.ways:
        scorer, table = at_the_pad(way.format)
        pads |= words_of_pad(scorer, table)
    if guide.key == "realm-wars":
        record(table, BeginPhase(), BeginPhase(), BeginPhase())
        pads |= words_of_pad(scorer, table)

    taps = parse(text(page(guide.key))).xpath('//*[@aria-labelledby="taps"]//li')
    named = {key for tap in taps for key in re.findall("“(.*?)”", words_of(tap))}

    assert "Undo" in named
    assert {key for key in named if not any(key in line for line in pads)} == set()


def words_of_pad(scorer: Client, table: GameSet) -> set[str]:
    page = parse(text(scorer.get(address(table, "score"))))
    return {
        words_of(key)
        for key in page.xpath("//main//*[self::label or self::button or self::legend or self::a]")
    }


PAD = "/s/abcdefgh/score/"


def test_keys_are_on_until_they_are_turned_off_and_the_browser_remembers_it(client):
    keyboard = reverse("keyboard")
    assert "The keys are on." in words(client.get(keyboard))

    answer = client.post(keyboard, {"keys": "off", "back": PAD})

    assert answer["Location"] == f"{keyboard}?back=%2Fs%2Fabcdefgh%2Fscore%2F"
    assert client.cookies["shortcuts"].value == "off"
    assert "The keys are off." in words(client.get(keyboard))
    client.post(keyboard, {"keys": "on"})
    assert "The keys are on." in words(client.get(keyboard))


@pytest.mark.parametrize("elsewhere", ["", "//example.org/", "https://example.org/", "s/"])
def test_the_keys_lead_back_to_a_pad_and_never_to_another_site(client, elsewhere):
    keyboard = reverse("keyboard")
    assert links(client.get(keyboard, {"back": PAD}))["Back to the pad"] == PAD

    assert "Back to the pad" not in links(client.get(keyboard, {"back": elsewhere}))
    assert Client().post(keyboard, {"back": elsewhere})["Location"] == keyboard
