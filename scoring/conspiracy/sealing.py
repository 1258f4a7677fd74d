"""Secrets of a conspiracy: only the browser that sealed one keeps what opens the seal.

It keeps it as a cookie, encrypted under the site's key: the database never has it, and who holds
the phone can't read it without showing it to all. All cookies are of few lengths, so that none
tells one of the name.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables

from coalition_site.lib.keys import COOKIE_AGE

from ..models import Game
from ..play import queries
from ..play.queries import Table
from ..rules.errors import RuleError
from ..rules.formats.conspiracy import TurnUp, had_begun, zone
from ..rules.formats.conspiracy.state import TAG, ConspiracyGame, of
from ..setlog import codec

ROOM = 256  # bytes; a longer secret gets as much again
KEPT_MAX = 8 * 440  # bytes of cookies at one table, as eight usual secrets need: servers take 8 kB


def tags(cookies: Mapping[str, str], table: Table) -> frozenset[str]:
    """Return the tags of the seals that a browser with these cookies can open at a table."""
    kind = _cookie(table, "")
    return frozenset(name.removeprefix(kind) for name in cookies if name.startswith(kind))


@sensitive_variables()
def secret(
    table: Table, number: int, token: str, player: int, card: str, names: tuple[str, ...]
) -> TurnUp:
    """Return what opens the seal of a form that came with ``token``, in game ``number``.

    Its salt follows from the site's key: who reads the page, or made the token up, can try no
    names. It follows from the secret as well, so that no other secret's salt gives it away.
    """
    parts = json.dumps([table.game_set.code, number, token, player, card, *names])
    return zone.sealed(player, _salt("scoring.conspiracy.sealing.salt 2", parts), card, names)


@sensitive_variables()
def _first_secret(
    table: Table, number: int, token: str, player: int, card: str, names: tuple[str, ...]
) -> TurnUp:
    """Return what opens a seal that the first release made."""
    salt = _salt("scoring.conspiracy.sealing.salt", f"{table.game_set.code}:{number}:{token}")
    return TurnUp(player, zone.first_seal(salt, card, names), salt, card, names)


def _salt(purpose: str, parts: str) -> str:
    return salted_hmac(purpose, parts, algorithm="sha256").hexdigest()[: zone.SALT_LENGTH]


@sensitive_variables()
def keep(
    request: HttpRequest, response: HttpResponse, table: Table, token: str, secret: TurnUp
) -> None:
    """Give the browser what will open a seal, but for what follows from its name and the game."""
    text = json.dumps([token, secret.card, secret.names], ensure_ascii=False).encode()
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


def has_room(request: HttpRequest, table: Table, seal: str) -> bool:
    """Say whether this browser can keep one secret more, or has this one."""
    kind = _cookie(table, "")
    kept = [len(value) for name, value in request.COOKIES.items() if name.startswith(kind)]
    return seal[:TAG] in tags(request.COOKIES, table) or sum(kept) < KEPT_MAX


@sensitive_variables()
def opening(request: HttpRequest, table: Table, game: Game, seal: str) -> TurnUp | None:
    """Return the move that opens a seal of a game; None if this browser has none."""
    kept = request.COOKIES.get(_cookie(table, seal), "").encode(errors="replace")
    try:
        text = _cipher().decrypt(kept)
    except InvalidToken:
        return None
    token, card, names = json.loads(text)
    player = state_of(game).sealed.get(seal)
    if player is None:
        return None
    form = (table, game.number, token, player, card, tuple(names))
    return next((one for one in (secret(*form), _first_secret(*form)) if one.seal == seal), None)


def forget(request: HttpRequest, response: HttpResponse, table: Table, game: Game) -> None:
    """Delete the cookies that open nothing any more.

    What was turned up may be turned down by Undo while the game goes on, and is kept so long; what
    was told by word only can still be proved.
    """
    state = state_of(game)
    useful = {
        seal[:TAG]
        for seal in (state.unproved if state.is_over else state.sealed)
        if opening(request, table, game, seal)
    }
    for tag in tags(request.COOKIES, table) - useful:
        response.delete_cookie(_cookie(table, tag), path=_path(table), samesite="Lax")


def closed(game: Game) -> RuleError | None:
    """Return why nothing is sealed in a game any more. One query, none once it has begun."""
    if state_of(game).has_begun:
        return zone.GameHasBegun()
    return zone.GameHadBegun() if had_begun(queries.move_types_ever(game)) else None


def state_of(game: Game) -> ConspiracyGame:
    """Return the state of a game of Conspiracy. No query."""
    return of(codec.read_state(game.state))


def _cookie(table: Table, seal: str) -> str:
    return f"agenda-{table.game_set.code}-{seal[:TAG]}"


def _path(table: Table) -> str:
    return reverse("score", args=[table.game_set.code])


def _cipher() -> Fernet:
    key = salted_hmac("scoring.conspiracy.sealing.cookie", "", algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(key))
