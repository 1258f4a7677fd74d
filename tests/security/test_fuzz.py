"""Thousands of malformed requests from a seed, the same ones each time: not one breaks the site.

What a stranger sends never has the id of a tap that would do; whoever holds a key or a role sends
fields that no form takes, and nothing where an empty form is enough. So none may change a row. A
Holder gets past those doors: it fills in the forms of the pages it sees, and what it does may
count, if the books are right afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote_from_bytes, urlencode, urljoin
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from scoring.models import EventRow
from tests.lengths import long
from tests.scoring.browsing import parse
from tests.scoring.tables import text

from .world import World, rows

ROLES = ("stranger", "stranger", "key", "signed in", "scorekeeper", "owner")
METHODS = ("GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "PATCH", "DELETE", "BREW")

# Where an empty form does something: a holder's would be lawful.
WITHOUT_FORM = {
    *("claim", "release", "answer_claim", "leave_group", "revoke", "house_ban", "take_out"),
    *("logout", "join", "end_evening", "draw_round", "show_playgroups", "take_deck"),
    *("announce_house_bans", "undo_split", "close_season"),
}

NUL, LONG = "\0", "x" * 9000
JUNK: tuple[str, ...] = (
    *("", " ", "0", "1", "-1", "1.5", "9" * 400, "9" * 5000, "1e400", "NaN", "Infinity", "٣", "²"),
    *("on", "true", "null", "None", "[]", "{}", '{"a":', "%", "%00", "%ff", "%2e%2e%2f", "+"),
    *("'", '"', "' OR 1=1 --", "; DROP TABLE x", "<script>x</script>", "{{ 7*7 }}", "${7*7}"),
    *("../../etc/passwd", "C:\\", "\\\\host\\x", "//evil.example", "javascript:x", "file:///x"),
    *(NUL, "a" + NUL, "\r\nX-Evil: 1", "\x1b[31m", "\x7f", "\u202e", "\u200b", "\ufeff", "\ufffd"),
    *("é", "ñ" * 99, "👩‍🚀", "\U0010ffff", "ﷺ" * 40, "a\u0301" * 60, "שרה", "İ", "ß", "ſ"),
    *("2026-13-45", "0000-00-00", "9999-12-31", "10000-01-01", "1-1-1", "12:61", "each", "hand"),
    *("combat", "hero", "coalition-906", "leveler", "owner", "private", "banned", "warn", LONG),
)
# What no form takes in any field: a character that can't be stored.
POISON = (NUL, "a\0b", "\0" * 300, "Ann\0", "1\0", LONG + NUL, "2026-01-01\0", "coalition-906\0")
FIELDS = (
    *("source", "target", "kind", "amount", "typed", "together", "collected", "drop", "event"),
    *("player", "players", "life", "poison", "by", "hero", "monarch", "turn", "reason", "starter"),
    *("game", "of", "signs", "name", "ruleset", "group", "again", "format", "into", "confirm"),
    *("role", "days", "visibility", "illegal_decks", "card", "status", "starts_on", "ends_on"),
    *("season", "first", "last", "sort", "size", "page", "q", "text", "type", "house", "list"),
    *("on", "upright", "pad", "touched", "username", "password1", "email", "next", "back", "theme"),
    *("action", "_selected_action", "_popup", "_to_field", "o", "p", "e", "all", "term"),
    *("app_label", "model_name", "field_name", "id__in", "card__name__regex", "name__contains"),
)
NO_PLACE = ("/logout/", "/sign-out/", "/links/change/", "/theme/")  # a holder would stay out
HOLDERS = ("key", "key", "member", "scorekeeper", "owner", "signed in")
# What can be stored, though hardly meant; and the numbers of other players, tables and lines.
WILD = tuple(junk for junk in JUNK if NUL not in junk) + ("",) * 20
WILD += tuple(map(str, (*range(-1, 13), 99, 999, 2**31 - 1, 2**31, 2**63 - 1, 2**63)))
HEADERS: dict[str, tuple[str, ...]] = {
    "HTTP_HX_REQUEST": ("true", "false", "", "junk"),
    "HTTP_HX_CURRENT_URL": ("http://[", "//", "http://testserver/%ff", "x" * 3000),
    "HTTP_HX_TRIGGER": ("{", "%", "\xff"),
    "HTTP_HX_TRIGGERING_EVENT": ("{", "[1", "null", "1" * 5000, "[" * 5000),
    "HTTP_TRIGGERING_EVENT": ("{", "[1", "null", "[" * 5000),
    "HTTP_IF_NONE_MATCH": ("*", '"', 'W/"', "W/W/", '"' * 999, "\xff"),
    "HTTP_IF_MODIFIED_SINCE": ("junk", "Sun, 99 Foo 9999 99:99:99 GMT", "0"),
    "HTTP_HOST": ("evil.example", "localhost:99999999", "a b", "[::1", "", "x" * 5000, "é"),
    "HTTP_X_FORWARDED_FOR": ("junk", "1.2.3.4, ::1%eth0", "x" * 9000, ",,,"),
    "HTTP_RANGE": ("bytes=0-", "bytes=-1", "bytes=9-1,1-9", "lines=1", "bytes=" + "0-1," * 900),
    "HTTP_ACCEPT_ENCODING": ("gzip;q=junk", "br", "gzip, gzip", "*"),
    "HTTP_AUTHORIZATION": ("Basic !!!", "Bearer x"),
    "CONTENT_LENGTH": ("-1", "99999999999999999999", "1"),
    "REMOTE_ADDR": ("", "junk", "::1%x"),
}
TYPES = (
    *("application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=nonsense"),
    *("application/json", "", "multipart/form-data", "multipart/form-data; boundary=x"),
    *("multipart/form-data; boundary=é", "multipart/form-data; boundary=x; charset=x", "\xff"),
)
FILES = (b"", b"\0\xff\xfe", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")


class Sent(NamedTuple):
    role: str
    method: str
    path: str
    body: bytes = b""
    content_type: str = ""
    extra: Mapping[str, str] = {}


class Fuzzer:
    def __init__(self, world: World, seed: int) -> None:
        self.chance, self.addresses = Random(seed), world.addresses

    def make(self) -> Sent:
        role = self.chance.choice(ROLES)
        name, path = self.chance.choice(self.addresses)
        method = self.chance.choice(METHODS)
        if method == "POST" and role != "stranger" and name in WITHOUT_FORM:
            method = "GET"
        if method != "POST" or role == "stranger":
            path = self._bent(path)
        body, content_type = self._body(JUNK if role == "stranger" else POISON)
        return Sent(role, method, path, body, content_type, self._headers())

    def _bent(self, path: str) -> str:
        chance, at, parts = self.chance, self.chance.randrange(len(path)), path.split("/")
        parts[chance.randrange(len(parts))] = quote_from_bytes(chance.choice(JUNK).encode(), "")
        bent = (
            *(path.rstrip("/"), path[: at + 1], "/" + path, path.replace("/", "//"), path.upper()),
            *(path.replace("/", "%2F"), path + "../" * chance.randint(1, 9), path + "%00"),
            path[:at] + quote_from_bytes(chance.randbytes(2)) + path[at + 1 :],
            *(path + "x" * 5000, path + "%ff%fe", "/".join(parts), path + ";a=b/"),
            *("/static/" + path, "/static/../" + path),
        )
        queries = [""] * 5 + ["?" + urlencode(self._fields(JUNK))] * 4
        queries.append("?" + quote_from_bytes(chance.randbytes(20), safe="&=%;+"))
        chosen = chance.choice(bent) if chance.random() < 0.5 else path
        return chosen.split("?")[0] + chance.choice(queries)

    def _fields(self, values: Sequence[str]) -> list[tuple[str, str]]:
        chosen = self.chance.choices(FIELDS, k=self.chance.randint(1, 8))
        return [(field, self.chance.choice(values)) for field in chosen]

    def _body(self, values: Sequence[str]) -> tuple[bytes, str]:
        fields = [("tap_id", self.chance.choice(POISON)), *self._fields(values)]
        kind = self.chance.choice(("form", "form", "form", "parts", "rubbish"))
        if kind == "form":
            return urlencode(fields).encode(), TYPES[0]
        if kind == "parts":
            return self._parts(fields), TYPES[5]
        return self.chance.randbytes(self.chance.randint(0, 200)), self.chance.choice(TYPES)

    def _parts(self, fields: list[tuple[str, str]]) -> bytes:
        parts = [
            f'--x\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
            for field, value in fields
        ]
        name = self.chance.choice(("file", "text", "list", "\0", "../../x"))
        head = f'--x\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        whole = b"".join(parts) + head.encode() + self.chance.choice(FILES) + b"\r\n--x--\r\n"
        return whole[: self.chance.choice((len(whole), self.chance.randint(0, len(whole))))]  # cut

    def _headers(self) -> dict[str, str]:
        names = self.chance.sample(sorted(HEADERS), self.chance.choice((0, 0, 1, 2, 5)))
        return {name: self.chance.choice(HEADERS[name]) for name in names}


def forms(html: str) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """Yield the actions of a page's forms that are posted, with what they offer for each field."""
    for form in parse(html).forms:
        action, offered = form.get("action", ""), dict[str, list[str]]()
        for field in form.iter("input", "button", "textarea", "option"):
            select = next(field.iterancestors("select"), field)
            if name := select.get("name"):
                offered.setdefault(name, []).append(field.get("value", ""))
        if form.method == "POST" and not action.endswith(NO_PLACE):
            yield action, list(offered.items())


class Holder(Fuzzer):
    def __init__(self, world: World, seed: int, clients: Mapping[str, Client]) -> None:
        super().__init__(world, seed)
        self.clients, self.taps = clients, [UUID(int=1, version=4)]

    def make(self) -> Sent:
        """Return the next request: a page with a wild query, or a form of such a page."""
        role = self.chance.choice(HOLDERS)
        # Mostly where that role means something.
        home = "/" if self.chance.random() < 0.2 else "/s/" if role == "key" else "/g/"
        there = [path for _, path in self.addresses if path.startswith(home)]
        asked = path = self.chance.choice([one for one in there if not one.endswith(NO_PLACE)])
        if self.chance.random() < 0.5:
            names = self.chance.choices(FIELDS, k=self.chance.randint(1, 2))
            asked += "?" + urlencode([(name, self.chance.choice(WILD)) for name in names])
        action, fields = self._form(role, path) if self.chance.random() < 0.8 else ("", [])
        if not fields:
            return Sent(role, "GET", asked)
        to = urljoin(path, action) if action else asked
        return Sent(role, "POST", to, urlencode(fields).encode(), TYPES[0])

    def _form(self, role: str, path: str) -> tuple[str, list[tuple[str, str]]]:
        page: Any = self.clients[role].get(path)
        is_page = page.headers.get("Content-Type", "").startswith("text/html")
        offers = list(forms(text(page))) if is_page and page.status_code < 500 else []
        if page.status_code in (302, 405):
            return "", [("tap_id", self._tap()), *self._fields(WILD)]
        if not offers:
            return "", []
        action, offered = self.chance.choice(offers)
        filled = [
            (name, self._tap())
            if name == "tap_id"
            else (name, self.chance.choice(WILD if self.chance.random() < 0.1 else values))
            for name, values in offered
        ]
        sent = [pair for pair in filled if self.chance.random() < 0.97]
        more = self.chance.choices(filled or [("x", "")], k=self.chance.choice((0, 0, 0, 1, 3)))
        return action, sent + [(name, self.chance.choice(WILD)) for name, _ in more]

    def _tap(self) -> str:
        """Return the id of a new tap, sometimes of a tap that was sent."""
        if self.chance.random() < 0.9:
            self.taps.append(UUID(int=self.chance.getrandbits(128), version=4))
        return str(self.chance.choice(self.taps[-3:]))


def run(fuzzer: Fuzzer, clients: Mapping[str, Client], count: int) -> list[str]:
    broken = []
    for _ in range(count):
        sent = fuzzer.make()
        with transaction.atomic():  # a request that breaks its transaction leaves the next alone
            answer: Any = clients[sent.role].generic(
                sent.method, sent.path, sent.body, sent.content_type or " ", **sent.extra
            )
            if answer.status_code >= 500:
                transaction.set_rollback(True)
                broken.append(f"{answer.status_code} {sent!r:.1000}")
    return broken


SEED = 906
REQUESTS = 50  # of holders before the world is put back as it was


@pytest.mark.parametrize("count", [300, *long(10_000)])
def test_malformed_requests_never_break_the_site_and_never_change_a_row(world: World, count: int):
    clients = world.clients(raise_request_exception=False)  # signing in leaves its day
    before = rows()

    broken = run(Fuzzer(world, SEED), clients, count)

    assert "\n".join(broken) == ""
    assert rows() == before


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("rounds", [5, *long(200)])
def test_what_a_holder_sends_never_breaks_the_site_and_leaves_the_books_right(
    world: World, rounds: int
):
    broken, taps = [], 0

    for turn in range(rounds):
        with transaction.atomic():
            clients, before = world.clients(raise_request_exception=False), EventRow.objects.count()
            broken += run(Holder(world, SEED + turn, clients), clients, REQUESTS)
            call_command("verify_ledger")  # exits if any is wrong
            taps += EventRow.objects.count() - before
            transaction.set_rollback(True)

    assert "\n".join(broken) == ""
    # By chance, some ten in ten rounds; none if they stood at the door.
    assert taps >= rounds // 5
