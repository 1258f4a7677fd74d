"""The formats that can be played, and their rulesets by key."""

from ..ruleset import Ruleset
from .coalition import COALITION_906, COALITION_2026, COALITION_README, COALITION_README_21
from .conspiracy import CONSPIRACY
from .conspiracy_draft import CONSPIRACY_DRAFT
from .leveler import LEVELER
from .realm_wars import REALM_WARS

FORMATS: dict[str, tuple[Ruleset, ...]] = {
    "coalition": (COALITION_906, COALITION_README, COALITION_README_21, COALITION_2026),
    "leveler": (LEVELER,),
    "conspiracy-draft": (CONSPIRACY_DRAFT,),
    "conspiracy": (CONSPIRACY,),
    "realm-wars": (REALM_WARS,),
}
RULESETS: dict[str, Ruleset] = {
    ruleset.key: ruleset for rulesets in FORMATS.values() for ruleset in rulesets
}


def keys_of(format: str) -> tuple[str, ...]:
    return tuple(ruleset.key for ruleset in FORMATS[format])


def scores(format: str) -> bool:
    return FORMATS[format][0].cap is not None


def has_teams(format: str) -> bool:
    return FORMATS[format][0].has_teams


def is_ranked(format: str) -> bool:
    return FORMATS[format][0].is_ranked
