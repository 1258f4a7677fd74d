"""A report as a document: what ``check_deck --json`` prints, and what a set keeps."""

from __future__ import annotations

from typing import Any

from .deck import Report


def document(report: Report) -> dict[str, Any]:
    """Return a report in values that JSON has."""
    return {
        "ruleset": report.ruleset,
        "legal": report.legal,
        "hero": report.hero,
        "coalition_type": report.coalition_type,
        "possible_types": list(report.possible_types),
        "counts": dict(report.counts),
        "problems": [
            {"code": one.code.value, "card": one.card, "line": one.line, "message": one.message}
            for one in report.problems
        ],
    }
