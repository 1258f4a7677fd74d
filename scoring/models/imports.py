"""Playgroups that are being made from files."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from coalition_site.lib.rows import Row

from .people import Playgroup


class Import(Row):
    """``sets`` of ``total`` are stored, the last step at ``step_at``. ``document`` is emptied at
    the end; ``outcome`` says why it failed."""

    class State(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    OPEN = (State.WAITING, State.RUNNING)

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    document = models.TextField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    playgroup = models.ForeignKey(Playgroup, models.SET_NULL, null=True, related_name="+")
    sets = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    step_at = models.DateTimeField()
    outcome = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="import_one_at_a_time", fields=["state"], condition=Q(state="running")
            ),
            models.UniqueConstraint(
                name="import_one_of_an_account",
                fields=["owner"],
                condition=Q(state__in=["waiting", "running"]),
            ),
        ]

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN
