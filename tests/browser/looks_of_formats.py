"""Tables of the other formats and a draft, full, with names that are hard to show."""

from collections.abc import Iterator

from django.urls import reverse
from playwright.sync_api import Page

from scoring.conspiracy import splits
from scoring.models import GameSet
from scoring.models.record import Phones
from scoring.record import commands, proposals
from scoring.rules.corrections import Entry
from scoring.rules.formats import conspiracy
from scoring.rules.formats.conspiracy import (
    CONSPIRACY,
    CallVote,
    CastVote,
    Disclose,
    GoadCreature,
    PutAgenda,
    PutConspiracy,
    TurnUp,
)
from scoring.rules.formats.conspiracy.zone import seal
from scoring.rules.formats.conspiracy_draft import (
    CONSPIRACY_DRAFT,
    DraftFaceUp,
    EndDraft,
    PassPacks,
    Reveal,
)
from scoring.rules.formats.leveler import LEVELER, UseUpLibrary
from scoring.rules.formats.realm_wars import REALM_WARS
from scoring.rules.formats.realm_wars.moves import Attack, BeginPhase, DamageZone, PlayLegend
from scoring.rules.moves import Concede, CrownMonarch, Draw
from scoring.rules.ruleset import Ruleset
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, hit
from tests.scoring.tables import SEED, address, record

from .looks import LONG_NAMES, Look, by_a_stranger, of, open_all, record_in, refusal_is_told

NAMES = [
    *("Wilhelmina Mwangombe", "Mwangombe Wilhelmina", "Gwendolyn Woodhammer"),
    *("Commodore McWilliams", "Maximiliane Wagemann", "Emmanuelle Wimmerman"),
    *("Wolfram Hammerwagner", "Magdalena Wommelmann"),
]
PAGES_OF_A_WAR = [
    *(("more", 1), ("watch",), ("log",), ("line", 1, 1)),
    *(("own", 1, what) for what in ("repair", "development", "zone_damage", "phase", "assault")),
    *(("end", 1, what) for what in ("concede", "win", "draw")),
]


def begun(ruleset: Ruleset, names: list[str], *entries: Entry) -> GameSet:
    table = commands.create_set(ruleset, names, seed=SEED)
    commands.start_game(table, 1, first=ANN)
    return record_in(table, *entries)


def of_table(name: str, table: GameSet) -> Iterator[Look]:
    """Yield the pad, the tablet in the middle of the table, and a player's own phone."""
    yield of(table, f"{name}, pad", "score")
    yield by_a_stranger(of(table, f"{name}, tablet", "table"))
    yield by_a_player(table, name)


def by_a_player(table: GameSet, name: str, seat: int = ANN) -> Look:
    proposals.set_phones(table, Phones.TRUSTED)
    commands.change_seat_key(table, seat, f"{table.code}-{seat}")
    where = address(table, "take_seat_key", f"{table.code}-{seat}")
    return Look(f"{name}, for a player", where, tap=open_all)


def of_leveler_and_wars() -> Iterator[Look]:
    damage = (hit(ANN, BO, 11), hit(ANN, CY, 23), hit(BO, DI, 9))
    libraries = [UseUpLibrary((EV,), "emptied")] * 3
    yield from of_table("leveler of six", begun(LEVELER, NAMES[:6], *damage, *libraries))
    burning = (DamageZone((5,), "quest", 8), DamageZone((1, 2), "kingdom", 9), PlayLegend(BO))
    attack = (BeginPhase("battlefield"), Attack(4, "battlefield"))
    war = begun(REALM_WARS, NAMES[:6], *burning, *attack)
    yield from of_table("realm wars of six", war)
    yield from (of(war, f"realm wars, {view}", view, *args) for view, *args in PAGES_OF_A_WAR)


# --- a draft ---
def drafting(*end: Entry) -> GameSet:
    """Return eight at their fourth pick, with cards that act."""
    face_up = ("Smuggler Captain", "Cogwork Librarian", "Illusionary Informant", "Deal Broker")
    cards = (DraftFaceUp(seat, card) for seat, card in enumerate(face_up, ANN))
    revealed = (Reveal(BO, "Aether Searcher"), Reveal(8, "Regicide", None, "White, Blue, Black"))
    return begun(CONSPIRACY_DRAFT, NAMES, *cards, *revealed, *[PassPacks()] * 3, *end)


def of_drafts() -> Iterator[Look]:
    draft, over, split = drafting(), drafting(EndDraft()), drafting(EndDraft())
    splits.split(split, lambda number: f"{split.code}-{number}", splits.Drawn())
    yield from of_table("draft of eight", draft)
    yield of(draft, "a card that acts", "draft_card", 1, query="?card=Aether+Searcher")
    yield of(over, "the draft is over", "score")
    yield by_a_player(over, "the draft is over")
    yield of(over, "who will sit where", "draft_tables")
    yield of(split, "the tables of a draft", "draft_tables")
    yield Look("the pools of a draft", address(over, "pools"), tap=open_all)


# --- Conspiracy ---
SALT = "5f" * 16
CARD = "Our Market Research Shows That Players Like Really Long Card Names"
FIRST = seal(ANN, SALT, CARD, ["Forest"])
SECOND = seal(BO, SALT, CARD, ["Ogre", CARD])
OPENED = TurnUp(BO, SECOND, SALT, CARD, ("Ogre", CARD))
OPTIONS = ("grace", "a condemnation that has far too many words for its button", "doubt")
ZONE = (PutAgenda(ANN, FIRST), PutAgenda(BO, SECOND), PutConspiracy(CY, CARD))
GOADS = (
    *(CrownMonarch(ANN), conspiracy.Attack(ANN, (BO, CY, DI))),
    *(GoadCreature(seat, CARD, ANN) for seat in (BO, CY)),
    *(GoadCreature(seat, "Ogre", BO) for seat in (ANN, CY, DI, EV)),
)
VOTE = (CallVote(ANN, "council's dilemma", OPTIONS, CARD), CastVote(ANN, OPTIONS[1], 9, EV))


def playing(*entries: Entry) -> GameSet:
    """Return a table with a full command zone, the monarch, goads and an attack."""
    return begun(CONSPIRACY, LONG_NAMES, *ZONE, hit(ANN, BO, 3), *GOADS, *entries)


def of_conspiracy() -> Iterator[Look]:
    before, voting = begun(CONSPIRACY, LONG_NAMES, *ZONE), playing(*VOTE)
    decided = playing(*VOTE, *(CastVote(seat, OPTIONS[1]) for seat in (BO, CY, DI, EV)))
    owed, over = playing(Concede(ANN), OPENED), playing(Concede(DI), Draw("time"), OPENED)
    five = (PutConspiracy(CY, CARD), hit(ANN, BO, 3), CrownMonarch(ANN), *GOADS[2:4])
    yield from of_table("conspiracy of five", begun(CONSPIRACY, NAMES[:5], *five, *VOTE))
    yield of(before, "before the start", "score")
    yield of(before, "agendas", "agendas", 1, tap=open_all)
    yield of(before, "agendas, refused", "agendas", 1, tap=name_one_card_twice, status=422)
    yield of(voting, "a vote", "score", tap=open_all)
    yield of(decided, "a vote that is over", "score", tap=open_all)
    yield of(decided, "agendas in a game", "agendas", 1)
    yield of(decided, "more", "more", 1)
    yield of(playing(), "a vote to call, on the pad", "call_vote", 1)
    for what in ("vote_called", "vote", "goad", "goad_moves", "goad_ends", "attack", "disclose"):
        yield of(decided, what, "own", 1, what)
    yield of(owed, "a secret of who is out", "score")
    yield of(over, "a secret after the end", "score", tap=open_all)
    yield of(voting, "log", "log")
    watched = of(decided, "watch", "watch", tap=open_all)
    yield from (watched, by_a_stranger(watched), by_a_stranger(of(decided, "table view", "table")))
    yield of(over, "final page with a secret", "watch", tap=open_all)
    record(over, Disclose(ANN, FIRST, CARD, ("Forest",)))
    yield of(over, "final page", "watch", tap=open_all)
    yield of(before, "links for the players", "links", tap=hand_out)
    yield by_a_player(before, "before the start")
    yield Look("cards of Conspiracy", reverse("conspiracy_cards"))
    yield Look("own conspiracies", address(before, "seal_own", 1))
    yield Look("a vote to call", address(before, "call_own", 1))
    for table, name in ((voting, "a vote"), (decided, "a vote that is over"), (owed, "out")):
        yield by_a_player(table, name, BO if table is voting else ANN)
    yield by_a_player(over, "the end")


def hand_out(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Players’ phones").tap()


def name_one_card_twice(page: Page) -> None:
    form = page.get_by_role("form", name="Face down")
    form.get_by_role("radio").first.tap()
    for field in form.get_by_role("combobox").all():
        field.fill("Elf")
    form.get_by_role("button", name="Seal it").tap()
    refusal_is_told(page)
