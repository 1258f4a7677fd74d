from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from .lib.rows import Row

TOKEN_NAME_MAX = 40


class Posted(Row):
    """How often somebody posted something in the window that ends at ``ends``."""

    what = models.CharField(max_length=20)
    who = models.CharField(max_length=60)  # an address, or an account's number
    ends = models.BigIntegerField(db_index=True)  # seconds since 1970
    times = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["what", "who", "ends"], name="posted_counted_once")
        ]


class ApiToken(models.Model):
    """A secret with which a program reads what an account may see."""

    # Only its hash is stored; ``ending`` are its last letters, to tell tokens apart.

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=TOKEN_NAME_MAX)
    key_hash = models.CharField(max_length=64, unique=True)
    ending = models.CharField(max_length=4)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = [
            models.UniqueConstraint("user", Lower("name"), name="token_name_once"),
            models.CheckConstraint(name="token_has_name", condition=~Q(name="")),
        ]

    def __str__(self) -> str:
        return f"{self.name} …{self.ending}"
