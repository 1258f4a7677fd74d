"""Pictures to share: their size, who gets them, their versions, and what they bear."""

import re
import struct
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from lxml import etree

from coalition_site.lib import limits
from scoring.groups.evenings import commands as evenings
from scoring.groups.pictures import of_evening
from scoring.groups.seasons import closing
from scoring.groups.settings import commands as owners
from scoring.models import GameSet, Playgroup, Season
from scoring.models.people import Visibility
from scoring.pictures import answers, drawing, look, renderer, rendering
from scoring.pictures.picture import Banner, Picture, PictureLine
from scoring.pictures.sets import of_set
from scoring.record import commands
from scoring.rules.corrections import Amend, Undo
from scoring.rules.formats import COALITION_906, FORMATS
from scoring.rules.ruleset import Ruleset
from scoring.tables.board import Who

from ..browsing import words
from ..grouped import group, play
from ..groups.visitors import account, browser, player
from ..rules.play import hit
from ..tables import text

PNG = b"\x89PNG\r\n\x1a\n"
BANNER = Banner(["Ann", "Bo"], "share the set", Who(1, "Ann"), "63", "VP")
LINES = [PictureLine("Ann", "63", "21", 1, Who(1, "Ann"))]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</text><script>alert(1)</script>",
    '"><image href="file:///etc/passwd"/>',
    "&amp; &#0; ]]> <!-- --",
    "{{ 7 * 7 }} {% raw %}",
    "W" * 80,
    "محمد عبد الله الكبير",
    "हिन्दी Ann العربية க்ஷ",
    "🐉 👨‍👩‍👧‍👦 👍🏽 🇩🇪 1️⃣",
    "\u202eright to left\u2066",
    "Z̷̢̛͎a̸̧l̶g̷o̸" * 4,
]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    answers.cache.clear()


@pytest.fixture
def thursday(db: None) -> Playgroup:
    made = group()
    account("mia", made, "member")
    return made


@pytest.fixture
def played(thursday: Playgroup) -> GameSet:
    return play(thursday, date(2026, 4, 3), {"Ann": (7, 7, 7), "Bo": (3, 3, 3), "Cy": (0, 1, 2)})


@pytest.fixture
def era(thursday: Playgroup) -> Season:
    """A season that goes on: one that has ended keeps its final table."""
    return owners.add_season(thursday, "Era", date(2026, 3, 1), date(2199, 5, 31))


def pages(of: Playgroup, table: GameSet, season: Season) -> dict[str, str]:
    """Return the address of each page that has a picture, with that of the picture."""
    evening = evenings.create_evening(of, "Club", COALITION_906, rounds=2, usual_size=3)
    shown = {"season": season.pk, "player": player(of, "Ann").pk, "evening": evening.number}
    of_group = {
        reverse(name, args=[of.code, key]): reverse(f"{name}_picture", args=[of.code, key])
        for name, key in shown.items()
    }
    return {
        reverse("watch", args=[table.code]): reverse("set_picture", args=[table.code])
    } | of_group


def size(response: HttpResponse) -> tuple[int, int]:
    assert response.content.startswith(PNG)
    assert response["Content-Type"] == "image/png"
    width, height = struct.unpack(">II", response.content[16:24])
    return width, height


def image(page: HttpResponse) -> str | None:
    found = re.search(r'property="og:image" content="http://testserver([^"]+)"', text(page))
    return found[1].replace("&amp;", "&") if found else None


def test_each_page_has_its_picture_in_exact_size_to_preview_and_to_download(thursday, played, era):
    for where, drawn in pages(thursday, played, era).items():
        page = Client().get(where)
        address = image(page)

        assert address
        assert address.startswith(drawn)
        assert re.search(f'href="{re.escape(drawn)}[^"]*" download=', text(page))
        assert size(Client().get(address)) == (1200, 630)


def test_charts_in_pictures_have_the_looks_of_those_on_pages():
    used = set(re.findall(r'class="(\w+)', Path("templates/_charts.html").read_text()))

    assert used == {name for name in used if f".chart .{name} {{" in look.style()}


def test_a_seasons_picture_names_who_leads_it_and_since_when(thursday, era, monkeypatch):
    """Corrections leave the winner of a final table, who may not be ahead any more."""
    play(thursday, date(2026, 3, 3), {"Ann": (3, 3, 3), "Bo": (7, 7, 7)})
    tables = [
        play(thursday, date(2026, 4, 3 + 7 * week), {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
        for week in range(1, 4)
    ]
    drawn, svg = [], drawing.svg
    monkeypatch.setattr(drawing, "svg", lambda picture: svg(drawn.append(picture) or picture))

    Client().get(reverse("season_picture", args=[thursday.code, era.pk]))

    (picture,) = drawn
    assert picture.banner == Banner(["Ann"], "leads", number="6.0", unit="VP per game")
    lines = [(line.name, line.value, line.rank) for line in picture.lines]
    assert lines == [("Ann", "6.0", 1), ("Bo", "4.0", 2)]
    assert picture.note == "Ann ahead since 30 April 2026"
    page = Client().get(reverse("season", args=[thursday.code, era.pk]))
    assert "day after day: Ann ahead since 30 April 2026" in words(page)
    owners.change_season(era, era.name, era.starts_on, date(2026, 5, 31))
    closing.close(era)
    for table in tables:
        commands.record(table, 1, Amend(2, hit(2, 1, 20)))
    Client().get(reverse("season_picture", args=[thursday.code, era.pk]))
    assert (drawn[-1].banner.names, drawn[-1].note) == (["Ann"], "")


def test_pictures_have_the_day_of_their_playgroups_zone(db):
    of = group(zone="America/New_York")
    at = datetime(2026, 3, 7, 0, 30, tzinfo=UTC)  # half past seven there, the day before
    table = play(of, at, {"Ann": (7, 7, 7), "Bo": (3, 3, 3)})
    evening = evenings.create_evening(
        of, "Club", COALITION_906, rounds=2, usual_size=3, starts_at=at
    )

    drawn = [subject.draw() for subject in (of_evening(evening, []), of_set(table, [], of))]

    assert [picture.about.split(" · ")[-1] for picture in drawn] == ["6 March 2026"] * 2


def test_pictures_of_a_private_playgroup_are_for_its_members_and_in_no_preview(
    thursday, played, era
):
    Playgroup.objects.update(visibility=Visibility.PRIVATE)

    member, others = browser("mia"), [Client(), browser(account("sid"))]

    for where, drawn in pages(thursday, played, era).items():
        shown = member.get(drawn)

        assert image(member.get(where)) is None
        assert [other.get(drawn).status_code for other in others] == [404, 404]
        assert size(shown) == (1200, 630)
        assert shown["Cache-Control"] == "private, no-cache"


def test_a_picture_is_stored_for_a_day_by_its_version_and_else_asked_for_again(thursday, played):
    plain = reverse("set_picture", args=[played.code])
    now = image(Client().get(reverse("watch", args=[played.code])))
    first = Client().get(now, headers={"Accept-Encoding": "gzip"})
    again = Client().get(now, headers={"If-None-Match": first["ETag"]})

    assert re.fullmatch('"[0-9a-f]{16}"', first["ETag"])
    assert "Content-Encoding" not in first.headers
    assert first["Cache-Control"] == "public, max-age=86400"
    assert (again.status_code, again.content) == (304, b"")
    for other in (plain, f"{plain}?v=0000000000000000"):
        response = Client().get(other)
        assert (response["ETag"], response.content) == (first["ETag"], first.content)
        assert "public" not in response["Cache-Control"]
        assert "no-cache" in response["Cache-Control"]


def test_what_is_corrected_has_another_picture_at_another_address(thursday, played, era):
    def versions() -> Iterator[tuple[str | None, bytes]]:
        for where in addresses:
            address = image(Client().get(where))
            yield address, Client().get(address).content

    addresses = list(pages(thursday, played, era))
    before = list(versions())

    assert list(versions()) == before
    commands.record(played, 3, Undo())
    commands.record(played, 3, Undo())
    evenings.arrive(thursday.evenings.get(), ["Ann"])
    after = list(versions())

    for old, new in zip(before, after, strict=True):
        assert old[0] != new[0]
        assert old[1] != new[1]


@pytest.mark.parametrize(
    "ruleset", [rulesets[0] for rulesets in FORMATS.values()], ids=lambda one: one.key
)
def test_a_set_of_each_format_has_a_picture_before_it_starts_and_while_it_lasts(
    db, ruleset: Ruleset
):
    most = 8 if ruleset.key.startswith("conspiracy-draft") else 4
    names = [f"Player {number}" for number in range(1, most + 1)]
    table = commands.create_set(ruleset, names, key=None, seed=1)
    where = reverse("set_picture", args=[table.code])

    before = Client().get(where)
    order = tuple(range(1, most + 1)) if ruleset.orders_by_standing else None
    commands.start_game(table, 1, first=1, turn_order=order)
    during = Client().get(where)

    assert size(before) == size(during) == (1200, 630)
    assert before["ETag"] != during["ETag"]


def tags(svg: str) -> set[str]:
    return {node.tag for node in etree.fromstring(svg.encode()).iter(etree.Element)}


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_any_name_is_drawn_as_text_and_nothing_but_text(name):
    picture = Picture(
        about=f"{name} · today",
        banner=Banner([name, "Bo"], "share the set", Who(1, name), "63", "VP"),
        lines=[PictureLine(name, "63", f"{name} + 4", 1, Who(1, name))],
    )

    svg = drawing.svg(picture)

    assert tags(svg) == tags(drawing.svg(Picture(about="", banner=BANNER, lines=LINES)))
    assert rendering.png(svg).startswith(PNG)


def test_a_text_stands_in_a_picture_as_typed_but_for_what_no_file_may_have():
    lines = [PictureLine("王 & <i>", "1")]
    about, banner = "a\x00b\ud800c\uffffd", Banner(["<b>&\x1b"])
    svg = drawing.svg(Picture(about=about, banner=banner, lines=lines))
    texts = {node.text for node in etree.fromstring(svg.encode()).iter(f"{SVG}text")}

    assert {"abcd", "<b>&", "王 & <i>"} <= texts


def test_the_packaged_fonts_are_used_in_order(tmp_path, monkeypatch):
    packaged = [
        "NotoSans-Regular.ttf",
        "NotoColorEmoji.ttf",
        "NotoSansArabic-Regular.ttf",
        "NotoSansCJK-Regular.ttc",
        "DejaVuSans.ttf",
    ]
    for name in (*packaged, "NotoSansArabic-Bold.ttf", "NotoSansMono-Regular.ttf", "read.me"):
        (tmp_path / name).touch()
    monkeypatch.setattr(rendering, "FOLDERS", (str(tmp_path),))

    assert [Path(file).name for file in rendering.fonts.__wrapped__()] == packaged


def test_nine_people_are_eight_lines_and_one_more():
    lines = [PictureLine(f"Player {number}", "1", "", number) for number in range(1, 10)]
    svg = drawing.svg(Picture(about="", banner=Banner(["A"]), lines=lines))

    assert "Player 8<" in svg
    assert "Player 9<" not in svg
    assert "and 1 more" in svg


def test_without_any_font_there_is_a_picture_still(played, monkeypatch):
    monkeypatch.setattr(rendering, "fonts", lambda: ())

    assert size(Client().get(reverse("set_picture", args=[played.code]))) == (1200, 630)


def test_whoever_comes_while_enough_are_drawn_is_asked_to_come_again(played):
    where = reverse("set_picture", args=[played.code])
    for _ in range(rendering.AT_ONCE):
        rendering._places.acquire()
    try:
        busy = Client().get(where)
    finally:
        for _ in range(rendering.AT_ONCE):
            rendering._places.release()

    assert (busy.status_code, busy["Retry-After"]) == (503, "2")
    assert "public" not in busy["Cache-Control"]
    assert "ETag" not in busy.headers
    assert Client().get(where).status_code == 200


@pytest.mark.parametrize("code", ["import time; time.sleep(9)", "raise SystemExit(1)"])
def test_a_renderer_that_hangs_or_fails_leaves_its_place_to_others(
    played, monkeypatch, tmp_path, code
):
    where = reverse("set_picture", args=[played.code])
    script = tmp_path / "renderer.py"
    script.write_text(code)
    with monkeypatch.context() as patch:
        patch.setattr(renderer, "__file__", str(script))
        patch.setattr(rendering, "PATIENCE", 0.5)
        failed = [Client().get(where).status_code for _ in range(rendering.AT_ONCE + 1)]

    assert failed == [503] * (rendering.AT_ONCE + 1)
    assert Client().get(where).status_code == 200


@pytest.mark.usefixtures("clock")
def test_an_address_gets_so_many_drawn_and_as_many_as_it_likes_that_are_there(
    thursday, played, settings
):
    settings.LIMITS = {"picture": (1, 3600)}
    limits.IN_MEMORY["picture"].times.clear()
    other = play(thursday, date(2026, 4, 4), {"Ann": (1, 1, 1), "Bo": (3, 3, 3)})
    first, second = (reverse("set_picture", args=[table.code]) for table in (played, other))

    assert [Client().get(first).status_code for _ in range(3)] == [200] * 3
    refused = Client().get(second)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
