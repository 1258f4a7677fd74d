"""Reading playgroups: who belongs to them, and their tables."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import OuterRef, Subquery

from ..models import GameSet, Membership, Playgroup, Season

LIVE_MAX = 20


def find_group(code: str, user_key: int | None) -> Playgroup | None:
    """Return a playgroup by its code, with the role that an account has in it. One query."""
    own = Membership.objects.filter(playgroup=OuterRef("pk"), user=user_key)
    return (
        Playgroup.objects.filter(code=code)
        .annotate(visitors_role=Subquery(own.values("role")[:1]))
        .first()
    )


def groups_of(user_key: int | None) -> list[Playgroup]:
    """Return the playgroups of an account by name. One query."""
    return list(Playgroup.objects.filter(memberships__user=user_key).order_by("name"))


def seasons(group: Playgroup) -> list[Season]:
    """Return a playgroup's seasons, the latest first. One query."""
    return list(group.seasons.all())


def live(group: Playgroup) -> Iterable[GameSet]:
    """Return the sets that are being played, the latest first. One query."""
    return list(group.sets.filter(finished_at=None).order_by("-created_at")[:LIVE_MAX])
