"""How a set stands during its second and third game: points before, ranks, and what decides it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..models import Game, GameSet
from ..rules import deciding
from ..rules.deciding import Cause, Course, Decision, Verdict
from ..rules.state import GameState
from ..rules.words import Sentence, listed, plain


class SoFar(NamedTuple):
    """A set so far. ``before`` are the VP of the games before this one, by seat."""

    before: Mapping[int, int]
    ranks: Mapping[int, int]
    sentences: Sequence[str]


def so_far(game_set: GameSet, game: Game, state: GameState) -> SoFar | None:
    if game.before is None or state.ruleset.cap is None:
        return None
    before = dict(enumerate(game.before, 1))
    course = Course(game.number, before, state)
    return SoFar(
        before=before,
        ranks={seat: course.rank(seat) for seat in before},
        sentences=[f"{plain(sentence, game_set.names)}." for sentence in sentences(course)],
    )


def sentences(course: Course) -> Iterator[Sentence]:
    verdict = deciding.verdict(course)
    if verdict is None:
        totals = sorted(course.totals.values(), reverse=True)
        leaders = [seat for seat in course.before if course.rank(seat) == 1]
        if len(leaders) == len(totals):
            yield ["The set is tied"]
        elif len(leaders) > 1:
            yield [*listed(leaders), " share the lead in the set"]
        else:
            yield [*leaders, f" leads the set by {totals[0] - totals[1]} VP"]
    else:
        yield [*_result(verdict), *([] if verdict.unless_conceding else [", whatever happens"])]
    decisions = deciding.deciding(course)
    decided = {(one.cause, one.player): one.verdict for one in decisions}
    # Two are left, and whoever of them wins is first in the set. Where life breaks ties, it matters
    # how the game is won.
    if not course.rules.life_breaks_ties and all(
        decided.get((cause, seat)) == Verdict(course.game.opponents_of(seat))
        for cause in (Cause.LOSES, Cause.CONCEDES)
        for seat in course.game.in_game
    ):
        yield from _needs(course, ())
        yield ["Whoever wins the game takes the set"]
        return
    yield from _needs(course, [one for one in decisions if one.cause is Cause.SCORES])
    yield from _ifs([one for one in decisions if one.cause is not Cause.SCORES])


def _result(verdict: Verdict) -> Sentence:
    if verdict.unless_conceding:
        return [*verdict.first, " can lose the set only by conceding"]
    verb = "takes" if len(verdict.first) == 1 else "share"
    return [*listed(verdict.first), f" {verb} the set"]


def _needs(course: Course, decisions: Iterable[Decision]) -> Iterator[Sentence]:
    points, seats = deciding.needed(course.game)
    decided = {(one.player, one.points): one.verdict for one in decisions}
    for seat in seats if 0 < points <= deciding.NEAR else ():
        verdict = decided.get((seat, points))
        then: Sentence = [] if verdict is None else [": then ", *_result(verdict)]
        if verdict == Verdict((seat,)):
            then = [" and the set"]
        yield [seat, f" needs {points} VP to win the game", *then]
    for (seat, more), verdict in decided.items():
        if more < points or seat not in seats:
            yield [f"With {more} more VP, ", *_result(verdict)]


def _ifs(decisions: Iterable[Decision]) -> Iterator[Sentence]:
    events: dict[tuple[Verdict, int], list[str]] = {}
    for one in decisions:
        events.setdefault((one.verdict, one.player), []).append(one.cause.value)
    players: dict[tuple[Verdict, str], list[int]] = {}
    for (verdict, player), causes in events.items():
        players.setdefault((verdict, " or ".join(causes)), []).append(player)
    for (verdict, how), seats in players.items():
        yield ["If ", *listed(seats, " or "), f" {how} now, ", *_result(verdict)]
