"""The art of heroes, for pages that name them."""

from collections.abc import Collection

from django.conf import settings

from ..catalogue import memory
from .addresses import Picture


def art(names: Collection[str]) -> dict[str, Picture]:
    """Return the pictures of those heroes that have art, by name.

    No query on a site without pictures, otherwise one; two more for names that are new to this
    process, or unknown.
    """
    if settings.CARD_PICTURES == "none" or not any(names):
        return {}
    cards = memory.CATALOGUE.now().find([name for name in names if name])
    fronts = {name: card.pictures[0] for name, card in cards.items() if card.pictures}
    return {name: picture for name, picture in fronts.items() if picture.art}
