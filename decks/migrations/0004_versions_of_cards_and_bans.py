from django.db import migrations, models

from decks import versions


class Migration(migrations.Migration):
    proven = {
        "RunPython": "Its triggers write a table that the version before does not know. An import "
        "then holds back the editors of cards, and a change of a ban list those of the others, "
        "until it is committed."
    }

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
