"""What the API answers with. The OpenAPI document is written from these classes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Generic, Literal, TypeVar

from ninja import Field, Schema

T = TypeVar("T")

URL = "Its page, for people."


class Listed(Schema, Generic[T]):
    """A page of a list."""

    items: list[T]
    page: int
    next: str | None = Field(description="The address of the next page; null at the end.")


class Playgroup(Schema):
    """People who play together."""

    code: str = Field(description="What names it in addresses.")
    name: str
    visibility: Literal["public", "unlisted", "private"]
    format: str
    ruleset: str = Field(description="The ruleset of new tables.")
    zone: str = Field(description="The time zone of its days.")
    created_at: datetime
    url: str = Field(description=URL)


class Season(Schema):
    """A range of days, both included."""

    id: int
    name: str
    starts_on: date
    ends_on: date


class WholePlaygroup(Playgroup):
    """A playgroup with its seasons, and your role there."""

    house_rules: str
    ban_list: str | None = Field(
        description="The key of the ban list that judges its decks; null where decks have no rules."
    )
    seasons: list[Season]
    role: Literal["owner", "scorekeeper", "member"] | None = Field(
        description="Of the token’s account; null if it is no member."
    )


class Player(Schema):
    """A person of a playgroup."""

    id: int
    name: str
    is_guest: bool = Field(description="Guests have no rank.")
    merged_into: int | None = Field(description="The player who is the same person.")
    url: str = Field(description=URL)


class Sums(Schema):
    """What results add up to."""

    sets: int
    sets_won: int
    games: int
    games_won: int
    victory_points: int
    per_game: float = Field(description="VP per game.")


class Rated(Sums):
    """Sums with a rating."""

    rating: int | None = Field(description="Null before the first set.")
    uncertainty: int | None
    is_rated: bool = Field(description="False while the rating is provisional.")
    streak: int | None = Field(
        description="Sets won in a row up to the latest one; null where it is not known yet."
    )


class PlayerRecord(Schema):
    """The most of something that a player had in a set."""

    kind: Literal["victory_points", "best_turn", "streak"]
    value: int
    set: str = Field(description="The code of the set.")
    on: date


class OfFormat(Rated):
    """A player's sums in a format."""

    format: str
    records: list[PlayerRecord]


class WholePlayer(Player):
    """A player with the sums of all sets."""

    formats: list[OfFormat]


class Row(Rated):
    """A player's row of a board."""

    rank: int | None = Field(description="Null while there are too few sets for a rank.")
    player: int
    name: str


class Board(Schema):
    """A playgroup's leaderboard, in the order of ranks."""

    format: str
    ranked_by: Literal["per_game", "games_won"]
    season: int | None
    first: date | None
    last: date | None
    sets: int
    rows: list[Row]


class LinkedSeason(Season):
    """A season with its page, and when it was closed."""

    closed_at: datetime | None = Field(
        description="When its final table was stored; null before that."
    )
    url: str = Field(description=URL)


class Named(Schema):
    """Somebody, by id and name."""

    player: int
    name: str


class SeasonRow(Sums):
    """A player's row of a season."""

    rank: int | None = Field(description="Null while there are too few sets for a rank.")
    player: int
    name: str
    rating: int | None = Field(description="After the season’s last set.")
    uncertainty: int | None
    rating_change: int | None = Field(description="By how much the season changed it.")
    monarch_turns: int = Field(description="Turns as monarch.")


class Award(Schema):
    """What somebody did most of in a season; several may share it."""

    title: str
    text: str
    players: list[Named]


class WholeSeason(LinkedSeason):
    """A season with its table, in the order of ranks, and its awards."""

    format: str
    ranked_by: Literal["per_game", "games_won"]
    is_corrected: bool = Field(
        description="Whether corrections since would now give another table than the final one."
    )
    rows: list[SeasonRow]
    awards: list[Award]


class Record(Schema):
    """A record, and who has it in which set."""

    kind: Literal["highest", "streak", "best_turn", "margin", "minutes"] = Field(
        description="Most VP in a set, most sets won in a row, most VP in a turn, closest finish, "
        "longest game."
    )
    value: int
    unit: Literal["VP", "sets", "minutes"]
    players: list[Named]
    set: str = Field(description="The code of the set.")
    game: int | None = Field(description="Its game; null where the record is of the whole set.")
    on: date | None


class Records(Schema):
    """A playgroup's records in a format."""

    format: str
    season: int | None
    first: date | None
    last: date | None
    of_days: list[Record] = Field(description="Of the season, or from the first to the last day.")
    of_all: list[Record] = Field(description="Of all time.")


class Evening(Schema):
    """One occasion on which a playgroup plays rounds at several tables."""

    number: int = Field(description="Counts the playgroup’s evenings from 1.")
    name: str
    format: str
    ruleset: str
    starts_at: datetime
    ended_at: datetime | None = Field(description="Null while it is planned or in progress.")
    rounds_planned: int
    minutes: int | None = Field(description="The time of a round; null without a clock.")
    url: str = Field(description=URL)


class Table(Schema):
    """Who sits at a table of a round, in the order of their seats."""

    number: int
    set: str | None = Field(description="The code of its set; null until the round begins.")
    players: list[Named]


class Round(Schema):
    """Who sits at which table at the same time."""

    number: int
    begun_at: datetime | None = Field(description="Null while it is only drawn.")
    tables: list[Table]
    byes: list[Named]
    repeats: int | None = Field(
        description="How often two of a table had met before; null once somebody was moved."
    )
    fewest_repeats: int | None = Field(description="No seating of these people has fewer.")


class Standing(Named):
    """How somebody stands in an evening, over all tables."""

    rank: int | None = Field(
        description="Null before the first game, and without a table in half of the rounds."
    )
    is_guest: bool
    is_here: bool = Field(description="False once they have left.")
    is_playing: bool
    total: float = Field(
        description="VP, or games won in formats without VP, and what the byes count as: each as "
        "much as the other rounds on average, but no less than the median of everybody’s rounds."
    )
    byes: int
    games: int
    games_won: int
    victory_points: int | None = Field(description="Null in formats without VP.")
    per_game: float | None = Field(description="VP per game; null in formats without VP.")


class WholeEvening(Evening):
    """An evening with its rounds, and everybody’s standing in the order of ranks."""

    rounds: list[Round]
    ranked_by: Literal["total"]
    standings: list[Standing]


class Seat(Schema):
    """Who sat there, and how the player stands: at the end, or now."""

    number: int = Field(description="Clockwise, from 1.")
    name: str
    player: int | None = Field(description="Null at a table outside of playgroups.")
    hero: str
    coalition_type: str
    rank: int | None = Field(description="Null until the set is finished.")
    victory_points: int | None = Field(description="Null in formats without VP.")
    games_won: int | None


class Set(Schema):
    """A set: games of the same players under the same ruleset."""

    code: str
    playgroup: str | None
    format: str
    ruleset: str
    created_at: datetime
    finished_at: datetime | None = Field(description="Null while it is played.")
    seats: list[Seat]
    url: str = Field(description=URL)


class Game(Schema):
    """A game of a set; players by seat number."""

    number: int
    status: str
    started_at: datetime
    ended_at: datetime | None
    turn_order: list[int]
    winners: list[int]
    victory_points: dict[int, int] | None = Field(description="Null in formats without VP.")


class WholeSet(Set):
    """A set with its games. Its log has everything that happened."""

    games: list[Game]
    log: str = Field(description="The address of its set log.")


class BanList(Schema):
    """A format’s ban list, or a playgroup’s own on top of it."""

    key: str
    name: str
    format: str
    base: str | None = Field(description="The key of the list that it adds to.")
    playgroup: str | None
    url: str = Field(description=URL)


class Entry(Schema):
    """What a list does with a card, or with a group of cards."""

    name: str
    is_group: bool
    status: Literal["banned", "watched", "allowed", "restricted"]
    reason: str
    since: date
    until: date | None = Field(description="The day on which it is no longer in force.")
    cards: list[str] = Field(description="Of a group that names its cards.")
    is_house: bool = Field(description="Whether it is the playgroup’s own.")


class WholeBanList(BanList):
    """A ban list on a day."""

    on: date
    entries: list[Entry]


class BanChange(Schema):
    """What an announcement does to a card, or to a group of cards."""

    name: str
    is_group: bool
    status: Literal["banned", "watched", "allowed", "legal"]
    was: Literal["banned", "watched", "allowed"] | None = Field(description="Its status before.")
    reason: str
    cards: list[str] = Field(description="Of a group that names its cards.")


class Announcement(Schema):
    """What a ban list’s editors announced for a day."""

    on: date
    title: str
    text: str
    changes: list[BanChange]
    url: str = Field(description=URL)


class Reason(Schema):
    """Why a card may not be in a deck."""

    code: Literal["banned", "not_in_pool", "legendary"]
    message: str


class Verdict(Schema):
    """Whether a card may be in a deck, whatever else is in it."""

    asked: str
    card: str | None = Field(description="Null if no card has this name.")
    verdict: Literal["legal", "illegal", "unknown"]
    reasons: list[Reason]
    hero_only: bool = Field(description="Whether only the hero of a deck may be this card.")
    watched: str | None = Field(description="Why the list watches it; null if it does not.")
    closest: list[str] = Field(description="Names like the one that is unknown.")


class Verdicts(Schema):
    """The verdicts on some cards, in the order of the request."""

    ruleset: str
    ban_list: str
    on: date
    cards: list[Verdict]
