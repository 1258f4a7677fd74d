"""A pytest plugin: what is long is left to `make harden`, and named where it is left out."""

from collections import Counter
from typing import Any

import pytest

LEFT_OUT = pytest.StashKey[Counter[str]]()


def long(*cases: object) -> list[Any]:
    """Mark cases that `make harden` tries; `make test` tries shorter siblings of theirs."""
    return [pytest.param(case, marks=pytest.mark.long) for case in cases]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


def pytest_deselected(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("long"):
            item.config.stash[LEFT_OUT][item.nodeid.partition("[")[0]] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker left out, which is the same for each."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left out", {}))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    left_out = config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.section(f"{left_out.total()} long tests are left to `make harden`")
        for test, cases in sorted(left_out.items()):
            terminalreporter.line(f"{test}: {cases}")
