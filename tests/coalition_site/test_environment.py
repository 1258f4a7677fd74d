"""What the environment says: the site does not start with what is wrong, and says what to do."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection

from coalition_site import settings as of_the_site
from coalition_site.environment import KNOWN, Environment
from coalition_site.management.commands import serve

ROOT = Path(__file__).resolve().parents[2]
SECRET = "kX3-a9" * 9
PUBLIC = {
    "COALITION_HOSTS": "table.example.org",
    "COALITION_HTTPS": "1",
    "COALITION_SECRET_KEY": SECRET,
    "DATABASE_URL": "sqlite:////srv/table.sqlite3",
}


def refused(**said: str) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        Environment({f"COALITION_{name}": value for name, value in said.items()})
    return str(caught.value)


@pytest.mark.parametrize("said", [{}, {"COALITION_HTTPS": "", "COALITION_EMAIL_PORT": ""}])
def test_at_home_nothing_has_to_be_said(said):
    home = Environment({"PATH": "/bin"} | said)

    assert (home.debug, home.https, home.is_public) == (False, False, False)
    assert (home.secret, home.hosts) == ("", [".localhost", "127.0.0.1", "[::1]"])
    assert home.number("EMAIL_PORT", 587) == 587


def test_names_and_addresses_are_listed_with_commas():
    origins = {"COALITION_ORIGINS": "https://table.example.org:8443, http://Pi.lan:80"}
    hooks = {"COALITION_WEBHOOK_HOSTS": "Bücher.example:443, http://NAS.local:8080"}
    names = {"COALITION_HOSTS": "pi,pi_2.lan,192.168.0.7,[::1],Table.Example.org,Tisch.Müller.de"}

    found = Environment(PUBLIC | origins | hooks | names)

    assert found.origins == ["https://table.example.org:8443", "http://pi.lan"]
    assert found.webhook_origins == ["https://xn--bcher-kva.example", "http://nas.local:8080"]
    assert found.hosts == [
        *("pi", "pi_2.lan", "192.168.0.7", "[::1]", "table.example.org"),
        "tisch.xn--mller-kva.de",  # as browsers send it
    ]
    at_home = Environment({"COALITION_HOSTS": ".bücher.local"})
    assert at_home.hosts == [".xn--bcher-kva.local"]


SAFE = {"SECRET_KEY": SECRET}
REACHED = SAFE | {"HTTPS": "1", "HOSTS": "pi.lan"}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"HTTPS": "yes"}, "COALITION_HTTPS is “yes”. Set it to 0 or 1."),
        *(
            ({"ORIGINS": wrong}, f"COALITION_ORIGINS: “{wrong}” is not an address without a path.")
            for wrong in ("pi.lan", "https://pi.lan/", "https://*.example.org")
        ),
        *(
            ({"WEBHOOK_HOSTS": wrong}, f"COALITION_WEBHOOK_HOSTS: “{wrong}” is not a name.")
            for wrong in ("https://a.example/news", "me@a.example", "ü_.example")
        ),
        *(
            ({"HOSTS": f"localhost, {wrong}"}, f"COALITION_HOSTS: “{wrong}” is not a name.")
            for wrong in ("https://pi.lan", "pi.lan:8443", "*.example.org", "ü_.example")
        ),
        *(
            (SAFE | {"DEBUG": "1"} | said, "shows visitors the inside")
            for said in ({"HOSTS": "localhost,a.org"}, {"HOSTS": "localhost", "HTTPS": "1"})
        ),
        # A forged Host would stand in the links of mails that reset passwords.
        *(
            (SAFE | {"HOSTS": hosts, "HTTPS": https}, "stands for any name")
            for hosts, https in ((".example.org", "0"), ("table.example.org,*", "1"))
        ),
        (SAFE | {"HTTPS": "1"}, "needs COALITION_HOSTS"),
        (REACHED | {"SECRET_KEY": "short"}, "needs COALITION_SECRET_KEY"),
        (SAFE | {"HOSTS": "table.example.org"}, "set COALITION_HTTPS=1"),
        (REACHED, "needs DATABASE_URL"),
    ],
)
def test_what_is_wrong_or_unsafe_is_refused_with_what_to_do(said, words):
    assert words in refused(**said)


@pytest.mark.parametrize(
    "said",
    [
        {"COALITION_HOSTS": "example.org/table"},
        {"COALITION_ORIGINS": "https://example.org/table"},
        {"SCRIPT_NAME": "/table"},
        {"UVICORN_ROOT_PATH": "/table/"},
    ],
)
def test_a_site_under_a_path_of_another_does_not_start_and_says_why(said):
    started = manage("check", **PUBLIC | said)

    assert started.returncode == 1
    assert "This site can't be served under a path of another" in started.stderr
    assert "give it a name of its own, such as table.example.org." in started.stderr


def test_what_is_no_number_or_unknown_is_refused_with_what_is_known():
    for said in ("-1", "1.5", "²", "9" * 9):
        with pytest.raises(ImproperlyConfigured, match="Set it to a whole number"):
            Environment({"COALITION_LIMITS": said}).number("LIMITS", 1)

    told = refused(HOST="table.example.org", SECRET="x")

    assert told.startswith("No such setting: COALITION_HOST, COALITION_SECRET. There are:\n")
    assert re.findall(r"^COALITION_\w+", told, re.MULTILINE) == list(KNOWN)


@pytest.mark.parametrize("public", [True, False])
def test_the_inside_is_not_served_where_everybody_comes(monkeypatch, settings, public):
    """Else each core has a worker, but on SQLite one serves."""
    served: list[tuple[str, int]] = []
    settings.DEBUG, settings.ALLOWED_HOSTS = True, ["localhost"]
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(3))
    monkeypatch.setattr(serve, "network_address", lambda: "8.8.8.8" if public else "192.168.0.7")
    monkeypatch.setattr(
        serve, "serve", lambda at, count: served.append((at.getsockname()[0], count))
    )
    monkeypatch.setattr(serve, "problem", lambda: "")
    monkeypatch.setenv("COALITION_HOSTS", "")

    if public:
        with pytest.raises(CommandError, match="Add --host"):
            call_command("serve", port=0)
    else:
        call_command("serve", port=0, stdout=io.StringIO())

    workers = 1 if connection.vendor == "sqlite" else 3
    assert served == ([] if public else [("0.0.0.0", workers)])
    assert os.environ["COALITION_HOSTS"] == ("" if public else "localhost,192.168.0.7")


def test_a_site_that_begins_to_serve_says_what_is_missing(monkeypatch, settings, caplog):
    settings.HTTPS, settings.ALLOWED_HOSTS = True, ["table.example.org"]
    monkeypatch.setattr(serve, "serve", lambda *_: None)
    monkeypatch.setattr(serve, "problem", lambda: "Run manage.py migrate: 1 not applied.")
    caplog.set_level("INFO", serve.__name__)

    call_command("serve", port=0)

    assert [line.getMessage() for line in caplog.records] == [
        "Serves table.example.org to its proxy, at http://127.0.0.1:0",
        "Run manage.py migrate: 1 not applied.",
    ]


@pytest.mark.parametrize(("host", "is_reached"), [("localhost", False), ("0.0.0.0", True)])
def test_phones_are_given_an_address_only_where_they_can_reach_it(monkeypatch, host, is_reached):
    out = io.StringIO()
    monkeypatch.setattr(serve, "network_address", lambda: "192.168.0.7")
    monkeypatch.setattr(serve, "serve", lambda *_: None)
    monkeypatch.setattr(serve, "problem", lambda: "")
    monkeypatch.setenv("COALITION_HOSTS", "")

    call_command("serve", host=host, port=0, stdout=out)

    assert ("http://192.168.0.7:0/" in out.getvalue()) is is_reached


@pytest.mark.parametrize(
    ("option", "value", "kind"),
    [("--port", "0", "port"), ("--port", "65536", "port"), ("--workers", "-1", "count")],
)
def test_what_is_no_port_or_count_is_refused(monkeypatch, option, value, kind):
    monkeypatch.setattr(serve, "listen", None)

    with pytest.raises(CommandError, match=f"{option}: invalid {kind} value: '{value}'"):
        call_command("serve", option, value)


def test_what_is_no_database_is_refused_without_being_quoted_and_one_that_is_away_is_told():
    for said in ("mysql://a/b", "postgres://a:geheim#c@h/x"):
        told = manage("check", DATABASE_URL=said).stderr
        assert told.startswith("DATABASE_URL is not a database for this site. Use postgres://user:")
        assert "geheim" not in told

    told = manage("migrate", DATABASE_URL="sqlite:////no/such/folder/x.sqlite3").stderr
    assert told == "The database does not do it: unable to open database file\n"


def test_a_secret_that_can_not_be_kept_is_to_be_set(tmp_path):
    (tmp_path / "var").write_text("no folder")

    with pytest.raises(ImproperlyConfigured, match="set COALITION_SECRET_KEY"):
        of_the_site._kept_secret(tmp_path / "var" / "secret-key")


@pytest.mark.parametrize(
    ("said", "mails"),
    [
        ({}, "console"),
        ({"COALITION_HOSTS": "pi.lan"}, "console"),
        (PUBLIC, "dummy"),
        (PUBLIC | {"COALITION_EMAIL_HOST": "mail.example.org"}, "smtp"),
    ],
)
def test_a_mail_is_printed_at_home_alone_and_never_into_the_log_of_a_site_that_others_reach(
    said, mails
):
    assert Environment(said).mails == mails


def manage(*command: str, **said: str) -> subprocess.CompletedProcess[str]:
    ours = ("COALITION_", "DJANGO_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=kept | said,
        check=False,
        capture_output=True,
        text=True,
    )


def test_djangos_own_check_finds_nothing_to_say_of_a_site_behind_https():
    done = manage("check", "--deploy", "--fail-level", "DEBUG", **PUBLIC)

    assert (done.returncode, done.stderr) == (0, "")
