"""What the environment says: the site does not start with what is wrong, and says what to do."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from coalition_site import settings as of_the_site
from coalition_site.environment import KNOWN, Environment, Refused
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
    """Return why the environment is refused."""
    with pytest.raises(Refused) as caught:
        Environment({f"COALITION_{name}": value for name, value in said.items()})
    return str(caught.value)


def test_at_home_nothing_has_to_be_said():
    home = Environment({"PATH": "/bin"})

    assert (home.debug, home.https, home.is_public) == (False, False, False)
    assert (home.secret, home.hosts) == ("", [".localhost", "127.0.0.1", "[::1]"])


def test_further_addresses_of_the_site_are_named_in_full():
    two = {"COALITION_ORIGINS": "https://table.example.org:8443, http://pi.lan"}

    assert Environment(two).origins == ["https://table.example.org:8443", "http://pi.lan"]
    for wrong in ("table.example.org", "https://table.example.org/", "https://*.example.org"):
        assert refused(ORIGINS=wrong) == (
            f"COALITION_ORIGINS: “{wrong}” is not an address without a path. Write it like "
            f"https://table.example.org:8443."
        )


def test_webhooks_lead_to_names_or_to_addresses_without_a_path():
    two = {"COALITION_WEBHOOK_HOSTS": "results.example.org, http://nas.local:8080"}

    assert Environment(two).webhook_hosts == ["results.example.org", "http://nas.local:8080"]
    for wrong in ("https://a.example/news", "me@a.example"):
        assert refused(WEBHOOK_HOSTS=wrong).startswith(f"COALITION_WEBHOOK_HOSTS: “{wrong}” is")


def test_a_variable_that_is_empty_says_nothing():
    assert Environment({"COALITION_HTTPS": "", "COALITION_SECRET_KEY": ""}).https is False


def test_a_variable_that_nobody_knows_is_refused_with_those_that_are_known():
    told = refused(HOST="table.example.org", SECRET="x")

    assert told.startswith("No such setting: COALITION_HOST, COALITION_SECRET. There are:\n")
    assert re.findall(r"^COALITION_\w+", told, re.MULTILINE) == list(KNOWN)


@pytest.mark.parametrize(
    "said",
    [
        *({"HOSTS": hosts} for hosts in ("table.example.org", "*", "localhost,table.example.org")),
        {"HOSTS": "localhost", "HTTPS": "1"},
    ],
)
def test_the_inside_is_not_shown_to_strangers(said):
    assert "shows visitors the inside" in refused(DEBUG="1", SECRET_KEY=SECRET, **said)


@pytest.mark.parametrize("public", [True, False])
def test_the_inside_is_not_served_where_everybody_comes(monkeypatch, settings, public):
    served: list[tuple[str, int]] = []
    settings.DEBUG, settings.ALLOWED_HOSTS = True, ["localhost"]
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
        call_command("serve", port=0, workers=1, stdout=io.StringIO())

    assert served == ([] if public else [("0.0.0.0", 1)])
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


@pytest.mark.parametrize(
    "said",
    [
        {"HTTPS": "1", "HOSTS": "pi.lan"},
        {"HTTPS": "1", "HOSTS": "pi.lan", "SECRET_KEY": "short"},
    ],
)
def test_a_site_that_others_reach_needs_a_secret(said):
    assert "needs COALITION_SECRET_KEY" in refused(**said)


def test_a_site_behind_https_needs_its_names():
    assert "needs COALITION_HOSTS" in refused(HTTPS="1", SECRET_KEY=SECRET)


@pytest.mark.parametrize(
    "host", ["https://table.example.org", "table.example.org:8443", "*.example.org", "a b"]
)
def test_a_name_is_a_name_alone(host):
    assert f"“{host}” is not a name" in refused(HOSTS=f"localhost, {host}")


@pytest.mark.parametrize("host", ["pi", "pi.lan", "192.168.0.7", "[::1]", "Table.Example.org"])
def test_what_is_a_name_is_taken(host):
    assert Environment(PUBLIC | {"COALITION_HOSTS": host}).hosts == [host]


@pytest.mark.parametrize(
    ("host", "https"),
    [("*", "0"), (".example.org", "0"), ("table.example.org,*", "1"), (".localhost", "1")],
)
def test_a_site_that_others_reach_answers_to_whole_names_only(host, https):
    """A forged Host would stand in the links of mails that reset passwords."""
    told = refused(HOSTS=host, HTTPS=https, SECRET_KEY=SECRET)

    assert "stands for any name" in told
    assert told.endswith("Give each name in full, such as table.example.org.")


def test_passwords_do_not_travel_readable():
    assert "set COALITION_HTTPS=1" in refused(HOSTS="table.example.org", SECRET_KEY=SECRET)


def test_a_site_that_others_reach_names_its_database():
    assert "needs DATABASE_URL" in refused(HOSTS="pi.lan", HTTPS="1", SECRET_KEY=SECRET)


@pytest.mark.parametrize("said", ["nonsense", "mysql://a/b", "postgres://a:geheim#c@h/x"])
def test_what_is_no_database_is_refused_without_being_quoted(said):
    told = manage("check", DATABASE_URL=said).stderr

    assert told.startswith(
        "DATABASE_URL is not a database for this site. Use postgres://user:password@"
    )
    assert "geheim" not in told


def test_a_database_that_is_not_there_is_told_in_words():
    told = manage("migrate", DATABASE_URL="sqlite:////no/such/folder/x.sqlite3").stderr

    assert told == "The database does not do it: unable to open database file\n"


def test_a_secret_that_can_not_be_kept_is_to_be_set(tmp_path):
    (tmp_path / "var").write_text("no folder")

    with pytest.raises(ImproperlyConfigured, match="set COALITION_SECRET_KEY"):
        of_the_site._kept_secret(tmp_path / "var" / "secret-key")


def test_a_switch_is_on_or_off():
    assert refused(HTTPS="yes") == "COALITION_HTTPS is “yes”. Set it to 0 or 1."


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


@pytest.mark.parametrize("said", ["", "587"])
def test_a_number_is_a_number(said):
    assert Environment({"COALITION_EMAIL_PORT": said}).number("EMAIL_PORT", 587) == 587


@pytest.mark.parametrize("said", ["-1", "many", "1.5", "²", "9" * 9])
def test_what_is_no_number_is_refused(said):
    with pytest.raises(Refused, match="Set it to a whole number"):
        Environment({"COALITION_LIMITS": said}).number("LIMITS", 1)


def manage(*command: str, **said: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the site in an environment of its own."""
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


def test_a_refusal_is_said_in_its_own_words_alone():
    done = manage("check", COALITION_HOSTS="pi.lan", COALITION_HTTPS="1")

    assert done.returncode != 0
    assert done.stderr.startswith("A site that others reach needs COALITION_SECRET_KEY")
