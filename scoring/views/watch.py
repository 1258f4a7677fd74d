"""The public pages of a set: its board, its final standings, and the big view for a tablet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import reselect

from coalition_site.lib.qr import qr_code
from coalition_site.lib.requests import Request

from .. import access
from ..models import Game
from ..pages import additions, board, chart, standings
from ..pages import seats as show_seats
from ..play import queries
from ..play.queries import Table
from ..rules.sets import SetState
from .boards import shared_board_view
from .links import public_address
from .tables import is_known


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
    address = public_address(request, table)
    seats = queries.seats_with_decks(table)
    group = access.visible_group(request, table.game_set)
    context: dict[str, Any] = {
        "table": table,
        "code": table.game_set.code,
        "ruleset": table.ruleset,
        "may_score": access.may_score(request, table.game_set),
        "address": address,
        "members_only": access.is_for_members(table.game_set),
        "qr": qr_code(address),
        "decks": show_seats.decks(table, seats),
        "group": group,
        "may_score_for": group is not None and access.may_score_for(request, group),
        "player_keys": {seat.number: seat.player_id for seat in seats},
        "notes": additions.of(table).notes(table),
        **version,
    }
    context["result"] = standings.in_words(table, state)
    if not state.has_results:
        return render(request, "scoring/watch.html", context | _now(table, played, state))
    logs = queries.replayed_logs(played)
    context |= standings.final(table, played, state, logs)
    if table.ruleset.cap is None:
        context |= vars(board.board(board.read(table, played[-1])))
    else:
        context["chart"] = chart.race(table, state, logs)
    return render(request, "scoring/standings.html", context)


def _piece(
    request: Request, table: Table, played: list[Game], state: SetState, version: dict[str, Any]
) -> HttpResponse:
    """Return the board as an update for an open page."""
    context = _now(table, played, state) | version | {"is_piece": True}
    context["group"] = access.visible_group(request, table.game_set)
    if context["group"]:
        context["player_keys"] = dict(table.game_set.seats.values_list("number", "player"))
    return render(request, "scoring/_watch.html", context)


def _now(table: Table, played: list[Game], state: SetState) -> dict[str, Any]:
    """Return what the public page shows until the set is over."""
    context: dict[str, Any] = {
        "podium": standings.podium(table, state) if table.ruleset.is_ranked else [],
    }
    if played:
        context |= vars(board.board(board.read(table, played[-1])))
    if played and not context["peek"] and table.ruleset.has_turns:
        context |= standings.started(table, played)
    return context


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
