"""The app of cards, decks and ban lists, and the site's admin with a door for its editors."""

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.db.models.signals import post_migrate

EDITORS = "Ban list editors"
EDITORS_MAY = (
    "view_card change_card view_creaturetype add_creaturetype change_creaturetype "
    "view_banlist view_banentry add_banentry change_banentry"
).split()


class DecksConfig(AppConfig):
    name = "decks"
    default = True

    def ready(self) -> None:
        post_migrate.connect(make_editors, sender=self)


class EditorsAdminConfig(SimpleAdminConfig):
    """Django's admin, where editors of the ban lists may sign in too."""

    default_site = "decks.editors_site.EditorsSite"

    def ready(self) -> None:
        super().ready()
        self.module.autodiscover()


def make_editors(using: str = "default", **_: Any) -> None:
    """Let there be the group of those who edit the ban list, with what that needs."""
    from django.contrib.auth.models import Group, Permission

    group, _made = Group.objects.using(using).get_or_create(name=EDITORS)
    found = Permission.objects.using(using).filter(
        content_type__app_label="decks", codename__in=EDITORS_MAY
    )
    group.permissions.add(*found)  # an admin may have given it more
