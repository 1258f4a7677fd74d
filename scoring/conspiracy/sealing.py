"""The secrets of conspiracies: only the browser that made a seal stores what opens it.

It is stored in a cookie that is encrypted with the site's key. The database never has it; only the
site, asked by that browser, can show it. Secrets are padded, so that the
length of a cookie doesn't give away the name.
"""

import json
from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables

from coalition_site.lib import encryption
from coalition_site.lib.keys import COOKIE_AGE

from ..models import Game, GameSet
from ..rules.formats.conspiracy import zone
from ..rules.formats.conspiracy.state import TAG, game_of
from ..rules.formats.conspiracy.zone import TurnUp

PURPOSE = "scoring.sealing.cookie"
BLOCK = 256  # bytes; secrets are padded to multiples of it
COOKIES_MAX = 8 * 440  # bytes at one table: eight usual secrets. Servers accept 8 kB of headers


def stored(cookies: Mapping[str, str], game_set: GameSet) -> dict[str, str]:
    """Return a browser's cookies of a table by the tags of their seals."""
    kind = _cookie(game_set, "")
    return {name.removeprefix(kind): cookies[name] for name in cookies if name.startswith(kind)}


@sensitive_variables()
def secret(
    game_set: GameSet, number: int, token: str, player: int, card: str, names: tuple[str, ...]
) -> TurnUp:
    # Its salt is derived from the site's key, so that nobody can try names, not even with the
    # token, and from the secret as well, so that the salt of another secret doesn't reveal it.
    parts = json.dumps([game_set.code, number, token, player, card, *names])
    return zone.sealed(player, _salt("scoring.sealing.salt 2", parts), card, names)


# Purposes are no addresses of modules: with another, browsers could not open what they sealed.
def _salt(purpose: str, parts: str) -> str:
    return salted_hmac(purpose, parts, algorithm="sha256").hexdigest()[: zone.SALT_LENGTH]


@sensitive_variables()
def store_secret(
    request: HttpRequest, response: HttpResponse, game_set: GameSet, token: str, secret: TurnUp
) -> None:
    """Store in the browser what will open a seal, except for what the game and the seal tell."""
    text = json.dumps([token, secret.card, secret.names], ensure_ascii=False)
    response.set_cookie(
        _cookie(game_set, secret.seal),
        encryption.encrypt(text, PURPOSE, BLOCK),
        max_age=COOKIE_AGE,
        path=_path(game_set),
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS or request.is_secure(),
    )


def has_room(request: HttpRequest, game_set: GameSet, seal: str) -> bool:
    cookies = stored(request.COOKIES, game_set)
    return seal[:TAG] in cookies or sum(map(len, cookies.values())) < COOKIES_MAX


@sensitive_variables()
def opening(request: HttpRequest, game_set: GameSet, game: Game, seal: str) -> TurnUp | None:
    """Return the move that opens a seal; None if this browser can't open it."""
    text = encryption.decrypt(request.COOKIES.get(_cookie(game_set, seal), ""), PURPOSE)
    if text is None:
        return None
    token, card, names = json.loads(text)
    player = game_of(game.current_state).sealed.get(seal)
    if player is None:
        return None
    # Either release may have sealed it.
    salt = _salt("scoring.sealing.salt", f"{game_set.code}:{game.number}:{token}")
    moves = (
        secret(game_set, game.number, token, player, card, tuple(names)),
        TurnUp(player, zone.first_seal(salt, card, names), salt, card, tuple(names)),
    )
    return next((move for move in moves if move.seal == seal), None)


def forget(request: HttpRequest, response: HttpResponse, game_set: GameSet, game: Game) -> None:
    """Delete the cookies that can't open anything any more."""
    # While the game is in progress they all stay, since Undo may turn a conspiracy face down again;
    # after it, those that still prove a claim.
    state = game_of(game.current_state)
    useful = {
        seal[:TAG]
        for seal in (state.unproved if state.is_over else state.sealed)
        if opening(request, game_set, game, seal)
    }
    for tag in stored(request.COOKIES, game_set).keys() - useful:
        response.delete_cookie(_cookie(game_set, tag), path=_path(game_set), samesite="Lax")


def _cookie(game_set: GameSet, seal: str) -> str:
    return f"agenda-{game_set.code}-{seal[:TAG]}"


def _path(game_set: GameSet) -> str:
    return reverse("watch", args=[game_set.code])  # and below it: of the pad, and of the seats
