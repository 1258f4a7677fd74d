from django.db import migrations, models

from decks import versions


class Migration(migrations.Migration):

    dependencies = [("decks", "0009_by_name")]

    operations = [
        migrations.AddField(
            model_name="creaturetype",
            name="is_none",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Cards print it, but it gives them no affiliation.",
                verbose_name="is no creature type",
            ),
        ),
        migrations.RunPython(versions.begin, migrations.RunPython.noop),
    ]
