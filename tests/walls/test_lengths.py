"""Each test runs in `make test` or in `make harden`."""

from tests import run
from tests.conftest import BOTH
from tests.environment import ROOT


def asked(monkeypatch, runs) -> list[tuple[str, ...]]:
    """Return the options of pytest with which a command runs the tests."""
    options = []
    monkeypatch.setattr(run, "find_chromium", lambda: "/a/browser")
    monkeypatch.setattr(run, "run", lambda _, *said, **__: options.append(said) or [1, 0, 0])
    runs()
    return options


def test_what_is_long_is_tried_by_make_harden_and_all_else_by_make_test(monkeypatch):
    short, long = asked(monkeypatch, run.run_short), asked(monkeypatch, run.run_long)

    for where in (run.WITHOUT_BROWSER, [run.BROWSER]):
        assert [one for one in short if {"not long", *where} <= set(one)]
        assert [one for one in long if {"long", *where} <= set(one)]
    assert [one for one in long if run.ENGINE in one]


def test_what_differs_by_database_is_there():
    assert [name for name in BOTH if not list(ROOT.glob(f"{name.rstrip('/')}*"))] == []


def test_every_file_of_tests_is_where_pytest_looks_for_it():
    found = {path.relative_to(ROOT).parts[0] for path in ROOT.glob("*/**/test_*.py")} - {".venv"}

    assert found == {"tests"}
    assert list((ROOT / "tests/bench").rglob("test_*.py")) == []  # which pytest ignores
