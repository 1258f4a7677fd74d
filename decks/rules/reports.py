"""A report as JSON: what ``check_deck --json`` prints and what a set stores."""

from __future__ import annotations

from typing import Any

from .deck import Report


def document(report: Report) -> dict[str, Any]:
    """Return a report as a JSON object."""
    return {
        "ruleset": report.ruleset,
        "legal": report.legal,
        "hero": report.hero,
        "coalition_type": report.coalition_type,
        "possible_types": list(report.possible_types),
        "counts": dict(report.counts),
        "problems": [
            {
                "code": problem.code.value,
                "card": problem.card,
                "line": problem.line,
                "message": problem.message,
            }
            for problem in report.problems
        ],
    }
