"""What tests need of this machine: without it they are skipped, loudly, and fail where CI=true."""

import os
import shutil
from typing import NoReturn

import pytest


def need(program: str, tests: str, package: str = "") -> str:
    """Return the path of a program, without which these tests don't run."""
    path = shutil.which(program)
    if path is None:
        lack(tests, f"apt-get install {package or program}")
    return path


def lack(tests: str, remedy: str) -> NoReturn:
    """Skip a test for what this machine lacks, or fail where all tests must run."""
    must_run = os.environ.get("CI") == "true"
    (pytest.fail if must_run else pytest.skip)(f"!!! {tests} NOT RUN: {remedy}")
