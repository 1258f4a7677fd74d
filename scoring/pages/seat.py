"""The page of a seat, for the phone of whoever sits there: what concerns that player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from coalition_site.lib.pages import Page
from coalition_site.lib.qr import qr_code
from coalition_site.lib.refusals import Refused

from ..models import Game, GameSet, Seat
from ..models.record import NOBODY, SeatHero
from ..rules.moves import ChangeLife
from ..rules.sets import SetState
from ..rules.state import GameState
from ..rules.words import series
from . import additions, board, standings
from .board import CurrentGame, Row, Who, who
from .seats import BroughtDeck, Change


@dataclass(kw_only=True)
class SeatPart(board.GamePage):
    """What follows the table on a seat's page.

    ``own`` is the player's row, None for whoever sits this game out. ``turn`` says whose turn it
    is. ``mine`` is what the format adds for this player. ``podium`` are the standings of a set that
    is over. ``phase`` changes with what else the page shows. ``sequel`` is what became of the set
    after its end, and ``next_table`` the code of the table at which the player goes on.
    """

    template: ClassVar[str] = "scoring/_seat.html"
    code: str
    who: Who
    etag: str
    phase: str
    own: Row | None
    others: Sequence[Row]
    turn: str
    takes_life: bool
    mine: Any
    finished: bool
    podium: Sequence[standings.Place]
    sequel: additions.Sequel | None
    next_table: str
    is_piece: bool = True


@dataclass(kw_only=True)
class DeckToHide:
    """The deck to hide for the next ``game``.

    Only the browser that stored it gets the ``change``; others see that one is ``stored``.
    """

    game: int
    change: Change | None = None
    stored: bool = False
    hero: SeatHero = NOBODY
    text: str = ""
    out: str = ""
    into: str = ""

    def typed(self, data: Mapping[str, str]) -> None:
        """Take what somebody typed before it was refused."""
        self.text, self.out, self.into = (data.get(name, "") for name in ("text", "out", "into"))
        self.hero = SeatHero(data.get("hero", ""), data.get("type", ""))


@dataclass(kw_only=True)
class SeatPage(SeatPart):
    """A seat's whole page; there is no ``deck`` while there is none to hide.

    ``brought`` is the deck that the player brought to the table, ``notes`` are the format's. The
    player ``may_name`` a seat that nobody has named.
    """

    template: ClassVar[str] = "scoring/seat.html"
    deck: DeckToHide | None
    brought: BroughtDeck | None
    notes: Any
    may_name: bool
    is_piece: bool = False


@dataclass(kw_only=True)
class SeatCode:
    """The link of a player's seat; the site has no ``address`` of links that it gave out before."""

    who: Who
    has_link: bool
    address: str = ""

    @property
    def qr(self) -> str:
        return qr_code(self.address)


@dataclass(kw_only=True)
class HandOutPage(Page):
    """The links of all seats, each to be opened by the phone of whoever sits there."""

    template: ClassVar[str] = "scoring/seat_links.html"
    code: str
    seats: Sequence[SeatCode]
    deeds: str


def facts(
    game_set: GameSet,
    seat: Seat,
    game: Game | None,
    state: SetState,
    cookies: Mapping[str, str],
    refused: Refused | None,
    sequel: additions.Sequel | None,
) -> dict[str, Any]:
    """Return what a seat's page shows of the table. No query."""
    current = board.read(game_set, game) if game else None
    result = standings.result(game_set, state)
    shown = board.board(current, result=result) if current else None
    rows = {row.seat: row for row in shown.players} if shown else {}
    return {
        "board": shown,
        "problem": refused.message(game_set.names) if refused else "",
        "code": game_set.code,
        "who": who(game_set, seat.number),
        "own": rows.pop(seat.number, None),
        "others": list(rows.values()),
        "turn": _turn(current, seat.number) if current else "",
        "takes_life": ChangeLife in game_set.rules.moves,
        "mine": additions.of(game_set).for_seat(current, seat.number, cookies) if current else None,
        "podium": standings.podium(game_set, state) if result else [],
        "finished": game_set.finished_at is not None,
        "sequel": sequel,
        "next_table": sequel.table_of(game_set.names[seat.number]) if sequel else "",
    }


def deeds(game_set: GameSet) -> str:
    """Return what players do on their own phones, "" where those only show things."""
    rules = game_set.rules
    hides = ("hide the deck of their next game",) if rules.has_sideboards else ()
    confirms = ("confirm their life total",) if ChangeLife in rules.moves else ()
    done = [*additions.of(game_set).own_phone, *hides, *confirms]
    return series(done) if done else ""


def _turn(current: CurrentGame, seat: int) -> str:
    state = current.state
    if state.is_over or not state.ruleset.has_turns:
        return ""
    if len(state.side_of(seat)) > 1:
        is_own = state.active in state.side_of(seat)
        return "It’s your team’s turn" if is_own else "The other team’s turn"
    if state.active == seat:
        return "It’s your turn"
    return f"{current.game_set.names[state.active]}’s turn{_then(state, seat)}"


def _then(state: GameState, seat: int) -> str:
    return ", you are next" if state.next_after(state.active) == seat else ""
