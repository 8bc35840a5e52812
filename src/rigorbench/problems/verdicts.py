"""The verdicts of the judge, in their order of precedence, and their short names."""

from __future__ import annotations

from typing import Final, Literal, get_args

Verdict = Literal[
    "compile_error",
    "judge_error",
    "output_limit_exceeded",
    "disk_limit_exceeded",
    "memory_limit_exceeded",
    "time_limit_exceeded",
    "idleness_limit_exceeded",
    "runtime_error",
    "wrong_answer",
    "presentation_error",
    "invalid_access",
    "uninitialised_read",
    "memory_leak",
    "skipped",
    "accepted",
]


VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)


SHORT: Final[dict[Verdict, str]] = {
    "compile_error": "CE",
    "judge_error": "JE",
    "output_limit_exceeded": "OLE",
    "disk_limit_exceeded": "DLE",
    "memory_limit_exceeded": "MLE",
    "time_limit_exceeded": "TLE",
    "idleness_limit_exceeded": "ILE",
    "runtime_error": "RE",
    "wrong_answer": "WA",
    "presentation_error": "PE",
    "invalid_access": "IA",
    "uninitialised_read": "UR",
    "memory_leak": "ML",
    "skipped": "SK",
    "accepted": "AC",
}
