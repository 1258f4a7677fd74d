"""The app of cards, decks and ban lists, and the admin, which ban list editors may enter."""

from typing import Any

from django.apps import AppConfig
from django.contrib.admin import apps as admin
from django.db.models.signals import post_migrate

EDITORS = "Ban list editors"
EDITORS_MAY = (
    "view_card change_card view_creaturetype add_creaturetype change_creaturetype "
    "view_banlist view_banentry change_banentry"
).split()


class DecksConfig(AppConfig):
    name = "decks"
    default = True

    def ready(self) -> None:
        post_migrate.connect(make_editors, sender=self)


class EditorsAdminConfig(admin.AdminConfig):
    default = False  # that is DecksConfig
    default_site = "decks.editors_site.EditorsSite"


def make_editors(using: str = "default", **_: Any) -> None:
    from django.contrib.auth.models import Group, Permission

    group = Group.objects.using(using).get_or_create(name=EDITORS)[0]
    permissions = Permission.objects.using(using).filter(
        content_type__app_label="decks", codename__in=EDITORS_MAY
    )
    group.permissions.add(*permissions)  # not set(): an admin may have granted more
