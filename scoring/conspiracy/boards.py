"""What games of Conspiracy add to a board: the vote, goads, the command zone and its seals."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models import GameSet
from ..pages.additions import Additions
from ..pages.board import CurrentGame, Who, parts, who
from ..rules.formats.conspiracy import PutConspiracy
from ..rules.formats.conspiracy.state import ConspiracyGame, ConspiracyPlayer, Goaded, facts_of, of
from ..rules.move import Move
from . import drafts, sealing, votes
from .cards import VOTES
from .drafts import DraftNotes
from .naming import Texts, check_face_up


@dataclass(frozen=True, slots=True)
class BallotShown:
    """One player's vote; ``chosen_by`` is None where the player chose."""

    who: Who
    option: str
    times: int
    chosen_by: Who | None


@dataclass(frozen=True, slots=True)
class VoteShown:
    """A vote, and ``tally``: the votes of each option so far. ``voter`` is whose turn it is; None
    once it is over, and then ``verdict`` is set. ``waiting`` vote after that, in turn order.
    ``chooser`` has chosen for somebody else in this turn, and so chooses for ``voter``.
    """

    card: str
    kind: str
    options: Sequence[str]
    tally: Sequence[tuple[str, int]]
    ballots: list[BallotShown]
    voter: Who | None
    waiting: list[Who]
    chooser: Who | None
    votes_again: bool
    is_finished: bool
    verdict: str


@dataclass(frozen=True, slots=True)
class GoadedCreature:
    """A goaded creature: what it must do, and until when."""

    name: str
    controller: Who
    duty: list[Who | str]
    until: list[Who | str]


@dataclass(frozen=True, slots=True)
class AgendaShown:
    """A conspiracy that was put face down; ``number`` is its place among its player's, from 1.

    ``card`` and ``names`` are empty while it is face down. ``salt`` belongs to what ``is_proved``.
    """

    who: Who
    number: int
    tag: str
    seal: str
    salt: str
    card: str
    names: Sequence[str]
    is_face_down: bool
    is_proved: bool


@dataclass(frozen=True, slots=True)
class CommandZone:
    """A player's conspiracies."""

    who: Who
    face_up: Sequence[str]
    agendas: list[AgendaShown]


@dataclass(frozen=True, slots=True)
class FaceUp:
    """A conspiracy that everybody sees, and the cards that it names."""

    card: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConspiracyRow:
    """How many conspiracies of a player are face down, and those that are face up."""

    face_down: int
    face_up: tuple[FaceUp, ...]

    @property
    def shown(self) -> int:
        """How many conspiracies everybody sees."""
        return len(self.face_up)


@dataclass(frozen=True, slots=True)
class Owing:
    """A player who has to reveal so many conspiracies."""

    who: Who
    number: int


@dataclass(frozen=True, slots=True)
class ConspiracyBoard:
    """Once the game ``has_begun`` the command zone is closed. Its decks may be ``drafted``.

    ``owing`` have to reveal what is still face down.
    """

    vote: VoteShown | None
    goaded: list[GoadedCreature]
    has_begun: bool
    command_zones: list[CommandZone]
    owing: list[Owing]
    texts: Texts
    drafted: bool
    vote_cards: Collection[str] = tuple(VOTES)

    @property
    def has_agendas(self) -> bool:
        return any(zone.agendas for zone in self.command_zones)


@dataclass(frozen=True, slots=True)
class OwnZone:
    """What concerns one player, on that player's phone.

    The player ``calls`` votes in the own turn. ``goaded`` creatures are the player's own.
    ``agendas`` are the player's; this browser can open those whose tags are in ``opens``.
    ``must_open`` counts those that it has to open now, and ``must_tell`` are those that it can't.
    """

    votes: bool
    calls: bool
    goaded: list[GoadedCreature]
    face_up: Sequence[str]
    agendas: list[AgendaShown]
    opens: frozenset[str]
    must_open: int
    must_tell: list[AgendaShown]


@dataclass(frozen=True, slots=True)
class SealAids:
    """What can be done about seals from this browser, which opens only those that it made.

    ``own`` may be turned up at any time. ``must_open`` counts those it made that have to be opened
    now, since their player is out or the game is over; ``must_tell`` are those of other browsers.
    """

    own: list[AgendaShown]
    must_open: int
    must_tell: list[AgendaShown]


class ConspiracyAdditions(Additions):
    """A game of Conspiracy on pages."""

    own_phone = ("vote", "seal and reveal their conspiracies")

    def rows(self, current: CurrentGame) -> dict[int, ConspiracyRow]:
        game = of(current.state)
        return {
            seat: ConspiracyRow(
                face_down=len(facts_of(game, seat).face_down),
                face_up=_face_up(facts_of(game, seat)),
            )
            for seat in game.players
        }

    def board(self, current: CurrentGame) -> ConspiracyBoard:
        game_set, game = current.game_set, of(current.state)
        return ConspiracyBoard(
            vote=_vote(game_set, game),
            goaded=[_goaded(game_set, creature) for creature in game.goaded],
            has_begun=game.has_begun,
            command_zones=(zones := _command_zones(game_set, game)),
            owing=[
                Owing(who(game_set, seat), len(facts_of(game, seat).face_down))
                for seat in game.owing
            ],
            texts=Texts(_named(zones)),
            drafted=game_set.draft_id is not None,
        )

    def for_seat(self, current: CurrentGame, seat: int, cookies: Mapping[str, str]) -> Any:
        game_set, game = current.game_set, of(current.state)
        if seat not in game.players:
            return None
        opens, agendas = sealing.tags(cookies, game_set), _agendas(game_set, game, seat)
        owes = seat in game.telling
        return OwnZone(
            votes=game.votes_next == seat,
            calls=votes.closed(game, seat) is None,
            goaded=[
                _goaded(game_set, creature)
                for creature in game.goaded
                if creature.controller == seat
            ],
            face_up=facts_of(game, seat).face_up,
            agendas=agendas,
            opens=opens,
            must_open=sum(owes and not one.is_proved and one.tag in opens for one in agendas),
            must_tell=[
                one for one in agendas if owes and one.is_face_down and one.tag not in opens
            ],
        )

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> SealAids:
        game_set, game = current.game_set, of(current.state)
        tags = sealing.tags(cookies, game_set)
        agendas = [agenda for zone in _command_zones(game_set, game) for agenda in zone.agendas]
        made_here = [agenda for agenda in agendas if agenda.tag in tags]
        return SealAids(
            own=[
                agenda
                for agenda in made_here
                if agenda.who.seat in game.in_game and agenda.is_face_down
            ],
            must_open=sum(
                agenda.who.seat in game.telling and not agenda.is_proved for agenda in made_here
            ),
            must_tell=[
                agenda
                for agenda in agendas
                if agenda.who.seat in game.owing and agenda.is_face_down and agenda.tag not in tags
            ],
        )

    def check(self, move: Move, typed: Mapping[str, str]) -> None:
        if isinstance(move, PutConspiracy):
            check_face_up(move.card)

    def notes(self, game_set: GameSet) -> DraftNotes | None:
        return drafts.notes(game_set)


def _vote(game_set: GameSet, game: ConspiracyGame) -> VoteShown | None:
    vote, voter = game.vote, game.votes_next
    if vote is None:
        return None
    return VoteShown(
        card=vote.card,
        kind=vote.kind,
        options=vote.options,
        tally=game.tally,
        ballots=[
            BallotShown(
                who(game_set, ballot.player),
                ballot.option,
                ballot.times,
                who(game_set, ballot.chosen_by) if ballot.chosen_by else None,
            )
            for ballot in game.ballots
        ],
        voter=who(game_set, voter) if voter else None,
        waiting=[who(game_set, seat) for seat in game.voters[1:]],
        chooser=who(game_set, game.chooser) if game.chooser else None,
        votes_again=game.votes_again,
        is_finished=vote.finished,
        verdict=game.verdict,
    )


def _goaded(game_set: GameSet, creature: Goaded) -> GoadedCreature:
    return GoadedCreature(
        name=creature.creature,
        controller=who(game_set, creature.controller),
        duty=parts(game_set, creature.duty),
        until=parts(game_set, creature.until),
    )


def _command_zones(game_set: GameSet, game: ConspiracyGame) -> list[CommandZone]:
    """Return the command zones in which there is anything, by seat."""
    zones = [
        CommandZone(
            who(game_set, seat), facts_of(game, seat).face_up, _agendas(game_set, game, seat)
        )
        for seat in sorted(game.players)
    ]
    return [zone for zone in zones if zone.face_up or zone.agendas]


def _face_up(player: ConspiracyPlayer) -> tuple[FaceUp, ...]:
    """Return a player's conspiracies that everybody sees, with what they name."""
    turned_up = (FaceUp(one.card, one.names) for one in player.agendas if not one.is_face_down)
    return (*(FaceUp(card) for card in player.face_up), *turned_up)


def _named(zones: list[CommandZone]) -> list[str]:
    """Return the conspiracies that everybody sees."""
    turned_up = [agenda.card for zone in zones for agenda in zone.agendas if agenda.card]
    return [*turned_up, *(card for zone in zones for card in zone.face_up)]


def _agendas(game_set: GameSet, game: ConspiracyGame, seat: int) -> list[AgendaShown]:
    return [
        AgendaShown(
            who=who(game_set, seat),
            number=number,
            tag=agenda.tag,
            seal=agenda.seal,
            salt=agenda.salt,
            card=agenda.card,
            names=agenda.names,
            is_face_down=agenda.is_face_down,
            is_proved=agenda.is_proved,
        )
        for number, agenda in enumerate(facts_of(game, seat).agendas, 1)
    ]
