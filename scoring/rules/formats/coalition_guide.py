"""The rules of play of Coalition in sentences, each with its source, for whoever reads a guide."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ..state import POISON_DEADLY
from .coalition import (
    COALITION_906,
    COALITION_2026,
    COALITION_README,
    COALITION_README_21,
    Coalition,
)

_906, _2026 = COALITION_906, COALITION_2026
_README, _README_21 = COALITION_README, COALITION_README_21
_ALL = _906, _README, _README_21, _2026


class Told(NamedTuple):
    """``text`` and ``source`` may name what ``rules`` have; ``of`` are those that it is true of."""

    chapter: str
    text: str
    source: str
    of: tuple[Coalition, ...] = _ALL


BEGINNING, HERO, SCORES = "The beginning", "The hero", "What scores"
END, SET = "The end of a game", "The set"
# Sources: numbers of section 906 and, with "CR", of the Comprehensive Rules; "overview" is the
# format's overview (000), "2026" its public rules of that year.
TABLE = (
    Told(BEGINNING, "Everybody starts at {rules.life} life with a hand of seven cards.", "906.7"),
    Told(
        BEGINNING,
        "Everybody announces hero and creature type before the first roll.",
        "2026",
        (_2026,),
    ),
    Told(
        BEGINNING, "You may attack several opponents at once, and everybody is in range.", "906.2"
    ),
    Told(
        HERO,
        "The hero starts outside the game. Once during each of your turns you may put it into your "
        "hand, {rules.hero_time}.",
        "{rules.hero_source}",
    ),
    Told(
        HERO,
        "A hero is cast like any other card, and can be countered. If it does not resolve, it goes "
        "where any card would.",
        "overview",
    ),
    Told(HERO, "From the graveyard or exile it may go outside again as it gets there.", "906.9a"),
    Told(
        HERO,
        "It may also go outside instead of going to your hand or library. This may apply more than "
        "once to the same event.",
        "906.9b",
    ),
    Told(
        HERO,
        "A hero is still a hero while it is face down or copies something. A copy of a hero is not "
        "a hero.",
        "906.3",
    ),
    Told(
        HERO,
        "Each hero leads alone: there is no second hero and no companion. “Partner with” still "
        "triggers as printed.",
        "overview",
    ),
    Told(
        HERO,
        "Noncombat damage dealt by your hero scores for you too, even while somebody else controls "
        "the hero.",
        "906.10c",
        (_906, _README, _README_21),
    ),
    Told(
        SCORES,
        "Combat damage to an opponent scores for the player who controls the creature. It counts "
        "in full, even beyond the life that was left.",
        "906.10b",
    ),
    Told(SCORES, "Damage to yourself, to planeswalkers and to battles scores nothing.", "906.10b"),
    Told(SCORES, "Noncombat damage scores nothing, not even a hero’s.", "2026", (_2026,)),
    Told(SCORES, "VP are not counters: proliferate adds none.", "906.10f"),
    Told(
        SCORES,
        "Life at 0 or {poison} poison counters put you out, as in any game. You keep your VP.",
        "CR 704.5",
    ),
    Told(
        END,
        "One player at {rules.cap} VP wins at once; two or more at the same time draw the game.",
        "906.11",
    ),
    Told(END, "Whoever reaches it and loses at the same time loses.", "CR 104.3f"),
    Told(END, "The last player in the game wins.", "CR 104.2a"),
    Told(END, "The winner’s VP are raised to {rules.cap}.", "906.10e", (_906, _2026)),
    Told(
        END,
        "The winner gets {rules.flat_bonus} VP on top, even beyond {rules.cap}.",
        "overview",
        (_README, _README_21),
    ),
    Told(END, "A draw gives nobody a bonus; all VP stay.", "906.11c"),
    Told(
        END,
        "Whoever concedes loses the VP of that game, unless all opponents concede together.",
        "906.10g",
        (_906, _README, _README_21),
    ),
    Told(
        END,
        "Whoever concedes loses the VP of the whole set, unless all opponents concede together.",
        "2026",
        (_2026,),
    ),
    Told(
        END,
        "With the same exception, whoever concedes does not play the later games of the set.",
        "906.10g",
    ),
    Told(
        END,
        "If all remaining opponents concede together to one player, that player wins and nobody is "
        "penalized.",
        "906.10h",
    ),
    Told(
        END,
        "That player gets all {rules.cap} VP, and {rules.flat_bonus} for winning.",
        "overview",
        (_README,),
    ),
    Told(END, "That player ends the game at {rules.cap} VP.", "overview", (_README_21,)),
    Told(
        SET,
        "A set has {rules.games} games, and all of them are played: it takes VP to win it, not "
        "games.",
        "906.12",
    ),
    Told(SET, "The dice say who starts game 1.", "906.7a"),
    Told(
        SET,
        "Later the player with the fewest VP chooses who starts; if several have as few, the dice "
        "pick one of them.",
        "906.7b",
        (_906, _README, _README_21),
    ),
    Told(SET, "Later games go from the lowest standing to the highest.", "2026", (_2026,)),
    Told(
        SET, "With the same VP at the end you share a rank.", "906.12a", (_906, _README, _README_21)
    ),
    Told(SET, "At the same VP, more life at the end of the last game counts.", "2026", (_2026,)),
)


def chapters(rules: Coalition) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each chapter with its sentences and their sources.

    >>> dict(chapters(COALITION_README))[BEGINNING][0]
    ('Everybody starts at 25 life with a hand of seven cards.', '906.7')
    """
    told = [each for each in TABLE if rules in each.of]
    values = {"rules": rules, "poison": POISON_DEADLY}
    for chapter, of_chapter in groupby(told, lambda each: each.chapter):
        yield (
            chapter,
            [(each.text.format(**values), each.source.format(**values)) for each in of_chapter],
        )
