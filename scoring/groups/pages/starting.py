"""The home page, and the page on which a table is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from coalition_site.lib.pages import Page

from ...forms.tables import StartForm
from ...models import GameSet, Playgroup
from ...pages.standings import Summary
from ...rules.ruleset import Ruleset
from .people import Choices


@dataclass(kw_only=True)
class HomePage(Page):
    """The tables that this browser keeps score of."""

    template: ClassVar[str] = "scoring/home.html"
    tables: Sequence[Summary]


@dataclass(kw_only=True)
class StartPage(Page):
    """The form that starts a table, for a playgroup or for a quick table.

    ``seats`` have their number, shield and name; ``known`` are names to offer. ``last`` is the
    playgroup's latest set, to be played again. ``usual`` and ``chosen`` are keys of rulesets.
    """

    template: ClassVar[str] = "scoring/start.html"
    form: StartForm
    group: Playgroup | None
    known: Sequence[str]
    last: GameSet | None
    last_names: Sequence[str]
    seats: Sequence[tuple[int, str, str]]
    formats: Choices
    format: str
    rulesets: Sequence[Ruleset]
    usual: str
    chosen: str
    seating_note: str
    has_turns: bool
    starter: str
