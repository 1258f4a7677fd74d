"""Leveler, for those who choose or learn it (002)."""

from __future__ import annotations

from decks.rules import rulesets as decks

from ...rules.formats.leveler import LEVELER, LEVELS, SUB_DECKS, THRESHOLDS
from ...rules.state import POISON_DEADLY
from ...rules.words import series
from . import HIT, LIFE, MISTAKE, TURN, Chapter, Guide, Way

FIRST, SECOND, THIRD = SUB_DECKS
PARTS = series([str(size) for size in SUB_DECKS])
SOON, LATER = THRESHOLDS

GUIDE = Guide(
    name=LEVELER.name,
    ways=(Way(LEVELER.format, "Start"),),
    players=LEVELER.players_text,
    length="1 game",
    needs=f"a deck each: {sum(SUB_DECKS)} cards in parts of {PARTS}",
    fun="Getting hurt makes you stronger: damage and an empty library bring your better cards.",
    minute=(
        f"All start at {LEVELER.life} life, with the first {FIRST} cards as the library. The other "
        f"{LEVELS - 1} parts wait outside the game.",
        "When your library is empty, shuffle in your next part. You are a level higher.",
        f"When you have taken {SOON} damage in all, exile your library if you are on level 1; at "
        f"{LATER}, also if you are on level 2. An empty library brings the next part.",
        "You lose at 0 life, or when you have to draw from an empty library. The last player wins, "
        "and all others share a rank.",
    ),
    taps=(
        HIT,
        "“Empty library”, when the library of the player whose turn it is runs out; for another "
        "player’s, ☰ and the name.",
        LIFE,
        TURN,
        MISTAKE,
    ),
    chapters=(
        Chapter(
            "The deck",
            (
                f"It has {sum(SUB_DECKS)} cards: a first part of {FIRST}, a second of {SECOND} and "
                f"a third of {THIRD}.",
                "No card is in it twice, not even in different parts; basic lands may be.",
                "Cards of all sets are allowed. Banned are what Legacy bans, and "
                f"{'; '.join(sorted(decks.LEVELER.banned))}.",
            ),
        ),
        Chapter(
            "Levels",
            (
                f"Your level says which part your library is on: 1, 2 or {LEVELS}.",
                "An empty library takes in the next part at once, before anybody can do anything. "
                "It does not matter whether cards were drawn, milled or exiled.",
                f"On level {LEVELS} no part is left, and an empty library stays empty.",
                "Whoever has to draw from an empty library loses, at every level: the next part "
                "comes only after the whole draw. With 1 card left, drawing 1 brings the next "
                "part, but drawing 2 loses the game.",
            ),
        ),
        Chapter(
            "Damage",
            (
                "Count all damage that you take in the game. Life gained does not lower it, and "
                "life lost without damage does not raise it. Damage that gives poison counters "
                "counts.",
                f"At {SOON} your library is exiled while the second part waits outside the game; "
                f"at {LATER} while the third does.",
                f"If you are further already, nothing is exiled. A single hit of {LATER} on level "
                f"1 exiles the library and the second part with it: you are on level {LEVELS}.",
            ),
        ),
        Chapter(
            "The end",
            (
                f"You are out at 0 life, at {POISON_DEADLY} poison counters, or by drawing from an "
                "empty library. The last player in the game wins.",
            ),
        ),
    ),
    bans=LEVELER.format,
)
