import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0017_totals'),
    ]

    BUILT = "Building it over 100,000 results or facts takes less than a second, and less than 3 in all."
    operations = [
        migrations.CreateModel(
            name='TeamTally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=40)),
                ('size', models.PositiveSmallIntegerField()),
                ('sets', models.PositiveIntegerField()),
                ('games', models.PositiveIntegerField()),
                ('games_won', models.PositiveIntegerField()),
                ('mate', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.player')),
                ('third', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='scoring.player')),
            ],
            options={
                'verbose_name_plural': 'team tallies',
                'constraints': [models.UniqueConstraint(condition=models.Q(('third', None)), fields=('player', 'mate', 'ruleset', 'size'), name='pair_once'), models.UniqueConstraint(fields=('player', 'mate', 'third', 'ruleset', 'size'), name='three_once'), models.CheckConstraint(condition=models.Q(('player__lt', models.F('mate')), models.Q(('third', None), ('third__gt', models.F('mate')), _connector='OR')), name='team_ordered'), models.CheckConstraint(condition=models.Q(('sets__gt', 0)), name='team_tally_has_sets')],
            },
        ),
        migrations.AddField(
            model_name='tally',
            name='monarch_turns',
            field=models.PositiveIntegerField(db_default=0),
        ),
        migrations.RemoveIndex(model_name='setfacts', name='facts_by_highest'),
        migrations.AddIndex(
            model_name='setfacts',
            index=models.Index(fields=['playgroup', 'format', 'highest', 'game_set'], name='facts_by_highest_and_set'),
        ),
        migrations.RemoveIndex(model_name='setfacts', name='facts_by_margin'),
        migrations.AddIndex(
            model_name='setfacts',
            index=models.Index(fields=['playgroup', 'format', '-margin', 'game_set'], name='facts_by_margin_and_set'),
        ),
        migrations.RemoveIndex(model_name='setfacts', name='facts_by_best_turn'),
        migrations.AddIndex(
            model_name='setfacts',
            index=models.Index(fields=['playgroup', 'format', 'best_turn', 'game_set'], name='facts_by_best_turn_and_set'),
        ),
        migrations.RemoveIndex(model_name='setfacts', name='facts_by_minutes'),
        migrations.AddIndex(
            model_name='setfacts',
            index=models.Index(fields=['playgroup', 'format', 'minutes', 'game_set'], name='facts_by_minutes_and_set'),
        ),
        migrations.RemoveIndex(model_name='setfacts', name='facts_by_streak'),
        migrations.AddIndex(
            model_name='setfacts',
            index=models.Index(fields=['playgroup', 'format', 'streak', 'game_set'], name='facts_by_streak_and_set'),
        ),
        migrations.AddIndex(
            model_name='setresult',
            index=models.Index(fields=['player', 'hero', 'finished_at'], name='result_with_hero'),
        ),
        migrations.AddIndex(
            model_name='setresult',
            index=models.Index(fields=['player', 'coalition_type', 'finished_at'], name='result_with_type'),
        ),
    ]
