from django.db import models


class Row(models.Model):
    """A row that no page calls by a name: in tracebacks its kind and number are enough."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
