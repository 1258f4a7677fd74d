"""The deck-building rules of each ruleset, as data."""

from dataclasses import dataclass
from typing import ClassVar

from .entries import LEVELS, Section

NO_END = 9_999  # cards in a part of a deck that may have any number
Sizes = dict[Section, tuple[int, int]]  # how many cards each needs, at least and at most


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRules:
    key: str
    name: str  # as tables know it
    format: str
    about: str = ""  # what the page of its list says first
    game: str = ""  # whose cards it takes, where that is not Magic
    by_name: ClassVar[bool] = False  # its cards are in no catalogue

    @property
    def format_name(self) -> str:
        return FORMAT_NAMES[self.format]

    @property
    def full_name(self) -> str:
        return f"{self.name} ({self.game})" if self.game else self.name

    @property
    def title(self) -> str:
        """The format, and the ruleset if the format has several.

        >>> COALITION_906.title, LEVELER.title
        ('Coalition (A win fills up to 21)', 'Leveler')
        """
        if self.name == self.format_name:
            return self.full_name
        return f"{self.format_name} ({self.name})"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoalitionDeck(DeckRules):
    """A deck around a hero and a single creature type (906.5); its sideboard includes the hero."""

    format: str = "coalition"
    main: int = 60
    sideboard_min: int = 10
    sideboard_max: int = 10
    bars_legendary_backs: bool = False

    @property
    def sizes(self) -> Sizes:
        sideboard = self.sideboard_min, self.sideboard_max
        return {Section.MAIN: (self.main, self.main), Section.SIDEBOARD: sideboard}


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelerDeck(DeckRules):
    """Three sub-decks without duplicates (002); ``banned`` names cards that Legacy does not ban."""

    format: str = "leveler"
    sizes: ClassVar[Sizes] = {
        level: (size, size) for level, size in zip(LEVELS, (50, 30, 20), strict=True)
    }
    banned: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConspiracyDeck(DeckRules):
    """A deck out of a drafted pool (003): the rest of the pool, conspiracies too, is beside it."""

    format: str = "conspiracy"
    main_min: int = 40

    @property
    def sizes(self) -> Sizes:
        return {Section.MAIN: (self.main_min, NO_END), Section.SIDEBOARD: (0, NO_END)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmWarsDeck(DeckRules):
    """A deck of Warhammer: Invasion (004), judged by the names on the list alone."""

    format: str = "realm-wars"
    by_name: ClassVar[bool] = True
    sizes: ClassVar[Sizes] = {Section.MAIN: (0, NO_END)}


DeckRuleset = CoalitionDeck | LevelerDeck | ConspiracyDeck | RealmWarsDeck

FORMAT_NAMES = {
    "coalition": "Coalition",
    "leveler": "Leveler",
    "conspiracy": "Conspiracy",
    "realm-wars": "Realm Wars",
}

COALITION_906 = CoalitionDeck(key="coalition-906", name="A win fills up to 21")
COALITION_README = CoalitionDeck(key="coalition-readme", name="A win gives 5 more")
COALITION_README_21 = CoalitionDeck(
    key="coalition-readme-21", name="A win gives 5 more, 21 after conceding"
)
COALITION_2026 = CoalitionDeck(
    key="coalition-2026",
    name="2026: 60 + 15",
    sideboard_min=1,
    sideboard_max=15,
    bars_legendary_backs=True,
)
LEVELER = LevelerDeck(
    key="leveler",
    name="Leveler",
    # Cards that are played for an empty library.
    banned=frozenset(
        "Thassa's Oracle|Laboratory Maniac|Jace, Wielder of Mysteries|Out of the Tombs"
        "|Ormos, Archive Keeper".split("|")
    ),
)

CONSPIRACY = ConspiracyDeck(
    key="conspiracy",
    name="Conspiracy",
    about=(
        "A deck is built out of the cards that its player drafted: 40 cards at least, and basic "
        "lands are free. Conspiracies never go into it. They stay beside it, and each player puts "
        "any number of them into the command zone as the game starts. The format bans nothing of "
        "its own."
    ),
)
REALM_WARS = RealmWarsDeck(
    key="realm-wars",
    name="Realm Wars",
    game="Warhammer: Invasion",
    about=(
        "Realm Wars is played with the cards of Warhammer: Invasion. No catalogue here has them, "
        "so this list and the decks are compared by the cards’ names, and decks are not judged "
        "while the list is empty. With the game’s other cards on it, as allowed, it also tells "
        "names that no card has. A banned card is in no deck. "
        "Of a restricted card a deck has one copy at most. The format bans nothing of its own: "
        "what is banned or restricted in the format whose cards you play stays so here."
    ),
)

_ALL = (
    COALITION_906,
    COALITION_README,
    COALITION_README_21,
    COALITION_2026,
    LEVELER,
    CONSPIRACY,
    REALM_WARS,
)
RULESETS: dict[str, DeckRuleset] = {ruleset.key: ruleset for ruleset in _ALL}
# Those whose cards are in the catalogue.
OF_CARDS = {key: ruleset for key, ruleset in RULESETS.items() if not ruleset.by_name}


def is_by_name(format: str) -> bool:
    return any(ruleset.by_name for ruleset in RULESETS.values() if ruleset.format == format)
