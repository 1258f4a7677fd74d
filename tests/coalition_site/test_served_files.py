"""The files as they are served, and what they cost a phone that comes for the first time."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.finders import find
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, override_settings
from django.urls import reverse

from coalition_site.middleware import CompressPages
from coalition_site.ops.minifying import MinifiedStorage
from tests.scoring.browsing import words
from tests.scoring.groups.visitors import browser
from tests.scoring.rules.play import ANN, BO, hit
from tests.scoring.tables import address, holder, record, set_up, text

FIRST_VISIT_MAX = 33_000  # bytes over the wire, some 15,000 of them htmx
PAGE = b"<p>Ada hits Bo for 7.</p>" * 100
STORAGE = f"{MinifiedStorage.__module__}.{MinifiedStorage.__name__}"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the files that a browser gets, by the names of their sources."""
    folder = tmp_path_factory.mktemp("static")
    storages = {"staticfiles": {"BACKEND": STORAGE}}
    with override_settings(STATIC_ROOT=folder, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=["admin"])
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    return {source: folder / name for source, name in names.items()}


def source_of(name: str) -> str:
    path: Any = find(name)
    return Path(path).read_text()


def test_our_sheets_and_scripts_are_served_without_comments_and_indents(served):
    for name in ("table.css", "site.css", "js/table.js", "js/outbox.js", "js/live.js"):
        text = served[name].read_text()
        assert "/*" not in text
        assert not re.search(r"^\s|^//", text, re.MULTILINE)
        assert len(text) < 0.85 * len(source_of(name))


def test_what_packages_bring_along_is_served_as_they_wrote_it(served):
    names = [name for name in served if name.startswith("django_htmx/")]

    assert "django_htmx/htmx-2.min.js" in names
    assert [served[name].read_text() for name in names] == [source_of(name) for name in names]


@pytest.mark.parametrize(
    ("response", "is_compressed"),
    [
        (HttpResponse(PAGE), True),
        (HttpResponse(PAGE, content_type="image/png"), False),
        (StreamingHttpResponse([PAGE], content_type="text/event-stream"), False),
    ],
)
def test_pages_alone_are_compressed(response, is_compressed):
    request = HttpRequest()
    request.META["HTTP_ACCEPT_ENCODING"] = "br, gzip"

    answer = CompressPages(lambda _: response)(request)

    assert answer.has_header("Content-Encoding") is is_compressed


@pytest.mark.django_db
def test_a_phone_that_joins_a_table_waits_for_little(served):
    table = set_up()
    record(table, hit(ANN, BO, 3))
    page = holder(table).get(address(table, "score"), headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    html = gzip.decompress(page.content).decode()
    files = set(re.findall(r'(?:href|src)="/static/([^"#]+)', html))

    sizes = {"page": len(page.content)}
    for name in files:  # Brotli where that is smaller
        compressed = served[name].with_name(f"{served[name].name}.br")
        sizes[name] = (compressed if compressed.exists() else served[name]).stat().st_size

    assert "icons.svg" in files
    assert sum(sizes.values()) <= FIRST_VISIT_MAX, sizes


# --- among a phone's apps ---
def test_the_manifest_names_icons_that_are_there():
    told = Client().get(reverse("manifest")).json()

    assert (told["name"], told["display"]) == ("Coalition table", "standalone")
    assert {(icon["sizes"], icon["purpose"]) for icon in told["icons"]} == {
        *(("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
    }
    for icon in told["icons"]:
        head = Path(find(icon["src"].removeprefix("/static/"))).read_bytes()[16:24]  # of a PNG
        width, height = int.from_bytes(head[:4]), int.from_bytes(head[4:])
        assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_may_serve_the_whole_site_and_its_page_without_connection_names_nobody(db):
    worker, page = Client().get(reverse("worker")), browser("olga").get(reverse("offline"))

    assert reverse("worker").count("/") == 1
    assert worker["Content-Type"] == "text/javascript"
    assert "no-cache" in worker["Cache-Control"]
    assert ("No connection" in words(page), "olga" in text(page)) == (True, False)
