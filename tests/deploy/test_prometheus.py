"""deploy/prometheus: what to ask, when to call, and the dashboard, in a real Prometheus."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
import yaml
from django.db import connection

from coalition_site.ops import backups
from scoring.news import webhooks
from tests.bench.server import Server, free_port, running
from tests.elsewhere import address_of_database, postgres_programs
from tests.needs import need
from tests.scoring.browsing import parse, words_of
from tests.scoring.grouped import group
from tests.scoring.tables import KEY, set_up

__all__ = ["postgres_programs"]

FOLDER = Path(__file__).resolve().parents[2] / "deploy/prometheus"
RULES, CONSOLE = FOLDER / "rules.yml", FOLDER / "consoles/coalition.html"
SCENES = Path(__file__).with_name("rules.test.yml")
TOKEN = "the-token-of-who-measures"
PATIENCE = 30  # seconds; only a failure waits so long
METRIC = re.compile(r"\bcoalition_\w+")
ELSEWHERE = {  # what only the other kind of database has
    "sqlite": {"coalition_database_connections", "coalition_database_connections_max"},
    "postgresql": {"coalition_database_disk_free_ratio"},
}
NOT_SHOWN = {"sqlite": {"Connections", "Connections allowed"}, "postgresql": set()}

needs_prometheus = pytest.mark.usefixtures("installed")


@pytest.fixture
def installed() -> None:
    """Ask for Prometheus before anything is served."""
    need("prometheus", "RULES AND DASHBOARD")


def rules() -> list[dict[str, Any]]:
    (rule_group,) = yaml.safe_load(RULES.read_text())["groups"]
    return list(rule_group["rules"])


def named_metrics() -> set[str]:
    """Return every metric that a rule or the dashboard asks for."""
    texts = [rule["expr"] for rule in rules()] + re.findall('"(.*?)"', CONSOLE.read_text())
    return {name for text in texts for name in METRIC.findall(text)}


def promtool(*words: str | Path) -> str:
    done = subprocess.run(
        ["promtool", *map(str, words)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_alert_says_how_urgent_it_is_what_is_wrong_and_what_to_do():
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert sorted(rule["annotations"]) == ["description", "summary"]


def test_each_alert_has_a_scene_in_which_it_calls():
    scenes = yaml.safe_load(SCENES.read_text())["tests"]
    asked = [ask for scene in scenes for ask in scene["promql_expr_test"]]
    calling = {name for ask in asked for name in re.findall('alertname="(.*?)"', str(ask))}

    assert calling == {rule["alert"] for rule in rules()}


def test_documents_that_an_alert_names_are_there():
    for name in re.findall(r"docs/\w+\.md", RULES.read_text()):
        assert (FOLDER.parents[1] / name).exists()


@needs_prometheus
def test_the_files_are_as_prometheus_wants_them(tmp_path):
    assert f"SUCCESS: {len(rules())} rules found" in promtool("check", "rules", RULES)
    promtool("check", "config", written(tmp_path, 8000))


@needs_prometheus
def test_each_alert_calls_when_it_should_and_otherwise_stays_silent():
    assert "SUCCESS" in promtool("test", "rules", SCENES)


def written(folder: Path, port: int) -> Path:
    """Write prometheus.yml as whoever runs a site does, with the site's port and its token."""
    (folder / "token").write_text(TOKEN)
    text = (FOLDER / "prometheus.yml").read_text()
    for before, after in (
        ("/etc/prometheus/coalition.token", str(folder / "token")),
        ("127.0.0.1:8000", f"127.0.0.1:{port}"),
        ("30s", "1s"),
        ("[rules.yml]", f"[{RULES}]"),
    ):
        assert before in text
        text = text.replace(before, after)
    (folder / "prometheus.yml").write_text(text)
    return folder / "prometheus.yml"


class Prometheus:
    """A Prometheus that asks a site, on a port of its own."""

    def __init__(self, folder: Path, asks: int) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        self.command = [
            "prometheus",
            f"--config.file={written(folder, asks)}",
            f"--storage.tsdb.path={folder / 'data'}",
            f"--web.listen-address={self.address.removeprefix('http://')}",
            f"--web.console.templates={CONSOLE.parent}",
            f"--web.console.libraries={CONSOLE.parent}",
        ]
        self.log = folder / "log"

    def page(self, path: str) -> str:
        with urlopen(f"{self.address}{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def api(self, path: str, **values: str) -> Any:
        return json.loads(self.page(f"/api/v1/{path}?{urlencode(values)}"))["data"]

    def has(self, expression: str) -> bool:
        try:
            return bool(self.api("query", query=expression)["result"])
        except (URLError, OSError):
            return False

    def wait_for(self, expression: str) -> None:
        give_up = time.monotonic() + PATIENCE
        while not self.has(expression):
            assert time.monotonic() < give_up, f"{expression}: {self.log.read_text()[-2000:]}"
            time.sleep(0.1)


@pytest.fixture
def site(transactional_db: None, tmp_path: Path, postgres_programs: None) -> Iterator[Server]:
    """The site with a table, a webhook and a backup that was checked, served by two workers."""
    (tmp_path / "backups").mkdir()
    set_up()
    webhooks.save(group("Thursday"), "json", "https://receiver.example/", site="x", key=KEY)
    backup = tmp_path / "backups/2026-11-22"
    backups.back_up(backup)
    backups.check(backup, print)
    site = Server(address_of_database(), workers=2)
    site.environment |= {
        "COALITION_DEBUG": "1",  # plain static files
        "COALITION_METRICS_TOKEN": TOKEN,
        "COALITION_BACKUPS": str(tmp_path / "backups"),
    }
    with running(site):
        yield site


@pytest.fixture
def prometheus(site: Server, tmp_path: Path) -> Iterator[Prometheus]:
    """A Prometheus that has seen pages and taps; the taps are refused, and timed like others."""
    prometheus = Prometheus(tmp_path, site.port)
    with prometheus.log.open("w") as log, subprocess.Popen(prometheus.command, stderr=log) as runs:
        try:
            for _ in range(2):
                ask(site, "/")
                ask(site, "/s/22222222/score/1/hit/")
                prometheus.wait_for("coalition_requests_total{view='hit'}")
            prometheus.wait_for("rate(coalition_request_seconds_count{view='hit'}[10m]) > 0")
            yield prometheus
        finally:
            runs.terminate()


def ask(site: Server, path: str) -> None:
    data = b"" if "/hit/" in path else None
    with suppress(HTTPError):
        urlopen(f"http://localhost:{site.port}{path}", data, timeout=PATIENCE).close()


@needs_prometheus
def test_a_real_prometheus_loads_rules_and_dashboard_and_knows_all_that_they_ask_for(
    prometheus, site
):
    (rule_group,) = prometheus.api("rules")["groups"]
    health = {rule["name"]: rule["health"] for rule in rule_group["rules"]}
    assert health == {rule["alert"]: "ok" for rule in rules()}
    calling = {rule["name"] for rule in rule_group["rules"] if rule["state"] != "inactive"}
    assert calling - {"DiskNearlyFull"} == set()  # this machine's disk may be full

    (target,) = prometheus.api("targets")["activeTargets"]
    assert (target["health"], target["lastError"]) == ("up", "")
    missing = named_metrics() - set(prometheus.api("label/__name__/values"))
    assert missing == ELSEWHERE[connection.vendor]

    page = parse(prometheus.page("/consoles/coalition.html"))
    figures = {
        words_of(each.find("dt")): words_of(each.find("dd")) for each in page.xpath("//dl/div")
    }
    assert figures["Machines that answer"] == figures["Machines in all"] == "1"
    assert (figures["Database answers"], figures["Checked"], figures["Damaged"]) == (
        "yes",
        "yes",
        "no",
    )
    assert float(figures["Answers a minute"]) > 0
    unknown = {name for name, figure in figures.items() if figure == "–"}
    assert unknown == {"Grew in 30 days"} | NOT_SHOWN[connection.vendor]
    hours, views = page.xpath("//table")
    assert re.match(r"Until .* within now [\d.]+ 0 [\d.]+m?s 2 hours ago – – – 4", words_of(hours))
    assert {"hit", "home"} == set(views.xpath("tbody/tr/th/text()"))

    site.stop()
    prometheus.wait_for("ALERTS{alertname='SiteDown', alertstate='pending'}")
    assert "SiteDown" not in prometheus.page("/consoles/coalition.html")  # a restart calls nobody
