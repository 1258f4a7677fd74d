"""The pages behind a leaderboard cost the same after three sets and after forty."""

from django.test import Client
from django.urls import reverse

from scoring.groups import closing
from scoring.groups.evenings import commands as evenings
from scoring.rules.formats import COALITION_906

from ...views.test_query_counts import queries
from ..visitors import account, browser, player
from .evenings import evening

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
    "evening": 8,
}
MOST = 11  # also for a member, whose session and account are read too

PAGES = {"pairs": "versus"}  # without two players


def costs(group, visitor):
    """Return how many statements each page takes now, with all seasons that are over closed."""
    closing.close_ended()
    ann, bo = player(group, "Ann").pk, player(group, "Bo").pk
    asked = {
        "board": ([], {}),
        "player": ([ann], {}),
        "heroes": ([], {}),
        "hero": ([], {"name": LED["Ann"][0]}),
        "type": ([], {"name": "Elf"}),
        "versus": ([], {"a": ann, "b": bo}),
        "pairs": ([], {}),
        "seasons_archive": ([], {}),
        "season": ([group.seasons.first().pk], {}),
        "evening": ([1], {}),
    }
    return {
        name: queries(
            lambda name=name, args=args, query=query: visitor.get(
                reverse(PAGES.get(name, name), args=[group.code, *args]), query
            )
        )
        for name, (args, query) in asked.items()
    }


def test_the_cost_of_a_page_does_not_grow_with_sets_players_or_seasons(group):
    account("mia", group, "member")
    group.seasons.create(name="March", starts_on="2026-03-01", ends_on="2026-03-31")
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 4}, day=day, led=LED)
    friday = evenings.create_evening(group, "Friday", COALITION_906, rounds=1, usual_size=3)
    evenings.arrive(friday, ["Ann", "Bo", "Cy"])
    evenings.begin_round(evenings.draw_round(friday))
    first, member = costs(group, Client()), costs(group, browser("mia"))
    for month in range(4, 9):
        group.seasons.create(
            name=f"Month {month}", starts_on=f"2026-{month:02}-01", ends_on=f"2026-{month:02}-28"
        )
    for day in range(3, 40):
        other = {"Cy": 3} if day % 2 else {"Di": 5, "Ev": 1}
        evening(group, {"Ann": 9, "Bo": day % 20} | other, day=4 * day, led=LED)

    assert first == costs(group, Client()) == COUNTS
    assert member == costs(group, browser("mia"))
    assert max(member.values()) <= MOST
