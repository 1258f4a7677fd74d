"""What the home page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...models import Playgroup
from .bases import LiveTable


@dataclass(frozen=True)
class Again:
    """A set whose people can sit down again by one tap; ``names`` are as they sat.

    Of a draft, that is another draft.
    """

    code: str
    names: Sequence[str]
    ruleset: str
    is_draft: bool


@dataclass(frozen=True)
class HomeGroup:
    """A playgroup of the visitor's account, and the tables at which something is played there."""

    group: Playgroup
    may_score: bool
    playing: Sequence[LiveTable]
