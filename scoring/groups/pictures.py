"""The pictures of evenings, seasons and players, drawn from the charts of their pages."""

from collections.abc import Sequence

from django.urls import reverse

from coalition_site.lib.bidi import isolated
from coalition_site.lib.dates import day

from ..models import Evening, Player, Playgroup, Season
from ..pictures import charts
from ..pictures.picture import Banner, Picture, PictureLine, Subject
from ..rules.formats import scores
from ..rules.words import count
from ..tables.wording import format_name
from .board.columns import days
from .board.leaderboard import Row
from .evenings.standings import Standing
from .seasons import closing
from .seasons.rows import SeasonRow

NO_RANK = Banner(["No rank yet"])


def of_season(
    season: Season, format: str, rows: Sequence[SeasonRow], now: Sequence[SeasonRow]
) -> Subject:
    """Return a season for its picture: ``rows`` by rank are those of its final table, if there
    is one, and ``now`` those of the race."""
    group, dates = season.playgroup, days(season.starts_on, season.ends_on)
    first = [row for row in rows if row.rank == 1]
    raced = [(row.name, row.by_day, row.rank) for row in now]
    race = charts.race_of_days(raced, in_points=scores(format))
    names = [row.name for row in first]
    # Corrections leave a final table, so that its winner may be ahead no more.
    is_ahead = names == [row.name for row in now[:1]]
    picture = Picture(
        about=" · ".join((isolated(group.name), isolated(season.name), dates)),
        banner=Banner(
            names,
            _verb(len(first), is_over=closing.is_over(season)),
            number=_value(first[0], format),
            unit=_unit(format),
        )
        if first
        else NO_RANK,
        lines=[
            PictureLine(
                row.name,
                _value(row, format),
                count(row.sets, "set") if scores(format) else count(row.games, "game"),
                row.rank,
            )
            for row in rows
        ],
        kind="season",
        chart=race,
        note=f"{names[0]} ahead since {day(race.ahead)}"
        if race and race.ahead and is_ahead
        else "",
    )
    return _subject("season", group, season.pk, picture)


def _subject(name: str, group: Playgroup, key: int, picture: Picture, query: str = "") -> Subject:
    address = reverse(f"{name}_picture", args=[group.code, key]) + query
    return Subject(address, picture, group.is_private, lambda: picture)


def _verb(first: int, *, is_over: bool) -> str:
    """
    >>> _verb(1, is_over=False), _verb(2, is_over=False), _verb(2, is_over=True)
    ('leads', 'lead', 'won')
    """
    return "won" if is_over else "lead" if first > 1 else "leads"


def _unit(format: str) -> str:
    return "VP per game" if scores(format) else "of games won"


def _value(row: Row, format: str) -> str:
    return row.per_game_text if scores(format) else row.won_text


def of_evening(evening: Evening, stand: Sequence[Standing]) -> Subject:
    group, format = evening.playgroup, evening.rules.format
    ranked = [one for one in stand if one.rank is not None]
    first = [one for one in ranked if one.rank == 1]
    since = evening.starts_at.astimezone(group.time_zone)
    mean, times = ("{:.1f} per game in", 1) if scores(format) else ("{:.0f} % of", 100)
    picture = Picture(
        about=" · ".join((isolated(group.name), isolated(evening.name), day(since.date()))),
        banner=Banner(
            [one.player.name for one in first],
            _verb(len(first), is_over=evening.ended_at is not None),
            number=f"{first[0].total:g}",
            unit="VP" if scores(format) else "games won",
        )
        if first
        else NO_RANK,
        lines=[
            PictureLine(
                one.player.name,
                f"{one.total:g}",
                f"{mean.format(times * one.mean)} {count(one.score.games, 'game')}",
                one.rank,
            )
            for one in ranked
        ]
        or [PictureLine(one.player.name, "") for one in stand if one.here],
    )
    return _subject("evening", group, evening.number, picture)


def of_player(group: Playgroup, player: Player, row: Row, format: str) -> Subject:
    lines = [PictureLine("Games", str(row.games)), PictureLine("Games won", str(row.games_won))]
    if scores(format):
        lines = [
            PictureLine("Sets", str(row.sets)),
            PictureLine("Sets won", str(row.sets_won)),
            *lines,
            PictureLine("VP", str(row.victory_points)),
            PictureLine("21 reached", f"{100 * row.at_cap:.0f} %"),
        ]
    ratings = charts.rating_curve(row.form)
    picture = Picture(
        about=" · ".join((isolated(group.name), format_name(format))),
        banner=Banner([player.name], number=_value(row, format), unit=_unit(format)),
        lines=lines,
        kind="course" if ratings else "",
        chart=ratings,
        note=f"Rating {ratings.rating} ± {ratings.off}" if ratings else "",
    )
    return _subject("player", group, player.pk, picture, f"?format={format}")
