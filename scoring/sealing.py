"""Secrets of a conspiracy: only the browser that sealed one keeps what opens the seal.

It keeps it as a cookie, encrypted under the site's key: the database never has it, and who holds
the phone alone can't read it. All cookies are of few lengths, so that none tells one of the name.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables

from coalition_site.keys import COOKIE_AGE

from .models import Game
from .queries import Table
from .rules import codec
from .rules.form import Node
from .rules.formats.conspiracy import TurnUp
from .rules.formats.conspiracy.state import TAG, ConspiracyGame, facts_of, of
from .rules.formats.conspiracy.zone import SALT_LENGTH

ROOM = 512  # bytes; a longer secret gets as much again


def held(request: HttpRequest, table: Table) -> frozenset[str]:
    """Return the tags of the seals that this browser can open at a table."""
    kind = _cookie(table, "")
    return frozenset(name.removeprefix(kind) for name in request.COOKIES if name.startswith(kind))


def salt_of(table: Table, number: int, token: str) -> str:
    """Return the salt for a form that came with ``token``, in game ``number``.

    It follows from the site's key: who reads the page, or made the token up, can try no names.
    """
    said = f"{table.game_set.code}:{number}:{token}"
    salt = salted_hmac("scoring.sealing.salt", said, algorithm="sha256")
    return salt.hexdigest()[:SALT_LENGTH]


@sensitive_variables()
def keep(
    request: HttpRequest, response: HttpResponse, table: Table, number: int, secret: TurnUp
) -> None:
    """Give the browser what will open a seal in game ``number``."""
    entry = codec.write_entry(secret, codec.KEY_BY_SEAT)
    text = json.dumps([table.game_set.code, number, entry], ensure_ascii=False).encode()
    padded = text.ljust(-(-len(text) // ROOM) * ROOM)
    response.set_cookie(
        _cookie(table, secret.seal),
        _cipher().encrypt(padded).decode(),
        max_age=COOKIE_AGE,
        path=_path(table),
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS or request.is_secure(),
    )


@sensitive_variables()
def opening(request: HttpRequest, table: Table, number: int, seal: str) -> TurnUp | None:
    """Return the move that opens a seal of game ``number``; None if this browser has none."""
    kept = request.COOKIES.get(_cookie(table, seal), "").encode(errors="replace")
    try:
        text = _cipher().decrypt(kept)
    except InvalidToken:
        return None
    code, kept_number, entry = json.loads(text)
    secret = codec.read_move(Node(entry, ""), codec.SEAT_BY_KEY)
    is_it = (code, kept_number) == (table.game_set.code, number)
    return secret if is_it and isinstance(secret, TurnUp) and secret.seal == seal else None


def forget(request: HttpRequest, response: HttpResponse, table: Table, game: Game) -> None:
    """Delete the cookies that open nothing any more.

    What was turned up may be turned down by Undo while the game goes on, and is kept so long; what
    was told by word only can still be proved.
    """
    state = state_of(game)
    agendas = [one for seat in state.players for one in facts_of(state, seat).agendas]
    useful = {
        one.tag
        for one in agendas
        if (not one.is_proved or not state.is_over)
        and opening(request, table, game.number, one.seal)
    }
    for tag in held(request, table) - useful:
        response.delete_cookie(_cookie(table, tag), path=_path(table), samesite="Lax")


def state_of(game: Game) -> ConspiracyGame:
    """Return the state of a game of Conspiracy. No query."""
    return of(codec.read_state(game.state))


def _cookie(table: Table, seal: str) -> str:
    return f"agenda-{table.game_set.code}-{seal[:TAG]}"


def _path(table: Table) -> str:
    return reverse("score", args=[table.game_set.code])


def _cipher() -> Fernet:
    key = salted_hmac("scoring.sealing", "", algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(key))
