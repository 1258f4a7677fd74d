"""Tables to try can be deleted when they are long over, and no other set can become one."""

from django.db import migrations

from scoring.models import triggers
from scoring.models.triggers import deleting


def begin(apps, schema_editor):
    for (table, name), statement in deleting.triggers(schema_editor.connection.vendor).items():
        triggers.make(schema_editor, table, name, statement)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0027_without_totals")]
    operations = [migrations.RunPython(begin, migrations.RunPython.noop)]
