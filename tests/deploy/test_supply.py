"""What the site runs on: under licences that allow it, and asked about honestly."""

from __future__ import annotations

import pytest

from . import audit
from .audit import CLEAN, UNKNOWN, WEAK, verdict
from .licences import licences

# May be used and passed on with a site under the MIT licence. The last two ask that changes to
# them are published: nothing of them is changed here.
ALLOWED = {
    *("Apache-2.0", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT License"),
    *("MIT-0", "PSF-2.0", "LGPL-3.0-only", "MPL-2.0"),
}


def test_all_that_the_site_runs_on_may_be_used():
    found = {
        name: licence
        for name, licence in licences().items()
        if not any(set(one.split(" AND ")) <= ALLOWED for one in licence.split(" OR "))
    }

    assert found == {}


DJANGO = {"name": "django", "version": "5.2.0", "vulns": []}
FLAW = {"id": "PYSEC-1", "fix_versions": ["5.2.1", "5.1.9"]}
WEAK_DJANGO = DJANGO | {"vulns": [FLAW]}
SKIPPED = {"name": "segno", "skip_reason": "not found"}
NOBODY = "NOT AUDITED, the database of weaknesses has no answer: segno"


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        ([DJANGO], CLEAN, ["1 of 1 pinned versions were asked about."]),
        (
            [WEAK_DJANGO],
            WEAK,
            [
                "django 5.2.0: PYSEC-1, mended in 5.2.1, 5.1.9",
                "1 of 1 pinned versions were asked about.",
            ],
        ),
        ([DJANGO, SKIPPED], UNKNOWN, ["1 of 2 pinned versions were asked about.", NOBODY]),
        (
            [WEAK_DJANGO, SKIPPED],
            WEAK,
            [
                "django 5.2.0: PYSEC-1, mended in 5.2.1, 5.1.9",
                "1 of 2 pinned versions were asked about.",
                NOBODY,
            ],
        ),
    ],
)
def test_an_audit_calls_nothing_safe_that_was_not_asked_about(found, code, words):
    assert verdict({"dependencies": found}) == (code, "\n".join(words))


def test_an_audit_without_an_answer_is_no_success(monkeypatch, capsys):
    monkeypatch.setattr(audit, "ASK", ["python", "-c", "import sys; sys.exit('no way out')"])

    assert audit.main() == UNKNOWN
    assert capsys.readouterr().out == "NOT AUDITED: pip-audit gave no answer.\nno way out\n"
