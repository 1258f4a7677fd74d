from django.db import migrations

from scoring.models.names import NameKey, fill_keys


def fill(apps, editor):
    players = apps.get_model('scoring', 'Player').objects
    for group in apps.get_model('scoring', 'Playgroup').objects.order_by('pk'):
        for before, after in fill_keys(players.filter(playgroup=group.pk)):
            print(f'\n  Playgroup {group.code}: “{before}” was there twice. Whoever came later is “{after}” now.')


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0022_days_of_sets'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='key',
            field=NameKey(editable=False, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
