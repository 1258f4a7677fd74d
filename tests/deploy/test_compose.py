"""What docker-compose.yml promises of each service. No engine is asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from coalition_site.environment import KNOWN
from coalition_site.serving.open_files import ENOUGH

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
EXAMPLE = (ROOT / ".env.example").read_text()
TOP: dict[str, Any] = yaml.safe_load(COMPOSE)
SERVICES = TOP["services"]
MANAGE = ["/app/venv/bin/python", "manage.py"]
READY = "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)"


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


def test_each_service_has_room_for_what_passes_and_no_log_fills_the_disk():
    assert each("tmpfs") == {
        "database": ["/tmp", "/run/postgresql"],
        "migrate": ["/tmp"],
        "site": ["/tmp:size=512m"],
        "proxy": ["/tmp"],
    }
    assert {said["options"]["max-size"] for said in each("logging").values()} == {"10m"}
    assert set(each("logging")) == set(SERVICES)


def test_who_is_connected_to_may_have_a_connection_for_each_stream():
    unit = (ROOT / "deploy/coalition.service").read_text()

    assert each("ulimits") == {"site": {"nofile": ENOUGH}, "proxy": {"nofile": ENOUGH}}
    assert f"\nLimitNOFILE={ENOUGH}\n" in unit


def test_no_service_takes_all_memory_or_all_processes_of_the_machine():
    assert each("mem_limit") == {
        "database": "1g",
        "migrate": "1g",
        "site": "1536m",
        "proxy": "512m",
    }
    assert each("pids_limit") == dict.fromkeys(SERVICES, 256)


def test_each_service_that_lasts_is_asked_how_it_is_and_started_again():
    tests = {name: said["test"] for name, said in each("healthcheck").items()}

    assert tests == {
        # By TCP: the server that only makes the database answers by its socket already.
        "database": ["CMD", "pg_isready", "--host", "127.0.0.1", "--username", "coalition"],
        "site": ["CMD", MANAGE[0], "-c", READY],
        "proxy": ["CMD", "nc", "-z", "127.0.0.1", "443"],
    }
    assert each("restart") == dict.fromkeys(tests, "unless-stopped") | {"migrate": "no"}
    assert each("command") == {"migrate": [*MANAGE, "migrate"]}


def test_nobody_is_served_before_the_database_is_up_to_date():
    assert each("depends_on") == {
        "migrate": {"database": {"condition": "service_healthy"}},
        "site": {"migrate": {"condition": "service_completed_successfully"}},
        "proxy": {"site": {"condition": "service_healthy"}},
    }


def test_what_must_last_stands_in_volumes_where_it_is_written():
    assert each("volumes") == {
        "database": ["database:/var/lib/postgresql/data"],
        "migrate": ["backups:/backups"],
        "site": ["backups:/backups", "pictures:/pictures"],
        "proxy": ["certificates:/var/lib/caddy"],
    }
    assert list(TOP["volumes"]) == ["database", "backups", "pictures", "certificates"]
    for folder in ("/backups", "/pictures", "/var/lib/caddy"):
        assert re.search(rf"install -d -o 10001 -g 10001 .*{folder}\b", DOCKERFILE)
    assert "ENV XDG_DATA_HOME=/var/lib/caddy " in DOCKERFILE


def test_only_the_proxy_is_reached_from_outside():
    assert each("ports") == {"proxy": ["80:80", "443:443", "443:443/udp"]}
    assert each("networks") == {
        "database": ["inside"],
        "migrate": ["inside"],
        "site": ["inside", "outside"],
        "proxy": ["outside"],
    }
    assert TOP["networks"] == {
        "inside": {"internal": True},
        "outside": {
            "enable_ipv6": True,
            "ipam": {
                "config": [
                    {"subnet": "${OUTSIDE_IPV4:-10.213.17.0/24}"},
                    {"subnet": "${OUTSIDE_IPV6:-fd00:c0a1:1710::/64}"},
                ]
            },
        },
    }
    assert SERVICES["proxy"]["environment"]["APP"] == "site:8000"
    assert DOCKERFILE.count('"--port", "8000"]') == 1


def test_the_site_runs_as_in_production_on_the_database_beside_it():
    """It serves with a role of its own; the owner's password is not in its environment."""
    password = "${DATABASE_PASSWORD:?fill in .env}"
    serving = "postgres://coalition_site:${DATABASE_SITE_PASSWORD:?fill in .env}@database/coalition"
    production = {"COALITION_HTTPS": "1", "COALITION_LOGS": "json"}

    assert SERVICES["migrate"]["environment"] == production | {
        "DATABASE_URL": f"postgres://coalition:{password}@database/coalition",
        "COALITION_SERVING_URL": serving,
    }
    assert SERVICES["site"]["environment"] == production | {
        "DATABASE_URL": serving,
        "DATABASE_PASSWORD": "",
        "COALITION_CARD_PICTURES_FOLDER": "/pictures",
    }
    assert SERVICES["database"]["environment"] == {
        "POSTGRES_USER": "coalition",
        "POSTGRES_DB": "coalition",
        "POSTGRES_PASSWORD": password,
    }
    assert each("env_file") == {"migrate": ".env", "site": ".env"}


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

    assert built == {
        "database": "database",
        "migrate": "site",
        "site": "site",
        "proxy": "proxy",
    }
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
