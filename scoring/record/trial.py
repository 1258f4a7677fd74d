"""A table to try: four invented people in the middle of a game."""

from datetime import timedelta
from uuid import NAMESPACE_OID, uuid5

from django.db import transaction
from django.utils import timezone

from ..models import EventRow, Game, GameRegister, GameSet, LedgerRow
from ..models.triggers.deleting import DAYS
from ..rules.damage import DealDamage, Hit, Kind
from ..rules.formats.coalition import COALITION_906
from ..rules.move import Move
from ..rules.moves import ChangeLife, CrownMonarch, PassTurn
from . import commands
from .simulation import PEOPLE

LASTS = timedelta(days=1)  # then a browser gets another
A_WHILE = timedelta(minutes=2)


def _combat(source: int, target: int, amount: int) -> DealDamage:
    return DealDamage((Hit(source=source, target=target, amount=amount, kind=Kind.COMBAT),))


SO_FAR: tuple[Move, ...] = (
    _combat(1, 3, 4),
    PassTurn(),
    CrownMonarch(2),
    _combat(2, 4, 3),
    PassTurn(),
    _combat(3, 2, 6),
    PassTurn(),
    ChangeLife({4: 4}),
    PassTurn(),
    _combat(1, 4, 5),
)


def create_trial(key: str) -> GameSet:
    now = timezone.now()
    at = now - A_WHILE * len(SO_FAR)
    game_set = commands.create_set(
        COALITION_906, PEOPLE[:4], key=key, at=at, trial_until=now + LASTS
    )
    commands.start_game(game_set, 1, first=1, at=at)
    for number, move in enumerate(SO_FAR, 1):
        tap_id = uuid5(NAMESPACE_OID, f"{key} {number}")  # sent twice at once, it counts once
        commands.record(game_set, 1, move, tap_id=tap_id, at=at + A_WHILE * number)
    return game_set


@transaction.atomic
def remove_old_trials() -> int:
    """Delete the tables to try that were made a week ago, and return how many they were."""
    old = GameSet.objects.filter(trial_until__lt=timezone.now() - timedelta(days=DAYS))
    ledger = LedgerRow.objects.filter(event__game_set__in=old)
    ledger.exclude(reverses=None).delete()
    ledger.delete()
    EventRow.objects.filter(game_set__in=old).delete()
    GameRegister.objects.filter(game_set__in=old).delete()
    Game.objects.filter(game_set__in=old).delete()
    _, deleted = old.delete()
    return deleted.get("scoring.GameSet", 0)
