"""Players can't be merged into one another in a circle, whoever writes."""

from django.db import migrations

from scoring.models import triggers
from scoring.models.triggers import circles


def refuse_circles(apps, schema_editor):
    for (table, name), statement in circles.triggers(schema_editor.connection.vendor).items():
        triggers.make(schema_editor, table, name, statement)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_record_neither_replaced_nor_emptied")]
    operations = [migrations.RunPython(refuse_circles, migrations.RunPython.noop)]
