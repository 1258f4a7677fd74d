"""What is sent: the result of a set, standings of an evening, a test; as JSON and for Discord."""

import json
import re
from datetime import UTC

from django.urls import reverse

from ..groups.evenings import queries, standings
from ..groups.serializing import Json, serialize_evening, serialize_result, serialize_standing
from ..models import Delivery, Evening, GameSet, Webhook
from ..rules.formats import RULESETS

MARKDOWN = re.compile(r"([\\*_~`|>\[\]()#@<:-])")
TITLE_MAX, TEXT_MAX = 256, 4096  # characters that Discord takes


def body(delivery: Delivery, webhook: Webhook) -> str:
    kind, about, group = "test", Json(), webhook.playgroup
    if delivery.kind == Delivery.Kind.SET:
        kind, about = _of_set(delivery, webhook)
    elif delivery.kind == Delivery.Kind.EVENING:
        assert delivery.subject is not None
        evening = Evening.objects.get(pk=delivery.subject)
        has_points = RULESETS[evening.ruleset].cap is not None
        shown = serialize_evening(evening) | {
            "address": _address(webhook, "evening", group.code, evening.number),
            "starts_at": evening.starts_at,
            "rounds": evening.rounds.exclude(begun_at=None).count(),
            "is_over": evening.ended_at is not None,
            "is_corrected": delivery.is_correction,
            "standings": [
                {"player": one.player.name, **serialize_standing(one, has_points)}
                for one in standings.standings(queries.read(evening))
            ],
        }
        kind, about = "evening.standings", {"evening": shown}
    news = {
        "type": kind,
        "at": delivery.queued_at,
        **about,
        "id": str(delivery.number),
        "playgroup": {"name": group.name, "address": _address(webhook, "board", group.code)},
    }
    written = _for_discord(news) if webhook.form == Webhook.Form.DISCORD else news
    return json.dumps(
        written,
        ensure_ascii=False,
        default=lambda at: at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _of_set(delivery: Delivery, webhook: Webhook) -> tuple[str, Json]:
    assert delivery.subject is not None
    game_set, group = GameSet.objects.get(pk=delivery.subject), webhook.playgroup
    stored = game_set.results.select_related("player", "game_set").filter(player__playgroup=group)
    results = [
        {
            "player": result.player.name,
            "address": _address(webhook, "player", group.code, result.player.pk),
            **serialize_result(result),
        }
        for result in stored.order_by("rank", "pk")
        if result.player
    ]
    finished = "set.corrected" if delivery.is_correction else "set.finished"
    shown = {
        "code": game_set.code,
        "address": _address(webhook, "watch", game_set.code),
        "format": RULESETS[game_set.ruleset].format,
        "ruleset": game_set.ruleset,
        "finished_at": game_set.finished_at if results else None,
        "results": results,
    }
    return finished if results else "set.withdrawn", {"set": shown}


def _address(webhook: Webhook, name: str, *args: object) -> str:
    return webhook.site + reverse(name, args=args)


# --- Discord ---
def _for_discord(news: Json) -> Json:
    # Return the same as a message in a channel: it mentions nobody, whatever people are called.
    about, rows, title = news["playgroup"], [], "A test from"
    if "set" in news:
        about, rows = news["set"], news["set"]["results"]
        title = _heading(news["type"], rows)
    elif "evening" in news:
        about, rows = news["evening"], news["evening"]["standings"]
        after = f"Standings after round {about['rounds']}"
        title = f"{'Final standings' if about['is_over'] else after} of {about['name']}"
        title = f"Corrected: {title}" if about["is_corrected"] else title
    is_test, group = news["type"] == "test", news["playgroup"]["name"]
    lines = ["Results will arrive here."] if is_test else map(_line, rows)
    embed = {
        "title": _plain(f"{title} {group}" if is_test else f"{title} ({group})")[:TITLE_MAX],
        "description": "\n".join(lines)[:TEXT_MAX],
        "url": about["address"],
        "timestamp": news["at"],
    }
    return {"allowed_mentions": {"parse": []}, "embeds": [embed]}


def _heading(kind: str, results: list[Json]) -> str:
    """Return the title of a message about a set.

    >>> nothing = {"rank": 1, "victory_points": 0, "games_won": 0}
    >>> _heading("set.finished", [{"player": "Ann"} | nothing, {"player": "Bo"} | nothing])
    'Nobody won a set'
    """
    if not results:
        return "A result no longer counts: its set was reopened or taken out"
    won = [
        one for one in results if one["rank"] == 1 and (one["victory_points"] or one["games_won"])
    ]
    winners = " and ".join(one["player"] for one in won) or "Nobody"
    return f"{'Corrected: ' * (kind == 'set.corrected')}{winners} won a set"


def _line(row: Json) -> str:
    """Return a line of a message.

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


def _plain(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", text)
