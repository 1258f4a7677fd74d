"""Pages of statistics: a player, heroes and coalition types, two players head to head."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from scoring.groups.evenings import commands as evenings
from scoring.groups.people import merging, players
from scoring.models import Player, Playgroup
from scoring.pictures import charts
from scoring.record import commands, seating
from scoring.record.latest import Past
from scoring.rules.formats import COALITION_906
from scoring.rules.formats.leveler import LEVELER
from scoring.rules.moves import Win
from tests.decks.cards import given, record

from ...browsing import Page, refusal, words
from ...grouped import group as playgroup
from ...tables import text, unchanged
from ..evenings.pages import BEGAN, ask, carry, evening, history, section, sums, table_rows
from ..visitors import account, browser, player
from .test_teams import war


def test_it_sums_up_all_sets_with_their_heroes_and_lists_them(group):
    goblins, elves = ("Krenko, Mob Boss", "Goblin"), ("Lathril, Blade of the Elves", "Elf")
    evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": goblins, "Bo": elves})
    evening(group, {"Bo": 4, "Ann": 3}, led={"Ann": goblins}, day=1)
    evening(group, {"Bo": 12, "Ann": 6, "Cy": 0}, led={"Ann": elves}, day=2)
    evening(group, {"Ann": 7, "Bo": 4}, led={"Ann": (None, None)}, day=60)

    page = ask(group, "player", player(group, "Ann").pk)

    assert sums(page) == {
        "Sets": "4",
        "Sets won": "2",
        "Games": "4",
        "Games won": "0",
        "VP": "25",
        "VP per game": "6.2",
        "21 reached": "0 %",
        "VP as first": "8.0",
        "VP as last": "3.0",
        "VP in a set": "9 2 Mar 2026",
        "VP in a turn": "9 2 Mar 2026",
    }
    assert history(page) == [
        "1 May 2026 Rank 1 Ann 7, Bo 4",
        "4 March 2026 Rank 2 Bo 12, Ann 6, Cy 0 · Lathril, Blade of the Elves · Elf",
        "3 March 2026 Rank 2 Bo 4, Ann 3 · Krenko, Mob Boss · Goblin",
        "2 March 2026 Rank 1 Ann 9, Bo 4 · Krenko, Mob Boss · Goblin",
    ]
    assert table_rows(page, "Heroes") == [
        ["Krenko, Mob Boss", "2", "1", "6.0"],
        ["Lathril, Blade of the Elves", "1", "0", "6.0"],
    ]
    assert table_rows(page, "Coalition types") == [
        ["Goblin", "2", "1", "6.0"],
        ["Elf", "1", "0", "6.0"],
    ]


def opponents(group, name: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return the rows of a player's best and worst opponents; there is no heading over none."""
    page = ask(group, "player", player(group, name).pk)
    best, worst = (
        table_rows(page, title) if title in text(page) else []
        for title in ("Best opponents", "Worst opponents")
    )
    return best, worst


def test_opponents_go_by_the_difference_of_vp_from_three_shared_sets_on(group):
    for day in range(3):
        evening(group, {"Ann": 9, "Bo": 3, "Cy": 15, "Ed": 9, "Guest": 0}, day=day)
    evening(group, {"Ann": 18, "Bo": 0, "Di": 0}, day=3)
    Player.objects.filter(name="Guest").update(is_guest=True)

    assert opponents(group, "Ann") == ([["Bo", "4", "4", "+9.0"]], [["Cy", "3", "0", "−6.0"]])
    assert opponents(group, "Di") == ([], [])
    assert sums(ask(group, "player", player(group, "Guest").pk))["VP"] == "0"


def test_curves_are_drawn_of_means_with_a_dot_for_each_set_and_once_there_is_one_of_ratings(group):
    for day, won in enumerate((0, 14, 7, 9)):
        evening(group, {"Ann": won, "Bo": 4}, day=day)
    before = ask(group, "player", player(group, "Ann").pk)
    evening(group, {"Ann": 9, "Bo": 4}, day=4)
    after = text(ask(group, "player", player(group, "Ann").pk))

    assert section(before, "Rating") == "1610 ± 354, provisional until 10 sets are finished."
    assert "Rating after each of the last 5 sets: from 14" in after
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="2.5"', text(before))
    assert [y for _, y in dots] == ["110.0", "43.3", "76.7", "67.1"]
    assert 'class="now" points="40.0,110.0 156.7,76.7 273.3,76.7 390.0,74.3"' in text(before)
    assert (
        "VP per game over the last 4 sets, as the mean of up to 10 of them: at its lowest 0.0, "
        "at its highest 7.5, now 7.5." in text(before)
    )
    assert "2 Mar 2026 5 Mar 2026" in section(before, "VP per game")


def test_the_band_of_the_rating_is_as_wide_as_the_rating_may_be_off():
    mus = [25.0, 26.0, 27.0, 26.0, 25.0]
    results = [Past(0, 0, mu, 8.0 - at, played_on=BEGAN.date()) for at, mu in enumerate(mus)]

    curve = charts.rating_curve(results)

    assert curve
    assert [value for value, _ in curve.grid] == [1100, 1500, 1900]
    assert curve.line == "40.0,60.0 127.5,57.0 215.0,54.0 302.5,57.0 390.0,60.0"
    assert curve.band == (
        "40.0,12.0 127.5,15.0 215.0,18.0 302.5,27.0 390.0,36.0 "
        "390.0,84.0 302.5,87.0 215.0,90.0 127.5,99.0 40.0,108.0"
    )


def test_the_streak_that_lasts_stands_beside_the_longest(group):
    for day, won in enumerate((9, 9, 9, 0, 9, 9)):
        evening(group, {"Ann": won, "Bo": 4}, day=day)
    page = ask(group, "player", player(group, "Ann").pk)
    evening(group, {"Ann": 0, "Bo": 4}, day=6)
    lost = ask(group, "player", player(group, "Ann").pk)

    shown = sums(page)
    assert (shown["Sets won in a row"], shown["In a row now"]) == ("3 4 Mar 2026", "2")
    code = group.sets.earliest("pk").code
    assert f'<dt>VP in a set</dt><dd>9 <a class="small" href="/s/{code}/">' in text(page)
    assert sums(lost)["Sets won in a row"] == "3 4 Mar 2026"
    assert "In a row now" not in sums(lost)


def test_honours_stand_in_order_with_the_day_on_which_each_was_earned_first(group):
    played = [(0, 3), (1, 9), (1, 9), (2, 9), *((day, 9) for day in range(4, 9))]
    for number, (day, won) in enumerate(played):
        evening(group, {"Ann": won, "Bo": 4}, day=day, led={"Ann": (f"Hero {number}", "Elf")})
    at = BEGAN + timedelta(days=3)
    table = commands.create_set(COALITION_906, ["Ann", "Bo"], at=at, playgroup=group)
    commands.start_game(table, 1, first=1, at=at)
    commands.record(table, 1, Win(1), at=at)  # which raises her to 21
    commands.call_set(table)
    evening(group, {"Ann": 9, "Bo": 4}, day=9, led={"Ann": ("Hero 0", "Elf")})
    nine = section(ask(group, "player", player(group, "Ann").pk), "Honours")
    evening(group, {"Ann": 9, "Bo": 4}, day=10, led={"Ann": ("Hero 9", "Elf")})

    ten = section(ask(group, "player", player(group, "Ann").pk), "Honours")

    assert nine == (
        "An unbeaten evening 3 March 2026 Three sets won in a row 4 March 2026 "
        "First 21 5 March 2026"
    )
    assert ten == f"{nine} Ten heroes played 12 March 2026"
    assert "Honours" not in text(ask(group, "player", player(group, "Bo").pk))


def test_the_latest_evenings_are_listed_also_those_of_merged_players(group):
    came = [("Club night", "Ann"), ("Open night", "Annie"), ("Late", "Anny"), ("Without", "Bo")]
    for number, (name, who) in enumerate(came):
        at = BEGAN + timedelta(days=number)
        one = evenings.create_evening(
            group, name, COALITION_906, rounds=1, usual_size=3, starts_at=at
        )
        evenings.arrive(one, [who])
    ann, annie = player(group, "Ann"), player(group, "Annie")
    merging.merge(player(group, "Anny"), annie)
    merging.merge(annie, ann)
    before = text(ask(group, "player", ann.pk))
    evening(group, {"Ann": 9, "Bo": 4})

    page, merged = (ask(group, "player", one.pk) for one in (ann, annie))

    assert "No finished set yet." in before
    shown = "4 March 2026: Late 3 March 2026: Open night 2 March 2026: Club night"
    assert section(page, "Evenings") == shown
    where = reverse("player", args=[group.code, ann.pk])
    assert (merged.status_code, merged["Location"]) == (302, where)


def test_sets_come_ten_at_a_time(group):
    for day in range(12):
        evening(group, {"Ann": day % 20, "Bo": 0}, day=day)
    ann = player(group, "Ann").pk

    first, second = ask(group, "player", ann), ask(group, "player", ann, page=2)

    assert [len(history(one)) for one in (first, second)] == [10, 2]
    assert 'href="?page=2#sets"' in text(first)
    assert "More" not in text(second)
    for page in ("0", "-1", "x", "", "1e3", "9" * 30, "٣"):
        assert ask(group, "player", ann, page=page).status_code == 404
    assert ask(group, "player", 10**30).status_code == 404


KRENKO, LATHRIL = "Krenko, Mob Boss", "Lathril, Blade of the Elves"
GOBLINS, ELVES = (KRENKO, "Goblin"), (LATHRIL, "Elf")


@pytest.fixture
def played(group):
    """Two sets with goblins and elves, and one of another playgroup."""
    evening(group, {"Ann": 9, "Bo": 4}, led={"Ann": GOBLINS, "Bo": GOBLINS})
    evening(group, {"Ann": 3, "Bo": 6}, led={"Ann": GOBLINS, "Bo": ELVES}, day=1)
    evening(playgroup(), {"Cy": 20, "Di": 0}, led={"Cy": GOBLINS})
    return group


def test_the_overview_has_all_that_were_played_the_most_played_first(played):
    """Decks of every format."""
    table = commands.create_set(LEVELER, ["Ann", "Bo"], at=BEGAN, playgroup=played)
    carry(table, "Bo", None, None)
    commands.start_game(table, 1, first=1, at=BEGAN)
    commands.record(table, 1, Win(2), at=BEGAN)

    page = ask(played, "heroes")

    assert {title: table_rows(page, title) for title in ("Heroes", "Coalition types", "Decks")} == {
        "Heroes": [[KRENKO, "3", "1", "5.3"], [LATHRIL, "1", "1", "6.0"]],
        "Coalition types": [["Goblin", "3", "1", "5.3"], ["Elf", "1", "1", "6.0"]],
        "Decks": [["A deck", "A win fills up to 21", "4", "2"], ["A deck", "Leveler", "1", "1"]],
    }


def test_a_page_without_heroes_or_decks_explains_how_they_come_here(group):
    page = words(ask(playgroup(ruleset="leveler"), "heroes"))

    assert "No finished set has heroes yet." in words(ask(group, "heroes"))
    assert "No finished set has decks yet." in page
    assert "Heroes" not in page


def test_a_hero_and_a_type_have_their_sums_their_players_but_guests_and_their_sets(played):
    page = ask(played, "hero", name=KRENKO)
    Player.objects.filter(name="Bo").update(is_guest=True)
    elves, goblins = ask(played, "type", name="Elf"), ask(played, "type", name="Goblin")

    assert sums(page) == {
        "Played in sets": "3",
        "Sets won": "1",
        "Games": "3",
        "VP": "16",
        "VP per game": "5.3",
    }
    assert table_rows(page, "By whom") == [["Ann", "2", "1", "6.0"], ["Bo", "1", "0", "4.0"]]
    assert table_rows(page, "As which type") == [["Goblin", "3", "1", "5.3"]]
    assert history(page) == [
        "3 March 2026 Rank 2 Bo 6, Ann 3",
        "2 March 2026 Rank 1 Ann 9, Bo 4",
        "2 March 2026 Rank 2 Ann 9, Bo 4",
    ]
    assert (sums(elves)["VP"], sums(goblins)["VP"]) == ("6", "16")
    assert table_rows(elves, "With which hero") == [[LATHRIL, "1", "1", "6.0"]]
    assert table_rows(goblins, "By whom") == [["Ann", "2", "1", "6.0"]]


def test_a_hero_has_its_art_and_the_artist_where_the_site_shows_pictures(played, settings):
    settings.CARD_PICTURES = "scryfall"
    source = settings.CARD_PICTURES_SOURCE
    addresses = {size: f"{source}/{size}/krenko.jpg" for size in ("normal", "art_crop")}
    given(record(KRENKO, image_uris=addresses, artist="Ann Ox"))

    shown = {name: text(ask(played, "hero", name=name)) for name in (KRENKO, LATHRIL)}
    board = text(ask(played, "board"))

    for name, page in shown.items():
        assert (addresses["art_crop"] in page) is (name == KRENKO)
    assert f"{KRENKO} by Ann Ox." in " ".join(shown[KRENKO].split())
    assert ("art_crop" in board) is (f"{KRENKO} by Ann Ox." in " ".join(board.split()))


@pytest.mark.parametrize("name", ["", "Nobody", "krenko\0", "x" * 999, "'; --", "🐲"])
def test_a_name_that_nobody_played_is_404_and_says_where_to_choose(played, name):
    for page in ("hero", "type"):
        answer = ask(played, page, name=name)

        assert answer.status_code == 404
        assert "no finished set here with a hero or a type of that name" in words(answer)
    assert ask(played, "hero").status_code == 404


def test_it_shows_the_sets_that_both_played(group):
    none = words(ask(group, "versus"))
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 15})
    evening(group, {"Bo": 12, "Ann": 6}, day=1)
    evening(group, {"Bo": 5, "Ann": 5}, day=2)
    evening(group, {"Bo": 1, "Ann": 8}, day=3)
    evening(group, {"Ann": 18, "Cy": 0}, day=4)
    ann, bo = player(group, "Ann"), player(group, "Bo")

    page = ask(group, "versus", a=ann.pk, b=bo.pk)

    assert (
        "Who finished ahead of whom, and how often, stands here after the first finished set."
        in none
    )
    assert table_rows(page, "Ann and Bo") == [["Ann", "2", "28", "7.0"], ["Bo", "1", "22", "5.5"]]
    assert section(page, "Ann and Bo").startswith("4 sets against each other, 1 of them tied.")
    tags = Page(text(page)).tags
    assert [at["aria-label"] for tag, at in tags if at.get("class") == "duel"] == [
        "Of 4 sets, Ann came first of the two in 2, Bo in 1, tied in 1."
    ]
    assert [float(at["width"]) for tag, at in tags if tag == "rect"] == [200.0, 100.0]
    assert history(page) == [
        "5 March 2026 Ann first Ann 8, Bo 1",
        "4 March 2026 tied Bo 5, Ann 5",
        "3 March 2026 Bo first Bo 12, Ann 6",
        "2 March 2026 Ann first Ann 9, Bo 4",
    ]


def test_a_chosen_player_stays_chosen_until_there_are_two_and_nobody_is_refused_in_words(group):
    evening(group, {"Ann": 9, "Bo": 4})
    ann = player(group, "Ann").pk

    page = ask(group, "versus", a=ann)

    chosen = [form.fields["a"] for form in Page(text(page)).forms if "a" in form.fields]
    assert (page.status_code, chosen) == (200, [[str(ann)]])
    same = ask(group, "versus", a=ann, b=ann)
    assert refusal(same) == (422, "Choose two different players.")
    assert "after the first finished set" not in text(same)
    for wrong in ("x", "0", "-1", "9" * 30, "\0", "٣"):
        answers = [ask(group, "versus", a=wrong, b=ann), ask(group, "versus", a=ann, b=wrong)]
        assert [refusal(answer) for answer in answers] == [
            (422, f"Choose the {which} player again.") for which in ("first", "second")
        ]


def test_guests_and_merged_players_are_not_to_be_chosen_or_in_the_grid(group):
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 0, "Di": 0})
    Player.objects.filter(name="Cy").update(is_guest=True)
    Player.objects.filter(name="Di").update(merged_into=player(group, "Ann"))

    page = ask(group, "versus")

    options = [at.get("value") for tag, at in Page(text(page)).tags if tag == "option"]
    both = [str(player(group, name).pk) for name in ("Ann", "Bo")]
    assert options[:6] == ["", *both, "", *both]
    assert [row[0] for row in table_rows(page, "All pairs")] == ["Ann", "Bo"]


def test_an_address_may_name_a_guest_or_a_player_who_is_merged_by_now(group):
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 0})
    ann, bo, cy = (player(group, name) for name in ("Ann", "Bo", "Cy"))
    Player.objects.filter(pk=cy.pk).update(is_guest=True)
    old = group.players.create(name="Robert", merged_into=bo)

    by_guest, by_old = (ask(group, "versus", a=one.pk, b=ann.pk) for one in (cy, old))
    alone = ask(group, "versus", a=cy.pk)

    assert table_rows(by_guest, "Cy and Ann") == [["Cy", "0", "0", "0.0"], ["Ann", "1", "9", "9.0"]]
    assert table_rows(by_old, "Bo and Ann") == [["Bo", "0", "4", "4.0"], ["Ann", "1", "9", "9.0"]]
    [chosen] = [form.fields["a"] for form in Page(text(alone)).forms if "a" in form.fields]
    assert chosen == [str(cy.pk)]
    assert [row[0] for row in table_rows(alone, "All pairs")] == ["Ann", "Bo"]


def test_the_grid_has_everybody_against_everybody(group):
    evening(group, {"Ann": 9, "Bo": 4, "Cy": 4})
    evening(group, {"Bo": 12, "Ann": 6}, day=1)
    evening(group, {"Ann": 8, "Bo": 1}, day=2)
    evening(group, {"Di": 8, "Ann": 9}, day=3)

    page = ask(group, "versus")

    assert table_rows(page, "All pairs") == [
        ["Ann", "+3 4–1", "", "+1 2–1", "+1 1–0", "+1 1–0"],
        ["Bo", "−1 1–2", "−1 1–2", "", "0 0–0", ""],
        ["Cy", "−1 0–1", "−1 0–1", "0 0–0", "", ""],
        ["Di", "−1 0–1", "−1 0–1", "", "", ""],
    ]
    tags = Page(text(page)).tags
    cy, di = player(group, "Cy"), player(group, "Di")
    never_met = words(ask(group, "versus", a=cy.pk, b=di.pk))
    assert "Cy and Di have finished no set against each other." in never_met
    looks = [at["class"] for tag, at in tags if tag == "td" and at.get("class")]
    assert looks == [*["up clear"] * 4, *["down clear"] * 6]


def test_whoever_has_few_sets_stands_last_in_the_grid_and_a_chosen_player_s_row_is_a_list(group):
    for day in range(2):
        evening(group, {"Ann": 4, "Bo": 9}, day=day)
    evening(group, {"Ann": 8, "Bo": 4, "Cy": 9}, day=2)
    cy, bo = player(group, "Cy").pk, player(group, "Bo").pk

    page = ask(group, "versus", a=bo)

    assert [row[0] for row in table_rows(page, "All pairs")] == ["Bo", "Ann", "Cy"]
    assert table_rows(page, "Bo against everybody") == [
        ["Ann", "3", "2", "1", "+1"],
        ["Cy", "1", "0", "1", "−1"],
    ]
    assert f'href="?a={bo}&amp;b={cy}"' in text(page)
    assert f'href="?format=coalition&amp;a={bo}"' in text(page)
    assert 'id="one"' not in text(ask(group, "versus", a=999999))


def test_teammates_are_no_opponents_on_any_page(group):
    war(group, "Ann Bo Cy Di", 1, times=3)
    war(group, "Ann Cy Bo Di", 3)
    ann, bo, cy = (player(group, name).pk for name in ("Ann", "Bo", "Cy"))

    grid, mates, foes = (
        ask(group, "versus", **form) for form in ({}, {"a": ann, "b": bo}, {"a": ann, "b": cy})
    )
    page = ask(group, "player", ann)

    assert table_rows(grid, "All pairs") == [
        ["Bo", "+8 8–0", "", "+1 1–0", "+3 3–0", "+4 4–0"],
        ["Ann", "+4 6–2", "−1 0–1", "", "+2 3–1", "+3 3–0"],
        ["Di", "−4 2–6", "−3 0–3", "−2 1–3", "", "+1 1–0"],
        ["Cy", "−8 0–8", "−4 0–4", "−3 0–3", "−1 0–1", ""],
    ]
    assert table_rows(mates, "Ann and Bo") == [["Ann", "0"], ["Bo", "1"]]
    assert len(history(mates)) == 1
    assert table_rows(foes, "Ann and Cy") == [["Ann", "3"], ["Cy", "0"]]
    assert len(history(foes)) == 3
    assert table_rows(page, "Best opponents") == [
        ["Cy", "3", "3", "+1.0"],
        ["Di", "4", "3", "+0.5"],
    ]


# --- the same person in other playgroups ---
@pytest.fixture
def groups(db: None) -> dict[str, Playgroup]:
    """Playgroups of each visibility, in all of which Ann is the account of "ann"."""
    made = {
        "home": playgroup("Home", visibility="unlisted"),
        "public": playgroup("Public club"),
        "unlisted": playgroup("Unlisted club", visibility="unlisted"),
        "private": playgroup("Private club", visibility="private"),
    }
    for number, one in enumerate(made.values(), 1):
        evening(one, {"Ann": 3 * number, "Bo": 1})
        Player.objects.filter(playgroup=one, name="Ann").update(user=account("ann"))
    return made


def named(groups: dict[str, Playgroup], client: Client | None = None) -> set[str]:
    """Return which playgroups the page of Ann at home leads to."""
    home = groups["home"]
    page = text(ask(home, "player", player(home, "Ann").pk, client=client))
    others = {name: one for name, one in groups.items() if name != "home"}
    return {name for name, one in others.items() if f"/g/{one.code}/" in page or one.name in page}


def test_visitors_see_public_playgroups_and_their_own(groups):
    players.show_playgroups(account("ann"), True)
    member = browser(account("mia", groups["private"], "member"))
    account("mia2", groups["unlisted"], "member")

    home = groups["home"]

    assert named(groups) == {"public"}
    assert groups["public"].name not in text(ask(home, "player", player(home, "Bo").pk))
    assert named(groups, member) == {"public", "private"}
    assert named(groups, browser("mia2")) == {"public", "unlisted"}


def test_only_the_account_itself_agrees_and_can_take_it_back(groups):
    where, form = reverse("show_playgroups"), {"shows_playgroups": "on"}
    with unchanged():
        answer = Client().post(where, form)
    browser("bo").post(where, form)
    before, client = named(groups), browser("ann")
    client.post(where, form)
    agreed, page = named(groups), text(client.get(reverse("account")))
    client.post(where)

    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("login"))
    assert (before, agreed, named(groups)) == (set(), {"public"}, set())
    assert 'name="shows_playgroups" checked' in page


def test_a_player_whose_account_is_on_a_merged_player_is_the_same_person(groups):
    players.show_playgroups(account("ann"), True)
    home, club = groups["home"], groups["public"]
    merging.merge(player(home, "Ann"), seating.add_player(home, "Annie"))
    merging.merge(player(club, "Ann"), seating.add_player(club, "Anna"))

    page = ask(home, "player", player(home, "Annie").pk)

    assert table_rows(page, "In other playgroups") == [["Public club", "1", "6.0"]]
    assert f'href="{reverse("player", args=[club.code, player(club, "Anna").pk])}"' in text(page)
