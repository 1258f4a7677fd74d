"""Moves and what follows from them, in a player's words.

A sentence is a list of parts: a text, or a seat number where a player's name stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeGuard

from coalition_site.lib.bidi import isolated

from ..rules import effects as ev
from ..rules import moves as mv
from ..rules.effects import Ending
from ..rules.own import OwnEvent, OwnMove
from ..rules.words import Sentence, count, listed, signed

ENDINGS = {
    Ending.LAST_STANDING: "last one in the game",
    Ending.CONCEDED_TO: "all opponents conceded",
    Ending.ALL_LOST: "all players lost",
}


def plain(sentence: Sentence, names: Mapping[int, str]) -> str:
    """Return a sentence with the names in it, to be read by people.

    >>> plain([1, " hits ", 2], {1: "Ada", 2: "Bruno"})
    'Ada hits Bruno'
    """
    return "".join(isolated(names[part]) if isinstance(part, int) else part for part in sentence)


def told(entry: mv.Entry) -> Sentence:
    """Return what an entry of the log says."""
    match entry:
        case mv.DealDamage(hits):
            return _damage(hits)
        case mv.ChangeLife(changes):
            return _changes(changes, "gains", "loses", lambda by: f"{by} life")
        case mv.ChangePoison(changes):
            counters = "poison counter"
            return _changes(changes, "gets", "loses", lambda by: count(by, counters))
        case mv.Hold(seat, lose, win):
            return [seat, _HOLDS[lose, win]]
        case mv.PassTurn(None):
            return ["Next turn"]
        case mv.PassTurn(int(seat)):
            return ["Turn of ", seat]
        case mv.MoveHero(seat, mv.Zone.HAND):
            return [seat, " takes the hero to hand"]
        case mv.MoveHero(seat, to):
            return ["Hero of ", seat, f": {to.value}"]
        case mv.CrownMonarch(None):
            return ["Nobody is the monarch"]
        case mv.CrownMonarch(int(seat)):
            return [seat, " becomes the monarch"]
        case mv.Concede(seat):
            return [seat, " concedes"]
        case mv.ConcedeTo(seat):
            return ["All opponents concede to ", seat]
        case mv.Lose(players, reason):
            lose = " loses: " if len(players) == 1 else " lose: "
            return [*listed(players), f"{lose}{reason}"]
        case mv.Win(seat, reason):
            return [seat, f" wins: {reason}"]
        case mv.Draw(reason):
            return [f"Draw: {reason}"]
        case mv.Undo(number):
            return [f"Undo of {number}"]
        case mv.Strike(number):
            return [f"Strike of {number}"]
        case mv.Amend(number, replacement):
            return [f"Amends {number}: ", *told(replacement)]
        case OwnMove():
            return entry.told()
    raise TypeError(f"no entry of a log: {entry!r}")


_HOLDS = {
    (True, True): " can't lose and can't win",
    (True, False): " can't lose",
    (False, True): " can't win",
    (False, False): " can lose and win again",
}


def brief(entry: mv.Entry) -> Sentence:
    """Return what an entry says in the few words that fit on a button."""
    match entry:
        case mv.DealDamage((first, *others)):
            parts: Sentence = ["None" if first.source is None else first.source, " → "]
            parts += [first.target, f" {first.amount}"]
            return [*parts, f" and {len(others)} more"] if others else parts
        case _:
            return told(entry)


def _damage(hits: Iterable[mv.Hit]) -> Sentence:
    """Tell hits that differ in their target only as one."""
    parts: Sentence = []
    for (source, how), group in groupby(hits, lambda hit: (hit.source, _how(hit))):
        targets = listed([hit.target for hit in group])
        parts += ["; "] if parts else []
        if source is None:
            parts += [*targets, f": {how}"]
        else:
            parts += [source, " hits ", *targets, f" for {how}"]
    return parts


def _how(hit: mv.Hit) -> str:
    return f"{hit.amount}, {kind(hit)}"


def kind(hit: mv.Hit) -> str:
    """Return the kind of a hit's damage, with its signs.

    >>> kind(mv.Hit(source=1, target=2, amount=3, kind=mv.Kind.COMBAT, toxic=2))
    'combat, toxic 2'
    """
    signs = [hit.kind.value if hit.source is not None else "damage without a source"]
    signs += ["infect"] if hit.infect else []
    signs += ["lifelink"] if hit.lifelink else []
    signs += [f"toxic {hit.toxic}"] if hit.toxic else []
    return ", ".join(signs)


def _changes(
    changes: Mapping[int, int], gains: str, loses: str, what: Callable[[int], str]
) -> Sentence:
    parts: Sentence = []
    for by, group in groupby(changes, changes.__getitem__):
        parts += ["; "] if parts else []
        parts += [*listed(list(group)), f" {gains if by > 0 else loses} {what(abs(by))}"]
    return parts


def effects(events: Iterable[ev.Event], cap: int | None) -> list[Sentence]:
    """Return what followed from a move, each fact as a sentence; what says nothing is left out.

    The points that one player's hits scored are told together; ``cap`` is the ruleset's.
    """
    facts = list(events)
    scored = [fact for fact in facts if _is_hit(fact)]
    told = [sentence for fact in facts if not _is_hit(fact) and (sentence := _effect(fact, cap))]
    return [*_points(scored, cap), *told]


def _is_hit(event: ev.Event) -> TypeGuard[ev.PointsScored]:
    return isinstance(event, ev.PointsScored) and event.dealt > 0


def _points(scored: Sequence[ev.PointsScored], cap: int | None) -> list[Sentence]:
    told: list[Sentence] = []
    for seat in dict.fromkeys(fact.player for fact in scored):
        points = sum(fact.points for fact in scored if fact.player == seat)
        dealt = sum(fact.dealt for fact in scored if fact.player == seat)
        capped = f" of {dealt}, capped at {cap}" if points < dealt else ""
        told.append([seat, f" {signed(points)} VP{capped}"])
    return told


def _effect(event: ev.Event, cap: int | None) -> Sentence:
    match event:
        case ev.PointsScored(player=seat, reason=ev.Reason.CONCESSION, points=points):
            return [seat, f": {-points} VP of this game become 0"]
        case ev.PointsScored(player=seat, points=points):
            return [seat, f" {signed(points)} VP win bonus"]
        case ev.LifeChanged(player=seat, by=by):
            return [seat, f" {signed(by)} life"]
        case ev.PoisonChanged(player=seat, by=by):
            return [seat, f" {signed(by)} poison"]
        case ev.TurnBegan(player=seat):
            return [seat, " has the turn"]
        case ev.MonarchChanged(player=int(seat)):
            return [seat, " is the monarch"]
        case ev.PlayerLeft(player=seat, reason=reason):
            return [seat, _LEFT.get(reason, f" is out: {reason}")]
        case ev.GameWon(by=by, side=side):
            verb = "wins" if len(side) == 1 else "win"
            return [*listed(side), f" {verb}: {ended_by(by, cap)}"]
        case ev.GameDrawn(by=by):
            return [f"Draw: {ended_by(by, cap)}"]
        case ev.GameEnded(by=by):
            return [by]
        case OwnEvent():
            return event.told()
    return []


_LEFT = {
    ev.Leaving.CONCEDED: " leaves the game",
    ev.Leaving.LIFE: " is out",
    ev.Leaving.POISON: " is out by poison",
}


def ended_by(by: str, cap: int | None) -> str:
    """Return how a game ended, in a player's words.

    >>> ended_by("victory points", 21), ended_by("time", 21)
    ('21 VP', 'time')
    """
    return f"{cap} VP" if by == Ending.VICTORY_POINTS else ENDINGS.get(by, by)


def sentence_case(words: str) -> str:
    """Return words with a capital at their beginning, the rest as it was.

    >>> sentence_case("the VP")
    'The VP'
    """
    return words[:1].upper() + words[1:]
