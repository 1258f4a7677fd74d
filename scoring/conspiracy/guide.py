"""Conspiracy and its draft, for those who choose or learn them (003)."""

from __future__ import annotations

from decks.rules import rulesets as decks

from ..pages.guides import HIT, LIFE, MISTAKE, TURN, Chapter, Guide, Way
from ..rules.formats.conspiracy import CONSPIRACY
from ..rules.formats.conspiracy_draft import CONSPIRACY_DRAFT
from ..rules.formats.conspiracy_draft.state import PACK, ROUNDS, direction_of
from ..rules.splitting import FEWEST, MOST
from ..rules.state import POISON_DEADLY

SMALLEST = decks.CONSPIRACY.main_min
FULL = CONSPIRACY_DRAFT.players_max
DIRECTIONS = ", ".join(f"{direction_of(round)} in round {round}" for round in range(1, ROUNDS + 1))

GUIDE = Guide(
    name=CONSPIRACY.name,
    ways=(
        Way(CONSPIRACY_DRAFT.format, "Start with the draft", "The draft"),
        Way(CONSPIRACY.format, "Start a game", "A game"),
    ),
    players=f"{CONSPIRACY.players_text}; in the draft {CONSPIRACY_DRAFT.players_text}",
    length=f"a draft of {ROUNDS} rounds, then 1 game or more",
    needs=f"{ROUNDS} booster packs each, or a cube, with cards of Conspiracy; and basic lands",
    fun="Votes, a crown to steal, and secret plans that you make while you draft.",
    minute=(
        f"Draft {ROUNDS} booster packs each, and build a deck of {SMALLEST} cards at least. Basic "
        "lands are free.",
        f"Then {FEWEST} to {MOST} play at a table, each against all, at {CONSPIRACY.life} life. "
        "The last player in the game wins.",
        "Conspiracies are not in the deck. They lie before you from the start; one with hidden "
        "agenda lies face down, and you name a card for it in secret.",
        "At the end of their turn the monarch draws a card. Whoever deals combat damage to the "
        "monarch with a creature takes the crown.",
        "When a card calls a vote, all vote in turn order, and aloud.",
        "A goaded creature has to attack, and somebody other than the player who goaded it.",
    ),
    taps=(
        "In the draft: when a round begins, and what drafted cards ask to note. “Pass” "
        "counts picks, if you like.",
        "Before anything happens in the game: conspiracies, face up or sealed, by each player’s "
        "phone or passed around.",
        HIT,
        "“Vote”, “Goad”, “Crown” and “Agenda”, below the numbers.",
        LIFE,
        TURN,
        MISTAKE,
    ),
    chapters=(
        Chapter(
            "The draft",
            (
                f"It takes {CONSPIRACY_DRAFT.players_text} players. In odd rounds packs go left, "
                f"in even rounds right; {ROUNDS} rounds are usual.",
                "Some cards are drafted face up: they stay so, and can act in the draft. Others "
                "are revealed as they are drafted, and then join your pile face down.",
                "A card that you reveal or draft face up is not revealed for another card, unless "
                "you say so.",
                "What a card makes you note is public, in the draft and in the games after it.",
                "Nobody has a turn in the draft. If two want to act at once, they do so in a "
                "random order.",
                "Afterwards the players split into tables at random, with random seats, wherever "
                "they sat in the draft.",
            ),
        ),
        Chapter(
            "The deck",
            (
                f"It has {SMALLEST} cards at least, out of what you drafted and any number of "
                "basic lands.",
                "Conspiracies don’t count as cards of the deck and are never in it. Decks of other "
                "formats have none.",
            ),
        ),
        Chapter(
            "Conspiracies",
            (
                "As the game starts, put as many of yours as you like into the command zone. Later "
                "you can’t.",
                "With hidden agenda it lies face down: name a Magic card for it in secret as you "
                "put it there, but no token. Double agenda takes two names.",
                "Whenever you have priority you may turn it face up; nobody can respond. It works "
                "only from then on: what happened before triggers nothing.",
                "All may look at what lies face up, and know how many lie face down. At the end of "
                "the game all are turned face up. A new game has new names.",
                "Whoever leaves the game turns theirs face up at once.",
            ),
        ),
        Chapter(
            "The monarch",
            (
                "A game starts without one. Once there was a monarch, there is always exactly one.",
                "As the monarch’s end step begins, the monarch draws a card. Whoever was the "
                "monarch then draws it, even if the crown moves first.",
                "When a creature deals combat damage to the monarch, its controller becomes the "
                "monarch.",
                "If the monarch leaves the game, the player whose turn it is becomes it; if that "
                "was the monarch’s own turn, the next player does.",
            ),
        ),
        Chapter(
            "Votes",
            (
                "The player whose card it is votes first, then all others in turn order. All hear "
                "the votes before theirs; nobody may skip.",
                "Will of the council: what has the most votes happens, and the card says what a "
                "tie does.",
                "Council’s dilemma: each vote adds to what it was given for. The effects happen in "
                "the order in which the card states them.",
                "Nobody votes before the spell or ability resolves, and nobody does anything else "
                "before it has.",
                "Some cards give a player more votes, or let a player choose for another.",
            ),
        ),
        Chapter(
            "Goad",
            (
                "Until the next turn of the player who goaded it, a goaded creature attacks in "
                "each combat if it can, and somebody other than that player if it can.",
                "It need not attack if it is tapped, came this turn without haste, can’t attack, "
                "or if attacking costs something.",
                "It stays goaded when it has attacked, when it loses its abilities, and when "
                "somebody else takes control of it.",
                "Goaded by several players, it attacks somebody who did not goad it, if it can. If "
                "all your opponents goaded it, you choose whom it attacks.",
                "Where it can attack nobody else, it attacks a planeswalker, or the player who "
                "goaded it.",
            ),
        ),
        Chapter(
            "Melee",
            (
                "A creature with melee that attacks gets +1/+1 for each opponent whom you attacked "
                "with a creature in this combat. Planeswalkers don’t count, and each melee counts "
                "by itself.",
                "The bonus is counted as melee resolves. Opponents who left since count; creatures "
                "that entered the battlefield attacking don’t.",
                "In Two-Headed Giant both players of an attacked team count.",
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
    night=(
        f"{CONSPIRACY_DRAFT.players_text} people sit in a circle: {FULL} are best. More make "
        "several pods.",
        f"Everybody needs {ROUNDS} booster packs, one for each round: {FULL} players open "
        f"{FULL * ROUNDS}.",
        f"All open a pack, take one card and pass the rest: {DIRECTIONS}. Draft and pass together, "
        f"so that no packs pile up behind anybody. With {FULL} players the first pack that you "
        f"opened comes back for pick {FULL + 1}; a pack of {PACK} cards is {PACK} picks. The key "
        "“Pass” counts them, if you like, and shows how many cards a pack still has.",
        "A card that says so is drafted face up, and stays face up until its own text turns it "
        "down. Another is revealed as it is drafted, and then lies face down with the rest.",
        "What a card says to note is public in the draft and in the games after it: enter it with "
        "the card.",
        "A card that is revealed, or drafted face up, isn’t revealed for another face-up card "
        "unless its player says so.",
        "There is no turn here: if two want to act at the same time, they do so in a random order.",
        f"Then all build decks, usually of {SMALLEST} cards at least; conspiracies don’t count. "
        f"Games are free-for-all for {FEWEST} to {MOST}, each player starts at {CONSPIRACY.life} "
        "life, and seats are random.",
    ),
    bans=CONSPIRACY.format,
)
