import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from coalition_site.lib.console import open_file

from ...decks import legality
from ...decks.legality import ResolvedList
from ...reading import lists
from ...rules.deck import Report
from ...rules.entries import LIST_MAX, Unreadable
from ...rules.rulesets import RULESETS


class Command(BaseCommand):
    help = "Check a deck list. Exit status: 0 legal, 1 not legal, 2 unreadable."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a deck list, or - for standard input")
        parser.add_argument("--ruleset", choices=RULESETS, default="coalition-906")
        parser.add_argument("--hero", metavar="NAME")
        parser.add_argument("--type", metavar="TYPE", help="the coalition type")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        ruleset = RULESETS[options["ruleset"]]
        file = options["file"]
        try:
            with open_file(file) as opened:
                content = opened.read(LIST_MAX + 1)  # enough to see that it is too long
            text = lists.decode(content)
            resolved = legality.read(text, ruleset)
        except (Unreadable, OSError) as error:
            self.stderr.write(f"{file}: {error}")
            sys.exit(2)
        bans = legality.read_bans(ruleset, timezone.localdate())
        report = legality.judge(
            resolved, ruleset, bans, hero=options["hero"], coalition_type=options["type"]
        )
        if options["json"]:
            whole = report.document() | {
                "read_as": resolved.deck_list.read_as,
                "cards": resolved.places,
            }
            self.stdout.write(json.dumps(whole, indent=1, ensure_ascii=False))
        else:
            self.stdout.write(_as_text(report, resolved))
        sys.exit(1 if report.legal is False else 0)


def _as_text(report: Report, resolved: ResolvedList) -> str:
    counts = ", ".join(f"{section} {count}" for section, count in report.counts.items())
    verdict = {True: "Legal", False: "Not legal", None: "Not judged"}[report.legal]
    head = [f"{verdict} under {report.ruleset} ({counts})"]
    if report.hero:
        head.append(f"Hero: {report.hero}, coalition type: {report.coalition_type or 'none'}")
    head.append(f"Read as {resolved.deck_list.in_words(report.hero or '')}")
    lines = [
        f"{f'line {problem.line}' if problem.line else 'deck'}: {problem.message} [{problem.code}]"
        for problem in report.problems
    ]
    left_out = [
        f"line {one.line}: {one.count} {one.name} is left out. {one.reason}"
        for one in resolved.deck_list.left_out
    ]
    return "\n".join([*head, *lines, *left_out])
