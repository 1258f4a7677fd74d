"""Count the games that a player missed in the results and tallies that were there before."""

from collections import Counter

from django.db import migrations, transaction
from django.db.models import Count, F, OuterRef, Subquery

BATCH = 500  # results in one transaction: taps wait no longer than for that


def count_missed_games(apps, schema_editor):
    """Bring every result to the number of games of its set, and its tallies with it.

    Cut off and started again it goes on with what is left.
    """
    played = apps.get_model("scoring", "Game").objects.filter(
        game_set=OuterRef("game_set"), taken_back=False
    )
    of_set = played.order_by().values("game_set").annotate(count=Count("pk")).values("count")
    results = apps.get_model("scoring", "SetResult").objects.annotate(of_set=Subquery(of_set))
    short = results.filter(games_played__lt=F("of_set"))
    groups = short.order_by().values_list("game_set__playgroup", flat=True).distinct()
    for group in list(groups):
        keys = list(short.filter(game_set__playgroup=group).values_list("pk", flat=True))
        for at in range(0, len(keys), BATCH):
            with transaction.atomic():
                _hold(apps, group)
                _count(apps, short.filter(pk__in=keys[at : at + BATCH]))


def _hold(apps, group):
    """Keep a process that serves from counting in the playgroup until the transaction ends."""
    Playgroup = apps.get_model("scoring", "Playgroup")
    list(Playgroup.objects.select_for_update(no_key=True).filter(pk=group))


def _count(apps, short):
    """Count some results anew, and add what they lacked to the tallies that they are in."""
    by_count, missed = {}, Counter()
    for pk, games, lacks, player, day, *table in short.annotate(
        lacks=F("of_set") - F("games_played")
    ).values_list(
        *("pk", "of_set", "lacks", "player", "played_on", "game_set__ruleset", "size")
    ):
        by_count.setdefault(games, []).append(pk)
        if player:
            month = day.replace(day=1)
            for span, start in (("day", day), ("month", month), ("year", month.replace(month=1))):
                missed[player, span, start, *table] += lacks
    for games, keys in by_count.items():
        apps.get_model("scoring", "SetResult").objects.filter(pk__in=keys).update(
            games_played=games
        )
    _add(apps.get_model("scoring", "Tally").objects, missed)


def _add(tallies, missed):
    """Add games to tallies, all of the same number at once: a day's have few, a year's many."""
    found = tallies.filter(
        player__in={key[0] for key in missed}, starts_on__in={key[2] for key in missed}
    )
    by_number = {}
    for pk, *key in found.values_list("pk", "player", "span", "starts_on", "ruleset", "size"):
        if number := missed[tuple(key)]:
            by_number.setdefault(number, []).append(pk)
    for number, keys in by_number.items():
        tallies.filter(pk__in=keys).update(games=F("games") + number)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("scoring", "0003_players_not_merged_in_a_circle")]
    operations = [migrations.RunPython(count_missed_games, migrations.RunPython.noop)]
