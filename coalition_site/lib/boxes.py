"""Texts that only the site can read until they are opened: encrypted, and padded.

Padding hides the length. The purpose of a box is part of its key, and never changes: with another,
nobody could open what is stored.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables


@sensitive_variables()
def closed(text: str, purpose: str, block: int) -> str:
    """Return a text in a box, padded by spaces to multiples of ``block`` bytes."""
    data = text.encode()
    padded = data.ljust(-(-len(data) // block) * block)
    return _cipher(purpose).encrypt(padded).decode()


@sensitive_variables()
def opened(box: str, purpose: str) -> str | None:
    """Return the text in a box with its padding; None if the site has not closed it."""
    try:
        return _cipher(purpose).decrypt(box.encode(errors="replace")).decode()
    except InvalidToken:
        return None


def _cipher(purpose: str) -> Fernet:
    return Fernet(urlsafe_b64encode(salted_hmac(purpose, "", algorithm="sha256").digest()))
