"""The picture of a set: who is ahead, or who took it, with the race."""

from datetime import date

from django.urls import reverse
from django.utils import timezone

from coalition_site.lib.bidi import isolated
from coalition_site.lib.dates import day

from .. import access
from ..models import Game, GameSet, Playgroup
from ..record import queries
from ..tables import board, standings
from . import charts
from .picture import Banner, Picture, PictureLine, Subject


def of_set(game_set: GameSet, played: list[Game], group: Playgroup | None) -> Subject:
    name = group.name if group else ""  # which the view passes only to whoever may see it
    zone = group.time_zone if group else timezone.get_default_timezone()
    on = queries.day_of(game_set, played, zone)
    return Subject(
        reverse("set_picture", args=[game_set.code]),
        shows=(queries.version(game_set, played), name, on),
        is_private=access.is_for_members(game_set),
        draw=lambda: _picture(game_set, played, name, on),
    )


def _picture(game_set: GameSet, played: list[Game], group: str, on: date) -> Picture:
    state, logs = queries.set_state(game_set, played), queries.replayed_logs(played)
    is_ranked = game_set.rules.is_ranked and bool(played)
    places = standings.podium(game_set, state) if is_ranked else []
    race = charts.race(game_set, state, logs) if game_set.rules.cap and played else None
    lines = [
        PictureLine(
            place.who.name,
            "" if place.points is None else str(place.points),
            place.games if len(state.games) > 1 or place.points is None else "",
            place.rank,
            place.who,
        )
        for place in places
    ]
    seated = [
        PictureLine(name, "", who=board.who(game_set, seat))
        for seat, name in game_set.names.items()
    ]
    banner = Banner([board.title(game_set, len(played)) if played else "A table"])
    if state.has_results:
        first = [place for place in places if place.rank == 1]
        points = first[0].points
        banner = Banner(
            [place.who.name for place in first],
            standings.verb(state, len(first)),
            first[0].who if len(first) == 1 else None,
            *(("", "") if points is None else (str(points), "VP")),
        )
    return Picture(
        about=" · ".join(filter(None, (isolated(group), game_set.rules.title, day(on)))),
        banner=banner,
        lines=lines or seated,
        kind="race" if race else "",
        chart=race,
    )
