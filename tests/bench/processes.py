"""How much processor time a process has used, with all that it started: Linux only, from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")  # a second: a hundred as a rule, so 10 ms is the finest


class Process(NamedTuple):
    """A process: its parent, and the processor time of it and of its children that ended."""

    parent: int
    seconds: float


def read_stat(line: str) -> Process:
    """Read a line of /proc/PID/stat; the name in it may contain anything.

    >>> read_stat("7 (a) b) S 1 7 7 0 -1 0 0 0 0 0 250 50 100 0 20 0 4").parent
    1
    """
    fields = line.rpartition(")")[2].split()
    ticks = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
    return Process(int(fields[1]), ticks / TICKS)


def read_all() -> dict[int, Process]:
    """Return all processes of this machine by number."""
    processes = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            processes[int(path.parent.name)] = read_stat(path.read_text())
        except OSError:  # it ended meanwhile
            continue
    return processes


def cpu_seconds(roots: Iterable[int]) -> float:
    """Return the processor time of some processes and their descendants, all threads of each."""
    processes = read_all()
    family = set(roots)
    while more := {pid for pid, one in processes.items() if one.parent in family} - family:
        family |= more
    return sum(processes[pid].seconds for pid in family if pid in processes)
