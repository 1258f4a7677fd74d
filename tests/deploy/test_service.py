"""What deploy/coalition.service may do on the machine that it runs on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SERVICE = Path(__file__).resolve().parents[2] / "deploy/coalition.service"
EXPOSED_MOST = 2.0  # of 10, as systemd counts: below 3 is promised
LOUD = (
    "!!! No systemd-analyze found: THE SERVICE'S EXPOSURE WAS NOT MEASURED (apt install systemd)."
)


def directives() -> list[tuple[str, str]]:
    """Return what the file says, each line as a name and a value."""
    return re.findall(r"^(\w+)=(.*)$", SERVICE.read_text(), re.MULTILINE)


def test_the_service_has_no_capabilities_and_writes_into_nothing_but_a_tmp_of_its_own():
    assert set(directives()) >= {
        *{("User", "coalition"), ("UMask", "0077"), ("CapabilityBoundingSet", "")},
        *{("ProtectSystem", "strict"), ("SystemCallErrorNumber", "EPERM")},
        *{(name, "yes") for name in ("NoNewPrivileges", "PrivateTmp", "PrivateDevices")},
        *{(name, "yes") for name in ("ProtectHome", "PrivateUsers", "MemoryDenyWriteExecute")},
        ("SystemCallFilter", "~@privileged"),
    }
    names = {name for name, _ in directives()}
    assert not names & {"ReadWritePaths", "AmbientCapabilities", "SupplementaryGroups"}


def test_the_service_still_reaches_the_database_the_network_and_its_limit_of_files():
    """By TCP or a socket of its own machine; ``serve`` raises the number of files it may open."""
    found = dict(directives())

    assert found["RestrictAddressFamilies"] == "AF_UNIX AF_INET AF_INET6"
    assert ("SystemCallFilter", "@system-service") in directives()
    assert ("SystemCallFilter", "~@resources") not in directives()
    assert not {"PrivateNetwork", "IPAddressDeny", "InaccessiblePaths"} & set(found)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason=LOUD)
def test_systemd_calls_the_service_hardly_exposed():
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(SERVICE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (level,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)

    assert float(level) < EXPOSED_MOST
