"""What decks need from the record of play: only this module imports the scoring app."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.expressions import CombinedExpression
from django.http import HttpRequest

from scoring import access
from scoring.access import is_listed as is_listed
from scoring.access import may_find as may_find
from scoring.access import may_run as may_run
from scoring.access import may_see as may_see
from scoring.models import Playgroup as Playgroup
from scoring.models import Seat
from scoring.models import SetResult as SetResult
from scoring.models.people import Visibility
from scoring.models.results import WON
from scoring.record import news, queries

from .models import Announcement, BanList, Deck, DeckLine, DeckRevision
from .rules.evidence import Sums
from .rules.rulesets import RULESETS

COALITION = "coalition"
PLAYGROUPS_MAX = 100


def results(request: HttpRequest, deck: Deck) -> list[SetResult]:
    """Return a deck's results, newest first, but those that the visitor may not watch."""
    played = SetResult.objects.filter(seat__deck__deck=deck)
    played = played.select_related("game_set__playgroup", "seat__deck")
    newest_first = played.order_by("-game_set__finished_at")
    return [result for result in newest_first if access.may_watch(request, result.game_set)]


def results_with(request: HttpRequest, card: int) -> QuerySet[SetResult]:
    results = SetResult.objects.filter(_has(card), game_set__playgroup__in=_findable(request))
    return queries.without_hidden_decks(results)


def _findable(request: HttpRequest) -> QuerySet[Playgroup]:
    is_findable = Q(visibility=Visibility.PUBLIC)
    if request.user.is_authenticated:
        is_findable |= Q(memberships__user=request.user)
    return Playgroup.objects.filter(is_findable).distinct()


def playgroups_with_decks(request: HttpRequest, format: str) -> list[Playgroup]:
    """Return the first hundred that the visitor may find and that brought decks of a format."""
    brought = SetResult.objects.filter(
        game_set__playgroup=OuterRef("pk"),
        game_set__ruleset__in=_rulesets(format),
        seat__deck__isnull=False,
    )
    return list(_findable(request).filter(Exists(brought)).order_by("name", "pk")[:PLAYGROUPS_MAX])


def brought(revisions: QuerySet[DeckRevision]) -> QuerySet[DeckRevision]:
    """Return those that were brought to a table, but to no table to try."""
    seats = Seat.objects.filter(deck=OuterRef("pk"), game_set__trial_until=None)
    return revisions.filter(Exists(seats))


def seen(request: HttpRequest, decks: Iterable[Deck]) -> set[int]:
    """Return the keys of the decks that have results in playgroups that the visitor may find."""
    results = SetResult.objects.filter(
        seat__deck__deck__in=decks, game_set__playgroup__in=_findable(request)
    )
    return set(queries.without_hidden_decks(results).values_list("seat__deck__deck", flat=True))


def boards_since(
    request: HttpRequest, revisions: Any, on: date, house: BanList | None
) -> tuple[list[tuple[Playgroup, int]], int]:
    """Return playgroups and how many results of some decks each has, and count those not found."""
    played = SetResult.objects.filter(seat__deck__in=revisions, played_on__gte=on)
    played = played.filter(game_set__playgroup__isnull=False)
    if house:
        played = played.filter(game_set__playgroup__house=house)
    counts = dict(played.order_by().values_list("game_set__playgroup").annotate(Count("pk")))
    groups = _findable(request).filter(pk__in=counts).order_by("name", "pk")
    found = [(group, counts.pop(group.pk)) for group in groups]
    return found, len(counts)


def announce(published: Announcement) -> None:
    """Queue an announcement for the webhooks of the playgroups that play by its list."""
    ban_list = published.ban_list
    of_list = Q(house=ban_list) if ban_list.base_id else Q(ruleset__in=_rulesets(ban_list.format))
    news.announce_bans(published.pk, Playgroup.objects.filter(of_list))


def sums(card: int) -> tuple[Sums, Sums]:
    """Return what Coalition decks with a card did in sets of public playgroups, and the others."""
    results = SetResult.objects.filter(
        seat__deck__isnull=False,
        game_set__ruleset__in=_rulesets(COALITION),
        game_set__playgroup__visibility=Visibility.PUBLIC,
    )
    counted: Any = results.values(has_card=_has(card)).annotate(
        sets=Count("pk"),
        won=Count("pk", filter=WON),
        games=_sum(F("games_played")),
        points=_sum(F("victory_points")),
        points_squared=_sum(F("victory_points") * F("victory_points")),
        games_squared=_sum(F("games_played") * F("games_played")),
        points_by_games=_sum(F("victory_points") * F("games_played")),
    )
    by_kind = {row.pop("has_card"): Sums(**row) for row in counted}
    return by_kind.get(True, Sums()), by_kind.get(False, Sums())


def _rulesets(format: str) -> list[str]:
    return [key for key, rules in RULESETS.items() if rules.format == format]


def _has(card: int) -> Exists:
    return Exists(DeckLine.objects.filter(card=card, revision=OuterRef("seat__deck")))


def _sum(of: F | CombinedExpression) -> Sum:
    return Sum(of, output_field=BigIntegerField(), default=0)


def games_with(decks: Iterable[Deck]) -> dict[int, set[int]]:
    """Return the games that some decks were in, but those taken back, by the decks' keys."""
    games: dict[int, set[int]] = {deck.pk: set() for deck in decks}
    seats = Seat.objects.filter(
        deck__deck__in=games, game_set__trial_until=None, game_set__games__taken_back=False
    )
    for deck, game in seats.values_list("deck__deck", "game_set__games"):
        games[deck].add(game)
    return games
