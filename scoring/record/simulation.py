"""Invented play: random but lawful sets, recorded through the same commands as the pages'."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from ..models import Game, GameSet, Playgroup
from ..rules import moves
from ..rules.corrections import Amend, Entry, Strike, Undo
from ..rules.damage import DealDamage, Hit, Kind
from ..rules.errors import RuleError
from ..rules.move import Move
from ..rules.ruleset import Ruleset
from ..rules.state import GameState, Zone
from . import commands, queries
from .inventing import invent, likely, moves_with_a_page

PEOPLE = ("Ilse", "Tomasz", "Ngozi", "Ravi", "Pia", "Mei", "Oskar", "Yusuf", "Branwen", "Chloé")
EVENTS_MAX = 400  # in a game: who has not won by then agrees to a draw
TRIES_MAX = 2 * EVENTS_MAX  # what the rules refuse is no event


@dataclass
class Play:
    """One simulated table: its dice, its clock, which a tap moves on by some seconds, and the
    playgroup that it is of."""

    dice: Random
    clock: datetime
    mistakes: float = 0.06
    group: Playgroup | None = None

    def tick(self, seconds: int) -> datetime:
        self.clock += timedelta(seconds=self.dice.randint(seconds // 2, 2 * seconds))
        return self.clock


def play_set(play: Play, ruleset: Ruleset, names: Sequence[str]) -> GameSet:
    seed, at = play.dice.getrandbits(63), play.tick(60)
    game_set = commands.create_set(ruleset, names, seed=seed, at=at, playgroup=play.group)
    play_games(play, game_set)
    return game_set


def play_games(play: Play, game_set: GameSet) -> None:
    for number in range(1, game_set.rules.games + 1):
        state = queries.set_state(game_set, queries.games(game_set))
        if state.is_finished:
            break
        chooses = number > 1 and not game_set.rules.orders_by_standing
        leaves = number > 1 and len(state.able) > 2 and play.dice.random() < 0.03
        dropped = [play.dice.choice(state.able)] if leaves else []
        staying = [seat for seat in state.able if seat not in dropped]
        first = play.dice.choice(staying) if chooses else None
        commands.start_game(game_set, number, first=first, dropped=dropped, at=play.tick(300))
        play_game(play, game_set, number)


def play_game(play: Play, game_set: GameSet, number: int, *, until: int = EVENTS_MAX) -> Game:
    game = queries.find_game(game_set, number)
    assert game is not None
    game_set.named_game = game  # recording goes on from it, without reading the game each time
    tries = 0
    while not game.ended_at and game.length < until and tries < TRIES_MAX:
        game = _report(play, game_set, game, random_entry(play, game))
        tries += 1
    if until == EVENTS_MAX and not game.ended_at:
        game = _report(play, game_set, game, moves.Draw("time"))
    return game


def _report(play: Play, game_set: GameSet, game: Game, entry: Entry) -> Game:
    """Record an entry; what the rules refuse is answered as at a table: by doing something else."""
    tap_id = UUID(int=play.dice.getrandbits(128), version=4)
    try:
        return commands.record(game_set, game.number, entry, tap_id=tap_id, at=play.tick(45))
    except RuleError:
        return game


def random_entry(play: Play, game: Game) -> Entry:
    lines = game.recent_events.lines
    if not lines or play.dice.random() > play.mistakes:
        return random_move(play.dice, game.current_state)
    number, latest = play.dice.randint(1, game.length), lines[0]
    move = latest.move
    if isinstance(move, DealDamage):
        first = replace(move.hits[0], amount=play.dice.randint(1, 7))
        move = DealDamage((first, *move.hits[1:]))
    return play.dice.choice((Undo(latest.number), Strike(number), Amend(latest.number, move)))


def random_move(dice: Random, state: GameState) -> Move:
    suiting = likely(state)
    if suiting and dice.random() < 0.5:
        return dice.choice(suiting)
    own = moves_with_a_page(state)
    takes_hits = DealDamage in state.ruleset.moves
    if own and dice.random() < (0.15 if takes_hits else 0.8):
        return invent(dice, state, dice.choice(own))
    if not takes_hits:
        return dice.choice((moves.PassTurn(), moves.PassTurn(1)))
    active, others = state.active, state.opponents_of(state.active)
    somebody, other = dice.choice(state.in_game), dice.choice(others)
    roll = dice.random()
    if roll < 0.46:
        targets = dice.sample(others, dice.randint(1, min(2, len(others))))
        return DealDamage(tuple(_hit(dice, active, target, Kind.COMBAT) for target in targets))
    if roll < 0.62:
        return moves.PassTurn()
    if roll < 0.72:
        return DealDamage((_hit(dice, active, other, Kind.HERO),))
    if roll < 0.77:
        return DealDamage(tuple(_hit(dice, active, one, Kind.OTHER) for one in others))
    if roll < 0.85:
        return moves.ChangeLife({somebody: dice.choice((-2, -1, 1, 2, 3, 4))})
    if roll < 0.93:
        return moves.MoveHero(active, dice.choice(tuple(Zone)))
    seldom: tuple[tuple[Move, int], ...] = (
        (moves.CrownMonarch(somebody), 24),
        (moves.ChangePoison({other: dice.randint(1, 3)}), 16),
        (moves.SetLife(somebody, dice.randint(1, 25)), 4),
        (moves.ExchangeLife(active, other), 4),
        (moves.Hold(somebody, True, False), 2),
        (moves.Hold(somebody, False, True), 2),
        (moves.Hold(somebody, False, False), 8),
        (moves.Concede(other), 5),
        (moves.ConcedeTo(somebody), 3),
        (moves.Lose((other,), "decked"), 3),
        (moves.Win(somebody), 2),
        (moves.Draw(), 1),
    )
    return dice.choices([move for move, _ in seldom], [weight for _, weight in seldom])[0]


def _hit(dice: Random, source: int, target: int, kind: Kind) -> Hit:
    amount = dice.choice((1, 2, 2, 3, 3, 4, 5, 6, 8))
    infect = kind is Kind.COMBAT and dice.random() < 0.02
    return Hit(
        source=source,
        target=target,
        amount=amount,
        kind=kind,
        infect=infect,
        lifelink=dice.random() < 0.08,
    )
