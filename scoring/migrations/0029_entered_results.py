"""The ledger takes the VP of results that were entered."""

from django.db import migrations, models
from django.db.models import Q

from scoring.models.triggers.rebuilding import rebuilding

REASONS = ("combat", "hero", "win bonus", "concession", "entered")
DEALT = Q(reason__in=("combat", "hero"), dealt__range=(1, 9999)) | Q(
    reason__in=("win bonus", "concession", "entered"), dealt=0
)
SIGN = (
    Q(reverses__isnull=True, reason="concession", points__lt=0)
    | Q(reverses__isnull=True, reason__in=("win bonus", "entered"), points__gt=0)
    | Q(reverses__isnull=True, reason__in=("combat", "hero"), points__range=(0, 21))
    | Q(reverses__isnull=False, reason="concession", points__gt=0)
    | Q(reverses__isnull=False, reason__in=("win bonus", "entered"), points__lt=0)
    | Q(reverses__isnull=False, reason__in=("combat", "hero"), points__range=(-21, 0))
)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0028_tables_to_try_can_go"),
    ]

    NEW = "It allows more: all rows there are, and those that the old version writes, stay allowed."
    operations = [
        migrations.AlterField(
            model_name="ledgerrow",
            name="reason",
            field=models.CharField(choices=[(one, one) for one in REASONS], max_length=12),
        ),
        *rebuilding(
            migrations.RemoveConstraint(model_name="ledgerrow", name="ledger_damage_dealt"),
            migrations.RemoveConstraint(model_name="ledgerrow", name="ledger_points_sign"),
            migrations.AddConstraint(
                model_name="ledgerrow",
                constraint=models.CheckConstraint(condition=DEALT, name="ledger_damage_dealt"),
            ),
            migrations.AddConstraint(
                model_name="ledgerrow",
                constraint=models.CheckConstraint(condition=SIGN, name="ledger_points_sign"),
            ),
        ),
    ]
