"""Play set logs through the rules, without the database."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.rules import form, setlog

NOT_A_LOG = 2


def read_document(name: str) -> Any:
    """Return the JSON value in a file, or on standard input for ``-``.

    :raises CommandError: with exit code 2, if there is none.
    """
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return form.load(data)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=NOT_A_LOG) from error
    except form.MalformedLog as error:
        raise CommandError(f"{name}: {error}", returncode=NOT_A_LOG) from error


class Command(BaseCommand):
    help = "Replay a set log (or a JSON array of them) and print the outcome as JSON."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        document = read_document(file)
        try:
            logs = setlog.read_all(document)
        except form.MalformedLog as error:
            raise CommandError(f"{file}: {error}", returncode=NOT_A_LOG) from error
        outcomes = [setlog.outcome(setlog.play(log)) for log in logs]
        shown = outcomes if isinstance(document, list) else outcomes[0]
        self.stdout.write(json.dumps(shown, indent=1))
        if any(outcome["error"] for outcome in outcomes):
            sys.exit(1)
