"""What docker-compose.yml promises of each service. No engine is asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coalition_site.environment import KNOWN

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()


def blocks(text: str, indent: str) -> dict[str, str]:
    """Return what stands below each name of a YAML mapping."""
    found = re.findall(rf"^{indent}(\w+):.*\n((?:{indent}  .*\n|\n)*)", text, re.MULTILINE)
    return dict(found)


TOP = blocks(COMPOSE, "")
SERVICES = blocks(TOP["services"], "  ")
LASTING = sorted(set(SERVICES) - {"migrate"})  # which ends by itself


def test_these_are_the_services():
    assert sorted(SERVICES) == ["database", "migrate", "proxy", "site"]


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_is_root_or_writes_into_itself_or_gains_rights(name):
    block = SERVICES[name]

    user = re.search(r"^    user: (.*)$", block, re.MULTILINE)
    assert user
    assert user[1] == ("postgres" if name == "database" else '"10001:10001"')
    for line in ("read_only: true", "cap_drop: [ALL]", "security_opt: [no-new-privileges:true]"):
        assert f"    {line}\n" in block
    assert ("cap_add" in block) == (name == "proxy")
    assert "privileged: " not in block


@pytest.mark.parametrize("name", LASTING)
def test_each_service_that_lasts_is_asked_how_it_is_and_started_again(name):
    assert "    healthcheck:\n      test: [CMD, " in SERVICES[name]
    assert "    restart: unless-stopped\n" in SERVICES[name]


def test_what_must_last_stands_in_volumes_and_nothing_of_this_machine_is_shared():
    used = re.findall(r"^      - (\S+):/", COMPOSE, re.MULTILINE)

    assert used == ["database", "backups", "certificates"]
    assert re.findall(r"^  (\w+):$", TOP["volumes"], re.MULTILINE) == used


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, block in SERVICES.items() if "ports:" in block] == ["proxy"]
    assert "networks: [inside]\n" in SERVICES["database"]
    assert "  inside:\n    internal: true" in COMPOSE


def test_no_secret_stands_in_the_files():
    said = re.findall(r"(?:PASSWORD|SECRET|KEY|TOKEN)\w*: (.*)", COMPOSE)
    address = re.search(r"DATABASE_URL: \w+://\w+:(.*)@", COMPOSE)
    filled = re.findall(r"^\w+=(.+)$", EXAMPLE, re.MULTILINE)

    assert said == ["${DATABASE_PASSWORD:?fill in .env}"]
    assert address
    assert address[1] == said[0]
    assert filled == []
    assert ".env\n" in (ROOT / ".gitignore").read_text()
    assert (ROOT / ".dockerignore").read_text().startswith("*\n")


def test_the_example_names_settings_that_there_are_and_all_that_must_be_filled_in():
    names = re.findall(r"^(\w+)=", EXAMPLE, re.MULTILINE)
    asked = set(re.findall(r"\$\{(\w+):\?", COMPOSE))

    assert set(names) - set(KNOWN) == {"DATABASE_PASSWORD"}
    assert asked | {"COALITION_SECRET_KEY"} <= set(names)


def test_the_images_are_those_of_the_dockerfile_and_each_step_stands_in_the_script():
    stages = re.findall(r"^FROM \S+ AS (\w+)", DOCKERFILE, re.MULTILINE)
    runs = re.findall(r"^RUN (?:--mount=\S+ )?(\S+)", DOCKERFILE, re.MULTILINE)

    assert set(re.findall(r"target: (\w+)", COMPOSE)) == set(stages) - {"built"}
    folders = ["install"] * 2  # of backups and certificates
    assert sorted(runs) == ["/deploy/programs.sh", "/source/deploy/build.sh", *folders]
    assert DOCKERFILE.count("\nUSER 10001:10001\n") == len(stages) - 1
