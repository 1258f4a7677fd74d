"""How a set with VP stands while one of its games goes on, and what would decide it.

A set is decided once those in first place stay first however it continues: whatever happens in the
games that are left, whoever concedes or leaves between them, and also if the set is called. Only
corrections are left out of account.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property
from math import inf
from typing import NamedTuple

from . import engine
from .damage import AMOUNT_MAX, DealDamage, Hit, Kind
from .errors import RuleError
from .move import Move
from .moves import Concede, Lose
from .ranks import ranked
from .ruleset import Ruleset
from .state import GameState
from .values import Value

NEAR = 10  # VP, which one key of the pad can score

Mark = tuple[float, float]  # what players are ranked by: points, then what breaks a tie


class Course(Value):
    """A set up to its game ``number``; ``before`` are the points of all seats before that game."""

    number: int
    before: Mapping[int, int]
    game: GameState

    @property
    def rules(self) -> Ruleset:
        return self.game.ruleset

    @property
    def cap(self) -> int:
        assert self.rules.cap is not None
        return self.rules.cap

    @cached_property
    def games_left(self) -> int:
        able = [seat for seat, player in self.game.players.items() if not player.barred]
        return 0 if len(able) < 2 else self.rules.games - self.number

    @cached_property
    def totals(self) -> Mapping[int, int]:
        players = self.game.players
        points = {
            seat: before + players[seat].points if seat in players else before
            for seat, before in self.before.items()
        }
        void = self.game.barred if self.rules.conceding_voids_set else ()
        return points | dict.fromkeys(void, 0)

    @cached_property
    def ranges(self) -> "Mapping[int, Range]":
        rules, ranges = self.rules, {}
        most_of_game = self.cap + rules.bonus(self.cap)
        for seat in self.before:
            least = conceding = most = self.totals[seat]
            is_playing, may_return = self.is_playing(seat), self.may_return(seat)
            if is_playing:
                most = self.before[seat] + most_of_game
                conceding = self.before[seat]
            if may_return:
                most += self.games_left * most_of_game
            if rules.conceding_voids_set and (is_playing or may_return):
                conceding = 0
            low, high = self.ties(seat)
            ranges[seat] = Range((least, low), (conceding, low), (most, high))
        return ranges

    def rank(self, seat: int) -> int:
        return ranked(self.totals)[seat]

    def is_playing(self, seat: int) -> bool:
        player = self.game.players.get(seat)
        return player is not None and player.out is None and not self.game.is_over

    def may_return(self, seat: int) -> bool:
        player = self.game.players.get(seat)
        return player is not None and not player.barred and self.games_left > 0

    def ties(self, seat: int) -> tuple[float, float]:
        """Return the least and the most that can break a player's tie, as in ``sets.standings``."""
        if not self.rules.life_breaks_ties:
            return 0, 0
        if self.games_left:
            return -inf, inf
        if self.number < self.rules.games:  # the set ends early, and life is not looked at
            return 0, 0
        player = self.game.players.get(seat)
        if player is None:
            return -inf, -inf
        if self.is_playing(seat):
            return -inf, inf
        life = player.life if player.out is None else 0
        return life, life


class Verdict(Value):
    """``first`` are first in the end; if ``unless_conceding``, as long as they don't concede."""

    first: tuple[int, ...]
    unless_conceding: bool = False


class Cause(Enum):
    LOSES = "loses"
    CONCEDES = "concedes"
    SCORES = "scores"


class Decision(Value):
    """What would decide the set: that ``player`` alone loses or concedes, or scores ``points``."""

    cause: Cause
    player: int
    verdict: Verdict
    points: int = 0


def verdict(course: Course) -> Verdict | None:
    """Return who will be first in the set, None while that is open."""
    most = {seat: each.most for seat, each in course.ranges.items()}
    if first := _first({seat: each.conceding for seat, each in course.ranges.items()}, most):
        return Verdict(first)
    first = _first({seat: each.least for seat, each in course.ranges.items()}, most)
    return Verdict(first, unless_conceding=True) if len(first) == 1 else None


def _first(least: Mapping[int, Mark], most: Mapping[int, Mark]) -> tuple[int, ...]:
    """Return who is first whatever each gets between ``least`` and ``most``; nobody if open."""
    top = max(least.values())
    first = tuple(seat for seat, mark in least.items() if mark == top)
    are_settled = len(first) == 1 or all(most[seat] == top for seat in first)
    others = (mark for seat, mark in most.items() if seat not in first)
    return first if are_settled and all(mark < top for mark in others) else ()


class Range(NamedTuple):
    """The least and the most that a player can be ranked by in the end, without and with conceding
    from now on."""

    least: Mark
    conceding: Mark
    most: Mark


def deciding(course: Course) -> tuple[Decision, ...]:
    """The moves are played. Silence does not mean that nothing can decide the set: hits are tried
    for whoever is closest to winning the game, and for the leader."""
    game = course.game
    if game.is_over or verdict(course):
        return ()
    decisions: list[Decision | None] = []
    for seat in game.in_game:
        if lost := _verdict_after(course, Lose((seat,))):
            # However large the hit: the largest gives all points of a game, and leaves less life
            # than being out counts.
            amount = min(max(game.players[seat].life, course.cap) + 1, AMOUNT_MAX)
            hits = [_hit(source, seat, amount) for source in game.opponents_of(seat)]
            if agreed := _agreed([lost, *(_verdict_after(course, hit) for hit in hits)]):
                decisions.append(Decision(Cause.LOSES, seat, agreed))
        if decided := _verdict_after(course, Concede(seat)):
            decisions.append(Decision(Cause.CONCEDES, seat, decided))
    points, seats = needed(game)
    decisions += [_scores(course, seat, points) for seat in seats]
    leader = max(course.totals, key=course.totals.__getitem__)
    if course.is_playing(leader):
        reach = (int(each.most[0]) for seat, each in course.ranges.items() if seat != leader)
        decisions.append(_scores(course, leader, max(reach) + 1 - course.totals[leader]))
    return tuple(dict.fromkeys(filter(None, decisions)))


def needed(game: GameState) -> tuple[int, tuple[int, ...]]:
    cap = game.ruleset.cap
    if cap is None or game.is_over:
        return 0, ()
    missing = {
        seat: cap - game.players[seat].points
        for seat in game.in_game
        if not game.players[seat].cannot_win
    }
    least = min(missing.values(), default=0)
    return least, tuple(seat for seat in missing if missing[seat] == least)


def _scores(course: Course, seat: int, points: int) -> Decision | None:
    """Return what it decides that a player scores so many points, whoever is hit and survives."""
    game = course.game
    player = game.players[seat]
    if not 0 < points <= min(NEAR, course.cap - player.points):
        return None
    wins = player.points + points == course.cap and not player.cannot_win
    targets = [
        target for target in game.opponents_of(seat) if wins or game.players[target].life > points
    ]
    if not course.rules.life_breaks_ties:  # then it doesn't matter who is hit
        targets = targets[:1]
    decided = [_verdict_after(course, _hit(seat, target, points)) for target in targets]
    agreed = _agreed(decided) if decided else None
    return Decision(Cause.SCORES, seat, agreed, points) if agreed else None


def _hit(source: int, target: int, amount: int) -> Move:
    return DealDamage((Hit(source=source, target=target, amount=amount, kind=Kind.COMBAT),))


def _verdict_after(course: Course, move: Move) -> Verdict | None:
    """Return who will be first after a move; None while open, and if the rules refuse the move."""
    try:
        return verdict(replace(course, game=engine.story_of(course.game, move).state))
    except RuleError:
        return None


def _agreed(verdicts: Sequence[Verdict | None]) -> Verdict | None:
    """Return what all verdicts have in common, None if they differ in who is first."""
    known = [verdict for verdict in verdicts if verdict]
    if len(known) < len(verdicts) or len({verdict.first for verdict in known}) > 1:
        return None
    return Verdict(known[0].first, any(verdict.unless_conceding for verdict in known))
