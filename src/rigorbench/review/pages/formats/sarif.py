"""SARIF 2.1.0, for code scanning: a result for each finding, a rule for each check that fired."""

from __future__ import annotations

import json
from typing import Any

from ....base.sanitize import one_line
from ....base.version import __version__
from ...review import Fired
from ..outcome import Reported, ScoredSessions, uri
from ..proof import Brief

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"flag": "error", "weak": "warning", "note": "note"}


def write(outcome: ScoredSessions) -> str:
    found = [(s, f, p) for s in outcome.sessions for f, p in s.findings]
    rules = list(dict.fromkeys(f.id for _, f, _ in found))
    problems = [{"level": "error", "message": {"text": one_line(p, 1000)}} for p in outcome.problems]
    run = {
        "tool": {
            "driver": {"name": "RigorBench", "version": __version__, "rules": [_rule(i) for i in rules]},
        },
        "invocations": [
            {"executionSuccessful": not problems, "toolExecutionNotifications": problems},
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(s, f, p, rules.index(f.id)) for s, f, p in found],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(id: str) -> dict[str, Any]:
    from ...catalogue import all_checks

    check = all_checks()[id]
    advice = {} if check.advice is None else {"help": {"text": check.advice}}
    return {
        "id": id,
        "name": "".join(part.capitalize() for part in id.split("-")),
        "shortDescription": {"text": check.sentence},
        "fullDescription": {"text": f"{check.sentence} Applies to {check.applies}. Cannot see: {check.blind}"},
        "defaultConfiguration": {"level": _LEVELS.get(check.severity, "none")},
        **advice,
    }


def _result(session: Reported, finding: Fired, proof: Brief, rule: int) -> dict[str, Any]:
    place: dict[str, Any] = {
        "artifactLocation": {"uri": uri(finding.source.file if finding.source else session.source)}
    }
    if finding.source is not None and finding.source.line is not None:
        place["region"] = {"startLine": finding.source.line}
    text = one_line(finding.message, 1000)
    if proof.shown_by is not None:
        text = f"{text.rstrip('.')}. Shown by: {one_line(proof.shown_by, 500)}."
    return {
        "ruleId": finding.id,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"rigorFinding/v1": finding.fingerprint},
    }
