from itertools import groupby

from django.db import migrations, models

from decks import versions
from decks.rules.affiliations import Face
from decks.rules.searched import printed_number, searched_text

STATS = ("power", "toughness", "loyalty", "defense")


def fill(apps, schema_editor):
    """Work out what the finder searches, of the cards that are there."""
    faces = apps.get_model("decks", "CardFace").objects.order_by("card", "position")
    rows = faces.values_list("card_id", "pk", *STATS, "name", "type_line", "oracle_text")
    texts, numbers = [], []
    for card, of_card in groupby(rows.iterator(chunk_size=2000), lambda row: row[0]):
        printed = []
        for _, face, *stats, name, type_line, text in of_card:
            printed.append(Face(name, type_line, text))
            if any(stats):
                numbers.append([*map(printed_number, stats), face])
        texts.append([card, searched_text(printed), searched_text(printed, has_reminders=True)])
    values = ", ".join(f"{stat}_value = %s" for stat in STATS)
    with schema_editor.connection.cursor() as cursor:
        cursor.executemany(f"UPDATE decks_cardface SET {values} WHERE id = %s", numbers)
        # In one statement, since a trigger draws a number at each.
        cursor.execute("CREATE TEMPORARY TABLE searched (id bigint PRIMARY KEY, a text, b text)")
        cursor.executemany("INSERT INTO searched VALUES (%s, %s, %s)", texts)
        cursor.execute(
            "UPDATE decks_card SET (rules_key, text_key) = "
            "(SELECT a, b FROM searched WHERE searched.id = decks_card.id) "
            "WHERE id IN (SELECT id FROM searched)"
        )
        cursor.execute("DROP TABLE searched")


class Migration(migrations.Migration):

    dependencies = [("decks", "0010_no_creature_types")]

    operations = [
        *(
            migrations.AddField(
                "card", name, models.TextField(blank=True, db_default="", editable=False)
            )
            for name in ("rules_key", "text_key")
        ),
        *(
            migrations.AddField(
                "cardface", f"{stat}_value", models.FloatField(editable=False, null=True)
            )
            for stat in STATS
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(versions.begin, migrations.RunPython.noop),
    ]
