import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0013_season_tables'),
    ]

    operations = [
        migrations.AddField(
            model_name='setresult',
            name='best_turn',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='setresult',
            name='monarch_turns',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='setresult',
            name='streak',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.CreateModel(
            name='SetFacts',
            fields=[
                ('game_set', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='facts', serialize=False, to='scoring.gameset')),
                ('format', models.CharField(max_length=40)),
                ('played_on', models.DateField(null=True)),
                ('finished_at', models.DateTimeField()),
                ('highest', models.PositiveSmallIntegerField(null=True)),
                ('margin', models.PositiveSmallIntegerField(null=True)),
                ('best_turn', models.PositiveSmallIntegerField(null=True)),
                ('best_turn_game', models.PositiveSmallIntegerField(null=True)),
                ('minutes', models.PositiveIntegerField()),
                ('minutes_game', models.PositiveSmallIntegerField()),
                ('streak', models.PositiveSmallIntegerField(null=True)),
                ('conceded', models.BooleanField()),
                ('playgroup', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.playgroup')),
            ],
            options={
                'verbose_name_plural': 'facts of sets',
                'indexes': [models.Index(fields=['playgroup', 'format', 'highest'], name='facts_by_highest'), models.Index(fields=['playgroup', 'format', 'margin'], name='facts_by_margin'), models.Index(fields=['playgroup', 'format', 'best_turn'], name='facts_by_best_turn'), models.Index(fields=['playgroup', 'format', 'minutes'], name='facts_by_minutes'), models.Index(fields=['playgroup', 'format', 'streak'], name='facts_by_streak'), models.Index(fields=['playgroup', 'format', 'played_on'], name='facts_by_played_on')],
            },
        ),
    ]
