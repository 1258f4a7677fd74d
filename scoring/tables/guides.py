"""What somebody who chooses a format reads; its rules are in templates/tables/guides/."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from decks.rules import rulesets as decks
from decks.rules.deck import COPIES, COPIES_OF_OTHERS

from ..rules.damage import Kind
from ..rules.formats import FORMATS, RULESETS
from ..rules.formats.coalition_guide import chapters
from ..rules.formats.conspiracy_draft.state import PACK, ROUNDS, direction_of
from ..rules.formats.leveler import LEVELS, SUB_DECKS, THRESHOLDS
from ..rules.formats.realm_wars.state import PHASES, ZONE_BURNS_AT, ZONES, ZONES_A_PLAYER
from ..rules.splitting import FEWEST, MOST
from ..rules.state import POISON_DEADLY
from ..rules.words import series

MAGIC = "Magic: The Gathering"


class Way(NamedTuple):
    format: str
    label: str
    choice: str = "Choose"


class Guide(NamedTuple):
    name: str
    ways: tuple[Way, ...]
    players: str
    length: str
    needs: str
    fun: str
    values: Mapping[str, Any]
    game: str = MAGIC

    @property
    def title(self) -> str:
        return self.name if self.game == MAGIC else f"{self.name} ({self.game})"

    @property
    def key(self) -> str:
        """The name of its page in addresses, of its template, and of its ban list."""
        return self.ways[-1].format


_COALITION, _COALITION_DECK = RULESETS["coalition-906"], decks.COALITION_906
_COALITIONS = FORMATS[_COALITION.format]
_LEVELER = RULESETS["leveler"]
_CONSPIRACY, _DRAFT = RULESETS["conspiracy"], RULESETS["conspiracy-draft"]
_WARS = RULESETS["realm-wars"]
_TEAMS = [count // 2 for count in _WARS.players_usual]

GUIDES = (
    Guide(
        name="Coalition",
        ways=(Way(_COALITION.format, "Start"),),
        players=f"{min(each.players_min for each in _COALITIONS)} to "
        f"{max(each.players_max for each in _COALITIONS)}",
        length=f"{_COALITION.games} games, about "
        f"{RULESETS['coalition-readme'].minutes // 60} hours",
        needs=f"a deck each: {_COALITION_DECK.main} cards of one creature type, and a sideboard "
        "with its hero",
        fun="Attacking pays: damage is what scores, and even the first player out can still "
        "win the night.",
        values={
            "rules": _COALITION,
            "rulesets": _COALITIONS,
            "chapters": chapters,
            "by_hero": Kind.HERO,
            "decks": decks.RULESETS,
            "copies": COPIES,
            "copies_of_others": COPIES_OF_OTHERS,
        },
    ),
    Guide(
        name=_LEVELER.name,
        ways=(Way(_LEVELER.format, "Start"),),
        players=_LEVELER.players_text,
        length="1 game",
        needs=f"a deck each: {sum(SUB_DECKS)} cards in parts of "
        f"{series([str(size) for size in SUB_DECKS])}",
        fun="Getting hurt makes you stronger: damage and an empty library bring your better cards.",
        values={
            "rules": _LEVELER,
            "deck": decks.LEVELER,
            "sub_decks": SUB_DECKS,
            "levels": LEVELS,
            "thresholds": THRESHOLDS,
            "poison": POISON_DEADLY,
        },
    ),
    Guide(
        name=_CONSPIRACY.name,
        ways=(
            Way(_DRAFT.format, "Start with the draft", "The draft"),
            Way(_CONSPIRACY.format, "Start a game", "A game"),
        ),
        players=f"{_CONSPIRACY.players_text}; in the draft {_DRAFT.players_text}",
        length=f"a draft of {ROUNDS} rounds, then 1 game or more",
        needs=f"{ROUNDS} booster packs each, or a cube, with cards of Conspiracy; and basic lands",
        fun="Votes, a crown to steal, and secret plans that you make while you draft.",
        values={
            "rules": _CONSPIRACY,
            "smallest": decks.CONSPIRACY.main_min,
            "drafters": _DRAFT.players_text,
            "full": _DRAFT.players_max,
            "rounds": ROUNDS,
            "pack": PACK,
            "directions": ", ".join(
                f"{direction_of(round)} in round {round}" for round in range(1, ROUNDS + 1)
            ),
            "fewest": FEWEST,
            "most": MOST,
            "poison": POISON_DEADLY,
        },
    ),
    Guide(
        name=_WARS.name,
        game=_WARS.card_game,
        ways=(Way(_WARS.format, "Start"),),
        players=f"{_WARS.players_text}, in two teams",
        length="1 game, longer than a duel",
        needs=f"the cards of {_WARS.card_game}, with a deck and a capital each",
        fun="Your team is one army: plan with open hands, then burn a zone of the other side.",
        values={
            "sizes": " or ".join(map(str, _TEAMS)),
            "zones": ZONES,
            "series": series,
            "phases": PHASES,
            "burns_at": ZONE_BURNS_AT,
            "to_burn": " and ".join(
                f"{ZONES_A_PLAYER * size} of {len(ZONES) * size} zones with {size} players a team"
                for size in _TEAMS
            ),
        },
    ),
)


def guide_of(format: str) -> Guide | None:
    """Return the guide of a format; a format that leads to another shares its guide."""
    ways = ((way.format, guide) for guide in GUIDES for way in guide.ways)
    return dict(ways).get(format)
