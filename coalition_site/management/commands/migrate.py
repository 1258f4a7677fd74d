"""Django's migrate, which also grants the serving role its rights."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate

from ...ops import roles


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if options["plan"]:
            return
        try:
            roles.grant()
        except roles.RoleRefused as refusal:
            raise CommandError(str(refusal)) from refusal
