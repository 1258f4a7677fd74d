"""Creating playgroups."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from coalition_site.lib.keys import new_code

from ...models import Playgroup
from ...models.people import Role, Visibility
from ...rules.formats import RULESETS


def create_playgroup(
    name: str,
    owner: User | None,
    *,
    visibility: str = Visibility.UNLISTED,
    ruleset: str = next(iter(RULESETS)),
    zone: str = "UTC",
    code: str | None = None,
) -> Playgroup:
    """Create a playgroup with its owner; without an owner, only superusers can change it."""
    # If the owner already has a playgroup of that ``code``, it is returned: the form was sent
    # twice.
    now = timezone.now()
    try:
        with transaction.atomic():
            group = Playgroup.objects.create(
                code=code or new_code(),
                name=name,
                visibility=visibility,
                ruleset=ruleset,
                zone=zone,
                created_at=now,
            )
            if owner:
                group.memberships.create(user=owner, role=Role.OWNER, joined_at=now)
    except IntegrityError:  # the code is taken, most likely by this request sent before
        existing = Playgroup.objects.filter(code=code, memberships__user=owner).first()
        if code is None or owner is None or existing is None:
            raise
        return existing
    return group
