"""Personal tokens: making, finding and revoking them. Their only writer."""

import secrets

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from ..lib.keys import key_hash
from ..lib.refusals import Refused
from ..models import ApiToken

PREFIX = "ctt_"  # by which people and secret scanners know it
TOKENS_MAX = 20  # of an account
TOO_MANY = f"You have {TOKENS_MAX} tokens, which is the limit. Revoke one that you don’t use."
SAME_NAME = "You have a token with this name. Choose another name, or revoke that token first."


@transaction.atomic
def create(user: User, name: str) -> str:
    """Store a new token of an account, and return its secret, which can't be read again.

    :raises Refused: if the account has too many tokens, or one with this name.
    """
    User.objects.select_for_update().get(pk=user.pk)  # or two requests could pass the limit
    if user.api_tokens.count() >= TOKENS_MAX:
        raise Refused(TOO_MANY)
    secret = PREFIX + secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            user.api_tokens.create(
                name=name, key_hash=key_hash(secret), ending=secret[-4:], created_at=timezone.now()
            )
    except IntegrityError:
        raise Refused(SAME_NAME) from None
    return secret


def owner_of(secret: str) -> User | None:
    """Return the account of a token; None if it was revoked or the account closed. One query."""
    return User.objects.filter(api_tokens__key_hash=key_hash(secret), is_active=True).first()


def revoke(user_key: int | None, key: int) -> bool:
    return bool(ApiToken.objects.filter(user=user_key, pk=key).delete()[0])
