"""Replay set logs through the rules, without the database."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from coalition_site.lib import untrusted
from coalition_site.lib.console import open_file

from ...record import chaining
from ...setlog import document as setlog

NOT_A_LOG = 2
FILE_MAX = 100_000_000  # bytes


def read_document(name: str) -> Any:
    """``-`` is standard input. Without JSON the command ends with exit code 2."""
    try:
        with open_file(name) as file:
            data = file.read(FILE_MAX + 1)
        if len(data) > FILE_MAX:
            raise untrusted.MalformedDocument("", f"this is more than {FILE_MAX // 1_000_000} MB")
        return untrusted.load(data)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=NOT_A_LOG) from error
    except untrusted.MalformedDocument as error:
        raise CommandError(f"{name}: {error}", returncode=NOT_A_LOG) from error


class Command(BaseCommand):
    help = "Replay a set log (or a JSON array of them) and print the outcome as JSON."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or - for standard input")
        parser.add_argument(
            "--head", action="store_true", help="print only the head of each log's chain of hashes"
        )

    def handle(self, *args: Any, file: str, head: bool, **options: Any) -> None:
        document = read_document(file)
        try:
            logs = setlog.read_all(document)
        except untrusted.MalformedDocument as error:
            raise CommandError(f"{file}: {error}", returncode=NOT_A_LOG) from error
        if head:
            self.stdout.write("\n".join(map(chaining.head, logs)))
            return
        outcomes = [setlog.outcome(setlog.play(log)) for log in logs]
        shown = outcomes if isinstance(document, list) else outcomes[0]
        self.stdout.write(json.dumps(shown, indent=1))
        if any(outcome["error"] for outcome in outcomes):
            sys.exit(1)
