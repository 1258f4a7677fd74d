"""A person's other playgroups, if the account agreed to name them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from coalition_site.lib.prepared import Parameter, PreparedSelect

from ..models import Player, Playgroup, Tally
from ..models.people import Visibility
from ..rules.formats import RULESETS
from .leaderboard import share

SCORED = [ruleset.key for ruleset in RULESETS.values() if ruleset.cap]


class Elsewhere(NamedTuple):
    """The same person in another playgroup; ``games`` are those that gave VP."""

    code: str
    name: str
    player_id: int
    sets: int
    games: int
    victory_points: int

    @property
    def per_game(self) -> float:
        return share(self.victory_points, self.games)


def others(player: Player, group: Playgroup, visitor: int | None) -> list[Elsewhere]:
    """Return where else the account of a player plays, if it agreed, by the playgroup's name.

    Only public playgroups and those of the visitor: whoever has the link of an unlisted playgroup
    sees it, but must not learn the link here. One query.
    """
    same = (player.pk,) * 3
    return [Elsewhere(*row) for row in OTHERS.all(*same, group.pk, visitor)]


def _others(
    player: Parameter, merged: Parameter, twice: Parameter, group: Parameter, visitor: Parameter
) -> QuerySet[Any, tuple[Any, ...]]:
    same = Q(pk=player) | Q(merged_into=merged) | Q(merged_into__merged_into=twice)
    accounts = Player.objects.filter(same, user__choices__shows_playgroups=True).values("user")
    may_find = Q(playgroup__visibility=Visibility.PUBLIC) | Q(playgroup__memberships__user=visitor)
    found = Player.objects.filter(may_find, user__in=accounts).exclude(playgroup=group)
    counted = found.annotate(
        root=Coalesce("merged_into__merged_into", "merged_into", "pk"),
        sets=_sum("sets"),
        games=_sum("games", ruleset__in=SCORED),
        victory_points=_sum("victory_points", ruleset__in=SCORED),
    )
    named = counted.order_by("playgroup__name", "playgroup__code").distinct()
    columns = ("root", "sets", "games", "victory_points")
    return named.values_list("playgroup__code", "playgroup__name", *columns)


def _sum(name: str, **of: Any) -> Coalesce:
    years = Tally.objects.filter(player=OuterRef("root"), span=Tally.Span.YEAR, **of).order_by()
    return Coalesce(Subquery(years.values("player").annotate(all=Sum(F(name))).values("all")), 0)


OTHERS = PreparedSelect(_others)
