"""Where tests may start a Docker engine of their own. None is started."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

from tests.engine import engine
from tests.engine.engine import MADE, obstacle


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Be root on a machine with debootstrap and without an engine."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/sbin/{program}")
    monkeypatch.setattr(engine, "SOCKET", str(tmp_path / "docker.sock"))


def test_an_engine_may_run_in_a_new_folder_and_in_its_own(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / MADE).touch()

    assert [obstacle(tmp_path / name) for name in ("own", "new")] == ["", ""]


@pytest.mark.parametrize("folder", ["/", "/srv", "{}"])
def test_a_folder_that_the_tests_did_not_make_is_left_alone(tmp_path, folder):
    path = Path(folder.format(tmp_path))

    words = f"{path} is not of these tests, or half made: remove it, or set ENGINE_FOLDER"
    assert obstacle(path) == words
    with pytest.raises(AssertionError, match="is not of these tests"):
        engine.running(path)


def test_the_machines_own_engine_is_left_alone(tmp_path):
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(engine.SOCKET)
        own.listen()

        assert obstacle(tmp_path / "new").startswith("an engine runs here")


def test_what_is_missing_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    assert obstacle(tmp_path / "new") == "apt-get install debootstrap"

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert obstacle(tmp_path / "new").startswith("it needs root")
