"""How many events a second the rules play."""

import json
import time

from coalition_site.lib.untrusted import Node
from scoring.setlog import document as setlog

NAMES = ["Ada", "Bruno", "Marguerite", "Dmitri"]
EVENTS, LOGS = 300, 60


def log() -> dict[str, object]:
    events: list[dict[str, object]] = [
        {"type": "hold", "player": name, "cannot_lose": True, "cannot_win": True} for name in NAMES
    ]
    for number in range(EVENTS - len(NAMES)):
        source, target = NAMES[number % 4], NAMES[(number + 1) % 4]
        hit = {"source": source, "target": target, "amount": 1 + number % 7, "kind": "combat"}
        events.append({"type": "damage", "hits": [hit]})
    game = {"starting_player": "Ada", "events": events}
    return {
        "version": 1,
        "format": "coalition",
        "ruleset": "coalition-906",
        "players": NAMES,
        "games": [game],
    }


def main() -> None:
    document, begin = json.loads(json.dumps([log()] * LOGS)), time.perf_counter()
    for made in document:
        setlog.outcome(setlog.play(setlog.read(Node(made, ""))))
    speed = EVENTS * LOGS / (time.perf_counter() - begin)
    print(f"replay: {speed:,.0f} events a second")


if __name__ == "__main__":
    main()
