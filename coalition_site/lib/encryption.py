"""Encryption of texts that only the site may read. Padding hides how long they are.

The purpose is part of the key and never changes: with another, nobody could read what is stored.
"""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables


@sensitive_variables()
def encrypt(text: str, purpose: str, block: int) -> str:
    """``block`` is in bytes: the text is padded to a multiple of it."""
    data = text.encode()
    padded = data.ljust(-(-len(data) // block) * block)
    return _cipher(purpose).encrypt(padded).decode()


@sensitive_variables()
def decrypt(box: str, purpose: str) -> str | None:
    """Return a text without its padding; None if the site has not encrypted it."""
    try:
        return _cipher(purpose).decrypt(box.encode(errors="replace")).decode().rstrip()
    except InvalidToken:
        return None


def _cipher(purpose: str) -> Fernet:
    return Fernet(urlsafe_b64encode(salted_hmac(purpose, "", algorithm="sha256").digest()))
