"""Signatures of what is sent, as standardwebhooks.com describes them."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64decode, b64encode

PREFIX = "whsec_"


def secret(key: str) -> str:
    """Return the secret of a random key, as receivers are given it."""
    return PREFIX + b64encode(key.encode()).decode()


def signature(of: str, number: str, at: int, body: str) -> str:
    """Return the signature of a body that is sent with a secret, under a number and at a time in
    Unix seconds.

    >>> signature("whsec_c2VjcmV0", "n1", 1700000000, "{}")
    'v1,htS0zyc06gut08Vr7TGaXk18hLyFVTIjNcyD8li2v9A='
    """
    key = b64decode(of.removeprefix(PREFIX))
    signed = hmac.new(key, f"{number}.{at}.{body}".encode(), hashlib.sha256)
    return f"v1,{b64encode(signed.digest()).decode()}"
