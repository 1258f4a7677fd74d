"""The site as it was: the code of an earlier revision, in a folder that goes away again.

Unpacked from git's archive, not checked out: a benchmark that is killed leaves no worktree behind.
It runs on the same Python and packages, but for those that it did not have yet: uvicorn takes
httptools wherever it is installed. Its tables, playgroups and cards are made by its own
scripts, since ours may use what it does not have yet: `tests.bench.seed`, `group` of
`tests.bench.board`, and `tests.bench.cards` with a file. All else is asked over HTTP by our client.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.server import ROOT

PINNED = re.compile(r"^([\w.-]+)==", re.M)


@contextmanager
def unpacked(revision: str) -> Iterator[Path]:
    """Give the folder of a revision's code.

    :raises subprocess.CalledProcessError: if git does not know the revision.
    """
    git = ["git", "-C", str(ROOT), "archive", "--format=tar", revision]
    archive = subprocess.run(git, check=True, stdout=subprocess.PIPE).stdout
    with tempfile.TemporaryDirectory(prefix="coalition-before-") as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        hide_later_packages(Path(folder))
        yield Path(folder)


def hide_later_packages(folder: Path) -> None:
    """Let code in a folder not import what was not pinned there yet."""
    ours, theirs = (
        set(PINNED.findall((root / "constraints.txt").read_text())) for root in (ROOT, folder)
    )
    for name in ours - theirs:
        module = folder / f"{name.replace('-', '_')}.py"
        module.write_text('raise ImportError("was not there yet")\n')
