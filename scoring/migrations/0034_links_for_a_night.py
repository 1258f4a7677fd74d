from django.db import migrations, models

from scoring.models.triggers.rebuilding import rebuilding


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0033_evening_undo_and_invitation'),
    ]

    operations = rebuilding(
        migrations.AlterField(
            model_name='seatlink',
            name='key_hash',
            field=models.CharField(db_index=True, max_length=64),
        ),
    )
