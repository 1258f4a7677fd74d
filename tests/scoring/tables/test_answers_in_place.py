"""Answers to taps: a pad is left out where the phone has it, and what comes fits around it."""

import random
import re
from copy import deepcopy
from random import randrange

import pytest
from django.http import HttpResponse
from django.test import Client
from lxml.html import HtmlElement, fromstring, tostring

from scoring.models import GameSet
from scoring.rules.formats import RULESETS
from tests.lengths import long
from tests.scoring.rules.play import ANN, BO, CY, hit

from ..browsing import form_to
from . import address, holder, on_one_line, record, set_up, tap_id, text, the_game

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
RIGHT = "1-1-.12"  # the pad of game 1, Ann's turn, nobody out, the ring on Bo for Ann
A_HIT = {"source": ANN, "target": BO, "kind": "combat", "amount": 3}
OF_THE_REQUEST = ".//input[@name='tap_id' or @name='csrfmiddlewaretoken']"


def is_without_pad(answer: HttpResponse) -> bool:
    has_pad = 'id="pad"' in text(answer)
    assert has_pad != (answer.get("HX-Reswap") == "none")
    return not has_pad


def test_a_hit_is_answered_without_the_pad_that_the_phone_has(table, tap):
    answer = tap("hit", 1, htmx=True, pad=RIGHT, **A_HIT)

    parts = [part.get("id") for part in fromstring(f"<div>{text(answer)}</div>")]
    assert parts == ["happened", "players", "peek", "acts", "said"]  # Coalition has no aids
    assert is_without_pad(answer)


def test_the_board_that_a_tap_was_answered_with_is_known_to_the_page(table, scorer, tap):
    tap("hit", 1, htmx=True, **A_HIT)
    opened = scorer.get(address(table, "score"), headers=HTMX)["ETag"]
    answer = tap("hit", 1, htmx=True, pad=RIGHT, **A_HIT)

    known = re.sub("[0-9a-f]{16}", answer["Board-Version"], opened)

    assert known != opened
    asked = HTMX | {"If-None-Match": known}
    assert scorer.get(address(table, "score"), headers=asked).status_code == 304
    record(table, hit(ANN, BO, 1))
    assert scorer.get(address(table, "score"), headers=asked).status_code == 200


@pytest.mark.parametrize("pad", [None, "x", "1-1-", "1-1-.13", "1-2-.12", "2-1-.12", "1-1-3.12"])
def test_a_phone_with_another_pad_gets_the_new_one(table, tap, pad):
    assert not is_without_pad(tap("hit", 1, htmx=True, pad=pad, **A_HIT))


def test_the_pad_comes_when_the_ring_is_back_where_it_was(table, tap):
    record(table, hit(ANN, CY, 1))
    assert is_without_pad(tap("hit", 1, htmx=True, pad=RIGHT, **A_HIT))

    assert not is_without_pad(tap("undo", 1, htmx=True, pad=RIGHT, event=2))


def test_forms_that_a_browser_posts_have_a_token_in_every_answer(table, tap):
    """Back at the start of a game, the form that takes the game back is posted as any form."""
    tap("hit", 1, htmx=True, **A_HIT | {"source": "", "kind": "other"})

    answer = tap("undo", 1, htmx=True, pad="1-1-", event=1)

    assert is_without_pad(answer)
    back = form_to(answer, address(table, "take_back", 1))
    assert back.fields["csrfmiddlewaretoken"]


def test_a_turn_that_passed_by_itself_is_told_until_the_next_event_and_passed_on_by_a_link(
    table, tap
):
    killed = tap("hit", 1, htmx=True, **A_HIT | {"target": ANN, "amount": 25})
    after = tap("hit", 1, htmx=True, source=BO, target=CY, kind="combat", amount=1)

    link = address(table, "end", 1, "turn")
    assert [link in text(answer) for answer in (killed, after)] == [True, False]
    assert ["it is now Bo’s turn" in text(answer) for answer in (killed, after)] == [
        True,
        False,
    ]


def test_a_pad_that_shows_what_was_refused_is_not_the_one_for_the_next_hit(table, tap):
    """Its keys are pressed as they were then, and come back by its reset."""
    refused = tap("hit", 1, htmx=True, pad="1-1-", **A_HIT | {"amount": 0, "kind": "hero"})

    shown = stamp_of(fromstring(text(refused)))

    assert not is_without_pad(tap("hit", 1, htmx=True, pad=f"{shown}.12", **A_HIT))


@pytest.mark.parametrize(
    ("key", "move"), [("realm-wars", "zone_damage"), ("conspiracy-draft", "note")]
)
def test_a_formats_own_pad_says_as_well_that_it_shows_what_was_refused(key, move):
    table = set_up(ruleset=RULESETS[key])
    where, tap = address(table, "own", 1, move), {"tap_id": tap_id(1), "player": ANN}

    refused = holder(table).post(where, tap, headers=HTMX)

    assert refused.status_code == 422
    assert stamp_of(fromstring(text(refused))).endswith(".typed")


def test_collected_hits_come_with_the_pad_and_the_hits_sent_go_without(table, tap):
    keys = ["1.2.3.combat.0.0.0", "1.2.4.combat.0.0.0"]

    assert not is_without_pad(tap("hit", 1, htmx=True, pad="1-1-", together=1, **A_HIT))
    assert not is_without_pad(tap("hits", 1, htmx=True, pad="1-1-", collected=keys, drop=1))
    sent = tap("hits", 1, htmx=True, pad=RIGHT, collected=keys, send=1)

    assert is_without_pad(sent)
    assert sent["HX-Replace-Url"] == address(table, "score")


# --- a phone that puts answers in place ---
class Phone:
    """A page that does with answers what outbox.js does."""

    def __init__(self, table: GameSet, client: Client) -> None:
        self.table, self.client = table, client
        self.main = self.drawn()
        self.kept = 0

    def drawn(self) -> HtmlElement:
        """Return the page's main part as it is drawn for who opens it now."""
        page = self.client.get(address(self.table, "score"))
        return fromstring(on_one_line(page.content.decode())).get_element_by_id("main")

    def tap(self, name: str, form: dict[str, object]) -> int:
        """Post a form of the pad, put the answer in place and return its status."""
        if name == "hit":
            self.move_ring(f"last-{form['source']}", form["target"])
        form |= {"pad": stamp_of(self.main), "tap_id": tap_id(randrange(2**60))}
        names = {"hit": "hit", "turn": "turn", "undo": "undo"}
        where = [names[name], 1] if name in names else ["own", 1, name]
        answer = self.client.post(address(self.table, *where), form, headers=HTMX)
        self.put_in_place(answer)
        return answer.status_code

    def move_ring(self, ring: str, target: object) -> None:
        """Mark whom the source has hit, before the server does."""
        for key in self.main.xpath(".//fieldset[@class='seats to']/label"):
            key.classes.discard(ring)
            if key.xpath("input/@value") == [str(target)]:
                key.classes.add(ring)

    def put_in_place(self, answer: HttpResponse) -> None:
        parts = fromstring(f"<body>{text(answer)}</body>")
        if answer.get("HX-Reswap") != "none":
            self.main = parts.get_element_by_id("main")
            return
        self.kept += 1
        for part in parts.xpath("*[@hx-swap-oob='true']"):
            del part.attrib["hx-swap-oob"]
            for stays in part.xpath(".//*[@hx-preserve]"):
                [shown] = self.main.xpath(f"//*[@id='{stays.get('id')}']")
                stays.getparent().replace(stays, shown)
            [old] = self.main.xpath(f"//*[@id='{part.get('id')}']")
            old.getparent().replace(old, part)


def stamp_of(page: HtmlElement) -> str:
    """Return what a phone says of the pad that it shows."""
    [pad] = page.xpath("//form[@id='pad']")
    rings = [
        source + key.xpath(".//input")[0].get("value")
        for source in pad.xpath(".//*[contains(@class, 'from')]//input/@value")
        for key in pad.xpath(f".//*[contains(concat(@class, ' '), ' last-{source} ')]")
    ]
    return ".".join([pad.get("data-stamp"), *rings])


def shown(main: HtmlElement) -> str:
    copy = deepcopy(main)
    copy.tail = None
    for field in copy.xpath(OF_THE_REQUEST):
        field.getparent().remove(field)
    for element in copy.xpath(".//*[@class]"):
        element.set("class", " ".join(sorted(element.classes)))
    return re.sub(r">\s+<", "><", " ".join(tostring(copy).decode().split()))


def any_tap(chance: random.Random, table: GameSet) -> tuple[str, dict[str, object]]:
    """Return a tap of the pad, possible or not."""
    seats = list(table.names)
    if chance.random() < 0.2:
        latest = the_game(table).recent_events.lines[:1]
        return "undo", {"event": latest[0].number if latest else 1}
    if table.rules.format == "realm-wars":
        zone = {"player": chance.choice(seats), "zone": chance.choice(["kingdom", "quest"])}
        steps: list[tuple[str, dict[str, object]]] = [("phase", {}), ("pass_priority", {})]
        return chance.choice([*steps, ("zone_damage", zone | {"amount": chance.randint(0, 4)})])
    if chance.random() < 0.2:
        return "turn", {}
    return "hit", {
        "source": chance.choice(seats),
        "target": chance.choice([*seats, "each"]),
        "kind": chance.choice(["combat", "hero", "other"]),
        "amount": chance.choice([0, 1, 2, 3, 12]),
    }


@pytest.mark.parametrize("seed", [0, *long(1)])
@pytest.mark.parametrize("key", ["coalition-2026", "leveler", "conspiracy", "realm-wars"])
def test_whatever_is_tapped_the_page_is_as_if_it_had_just_been_opened(key, seed):
    table = set_up(ruleset=RULESETS[key])
    chance, phone = random.Random(seed), Phone(table, holder(table))

    for _ in range(40):
        status = phone.tap(*any_tap(chance, table))
        if status == 200:
            assert shown(phone.main) == shown(phone.drawn())
        if not phone.main.xpath("//*[@id='pad']"):
            break

    assert phone.kept
