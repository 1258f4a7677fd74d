import django.db.models.deletion
from django.db import migrations, models

from scoring.models import triggers
from scoring.models.triggers import changes
from scoring.models.triggers.rebuilding import rebuilding


def announce(apps, schema_editor):
    """Tell open pages of a table when a seat is taken, and what is proposed and answered there."""
    vendor = schema_editor.connection.vendor
    for (table, name), statement in changes.triggers_of(changes.PHONES, vendor).items():
        triggers.make(schema_editor, table, name, statement)


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0029_entered_results'),
    ]

    operations = [
        *rebuilding(
            migrations.AddField(
                model_name='gameset',
                name='phones',
                field=models.CharField(choices=[('off', 'look on'), ('propose', 'propose it'), ('trusted', 'record it')], db_default='off', default='off', max_length=8),
            ),
            migrations.AddConstraint(
                model_name='gameset',
                constraint=models.CheckConstraint(condition=models.Q(('phones__in', ['off', 'propose', 'trusted'])), name='set_phones_known'),
            ),
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tap_id', models.UUIDField()),
                ('move', models.JSONField()),
                ('answer', models.CharField(blank=True, choices=[('taken', 'Taken'), ('left', 'Left'), ('dropped', 'Dropped')], max_length=8)),
                ('at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='scoring.game')),
                ('game_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.gameset')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.seat')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game_set', 'tap_id'), name='proposal_counts_once'), models.CheckConstraint(condition=models.Q(('answer__in', ['', 'taken', 'left', 'dropped'])), name='proposal_answer_known')],
            },
        ),
        migrations.RunPython(announce, migrations.RunPython.noop),
    ]
