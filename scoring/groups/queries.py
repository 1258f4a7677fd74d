"""Reading playgroups: who belongs to them, and their tables."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import OuterRef, Prefetch, Subquery

from ..models import GameSet, Membership, Player, Playgroup, Season, SetResult

LIVE_MAX = 20
FEED_MAX = 30


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


def places(user_key: int | None) -> list[Membership]:
    """Return the places of an account in playgroups, by the playgroup's name. One query."""
    found = Membership.objects.filter(user=user_key).select_related("playgroup")
    return list(found.order_by("playgroup__name", "pk"))


def seasons(group: Playgroup) -> list[Season]:
    """Return a playgroup's seasons, the latest first. One query."""
    return list(group.seasons.all())


def live(group: Playgroup) -> Iterable[GameSet]:
    """Return the sets that are being played, the latest first. One query."""
    return list(group.sets.filter(finished_at=None).order_by("-created_at")[:LIVE_MAX])


def finished(group: Playgroup) -> list[tuple[GameSet, str]]:
    """Return the latest finished sets, each with its result in words. Two queries."""
    found = group.sets.exclude(finished_at=None).order_by("-finished_at")
    results = SetResult.objects.select_related("player").order_by("rank", "pk")
    shown = found.prefetch_related(Prefetch("results", results))[:FEED_MAX]
    return [(one, told(one.results.all())) for one in shown]


def told(results: Iterable[SetResult]) -> str:
    """Return a finished set in words. No query, where results are read with their players."""
    return ", ".join(f"{one.player.name} {one.victory_points}" for one in results if one.player)


def listed(group: Playgroup) -> list[Player]:
    """Return the players who stand in lists, by name: no guests, nobody merged. One query."""
    return list(group.players.filter(is_guest=False, merged_into=None).order_by("name"))
