"""The formats that can be played, and their rulesets by key."""

from __future__ import annotations

from .coalition import COALITION_906, COALITION_2026, COALITION_README, Ruleset

FORMATS: dict[str, tuple[Ruleset, ...]] = {
    "coalition": (COALITION_906, COALITION_README, COALITION_2026),
}
RULESETS: dict[str, Ruleset] = {
    ruleset.key: ruleset for rulesets in FORMATS.values() for ruleset in rulesets
}

__all__ = [
    "COALITION_906",
    "COALITION_2026",
    "COALITION_README",
    "FORMATS",
    "RULESETS",
    "Ruleset",
]
