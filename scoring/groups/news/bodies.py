"""What is sent: results of sets, standings of evenings, bans, a test; as JSON and for Discord."""

import json
import re
from collections.abc import Callable
from datetime import UTC

from django.db.models import F, Model
from django.urls import reverse

from coalition_site.lib.dates import day
from decks.bans import history
from decks.models import Announcement

from ...models import Delivery, Evening, GameSet, Webhook
from ..data.serializing import Json, serialize_evening, serialize_result, serialize_standing
from ..evenings import queries, standings

MARKDOWN = re.compile(r"([\\*_~`|>\[\]()#@<:-])")
TITLE_MAX, TEXT_MAX = 256, 4096  # characters that Discord takes
WITHDRAWN = "A result no longer counts: its set was reopened or taken out"
News = tuple[str, Json, str, list[Json]]  # the type, what it is about, a title, and the rows


def body(delivery: Delivery, webhook: Webhook) -> str:
    group = webhook.playgroup
    home = {"name": group.name, "address": _address(webhook, "board", group.code)}
    news = {"type": "test", "id": str(delivery.number), "at": delivery.queued_at, "playgroup": home}
    if delivery.kind == Delivery.Kind.TEST:
        about, title, lines = home, f"A test from {group.name}", ["Results will arrive here."]
    else:
        model, write, line = WRITERS[Delivery.Kind(delivery.kind)]
        of = model.objects.get(pk=delivery.subject)  # type: ignore[attr-defined]
        news["type"], about, title, rows = write(of, delivery, webhook)
        news[delivery.kind], title = about, f"{title} ({group.name})"
        lines = [line(row) for row in rows]
    if webhook.form == Webhook.Form.DISCORD:
        embed = {
            "title": _plain(title)[:TITLE_MAX],
            "description": "\n".join(lines)[:TEXT_MAX],
            "url": about["address"],
            "timestamp": delivery.queued_at,
        }
        # It mentions nobody, whatever people are called.
        news = {"allowed_mentions": {"parse": []}, "embeds": [embed]}
    return json.dumps(
        news,
        ensure_ascii=False,
        default=lambda at: at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _of_set(game_set: GameSet, delivery: Delivery, webhook: Webhook) -> News:
    group = webhook.playgroup
    stored = game_set.results.select_related("player", "game_set").filter(player__playgroup=group)
    results, winners = list[Json](), list[str]()
    for result in stored.order_by("rank", "pk"):
        assert result.player
        player = {"player": result.player.name}
        address = _address(webhook, "player", group.code, result.player.pk)
        results.append(player | {"address": address} | serialize_result(result))
        if result.is_won:
            winners.append(result.player.name)
    kind, title = "set.finished", f"{' and '.join(winners) or 'Nobody'} won a set"
    if not results:
        kind, title = "set.withdrawn", WITHDRAWN
    elif delivery.is_correction:
        kind, title = "set.corrected", f"Corrected: {title}"
    shown = {
        "code": game_set.code,
        "address": _address(webhook, "watch", game_set.code),
        "format": game_set.rules.format,
        "ruleset": game_set.ruleset,
        "finished_at": game_set.finished_at if results else None,
        "results": results,
    }
    return kind, shown, title, results


def _of_evening(evening: Evening, delivery: Delivery, webhook: Webhook) -> News:
    has_points = evening.rules.cap is not None
    shown = serialize_evening(evening) | {
        "address": _address(webhook, "evening", webhook.playgroup.code, evening.number),
        "starts_at": evening.starts_at,
        "rounds": evening.rounds.exclude(begun_at=None).count(),
        "is_over": evening.ended_at is not None,
        "is_corrected": delivery.is_correction,
        "standings": [
            {"player": one.player.name, **serialize_standing(one, has_points)}
            for one in standings.standings(queries.read_evening(evening))
        ],
    }
    what = "Final standings" if evening.ended_at else f"Standings after round {shown['rounds']}"
    corrected = "Corrected: " if delivery.is_correction else ""
    return "evening.standings", shown, f"{corrected}{what} of {evening.name}", shown["standings"]


def _of_reminder(evening: Evening, _: Delivery, webhook: Webhook) -> News:
    group = webhook.playgroup
    coming = evening.attendees.filter(here=True).order_by("pk").values(name=F("player__name"))
    shown = serialize_evening(evening) | {
        "address": _address(webhook, "evening", group.code, evening.number),
        "starts_at": evening.starts_at,
        "coming": list(coming),
    }
    start = evening.starts_at.astimezone(group.time_zone)
    return "evening.reminder", shown, f"{evening.name} begins at {start:%H:%M}", shown["coming"]


def _of_bans(row: Announcement, _: Delivery, webhook: Webhook) -> News:
    of_list = history.announcements(row.ban_list)
    changes = [
        {
            "card": change.name,
            "status": change.becomes,
            "was": change.was or None,
            "reason": change.reason,
        }
        for change in next(one.changes for one in of_list if one.row == row)
    ]
    shown = {
        "list": row.ban_list.name,
        "title": row.title,
        "text": row.text,
        "from": row.on.isoformat(),
        "address": _address(webhook, "announcement", row.ban_list.key, row.on.isoformat()),
        "changes": changes,
    }
    return "bans.announced", shown, f"{row.title}: from {day(row.on)} on", changes


def _address(webhook: Webhook, name: str, *args: object) -> str:
    return webhook.site + reverse(name, args=args)


def _line(row: Json) -> str:
    """
    >>> _line({"rank": 1, "player": "Ann_", "victory_points": 40, "games_won": 2})
    '1\\\\. Ann\\\\_: 40 VP'
    >>> _line({"rank": 2, "player": "Cy", "total": 37.5, "victory_points": 25, "games_won": 1})
    '2\\\\. Cy: 37.5 VP'
    >>> _line({"rank": None, "player": "Bo", "victory_points": None, "games_won": 1})
    'Bo: 1 game won'
    """
    place = f"{row['rank']}\\. " if row["rank"] else ""
    has_points = row["victory_points"] is not None
    total = row.get("total", row["victory_points"] if has_points else row["games_won"])
    done = f"{total:g} VP" if has_points else f"{total:g} game{'s' * (total != 1)} won"
    return f"{place}{_plain(row['player'])}: {done}"


def _change(row: Json) -> str:
    """
    >>> _change({"card": "Ox", "status": "banned", "was": "watched", "reason": "Too strong."})
    'Ox: banned, was watched. Too strong.'
    """
    was = f", was {row['was']}" if row["was"] not in (None, row["status"]) else ""
    return f"{_plain(row['card'])}: {row['status']}{was}. {_plain(row['reason'])}".rstrip()


def _plain(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", text)


WRITERS: dict[str, tuple[type[Model], Callable[..., News], Callable[[Json], str]]] = {
    Delivery.Kind.SET: (GameSet, _of_set, _line),
    Delivery.Kind.EVENING: (Evening, _of_evening, _line),
    Delivery.Kind.BANS: (Announcement, _of_bans, _change),
    Delivery.Kind.REMINDER: (Evening, _of_reminder, lambda row: _plain(row["name"])),
}
