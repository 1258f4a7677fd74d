"""The command zone: conspiracies face up, and face down under a seal.

The seal of a conspiracy with hidden agenda is the SHA-256 of "seal 2", its player's seat, a salt,
the conspiracy and what it names, one per line. It is in the log from the start and reveals
nothing; turning the conspiracy up shows that nothing was changed since. Seals of the first release
had neither version nor seat, and are read as well.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import ClassVar

from ... import errors, fields
from ...effects import Effect, PlayerChanged
from ...engine import Story, require_in_game
from ...errors import RuleError
from ...move import Move
from ...state import GameState, with_player
from ...words import Sentence, count, series
from .state import TAG, Agenda, ConspiracyGame, facts_of, game_of

SALT_LENGTH = 32  # hexadecimal digits
SEAL_LENGTH = 64
CONSPIRACIES_MAX = 30  # of one player, face up and face down together
_SEAL = re.compile(rf"[0-9a-f]{{{SEAL_LENGTH}}}")
_SALT = re.compile(rf"[0-9a-f]{{{SALT_LENGTH}}}")


class GameHasBegun(RuleError):
    text = "The game has begun: conspiracies go into the command zone before anything else."


class TooManyConspiracies(RuleError):
    text = "{player} would have {number} conspiracies: {most} is the most."


class GameHadBegun(RuleError):
    """Whoever has seen how a game begins would know better what to name."""

    text = (
        "Once a game has begun, nothing more can be sealed in it, even if its start was undone. "
        "Write the name on paper, and say it when you turn the card face up."
    )


class SealStays(RuleError):
    """A secret that could be exchanged would be worth nothing."""

    text = (
        "Once the game has begun, a seal can't be changed or taken back, even if the start was "
        "undone."
    )


class NotASeal(RuleError):
    text = "That is not a seal: a seal has 64 digits, 0 to 9 and a to f."


class SealIsUsed(RuleError):
    """Whoever copied a seal could turn up what another player named."""

    text = "This seal already exists: seal the conspiracy again."


class NoSuchSeal(RuleError):
    text = "{player} has no conspiracy with this seal face down."


class SealDoesNotFit(RuleError):
    text = "This is not what {player} sealed: the seal does not fit."


class StillSecret(RuleError):
    text = "{player} may keep this secret until the game is over for {player}."
    advice = "To turn it up now, open its seal."
    hindsight = "Strike that event first."


class TurnedUp(Effect):
    player: int
    agenda: Agenda

    def applied(self, state: GameState) -> GameState:
        agendas = tuple(
            self.agenda if agenda.seal == self.agenda.seal else agenda
            for agenda in facts_of(state, self.player).agendas
        )
        return with_player(state, self.player, agendas=agendas)

    def sentence(self) -> Sentence:
        opened = "fits" if self.agenda.is_proved else "was not opened"
        return [f"The seal {self.agenda.tag} {opened}"]

    def instruction(self) -> Sentence:
        proof = "as sealed" if self.agenda.is_proved else "by word, not proved"
        named = f"{self.agenda.card} face up, which names {series(self.agenda.names)}"
        return [self.player, f" turns {named}: {proof}"]


class PutConspiracy(Move):
    type: ClassVar[str] = "conspiracy"
    title: ClassVar[str] = "Whose conspiracy is face up?"

    player: int = fields.seat("Whose")
    card: str = fields.text("Conspiracy")

    def decide(self, story: Story) -> None:
        _require_start(story.state, self.player)
        face_up = (*facts_of(story.state, self.player).face_up, self.card)
        story.add(PlayerChanged(self.player, {"face_up": face_up}))

    def sentence(self) -> Sentence:
        return [self.player, f"’s conspiracy: {self.card}"]


class PutAgenda(Move):
    """A conspiracy with hidden or double agenda, face down; the seal holds what it names."""

    type: ClassVar[str] = "agenda"
    title: ClassVar[str] = "Whose sealed conspiracy is face down?"

    player: int = fields.seat("Whose")
    seal: str = fields.text("Seal", longest=SEAL_LENGTH)

    def decide(self, story: Story) -> None:
        _require_start(story.state, self.player)
        if not _SEAL.fullmatch(self.seal):
            raise NotASeal()
        if self.seal in game_of(story.state).sealed:
            raise SealIsUsed()
        agendas = (*facts_of(story.state, self.player).agendas, Agenda(self.seal))
        story.add(PlayerChanged(self.player, {"agendas": agendas}))

    def sentence(self) -> Sentence:
        return [self.player, f"’s conspiracy, face down, sealed {self.seal[:TAG]}"]


class TurnUp(Move):
    """The seal proves that the names are those of the start. It can be opened even after its names
    were disclosed: the proof counts."""

    type: ClassVar[str] = "turn_up"
    title: ClassVar[str] = "Which conspiracy is turned face up?"
    after_end: ClassVar[bool] = True

    player: int = fields.seat("Whose")
    seal: str = fields.text("Seal", longest=SEAL_LENGTH)
    salt: str = fields.text("Salt", longest=SALT_LENGTH)
    card: str = fields.text("Conspiracy")
    names: tuple[str, ...] = fields.texts("Named cards, one per line", fewest=1, most=2)

    def decide(self, story: Story) -> None:
        _unproved(story.state, self.player, self.seal)
        fitting = (
            seal(self.player, self.salt, self.card, self.names),
            first_seal(self.salt, self.card, self.names),
        )
        if not _SALT.fullmatch(self.salt) or self.seal not in fitting:
            raise SealDoesNotFit(player=self.player)
        opened = Agenda(self.seal, self.salt, self.card, self.names)
        story.add(TurnedUp(self.player, opened))

    def sentence(self) -> Sentence:
        return [self.player, f" turns {self.card} face up, which names {series(self.names)}"]


class Disclose(Move):
    """The sealed names are disclosed without proof, since the browser that sealed them is lost."""

    type: ClassVar[str] = "disclose"
    title: ClassVar[str] = "What was sealed, by the player's word?"
    after_end: ClassVar[bool] = True

    player: int = fields.seat("Whose")
    seal: str = fields.text("Seal", longest=SEAL_LENGTH)
    card: str = fields.text("Conspiracy")
    names: tuple[str, ...] = fields.texts("Named cards, one per line", fewest=1, most=2)

    def decide(self, story: Story) -> None:
        if not _unproved(story.state, self.player, self.seal).is_face_down:
            raise NoSuchSeal(player=self.player)
        if self.player not in game_of(story.state).owing:
            raise StillSecret(player=self.player)
        story.add(TurnedUp(self.player, Agenda(self.seal, "", self.card, self.names)))

    def sentence(self) -> Sentence:
        named = f" says: {self.card}, which names {series(self.names)}"
        return [self.player, f"{named}. By word, not proved"]


def due(state: ConspiracyGame) -> list[Sentence]:
    owed = {seat: len(facts_of(state, seat).face_down) for seat in state.owing}
    return [
        [seat, f" has to reveal {count(number, 'conspiracy', 'conspiracies')}"]
        for seat, number in owed.items()
    ]


def seal(player: int, salt: str, card: str, names: Iterable[str]) -> str:
    """
    >>> seal(1, "0" * 32, "Hymn of the Wilds", ["Forest"])[:8]
    'f57dd3b6'
    """
    return _hash("seal 2", str(player), salt, card, *names)


def first_seal(salt: str, card: str, names: Iterable[str]) -> str:
    """As the first release made it.

    >>> first_seal("0" * 32, "Hymn of the Wilds", ["Forest"])[:8]
    'f92395d4'
    """
    return _hash(salt, card, *names)


def _hash(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def sealed(player: int, salt: str, card: str, names: tuple[str, ...]) -> TurnUp:
    return TurnUp(player, seal(player, salt, card, names), salt, card, names)


def _require_start(state: GameState, seat: int) -> None:
    if game_of(state).has_begun:
        raise GameHasBegun()
    require_in_game(state, seat)


def _unproved(state: GameState, seat: int, sealed: str) -> Agenda:
    if seat not in state.players:
        raise errors.NotDealtIn(player=seat)
    for agenda in facts_of(state, seat).agendas:
        if agenda.seal == sealed and not agenda.is_proved:
            return agenda
    raise NoSuchSeal(player=seat)
