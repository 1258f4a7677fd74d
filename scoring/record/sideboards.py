"""What players change between games: swaps that are noted, and decks that are sealed.

A sealed deck is stored encrypted, and shown to nobody but the browser that sealed it until the set
is finished. Its hash with a random salt proves later that it was not changed.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from secrets import token_hex
from typing import Any

from django.utils import timezone

from coalition_site.lib import encryption
from coalition_site.lib.refusals import Refused
from decks.catalogue import memory
from decks.decks import legality
from decks.reading import lists
from decks.rules import building
from decks.rules.building import Build
from decks.rules.deck import Code, Report
from decks.rules.entries import DeckList, Entry
from decks.rules.names import name_key
from decks.rules.rulesets import RULESETS

from ..models import GameSet, Seat, Sideboarding
from ..models.record import SeatHero
from . import queries
from .recording import locked

PURPOSE = "scoring.sideboard.box"
BLOCK = 4096  # bytes; longer than the list of any real deck
SIZES = {Code.MAIN_SIZE, Code.SIDEBOARD_SIZE}
OF_HERO = {Code.NO_HERO, Code.HERO_COPIES}
ON_OWN_PHONE = "seal their deck for the next game"  # what players do there


@dataclass(frozen=True, slots=True)
class SealedDeck:
    hero: SeatHero
    text: str
    salt: str = field(default_factory=partial(token_hex, 16))

    def content(self, seat: Seat, game: int) -> str:
        return json.dumps([seat.pk, game, self.salt, *self.hero, self.text], ensure_ascii=False)


def next_game(game_set: GameSet) -> int | None:
    """Return the number of the game that can still be sideboarded for. One query."""
    played = queries.games(game_set)
    state = queries.set_state(game_set, played)
    return None if state.is_playing or state.is_finished else len(played) + 1


def store_sealed(
    game_set: GameSet, seat: Seat, game: int, hero: SeatHero, text: str, owner_hash: str
) -> None:
    """:raises Refused: if that game has begun, or is not the next one."""
    deck = SealedDeck(hero, text)
    report(game_set, deck)  # refuses what is not a deck list
    content = deck.content(seat, game)
    _store(
        game_set,
        seat,
        game,
        box=encryption.encrypt(content, PURPOSE, BLOCK),
        digest=_hash(content),
        owner_hash=owner_hash,
        swap=None,
    )


def note_swap(game_set: GameSet, seat: Seat, game: int, out: str, into: str) -> None:
    """Note which cards a seat swaps before a game; no cards take the note back.

    :raises Refused: if that game has begun, or is not the next one, or if the deck would not have
        the right size afterwards.
    """
    cards = _read(out), _read(into)
    if not any(cards):
        Sideboarding.objects.filter(seat=seat, game=game).exclude(swap=None).delete()
        return
    gone, came = ([[entry.count, entry.name] for entry in entries] for entries in cards)
    if seat.deck:
        ruleset = RULESETS[game_set.rules.key]
        before, after = (
            legality.judge(legality.read(text, ruleset), ruleset, ()).problems
            for text in (seat.deck.text, _swapped(seat.deck.text, *cards))
        )
        new = OF_HERO - {problem.code for problem in before}
        for problem in after:
            if problem.code in SIZES | new:
                raise Refused(f"After this swap: {problem.message}")
    else:
        outs, ins = (sum(entry.count for entry in entries) for entries in cards)
        if outs != ins:
            raise Refused(f"{outs} cards go out and {ins} come in: both must be the same number.")
    swap = {"out": gone, "into": came}
    _store(game_set, seat, game, swap=swap, box=None, digest=None, owner_hash=None)


def _store(game_set: GameSet, seat: Seat, game: int, **fields: Any) -> None:
    with locked(game_set):
        if next_game(game_set) != game:
            raise Refused(f"Game {game} can’t be sideboarded for now: that is done between games.")
        is_sealed = Sideboarding.objects.filter(seat=seat, game=game).exclude(box=None).exists()
        if fields["swap"] and is_sealed:
            raise Refused(f"{seat.name} sealed a deck for game {game} meanwhile: it stays.")
        Sideboarding.objects.update_or_create(
            seat=seat, game=game, defaults={**fields, "at": timezone.now()}
        )


def _listed(text: str) -> DeckList:
    find = memory.find_cards
    return lists.with_known_names(lists.read(text, find=find), find)


def _read(text: str) -> Sequence[Entry]:
    if not text.strip():
        return ()
    deck_list = _listed(text)
    if deck_list.bad_lines:
        raise Refused(deck_list.bad_lines[0].problem)
    return deck_list.entries


def swapped(text: str, out: str, into: str) -> str:
    """:raises Refused: if a card is not where it goes from."""
    cards = _read(out), _read(into)
    return _swapped(text, *cards) if any(cards) else text


def _swapped(text: str, out: Sequence[Entry], into: Sequence[Entry]) -> str:
    entries = _listed(text).entries
    names = {entry.name for entry in (*entries, *out, *into)}
    cards = memory.find_cards(names)
    keys = {name: cards[name].name if name in cards else name_key(name) for name in names}
    after = building.swapped(entries, out, into, keys.__getitem__)
    return building.written(Build(tuple(after)))


def report(game_set: GameSet, deck: SealedDeck, on: date | None = None) -> Report:
    """:raises Unreadable: if its text is no deck list."""
    ruleset = RULESETS[game_set.rules.key]
    bans = legality.read_bans(ruleset, on or timezone.localdate(), game_set.house)
    resolved = legality.read(deck.text, ruleset)
    hero, coalition_type = deck.hero
    return legality.judge(
        resolved, ruleset, bans, hero=hero or None, coalition_type=coalition_type or None
    )


def of_set(game_set: GameSet) -> list[Sideboarding]:
    rows = Sideboarding.objects.filter(seat__game_set=game_set)
    return list(rows.select_related("seat").order_by("game", "seat__number"))


def unseal(row: Sideboarding) -> SealedDeck | None:
    """Return the deck that was sealed; None if the box and its seal don't fit."""
    content = encryption.decrypt(row.box or "", PURPOSE) or ""
    if _hash(content) != row.digest:
        return None
    _, _, salt, hero, coalition_type, text = json.loads(content)
    return SealedDeck(SeatHero(hero, coalition_type), text, salt)


def _hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
