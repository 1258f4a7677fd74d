"""The record of sets: seats, the log of each game, the ledger. Events and ledger rows are
append-only (``triggers/append_only.py``); ``record/recording.py`` is their only writer."""

from functools import cached_property
from typing import Any, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from coalition_site.lib.rows import Row

from ..rules.effects import Reason
from ..rules.formats import RULESETS
from ..rules.log import Recent
from ..rules.ruleset import Ruleset
from ..rules.state import GameState, Status
from ..setlog import codec
from ..setlog.document import NAME_MAX
from .people import Player, Playgroup

SEATS_MAX = 8
COLOURS = ("Red", "Blue", "Green", "Purple", "Gold", "Grey", "Orange", "Teal")  # of the shields
CARD_MAX = 200  # letters of a card's name, or of a creature type


class SeatHero(NamedTuple):
    """Both empty while nobody has named them."""

    name: str = ""
    type: str = ""


NOBODY = SeatHero()


class Phones(models.TextChoices):
    """What players do on their own phones about themselves."""

    OFF = "off", "look on"
    PROPOSE = "propose", "propose it"
    TRUSTED = "trusted", "record it"


def colours(ruleset: Ruleset, seats: int) -> list[str]:
    """
    >>> colours(RULESETS["realm-wars"], 4)
    ['Red 1', 'Red 2', 'Blue 1', 'Blue 2']
    """
    if not ruleset.has_teams:
        return list(COLOURS[:seats])
    teams = zip(COLOURS, ruleset.teams(seats), strict=False)
    return [f"{colour} {place}" for colour, team in teams for place, _ in enumerate(team, 1)]


class GameSet(Row):
    """``key_hash`` is the SHA-256 of the scorekeeper's secret, null once that is revoked.
    ``seating`` copies the seats' keys and names in order, ``heroes`` their heroes and coalition
    types by number: taps need nothing else of them. ``house`` is the playgroup's ban list; null:
    the format's own. ``trial_until`` is null for a table of real people. ``clock_minutes``: 0
    for no clock, null for what the ruleset says. ``seal`` is the hash of how it was made, see
    ``record/chaining.py``."""

    code = models.CharField(max_length=16, unique=True)
    ruleset = models.CharField(max_length=40, choices={key: key for key in RULESETS})
    seed = models.BigIntegerField()
    key_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - null: revoked
    seating = models.JSONField(default=list)
    heroes = models.JSONField(null=True)
    called = models.BooleanField(default=False)
    house = models.ForeignKey("decks.BanList", models.PROTECT, null=True, related_name="+")
    playgroup = models.ForeignKey(Playgroup, models.PROTECT, null=True, related_name="sets")
    draft = models.ForeignKey("self", models.PROTECT, null=True, related_name="tables")
    trial_until = models.DateTimeField(null=True)
    clock_minutes = models.PositiveSmallIntegerField(null=True)
    phones = models.CharField(
        max_length=8, choices=Phones, default=Phones.OFF, db_default=Phones.OFF
    )
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    seal = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null: of an older version

    named_game: "Game | None" = None  # by the address of a page, where it names a game
    game: int | None  # the latest, with its state as JSON; only of sets that are being played
    state: Any

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="set_ruleset_known", condition=Q(ruleset__in=sorted(RULESETS))
            ),
            models.CheckConstraint(name="set_phones_known", condition=Q(phones__in=Phones.values)),
        ]
        indexes = [
            models.Index(name="set_of_group", fields=["playgroup", "finished_at", "created_at"]),
        ]

    @property
    def is_trial(self) -> bool:
        """Whether it is a table to try: it counts nowhere, and no playgroup can take it in."""
        return self.trial_until is not None

    @property
    def minutes(self) -> int:
        """How long the set should take, for its clock; 0 for no clock."""
        return self.rules.minutes if self.clock_minutes is None else self.clock_minutes

    @cached_property
    def rules(self) -> Ruleset:
        return RULESETS[self.ruleset]

    @cached_property
    def names(self) -> dict[int, str]:
        return {seat: name for seat, (_, name) in enumerate(self.seating, 1)}

    @property
    def unnamed(self) -> list[int]:
        called = zip(self.names.items(), colours(self.rules, len(self.names)), strict=False)
        return [seat for (seat, name), colour in called if name == colour]

    @property
    def team_size(self) -> int:
        """How many players a team has; 0 where everybody plays alone."""
        rules = self.rules
        return len(rules.teams(len(self.seating))[0]) if rules.has_teams else 0

    def hero_of(self, seat: int) -> SeatHero:
        return SeatHero(*(self.heroes or {}).get(str(seat), ()))

    @cached_property
    def seat_keys(self) -> dict[int, int]:
        return {seat: key for seat, (key, _) in enumerate(self.seating, 1)}


class Scorekeeper(models.Model):
    """A browser; ``user`` is the account that was signed in there when it was last seen."""

    game_set = models.ForeignKey(GameSet, models.CASCADE, related_name="scorekeepers")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="scorekeeper_number", fields=["game_set", "number"]),
        ]

    def __str__(self) -> str:
        return self.user.get_username() if self.user else f"Phone {self.number}"


class Seat(Row):
    """``number`` counts clockwise from 1. ``deck_report`` is how the ``deck`` was judged on that
    day. ``hero`` and ``coalition_type`` were named at the table, null if they were not."""

    game_set = models.ForeignKey(GameSet, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=NAME_MAX)
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="seats")
    deck = models.ForeignKey("decks.DeckRevision", models.PROTECT, null=True, related_name="seats")
    deck_report = models.JSONField(null=True)
    hero = models.CharField(max_length=CARD_MAX, null=True)  # noqa: DJ001 - null: not named
    coalition_type = models.CharField(max_length=CARD_MAX, null=True)  # noqa: DJ001

    class Meta:
        constraints = [
            models.UniqueConstraint(name="seat_number", fields=["game_set", "number"]),
            models.UniqueConstraint(name="seat_name", fields=["game_set", "name"]),
            models.UniqueConstraint(name="seat_player", fields=["game_set", "player"]),
            models.CheckConstraint(
                name="seat_number_range", condition=Q(number__range=(1, SEATS_MAX))
            ),
            models.CheckConstraint(name="seat_has_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="seat_deck_is_judged",
                condition=Q(deck=None, deck_report=None)
                | Q(deck__isnull=False, deck_report__isnull=False),
            ),
            models.CheckConstraint(
                name="seat_type_of_hero",
                condition=Q(coalition_type=None) | (Q(hero__isnull=False) & ~Q(coalition_type="")),
            ),
            models.CheckConstraint(name="seat_hero_is_named", condition=Q(hero=None) | ~Q(hero="")),
        ]

    @property
    def led_by(self) -> SeatHero:
        """The hero and the type: as named at the table, else by the deck's report."""
        if self.hero:
            return SeatHero(self.hero, self.coalition_type or "")
        report = self.deck_report or {}
        return SeatHero(report.get("hero") or "", report.get("coalition_type") or "")


class SeatLink(Row):
    """A seat's secret link, for the phone of whoever sits there; it does not let anybody score.
    With the same secret it opens their seat at the next table too."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="link")
    key_hash = models.CharField(max_length=64, db_index=True)


class Sideboarding(Row):
    """What a player changed before a game: a ``swap`` that was noted (cards out and in), or a deck
    that was sealed: ``box``, encrypted until the set is finished. ``digest`` is its hash with a
    salt, ``owner_hash`` that of the secret in the browser that sealed it."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="sideboardings")
    game = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    swap = models.JSONField(null=True)
    box = models.TextField(null=True)  # noqa: DJ001 - null: a swap
    digest = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null: a swap
    owner_hash = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null: a swap

    class Meta:
        constraints = [
            models.UniqueConstraint(name="sideboarding_once", fields=["seat", "game"]),
            models.CheckConstraint(name="sideboarding_game_range", condition=Q(game__range=(1, 3))),
            models.CheckConstraint(
                name="sideboarding_noted_or_sealed",
                condition=Q(swap__isnull=False, box=None, digest=None, owner_hash=None)
                | Q(swap=None, box__isnull=False, digest__isnull=False, owner_hash__isnull=False),
            ),
        ]


class Game(Row):
    """``before`` (the VP of all seats in earlier games, in seat order), ``state`` and ``recent``
    can always be rebuilt from the logs. A game that was taken back stays, with its log, and does
    not count. ``first_ended_at`` stays when a correction reopens the game, which then ends when
    it first did. ``last_by`` is the scorekeeper of the last event. ``head`` is the last link of
    the chain of hashes. ``confirmed`` is by seat number the life that a player confirmed last; its
    ``ready`` is what players said before the game."""

    game_set = models.ForeignKey(GameSet, models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField()
    turn_order = models.JSONField()
    dropped = models.JSONField()
    rolled = models.BooleanField()
    before = models.JSONField(null=True)
    taken_back = models.BooleanField(default=False)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    first_ended_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=12, choices={status: status for status in Status})
    winner = models.ForeignKey(Seat, models.PROTECT, null=True, related_name="+")
    state = models.JSONField()
    recent = models.JSONField()
    length = models.PositiveIntegerField(default=0)
    last_by = models.PositiveSmallIntegerField(null=True)
    head = models.CharField(max_length=80, null=True)  # noqa: DJ001 - null: of the first release
    confirmed = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="game_number", fields=["game_set", "number"], condition=Q(taken_back=False)
            ),
            models.CheckConstraint(name="game_number_range", condition=Q(number__range=(1, 3))),
            models.CheckConstraint(
                name="game_status_known", condition=Q(status__in=[str(s) for s in Status])
            ),
            models.CheckConstraint(
                name="game_winner_when_won",
                condition=Q(status=Status.WON, winner__isnull=False)
                | Q(~Q(status=Status.WON), winner__isnull=True),
            ),
        ]

    @property
    def ready(self) -> dict[str, list[str]]:
        ready: dict[str, list[str]] = (self.confirmed or {}).get("ready", {})
        return ready

    @cached_property
    def current_state(self) -> GameState:
        return codec.read_state(self.state)

    @cached_property
    def recent_events(self) -> Recent:
        return codec.read_recent(self.recent)


class GameRegister(Row):
    """Written by a trigger; it stays when the game is deleted."""

    game = models.BigIntegerField(primary_key=True)
    game_set = models.BigIntegerField()


class EventRow(Row):
    """``entry`` has the form of a set log's event, players named by seat number. ``tap_id`` and
    ``at`` are null if an imported log had none. ``by`` is the scorekeeper who reported it, or a
    player's own phone (see ``record/scorekeepers.py``). ``hash`` is null in rows of the first
    release."""

    game_set = models.ForeignKey(GameSet, models.PROTECT, related_name="+")
    game = models.ForeignKey(Game, models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    tap_id = models.UUIDField(null=True)
    entry = models.JSONField()
    corrects = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(null=True)
    by = models.PositiveSmallIntegerField(null=True)
    hash = models.BinaryField(max_length=32, null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="event_number", fields=["game", "seq"]),
            models.UniqueConstraint(name="event_counts_once", fields=["game_set", "tap_id"]),
            models.CheckConstraint(name="event_number_from_1", condition=Q(seq__gte=1)),
            models.CheckConstraint(
                name="event_corrects_earlier",
                condition=Q(corrects__isnull=True) | Q(corrects__gte=1, corrects__lt=F("seq")),
            ),
        ]


class LedgerRow(Row):
    """The sum of a player's rows is the player's VP. ``written_by`` is the ``event`` that the
    points come from, or a correction, whose row ``reverses`` a wrong one."""

    event = models.ForeignKey(EventRow, models.PROTECT, related_name="ledger")
    written_by = models.ForeignKey(EventRow, models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, models.PROTECT, related_name="ledger")
    reason = models.CharField(max_length=12, choices={reason: reason for reason in Reason})
    dealt = models.PositiveIntegerField()
    points = models.SmallIntegerField()
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="ledger_damage_dealt",
                condition=Q(reason__in=("combat", "hero"), dealt__range=(1, 9999))
                | Q(reason__in=("win bonus", "concession", "entered"), dealt=0),
            ),
            # 21 is ``cap`` of scoring/rules/formats/coalition.py.
            models.CheckConstraint(
                name="ledger_points_sign",
                condition=Q(reverses__isnull=True, reason="concession", points__lt=0)
                | Q(reverses__isnull=True, reason__in=("win bonus", "entered"), points__gt=0)
                | Q(reverses__isnull=True, reason__in=("combat", "hero"), points__range=(0, 21))
                | Q(reverses__isnull=False, reason="concession", points__gt=0)
                | Q(reverses__isnull=False, reason__in=("win bonus", "entered"), points__lt=0)
                | Q(reverses__isnull=False, reason__in=("combat", "hero"), points__range=(-21, 0)),
            ),
        ]
