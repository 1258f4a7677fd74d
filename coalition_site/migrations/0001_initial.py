"""What the site itself keeps; and names of accounts that differ by capitals only are the same name,
for the database too."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import Count
from django.db.models.functions import Lower

INDEX = "auth_user_username_without_capitals"


def check(apps: Any, schema_editor: Any) -> None:
    """Refuse, with their names, where there are such accounts already."""
    names = apps.get_model("auth", "User").objects.values(name=Lower("username"))
    twice = [one["name"] for one in names.annotate(many=Count("pk")).filter(many__gt=1)]
    if twice:
        raise RuntimeError(
            f"Several accounts have these names, but for capitals: {', '.join(sorted(twice))}. "
            f"Rename all but one of each in the admin, then migrate again."
        )


class Migration(migrations.Migration):
    initial = True

    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.CreateModel(
            name="Posted",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("what", models.CharField(max_length=20)),
                ("who", models.CharField(max_length=60)),
                ("ends", models.BigIntegerField(db_index=True)),
                ("times", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("what", "who", "ends"), name="posted_counted_once"),
                ],
            },
        ),
        migrations.RunPython(check, migrations.RunPython.noop),
        migrations.RunSQL(
            f"CREATE UNIQUE INDEX IF NOT EXISTS {INDEX} ON auth_user (lower(username))",
            f"DROP INDEX IF EXISTS {INDEX}",
        ),
    ]
