"""The cards of hidden agendas: completed while they are typed, and checked before they are sealed.

Without imported cards everything can be sealed. Refusals never repeat the secret.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import cast

from django.utils.functional import SimpleLazyObject
from django.views.decorators.debug import sensitive_variables

from coalition_site.lib.refusals import Refused
from decks.catalogue import memory
from decks.catalogue.known import KnownCard
from decks.models import CardFace
from decks.queries import has_cards
from decks.rules.names import name_key

from ..rules.formats.conspiracy.state import DILEMMA, WILL

_AGENDA = re.compile(r"^(Hidden|Double) agenda\b", re.MULTILINE)
_TAKES = {"Hidden": 1, "Double": 2}


def agendas() -> dict[str, int]:
    """Return how many cards each conspiracy with hidden or double agenda names. One query."""
    faces = CardFace.objects.filter(card__is_conspiracy=True).order_by("card__name")
    matches = (
        (name, _AGENDA.search(text))
        for name, text in faces.values_list("card__name", "oracle_text")
    )
    return {name: _TAKES[match[1]] for name, match in matches if match}


@sensitive_variables()
def checked(card: str, names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """:raises Refused: if a conspiracy has no hidden agenda, names no cards, or too few or too
    many."""
    if not has_cards():
        return card, names
    takes = {name_key(name): (name, number) for name, number in agendas().items()}
    known = memory.CATALOGUE.now().find([card, *names])
    if name_key(card) not in takes:
        raise Refused(
            "Conspiracy: this card has neither hidden nor double agenda, so it goes face up."
            if card in known
            else "Conspiracy: no card has this name. Choose it from the list."
        )
    printed, number = takes[name_key(card)]
    if len(names) != number:
        raise Refused(
            "This conspiracy has double agenda: it names two cards."
            if number == 2
            else "This conspiracy has hidden agenda: it names one card. Leave the second name "
            "empty."
        )
    for what, name in zip(("Named card", "Second named card"), names, strict=False):
        if name not in known:
            raise Refused(f"{what}: no card has this name. Choose it from the list.")
    cards = tuple(known[name].name for name in names)
    if len(set(cards)) < number:
        raise Refused("Double agenda names two different cards.")
    return printed, cards


def check_known(card: str, asked: str) -> KnownCard | None:
    """Return the card of a name; None without imported cards, and where it was ``asked`` about.

    :raises Refused: with a question, if no card has it.
    """
    known = memory.CATALOGUE.now().find([card]).get(card)
    if known is None and name_key(card) != name_key(asked) and has_cards():
        raise Refused(f"No card is called {card}. If it is right all the same, enter it again.")
    return known


def check_face_up(card: str, asked: str) -> None:
    """:raises Refused: if a card is no conspiracy, or if it names cards in secret; with a question,
    if there is no such card."""
    known = check_known(card, asked)
    if known is None:
        return
    if not known.is_conspiracy:
        raise Refused(f"{known.name} isn’t a conspiracy: it stays out of the command zone.")
    if agenda := _AGENDA.search(texts_of(known.name)[known.name]):
        named = "two cards" if agenda[1] == "Double" else "a card"
        raise Refused(
            f"{known.name} has {agenda[0].lower()}: it goes face down and names {named} in secret. "
            "Seal it under “Face down”."
        )


_VOTE = re.compile(r"(?i)each player votes for ([^.\n]+)\.")
_SECRET = re.compile(r"(?i)each player secretly votes")
_WILL = re.compile(r"(?i)will of the council|(more|most) votes")
_NO_NAME = re.compile(r"^(an?|another|up to|each|any)\b")  # players, cards: what is on the table


def vote_of(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the kind and the options of a card's vote, none where voters name them; None without
    a vote.

    >>> vote_of("Will of the council — Starting with you, each player votes for time or knowledge.")
    ('will of the council', ('time', 'knowledge'))
    >>> vote_of("Each turn, each player votes for a player.")
    ("council's dilemma", ())
    """
    vote = _VOTE.search(text)
    if vote is None:
        return None
    kind = WILL if _WILL.search(text) else DILEMMA
    return kind, () if _NO_NAME.match(vote[1]) else tuple(re.split(r",? or |, ", vote[1]))


def find_vote(card: str) -> tuple[str, str, tuple[str, ...]]:
    """:raises Refused: if there is no such card, or if its vote is none that is called openly."""
    known = memory.CATALOGUE.now().find([card]).get(card)
    if known is None:
        raise Refused("No card has this name: choose it from the list, or call another vote.")
    text = texts_of(known.name)[known.name]
    if vote := vote_of(text):
        return known.name, *vote
    why = "calls no vote: choose another card, or call another vote."
    if _SECRET.search(text):
        why = (
            "has a secret vote: all write down theirs and show them. Then call another vote to "
            "enter them."
        )
    raise Refused(f"{known.name} {why}")


def texts_of(*names: str) -> Mapping[str, str]:
    """Read when the first of them is shown. One query."""

    def read() -> dict[str, str]:
        faces = CardFace.objects.filter(card__name__in=names).order_by("card", "position")
        texts: defaultdict[str, str] = defaultdict(str)
        for name, text in faces.values_list("card__name", "oracle_text"):
            texts[name] = f"{texts[name]}\n{text}" if name in texts else text
        return texts

    return cast(Mapping[str, str], SimpleLazyObject(read))
