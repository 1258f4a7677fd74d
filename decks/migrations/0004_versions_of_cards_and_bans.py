from django.db import migrations, models

from decks import versions


class Migration(migrations.Migration):

    dependencies = [("decks", "0003_deck_opened_on")]

    operations = [
        migrations.CreateModel(
            name="CatalogueVersion",
            fields=[
                ("part", models.CharField(max_length=8, primary_key=True, serialize=False)),
                ("number", models.BigIntegerField()),
            ],
        ),
        migrations.RunPython(versions.begin, migrations.RunPython.noop),
    ]
