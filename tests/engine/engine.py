"""A Docker engine with this project's images, and the project as its compose file runs it.

The engine is Debian's, in a folder of its own, by root and debootstrap; never the machine's own,
where an installation may run, under the same names and on the same volumes. Images of others can't
always be fetched where tests run: stand-ins have Debian's packages under the users, paths and entry
points of the real ones. Dockerfile and docker-compose.yml stay as they are.
"""

import os
import resource
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
STAND_INS = Path(__file__).parent / "stand_ins"
IMAGES = ("python", "postgres", "caddy")  # on which the project's own are built
LASTING = ("database", "site", "proxy")
SETTINGS = {
    "COALITION_HOSTS": "localhost",  # for which Caddy signs a certificate itself
    "COALITION_SECRET_KEY": "kX3-a9" * 9,
    "DATABASE_PASSWORD": "0123456789abcdef" * 3,
    "DATABASE_SITE_PASSWORD": "fedcba9876543210" * 3,
    "COALITION_METRICS_TOKEN": "a-token-of-the-tests",
}
MADE = "made-for-tests-of-coalition"  # a file in each folder that is made here, and in no other
SOCKET = "/run/docker.sock"  # of this machine's own engine
PACKAGES = "docker.io,docker-cli,docker-compose,docker-buildx,iptables,ca-certificates"
SUITE = "trixie"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"  # this machine's, for whoever fetches packages
PATIENCE = 120  # seconds; only a failure waits so long
DAEMON = """
mount --bind {0} {0} && cd {0}
for each in proc sys dev; do mount --rbind /$each {0}/$each; done
mkdir -p .old && pivot_root . .old && cd / && umount -l /.old
exec dockerd -p /run/engine.pid
"""
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # that this machine allows to be open
# Where those are fewer than the compose file asks for.
FEWER_FILES = """
services:
  site: {{ ulimits: {{ nofile: {0} }} }}
  proxy: {{ ulimits: {{ nofile: {0} }} }}
"""


@dataclass(frozen=True)
class Engine:
    """An engine that runs; ``folder`` is the root of its files."""

    folder: Path

    def docker(self, *command: str, check: bool = True, cwd: str = "/") -> str:
        inside = ["chroot", str(self.folder), "sh", "-c", 'cd "$0" && exec docker "$@"', cwd]
        how: dict[str, Any] = {"capture_output": True, "text": True, "check": False}
        done = subprocess.run([*inside, *command], stdin=subprocess.DEVNULL, **how)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return (done.stdout if done.returncode == 0 else done.stdout + done.stderr).strip()

    def make_stand_ins(self) -> None:
        """Make the images that stand in for those of others, as far as they are not there."""
        missing = [name for name in IMAGES if not self.docker("images", "-q", f"stand-in-{name}")]
        if not missing:
            return
        context = self.folder / "stand-ins"
        shutil.copytree(STAND_INS, context, dirs_exist_ok=True)
        debian = context / "debian"
        if not debian.exists():
            bootstrap(debian, "ca-certificates")
            shutil.copy(f"/{CERTIFICATES}", debian / CERTIFICATES)
        archive = context / "debian.tar"
        subprocess.run(["tar", "-C", str(debian), "-cf", str(archive), "."], check=True)
        self.docker("import", str(Path("/stand-ins/debian.tar")), "stand-in-debian")
        for name in missing:
            file = f"/stand-ins/{name}.Dockerfile"
            self.docker("build", "-q", "-f", file, "-t", f"stand-in-{name}", "/stand-ins")


def obstacle(folder: Path) -> str:
    """Return what has to be done before an engine may run in this folder, or nothing."""
    if os.geteuid() != 0:
        return "it needs root, which may make networks and mounts"
    if shutil.which("debootstrap") is None:
        return "apt-get install debootstrap"
    with socket.socket(socket.AF_UNIX) as caller:
        if caller.connect_ex(SOCKET) == 0:
            return "an engine runs here, whose networks another would change: take another machine"
    if folder.exists() and not (folder / MADE).exists():
        return f"{folder} is not of these tests, or half made: remove it, or set ENGINE_FOLDER"
    return ""


def running(folder: Path) -> Engine:
    """Return an engine that is started in a folder of its own, which is made at first."""
    assert not obstacle(folder), obstacle(folder)
    engine = Engine(folder)
    if not folder.exists():
        bootstrap(folder, PACKAGES)
        (folder / MADE).touch()
    if not answers(engine):
        start(folder)
        wait_until(lambda: answers(engine))
    return engine


def answers(engine: Engine) -> bool:
    return "Server Version" in engine.docker("info", check=False)


def bootstrap(folder: Path, packages: str) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    options = ["--variant=minbase", f"--include={packages}"]
    command = ["debootstrap", *options, SUITE, str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def start(folder: Path) -> None:
    """Start an engine whose root is that folder, in mounts of its own, that end with it.

    A chroot would not do: what an engine runs later in a container would see this machine's files.
    """
    for old in (folder / "run").glob("*.pid"):
        old.unlink()
    unshared = ["setsid", "--fork", "unshare", "--mount", "--propagation", "private", "sh", "-ec"]
    with (folder / "engine.log").open("wb") as log:
        how: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        subprocess.run([*unshared, DAEMON.format(folder)], check=True, **how)


def stop(engine: Engine) -> None:
    number = engine.folder / "run/engine.pid"
    if number.exists():
        os.kill(int(number.read_text()), signal.SIGTERM)
        wait_until(lambda: not answers(engine))


@dataclass(frozen=True)
class Installation:
    """The project, copied into the engine's folder, and filled in as docs/running.md says."""

    engine: Engine
    name: str = "coalition-of-tests"

    @property
    def folder(self) -> Path:
        return self.engine.folder / "srv" / self.name

    def copy(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        files = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.split("\0")
        for file in filter(None, files):
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.folder / file)
        (self.folder / "fewer-files.yml").write_text(FEWER_FILES.format(FILES))

    def fill_in(self) -> None:
        lines = (self.folder / ".env.example").read_text().splitlines()
        filled = [line + SETTINGS.get(line.removesuffix("="), "") for line in lines]
        (self.folder / ".env").write_text("\n".join(filled) + "\n")

    def compose(self, *command: str, check: bool = True) -> str:
        fewer = ("-f", "fewer-files.yml") if FILES < 65536 else ()
        files, cwd = ("-f", "docker-compose.yml", *fewer), f"/srv/{self.name}"
        return self.engine.docker("compose", *files, *command, check=check, cwd=cwd)

    def build(self) -> None:
        names = [f"{name.upper()}=stand-in-{name}" for name in IMAGES]
        self.compose("build", *(word for name in names for word in ("--build-arg", name)))

    def up(self) -> None:
        self.compose("up", "-d", "--no-build")
        wait_until(self.is_healthy)

    def is_healthy(self) -> bool:
        lines = self.compose("ps", "--format", "{{.Service}} {{.Health}}").splitlines()
        health = dict(line.split(" ", 1) for line in lines)
        return health == dict.fromkeys(LASTING, "healthy")

    def ask(self, service: str, fact: str) -> str:
        container = self.compose("ps", "-a", "-q", service)
        return self.engine.docker("inspect", "-f", "{{" + fact + "}}", container)


def wait_until(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < give_up, "it did not come"
        time.sleep(0.5)
