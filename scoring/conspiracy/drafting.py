"""The cards that act in a draft: how each is taken, what it notes, when it is turned face down."""

import re
from collections.abc import Mapping
from typing import Literal

from coalition_site.lib.refusals import Refused
from decks.rules.names import name_key

from ..rules.formats.conspiracy_draft import NUMBER_MAX, DraftFaceUp, Reveal, TakeNote
from ..rules.move import Move
from ..rules.values import Value
from .naming import check_known, texts_of

How = Literal["face_up", "reveal", "later"]

Asks = Literal["number", "name", "types", "guess", "player", "colours"]

FACE_UP: How = "face_up"
REVEAL: How = "reveal"
LATER: How = "later"

TAKEN: Mapping[How, str] = {
    FACE_UP: "Drafted face up",
    REVEAL: "Revealed as it is drafted",
    LATER: "Drafted like any other card",
}


class Acting(Value):
    """``down`` tells when it is turned face down, if ever. What it ``notes`` it ``asks`` for by a
    field: at once as it is revealed, unless it ``waits`` for a card drafted later. Where it
    ``names_own``, that is a card that its player drafted. ``after`` is for the end of the draft."""

    name: str
    how: How
    notes: str = ""
    down: str = ""
    asks: Asks = "name"
    waits: bool = False
    names_own: bool = False
    goes_into_pack: bool = False
    after: str = ""

    @property
    def is_face_up(self) -> bool:
        return self.how == FACE_UP

    @property
    def notes_at_once(self) -> bool:
        return bool(self.notes) and self.how == REVEAL and not self.waits

    @property
    def notes_later(self) -> bool:
        return bool(self.notes) and not self.notes_at_once

    @property
    def stays(self) -> bool:
        return self.down == _STAYS

    @property
    def is_turned_with_note(self) -> bool:
        return self.down == _WITH_NOTE

    @property
    def counts_picks(self) -> bool:
        return self.notes == _COUNT

    @property
    def taken(self) -> str:
        return TAKEN[self.how]


GIVE_A_NUMBER = f"Give a number from 1 to {NUMBER_MAX}."
_COUNT = "how many cards you have drafted in this round, with this one (Number)"
_COLOURS = (
    "three colours (Name): the player to your right chooses one, you another, the player to your "
    "left a third"
)
_STAYS = "Never; it stays face up."
_WITH_NOTE = "With its note."
_EXILES = "the cards that you put aside with it, before you shuffle (Name)"

_ALL = (
    Acting(
        "Aether Searcher",
        REVEAL,
        "the next card that you draft, as you reveal it (Name)",
        waits=True,
        names_own=True,
    ),
    Acting("Agent of Acquisitions", FACE_UP, down="Once its player took a whole booster pack."),
    Acting("Animus of Predation", FACE_UP, "each card that you remove face up (Name)", _STAYS),
    Acting("Arcane Savant", LATER, _EXILES),
    Acting("Archdemon of Paliano", FACE_UP, down="After three cards drafted at random."),
    Acting("Caller of the Untamed", LATER, _EXILES),
    Acting("Canal Dredger", FACE_UP, down=_STAYS),
    Acting(
        "Cogwork Grinder", FACE_UP, "how many cards you remove face down (Number)", _STAYS, "number"
    ),
    Acting(
        "Cogwork Librarian",
        FACE_UP,
        down="Never; for a second card from a pack it goes into that pack.",
        goes_into_pack=True,
    ),
    Acting("Cogwork Spy", REVEAL),
    Acting("Cogwork Tracker", REVEAL, "the player who passed it to you (Name)", asks="player"),
    Acting("Custodi Peacekeeper", REVEAL, _COUNT, asks="number"),
    Acting(
        "Deal Broker",
        FACE_UP,
        down=_STAYS,
        after="Right after the draft its player may show a card of the pool, and take one that "
        "another player offers for it.",
    ),
    Acting("Garbage Fire", REVEAL, _COUNT, asks="number"),
    Acting("Illusionary Informant", FACE_UP, down="To look at the next card that a player drafts."),
    Acting("Leovold's Operative", FACE_UP, down="After a second card from the same pack."),
    Acting("Lore Seeker", REVEAL),
    Acting("Lurking Automaton", REVEAL, _COUNT, asks="number"),
    Acting(
        "Noble Banneret",
        FACE_UP,
        "a creature card as you draft and reveal it (Name)",
        _WITH_NOTE,
        names_own=True,
    ),
    Acting(
        "Paliano Vanguard",
        FACE_UP,
        "the types of a creature card as you draft and reveal it (Name)",
        _WITH_NOTE,
        "types",
    ),
    Acting("Paliano, the High City", REVEAL, _COLOURS, asks="colours"),
    Acting("Pyretic Hunter", REVEAL, _COUNT, asks="number"),
    Acting("Regicide", REVEAL, _COLOURS, asks="colours"),
    Acting(
        "Smuggler Captain",
        FACE_UP,
        "a card as you draft and reveal it (Name)",
        _WITH_NOTE,
        names_own=True,
    ),
    Acting(
        "Spire Phantasm",
        REVEAL,
        "your guess at the next card taken from this pack, and whether it is right (Name)",
        asks="guess",
        waits=True,
    ),
    Acting("Volatile Chimera", LATER, _EXILES),
    Acting("Whispergear Sneak", FACE_UP, down="To look at a pack that nobody looks at."),
)

ACTING: Mapping[str, Acting] = {card.name: card for card in _ALL}
_BY_KEY = {name_key(card.name): card for card in _ALL}


def find_acting(card: str) -> Acting | None:
    """
    >>> find_acting("regicide").asks
    'colours'
    """
    return _BY_KEY.get(name_key(card))


def check_taken(move: Move, asked: str) -> None:
    """:raises Refused: with a question, unless it was ``asked``, if no card has the name, or if a
    card is entered face up though its text doesn't say so."""
    if not isinstance(move, DraftFaceUp | Reveal | TakeNote):
        return
    acting = find_acting(move.card)
    known = check_known(move.card, asked) if acting is None else None
    if not isinstance(move, DraftFaceUp) or name_key(move.card) == name_key(asked):
        return
    if acting is None and (known is None or _SAYS_SO.search(texts_of(known.name)[known.name])):
        return
    how = acting.how if acting else LATER
    if how != FACE_UP:
        raise Refused(
            f"{move.card} isn’t drafted face up. {_INSTEAD[how]} If it is face up all the same, "
            "choose Face up again."
        )


def check_noted(move: Move) -> None:
    """:raises Refused: if a card is revealed without what it notes at once."""
    if not isinstance(move, Reveal):
        return
    acting = find_acting(move.card)
    if acting is None or not acting.notes_at_once:
        return
    if acting.asks == "number" and not move.number:
        raise Refused(GIVE_A_NUMBER)
    if acting.asks != "number" and not move.name:
        raise Refused(f"{acting.name} notes {acting.notes}.")


_SAYS_SO = re.compile(r"^Draft .* face up", re.MULTILINE)
_INSTEAD: Mapping[How, str] = {
    REVEAL: "It is revealed as it is drafted: choose Reveal.",
    LATER: "It joins the other cards face down: nothing is entered.",
}
