from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('coalition_site', '0003_reset_asked'),
        ('scoring', '0026_mails_are_deliveries'),
    ]

    operations = [
        migrations.DeleteModel(name='ResetAsked'),
    ]
