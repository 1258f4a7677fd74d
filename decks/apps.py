"""The app of cards, decks and ban lists."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

EDITORS = "Ban list editors"
EDITORS_MAY = (
    "view_card change_card view_creaturetype add_creaturetype change_creaturetype "
    "view_banlist view_banentry add_banentry change_banentry"
).split()


class DecksConfig(AppConfig):
    name = "decks"

    def ready(self) -> None:
        post_migrate.connect(make_editors, sender=self)


def make_editors(using: str = "default", **_: Any) -> None:
    """Let there be the group of those who edit the ban list, with what that needs."""
    from django.contrib.auth.models import Group, Permission

    group, _made = Group.objects.using(using).get_or_create(name=EDITORS)
    found = Permission.objects.using(using).filter(
        content_type__app_label="decks", codename__in=EDITORS_MAY
    )
    group.permissions.add(*found)  # an admin may have given it more
