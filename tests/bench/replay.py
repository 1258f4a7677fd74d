"""How many events a second the rules play."""

import time

from coalition_site.lib.untrusted import Node
from scoring.setlog import document as setlog

NAMES = ["Ada", "Bruno", "Marguerite", "Dmitri"]
HOLDS = [
    {"type": "hold", "player": name, "cannot_lose": True, "cannot_win": True} for name in NAMES
]
EVENTS, LOGS = 300, 60


def hit(number: int) -> dict[str, object]:
    source, target = NAMES[number % 4], NAMES[(number + 1) % 4]
    hit = {"source": source, "target": target, "amount": 1 + number % 7, "kind": "combat"}
    return {"type": "damage", "hits": [hit]}


def main() -> None:
    events = [*HOLDS, *map(hit, range(EVENTS - len(HOLDS)))]
    log = {"version": 1, "format": "coalition", "ruleset": "coalition-906", "players": NAMES}
    log["games"] = [{"starting_player": "Ada", "events": events}]
    begin = time.perf_counter()
    for _ in range(LOGS):
        setlog.outcome(setlog.play(setlog.read(Node(log, ""))))
    speed = EVENTS * LOGS / (time.perf_counter() - begin)
    print(f"replay: {speed:,.0f} events a second")


if __name__ == "__main__":
    main()
