"""Coalition, for those who choose or learn it (000, 001)."""

from __future__ import annotations

from collections.abc import Callable

from decks.rules import rulesets as decks
from decks.rules.deck import COPIES, COPIES_OF_OTHERS

from ...rules.damage import Kind
from ...rules.formats import FORMATS
from ...rules.formats.coalition import COALITION_906, COALITION_README, Coalition
from ...rules.state import POISON_DEADLY
from . import HIT, LIFE, MISTAKE, TURN, Chapter, Comparison, Guide, Way

RULES, DECK = COALITION_906, decks.COALITION_906
RULESETS = [each for each in FORMATS[RULES.format] if isinstance(each, Coalition)]
FEWEST = min(each.players_min for each in RULESETS)
MOST = max(each.players_max for each in RULESETS)


def _row(label: str, value: Callable[[Coalition], str]) -> tuple[str, tuple[str, ...]]:
    return label, tuple(value(ruleset) for ruleset in RULESETS)


def _bonus(ruleset: Coalition) -> str:
    if ruleset.flat_bonus:
        return f"gets {ruleset.flat_bonus} VP on top"
    return f"is raised to {ruleset.cap}"


def _heroes(ruleset: Coalition) -> str:
    return "scores" if Kind.HERO in ruleset.scoring_kinds else "scores nothing"


def _conceding(ruleset: Coalition) -> str:
    return f"loses the VP of {'the whole set' if ruleset.conceding_voids_set else 'this game'}"


def _order(ruleset: Coalition) -> str:
    return (
        "lowest standing first"
        if ruleset.orders_by_standing
        else "the lowest standing chooses who starts"
    )


def _ties(ruleset: Coalition) -> str:
    if ruleset.life_breaks_ties:
        return "more life at the end of the last game"
    return "the rank is shared"


def _sideboard(ruleset: Coalition) -> str:
    deck = decks.RULESETS[ruleset.key]
    assert isinstance(deck, decks.CoalitionDeck)
    if deck.sideboard_min == deck.sideboard_max:
        return f"{deck.sideboard_max} cards"
    return f"{deck.sideboard_min} to {deck.sideboard_max} cards"


ROWS = (
    _row("Players", lambda ruleset: ruleset.players_text),
    _row("Life", lambda ruleset: str(ruleset.life)),
    _row("VP of a game, at most", lambda ruleset: str(ruleset.cap)),
    _row("The winner", _bonus),
    _row("Heroes’ other damage", _heroes),
    _row("Who concedes", _conceding),
    _row("Later games", _order),
    _row("The same VP at the end", _ties),
    _row("Sideboard with the hero", _sideboard),
)
DIFFERENCES = tuple((label, values) for label, values in ROWS if len(set(values)) > 1)

GUIDE = Guide(
    name="Coalition",
    ways=(Way(RULES.format, "Start"),),
    players=f"{FEWEST} to {MOST}",
    length=f"{RULES.games} games, about {COALITION_README.minutes // 60} hours",
    needs=f"a deck each: {DECK.main} cards of one creature type, and a sideboard with its hero",
    fun="Attacking pays: damage is what scores, and even who falls first can still win the night.",
    minute=(
        f"All start at {RULES.life} life, and play {RULES.games} games.",
        "Combat damage that your creatures deal to an opponent gives you as many victory points "
        f"(VP). A game gives you {RULES.cap} at most.",
        f"You win a game at {RULES.cap} VP, or when everybody else is out. The winner’s VP are "
        f"raised to {RULES.cap}.",
        "If you are out, you keep your VP of that game. If you concede, you lose them.",
        f"Most VP after {RULES.games} games win the set.",
    ),
    taps=(
        HIT,
        "“Hero” before the number, for a hero’s damage that is not combat damage; “Other”, for "
        "damage that scores nothing.",
        LIFE,
        TURN,
        MISTAKE,
        "Behind ☰ is what is rare: where a hero goes, conceding, losing, the monarch’s crown.",
    ),
    chapters=(
        Chapter(
            "The deck",
            (
                f"The main deck has {DECK.main} cards, and the sideboard {DECK.sideboard_max}.",
                "Your hero is one legendary creature in the sideboard. No other card of the deck "
                "is legendary.",
                "Choose one creature type of your hero; Human is not allowed. Each card has that "
                "type, names it in its text, or has and names no creature type at all.",
                f"Of a creature or a nonbasic land you may have {COPIES}, of any other card "
                f"{COPIES_OF_OTHERS}, and of basic lands any number.",
            ),
        ),
        Chapter(
            "The hero",
            (
                "The hero starts outside the game. Once in each of your turns, when you could cast "
                "a sorcery, you may put it into your hand.",
                "From the graveyard or exile it may go outside again, and also instead of going "
                "to your hand or library.",
                "Damage by your hero that is not combat damage scores for you too, even while "
                "somebody else controls your hero.",
            ),
        ),
        Chapter(
            "What scores",
            (
                "Combat damage scores for the player who controls the creature. It counts in full, "
                "also where it is more than the life that was left.",
                "Damage to yourself, to planeswalkers and to battles scores nothing.",
                f"Life at 0 or {POISON_DEADLY} poison counters put you out, as in any game.",
            ),
        ),
        Chapter(
            "The end of a game",
            (
                f"One player at {RULES.cap} VP wins at once; two or more at the same time make a "
                "draw. Somebody who reaches it while losing loses.",
                "The last player in the game wins. A draw gives nobody a bonus; all VP stay.",
                "If all remaining opponents concede together to one player, that player wins and "
                "nobody is punished.",
                "Whoever concedes alone does not play the later games of the set.",
            ),
        ),
        Chapter(
            "The set",
            (
                f"A set has {RULES.games} games, and all of them are played: it takes VP to win "
                "it, not games.",
                "The dice say who starts game 1. Later the player with the fewest VP chooses who "
                "starts; if several have as few, the dice pick one of them.",
            ),
        ),
    ),
    comparison=Comparison(
        usual=RULES.name,
        names=tuple(ruleset.name for ruleset in RULESETS),
        rows=DIFFERENCES,
    ),
    bans=RULES.format,
)
