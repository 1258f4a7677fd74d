"""Full tables of Leveler, Conspiracy and Realm Wars, and a draft: wide names of 20 letters."""

from collections.abc import Iterator

from scoring.conspiracy import splits
from scoring.models import GameSet
from scoring.play import commands
from scoring.rules.corrections import Entry
from scoring.rules.formats.conspiracy import (
    CONSPIRACY,
    CallVote,
    CastVote,
    GoadCreature,
    PutConspiracy,
)
from scoring.rules.formats.conspiracy.state import DILEMMA
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
from scoring.rules.moves import CrownMonarch
from scoring.rules.ruleset import Ruleset
from tests.scoring.rules.play import ANN, BO, CY, DI, EV, hit
from tests.scoring.tables import SEED, address, record

from .looks import Look, of, open_all
from .looks_of_conspiracy import by_a_player

NAMES = [
    *("Wilhelmina Mwangombe", "Mwangombe Wilhelmina", "Gwendolyn Woodhammer"),
    *("Commodore McWilliams", "Maximiliane Wagemann", "Emmanuelle Wimmerman"),
    *("Wolfram Hammerwagner", "Magdalena Wommelmann"),
]
SIX = 6
GOADS = tuple(GoadCreature(seat, "Crown-Hunter Hireling", ANN) for seat in (BO, CY, DI, EV))
PAGES_OF_A_WAR = [
    *(("more", 1), ("watch",), ("log",), ("line", 1, 1)),
    *(("own", 1, what) for what in ("repair", "development", "zone_damage", "phase", "assault")),
    *(("end", 1, what) for what in ("concede", "win", "draw")),
]
CALL = CallVote(ANN, DILEMMA, ("strength", "numbers"), "Lieutenants of the Guard")


def every_look() -> Iterator[Look]:
    yield from of_table("leveler of six", leveling())
    yield from of_table("conspiracy of five", plotting())
    yield from of_table("a vote of five", plotting(CALL, CastVote(ANN, "numbers", 2, EV)))
    war = warring()
    yield from of_table("realm wars of six", war)
    yield from (of(war, f"realm wars, {view}", view, *args) for view, *args in PAGES_OF_A_WAR)
    yield from of_table("draft of eight", drafting())
    yield from of_tables()


def of_table(name: str, table: GameSet) -> Iterator[Look]:
    """Yield the pad, the tablet in the middle of the table, and a player's own phone."""
    yield of(table, f"{name}, pad", "score")
    yield of(table, f"{name}, tablet", "table")
    yield by_a_player(table, name)


def of_tables() -> Iterator[Look]:
    over, split = drafting(EndDraft()), drafting(EndDraft())
    splits.split(split, lambda number: f"{split.code}-{number}", splits.Drawn())
    yield of(drafting(), "a card that acts", "draft_card", 1, query="?card=Aether+Searcher")
    yield of(over, "the draft is over", "score")
    yield by_a_player(over, "the draft is over")
    yield of(over, "who will sit where", "draft_tables")
    yield of(split, "the tables of a draft", "draft_tables")
    yield Look("the pools of a draft", address(over, "pools"), tap=open_all)


def leveling() -> GameSet:
    """Return six at all levels, one of them without a library."""
    damage = (hit(ANN, BO, 11), hit(ANN, CY, 23), hit(BO, DI, 9))
    libraries = [UseUpLibrary((EV,), "emptied")] * 3
    return played(LEVELER, SIX, *damage, *libraries)


def plotting(*vote: Entry) -> GameSet:
    """Return five with a monarch, goads and a conspiracy."""
    start = (PutConspiracy(CY, "Sovereign's Realm"), hit(ANN, BO, 3), CrownMonarch(ANN))
    return played(CONSPIRACY, 5, *start, *GOADS, *vote)


def warring() -> GameSet:
    """Return six in a battlefield phase, zones burning, one of them attacked."""
    burning = (DamageZone((5,), "quest", 8), DamageZone((1, 2), "kingdom", 9), PlayLegend(BO))
    return played(REALM_WARS, SIX, *burning, BeginPhase("battlefield"), Attack(4, "battlefield"))


def drafting(*end: Entry) -> GameSet:
    """Return eight at their fourth pick, with cards that act."""
    face_up = ("Smuggler Captain", "Cogwork Librarian", "Illusionary Informant", "Deal Broker")
    cards = (DraftFaceUp(seat, card) for seat, card in enumerate(face_up, ANN))
    revealed = (Reveal(BO, "Aether Searcher"), Reveal(8, "Regicide", None, "White, Blue, Black"))
    return played(CONSPIRACY_DRAFT, 8, *cards, *revealed, *[PassPacks()] * 3, *end)


def played(ruleset: Ruleset, players: int, *entries: Entry) -> GameSet:
    table = commands.create_set(ruleset, NAMES[:players], seed=SEED)
    commands.start_game(table, 1, first=ANN)
    record(table, *entries)
    return table
