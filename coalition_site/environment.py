"""What the environment may say. Settings are read from here and from nowhere else.

Python's standard library only: it is asked before Django is set up.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address

PREFIX = "COALITION_"
AT_HOME = ".localhost,127.0.0.1,[::1]"
KNOWN = {
    "COALITION_SECRET_KEY": "signs cookies; at home made once and kept in var/",
    "COALITION_HOSTS": "the names this site answers to, by commas",
    "COALITION_HTTPS": "1 when it is reached over https, by a proxy that sets X-Forwarded-Proto "
    "and X-Forwarded-For",
    "COALITION_DEBUG": "1 for work on the code",
    "COALITION_LIMITS": "how many times as much as usual may be posted, and followed, from one "
    "place, 0 for without limit: 1",
    "COALITION_LOGS": "line, or json for a line of JSON about each request too: line",
    "COALITION_METRICS_TOKEN": "who has it may read /metrics; without it nobody may",
    "COALITION_SERVING_URL": "for migrate and restore, by the owner of a PostgreSQL: DATABASE_URL "
    "as the site has it; its role gets what serving needs, and no more",
    "COALITION_REPLICA_URL": "a streaming replica of DATABASE_URL; public pages are read there",
    "COALITION_POSTGRES_BIN": "the folder of pg_dump, pg_restore and psql, where PATH does not "
    "have them",
    "COALITION_EMAIL_HOST": "a mail server; without one, mails are printed where the site "
    "runs at home, and a site that others reach sends none",
    "COALITION_EMAIL_PORT": "its port: 587",
    "COALITION_EMAIL_TLS": "start, or whole for port 465, or none: start",
    "COALITION_EMAIL_USER": "how to sign in there, if one has to",
    "COALITION_EMAIL_PASSWORD": "and with which password",
    "COALITION_EMAIL_FROM": "the sender of mails, as in Coalition table <table@example.org>",
    "COALITION_SHARED": "for tests: where the shared cases are",
}
SECRET_MIN = 50  # characters
NAME = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[\da-fA-F:.]+\]")
DATABASES = "postgres://user:password@host/name or sqlite:////path/to/file.sqlite3"
HOW_TO_MAKE_ONE = "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"


class Refused(Exception):
    """The environment says something with which the site must not start."""


class Environment:
    """What the environment says, as the settings need it.

    :raises Refused: with what to do, if it says something wrong.
    """

    def __init__(self, said: Mapping[str, str] = os.environ) -> None:
        self.said = said
        self._refuse_unknown()
        self.hosts = [one.strip() for one in self.text("HOSTS", AT_HOME).split(",") if one.strip()]
        self.debug, self.https = self._is_on("DEBUG"), self._is_on("HTTPS")
        self.is_public = any(map(is_public_name, self.hosts))
        self.is_reached = self.https or self.is_public
        self.secret = self.text("SECRET_KEY")
        self._refuse_wrong_names()
        self._refuse_unsafe()

    def text(self, name: str, otherwise: str = "") -> str:
        """Return what a variable says; one that is empty says nothing."""
        assert PREFIX + name in KNOWN, f"list {PREFIX}{name} in KNOWN"
        return self.said.get(PREFIX + name) or otherwise

    @property
    def mails(self) -> str:
        """Return what sends mails: smtp; at home without a server console, which prints them. The
        log of a site that others reach must get no link: dummy."""
        if self.text("EMAIL_HOST"):
            return "smtp"
        return "dummy" if self.is_reached else "console"

    def one_of(self, name: str, *choices: str) -> str:
        """Return which of the choices is made: the first, if none is."""
        said = self.text(name, choices[0])
        if said not in choices:
            raise Refused(f"{PREFIX}{name} is “{said}”. Say {' or '.join(choices)}.")
        return said

    def number(self, name: str, otherwise: int) -> int:
        """Return a whole number from 0."""
        said = self.text(name, str(otherwise))
        if not (said.isascii() and said.isdigit() and len(said) < 9):
            raise Refused(f"{PREFIX}{name} is “{said}”. Say a whole number.")
        return int(said)

    def _is_on(self, name: str) -> bool:
        return self.one_of(name, "0", "1") == "1"

    def _refuse_unknown(self) -> None:
        unknown = sorted(one for one in self.said if one.startswith(PREFIX) and one not in KNOWN)
        if unknown:
            raise Refused(f"No such setting: {', '.join(unknown)}. There are:\n{listed()}")

    def _refuse_wrong_names(self) -> None:
        wrong = [host for host in self.hosts if not NAME.fullmatch(host)]
        if wrong:
            raise Refused(
                f"COALITION_HOSTS: “{wrong[0]}” is no name. Say names alone, as table.example.org, "
                f"without https:// and without a port."
            )
        if self.https and not self.text("HOSTS"):
            raise Refused(
                "COALITION_HTTPS=1 needs COALITION_HOSTS: the names this site answers to."
            )

    def _refuse_unsafe(self) -> None:
        names = f"COALITION_HOSTS={','.join(self.hosts)}"
        if self.debug and self.is_reached:
            raise Refused(
                f"COALITION_DEBUG=1 shows visitors the inside of the site: not with "
                f"COALITION_HTTPS=1 or {names}. Take that out, or COALITION_DEBUG."
            )
        wild = [host for host in self.hosts if host[0] in "*."]
        if self.is_reached and wild:
            raise Refused(
                f"COALITION_HOSTS: “{wild[0]}” stands for any name, so a visitor could "
                f"make one up and have it put into the links of mails that reset passwords. Say "
                f"each name in full, as table.example.org."
            )
        if self.is_public and not self.https:
            raise Refused(
                f"{names} is reached from everywhere, and passwords would travel readable. Put the "
                f"site behind a proxy that speaks https, and say COALITION_HTTPS=1."
            )
        if self.is_reached and len(self.secret) < SECRET_MIN:
            raise Refused(
                f"A site that others reach needs COALITION_SECRET_KEY, {SECRET_MIN} characters or "
                f"more, always the same. Make one:\n{HOW_TO_MAKE_ONE}"
            )
        if self.is_reached and not self.said.get("DATABASE_URL"):
            raise Refused(f"A site that others reach needs DATABASE_URL: {DATABASES}.")


def listed() -> str:
    """Return all that the environment may say, a variable on a line."""
    return "\n".join(f"{name:<24} {means}" for name, means in KNOWN.items())


def is_public_name(host: str) -> bool:
    """Say whether strangers may reach a host by this name; in a home network it has no dot, ends
    in .local, .lan or .internal, or is an address of that network.

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
