"""What the page of a ban list says of a card that it has no entry for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from coalition_site.lib.dates import day

from ..catalogue import memory
from ..models import BanEntry, BanList
from .standing import NOT_LEGAL, Standing, of_entries


@dataclass(frozen=True)
class Asked:
    """A card that was asked for by its name, or the ``closest`` names to one that no card has."""

    name: str
    standing: Standing | None
    closest: Sequence[str] = ()

    @property
    def words(self) -> str:
        """What the list says of the card, behind its name; or that there is none."""
        if self.standing is None:
            return f"No card is called {self.name}."
        if self.standing.status == NOT_LEGAL:
            return "not legal. It is not in the card pool."
        if self.standing.since:
            return f"{self.standing.status} since {day(self.standing.since)}."
        return f"{self.standing.status}. This list has never said anything about it."


def asked(
    query: str, ban_list: BanList, entries: Sequence[BanEntry], on: date, *, suggests: bool
) -> Asked | None:
    """Return what a list says of a card with exactly this name; None if there is none.

    ``entries`` are all that the list ever had. With ``suggests`` an unknown name gets the closest
    names, if there are any. Three queries at most.
    """
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([query]).get(query)
    if card:
        return Asked(card.name, of_entries(card, ban_list, entries, on))
    closest = catalogue.closest([query])[query] if suggests else ()
    return Asked(query, None, closest) if closest else None
