"""What docker-compose.yml promises of each service. No engine is asked."""

import re
from pathlib import Path
from typing import Any

import yaml

from coalition_site.environment import KNOWN

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
TOP: dict[str, Any] = yaml.safe_load(COMPOSE)
SERVICES = TOP["services"]
FILES = 65_536  # each page that follows a table is an open connection


def each(name: str) -> dict[str, Any]:
    """Return what the services that have something of this name say of it."""
    return {service: said[name] for service, said in SERVICES.items() if name in said}


def test_no_service_is_root_or_writes_into_itself_or_gains_rights():
    every = ["database", "migrate", "site", "proxy"]

    assert each("user") == dict.fromkeys(every, "10001:10001") | {"database": "postgres"}
    assert each("read_only") == dict.fromkeys(every, True)
    assert each("cap_drop") == {key: ["ALL"] for key in every}
    assert each("cap_add") == {"proxy": ["NET_BIND_SERVICE"]}
    assert each("security_opt") == {key: ["no-new-privileges:true"] for key in every}
    assert each("privileged") == {}


def test_no_service_takes_all_memory_all_processes_or_the_disk_of_the_machine():
    limits = ("mem_limit", "pids_limit", "logging", "tmpfs")

    assert [set(each(name)) for name in limits] == [set(SERVICES)] * 4
    assert {said["options"]["max-size"] for said in each("logging").values()} == {"10m"}


def test_who_is_connected_to_may_have_a_connection_for_each_stream():
    unit = (ROOT / "deploy/coalition.service").read_text()

    assert each("ulimits") == {"site": {"nofile": FILES}, "proxy": {"nofile": FILES}}
    assert f"\nLimitNOFILE={FILES}\n" in unit


def test_nobody_is_served_before_the_database_is_up_to_date():
    assert each("depends_on") == {
        "migrate": {"database": {"condition": "service_healthy"}},
        "site": {"migrate": {"condition": "service_completed_successfully"}},
        "proxy": {"site": {"condition": "service_healthy"}},
    }


def test_what_must_last_stands_in_volumes_where_it_is_written():
    lasting = [place for volumes in each("volumes").values() for place in volumes]

    assert {place.partition(":")[0] for place in lasting} == set(TOP["volumes"])
    for folder in ("/backups", "/pictures", "/var/lib/caddy"):
        assert [place for place in lasting if place.endswith(f":{folder}")]
        assert re.search(rf"install -d -o 10001 -g 10001 .*{folder}\b", DOCKERFILE)


def test_only_the_proxy_is_reached_from_outside():
    assert each("ports") == {"proxy": ["80:80", "443:443", "443:443/udp"]}
    assert each("networks") == {
        "database": ["inside"],
        "migrate": ["inside"],
        "site": ["inside", "outside"],
        "proxy": ["outside"],
    }
    assert TOP["networks"]["inside"] == {"internal": True}
    assert SERVICES["proxy"]["environment"]["APP"] == "site:8000"
    assert DOCKERFILE.count('"--port", "8000"]') == 1


def test_the_site_runs_as_in_production_on_the_database_beside_it():
    """It serves with a role of its own; the owner's password is not in its environment."""
    serving = "postgres://coalition_site:${DATABASE_SITE_PASSWORD:?fill in .env}@database/coalition"
    migrate, site = (SERVICES[name]["environment"] for name in ("migrate", "site"))

    assert migrate["COALITION_HTTPS"] == site["COALITION_HTTPS"] == "1"
    assert migrate["COALITION_SERVING_URL"] == site["DATABASE_URL"] == serving
    assert site["DATABASE_PASSWORD"] == ""
    assert [name for name, value in site.items() if "{DATABASE_PASSWORD" in value] == []


def test_no_secret_stands_in_the_files():
    filled = re.findall(r"^\w+=(.+)$", EXAMPLE, re.MULTILINE)

    assert filled == []
    assert ".env\n" in (ROOT / ".gitignore").read_text()
    assert (ROOT / ".dockerignore").read_text().startswith("*\n")


def test_the_example_names_settings_that_there_are_and_all_that_must_be_filled_in():
    names = re.findall(r"^(\w+)=", EXAMPLE, re.MULTILINE)
    asked = set(re.findall(r"\$\{(\w+):\?", COMPOSE))

    assert set(names) - set(KNOWN) == {"DATABASE_PASSWORD", "DATABASE_SITE_PASSWORD"}
    assert asked | {"COALITION_SECRET_KEY"} <= set(names)


def test_the_images_are_those_of_the_dockerfile_and_each_step_stands_in_a_script():
    stages = re.findall(r"^FROM \S+ AS (\w+)", DOCKERFILE, re.MULTILINE)
    others = dict(re.findall(r"^ARG (\w+)=(\S+)$", DOCKERFILE, re.MULTILINE))
    runs = re.findall(r"^RUN (?:--mount=\S+ )?(\S+)", DOCKERFILE, re.MULTILINE)
    built = {name: said["target"] for name, said in each("build").items()}

    assert built == {name: name for name in ("database", "site", "proxy")} | {"migrate": "site"}
    assert set(built.values()) == set(stages) - {"built"}
    folders = ["install"] * 2  # of backups and certificates
    assert sorted(runs) == ["/deploy/programs.sh", "/source/deploy/build.sh", *folders]
    assert DOCKERFILE.count("\nUSER 10001:10001\n") == len(stages) - 2
    assert set(re.findall(r"^FROM \$\{(\w+)\} ", DOCKERFILE, re.MULTILINE)) == set(others)
    assert [name for name in others.values() if not re.search(r":\d+\.\d+", name)] == []


def test_versions_of_images_that_others_make_stand_in_the_dockerfile_alone():
    files = [ROOT / "docker-compose.yml", *(ROOT / "deploy").glob("*.yml")]
    services = [
        each for file in files for each in yaml.safe_load(file.read_text())["services"].values()
    ]

    assert [each for each in services if "build" not in each] == []
    images = {each["image"] for each in services if "image" in each}
    assert images == {"coalition-database", "coalition-site", "coalition-proxy"}
