"""A pytest plugin: choose the tests that PostgreSQL has to pass too, by what they send to SQLite.

    python -m pytest -p tests.cover --chosen FILE

Chosen is what asks for it by the marker ``both``, what commits, what SQLite skips, and of all
others as few as send each distinct statement once. Those that send little are preferred, not those
that are fast: by their times others would be chosen in each run.
"""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest
from django.db.backends.signals import connection_created

OVERHEAD = 20  # statements that take as long as a test takes beside them
# A statement is the same whatever is in it, and however much.
SAME = [
    (re.compile(r"\b\d+\b"), "0"),
    (re.compile(r"\(%s(?:, %s)+\)"), "(%s)"),  # a list
    (re.compile(r"\(%s\)(?:, \(%s\))+"), "(%s)"),  # rows of an INSERT
    (re.compile(r"(?: WHEN \([^()]*\) THEN %s)+"), " WHEN"),  # rows of an UPDATE
]
OF_NO_TABLE = ("SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA")

Sent = tuple[bool, int, list[str]]  # whether a test is chosen anyway, how much it sent, and what


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chosen", type=Path, help="where to write the tests that are chosen")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config))


class Recorder:
    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.texts: list[str] = []
        self.sent: dict[str, Sent] = {}
        connection_created.connect(self.connected)

    def connected(self, connection: Any, **_: Any) -> None:
        if self.note not in connection.execute_wrappers:
            connection.execute_wrappers.append(self.note)

    def note(self, execute: Any, sql: str, *how: Any) -> Any:
        self.texts.append(sql)
        return execute(sql, *how)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.texts.clear()
        yield
        if item.get_closest_marker("database"):
            is_chosen = self.sent.get(item.nodeid, (False,))[0]
            keys = {key(text) for text in self.texts if not text.lstrip().startswith(OF_NO_TABLE)}
            self.sent[item.nodeid] = (is_chosen, len(self.texts), sorted(keys))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any) -> Iterator[None]:
        outcome: Any = yield
        is_chosen = outcome.get_result().skipped or item.get_closest_marker("both")
        if is_chosen and item.get_closest_marker("database"):
            self.sent[item.nodeid] = (True, 0, [])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.sent |= getattr(node, "workeroutput", {}).get("sent", {})  # none if it crashed

    def pytest_sessionfinish(self) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["sent"] = self.sent
        else:
            tests = sorted(chosen(self.sent))
            self.config.getoption("chosen").write_text("".join(f"{test}\n" for test in tests))


@cache
def key(text: str) -> str:
    """Return the same short text for statements that are the same.

    >>> key("SELECT a WHERE b IN (%s, %s) LIMIT 2") == key("SELECT a WHERE b IN (%s) LIMIT 21")
    True
    >>> key("SELECT a WHERE b IN (%s)") == key("SELECT a WHERE c IN (%s)")
    False
    """
    for pattern, same in SAME:
        text = pattern.sub(same, text)
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def chosen(sent: dict[str, Sent]) -> set[str]:
    """Return those that are chosen anyway, and as few others as send whatever is missing.

    >>> sorted(chosen({"a": (True, 1, ["x"]), "b": (False, 2, ["x", "y"]), "c": (False, 9, ["y"])}))
    ['a', 'b']
    """
    tests = {test for test, (is_chosen, *_) in sent.items() if is_chosen}
    known = {statement for test in tests for statement in sent[test][2]}
    missing = {test: set(statements) - known for test, (_, _, statements) in sent.items()}
    while missing := {test: left for test, left in missing.items() if left}:
        gains = {test: len(left) / (sent[test][1] + OVERHEAD) for test, left in missing.items()}
        best = max(sorted(gains), key=gains.__getitem__)
        known = missing[best]
        tests.add(best)
        missing = {test: left - known for test, left in missing.items()}
    return tests
