"""What Conspiracy keeps of a game: the council's vote, goads, attacks, and the command zone."""

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar, NamedTuple
from zlib import crc32

from ...sets import clockwise
from ...state import GameState, PlayerState
from ...words import Sentence, count, listed, series


class Vote(NamedTuple):
    """A vote that ``caller`` called; ``card`` may be empty. Once all voted, it is ``finished``.
    Voters may add to ``options`` where these are ``named``."""

    caller: int
    kind: str
    options: tuple[str, ...]
    card: str
    finished: bool = False
    named: bool = False


class Ballot(NamedTuple):
    """``chosen_by`` is somebody else who chooses, or None. With ``more`` the player votes again,
    maybe for something else."""

    player: int
    option: str
    times: int
    chosen_by: int | None
    more: bool = False


class Goad(NamedTuple):
    """A creature that ``by`` goaded; it is known by its name and who controls it."""

    by: int
    creature: str
    controller: int


WILL, DILEMMA = "will of the council", "council's dilemma"

TAG = 12  # digits of a seal by which people tell it from others


class Agenda(NamedTuple):
    """``card`` and ``names`` are empty while it is face down; ``salt``, which opens the seal, also
    if the names were only disclosed."""

    seal: str
    salt: str = ""
    card: str = ""
    names: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        return self.seal[:TAG]

    @property
    def is_face_down(self) -> bool:
        return not self.card

    @property
    def is_proved(self) -> bool:
        return bool(self.salt)


class Goaded(NamedTuple):
    """A creature under the goads of ``by``, and the ``opponents`` that it can attack."""

    creature: str
    controller: int
    by: tuple[int, ...]
    opponents: tuple[int, ...]

    @property
    def duty(self) -> Sentence:
        spared = [seat for seat in self.opponents if seat in self.by]
        duty: Sentence = [self.controller, f"’s {self.creature} attacks each combat if able"]
        if not spared:
            return duty
        if len(spared) == len(self.opponents):
            return [*duty, ", whom its player chooses: every opponent goaded it"]
        others = ["one of them"] if len(spared) > 1 else spared
        return [
            *(*duty, ", and not ", *listed(spared, " or "), " if able; "),
            *("where nobody else can be attacked: a planeswalker, or ", *others),
        ]

    @property
    def brief(self) -> Sentence:
        goaded: Sentence = [
            *(self.controller, f"’s {self.creature}, goaded by ", *listed(self.by)),
            ": attacks each combat if able",
        ]
        if set(self.opponents) <= set(self.by):
            return [*goaded, ", whom its player chooses"]
        return [*goaded, ", and somebody else if able"]

    @property
    def until(self) -> Sentence:
        parts: Sentence = ["Until the next turn of ", self.by[0]]
        for seat in self.by[1:]:
            parts += [" and of ", seat]
        return parts + ([", each goad by itself"] if len(self.by) > 1 else [])


class ConspiracyPlayer(PlayerState):
    """``face_up`` are conspiracies without a secret; ``agendas`` those put there face down."""

    stored: ClassVar[tuple[str, ...]] = (*PlayerState.stored, "face_up", "agendas")

    face_up: tuple[str, ...] = ()
    agendas: tuple[Agenda, ...] = field(default=(), metadata={"of": Agenda})

    @property
    def conspiracies(self) -> int:
        return len(self.face_up) + len(self.agendas)

    @property
    def face_down(self) -> tuple[Agenda, ...]:
        return tuple(agenda for agenda in self.agendas if agenda.is_face_down)

    @property
    def public(self) -> tuple[Agenda, ...]:
        """The conspiracies that everybody sees; those that were put face up have no seal."""
        turned_up = (agenda for agenda in self.agendas if not agenda.is_face_down)
        return (*(Agenda(seal="", card=card) for card in self.face_up), *turned_up)

    def changes(self, was: PlayerState) -> list[str]:
        assert isinstance(was, ConspiracyPlayer)
        counts = (
            ("face up", len(was.face_up), len(self.face_up)),
            ("face down", len(was.face_down), len(self.face_down)),
        )
        return [f"conspiracies {where}: {old} → {new}" for where, old, new in counts if old != new]


class ConspiracyGame(GameState):
    """``council`` is the present or last vote, ``attacked`` whom the active player attacked in this
    combat. ``chose`` has chosen somebody else's vote in this turn. Once the game ``has_begun``, the
    command zone is closed."""

    stored: ClassVar[tuple[str, ...]] = (
        *("has_begun", "council", "ballots", "goads", "attacked", "chose"),
    )

    has_begun: bool = False
    council: tuple[Vote, ...] = field(default=(), metadata={"of": Vote})
    ballots: tuple[Ballot, ...] = field(default=(), metadata={"of": Ballot})
    goads: tuple[Goad, ...] = field(default=(), metadata={"of": Goad})
    attacked: tuple[int, ...] = ()
    chose: int | None = None

    @property
    def vote(self) -> Vote | None:
        """The present vote, or the last vote of this turn."""
        return self.council[0] if self.council else None

    @property
    def seen(self) -> str:
        """Also which vote it is, the present or the last of this turn, and how many have voted."""
        if self.vote is None:
            return self.turns
        return f"{self.turns} vote:{crc32(repr(self.vote).encode()):x}-{len(self.ballots)}"

    @property
    def votes_next(self) -> int | None:
        return next(iter(self.voters), None)

    @property
    def voters(self) -> tuple[int, ...]:
        """Who has yet to vote, in turn order from the caller."""
        if self.vote is None or self.vote.finished or self.is_over:
            return ()
        voted = {ballot.player for ballot in self.ballots if not ballot.more}
        order = clockwise(tuple(self.players), self.vote.caller)
        return tuple(seat for seat in order if self.players[seat].out is None and seat not in voted)

    @property
    def chooser(self) -> int | None:
        """Who chooses for the next voter, by Illusion of Choice, in all votes of its turn."""
        is_there = self.chose in self.in_game and self.chose != self.votes_next
        return self.chose if is_there and self.votes_next is not None else None

    @property
    def votes_again(self) -> bool:
        return self.votes_next in [ballot.player for ballot in self.ballots]

    @property
    def tally(self) -> tuple[tuple[str, int], ...]:
        options = self.vote.options if self.vote else ()
        return tuple(
            (option, sum(ballot.times for ballot in self.ballots if ballot.option == option))
            for option in options
        )

    @property
    def verdict(self) -> str:
        """The result of the vote in words; empty without a vote, and until everybody has voted."""
        if self.vote is None or self.votes_next is not None:
            return ""
        if self.vote.finished:
            return result(self.vote.kind, self.tally)
        return f"Not finished: {_counted(self.tally)}"

    @property
    def melee(self) -> int:
        return len(self.attacked)

    @property
    def goaded(self) -> tuple[Goaded, ...]:
        by: dict[tuple[str, int], list[int]] = {}
        for goad in self.goads:
            by.setdefault((goad.creature, goad.controller), []).append(goad.by)
        return tuple(
            Goaded(creature, controller, tuple(seats), self.opponents_of(controller))
            for (creature, controller), seats in by.items()
        )

    @property
    def sealed(self) -> dict[str, int]:
        """The seats by their seals, opened or not."""
        return {one.seal: seat for seat in self.players for one in facts_of(self, seat).agendas}

    @property
    def unproved(self) -> dict[str, int]:
        """The seats by the seals that are not opened, even if the names were disclosed."""
        proved = {
            one.seal for seat in self.players for one in facts_of(self, seat).agendas if one.salt
        }
        return {seal: seat for seal, seat in self.sealed.items() if seal not in proved}

    @property
    def telling(self) -> tuple[int, ...]:
        """Whoever may keep no secret any more: players who left, and everybody after the end."""
        return tuple(
            seat for seat, player in self.players.items() if self.is_over or player.out is not None
        )

    @property
    def owing(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.telling if facts_of(self, seat).face_down)

    def changes(self, was: GameState) -> list[str]:
        assert isinstance(was, ConspiracyGame)
        counts = (
            ("goad", "goads", len(was.goads), len(self.goads)),
            ("opponent attacked", "opponents attacked", was.melee, self.melee),
            ("ballot", "ballots", len(was.ballots), len(self.ballots)),
        )
        return [f"{count(old, one, many)} → {new}" for one, many, old, new in counts if old != new]


facts_of, game_of = ConspiracyPlayer.of, ConspiracyGame.of


def result(kind: str, tally: Sequence[tuple[str, int]]) -> str:
    """
    >>> result(WILL, [("grace", 3), ("guilt", 1)])
    'Will of the council: grace (grace 3, guilt 1)'
    >>> result(WILL, [("grace", 2), ("guilt", 2)])
    'Will of the council: a tie of grace and guilt, 2 votes each'
    >>> result(DILEMMA, [("feather", 2), ("quill", 0)])
    "Council's dilemma, in this order: feather 2, quill 0"
    """
    counted = _counted(tally)
    if kind == DILEMMA:
        return f"Council's dilemma, in this order: {counted}"
    most = max(votes for _, votes in tally)
    first = [option for option, votes in tally if votes == most]
    if len(first) == 1:
        return f"Will of the council: {first[0]} ({counted})"
    return f"Will of the council: a tie of {series(first)}, {count(most, 'vote')} each"


def standing(tally: Sequence[tuple[str, int]]) -> str:
    """
    >>> standing([("grace", 1), ("guilt", 0)])
    '(so far grace 1, guilt 0)'
    >>> standing([("grace", 0), ("guilt", 0)]), standing([])
    ('for grace or guilt', 'for anything')
    """
    if not any(votes for _, votes in tally):
        return f"for {series([option for option, _ in tally] or ['anything'], ' or ')}"
    return f"(so far {_counted(tally)})"


def _counted(tally: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{option} {votes}" for option, votes in tally) or "nobody voted"
