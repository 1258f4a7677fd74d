"""The public pages of a set: its board, its final standings, and the big view for a tablet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe
from django_htmx.http import reselect

from coalition_site.lib.qr import qr_code
from coalition_site.lib.requests import Request

from .. import access
from ..models import Game, Seat
from ..models.people import Playgroup
from ..pages import additions, board, chart, standings
from ..pages import seats as show_seats
from ..play import queries
from ..play.queries import Table
from ..rules.ruleset import Ruleset
from ..rules.sets import SetState
from .boards import shared_board_view
from .links import public_address
from .tables import is_known


@dataclass(kw_only=True)
class PublicPage(board.GamePage):
    """What the public sees of a set; ``sequel`` is what became of it after its end.

    ``player_keys`` are the players' primary keys by seat, None for a seat without a player.
    """

    etag: str
    sequel: additions.Sequel | None
    group: Playgroup | None
    player_keys: Mapping[int, int | None]


@dataclass(kw_only=True)
class WatchPart(PublicPage):
    """The board and the standings so far, as an update for an open page.

    ``starts`` says who starts, and ``rolls`` by which dice, until something has happened.
    """

    template: ClassVar[str] = "scoring/_watch.html"
    podium: Sequence[dict[str, Any]]
    starts: str = ""
    rolls: Mapping[int, str] = field(default_factory=dict)
    is_piece: bool = True


@dataclass(kw_only=True)
class Around:
    """What a whole page shows around the board or the final standings."""

    table: Table
    code: str
    ruleset: Ruleset
    may_score: bool
    address: str
    members_only: bool
    qr: str
    decks: Sequence[dict[str, Any]]
    may_score_for: bool
    notes: Any
    result: str


@dataclass(kw_only=True)
class WholePage(PublicPage):
    """A whole page for the public."""

    around: Around

    def context(self) -> dict[str, Any]:
        return super().context() | vars(self.around)


@dataclass(kw_only=True)
class WatchPage(WholePage, WatchPart):
    """The board and the standings so far."""

    template: ClassVar[str] = "scoring/watch.html"
    is_piece: bool = False


@dataclass(kw_only=True)
class StandingsPage(WholePage):
    """The final standings, with a chart where points count and else with the last board."""

    template: ClassVar[str] = "scoring/standings.html"
    rows: Sequence[dict[str, Any]]
    first: Sequence[board.Who]
    leader: board.Who
    verb: str
    points: int | None
    columns: range
    endings: Sequence[str]
    any_voided: bool
    numbers: str
    chart: dict[str, Any] | None


@require_safe
@shared_board_view
def watch(request: Request, table: Table) -> HttpResponse:
    """Show a set to the public: the board until it is over, then the final standings.

    An open page asks for updates by htmx. It gets the board, or the whole page if it shows the
    standings (it then sends ``final``) or is about to.
    """
    played = queries.games(table.game_set)
    state = queries.set_state(table, played)
    version = _version(table, played, state)
    if is_known(request, version["etag"]):
        return HttpResponseNotModified()
    if not request.htmx:
        return _page(request, table, played, state, version)
    is_whole = state.has_results or "final" in request.GET
    response = (_page if is_whole else _piece)(request, table, played, state, version)
    response["ETag"] = version["etag"]
    return reselect(response, "#main") if is_whole else response


def _version(table: Table, played: list[Game], state: SetState) -> dict[str, Any]:
    """Return the ETag of the public page, and after the end of a set its sequel."""
    sequel = additions.of(table).sequel(table, played[-1]) if state.is_finished else None
    stamps = (sequel.stamp,) if sequel else ()
    return {"sequel": sequel, "etag": queries.version(table, played, *stamps)}


def _page(
    request: Request, table: Table, played: list[Game], state: SetState, version: dict[str, Any]
) -> HttpResponse:
    seats = queries.seats_with_decks(table)
    group = access.visible_group(request, table.game_set)
    shared: dict[str, Any] = {
        "around": _around(request, table, state, seats, group),
        "group": group,
        "player_keys": {seat.number: seat.player_id for seat in seats},
        **version,
    }
    if not state.has_results:
        return WatchPage(**shared, **_now(table, played, state)).respond(request)
    logs = queries.replayed_logs(played)
    counts_points = table.ruleset.cap is not None
    page = StandingsPage(
        board=None if counts_points else board.board(board.read(table, played[-1])),
        chart=chart.race(table, state, logs) if counts_points else None,
        **standings.final(table, played, state, logs),
        **shared,
    )
    return page.respond(request)


def _around(
    request: Request, table: Table, state: SetState, seats: list[Seat], group: Playgroup | None
) -> Around:
    address = public_address(request, table)
    return Around(
        table=table,
        code=table.game_set.code,
        ruleset=table.ruleset,
        may_score=access.may_score(request, table.game_set),
        address=address,
        members_only=access.is_for_members(table.game_set),
        qr=qr_code(address),
        decks=show_seats.decks(table, seats),
        may_score_for=group is not None and access.may_score_for(request, group),
        notes=additions.of(table).notes(table),
        result=standings.in_words(table, state),
    )


def _piece(
    request: Request, table: Table, played: list[Game], state: SetState, version: dict[str, Any]
) -> HttpResponse:
    """Return the board as an update for an open page."""
    group = access.visible_group(request, table.game_set)
    keys = dict(table.game_set.seats.values_list("number", "player")) if group else {}
    page = WatchPart(group=group, player_keys=keys, **version, **_now(table, played, state))
    return page.respond(request)


def _now(table: Table, played: list[Game], state: SetState) -> dict[str, Any]:
    """Return what the public page shows until the set is over."""
    shown = board.board(board.read(table, played[-1])) if played else None
    is_new = shown and not shown.peek and table.ruleset.has_turns
    return {
        "board": shown,
        "podium": standings.podium(table, state) if table.ruleset.is_ranked else [],
        **(standings.started(table, played) if is_new else {}),
    }


@dataclass(kw_only=True)
class TablePage(board.GamePage):
    """The board in large type, its players in two rows: ``far`` and ``near``."""

    template: ClassVar[str] = "scoring/table.html"
    code: str
    upright: bool
    etag: str
    far: Sequence[dict[str, Any]]
    near: Sequence[dict[str, Any]]


@dataclass(kw_only=True)
class TablePart(TablePage):
    """The board alone, which htmx puts into the page."""

    template: ClassVar[str] = "scoring/_table.html"


@require_safe
@shared_board_view
def table_view(request: Request, table: Table) -> HttpResponse:
    """Show the board in large type, for a tablet in the middle of the table or a TV."""
    played = queries.games(table.game_set)
    etag = queries.version(table, played)
    if is_known(request, etag):
        return HttpResponseNotModified()
    upright = "upright" in request.GET
    shown = board.board(board.read(table, played[-1])) if played else None
    far, near = standings.sides(shown.players if shown else [], upright=upright)
    page = (TablePart if request.htmx else TablePage)(
        board=shown, code=table.game_set.code, upright=upright, etag=etag, far=far, near=near
    )
    response = page.respond(request)
    response["ETag"] = etag
    return response
