"""Sets count on the day on which they began; until now they counted on that on which they ended."""

from contextlib import suppress
from zoneinfo import ZoneInfo

from django.db import migrations, transaction
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Trunc

SUMS = {
    "sets": Count("pk"),
    "sets_won": Count("pk", filter=Q(rank=1)),
    "games": Sum("games_played"),
} | {
    name: Sum(name, default=0)
    for name in (
        "victory_points",
        "games_won",
        "games_at_cap",
        "games_first",
        "points_first",
        "games_last",
        "points_last",
        "outlasted",
        "monarch_turns",
    )
}
BATCH = 500


def move_sets(apps, schema_editor):
    Playgroup = apps.get_model("scoring", "Playgroup")
    for key in Playgroup.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            # Whoever counts locks the playgroup, in the version that still serves as well.
            group = Playgroup.objects.select_for_update(no_key=True).get(pk=key)
            move_sets_of(group, apps)


def move_sets_of(group, apps):
    SetResult, SetFacts = apps.get_model("scoring", "SetResult"), apps.get_model("scoring", "SetFacts")
    zone = ZoneInfo(group.zone)
    moved, touched = [], set()
    for result in SetResult.objects.filter(
        player__playgroup=group, game_set__games__number=1, game_set__games__taken_back=False
    ).annotate(began_at=F("game_set__games__started_at")):
        day = result.played_on
        with suppress(OverflowError):  # the first release imported any time of the calendar
            day = result.began_at.astimezone(zone).date()
        if day != result.played_on:
            touched |= {(result.player_id, result.played_on), (result.player_id, day)}
            result.played_on = day
            moved.append(result)
    SetResult.objects.bulk_update(moved, ["played_on"], batch_size=BATCH)
    for game_set, day in {(result.game_set_id, result.played_on) for result in moved}:
        SetFacts.objects.filter(pk=game_set).update(played_on=day)
    count(touched, apps)


def count(touched, apps):
    SetResult, Tally = apps.get_model("scoring", "SetResult"), apps.get_model("scoring", "Tally")
    players = {player for player, _ in touched}
    days = {day for _, day in touched}
    months = {day.replace(day=1) for day in days}
    years = {month.replace(month=1) for month in months}
    results = SetResult.objects.filter(player__in=players)
    for span, starts in (("day", days), ("month", months), ("year", years)):
        Tally.objects.filter(player__in=players, span=span, starts_on__in=starts).delete()
        rows = results.annotate(starts_on=Trunc("played_on", span)).filter(starts_on__in=starts)
        rows = rows.values("player_id", "starts_on", "size", ruleset=F("game_set__ruleset"))
        Tally.objects.bulk_create(
            (Tally(span=span, **row) for row in rows.annotate(**SUMS)), batch_size=BATCH
        )


class Migration(migrations.Migration):
    atomic = False  # one playgroup after the other: taps that end a set wait for their own only
    dependencies = [
        ("scoring", "0021_seals_of_sets"),
    ]

    operations = [migrations.RunPython(move_sets, migrations.RunPython.noop)]
