from django.db import migrations, models


class Migration(migrations.Migration):
    """By itself, since PostgreSQL builds no index on rows that the same transaction changed."""

    dependencies = [
        ('scoring', '0023_player_keys'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(models.F('playgroup'), models.F('key'), name='player_key_once'),
        ),
    ]
