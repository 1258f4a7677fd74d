"""An answer costs as many queries after forty sets as after three, with a token or without."""

from datetime import date

from django.test import Client
from django.urls import reverse

from decks.models import BanList, Status
from scoring.groups import settings
from scoring.groups.evenings import commands as evenings
from scoring.models import Playgroup
from scoring.play import commands
from scoring.rules.formats import COALITION_906
from tests.decks.cards import card
from tests.scoring.grouped import group
from tests.scoring.groups.views.evenings import evening
from tests.scoring.groups.visitors import account, player
from tests.scoring.views.test_query_counts import queries

from .asking import token

# They ask for the memberships of the account.
MEMBERS = ("api_set", "api_log", "api_ban_list", "api_announcements")
OF_GROUPS = (
    *("api_playgroup", "api_players", "api_board", "api_seasons", "api_records", "api_evenings"),
    "api_sets",
)
COUNTS = {
    "api_playgroups": 1,
    "api_playgroup": 2,
    "api_players": 2,
    "api_player": 3,
    "api_board": 4,
    "api_seasons": 2,
    "api_season": 5,
    "api_records": 3,
    "api_evenings": 2,
    "api_evening": 8,
    "api_sets": 3,
    "api_set": 3,
    "api_log": 3,
    "api_ban_lists": 2,
    "api_ban_list": 3,
    "api_announcements": 4,
    "api_verdicts": 3,
    "api_openapi": 0,
}


def costs(home, sent):
    args = {
        "api_player": [home.code, player(home, "Ann").pk],
        "api_season": [home.code, home.seasons.get().pk],
        "api_evening": [home.code, 1],
        "api_set": [home.sets.first().code],
        "api_log": [home.sets.first().code],
        "api_ban_list": [BanList.objects.get(group=home).key],
        "api_announcements": [BanList.objects.get(group=home).key],
    } | {name: [home.code] for name in OF_GROUPS}
    query = {"api_verdicts": {"card": "Llanowar Elves"}}
    return {
        name: queries(
            lambda name=name: Client().get(
                reverse(name, args=args.get(name)), query.get(name), headers=sent
            )
        )
        for name in COUNTS
    }


def add_round(night, *names):
    evenings.arrive(night, names)
    for table in evenings.begin_round(evenings.draw_round(night)):
        commands.start_game(table.game_set, 1, first=1)


def both(home, sent):
    """Return the costs for a stranger, and for a member of a private playgroup by token."""
    found = []
    for visibility, headers in (("unlisted", {}), ("private", sent)):
        Playgroup.objects.filter(pk=home.pk).update(visibility=visibility)
        costs(home, headers)  # what a process reads once
        found.append(costs(home, headers))
    return found


def test_the_cost_of_an_answer_does_not_grow(db):
    home = group()
    olga = account("olga", home, "owner")
    elf = card("Llanowar Elves")
    settings.ban(home, elf, Status.BANNED, "", home.created_at.date(), olga)
    sent = token(olga)
    for day in range(3):
        evening(home, {"Ann": 9, "Bo": 4}, day=day)
    settings.add_season(home, "Spring", date(2026, 3, 1), date(2026, 5, 31))
    night = evenings.create_evening(home, "Night", COALITION_906, rounds=2, usual_size=3)
    add_round(night, "Ann", "Bo", "Cy")
    few = both(home, sent)
    for day in range(3, 40):
        evening(home, {"Ann": 9, f"Bo {day % 9}": day % 20, "Cy": 3}, day=4 * day)
    add_round(night, *(f"Player {at}" for at in range(30)))
    for at in range(9):
        evenings.create_evening(home, f"Night {at}", COALITION_906, rounds=2, usual_size=3)
        settings.ban(group(f"{at}"), elf, Status.BANNED, "", home.created_at.date(), olga)

    assert few == both(home, sent)
    assert few[0] == COUNTS
    assert few[1] == {name: count + 1 + (name in MEMBERS) for name, count in COUNTS.items()}
