"""Pages of pairs, heroes, decks and teams read the results themselves."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0026_mails_are_deliveries"),
    ]

    operations = [
        migrations.DeleteModel(name="Meeting"),
        migrations.DeleteModel(name="HeroTally"),
        migrations.DeleteModel(name="DeckTally"),
        migrations.DeleteModel(name="TeamTally"),
    ]
