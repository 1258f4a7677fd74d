"""Pages behind a leaderboard, and the API, cost the same after three sets and after forty."""

from django.test import Client
from django.urls import reverse

from decks.models import BanList, Status
from scoring.groups.evenings import commands as evenings
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as settings
from scoring.models import Playgroup
from scoring.record import commands
from scoring.rules.formats import COALITION_906
from tests.coalition_site.api.asking import token
from tests.decks.cards import card

from ..grouped import group as other_group
from ..tables.test_query_counts import queries
from .evenings.pages import evening
from .visitors import account, browser, player

LED = {"Ann": ("Krenko, Mob Boss", "Goblin"), "Bo": ("Lathril, Blade of the Elves", "Elf")}

COUNTS = {
    "board": 7,
    "player": 9,
    "heroes": 4,
    "hero": 7,
    "type": 7,
    "versus": 6,
    "pairs": 5,
    "seasons_archive": 4,
    "season": 7,
    "teams": 5,
    "evening": 8,
    "round": 8,
}
MOST = 11  # also for a scorekeeper, whose session and account are read too
OF_API = {
    "api_playgroups": 1,
    "api_playgroup": 2,
    "api_players": 2,
    "api_player": 3,
    "api_board": 4,
    "api_seasons": 2,
    "api_season": 6,
    "api_records": 3,
    "api_evenings": 2,
    "api_evening": 8,
    "api_sets": 4,
    "api_set": 4,
    "api_log": 3,
    "api_ban_lists": 2,
    "api_ban_list": 3,
    "api_announcements": 4,
    "api_verdicts": 3,
    "api_openapi": 0,
}
# They ask for the memberships of the account.
MEMBERS = ("api_set", "api_log", "api_ban_list", "api_announcements")


def costs(group, counts, visitor, sent=None):
    """Return how many statements each address takes now, with all seasons that are over closed."""
    closing.close_ended()
    ann, bo, table = player(group, "Ann").pk, player(group, "Bo").pk, group.sets.first().code
    season, house = group.seasons.first().pk, BanList.objects.get(group=group).key
    asked = {
        "player": ([group.code, ann], {}),
        "hero": ([group.code], {"name": LED["Ann"][0]}),
        "type": ([group.code], {"name": "Elf"}),
        "versus": ([group.code], {"a": ann, "b": bo}),
        "season": ([group.code, season], {}),
        "evening": ([group.code, 1], {}),
        "round": ([group.code, 1, 1], {}),
        "api_playgroups": ([], {}),
        "api_player": ([group.code, ann], {}),
        "api_season": ([group.code, season], {}),
        "api_evening": ([group.code, 1], {}),
        "api_set": ([table], {}),
        "api_log": ([table], {}),
        "api_ban_lists": ([], {}),
        "api_ban_list": ([house], {}),
        "api_announcements": ([house], {}),
        "api_verdicts": ([], {"card": "Llanowar Elves"}),
        "api_openapi": ([], {}),
    }
    found = {}
    for name in counts:
        args, query = asked.get(name, ([group.code], {}))
        where = reverse({"pairs": "versus"}.get(name, name), args=args)  # without two players
        found[name] = queries(
            lambda where=where, query=query: visitor.get(where, query, headers=sent)
        )
    return found


def all_costs(group, sent):
    """Return the costs of pages for a stranger and a scorekeeper, and of the private API."""
    pages = [costs(group, COUNTS, visitor) for visitor in (Client(), browser("mia"))]
    for visibility, headers in (("unlisted", None), ("private", sent)):
        Playgroup.objects.filter(pk=group.pk).update(visibility=visibility)
        costs(group, OF_API, Client(), headers)  # what a process reads once
        pages.append(costs(group, OF_API, Client(), headers))
    Playgroup.objects.filter(pk=group.pk).update(visibility="unlisted")
    return pages


def add_round(night, *names):
    evenings.arrive(night, names)
    for table in evenings.begin_round(evenings.pair_round(night)):
        commands.start_game(table.game_set, 1, first=1)


def test_the_cost_of_an_address_does_not_grow_with_sets_players_or_seasons(group):
    sent, elf = token(account("mia", group, "scorekeeper")), card("Llanowar Elves")
    settings.ban(group, elf, Status.BANNED, "", group.created_at.date(), account("olga"))
    group.seasons.create(name="March", starts_on="2026-03-01", ends_on="2026-03-31")
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 4}, day=day, led=LED)
    friday = evenings.create_evening(group, "Friday", COALITION_906, rounds=2, usual_size=3)
    add_round(friday, "Ann", "Bo", "Cy")
    few = all_costs(group, sent)
    for month in range(4, 9):
        group.seasons.create(
            name=f"Month {month}", starts_on=f"2026-{month:02}-01", ends_on=f"2026-{month:02}-28"
        )
    for day in range(3, 40):
        other = {"Cy": 3} if day % 2 else {"Di": 5, f"Ev {day % 9}": 1}
        evening(group, {"Ann": 9, "Bo": day % 20} | other, day=4 * day, led=LED)
    add_round(friday, *(f"Player {at}" for at in range(30)))
    for at in range(9):
        evenings.create_evening(group, f"Night {at}", COALITION_906, rounds=2, usual_size=3)
        of = other_group(f"{at}")
        settings.ban(of, elf, Status.BANNED, "", group.created_at.date(), account("olga"))

    assert few == all_costs(group, sent)
    page, scorekeeper, api, by_token = few
    assert (page, api) == (COUNTS, OF_API)
    assert max(scorekeeper.values()) <= MOST
    assert by_token == {name: count + 1 + (name in MEMBERS) for name, count in OF_API.items()}
