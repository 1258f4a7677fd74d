"""The database itself refuses rows that can't be."""

from datetime import UTC, date, datetime
from types import EllipsisType
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from scoring.groups.evenings import commands as evenings
from scoring.groups.settings import commands as settings
from scoring.groups.settings.commands import create_playgroup
from scoring.models import (
    Attendee,
    Claim,
    Delivery,
    Evening,
    EventRow,
    Game,
    GameSet,
    Import,
    Invitation,
    LedgerRow,
    Membership,
    Place,
    Player,
    Playgroup,
    Proposal,
    Round,
    RoundTable,
    Scorekeeper,
    Season,
    SeasonPlace,
    SeasonTable,
    Seat,
    SetResult,
    Sideboarding,
    Tally,
    Webhook,
)
from scoring.models.tallies import SUMS
from scoring.record import commands
from scoring.record.counting import count_days
from scoring.record.seating import add_player
from scoring.rules.corrections import Undo
from scoring.rules.moves import Concede, Draw
from tests.scoring.rules.play import ANN, BO, hit

from ..tables import KEY, record, set_up, tap_id, the_game, unchanged

DAY, LONG_AGO = date(2026, 3, 6), datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def rows(shared_rows) -> None:
    with shared_rows():
        _fill()


@pytest.fixture
def full(rows: None, db: None) -> None:
    """A finished set and a second table, so that every kind of row is there."""


def _fill() -> None:
    table = set_up()
    commands.record(table, 1, hit(ANN, BO, 4), tap_id=tap_id(1))
    record(table, hit(ANN, BO, 3), Undo(2), Concede(ANN), Draw())
    commands.call_set(table)
    table.scorekeepers.create(number=1, seen_at=timezone.now())
    set_up(key="another-key")
    _fill_playgroup(table)


def _fill_playgroup(table: GameSet) -> None:
    """Fill a playgroup, of whose players one sat at the second seat and has the last result."""
    now, olga = timezone.now(), User.objects.create_user("olga")
    group = create_playgroup("Thursday", olga, visibility="public", ruleset="coalition-906")
    settings.invite(group, "member", 7, key=KEY)
    settings.add_season(group, "Spring", DAY, DAY)
    ann = add_player(group, "Ann")
    Player.objects.filter(pk=ann.pk).update(user=olga)
    Claim.objects.create(player=ann, user=olga, claimed_at=now)
    Seat.objects.filter(game_set=table, number=2).update(player=ann)
    first = table.seats.get(number=1)
    Sideboarding.objects.create(seat=first, game=2, at=now, swap={})
    Proposal.objects.create(
        game_set=table, game=the_game(table), seat=first, tap_id=tap_id(1), move={}, at=now
    )
    last = SetResult.objects.filter(game_set=table).latest("pk")
    SetResult.objects.filter(pk=last.pk).update(player=ann, played_on=DAY)
    count_days({(ann.pk, DAY)})
    Import.objects.create(owner=olga, state="running", document="{}", step_at=now)
    User.objects.create_user("admin")
    # As the version before keys adds players.
    Player.objects.filter(pk=add_player(group, "Old").pk).update(key=None)
    _fill_evening(group, table)
    _fill_sums(group, ann)
    hook = Webhook.objects.create(
        playgroup=group, form="json", secret_box="x", host="example.org", created_at=now
    )
    hook.deliveries.create(kind="test", queued_at=now, next_at=now)


def _fill_sums(group: Playgroup, ann: Player) -> None:
    """Store the final table of the season, as if Ann had played a set in it."""
    of_ann = {"player": ann, "sets": 1, "games": 1}
    final = SeasonTable.objects.create(
        season=group.seasons.get(), closed_at=timezone.now(), format="coalition"
    )
    final.places.create(**of_ann, **dict.fromkeys(set(SUMS) - {"sets", "games"}, 0))


def _fill_evening(group: Playgroup, table: GameSet) -> None:
    evening = evenings.create_evening(
        group, "Friday", table.rules, rounds=1, usual_size=3, tap_id=tap_id(1)
    )
    evenings.arrive(evening, ["Ann", "Bo", "Cy"])
    add_player(group, "Di")
    evenings.pair_round(evening).tables.create(number=1, game_set=table)


# A constraint, the model, and how a copy of its first row breaks it.
BREACHES: list[tuple[str, type[models.Model], dict[str, Any]]] = [
    ("set_ruleset_known", GameSet, {"code": "new", "key_hash": None, "ruleset": "chess"}),
    ("set_phones_known", GameSet, {"code": "new", "key_hash": None, "phones": "all"}),
    ("proposal_counts_once", Proposal, {}),
    ("proposal_answer_known", Proposal, {"tap_id": tap_id(2), "answer": "maybe"}),
    ("scorekeeper_number", Scorekeeper, {}),
    ("seat_number", Seat, {"name": "New"}),
    ("seat_name", Seat, {"number": 6}),
    ("seat_number_range", Seat, {"name": "New", "number": 0}),
    ("seat_number_range", Seat, {"name": "New", "number": 9}),
    ("seat_player", Seat, {"number": 6, "name": "New", "player_id": "ann"}),
    ("seat_has_name", Seat, {"name": "", "number": 6}),
    ("seat_deck_is_judged", Seat, {"number": 6, "name": "New", "deck_report": {}}),
    ("seat_type_of_hero", Seat, {"number": 6, "name": "New", "coalition_type": "Elf"}),
    ("seat_hero_is_named", Seat, {"number": 6, "name": "New", "hero": ""}),
    ("sideboarding_once", Sideboarding, {}),
    ("sideboarding_game_range", Sideboarding, {"game": 0}),
    ("sideboarding_game_range", Sideboarding, {"game": 4}),
    ("sideboarding_noted_or_sealed", Sideboarding, {"game": 3, "swap": None}),
    ("sideboarding_noted_or_sealed", Sideboarding, {"game": 3, "box": "x"}),
    ("game_number", Game, {}),
    ("game_number_range", Game, {"number": 0}),
    ("game_number_range", Game, {"number": 4}),
    ("game_status_known", Game, {"number": 2, "status": "paused"}),
    ("game_winner_when_won", Game, {"number": 2, "status": "won", "winner_id": None}),
    ("game_winner_when_won", Game, {"number": 2, "status": "drawn", "winner_id": ...}),
    ("event_number", EventRow, {"tap_id": tap_id(2)}),
    ("event_counts_once", EventRow, {"seq": 99}),
    ("event_number_from_1", EventRow, {"tap_id": None, "seq": 0}),
    ("event_corrects_earlier", EventRow, {"tap_id": None, "seq": 99, "corrects": 0}),
    ("event_corrects_earlier", EventRow, {"tap_id": None, "seq": 99, "corrects": 99}),
    ("event_corrects_earlier", EventRow, {"tap_id": None, "seq": 99, "corrects": 100}),
    ("ledger_damage_dealt", LedgerRow, {"dealt": 0}),
    ("ledger_damage_dealt", LedgerRow, {"dealt": 10_000}),
    ("ledger_damage_dealt", LedgerRow, {"reason": "win bonus"}),
    ("ledger_damage_dealt", LedgerRow, {"reason": "tip"}),
    ("ledger_points_sign", LedgerRow, {"points": -1}),
    ("ledger_points_sign", LedgerRow, {"points": 22}),
    ("ledger_points_sign", LedgerRow, {"reason": "win bonus", "dealt": 0, "points": 0}),
    ("ledger_points_sign", LedgerRow, {"reason": "concession", "dealt": 0, "points": 1}),
    ("ledger_points_sign", LedgerRow, {"points": 1, "reverses_id": ...}),
    ("result_rank_range", SetResult, {"rank": 0, "seat_id": ...}),
    ("result_rank_range", SetResult, {"rank": 9, "seat_id": ...}),
    ("result_games_won", SetResult, {"games_won": 2, "games_played": 1, "seat_id": ...}),
    ("result_player", SetResult, {"seat_id": ..., "player_id": "ann", "played_on": DAY}),
    ("result_of_player", SetResult, {"seat_id": ..., "played_on": DAY}),
    ("result_of_player", SetResult, {"seat_id": ..., "mu": 25.0}),
    ("result_of_player", SetResult, {"seat_id": ..., "player_id": "ann"}),
    ("group_has_name", Playgroup, {"code": "new", "name": ""}),
    ("group_ruleset_known", Playgroup, {"code": "new", "ruleset": "chess"}),
    ("group_visibility_known", Playgroup, {"code": "new", "visibility": "secret"}),
    ("code", Playgroup, {}),
    ("one_membership_each", Membership, {}),
    ("membership_role", Membership, {"role": "king"}),
    ("key_hash", Invitation, {}),
    ("invitation_role", Invitation, {"key_hash": "new", "role": "king"}),
    ("invitation_expires_later", Invitation, {"key_hash": "new", "expires_at": LONG_AGO}),
    ("player_key_once", Player, {"user_id": None, "name": "\uff41NN"}),  # a wide letter
    ("player_name_once", Player, {"user_id": None, "name": "oLD"}),
    ("import_one_at_a_time", Import, {"owner_id": "admin"}),
    ("import_one_of_an_account", Import, {"state": "waiting"}),
    ("one_player_each", Player, {"name": "New"}),
    ("player_has_name", Player, {"user_id": None, "name": ""}),
    (
        "player_merged_into_other",
        Player,
        {"user_id": None, "name": "New", "pk": 99, "merged_into_id": 99},
    ),
    ("one_claim_each", Claim, {}),
    ("season_name_once", Season, {"starts_on": date(2025, 1, 1)}),
    ("season_name_once", Season, {"starts_on": date(2025, 1, 1), "name": "SPRING"}),
    ("season_start_once", Season, {"name": "New"}),
    ("season_has_name", Season, {"name": "", "starts_on": date(2025, 1, 1)}),
    ("season_ends_after_start", Season, {"name": "New", "starts_on": date(2027, 1, 1)}),
    ("tally_once", Tally, {}),
    ("tally_span", Tally, {"span": "week"}),
    ("tally_has_sets", Tally, {"size": 2, "sets": 0}),
    ("season_place_once", SeasonPlace, {}),
    ("season_place_has_sets", SeasonPlace, {"player_id": "di", "sets": 0}),
    ("webhook_json_is_signed", Webhook, {"secret_box": ""}),
    ("delivery_waits_for_a_time", Delivery, {"number": UUID(int=1), "next_at": None}),
    ("delivery_goes_somewhere", Delivery, {"number": UUID(int=1), "email": "ann@example.org"}),
    ("delivery_goes_somewhere", Delivery, {"number": UUID(int=1), "webhook_id": None}),
    ("code", GameSet, {"key_hash": None}),
    ("key_hash", GameSet, {"code": "new"}),
    ("evening_number", Evening, {"tap_id": None}),
    ("evening_counts_once", Evening, {"number": 2}),
    ("evening_has_name", Evening, {"number": 2, "tap_id": None, "name": ""}),
    ("evening_ruleset_known", Evening, {"number": 2, "tap_id": None, "ruleset": "chess"}),
    ("evening_rounds", Evening, {"number": 2, "tap_id": None, "rounds_planned": 21}),
    ("evening_usual_size", Evening, {"number": 2, "tap_id": None, "usual_size": 9}),
    ("evening_minutes", Evening, {"number": 2, "tap_id": None, "minutes": 0}),
    ("attendee_once", Attendee, {}),
    ("round_number", Round, {}),
    ("round_number_range", Round, {"number": 21}),
    ("round_is_measured", Round, {"number": 2, "repeats": None}),
    ("round_is_measured", Round, {"number": 2, "fewest": None}),
    ("round_is_measured", Round, {"number": 2, "repeats": 1, "fewest": 2, "spread": 0}),
    ("round_paused_once_begun", Round, {"number": 2, "begun_at": None, "paused_at": LONG_AGO}),
    ("place_once", Place, {"position": 99}),
    ("place_alone", Place, {"player_id": "di"}),
    ("round_table_number", RoundTable, {"game_set_id": ...}),
    ("game_set_id", RoundTable, {"number": 2}),
    ("reverses_id", LedgerRow, {"points": -4, "reverses_id": "reversed"}),
    ("seat_id", SetResult, {}),
]


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(("name", "model", "breach"), BREACHES)
def test_a_row_that_can_not_be_is_refused(name, model, breach):
    row = model.objects.order_by("pk").first()
    row.pk = None
    row._state.adding = True
    for field, value in breach.items():
        setattr(row, field, _foreign(field, value))

    with unchanged(), pytest.raises(IntegrityError) as caught, transaction.atomic():
        row.save(force_insert=True)

    assert _named(name, model) in str(caught.value)


def test_every_constraint_is_tried():
    tried = {name for name, *_ in BREACHES}
    declared = {
        constraint.name
        for model in apps.get_app_config("scoring").get_models()
        for constraint in model._meta.constraints
    }

    assert declared <= tried


@pytest.mark.usefixtures("full")
def test_a_game_that_was_taken_back_may_have_the_number_of_another():
    game = Game.objects.earliest("pk")
    game.pk, game.taken_back = None, True

    game.save(force_insert=True)

    assert Game.objects.filter(number=1, game_set=game.game_set).count() == 2


@pytest.mark.usefixtures("full")
def test_events_without_a_tap_id_do_not_stand_in_each_others_way():
    row = EventRow.objects.exclude(tap_id=None).earliest("pk")

    for seq in (98, 99):
        row.pk, row.seq, row.tap_id = None, seq, None
        row.save(force_insert=True)

    assert EventRow.objects.filter(seq__gte=98).count() == 2


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("model", [Game, EventRow, GameSet, Seat])
def test_what_the_record_stands_on_is_not_deleted(model):
    with unchanged(), pytest.raises((models.ProtectedError, IntegrityError)), transaction.atomic():
        model.objects.earliest("pk").delete()


def _named(name: str, model: type[models.Model]) -> str:
    """Return how the database names a broken constraint: on SQLite by columns, if unique."""
    unique = {"player_key_once": "key"} | {
        constraint.name: constraint.fields[-1]
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint) and constraint.fields
    }
    return unique.get(name, name) if connection.vendor == "sqlite" else name


def _foreign(field: str, value: Any) -> Any:
    """Return the number of another row where a breach needs one."""
    match field, value:
        case _, "reversed":
            return LedgerRow.objects.exclude(reverses=None).earliest("pk").reverses_id
        case "player_id", str():
            return Player.objects.get(name=value.title()).pk
        case "owner_id", str():
            return User.objects.get(username=value).pk
        case "game_set_id", EllipsisType():
            return GameSet.objects.exclude(key_hash=KEY).latest("pk").pk
        case "reverses_id", EllipsisType():
            return LedgerRow.objects.filter(reverses=None, reversed_by=None).earliest("pk").pk
        case _, EllipsisType():
            return Seat.objects.exclude(game_set__key_hash=KEY).latest("pk").pk
    return value
