"""The pages of announcements: who sees and edits what, and what they show."""

import json
from datetime import date, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coalition_site.lib.dates import day
from decks.bans import commands, drafts
from decks.models import Announcement, BanEntry, BanList, Card, Rule, Status
from scoring.groups.settings import commands as group_settings
from scoring.models import Playgroup
from scoring.models.people import Visibility
from tests.scoring.browsing import form_to, parse, refusal, words, words_of
from tests.scoring.grouped import group, play
from tests.scoring.groups.visitors import account, browser, everybody
from tests.scoring.tables import everything, text, unchanged
from tests.scoring.tables.test_query_counts import queries

from ..cards import given, record
from ..lists import ELVES, TODAY, TOMORROW, coalition, editor, elves, entries_in, register
from ..pages import saved_deck, upload
from .announcing import announce, draft, publish, say

MARCH = date(2026, 3, 9)
WORDS = {"title": "Spring", "on": TOMORROW.isoformat(), "text": "Why."}


@pytest.fixture(autouse=True)
def _elves(db: None) -> None:
    elves()


@pytest.fixture
def of(ed: User) -> Announcement:
    return draft(ed)


@pytest.fixture
def client_of_ed(ed: User) -> Client:
    return browser(ed)


def at(name: str, *args: object, key: str = "coalition") -> str:
    return reverse(name, args=[key, *args])


def send(client: Client, name: str, to: Announcement, *args: object, **form: Any) -> HttpResponse:
    """Post a form of a draft as its page has it now."""
    to.refresh_from_db()
    values = {"version": to.version, **form}
    return client.post(at(name, to.pk, *args, key=to.ban_list.key), values)


def preview(response: HttpResponse) -> str:
    (section,) = parse(text(response)).xpath('//section[@aria-labelledby="preview"]')
    return words_of(section)


# --- from a draft to the announcement ---
def test_an_announcement_is_drafted_previewed_and_published(ed, client_of_ed):
    new = client_of_ed.post(at("new_draft"), WORDS | {"tap_id": str(uuid4())})
    of = Announcement.objects.get()
    send(client_of_ed, "draft_line", of, card="llanowar elves", status="banned", reason="Fast.")
    page = client_of_ed.get(new["Location"])
    seen = parse(text(page)).xpath('//input[@name="seen"]/@value')[0]
    published = client_of_ed.post(at("publish_draft", of.pk), {"seen": seen})

    assert new["Location"] == at("draft", of.pk)
    assert published["Location"] == at("announcement", TOMORROW.isoformat())
    assert preview(page).startswith(
        f"Preview From {day(TOMORROW)} on: Llanowar Elves : banned (in no deck here) "
        "No saved deck becomes illegal."
    )
    shown = words(Client().get(published["Location"]))
    for part in ("Spring", "Why.", f"Takes effect on {day(TOMORROW)}", "1 banned", "Fast."):
        assert part in shown
    assert client_of_ed.get(new["Location"])["Location"] == published["Location"]


def test_a_new_draft_takes_its_cards_with_it_or_says_which_line_is_wrong(ed, client_of_ed):
    new, tap = at("new_draft"), {"tap_id": str(uuid4())}
    lines = "Balance: banned – Too strong.\nChannel: watched"
    with unchanged():
        bad = client_of_ed.post(new, WORDS | tap | {"lines": f"{lines}\nBlance"})
    for _ in range(2):
        client_of_ed.post(new, WORDS | tap | {"lines": lines})

    assert refusal(bad)[0] == 422
    assert "Line 3: no card is called Blance. Did you mean Balance" in words(bad)
    assert f"{lines}\nBlance" in parse(text(bad)).xpath('//textarea[@name="lines"]/text()')[0]
    (of,) = Announcement.objects.all()
    assert [(str(line), line.reason) for line in of.lines.all()] == [
        ("Balance: banned", "Too strong."),
        ("Channel: watched", ""),
    ]
    of_card = parse(text(client_of_ed.get(new, {"card": "Balance"})))
    assert of_card.xpath('string(//textarea[@name="lines"])').strip() == "Balance:"


def test_an_editor_is_asked_why_and_one_reason_is_for_all_that_have_none(ed, client_of_ed, of):
    say(of, ed, {"Balance": ("banned", "Too strong."), "Channel": "banned"})
    where = at("publish_draft", of.pk)
    seen = {"seen": drafts.plan(of).fingerprint}
    assert "Why? A reason for Channel" in words(client_of_ed.get(at("draft", of.pk)))

    with unchanged():
        asked = client_of_ed.post(where, seen)
    client_of_ed.post(where, seen | {"reason": "Too fast."})

    why = "Why? Write a reason for what has none, or tick that it needs none."
    assert refusal(asked) == (422, why)
    reasons = BanEntry.objects.order_by("card__name").values_list("card__name", "reason")
    assert [*reasons] == [("Balance", "Too strong."), ("Channel", "Too fast.")]
    explained, plain = draft(ed, TOMORROW, text="As we said."), draft(ed, TOMORROW)
    for one, agreed in ((explained, {}), (plain, {"without_reason": "1"})):
        say(one, ed, {"Balance" if one == plain else "Channel": "watched"})
        sent = {"seen": drafts.plan(one).fingerprint, **agreed}
        assert client_of_ed.post(at("publish_draft", one.pk), sent).status_code == 302


# --- two days ---
def test_a_day_is_restored_by_one_tap_and_two_days_are_seen_side_by_side(ed, client_of_ed):
    announce(ed, MARCH, {"Balance": ("banned", "Too strong."), "ante": "banned"})
    announce(ed, TODAY, {"Balance": "watched", "Channel": "banned", "ante": "legal"})
    announce(ed, TOMORROW, {"Llanowar Elves": "banned"})
    asked = {"on": MARCH.isoformat(), "beside": TODAY.isoformat()}

    def side_by_side() -> list[str]:
        page = parse(text(Client().get(reverse("bans"), asked)))
        return [words_of(row) for row in page.xpath('//section[@aria-labelledby="beside"]//tr')][1:]

    def restore(on: date) -> Announcement:
        page = parse(text(client_of_ed.get(reverse("bans"), {"on": on.isoformat()})))
        (form,) = page.xpath('//section[@aria-labelledby="drafts"]//form')
        fields = {one.get("name"): one.get("value") for one in form.xpath(".//input")}
        refused = client_of_ed.post(form.get("action"), fields | {"title": ""})
        asked_again = form_to(refused, form.get("action")).fields
        made = client_of_ed.post(form.get("action"), asked_again | {"title": fields["title"]})
        return Announcement.objects.get(pk=int(made["Location"].split("/")[-2]))

    assert side_by_side() == [
        "Ante Banned –",
        "Balance Banned Too strong. Watched",
        "Channel – Banned",
    ]
    before, planned = restore(MARCH), restore(TOMORROW)
    for back in (before, planned):
        publish(back, ed)

    assert before.title == f"Back to the list of {day(MARCH)}"
    assert side_by_side() == []
    entry = BanEntry.objects.get(card__name="Balance", starts_on=TODAY, status="banned")
    assert entry.reason == "Too strong."
    # What was planned for tomorrow is taken back: the list stays what it is today.
    assert ("Llanowar Elves: banned", TOMORROW, TOMORROW) in entries_in(coalition())
    assert 'name="then"' not in text(client_of_ed.get(reverse("bans")))
    assert "Drafts" not in words(Client().get(reverse("bans"), asked))


def test_a_misspelt_name_gets_a_suggestion_that_one_tap_takes(ed, client_of_ed, of):
    answer = send(client_of_ed, "draft_line", of, card="Blance", status="watched", reason="Why.")
    (button,) = parse(text(answer)).xpath('//button[@name="suggested"][@value="Balance"]')
    of_group = send(client_of_ed, "draft_line", of, rule="named", cards="Blance", status="banned")
    assert "Did you mean Balance" in refusal(of_group)[1]
    assert not parse(text(of_group)).xpath('//button[@name="suggested"]')  # it is among others
    typed = {"card": "Blance", "status": "watched", "reason": "Why."}
    send(client_of_ed, "draft_line", of, **typed, suggested=button.get("value"))

    assert refusal(answer)[0] == 422
    assert refusal(answer)[1].startswith("No card is called “Blance”. Did you mean Balance")
    assert parse(text(answer)).xpath('//form[@id="add"]//input[@name="card"]/@value') == ["Blance"]
    assert [(str(line), line.reason) for line in of.lines.all()] == [("Balance: watched", "Why.")]


def test_a_pasted_list_puts_its_differences_into_the_draft_and_one_as_exported_has_none(
    ed, client_of_ed, of
):
    for subject in (Card.objects.get(name="Balance"), Rule.ANTE):
        commands.ban(coalition(), subject, "banned", "Too strong.", MARCH, None)

    exported = Client().get(at("export_bans"), {"on": "2026-03-09"})
    assert json.loads(exported.content)["as_of"] == "2026-03-09"
    send(client_of_ed, "draft_list", of, file=upload(exported.content, "bans.json"))
    assert "This list says what is in force already." in words(client_of_ed.get(at("draft", of.pk)))
    assert of.lines.count() == 0
    bad = send(client_of_ed, "draft_list", of, text="Blance: legal\nChannel")
    file = upload("Channel: watched\n")
    send(client_of_ed, "draft_list", of, file=file, text="", is_whole="1")

    assert refusal(bad)[0] == 422
    assert "Line 1: no card is called Blance." in words(bad)
    assert "Blance: legal" in parse(text(bad)).xpath('//textarea[@name="text"]/text()')[0]
    page = client_of_ed.get(at("draft", of.pk))
    assert "Taken from the list: 1 watched, 1 legal." in words(page)
    assert preview(page).startswith(
        f"Preview From {day(TODAY)} on: Channel : watched (in no deck here) Balance : legal, "
        "was banned"
    )


def test_a_day_in_the_past_is_asked_about(ed, client_of_ed):
    of = draft(ed, MARCH)
    say(of, ed, {"Balance": ("banned", "Why.")})
    page = client_of_ed.get(at("draft", of.pk))
    seen = parse(text(page)).xpath('//input[@name="seen"]/@value')[0]

    with unchanged():
        asked = client_of_ed.post(at("publish_draft", of.pk), {"seen": seen})
    agreed = client_of_ed.post(at("publish_draft", of.pk), {"seen": seen, "agrees_to_past": "1"})

    assert refusal(asked)[1] == (
        "9 March 2026 is past: the list of the days since then would change too. Tick that you "
        "mean it, or choose another day."
    )
    assert agreed["Location"] == at("announcement", "2026-03-09")
    assert entries_in(coalition()) == [("Balance: banned", MARCH, None)]


@pytest.mark.parametrize(
    ("visibility", "shown"),
    [(Visibility.PUBLIC, "Tuesday"), (Visibility.PRIVATE, "1 of playgroups that you can't see.")],
)
def test_a_correction_of_the_past_says_how_many_days_and_whose_boards_it_is_about(
    ed, client_of_ed, visibility, shown
):
    evening = group("Tuesday")
    Playgroup.objects.filter(pk=evening.pk).update(visibility=visibility)
    deck = register("Elves", ELVES)
    on = TODAY - timedelta(days=2)
    points = {"Ann": (1, 0, 0), "Bo": (0, 0, 0)}
    play(evening, on, points, decks={1: deck.revisions.get()})
    about, other = draft(ed, on), draft(ed, on)
    say(about, ed, {"Llanowar Elves": "banned"})
    say(other, ed, {"Balance": "banned"})

    pages = [preview(client_of_ed.get(at("draft", of.pk))) for of in (about, other)]

    for page in pages:
        assert "A correction of the past." in page
        assert f"changes for 2 days before today, from {day(on)} on." in page
        assert "Yes, correct the list of 2 days in the past" in page
    assert f"Their results stay as they were played: {shown} " in pages[0]
    assert "No board has a set since then" in pages[1]


def test_a_preview_counts_decks_that_a_planned_ban_breaks_already(ed, client_of_ed):
    register("Elves", ELVES)
    announce(ed, TOMORROW, {"Elvish Mystic": "banned"})
    of = draft(ed, TOMORROW + timedelta(days=1))
    say(of, ed, {"Llanowar Elves": "banned"})

    page = preview(client_of_ed.get(at("draft", of.pk)))

    assert "1 saved deck breaks by this as well." in page
    assert "makes it illegal by then. 1 of other people, not named here." in page
    assert "No saved deck becomes illegal." not in page


# --- two editors ---
def test_the_second_editor_sees_what_the_first_changed_and_keeps_what_was_typed(ed, of):
    before = of.version
    first, second = browser(ed), browser(editor("other"))
    line = {"card": "Balance", "status": "banned", "version": before}
    first.post(at("draft_line", of.pk), line | {"reason": "Mine."})

    with unchanged():
        late = second.post(at("draft_line", of.pk), line | {"reason": "Theirs."})
    again = parse(text(late)).xpath('//form[@id="add"]//input[@name="version"]/@value')

    status, problem = refusal(late)
    assert (status, problem[:47]) == (422, "Another editor changed this draft meanwhile. It")
    assert "Mine." in words(late)
    reasons = parse(text(late)).xpath('//form[@id="add"]//textarea[@name="reason"]/text()')
    assert reasons == ["Theirs."]
    second.post(at("draft_line", of.pk), line | {"reason": "Theirs.", "version": again[0]})
    assert of.lines.get().reason == "Theirs."


def test_a_draft_that_is_gone_says_so(ed, client_of_ed, of):
    drafts.discard(of, of.version, ed)

    elsewhere = at("draft", draft(ed).pk, key="leveler")  # of another list
    answers = [
        client_of_ed.get(elsewhere),
        client_of_ed.get(at("draft", of.pk)),
        client_of_ed.post(at("publish_draft", of.pk), {"seen": "x"}),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    gone = "This draft was published with another announcement, or discarded."
    assert gone in words(answers[0])


# --- whose decks ---
def test_a_preview_names_own_decks_and_those_seen_in_public_and_counts_the_others(
    ed, client_of_ed, of
):
    text_of = ELVES.replace("Llanowar Elves", "Elvish Mystic", 1)
    deck = saved_deck(client_of_ed, text=ELVES, name="Elves of mine")
    other, seen = register("Secret elves", ELVES), register("Seen elves", ELVES)
    register("Safe elves", text_of.replace("Llanowar", "Elvish"))
    points = {"Ann": [3, 0, 0], "Bo": [0, 0, 0]}
    hidden = group("Hidden", visibility="unlisted")
    play(hidden, MARCH, points, decks={1: other.revisions.get()})
    play(group(), TODAY, points, decks={1: seen.revisions.get()})
    say(of, ed, {"Llanowar Elves": "banned"})

    page = client_of_ed.get(at("draft", of.pk))

    assert "Llanowar Elves : banned (in 3 saved decks, brought to a table in 2)" in preview(page)
    assert "3 saved decks become illegal, with 6 games played." in preview(page)
    assert f"Yours: {deck.name} , no games Seen elves , 3 games" in preview(page)
    assert "1 of other people, not named here." in preview(page)
    assert "Secret elves" not in text(page)


def test_a_preview_says_what_is_illegal_already_what_comes_back_and_what_boards_would_have_lost(
    ed, client_of_ed, of
):
    """Of a deck that was changed since, the list as it was brought counts for the boards."""
    elves_of = partial(ELVES.replace, "Llanowar Elves", "Elvish Champion")
    announce(ed, MARCH, {"Elvish Champion": "banned"})
    register("Champions", elves_of(1))
    register("Too many", f"{ELVES}\n1 Forest")
    left = register("Left", ELVES, ELVES.replace("4 Llanowar Elves\n56", "60"))
    points = {"Ann": [3, 0, 0], "Bo": [0, 0, 0]}
    brought = {1: left.revisions.order_by("number")[0]}
    for when in (TODAY - timedelta(days=27), TODAY, TODAY - timedelta(days=29)):
        play(group(f"Group {when}", visibility="public"), when, points, decks=brought)
    play(group("Hidden", visibility="private"), TODAY, points, decks=brought)
    say(of, ed, {"Llanowar Elves": "banned", "Elvish Champion": "legal"})

    page = preview(client_of_ed.get(at("draft", of.pk)))

    assert page.startswith(
        f"Preview From {day(TODAY)} on: Llanowar Elves : banned (in 1 saved deck, brought to a "
        "table in 1) Elvish Champion : legal, was banned (in 1 saved deck, never brought to a "
        "table) 1 saved deck is illegal already. 1 of other people, not named here. "
        "1 saved deck becomes legal again. 1 of other people, not named here. "
        "No saved deck becomes illegal. In the last four weeks these boards counted results"
    )
    soon, now = (f"Group {TODAY - timedelta(days=27)}", f"Group {TODAY}")
    lost = f"They stay as they were played: {soon} : 1 result {now} : 1 result"
    assert f"{lost} 1 of playgroups that you can't see." in page


def test_a_house_list_breaks_decks_of_its_own_playgroup(ed):
    home = group()
    olga = account("olga", home, "owner")
    there, elsewhere = register("There", ELVES), register("Elsewhere", ELVES)
    at_home = {1: there.revisions.get()}
    play(home, MARCH, {"Ann": [3, 0, 0], "Bo": [0, 0, 0]}, decks=at_home)
    play(group("B"), MARCH, {"A": [3, 0, 0], "B": [0, 0, 0]}, decks={1: elsewhere.revisions.get()})
    of = draft(olga, TODAY, ban_list=group_settings.house_list(home))
    say(of, olga, {"Llanowar Elves": "banned"})

    page = browser(olga).get(at("draft", of.pk, key=of.ban_list.key))

    assert "1 saved deck becomes illegal, with 3 games played." in preview(page)


# --- who may do what ---
EDITED = {
    #                       GET, and POST with an empty form
    "announcements": "      200 405",
    "announcements_feed": " 200 405",
    "export_bans": "        200 405",
    "announcement": "       200 405",
    "announcement_words": " 200 422",
    "new_draft": "          200 422",
    "draft": "              200 422",
    "draft_line": "         302 422",
    "draft_list": "         302 422",
    "publish_draft": "      302 422",
    "discard_draft": "      302 422",
    "remove_draft_line": "  302 422",
}
FOR_ALL = ("announcements", "announcements_feed", "export_bans", "announcement")


def arguments(name: str, of: Announcement) -> list[object]:
    if name in ("announcement", "announcement_words"):
        return [MARCH.isoformat()]
    if "draft" not in name or name == "new_draft":
        return []
    return [of.pk, *([1] if name == "remove_draft_line" else [])]


def statuses(client: Client, name: str, of: Announcement) -> list[str]:
    where = at(name, *arguments(name, of), key=of.ban_list.key)
    return [str(ask(where).status_code) for ask in (client.get, client.post)]


@pytest.mark.parametrize("name", EDITED)
@pytest.mark.parametrize("whose", ["format", Visibility.PUBLIC, Visibility.PRIVATE])
def test_a_list_is_edited_by_its_editors_or_the_owners_of_its_playgroup_only(ed, name, whose):
    home = group()
    clients = {**everybody(home), "editor": browser(ed)}
    if whose == "format":
        announce(ed, MARCH, {"Balance": "banned"})
        of = draft(ed)
    else:
        olga = account("olga", home, "owner")
        group_settings.ban(home, Card.objects.get(name="Balance"), Status.BANNED, "", MARCH, olga)
        Playgroup.objects.update(visibility=whose)
        of = draft(olga, TODAY, ban_list=BanList.objects.get(base__isnull=False))
    before = everything()

    found = {role: statuses(client, name, of) for role, client in clients.items()}

    allowed = EDITED[name].split()
    may = dict.fromkeys(("editor" if whose == "format" else "owner", "superuser"), allowed)
    for role in clients:
        can_see = whose != Visibility.PRIVATE or role in ("member", "scorekeeper")
        kept = ("200", "302", "405") if can_see and name in FOR_ALL else ("302", "405")
        refused = "403" if can_see else "404"
        may.setdefault(role, [one if one in kept else refused for one in allowed])
    assert found == may
    assert {**everything(), "Session": 0} == {**before, "Session": 0}


def test_an_owner_comes_from_the_playgroups_bans_to_a_draft(ed):
    home = group()
    olga = browser(account("olga", home, "owner"))

    led = olga.post(reverse("announce_house_bans", args=[home.code]))

    assert led["Location"] == at("new_draft", key=f"group-{home.code}")
    assert olga.get(led["Location"]).status_code == 200


def test_nobody_else_reads_a_draft(ed):
    of = draft(ed, TODAY, title="A secret plan")
    say(of, ed, {"Balance": "banned"})

    pages = [at("announcements"), at("announcements_feed"), at("export_bans"), reverse("bans")]

    assert [where for where in pages if "secret plan" in text(Client().get(where))] == []
    assert "A secret plan" in words(browser(ed).get(at("announcements")))
    assert BanEntry.objects.count() == 0


def test_the_words_of_an_announcement_are_fixed_in_a_form_that_has_them(ed, client_of_ed):
    announce(ed, MARCH, {"Balance": "banned"}, title="Spring", text="Why.")
    where = at("announcement_words", MARCH.isoformat())

    form = form_to(client_of_ed.get(where), where).fields
    client_of_ed.post(where, form | {"title": "Early spring"})

    assert (form["title"], form["text"]) == (["Spring"], ["Why."])
    assert "Early spring" in words(Client().get(at("announcement", MARCH.isoformat())))


# --- the feed ---
def test_the_feed_has_each_announcement_with_its_address_and_words(ed):
    announce(ed, MARCH, {"Balance": ("banned", "Too <strong>.")}, title="Spring", text="Why.")
    announce(ed, TOMORROW, {"Balance": "legal"}, title="Later")

    response = Client().get(at("announcements_feed"))

    feed = parse(response.content)
    assert response["Content-Type"].startswith("application/atom+xml")
    assert [words_of(title) for title in feed.xpath("//entry/title")] == ["Later", "Spring"]
    assert [link.rsplit("/", 2)[1] for link in feed.xpath("//entry/link/@href")] == [
        TOMORROW.isoformat(),
        "2026-03-09",
    ]
    assert words_of(feed.xpath("//entry/summary")[1]) == (
        "In force from 9 March 2026 on. Why. Balance: banned. Too <strong>."
    )


# --- queries ---
def test_pages_take_as_many_queries_for_much_as_for_little(ed, client_of_ed, of):
    def counts() -> list[int]:
        return [queries(partial(client_of_ed.get, where)) for where in pages]

    many = given(*(record(f"Card {number}", "Sorcery") for number in range(40)))
    register("Elves", ELVES)
    announce(ed, MARCH, {"Balance": "banned"})
    say(of, ed, {"Llanowar Elves": "banned"})
    pages = [
        at("announcements"),
        at("announcement", MARCH.isoformat()),
        at("announcements_feed"),
        at("draft", of.pk),
    ]
    counts()
    few = counts()
    for number in range(8):
        register(f"Elves {number}", ELVES)
        announce(ed, MARCH - timedelta(days=number + 1), {f"Card {number}": "banned"})
    say(of, ed, {one.name: "banned" for one in many})

    assert counts() == few == [11, 9, 5, 20]
