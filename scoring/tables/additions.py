"""What formats add to the pages of their tables: a registry, so that pages know no format by name.

Formats register when the app is ready, in ``scoring/apps.py``. A format that is not registered
adds nothing, and nothing is looked up for it.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ..models import Game, GameSet
from ..models.record import Phones
from ..record import sideboards
from ..record.queries import CurrentGame
from ..rules.move import Move
from ..rules.moves import ChangeLife
from ..rules.sets import SetState
from ..rules.words import series

# What players do on their own phones where the table lets those act.
REPORTED = {Phones.PROPOSE: "propose", Phones.TRUSTED: "record"}


class Additions:
    """What a format adds to each page. The base adds nothing; override what the format needs."""

    # What the methods return goes to the format's own macros, in ``templates/tables/formats/``,
    # under the name in brackets. A format that ``has_answers`` has a page with them for each game.

    has_answers = False
    own_phone: tuple[str, ...] = ()  # what players do on their own phones, besides what all do
    reported = "their own life, poison and hits"  # there, where the table lets phones act

    def rows(self, current: CurrentGame) -> Mapping[int, Hashable]:
        """Return by seat what a player's row shows besides life and points (``player.added``)."""
        # The macros of a row get the player alone: what they need, the player must have.
        return {}

    def board(self, current: CurrentGame) -> Any:
        """Return what everyone who sees the board sees beside it (``added``). No query."""
        return None

    def for_scorekeeper(self, current: CurrentGame, cookies: Mapping[str, str]) -> Any:
        """Return what the scorekeeper sees besides (``keeper``). No query."""
        # ``cookies`` are the browser's: only they may hold what nobody else is to see.
        return None

    def for_seat(self, current: CurrentGame, seat: int, cookies: Mapping[str, str]) -> Any:
        """Return what a player's own phone shows besides (``mine``). No query."""
        return None

    def answers(self, current: CurrentGame) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """Return what players ask of the rules with the answers, below titles, what matters now
        first. No query."""
        return ()

    def check(self, move: Move, typed: Mapping[str, str], game: Game | None) -> None:
        """Ask about a move of the format, or refuse it, before it is recorded.

        :raises Refused: with the question or the reason; ``typed`` has what the form sent.
        """

    def sequel(self, game_set: GameSet, game: Game) -> Any:
        """Return what became of a finished set, whose last game is ``game`` (``sequel``): it has a
        ``stamp``, which changes with it."""
        return None

    def notes(self, game_set: GameSet) -> Any:
        """Return what the players of a table wrote down before its games (``notes``)."""
        return None


NOTHING = Additions()
_by_format: dict[str, Additions] = {}


def register(format: str, additions: Additions) -> None:
    _by_format[format] = additions


def sequel_of(game_set: GameSet, played: Sequence[Game], state: SetState) -> Any:
    return additions_of(game_set).sequel(game_set, played[-1]) if state.is_finished else None


def additions_of(game_set: GameSet) -> Additions:
    return _by_format.get(game_set.rules.format, NOTHING)


def on_own_phones(game_set: GameSet) -> str:
    """Return what players do on their own phones, "" where those only show things."""
    rules = game_set.rules
    hides = (sideboards.ON_OWN_PHONE,) if rules.has_sideboards else ()
    confirms = ("confirm their life total",) if ChangeLife in rules.moves else ()
    verb = REPORTED.get(Phones(game_set.phones))
    of_format = additions_of(game_set)
    reports = (f"{verb} {of_format.reported}",) if verb else ()
    done = [*of_format.own_phone, *hides, *reports, *confirms]
    return series(done) if done else ""
