"""Who may read what: every address of the API, every role, with a token and with cookies alone."""

from datetime import date
from itertools import product
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coalition_site.api import tokens, urls
from decks.models import BanList, Status
from scoring.groups.evenings import commands as evenings
from scoring.groups.settings import commands as settings
from scoring.models import GameSet, Playgroup
from scoring.models.people import Visibility
from scoring.rules.formats import COALITION_906
from tests.decks.cards import card
from tests.scoring.grouped import group, play
from tests.scoring.groups.visitors import ROLES, account, player
from tests.scoring.tables import everything

from .asking import ask, refusal, token

SECRET = "Xanthippe"
OF_A_GROUP = (
    *("api_playgroup", "api_players", "api_player", "api_board", "api_sets"),
    *("api_seasons", "api_season", "api_records", "api_evenings", "api_evening"),
    *("api_set", "api_log", "api_ban_list", "api_announcements", "api_verdicts"),
)
OF_ALL = ("api_playgroups", "api_ban_lists")
OTHERS = ("api", "api_openapi", "api_nothing")


@pytest.fixture
def home(db: None) -> Playgroup:
    """A playgroup with one of everything that an address may name; its names are secret."""
    home = group(SECRET)
    account("olga", home, "owner")
    account("sam", home, "scorekeeper")
    account("mia", home, "member")
    account("sid")
    User.objects.create_superuser("root")
    elf = card("Llanowar Elves")
    settings.ban(home, elf, Status.BANNED, SECRET, timezone.localdate(), account("olga"))
    play(home, date(2026, 3, 6), {f"{SECRET} A": (5, 5, 5), "Bo": (1, 1, 1)})
    settings.add_season(home, SECRET, date(2026, 3, 1), date(2026, 5, 31))
    evenings.create_evening(home, SECRET, COALITION_906, rounds=1, usual_size=4)
    return home


def address(name: str, home: Playgroup) -> str:
    if name == "api_verdicts":
        house = BanList.objects.get(group=home).key
        return f"{reverse(name)}?card=Llanowar+Elves&ban_list={house}"
    args = {
        "api_player": [home.code, player(home, f"{SECRET} A").pk],
        "api_season": [home.code, home.seasons.get().pk],
        "api_evening": [home.code, 1],
        "api_set": [home.sets.get().code],
        "api_log": [home.sets.get().code],
        "api_ban_list": [BanList.objects.get(group=home).key],
        "api_announcements": [BanList.objects.get(group=home).key],
    }
    return reverse(name, args=args.get(name, [home.code] if name in OF_A_GROUP else []))


def headers(role: str) -> dict[str, str]:
    names = dict(zip(ROLES, (None, "sid", "mia", "sam", "olga", "root"), strict=True))
    user = User.objects.filter(username=names[role]).first()
    return token(user, str(uuid4())) if user else {}


def test_every_address_is_walked():
    assert {*OF_A_GROUP, *OF_ALL, *OTHERS} == {pattern.name for pattern in urls.urlpatterns}


@pytest.mark.parametrize("visibility", Visibility)
def test_each_role_reads_what_its_pages_show_and_lists_have_public_playgroups_and_ones_own(
    home, visibility
):
    Playgroup.objects.update(visibility=visibility)
    is_private, is_public = visibility == Visibility.PRIVATE, visibility == Visibility.PUBLIC
    belong, sent = {"member", "scorekeeper", "owner"}, {role: headers(role) for role in ROLES}
    offered = {"api_playgroups": belong, "api_ban_lists": belong | {"superuser"}}  # as on pages
    before, actual, expected = everything(), {}, {}

    for role, name in product(ROLES, (*OF_A_GROUP, *OF_ALL)):
        answer = Client().get(address(name, home), headers=sent[role])
        actual[role, name] = (answer.status_code, SECRET in answer.content.decode())
        is_outside = is_private and role in ("stranger", "signed in")
        expected[role, name] = (404, False) if is_outside else (200, True)
        if name in OF_ALL:
            expected[role, name] = (200, is_public or role in offered[name])

    assert actual == expected
    assert everything() == before


def test_a_cookie_is_no_token(home):
    """Neither a session nor a table's key: a page of another site could send both."""
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    GameSet.objects.update(key_hash=tokens.key_hash("a-key"), finished_at=timezone.now())
    client = Client()
    client.force_login(User.objects.get(username="olga"))
    client.cookies[f"key-{home.sets.get().code}"] = "a-key"

    for name in OF_A_GROUP:
        answer = client.get(address(name, home))
        assert (answer.status_code, answer.cookies) == (404, {}), name
        assert "Cookie" not in answer.headers["Vary"]


def test_what_is_private_answers_as_what_is_not_there(home):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)
    sent = headers("signed in")
    there = (home.code, home.sets.get().code, BanList.objects.get(group=home).key)

    for name in OF_A_GROUP:
        hidden = where = address(name, home)
        for code in there:
            where = where.replace(code, "22222222")
        answers = [Client().get(one, headers=sent) for one in (hidden, where)]
        assert refusal(answers[0]) == refusal(answers[1]), name


@pytest.mark.parametrize("sent", ["Bearer ctt_guess", "Bearer", "Basic b2xnYTpvbGdh", "", "\xff"])
def test_a_token_that_is_none_is_refused_everywhere(home, sent):
    for name in (*OF_A_GROUP, *OF_ALL, "api_openapi"):
        answer = Client().get(address(name, home), headers={"Authorization": sent})
        refused = (refusal(answer)[0], answer.headers["WWW-Authenticate"])
        assert refused == (401, "Bearer"), name


def test_a_revoked_token_and_that_of_a_closed_account_read_nothing_more(home):
    olga = User.objects.get(username="olga")
    sent = token(olga)
    assert ask("api_playgroups", headers=sent).status_code == 200

    User.objects.update(is_active=False)
    assert ask("api_playgroups", headers=sent).status_code == 401
    User.objects.update(is_active=True)
    tokens.revoke(olga.pk, olga.api_tokens.get().pk)

    assert refusal(ask("api_playgroups", headers=sent)) == (
        401,
        "This token is not valid: it was revoked, or not copied as a whole. Make another on your "
        "account page.",
    )


def test_a_player_is_read_in_its_own_playgroup_only(home):
    other = group("Another")

    answer = ask("api_player", other.code, player(home, "Bo").pk)
    sets = ask("api_sets", other.code, player=player(home, "Bo").pk)

    assert (answer.status_code, sets.status_code) == (404, 404)
