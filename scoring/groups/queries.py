"""Reading playgroups: their members, their players, and their sets."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from coalition_site.lib.bidi import isolated
from coalition_site.lib.prepared import Parameter, PreparedSelect
from coalition_site.lib.texts import by_name, sort_key

from ..models import (
    AccountChoices,
    Claim,
    Game,
    GameSet,
    Invitation,
    Membership,
    Player,
    Playgroup,
    Season,
    Seat,
    SetResult,
    Tally,
)
from ..record.counting import root
from ..rules.formats import RULESETS
from ..rules.ruleset import Ruleset

LIVE_MAX = 20
LATELY = 8  # sets whose players are offered first


def today(group: Playgroup) -> date:
    return timezone.localdate(timezone=group.time_zone)


@PreparedSelect
def _for_visit(code: Parameter, user_key: Parameter) -> QuerySet[Playgroup]:
    own = Membership.objects.filter(playgroup=OuterRef("pk"), user=user_key)
    claims = Claim.objects.filter(player__playgroup=OuterRef("pk")).order_by()
    counted = claims.values("player__playgroup").annotate(count=Count("pk")).values("count")
    groups = Playgroup.objects.filter(code=code).select_related("house")
    return groups.annotate(  # type: ignore[no-redef]
        visitors_role=Subquery(own.values("role")[:1]),
        claims_waiting=Coalesce(Subquery(counted), 0),
        has_heroes=_has_played(ruleset for ruleset in RULESETS.values() if ruleset.has_heroes),
        has_teams=_has_played(ruleset for ruleset in RULESETS.values() if ruleset.has_teams),
    )


def find_group(code: str, user_key: int | None) -> Playgroup | None:
    """Return a playgroup with its ban list and what a visit needs. One query."""
    return _for_visit.only(code, user_key)


def _has_played(rulesets: Iterable[Ruleset]) -> Exists:
    # A subquery for each player, and its order, make PostgreSQL use the player's index: of a join,
    # or for any one row, it reads the tallies of all playgroups.
    keys = [ruleset.key for ruleset in rulesets]
    years = Tally.objects.filter(player=OuterRef("pk"), span=Tally.Span.YEAR, ruleset__in=keys)
    played = Subquery(years.order_by("starts_on").values("starts_on")[:1])
    players = Player.objects.filter(playgroup=OuterRef("pk")).alias(played=played)
    return Exists(players.filter(played__isnull=False))


def groups_of(user_key: int | None) -> list[Playgroup]:
    return by_name(Playgroup.objects.filter(memberships__user=user_key).order_by("pk"))


def memberships_of(user_key: int | None) -> list[Membership]:
    memberships = Membership.objects.filter(user=user_key).select_related("playgroup")
    return sorted(memberships.order_by("pk"), key=lambda one: sort_key(one.playgroup.name))


def seasons(group: Playgroup) -> list[Season]:
    return list(group.seasons.all())


def seasons_with_tables(group: Playgroup) -> QuerySet[Season]:
    return Season.objects.filter(playgroup=group).select_related("playgroup", "table")


def live(sets: QuerySet[GameSet]) -> QuerySet[GameSet]:
    """Add the number and the state, as JSON, of each set's latest game; None before the first."""
    games = Game.objects.filter(game_set=OuterRef("pk"), taken_back=False).order_by("-number")
    # A table of an evening that nobody sits at any more has no key, and no game.
    is_there = Q(key_hash__isnull=False) | Exists(games)
    live = sets.filter(
        is_there, finished_at=None
    ).annotate(  # type: ignore[no-redef]
        game=Subquery(games.values("number")[:1]), state=Subquery(games.values("state")[:1])
    )
    return live.order_by("-created_at")[:LIVE_MAX]


LIVE_SETS = PreparedSelect(lambda group: live(GameSet.objects.filter(playgroup=group)))


def result_text(results: Iterable[SetResult]) -> str:
    return ", ".join(
        f"{isolated(result.player.name)} {result.stood}".rstrip()
        for result in results
        if result.player
    )


@dataclass
class Person:
    player: Player
    merged: list[Player] = field(default_factory=list)
    account: User | None = None
    sets: int = 0


def people(group: Playgroup) -> list[Person]:
    # The finished sets as they were tallied by year.
    years = Tally.objects.filter(player=OuterRef("pk"), span=Tally.Span.YEAR).order_by()
    sets = years.values("player").annotate(sum=Sum("sets")).values("sum")
    counted = group.players.annotate(finished=Coalesce(Subquery(sets), 0))  # type: ignore[no-redef]
    players = by_name(counted.select_related("user"))
    merged = {player.pk: player.merged_into_id for player in players}
    persons = {
        player.pk: Person(player) for player in players if root(player.pk, merged) == player.pk
    }
    for player in players:
        person = persons[root(player.pk, merged)]
        person.sets += player.finished
        person.account = person.account or player.user
        if player != person.player:
            person.merged.append(player)
    return list(persons.values())


def names_by_play(group: Playgroup) -> list[str]:
    latest = group.sets.order_by("-created_at", "-pk").values("pk")[:LATELY]
    seats = Seat.objects.filter(game_set__in=list(latest.values_list("pk", flat=True)))
    lately = seats.order_by("-game_set__created_at", "-game_set", "number")
    listed = dict.fromkeys(known_names(group))
    played = lately.values_list("player__name", flat=True)
    return list(dict.fromkeys([*(name for name in played if name in listed), *listed]))


def known_names(group: Playgroup) -> list[str]:
    listed = by_name(group.players.filter(is_guest=False, merged_into=None))
    return [player.name for player in listed]


def claims(group: Playgroup) -> list[Claim]:
    waiting = Claim.objects.filter(player__playgroup=group)
    return list(waiting.select_related("player__playgroup", "user").order_by("claimed_at", "pk"))


def claimable(group: Playgroup) -> list[Player]:
    free = [person.player for person in people(group) if person.account is None]
    return sorted(free, key=lambda player: player.is_guest)


def shows_playgroups(user_key: int | None) -> bool:
    return AccountChoices.objects.filter(user=user_key, shows_playgroups=True).exists()


def open_invitations() -> QuerySet[Invitation]:
    return Invitation.objects.filter(revoked_at=None, expires_at__gt=timezone.now())


def seats(game_set: GameSet) -> list[Seat]:
    return list(game_set.seats.select_related("player").order_by("number"))
