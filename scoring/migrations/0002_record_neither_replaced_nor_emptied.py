"""Rows of the log and the ledger can't be replaced (SQLite) or emptied (PostgreSQL) either."""

from django.db import migrations

from scoring.models.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]
    operations = [migrations.RunPython(append_only.guard, migrations.RunPython.noop)]
