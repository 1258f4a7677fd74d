"""Damage: the hits of one event, their aim, what they do, and who is crowned by them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import groupby
from operator import attrgetter
from typing import ClassVar

from . import fields
from .corrections import Entry
from .effects import MonarchChanged, PointsScored, Reason, TurnBegan
from .engine import Story, change_counts, check_state, require_in_game
from .errors import RuleError
from .move import Move
from .state import GameState
from .words import Sentence, listed

ALIKE = attrgetter("source", "amount", "label")  # what one part of a sentence says once
TARGET = attrgetter("target")
AMOUNT_MAX = 9_999
TOXIC_MAX = 99


class Kind(StrEnum):
    """What dealt the damage: creatures in combat, a hero otherwise, or anything else."""

    COMBAT = "combat"
    HERO = "hero"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(fields.Record):
    """``source`` is None only for other damage; ``toxic`` is for combat only, 0 for none."""

    source: int | None = fields.seat_or_nobody("From", "None")
    target: int = fields.seat("To")
    amount: int = fields.number("Damage", 1, AMOUNT_MAX)
    kind: Kind = fields.choice("Kind", Kind)
    infect: bool = fields.flag("Infect")
    lifelink: bool = fields.flag("Lifelink")
    toxic: int = fields.number("Toxic", 1, TOXIC_MAX, 0)

    def contradiction(self) -> tuple[str, str] | None:
        if self.source is None and self.kind is not Kind.OTHER:
            return "source", "can be nobody only for other damage"
        if self.toxic and self.kind is not Kind.COMBAT:
            return "toxic", "goes with combat damage only"
        return None

    @property
    def label(self) -> str:
        """
        >>> Hit(source=1, target=2, amount=3, kind=Kind.COMBAT, toxic=2).label
        'combat, toxic 2'
        """
        text = self.kind.value if self.source is not None else "damage without a source"
        text += ", infect" if self.infect else ""
        text += ", lifelink" if self.lifelink else ""
        return text + (f", toxic {self.toxic}" if self.toxic else "")


class DealDamage(Move):
    type: ClassVar[str] = "damage"

    hits: tuple[Hit, ...] = fields.records("Hits", Hit)

    def hinges(self, active: str) -> tuple[str, ...]:
        # The marker goes to whoever attacks, which the page of the active player's hit didn't say.
        return ("turn",) if str(_attacker(self.hits)) == active else ()

    def decide(self, story: Story) -> None:
        ruleset = story.state.ruleset
        life, poison = _counts(self.hits)
        attacker = _attacker(self.hits)
        # All of them first: hits of one event are dealt at the same time.
        for hit in self.hits:
            seats = [hit.target] if hit.source is None else [hit.source, hit.target]
            require_in_game(story.before, *seats)
        for hit in self.hits:
            if hit.source is not None and ruleset.scores(hit):
                # Overkill counts: it does not matter how much life the target had left.
                points = ruleset.points(hit.amount, story.state.players[hit.source].points)
                story.add(PointsScored(hit.source, Reason(hit.kind.value), hit.amount, points))
        change_counts(story, life, poison)
        if attacker is not None and attacker != story.state.active:
            story.add(TurnBegan(attacker))
        if ruleset.after_damage:
            ruleset.after_damage(story, self.hits)
        check_state(story)
        # Whoever was crowned by these very hits was not hit as the monarch (003).
        monarch, state = story.before.monarch, story.state
        if monarch is None or state.is_over or monarch not in state.in_game:
            return
        heir = monarch
        for hit in self.hits:
            # Of several sources the last listed, as in the set log's fine print.
            if hit.kind is Kind.COMBAT and hit.target == monarch and hit.source in state.in_game:
                heir = hit.source
        if heir != monarch:
            story.add(MonarchChanged(heir))

    def sentence(self) -> Sentence:
        parts: Sentence = []
        for (source, amount, label), alike in groupby(self.hits, ALIKE):
            targets = listed(list(map(TARGET, alike)))
            parts += ["; "] if parts else []
            if source is None:
                parts += [*targets, f": {amount}, {label}"]
            else:
                parts += [source, " hits ", *targets, f" for {amount}, {label}"]
        return parts

    def brief(self) -> Sentence:
        first, *others = self.hits
        parts: Sentence = ["None" if first.source is None else first.source, " → "]
        parts += [first.target, f" {first.amount}"]
        return [*parts, f" and {len(others)} more"] if others else parts


def _counts(hits: Iterable[Hit]) -> tuple[dict[int, int], dict[int, int]]:
    life: defaultdict[int, int] = defaultdict(int)
    poison: defaultdict[int, int] = defaultdict(int)
    for hit in hits:
        if hit.infect:
            poison[hit.target] += hit.amount
        else:
            life[hit.target] -= hit.amount
        if hit.toxic:  # in addition to the damage, unlike infect
            poison[hit.target] += hit.toxic
        if hit.lifelink and hit.source is not None:
            life[hit.source] += hit.amount
    return life, poison


def _attacker(hits: Sequence[Hit]) -> int | None:
    # Only the active player attacks: the last combat hit listed decides who that is.
    for hit in reversed(hits):
        if hit.kind is Kind.COMBAT:
            return hit.source
    return None


class NoTarget(RuleError):
    text = "To whom?"


class Targets(Enum):
    EACH = "each"  # opponent
    LAST = "last"  # whom the source hit last


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """One amount of damage from one player, 1 to 9999, to seats or to ``Targets``."""

    source: int | None
    targets: tuple[int, ...] | Targets
    amount: int
    kind: Kind
    infect: bool = False
    lifelink: bool = False
    toxic: int = 0

    def at(self, state: GameState, last: Mapping[int, int]) -> DealDamage:
        """:raises NoTarget: if nobody was named, and the source hit nobody who is in the game."""
        if isinstance(self.targets, tuple):
            targets = self.targets
        elif self.targets is Targets.EACH:
            targets = state.in_game if self.source is None else state.opponents_of(self.source)
        else:
            target = None if self.source is None else last.get(self.source)
            targets = (target,) if target is not None and target in state.in_game else ()
        if not targets:
            raise NoTarget()
        return DealDamage(tuple(map(self._hit, targets)))

    def _hit(self, target: int) -> Hit:
        return Hit(
            source=self.source,
            target=target,
            amount=self.amount,
            kind=self.kind,
            infect=self.infect,
            lifelink=self.lifelink,
            toxic=self.toxic,
        )

    def hinges(self, active: str) -> tuple[str, ...]:
        """Return the facts of ``GameState.seen`` that decide whom it means."""
        return ("in",) if self.targets is Targets.EACH else ()

    def may_have_become(self, entry: Entry) -> bool:
        """Return whether this tap, sent before, may have been recorded as ``entry``."""
        if not isinstance(entry, DealDamage):
            return False
        # The game may have moved on since: "each" and "last" may mean others now.
        targets = tuple(hit.target for hit in entry.hits)
        named = self.targets if isinstance(self.targets, tuple) else targets
        return targets == named and entry.hits == tuple(map(self._hit, targets))
