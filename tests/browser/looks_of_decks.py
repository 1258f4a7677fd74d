"""The pages of decks, cards and ban lists as somebody meets them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date

from django.urls import reverse
from playwright.sync_api import Page, expect

from decks.bans import commands as banning
from decks.models import Card, Deck, Rule
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from tests.decks.cards import given, record
from tests.decks.lists import ELVES, TODAY, TOMORROW, YESTERDAY, coalition, elves, house, register

from .looks import Look, by_a_stranger, named, of, open_all, refusal_is_told

LONG = "The Ultimate Nightmare of Wizards of the Coast Customer Service Representatives"
REASON = "Wins on the second turn, too often, and whoever sits beside it has no part in the game. "
LINK = "https://www.reddit.com/r/CoalitionMTG/comments/1abcdef/why_elf_number_2_is_watched/"
WRONG = f"4 {LONG}\n5 Llanowar Elves\n4 Champion of Lambholt // Elvish Chanpion\n\nSideboard\n4 Elf"


def every_look() -> Iterator[Look]:
    catalogue()
    bans, check, finder = reverse("bans"), Look("check", reverse("check")), reverse("finder")
    yield Look("bans", bans, tap=open_all)
    yield Look("bans, on a day", f"{bans}?on=2024-06-11")
    yield Look("bans, a card", f"{bans}?q=e", tap=open_all)
    yield Look("bans, two days", f"{bans}?beside=2024-06-10")
    yield Look("bans, of a house", f"{bans}?list=tuesday")
    yield Look("bans, empty", f"{bans}?list=leveler")
    yield Look("bans, refused", f"{bans}?on=someday", status=422)
    yield Look("announcements", reverse("announcements", args=["coalition"]))
    announced = reverse("announcement", args=["coalition", "2024-06-11"])
    yield Look("an announcement", announced, tap=open_all)

    legal, broken = legal_deck(), broken_deck()
    deck = Look("deck", reverse("deck", args=[legal.code]), deck=legal)
    change = Look("change deck", reverse("change_deck", args=[legal.code]), deck=legal)
    yield check
    yield replace(check, name="check, with decks", deck=broken)
    yield replace(check, name="check, legal", tap=check_a_list(ELVES))
    yield replace(check, name="check, full of faults", tap=check_a_list(WRONG))
    yield replace(check, name="check, refused", tap=save_without_a_name, status=422)
    yield replace(deck, tap=open_all)
    yield by_a_stranger(deck)
    yield Look("deck, illegal", reverse("deck", args=[broken.code]), tap=open_all)
    yield change
    yield by_a_stranger(change, 403)
    yield Look("deck of mine, illegal", reverse("deck", args=[broken.code]), deck=broken)
    compared = reverse("compare_deck", args=[legal.code])
    yield Look("deck compared with itself", reverse("compare_deck", args=[broken.code]))
    yield Look("deck compared", f"{compared}?from=1&to=2", tap=open_all)
    yield Look("decks compared", f"{compared}?with={broken.code}", tap=open_all)
    yield Look("decks compared, refused", f"{compared}?with={LONG}", status=422)
    yield Look("deck brought", reverse("bring_deck", args=[legal.code]), deck=legal)
    yield Look("my decks", reverse("my_decks"), deck=broken)
    hit = register("Winter elves", ELVES.replace("Llanowar Elves", "Winter Elf"))
    yield Look("my decks, a ban planned", reverse("my_decks"), deck=hit)
    yield Look("deck, a ban planned", reverse("deck", args=[hit.code]), deck=hit)
    yield Look("card, a ban planned", reverse("card", args=["winter_elf"]))
    yield Look("new deck", reverse("new_deck"))
    yield Look("card added", f"{reverse('add_card')}?card=Forest", deck=legal)

    table = named(COALITION_906)
    for number, brought in enumerate((legal_deck("At the table"), broken_deck("Broken " * 10)), 1):
        commands.bring_deck(table, number, brought.revisions.last())
    yield of(table, "decks at the table", "seat_decks", tap=open_all)
    yield of(table, "decks at the table, refused", "seat_decks", tap=bring_no_deck, status=422)

    yield Look("finder", finder)
    yield Look("finder, a type", f"{finder}?q=aff:elf+order:mv", tap=open_all)
    yield Look("finder, a hero", f'{finder}?q=hero:"Ezuri, Claw of Progress"')
    yield Look("finder, nothing", f"{finder}?q=aff:goblin+nosuch")
    yield Look("finder, misread", f"{finder}?q=c:g+typ:elf", status=422)


# --- what there is ---
def catalogue() -> None:
    elves()
    given(
        record(LONG, "Legendary Creature — Elf Wizard", mana_cost="{10}{W}{U}{B}{R}{G}", cmc=15.0),
        *(record(f"Elf number {number}") for number in range(1, 9)),
        record("Contract from Below", "Sorcery", "Remove it if you're not playing for ante."),
        record("Winter Elf", "Creature — Elf Human Wizard Warrior Shaman Druid Scout Rogue"),
    )
    first, ban = date(2024, 6, 11), banning.ban
    ban(coalition(), Rule.ANTE, "banned", "every card that refers to playing for ante", first, None)
    ban(coalition(), Rule.OFFENSIVE, "banned", REASON, first, None, cards("Elf number 8", LONG))
    for name, why in (("Elf number 1", REASON), ("Elf number 2", LINK), ("Elf number 3", REASON)):
        ban(coalition(), cards(name)[0], "watched", why, first, None)
    ban(coalition(), cards("Elf number 1")[0], "banned", REASON * 3, YESTERDAY, None)
    ban(coalition(), cards("Winter Elf")[0], "banned", "", TOMORROW, None)
    banning.end(coalition().entries.get(card__name="Elf number 3"), TODAY, None)
    ban(house(), cards("Elf number 1")[0], "allowed", "We like it.", TODAY, None)


def cards(*names: str) -> list[Card]:
    return [Card.objects.get(name=name) for name in names]


def legal_deck(name: str = "Elves") -> Deck:
    return register(name, ELVES, ELVES.replace("56 Forest", "52 Forest\n4 Elf number 4"), ELVES)


def broken_deck(name: str = LONG) -> Deck:
    """Return a deck whose only fault is that the ban list hit it."""
    return register(name, ELVES.replace("Llanowar Elves", "Elf number 1"))


# --- taps ---
def check_a_list(text: str) -> Callable[[Page], None]:
    def tap(page: Page) -> None:
        page.get_by_label("Deck list").fill(text)
        page.get_by_role("button", name="Check", exact=True).tap()
        expect(page.get_by_role("region", name="Verdict")).to_be_visible()
        open_all(page)

    return tap


def save_without_a_name(page: Page) -> None:
    page.get_by_label("Deck list").fill(ELVES)
    page.get_by_role("button", name="Save").tap()
    refusal_is_told(page)


def bring_no_deck(page: Page) -> None:
    page.get_by_label("Link or code of the deck").first.fill("no-such-deck")
    form = page.get_by_role("form", name=re.compile("^Deck of")).first
    form.get_by_role("button", name="Change").tap()
    refusal_is_told(page)
