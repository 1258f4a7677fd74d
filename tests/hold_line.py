"""The line that holds while the rooms change: every page, compared with that of before. For now.

    python -m tests.hold_line write FOLDER               two minutes of a processor, 60 MB
    python -m tests.hold_line compare FOLDER [--spaces] [--all]

Pages are read by each role at each address of the roles' walk, then along the links of tables, of
a playgroup and of decks; each form on the way is sent as it is, filled in, and with each choice
that it offers, plainly and by htmx, and taken back. One file holds a role's answers at an address:
status, headers, body. Time stands still, and chance comes from the request.

Not compared: ids of taps, tokens, codes of links, entity tags, white space around tags (with
``--spaces`` only that between words and inline tags is), how long answers take.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from hashlib import sha256
from io import StringIO
from itertools import pairwise, product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import django
from django.utils import timezone

import tests.environment  # noqa: F401

NOW = datetime(2026, 6, 15, 18, tzinfo=UTC)
DICE = random.Random()
SECRET = "the same in every worktree, so that keys and codes are too"

if __name__ == "__main__":  # before any model takes the clock for a default
    timezone.now = lambda: NOW
    os.urandom = random._urandom = DICE.randbytes  # type: ignore[attr-defined]
    os.environ.pop("DATABASE_URL", None)
    os.environ["COALITION_SECRET_KEY"] = SECRET
    os.environ["DJANGO_SETTINGS_MODULE"] = "coalition_site.settings"
    django.setup()

from django.core import mail  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from decks.models import Deck  # noqa: E402
from scoring.models import GameSet, Playgroup  # noqa: E402
from scoring.play import commands  # noqa: E402
from scoring.setlog import document  # noqa: E402
from tests.decks.faults import FAULTS, bring_pool  # noqa: E402
from tests.decks.lists import register  # noqa: E402
from tests.decks.written import deck  # noqa: E402
from tests.scoring.browsing import Page  # noqa: E402
from tests.security.world import World, build  # noqa: E402

GOLDEN = Path(__file__).parent / "golden"
PEOPLE = ("Ann", "Bo", "Cy", "Di", "Ev", "Fay")
EVENINGS = 3
NAMES_MAX = 4  # of pages that a change is in, unless all are asked for
LINKS_MAX = 500  # pages that a visitor follows links to,
LINKS_OF_PAGE_MAX = 12  # with so many different questions each
TAP_ID = "00000000-0000-4000-8000-000000000001"
LEGAL = deck("4 Elvish Mystic")
OWN = {
    "coalition": "",
    "leveler": "overdraw library",
    "conspiracy-draft": "round face_up drafted leaves reveal note turned_down",
    "conspiracy": "attack vote_called vote disclose goad_ends goad goad_moves agenda conspiracy"
    " turn_up act",
    "realm-wars": "attack assault phase development zone_damage deck commander pass_priority"
    " legend repair",
}
ENDINGS = "concede concede_to lose win draw turn"
UNTOLD = ("tap_id", "csrfmiddlewaretoken", "token")  # fields with the same value each time
FILL = {
    "name": "Dee",
    "text": LEGAL,
    "card": "Balance",
    "typed": "",
    "toxic": "",
    "username": "newcomer",
    "password1": "seven quiet otters",
    "password2": "seven quiet otters",
    "starts_on": "2026-09-01",
    "ends_on": "2026-12-01",
    "token": "0" * 32,
}
NOT_COMPARED = {"Content-Length", "Server-Timing", "X-Request-ID", "Expires"}
Pages = dict[str, str]  # by the names of their files


# --- the world ---
def settle() -> tuple[World, list[Visitor]]:
    """Fill the database, and return the world of the walk with those who follow links."""
    DICE.seed("the world")
    world = build()
    bring_pool()
    kept = register("Mystics", LEGAL, deck("3 Elvish Mystic"), deck("4 Black Lotus"))
    visitors = [visitor for path in _golden() for visitor in _tables(path)]
    owner = world.clients()["owner"]
    group = _playgroup()
    of_group = (f"/g/{group.code}/", "/groups/", *_first_sets(group))
    clients = world.clients()
    clients["key"].cookies[f"deck-{kept.code}"] = "Mystics"
    public = ("/decks/", "/cards/", "/bans/", "/account/", "/groups/", "/start/")
    visitors += [
        Visitor("owner", owner, of_group, [f"/g/{group.code}/"]),
        Visitor("stranger", clients["stranger"], of_group, [f"/g/{group.code}/"]),
        Visitor("stranger", clients["stranger"], public, [*public, f"/decks/{kept.code}/"]),
        Visitor("key", clients["key"], ("/decks/",), [f"/decks/{kept.code}/"]),
        Visitor("signed in", clients["signed in"], ("/account/", "/groups/"), ["/account/"]),
        Visitor("editor", clients["editor"], (), _of_editors(world), is_thorough=False),
    ]
    return world, visitors


def _of_editors(world: World) -> list[str]:
    return [
        where
        for name, where in world.addresses
        if name.startswith("admin:decks_") and name.endswith(("_add", "_change"))
    ]


def _golden() -> list[Path]:
    """Return the golden sets that can be played to their end."""
    return [
        path
        for path in sorted(GOLDEN.glob("*/*.log.json"))
        for log in document.read_all(json.loads(path.read_text(encoding="utf-8")))
        if document.play(log).failure is None
    ]


def _tables(path: Path) -> Iterator[Visitor]:
    """Store a golden set, and at other tables its first game: half, whole, and not begun."""
    content = json.loads(path.read_text(encoding="utf-8"))
    first = content["games"][0]
    half = first["events"][: len(first["events"]) // 2]
    is_first = path == min(path.parent.glob("*.log.json"))
    yield from _table(f"{path.name} whole", content, False)
    parts = {"first game": first["events"]} if len(content["games"]) > 1 else {}
    for part, events in ({"half": half, "not begun": []} | parts).items():
        games = [first | {"events": events}]
        began = {key: value for key, value in content.items() if key != "called"}
        is_thorough = part == "half" or is_first
        yield from _table(f"{path.name} {part}", began | {"games": games}, is_thorough)


def _table(name: str, content: Any, is_thorough: bool) -> Iterator[Visitor]:
    """Store a set, and return who keeps its score, and who looks on."""
    DICE.seed(name)
    (log,) = document.read_all(content)
    key = f"the-key-of-{sha256(name.encode()).hexdigest()[:16]}"
    code = commands.store(log, key=key).code
    client = Client(raise_request_exception=False)
    client.cookies[f"key-{code}"] = key
    here = f"/s/{code}/"
    asked = [f"do/{move}" for move in OWN[content["format"]].split()]
    asked += [f"end/{how}" for how in ENDINGS.split()]
    more = [f"{here}score/1/{what}/" for what in asked] if name.endswith("half") else []
    yield Visitor("key", client, (here,), [f"{here}score/", *more], is_thorough)
    yield Visitor("stranger", Client(), (), [here, f"{here}table/", f"{here}log/"])


def _playgroup() -> Playgroup:
    """Bring a playgroup with all golden sets, played on some evenings by changing people."""
    content = {
        "version": 1,
        "playgroup": {
            "name": "Golden group",
            "visibility": "public",
            "zone": "Europe/Berlin",
            "ruleset": "coalition-906",
            "house_rules": "Snacks:\nno crumbs",
        },
        "players": [{"name": name, "guest": name == "Fay", "merged_into": None} for name in PEOPLE],
        "seasons": [{"name": "Spring", "first": "2026-03-01", "last": "2026-05-31"}],
        "house": {"illegal_decks": "allow", "bans": [_ban("Negate"), _ban("Black Lotus")]},
        "sets": list(_sets()),
    }
    DICE.seed("the playgroup")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(content, file)
        file.flush()
        call_command("import_group", file.name, "--owner=owner", stdout=StringIO())
    return Playgroup.objects.latest("pk")


def _ban(card: str) -> dict[str, Any]:
    reason = {"status": "banned", "reason": "Too\nfast.", "first": "2026-03-06", "end": None}
    return {"card": card, "rule": None, "cards": [], **reason}


def _sets() -> Iterator[dict[str, Any]]:
    for evening, (place, path) in product(range(EVENINGS), enumerate(_golden())):
        log = _seated_anew(path.read_text(encoding="utf-8"), evening)
        begun = datetime(2026, 3 + evening, 2, 18, tzinfo=UTC) + timedelta(days=place)
        ended = [begun + timedelta(minutes=40 * game) for game in range(len(log["games"]) + 1)]
        is_open = evening == EVENINGS - 1 and place == 0
        brought = {"name": "Mystics", "list": LEGAL, "ruleset": log["ruleset"], "type": "Elf"}
        brings = log["format"] == "coalition" and not is_open
        yield {
            "created_at": begun.isoformat(),
            "people": log["players"],
            "decks": [brought if brings and seat == evening else None for seat in _seats(log)],
            "times": [[start.isoformat(), end.isoformat()] for start, end in pairwise(ended)],
            "log": log,
        }


def _seats(log: Mapping[str, Any]) -> range:
    return range(len(log["players"]))


def _seated_anew(text: str, evening: int) -> Any:
    """Return a golden set's log with other people at the table."""
    names = {name: PEOPLE[(at + evening) % len(PEOPLE)] for at, name in enumerate(PEOPLE)}
    return json.loads(re.sub(r'"(\w+)"', lambda said: f'"{names.get(said[1], said[1])}"', text))


def _first_sets(group: Playgroup) -> list[str]:
    codes = group.sets.order_by("pk").values_list("code", flat=True)[:2]
    return [f"/s/{code}/" for code in codes]


# --- asking ---
@dataclass(frozen=True)
class Visitor:
    """Who follows links that begin with one of ``within``, and sends the forms on the way."""

    role: str
    client: Client
    within: Sequence[str]
    starts: Sequence[str]
    is_thorough: bool = True


@dataclass
class Form:
    """A form: what it sends untouched, what else it offers, and what is to be typed."""

    action: str
    is_post: bool
    by_htmx: bool
    sent: dict[str, list[str]] = field(default_factory=dict)
    offered: dict[str, list[str]] = field(default_factory=dict)
    blank: list[str] = field(default_factory=list)
    ticks: set[str] = field(default_factory=set)

    def ways(self, is_thorough: bool) -> Iterator[tuple[str, dict[str, list[str]]]]:
        """Yield in which ways to fill it in, each with its name."""
        typed = {name: [FILL.get(name, "3")] for name in self.blank}
        filled = self._chosen() | self.sent | typed
        yield "as it is", self.sent
        if filled != self.sent:
            yield "filled in", filled
        for name, values in self.offered.items() if is_thorough else ():
            for value in dict.fromkeys(values):
                if filled.get(name) != [value]:
                    yield f"{name}={value}", filled | {name: [value]}

    def _chosen(self) -> dict[str, list[str]]:
        """Return the first of what is offered; of several boxes the second, a lone one is left."""
        return {
            name: [values[1] if name in self.ticks else next(filter(None, values), "")]
            for name, values in self.offered.items()
            if name not in self.ticks or len(values) > 1
        }

    def put(self, tag: str, said: Mapping[str, str | None], name: str) -> None:
        """Take in a field."""
        value, kind = said.get("value") or "", said.get("type") or "text"
        if name in UNTOLD:
            self.sent[name] = [FILL["token"] if name == "token" else TAP_ID]
        elif tag in ("button", "option") or kind in ("radio", "checkbox", "submit"):
            value = value or "on" * (kind == "checkbox")
            self.offered.setdefault(name, []).append(value)
            self.ticks |= {name} if kind == "checkbox" else set()
            if "checked" in said or "selected" in said:
                self.sent.setdefault(name, []).append(value)
        elif kind != "file":
            self.sent.setdefault(name, []).append(value)
            self.blank += [] if value or kind == "hidden" else [name]


def forms(html: str) -> list[Form]:
    """Return the forms of a page; what is ticked by nobody is not sent."""
    found: list[Form] = []
    chosen = ""
    for tag, said in Page(html).tags:
        name = said.get("name") or ""
        if tag == "form":
            is_post = (said.get("method") or "").lower() == "post"
            action = said.get("action") or said.get("hx-post") or ""
            found.append(Form(action, is_post, "hx-post" in said))
        elif tag == "select":
            chosen = name
        elif tag == "option":
            name = chosen
        is_field = tag in ("input", "button", "textarea", "option")
        if found and is_field and name and "disabled" not in said:
            found[-1].put(tag, said, name)
    return found


def links(html: str, here: str) -> Iterator[str]:
    """Yield the addresses that a page leads to, those of its forms that ask among them."""
    for _, said in Page(html).tags:
        for attribute in ("href", "hx-get", "data-fresh"):
            if said.get(attribute):
                yield urljoin(here, said[attribute] or "").partition("#")[0]
    for form in forms(html):
        for _, fields in form.ways(True) if not form.is_post else ():
            yield urljoin(here, form.action).partition("?")[0] + "?" + urlencode(fields, True)


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Walk:
    """Asks, and keeps what is answered."""

    def __init__(self) -> None:
        self.pages: Pages = {}
        kinds = ((GameSet, "set"), (Playgroup, "group"), (Deck, "deck"))
        codes = {one.code: f"{name}{one.pk}" for kind, name in kinds for one in kind.objects.all()}
        self.codes, self.code = codes, re.compile("|".join(map(re.escape, codes)))

    def all(self, world: World, visitors: Sequence[Visitor]) -> Pages:
        """Walk all addresses with all roles, then along all links."""
        for role, client in world.clients(raise_request_exception=False).items():
            for _, where in world.addresses:
                self.get(role, client, where)
        for visitor in visitors:
            self.follow(visitor)
        for visitor in visitors:
            self.seal(visitor)
        self.check_decks()
        return self.pages

    def get(self, role: str, client: Client, where: str) -> str:
        """Keep what an address answers, to htmx too where that differs; return the page."""
        html, plain = self.ask(client, where)
        self.keep(role, where, plain)
        fragment = self.ask(client, where, htmx=True)[1] if OF_HTMX.search(html) else plain
        if fragment != plain:
            self.keep(f"{role} by htmx", where, fragment)
        return html

    def ask(
        self, client: Client, where: str, form: Mapping[str, Any] | None = None, htmx: bool = False
    ) -> tuple[str, str]:
        """Return the HTML of an answer, "" if it has none, and what there is to compare."""
        DICE.seed(f"{where} {form} {htmx}")
        send, headers = copy_of(client), {"HX-Request": "true"} if htmx else {}
        with taken_back():
            how = send.get if form is None else send.post
            answer = how(where, form, headers=headers)
            shown = self.masked(answer)
            to = answer.headers.get("Location", "")
            if form is not None and not htmx and to.startswith("/"):
                shown += f"\nthen {self.masked(send.get(to))}"
            shown += "".join(f"\nmail {self.plain(one.body)}" for one in mail.outbox)
            mail.outbox.clear()
        is_html = answer.headers.get("Content-Type", "").startswith("text/html")
        return answer.content.decode() if is_html and not answer.streaming else "", shown

    def keep(self, role: str, where: str, shown: str) -> None:
        name = re.sub(r"[^\w.=&?-]+", "_", self.plain(where).strip("/")) or "home"
        if len(name) > 120:
            name = f"{name[:110]}-{sha256(name.encode()).hexdigest()[:8]}"
        self.pages[f"{role}/{name}.txt"] = f"{self.plain(where)}\n{shown}\n"

    def follow(self, visitor: Visitor) -> None:
        """Read all pages that links lead to, and send their forms, each kind once."""
        waiting, known, per_page = deque(visitor.starts), set(visitor.starts), Counter[str]()
        sent: set[tuple[Any, ...]] = set()
        while waiting:
            where = waiting.popleft()
            html = self.get(visitor.role, visitor.client, where)
            for link in links(html, where):
                page = urlsplit(link).path
                is_near = link.startswith(tuple(visitor.within)) and len(known) < LINKS_MAX
                if is_near and link not in known and per_page[page] < LINKS_OF_PAGE_MAX:
                    known.add(link)
                    per_page[page] += 1
                    waiting.append(link)
            self.send(visitor, where, html, sent)

    def send(self, visitor: Visitor, where: str, html: str, sent: set[tuple[Any, ...]]) -> None:
        for form in forms(html):
            to = urljoin(where, form.action)
            kind = (to, tuple(form.sent), tuple(form.offered))
            if not form.is_post or kind in sent:
                continue
            sent.add(kind)
            shown = []
            for name, fields in form.ways(visitor.is_thorough):
                plain = self.ask(visitor.client, to, fields)[1]
                shown.append(f"== {self.plain(name)}\n{plain}")
                if form.by_htmx:
                    fragment = self.ask(visitor.client, to, fields, htmx=True)[1]
                    shown.append(f"== {self.plain(name)} by htmx\n{fragment}")
            named = "+".join(sorted({*form.sent, *form.offered}.difference(UNTOLD)))
            self.keep(f"{visitor.role} sends", f"{where}_to_{to}_{named}", "\n".join(shown))

    def seal(self, visitor: Visitor) -> None:
        """Seal a conspiracy and turn it up, where there is a command zone."""
        zone = f"{visitor.starts[0]}1/agendas/"
        client = copy_of(visitor.client)
        if visitor.role != "key" or not visitor.within[0].startswith("/s/"):
            return
        form = {"tap_id": TAP_ID, "token": "0" * 32, "player": 1, "card": "Ogre", "name": "Elf"}
        DICE.seed(zone)
        with taken_back():
            answers = [client.get(zone), client.post(zone, form), client.get(zone)]
            if answers[0].status_code != 200:
                return
            again = {"tap_id": TAP_ID.replace("1", "2")}
            seals = re.findall(r"\b[0-9a-f]{64}\b", answers[2].content.decode())
            for seal in dict.fromkeys(seals):
                answers += [client.get(f"{zone}{seal}/"), client.post(f"{zone}{seal}/", again)]
            answers += [client.post(f"{zone}reveal/", again), client.get(zone)]
        self.keep("key seals", zone, "\n".join(map(self.masked, answers)))

    def check_decks(self) -> None:
        """Send a list with each fault that a deck can have, and keep one."""
        client = Client(raise_request_exception=False)
        for fault in FAULTS:
            form = {"text": fault.text, "ruleset": fault.ruleset, "type": fault.type}
            save = {"save": "1", "tap_id": TAP_ID, "name": "Mine"}
            for how, more in (("checks", {}), ("saves", save)):
                plain = self.ask(client, "/decks/", form | more)[1]
                by_htmx = self.ask(client, "/decks/", form | more, htmx=True)[1]
                self.keep(f"stranger {how}", str(fault), f"{plain}\n== by htmx\n{by_htmx}")

    # --- what is compared ---
    def masked(self, answer: Any) -> str:
        """Return status, headers and body of an answer, without chance."""
        headers = {
            name: "some" if name == "ETag" else self.plain(value)
            for name, value in sorted(answer.headers.items())
            if name not in NOT_COMPARED
        }
        cookies = [self.plain(name) for name in sorted(answer.cookies)]
        head = [str(answer.status_code), *(f"{name}: {said}" for name, said in headers.items())]
        head += [f"Set-Cookie: {', '.join(cookies)}"] if cookies else []
        if answer.streaming and answer.is_async:
            return "\n".join([*head, "", "(goes on)"])
        content = b"".join(answer) if answer.streaming else answer.content
        body = self.plain(content.decode("utf-8", "backslashreplace"))
        is_html = answer.headers.get("Content-Type", "").startswith("text/html")
        return "\n".join([*head, "", one_line(body) if is_html else body])

    def plain(self, text: str) -> str:
        """Return a text with names for codes, and without what differs each time."""
        text = self.code.sub(lambda found: self.codes[found[0]], text)
        for pattern, name in MASKS:
            text = pattern.sub(name, text)
        return text


MASKS = [
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "UUID"),
    (re.compile(r'(name="csrfmiddlewaretoken" value=")\w+'), r"\1TOKEN"),
    (re.compile(r"\b(?=\w*[A-Zg-z])[A-Za-z0-9]{64}\b"), "TOKEN"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "KEY"),
    (re.compile(r"(/static/[\w./-]+)\.[0-9a-f]{12}\.(\w+)"), r"\1.\2"),
]
OF_HTMX = re.compile("hx-get|data-stream")  # in a page that is drawn by parts, too
AS_WRITTEN = re.compile(r"(<(?:pre|textarea)\b.*?</(?:pre|textarea)>)", re.DOTALL)
TAG = re.compile(r"(<[^>]*>)")
INLINE = re.compile(r"</?(?:a|abbr|b|bdi|bdo|code|em|i|kbd|small|span|strong|sub|sup|time)\b")


def copy_of(client: Client) -> Client:
    """Return another browser with the same cookies."""
    other = Client(raise_request_exception=False)
    other.cookies = deepcopy(client.cookies)
    return other


def one_line(html: str) -> str:
    """Return a page on one line, with single spaces; the lines of a text that is typed marked."""
    parts = AS_WRITTEN.split(html)
    for at, part in enumerate(parts):
        parts[at] = part.replace("\n", "⏎") if at % 2 else re.sub(r"\s+", " ", part)
    return "<!---->" + "".join(parts).strip()


def to_compare(text: str, spaces: bool) -> list[str]:
    """Return the lines of a stored answer, those of a page a tag or a text each."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("<!---->"):
            lines.append(line)
            continue
        parts = TAG.split(line.removeprefix("<!---->"))
        for at, part in enumerate(parts):
            if at % 2:
                lines.append(_tag(part))
            elif part.strip():
                around = (*parts[at - 1 : at], *parts[at + 1 : at + 2]) if spaces else ()
                lines.append(_trimmed(part, around))
    return lines


def _tag(tag: str) -> str:
    """Return a tag without the white space that means nothing in it, JSON in attributes as well."""
    tag = re.sub(r",\s+(?=[\"{\[])", ",", re.sub(r"[\s⏎]+", " ", tag))
    return re.sub(r'\s*(/?>)$|(?<==")\s+|(?<=\w) (?=")', r"\1", tag)


def _trimmed(text: str, around: Sequence[str]) -> str:
    """Return a text between tags, without the white space that no reader sees."""
    is_inline = [bool(INLINE.match(tag)) for tag in around] or [False, False]
    before = "␣" if is_inline[0] and text[:1].isspace() else ""
    after = "␣" if is_inline[-1] and text[-1:].isspace() else ""
    return before + text.strip() + after


# --- writing and comparing ---
def render() -> Pages:
    """Return all answers, from a database of their own."""
    logging.disable(logging.CRITICAL)
    setup_test_environment(debug=False)
    with tempfile.TemporaryDirectory(prefix="hold-line-") as folder:
        connection.settings_dict["TEST"]["NAME"] = str(Path(folder) / "test.sqlite3")
        connection.creation.create_test_db(verbosity=0, serialize=False)
        try:
            with override_settings(STATIC_ROOT=None, WHITENOISE_AUTOREFRESH=True):
                world, visitors = settle()
                return Walk().all(world, visitors)
        finally:
            connection.close()


def write(folder: Path) -> None:
    """Write all answers to a folder, in place of those that are there."""
    for old in folder.glob("*/*.txt"):
        old.unlink()
    pages = render()
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(pages)} pages written")


def compare(folder: Path, *, spaces: bool, show_all: bool) -> int:
    """Print what differs from the answers in a folder: each change once, with where it is."""
    before = {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.glob("*/*.txt")
    }
    after = render()
    both, missing = before.keys() & after.keys(), sorted(before.keys() ^ after.keys())
    differ = 0
    changes: dict[str, list[str]] = {}
    for name in sorted(both):
        was, now = (to_compare(pages[name], spaces) for pages in (before, after))
        differ += was != now
        for change in dict.fromkeys(_changes(was, now)):
            changes.setdefault(change, []).append(name)
    for change, names in changes.items():
        _print(change, names, NAMES_MAX if not show_all else len(names))
    for name in missing:
        print(f"only {'before' if name in before else 'now'}: {name}")
    print(f"{len(both) - differ} pages the same, {differ} differ, {len(missing)} missing")
    return int(bool(differ or missing))


def _changes(was: list[str], now: list[str]) -> list[str]:
    """Return each place where two pages differ, as a unified diff has it."""
    lines = list(unified_diff(was, now, n=2, lineterm=""))[2:]
    lines = ["@@" if line.startswith("@@") else line for line in lines]
    return [part.strip("\n") for part in "\n".join(lines).split("@@\n") if part]


def _print(change: str, names: Sequence[str], most: int) -> None:
    print(f"@@ in {len(names)} pages", *(f"--- {name}" for name in names[:most]), sep="\n")
    print(change, "", sep="\n")


def main(arguments: Sequence[str]) -> int:
    what, folder, *options = arguments
    if what == "write":
        write(Path(folder))
        return 0
    return compare(Path(folder), spaces="--spaces" in options, show_all="--all" in options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
