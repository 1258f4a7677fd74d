"""The keys by which the names of a playgroup's players differ."""

from itertools import count
from typing import Any

from django.db import models

from coalition_site.lib.texts import name_key

from ..setlog.document import NAME_MAX


class NameKey(models.TextField):
    """The key of a row's name, which follows the name whenever both are saved."""

    def pre_save(self, model_instance: Any, add: bool) -> str:
        key = name_key(model_instance.name)
        setattr(model_instance, self.attname, key)
        return key


def fill_keys(players: Any) -> list[tuple[str, str]]:
    """Store the keys of a playgroup's players; return whose names changed, before and after.
    ``players`` may be of a migration's models."""
    # The version before this one stores no keys, and on SQLite tells José from JOSÉ: whoever came
    # later is “JOSÉ (2)” from now on.
    rows, changed = list(players.order_by("pk")), []
    keys, taken = {name_key(player.name) for player in rows}, set[str]()
    for player in rows:
        name, key = player.name, name_key(player.name)
        if key in taken:
            endings = (f" ({number})" for number in count(2))
            names = (name[: NAME_MAX - len(ending)] + ending for ending in endings)
            player.name = next(free for free in names if name_key(free) not in keys)
            changed.append((name, player.name))
            key = name_key(player.name)
            keys.add(key)
        taken.add(key)
    wrong = [player for player in rows if player.key != name_key(player.name)]
    # Without any first: one's old key may be another's new one.
    players.filter(pk__in=[player.pk for player in wrong]).update(key=None)
    for player in wrong:
        player.save(update_fields=["name", "key"])
    return changed
