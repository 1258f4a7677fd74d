"""The site's environment variables: settings are read from here and from nowhere else."""

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address

import httpx
from django.core.exceptions import ImproperlyConfigured as Refused

PREFIX = "COALITION_"
AT_HOME = ".localhost,127.0.0.1,[::1]"
KNOWN = {
    "COALITION_SECRET_KEY": "signs cookies; at home generated once and stored in var/",
    "COALITION_HOSTS": "the names this site answers to, separated by commas",
    "COALITION_ORIGINS": "further addresses under which visitors see this site, where the proxy "
    "changes its name or port, as in https://table.example.org:8443, separated by commas",
    "COALITION_WEBHOOK_HOSTS": "where webhooks may lead besides Discord and Slack, as in "
    "results.example.org or http://nas.local:8080, separated by commas",
    "COALITION_SIGN_UP": "who may create an account: open, invitation (whoever has the link of a "
    "playgroup's invitation), or closed: open",
    "COALITION_HTTPS": "1 when it is reached over https, by a proxy that sets X-Forwarded-Proto "
    "and X-Forwarded-For",
    "COALITION_DEBUG": "1 while working on the code",
    "COALITION_LIMITS": "a factor for the limits on posts and streams from each place, 0 for no "
    "limits: 1",
    "COALITION_LOGS": "line, or json for JSON with a line about each request: line",
    "COALITION_WORKERS": "processes that serve together: 1 on SQLite, on PostgreSQL one for "
    "each core",
    "COALITION_METRICS_TOKEN": "lets its holder read /metrics; without it nobody may",
    "COALITION_SERVING_URL": "for migrate and restore, run as the owner of a PostgreSQL database: "
    "the DATABASE_URL of the site; its role gets what serving needs, and no more",
    "COALITION_POSTGRES_BIN": "the folder of pg_dump, pg_restore and psql, where PATH does not "
    "have them",
    "COALITION_EMAIL_HOST": "a mail server; without it a site at home prints its mails, and a site "
    "that others reach sends none",
    "COALITION_EMAIL_PORT": "its port: 587",
    "COALITION_EMAIL_TLS": "start, or whole for port 465, or none: start",
    "COALITION_EMAIL_USER": "the user name there, if it asks for a name",
    "COALITION_EMAIL_PASSWORD": "the password there",
    "COALITION_EMAIL_FROM": "the sender of mails, as in Coalition table <table@example.org>",
    "COALITION_CARD_PICTURES": "where pictures of cards come from, of none, scryfall, folder and "
    "cache: none",
    "COALITION_CARD_PICTURES_FOLDER": "the folder that has them, or that the cache fills: "
    "var/card-pictures",
    "COALITION_CARD_PICTURES_MB": "how large the cache may become: 500",
    "COALITION_SHARED": "for tests: where the shared cases are",
}
SECRET_MIN = 50  # characters
UNDER_A_PATH = (  # its addresses, cookies and offline pages all begin at /
    "This site can't be served under a path of another, as in example.org/table: give it a name of "
    "its own, such as table.example.org."
)
LISTS = {  # what each entry looks like, and what is said of others
    "HOSTS": (
        r"\*|\.?[\w-]+(\.[\w-]+)*|\[[\da-fA-F:.]+\]",
        "is not a name. Give names alone, such as table.example.org, without https:// and without "
        f"a port. {UNDER_A_PATH}",
    ),
    "ORIGINS": (
        r"https?://[\w.-]+(:\d+)?",
        "is not an address without a path. Write it like https://table.example.org:8443. "
        f"{UNDER_A_PATH}",
    ),
    "WEBHOOK_HOSTS": (
        r"(https?://)?[\w.-]+(:\d+)?",
        "is not a name. Give names, or addresses without a path, such as http://nas.local:8080.",
    ),
}
DATABASES = "postgres://user:password@host/name or sqlite:////path/to/file.sqlite3"
HOW_TO_MAKE_KEYS = "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"


class Environment:
    """:raises Refused: with what to do, if a variable is wrong."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self.variables = variables
        ours = {name for name in self.variables if name.startswith(PREFIX)}
        if unknown := sorted(ours - KNOWN.keys()):
            known = "\n".join(f"{name:<24} {means}" for name, means in KNOWN.items())
            raise Refused(f"No such setting: {', '.join(unknown)}. There are:\n{known}")
        self.hosts = []
        for host in self._listed("HOSTS", AT_HOME):
            before = "." if host.startswith(".") else ""  # for all names that end so
            name = self._url("HOSTS", host.removeprefix(".")).netloc.decode()
            self.hosts.append(before + name)
        self.origins = self._origins("ORIGINS")
        self.webhook_origins = self._origins("WEBHOOK_HOSTS")
        self.debug = self.one_of("DEBUG", "0", "1") == "1"
        self.https = self.one_of("HTTPS", "0", "1") == "1"
        self.is_public = any(map(is_public_name, self.hosts))
        self.is_reached = self.https or self.is_public
        self.secret = self.text("SECRET_KEY")
        self._refuse_unsafe()

    def text(self, name: str, otherwise: str = "") -> str:
        """Return a variable's value; an empty variable counts as unset."""
        assert PREFIX + name in KNOWN, f"list {PREFIX}{name} in KNOWN"
        return self.variables.get(PREFIX + name) or otherwise

    @property
    def mails(self) -> str:
        if self.text("EMAIL_HOST"):
            return "smtp"
        # The log of a site that others reach must not contain links from mails.
        return "dummy" if self.is_reached else "console"

    def one_of(self, name: str, *choices: str) -> str:
        """Return a variable's value; the first choice is the default."""
        value = self.text(name, choices[0])
        if value not in choices:
            raise Refused(f"{PREFIX}{name} is “{value}”. Set it to {' or '.join(choices)}.")
        return value

    def _listed(self, name: str, otherwise: str = "") -> list[str]:
        form, refusal = LISTS[name]
        parts = [part.strip() for part in self.text(name, otherwise).split(",") if part.strip()]
        for part in parts:
            if not re.fullmatch(form, part):
                raise Refused(f"{PREFIX}{name}: “{part}” {refusal}")
        return parts

    def _origins(self, name: str) -> list[str]:
        urls = [self._url(name, part) for part in self._listed(name)]
        return [f"{url.scheme}://{url.netloc.decode()}" for url in urls]

    def _url(self, name: str, part: str) -> httpx.URL:
        """As browsers and httpx compare it: lower case, ASCII, without the default port."""
        try:
            return httpx.URL(part if "://" in part else f"https://{part}")
        except httpx.InvalidURL:
            raise Refused(f"{PREFIX}{name}: “{part}” {LISTS[name][1]}") from None

    def number(self, name: str, otherwise: int) -> int:
        value = self.text(name, str(otherwise))
        if not (value.isascii() and value.isdigit() and len(value) < 9):
            raise Refused(f"{PREFIX}{name} is “{value}”. Set it to a whole number.")
        return int(value)

    def _refuse_unsafe(self) -> None:
        for name in ("SCRIPT_NAME", "UVICORN_ROOT_PATH"):  # by which servers are told of a path
            if self.variables.get(name, "").strip("/"):
                raise Refused(f"{name} is set. {UNDER_A_PATH} Then remove it.")
        if self.https and not self.text("HOSTS"):
            raise Refused(
                "COALITION_HTTPS=1 needs COALITION_HOSTS: the names this site answers to."
            )
        names = f"COALITION_HOSTS={','.join(self.hosts)}"
        if self.debug and self.is_reached:
            raise Refused(
                f"COALITION_DEBUG=1 shows visitors the inside of the site: don't use it with "
                f"COALITION_HTTPS=1 or {names}. Remove that, or COALITION_DEBUG."
            )
        wild = [host for host in self.hosts if host[0] in "*."]
        if self.is_reached and wild:
            raise Refused(
                f"COALITION_HOSTS: “{wild[0]}” stands for any name, so a visitor could "
                f"make up a name and have it put into the links of mails that reset passwords. "
                f"Give each name in full, such as table.example.org."
            )
        if self.is_public and not self.https:
            raise Refused(
                f"{names} can be reached from anywhere, and passwords would travel unencrypted. "
                f"Put the site behind a proxy that speaks https, and set COALITION_HTTPS=1."
            )
        if self.is_reached and len(self.secret) < SECRET_MIN:
            raise Refused(
                f"A site that others reach needs COALITION_SECRET_KEY, {SECRET_MIN} characters or "
                f"more, always the same. Make it:\n{HOW_TO_MAKE_KEYS}"
            )
        if self.is_reached and not self.variables.get("DATABASE_URL"):
            raise Refused(f"A site that others reach needs DATABASE_URL: {DATABASES}.")


def is_public_name(host: str) -> bool:
    """Return whether strangers may reach a host by this name.

    In a home network it has no dot, ends in .local, .lan or .internal, or is a private address.

    >>> [is_public_name(host) for host in ("*", "table.example.org", ".example.org", "8.8.8.8")]
    [True, True, True, True]
    >>> [is_public_name(host) for host in (".localhost", "[::1]", "192.168.0.7", "pi", "pi.lan")]
    [False, False, False, False, False]
    """
    try:
        return ip_address(host.strip("[]")).is_global
    except ValueError:
        _, dot, last = host.strip(".").lower().rpartition(".")
        return host == "*" or (bool(dot) and last not in ("localhost", "local", "lan", "internal"))
