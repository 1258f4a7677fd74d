"""The site's own tables."""

from django.db import models


class Posted(models.Model):
    """How often somebody posted something in the window that ends at ``ends``."""

    what = models.CharField(max_length=20)
    who = models.CharField(max_length=60)  # an address, or an account's number
    ends = models.BigIntegerField(db_index=True)  # seconds since 1970
    times = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["what", "who", "ends"], name="posted_counted_once")
        ]

    def __str__(self) -> str:
        return f"{self.what} by {self.who}: {self.times}"
