"""Django's admin, with a door for the editors of the ban lists."""

from django.contrib.admin.apps import AdminConfig


class EditorsAdminConfig(AdminConfig):
    default_site = "decks.admin.site.EditorsSite"
