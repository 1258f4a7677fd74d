"""A playgroup as a document: what writing and reading it share.

It has the playgroup's people, seasons, house bans, every set with its log and decks, and evenings.
Tallies and ratings are counted again when it is read. Accounts and links are not in it: they belong
to the site that wrote it.

A season that is closed has its final ``table``: when it was ``closed_at``, its ``format``, and its
``places``, each with ``rank``, sums and ratings. It is no sum of the sets: corrections leave it.

``house`` has the ``format`` that its bans are of if that is no longer the playgroup's.

``evenings`` is there if there are any, in the order of their numbers. Each has who came
(``people``, who are ``here`` until they leave) and its ``rounds``. A round has who has a bye, and
its ``tables``: who sits there, and in ``set`` the place of the table's set in ``sets``, from 0,
once it has begun. ``quality`` is how good the draw was: repeats, the fewest possible, and spread;
null once somebody was moved or separated. ``clock`` is there if the round's clock was changed: the
seconds ``added``, since when it is ``paused_at``, and whether it is ``stopped``. The last round may
be one that has not begun.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from typing import NamedTuple, TypeVar

from coalition_site.lib.dates import FIRST_DAY, LAST_DAY
from coalition_site.lib.untrusted import Node
from decks.catalogue.memory import find_rows
from decks.models import Card

from ...models import GameSet, Player, Playgroup
from ...record.queries import a_day_from_now
from ...setlog.document import NAME_MAX, SetLog

Fields = Mapping[str, Node]
T = TypeVar("T")
VERSION = 1
RATING_MAX = 1000  # a newcomer's mu is 25
LAST_TIME = datetime.combine(LAST_DAY, time(), UTC)


class Known(NamedTuple):
    group: Playgroup
    players: dict[str, Player]
    sets: list[GameSet]

    def set_at(self, node: Node) -> GameSet | None:
        # Not sets[value] alone: a negative place, or True, would be taken for a place.
        is_place = type(node.value) is int and 0 <= node.value < len(self.sets)
        return self.sets[node.value] if is_place else None

    def draft_at(self, node: Node, log: SetLog) -> GameSet:
        """Return the draft that the set of a log comes from."""
        draft = self.set_at(node)
        if draft is None or draft.rules.splits_into != log.ruleset.key:
            raise node.refuse("must be the place, from 0, of a draft before it")
        if not set(log.names) <= set(draft.names.values()):
            raise node.refuse("is a draft of other players")
        return draft


def read_optional(node: Node, read: Callable[[Node], T]) -> T | None:
    return None if node.value is None else read(node)


def read_rating(node: Node) -> float:
    if type(node.value) not in (int, float) or not -RATING_MAX <= node.value <= RATING_MAX:
        raise node.refuse(f"must be a number from {-RATING_MAX} to {RATING_MAX}")
    return float(node.value)


def read_lines(node: Node, longest: int) -> str:
    return node.text(longest, lines=True) if node.value else ""


def read_name(node: Node) -> str:
    return node.text(NAME_MAX).strip()


def read_day(node: Node) -> date:
    try:
        day = date.fromisoformat(node.text())
    except ValueError as error:
        raise node.refuse("must be a day, as in 2026-03-09") from error
    if not FIRST_DAY <= day <= LAST_DAY:
        raise node.refuse(f"must be a day from {FIRST_DAY} to {LAST_DAY}")
    return day


def read_time(node: Node, *, latest: datetime | None = None) -> datetime:
    """Return a time, no later than ``latest``, or than now if that is not given."""
    try:
        moment = datetime.fromisoformat(node.text())
    except ValueError as error:
        raise node.refuse("must be a date and time as in ISO 8601") from error
    if moment.tzinfo is None:
        raise node.refuse("must say its zone")
    earliest = datetime.combine(FIRST_DAY, time(), UTC)
    if not earliest <= moment <= (latest or a_day_from_now()):
        end = latest.date() if latest else "now"
        raise node.refuse(f"must be a time from {FIRST_DAY} to {end}")
    return moment


def read_player(node: Node, players: Mapping[str, Player]) -> Player:
    player = players.get(read_name(node))
    if player is None:
        raise node.refuse(f"must be one of {', '.join(players)}")
    return player


def read_items(node: Node, length: int) -> list[Node]:
    items = node.items(may_be_empty=True)
    if len(items) != length:
        raise node.refuse(f"must have {length} items")
    return items


def read_card(node: Node) -> Card:
    name = node.text()
    card = find_rows([name]).get(name)
    if card is None:
        raise node.refuse(f"There is no card called {name}")
    return card
