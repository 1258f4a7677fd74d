"""What Realm Wars adds to a board: teams, capitals, the phase, and reminders of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.formats.realm_wars.answers import answers, by_phase
from ..rules.formats.realm_wars.reminders import reminders
from ..rules.formats.realm_wars.state import Lord, Team, War, lord_of, war_of
from .additions import Additions, Answer, AnswerGroup
from .board import CurrentGame, Who, parts
from .wording import plain


@dataclass(frozen=True, slots=True)
class ZoneShown:
    """A zone of a player's capital."""

    name: str
    damage: int
    burns_at: int
    developments: int
    is_burning: bool
    is_attacked: bool


@dataclass(frozen=True, slots=True)
class WarRow:
    """A player's capital. ``team`` is shown with the team's first player; None with the others."""

    zones: tuple[ZoneShown, ...]
    team: Team | None
    is_commander: bool
    has_played_legend: bool
    has_no_cards: bool


@dataclass(frozen=True, slots=True)
class WarBoard:
    """``attacked`` is the seat and the zone under attack, as texts; both empty if there is none."""

    phase: str
    next_phase: str
    attacked: tuple[str, str]
    reminders: list[list[Who | str]]


class RealmWarsAdditions(Additions):
    """Realm Wars on pages."""

    has_answers = True

    def rows(self, current: CurrentGame) -> dict[int, WarRow]:
        war = war_of(current.state)
        return {seat: _row(war, seat) for seat in war.players}

    def board(self, current: CurrentGame) -> WarBoard:
        war, latest = war_of(current.state), current.latest
        sentences = reminders(war, latest.move if latest else None)
        seat, zone = war.attacked or ("", "")
        return WarBoard(
            phase=war.phase,
            next_phase=war.next_phase,
            attacked=(str(seat), str(zone)),
            reminders=[parts(current.game_set, sentence) for sentence in sentences],
        )

    def answers(self, current: CurrentGame) -> list[AnswerGroup]:
        war, names = war_of(current.state), current.game_set.names
        return [
            AnswerGroup(
                title, [Answer(asked.question, plain(asked.text, names)) for asked in of_group]
            )
            for title, of_group in by_phase(war.phase, answers(war))
        ]


def _row(war: War, seat: int) -> WarRow:
    lord = lord_of(war, seat)
    team = next((team for team in war.teams if team.seats[0] == seat), None)
    return WarRow(
        zones=_zones(war, seat, lord),
        team=team,
        is_commander=seat in war.commanders,
        has_played_legend=lord.legend,
        has_no_cards=lord.decked,
    )


def _zones(war: War, seat: int, lord: Lord) -> tuple[ZoneShown, ...]:
    return tuple(
        ZoneShown(
            name=name,
            damage=zone.damage,
            burns_at=zone.burns_at,
            developments=zone.developments,
            is_burning=zone.burning,
            is_attacked=war.attacked == (seat, name),
        )
        for name, zone in lord.capital.items()
    )
