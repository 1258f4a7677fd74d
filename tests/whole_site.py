"""A site with a little of everything, and all that it hands out: what no backup may lose."""

import io
from datetime import UTC, date, datetime
from random import Random

from django.contrib.auth.models import User
from django.core.management import call_command

from decks.bans import commands as banning
from decks.models import Rule
from scoring.groups.people import players
from scoring.groups.settings import commands as settings
from scoring.models import GameSet, Playgroup
from scoring.record import commands, seating
from scoring.record.simulation import PEOPLE, Play, play_game, play_set
from scoring.rules.corrections import Amend
from scoring.rules.formats import COALITION_906, FORMATS
from tests.decks.cards import card
from tests.decks.lists import ELVES, coalition, editor, elves, register
from tests.scoring.grouped import group, play
from tests.scoring.rules.play import hit

MARCH = date(2026, 3, 6)
NOW_PLAYED = 8  # events in the game that goes on,
NOW_SEED = 0  # with dice that do not end it
PASSWORD = "seven quiet otters"


def settle() -> GameSet:
    elves()
    banning.ban(coalition(), Rule.RESERVED_LIST, "watched", "Dear.", MARCH, editor())
    deck = register("Elves", ELVES, f"{ELVES}\n").revisions.last()
    found = group("Thursday group – Ελπίδα", zone="Europe/Berlin")
    settings.ban(found, card("Elvish Mystic"), "banned", "Too\nfast.", MARCH, None)
    # An owner, a member, whom somebody else says to be, and an open invitation.
    olga, max = (User.objects.create_user(name, password=PASSWORD) for name in ("olga", "max"))
    open_for = settings.invite(found, "member", 3650, key="an-invitation")
    settings.change_role(settings.join(open_for, olga), "owner")
    settings.join(open_for, max)
    players.claim(seating.add_player(found, "Max"), max)
    settings.add_season(found, "Spring", date(2026, 3, 1), date(2026, 5, 31))
    play(found, MARCH, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)}, decks={1: deck})
    dice = Random(7)
    for rulesets in FORMATS.values():
        begin = datetime(2026, 4, 1, 22, tzinfo=UTC)
        play_set(Play(dice, begin, group=found), rulesets[0], PEOPLE[: rulesets[0].players_min])
    table = commands.create_set(COALITION_906, PEOPLE[:4], key="a-key", playgroup=found, seed=3)
    commands.start_game(table, 1)
    now = Play(Random(NOW_SEED), datetime(2026, 4, 2, 20, tzinfo=UTC))  # whatever was played before
    game = play_game(now, table, 1, until=NOW_PLAYED)
    assert game.ended_at is None
    quick = play(None, MARCH, {"Zoë 👩‍🚀": (5, 0, 20), "ann": (1, 2, 3)}, key="another-key")
    commands.record(quick, 1, Amend(1, hit(1, 2, 9)))
    return table


def exports() -> dict[str, str]:
    """Return all that the site hands out of its sets, playgroups and ban lists, as text."""
    found = {
        f"{command} {code}": _printed(command, code)
        for command, kept in (("export_set", GameSet), ("export_group", Playgroup))
        for code in kept.objects.order_by("code").values_list("code", flat=True)
    }
    return found | {"export_banlist": _printed("export_banlist", "--on=2026-06-01")}


def _printed(command: str, *said: str) -> str:
    out = io.StringIO()
    call_command(command, *said, stdout=out)
    return out.getvalue()
