"""The table of `make harden` calls passed only what ran, and names what did not."""

from __future__ import annotations

import pytest

from . import harden
from .harden import Check, Result, result

RUNS = "def test_it_runs(): pass\n"
LACKS = "import pytest\ndef test_it_lacks(): pytest.skip('LACKS: apt-get install it')\n"
FAILS = "def test_it_fails(): assert False\n"
WHY = frozenset({"LACKS: apt-get install it"})


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        (RUNS, Result("pass")),
        (LACKS, Result("skipped", WHY)),
        (RUNS + LACKS, Result("1 of 2 skipped", WHY)),
        (RUNS + LACKS + FAILS, Result("FAIL")),
        ("", Result("FAIL")),
    ],
)
def test_a_check_has_passed_only_if_each_of_its_tests_ran(tmp_path, tests, expected):
    (tmp_path / "test_check.py").write_text(tests)
    check = Check("a check", f"{tmp_path}/test_check.py -p no:cacheprovider", ("sqlite",))

    assert [result(check, database) for database in harden.ON] == [expected, Result("-")]


def test_what_was_skipped_is_named_after_the_table_with_what_to_install(monkeypatch, capsys):
    checks = (Check("1 one", "one.py"), Check("2 two", "two.py"))
    monkeypatch.setattr(harden, "CHECKS", checks)
    cells = {"1 one": Result("pass"), "2 two": Result("skipped", WHY)}
    monkeypatch.setattr(harden, "result", lambda check, database: cells[check.what])

    assert harden.main() == 0
    assert capsys.readouterr().out.splitlines() == [
        "",
        "what  | sqlite  | postgresql",
        "1 one | pass    | pass",
        "2 two | skipped | skipped",
        "",
        "SKIPPED 2 two",
        "  LACKS: apt-get install it",
    ]
