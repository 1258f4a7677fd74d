"""Store a set from its log, whole or not at all."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from coalition_site.lib.untrusted import MalformedDocument, Node

from ... import access
from ...record import commands
from ...record.queries import a_day_from_now
from ...setlog import document
from .replay import NOT_A_LOG, read_document


class Command(BaseCommand):
    help = "Store a set from its set log, and print its code and its links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            log = document.read(Node(read_document(file), ""), latest=a_day_from_now())
        except MalformedDocument as error:
            raise CommandError(f"{file}: {error}", returncode=NOT_A_LOG) from error
        failure = document.play(log).failure
        if failure:
            message = failure.refusal.message(log.name_by_seat)
            place = f"game {failure.game}, event {failure.event}"
            raise CommandError(f"{file}: {place}: {message} Nothing was stored.")
        key = access.new_key()
        code = commands.store_set(log, key=key).code
        self.stdout.write(code)
        self.stdout.write(f"public link: {reverse('watch', args=[code])}")
        self.stdout.write(f"scorekeeper link: {reverse('take_key', args=[code, key])}")
