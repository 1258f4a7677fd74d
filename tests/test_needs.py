"""Tests that lack a program are skipped with what to install, and fail where all must run."""

import pytest

from .needs import need


def test_a_program_that_is_there_is_returned_by_its_path():
    assert need("sh", "THE SHELL").endswith("/sh")


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail), ("", pytest.skip)])
def test_a_missing_program_skips_and_fails_where_all_must_run(monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)

    with pytest.raises(outcome.Exception) as raised:
        need("ring-a-bell", "THE ALERTS", "bell")

    assert str(raised.value) == "!!! THE ALERTS NOT RUN: apt-get install bell"
