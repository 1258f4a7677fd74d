"""What deploy/coalition.service, and what imports cards, may do on the machine they run on."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.needs import need

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
SERVICE, CARDS = DEPLOY / "coalition.service", DEPLOY / "coalition-cards.service"
EXPOSED_MOST = 2.0  # of 10, as systemd counts: below 3 is promised


def directives(file: Path = SERVICE) -> list[tuple[str, str]]:
    return re.findall(r"^(\w+)=(.*)$", file.read_text(), re.MULTILINE)


@pytest.mark.parametrize("file", [SERVICE, CARDS], ids=["site", "cards"])
def test_a_service_has_no_capabilities_and_writes_into_nothing_but_a_tmp_of_its_own(file):
    assert set(directives(file)) >= {
        *{("User", "coalition"), ("UMask", "0077"), ("CapabilityBoundingSet", "")},
        *{("ProtectSystem", "strict"), ("PrivateTmp", "yes"), ("NoNewPrivileges", "yes")},
    }
    names = {name for name, _ in directives(file)}
    assert not names & {"ReadWritePaths", "AmbientCapabilities", "SupplementaryGroups"}


def test_the_service_still_reaches_the_database_and_its_limit_of_files():
    """By TCP or a socket of its own machine; ``serve`` raises the number of files it may open."""
    found = dict(directives())

    assert found["RestrictAddressFamilies"] == "AF_UNIX AF_INET AF_INET6"
    assert ("SystemCallFilter", "~@resources") not in directives()


def test_the_cards_are_imported_by_the_same_site():
    site, cards = dict(directives()), dict(directives(CARDS))

    for name in ("User", "EnvironmentFile", "WorkingDirectory"):
        assert cards[name] == site[name]


@pytest.mark.parametrize("file", [SERVICE, CARDS], ids=["site", "cards"])
def test_systemd_calls_a_service_hardly_exposed(file):
    program = need("systemd-analyze", "THE SERVICE'S EXPOSURE", "systemd")
    command = [program, "security", "--offline=true", "--no-pager", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (level,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)

    assert float(level) < EXPOSED_MOST
