"""Realm Wars (004): two teams burn the zones of each other's capitals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ...effects import Effect, GameDrawn, Leaving, PlayerLeft
from ...engine import Story, end_won, require_in_game
from ...moves import Concede, Draw, PassTurn, Win
from ...ruleset import Ruleset
from ...state import GameState, PlayerState, changed
from ...words import Sentence, series
from .answers import due
from .effects import PhaseBegan, TeamLost, TeamTurnBegan, TeamWon, ZoneBurned, ZoneChanged
from .moves import OF_FORMAT, OF_PLAYERS
from .state import (
    CONCEDED,
    NO_CARDS,
    PHASES,
    Lord,
    War,
    burning,
    lord_of,
    war_of,
    zones_to_burn,
)


def _pass_turn(story: Story, move: PassTurn) -> None:
    war = war_of(story.state)
    if move.player is not None:
        require_in_game(war, move.player)
    seat = war.next_after(war.active) if move.player is None else war.leader_of(move.player)
    story.add(TeamTurnBegan(seat, team=war.side_of(seat)))
    story.add(PhaseBegan(PHASES[0]))


def _concede(story: Story, move: Concede) -> None:
    war = war_of(story.state)
    require_in_game(war, move.player)
    for seat in war.side_of(move.player):
        story.add(PlayerLeft(seat, Leaving.CONCEDED))
    end_won(story, war.next_after(move.player), CONCEDED)


def _losing(state: War) -> dict[int, str]:
    losing = {}
    for team, seats in enumerate(state.sides):
        why = []
        if burning(state, team) >= zones_to_burn(state, 1 - team):
            why.append(f"{burning(state, team)} zones burning")
        if all(lord_of(state, seat).decked for seat in seats):
            why.append(NO_CARDS)
        if why:
            losing[team] = " and ".join(why)
    return losing


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmWars(Ruleset):
    format: ClassVar[str] = "realm-wars"
    moves: ClassVar[frozenset[type]] = OF_FORMAT | {PassTurn, Concede, Win, Draw}
    own_moves: ClassVar[frozenset[type]] = OF_PLAYERS
    overrides: ClassVar[Mapping[type, Any]] = {PassTurn: _pass_turn, Concede: _concede}
    player: ClassVar[type[PlayerState]] = Lord
    game: ClassVar[type[GameState]] = War
    card_game: ClassVar[str] = "Warhammer: Invasion"
    has_teams: ClassVar[bool] = True

    players_min: int = 4
    players_max: int = 6
    players_usual: range = range(4, 7, 2)

    def allows(self, players: int) -> bool:
        return players in self.players_usual

    def teams(self, players: int) -> tuple[tuple[int, ...], ...]:
        half = players // 2
        return tuple(range(1, half + 1)), tuple(range(half + 1, players + 1))

    @property
    def players_text(self) -> str:
        return " or ".join(map(str, self.players_usual))

    def begin(self, state: GameState) -> GameState:
        led = changed(war_of(state), commanders=tuple(seats[0] for seats in war_of(state).sides))
        return changed(led, active=led.leader_of(state.active), priority=led.active_team)

    def check_state(self, story: Story) -> None:
        for seat in story.state.players:
            for name, zone in lord_of(story.state, seat).capital.items():
                if not zone.burning and zone.damage >= zone.burns_at:
                    war, lord = war_of(story.state), lord_of(story.state, seat)
                    team, is_last = war.team_of(seat), lord.burning == len(lord.zones) - 1
                    now, burns_at = burning(war, team) + 1, zones_to_burn(war, 1 - team)
                    story.add(ZoneBurned(seat, name, now, burns_at, is_last))
        war = war_of(story.state)
        losing = _losing(war)
        for team, why in losing.items():
            story.add(TeamLost(war.sides[team], why))
        if len(losing) == len(war.sides):
            story.add(GameDrawn(" and ".join(dict.fromkeys(losing.values())), war.in_game))
        elif losing:
            ((team, why),) = losing.items()
            story.add(TeamWon(war.commanders[1 - team], why, war.sides[1 - team]))

    def due(self, state: GameState) -> list[Sentence]:
        return due(war_of(state))

    def recap(self, state: GameState, effects: Iterable[Effect], seat: int) -> list[str]:
        lord = lord_of(state, seat)
        damage = sum(
            effect.damage
            for effect in effects
            if isinstance(effect, ZoneChanged) and effect.player == seat and effect.damage > 0
        )
        burned = [name for name, zone in lord.capital.items() if zone.burning]
        return [
            *([f"{damage} damage taken"] if damage else []),
            f"{series(burned)} burned" if burned else "no zone burned",
            *(["played an Eternal War legend"] if lord.legend else []),
        ]

    def ending(self, state: GameState) -> str:
        """Return how a game ended, which a team won by what the other team has."""
        has_won_by = _losing(war_of(state)).values() if state.winner else ()
        whose = "the other team has " if state.ended_by in has_won_by else ""
        return whose + Ruleset.ending(self, state)

    def team_result(self, state: GameState, seats: tuple[int, ...]) -> str:
        team = next(team for team in war_of(state).teams if team.seats == seats)
        return f"{team.burning} of {team.burns_at} zones burning"

    def outcome(self, state: GameState, names: Mapping[int, str]) -> dict[str, Any]:
        war = war_of(state)
        lords = {names[seat]: lord_of(war, seat) for seat in sorted(war.players)}
        seat, zone = war.attacked or (0, "")
        return {
            "winners": [names[seat] for seat in war.winners],
            "teams": [
                {
                    "players": [names[seat] for seat in team.seats],
                    "commander": names[team.commander],
                    "burning": team.burning,
                    "loses_at": team.burns_at,
                }
                for team in war.teams
            ],
            "active": names[war.active],
            "phase": war.phase,
            "priority": names[war.commanders[war.priority]],
            "attacked": {"player": names[seat], "zone": zone} if seat else None,
            "zones": {
                name: {zone: facts._asdict() for zone, facts in lord.capital.items()}
                for name, lord in lords.items()
            },
            "legends": [name for name, lord in lords.items() if lord.legend],
            "empty_decks": [name for name, lord in lords.items() if lord.decked],
            "out": {name: lord.out for name, lord in lords.items() if lord.out},
        }


REALM_WARS = RealmWars(
    key="realm-wars",
    name="Realm Wars",
    summary="Two teams burn the zones of each other’s capitals: 4 of 6, or 6 of 9. One game.",
    start_note="Choose any player of the team that begins.",
    seating_note="Two teams, each side by side: seats 1 and 2 against 3 and 4, or 1 to 3 against 4 "
    "to 6. The first of each team is its Commander.",
)
