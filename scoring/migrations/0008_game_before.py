from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0007_heroes")]
    operations = [
        migrations.AddField("game", "before", models.JSONField(null=True)),
    ]
