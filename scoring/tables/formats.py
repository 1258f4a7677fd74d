"""What Leveler and Realm Wars add to a board: levels; teams, capitals, phase and reminders."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from django.utils import timezone

from coalition_site.lib.refusals import Refused

from ..models import EventRow, Game
from ..record.queries import CurrentGame, entry_of
from ..rules.formats.leveler import Overdraw, UseUpLibrary
from ..rules.formats.realm_wars.answers import answers, by_phase, reminders
from ..rules.formats.realm_wars.state import Lord, Team, lord_of, war_of
from ..rules.move import Move
from ..rules.state import PlayerState
from ..rules.words import listed, plain
from .additions import Additions
from .wording import outlook

AT_ONCE = timedelta(seconds=2)  # two taps within these may be meant as one


class LevelerAdditions(Additions):
    reported = "their own life, poison, hits and libraries"

    def rows(self, current: CurrentGame) -> dict[int, PlayerState]:
        return dict(current.state.players)

    def for_seat(self, current: CurrentGame, seat: int, cookies: Mapping[str, str]) -> list[str]:
        """Return what happens to a player who now has to draw from an empty library."""
        names = current.game_set.names
        return [plain(one, names) for one in outlook(current.game, Overdraw((seat,)), names)]

    def check(self, move: Move, typed: Mapping[str, str], game: Game | None) -> None:
        """Ask where a library is used up right after the same player's last: a key tapped twice."""
        if game is None or not isinstance(move, UseUpLibrary):
            return
        last = EventRow.objects.filter(game=game).order_by("seq").last()
        if last is None or last.at is None or str(last.tap_id) == typed.get("tap_id"):
            return
        if timezone.now() - last.at < AT_ONCE and entry_of(last) == move:
            names = plain(listed(move.players), game.game_set.names)
            raise Refused(
                f"The library of {names} was {move.how} just now. If the next one is {move.how}, "
                "too, tap once more."
            )


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
    reported = "their own zones, legends and empty decks"

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
