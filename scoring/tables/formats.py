"""What Leveler and Realm Wars add to a board: levels; teams, capitals, phase and reminders."""

from typing import Any, NamedTuple

from ..record.queries import CurrentGame
from ..rules.formats.realm_wars.answers import answers, by_phase, reminders
from ..rules.formats.realm_wars.state import Lord, Team, lord_of, war_of
from ..rules.state import PlayerState
from ..rules.words import plain
from .additions import Additions


class LevelerAdditions(Additions):
    def rows(self, current: CurrentGame) -> dict[int, PlayerState]:
        return dict(current.state.players)


class WarRow(NamedTuple):
    """A player. ``team`` is shown with the team's first player; None with the others.

    ``attacked`` is the zone of the player's capital that is under attack, if there is one.
    """

    lord: Lord
    team: Team | None
    is_commander: bool
    attacked: str


class RealmWarsAdditions(Additions):
    has_answers = True

    def rows(self, current: CurrentGame) -> dict[int, WarRow]:
        war = war_of(current.state)
        teams = {team.seats[0]: team for team in war.teams}
        attacked, zone = war.attacked or (None, "")
        return {
            seat: WarRow(
                lord=lord_of(war, seat),
                team=teams.get(seat),
                is_commander=seat in war.commanders,
                attacked=str(zone) if seat == attacked else "",
            )
            for seat in war.players
        }

    def board(self, current: CurrentGame) -> dict[str, Any]:
        war, latest = war_of(current.state), current.latest
        seat, zone = war.attacked or ("", "")
        return {
            "phase": war.phase,
            "next_phase": war.next_phase,
            "attacked": (str(seat), zone),
            "reminders": reminders(war, latest.move if latest else None),
        }

    def answers(self, current: CurrentGame) -> list[tuple[str, list[tuple[str, str]]]]:
        war, names = war_of(current.state), current.game_set.names
        return [
            (title, [(asked.question, plain(asked.text, names)) for asked in of_group])
            for title, of_group in by_phase(war.phase, answers(war))
        ]
