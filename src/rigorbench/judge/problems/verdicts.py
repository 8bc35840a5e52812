"""The registry of verdicts: one row for each, in order of precedence, with its names here and in other systems.

Every list of verdicts elsewhere is derived from these rows. Two places cannot import them (the client, which is a file
of its own, and the reader of its output in ``evidence``); ``tests/judge/test_judge_verdicts.py`` compares them.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from msgspec import Struct

from .problem import Sanitizer

# For type checkers; the rows below follow the same order.
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


class VerdictRow(Struct, frozen=True, kw_only=True):
    """One verdict."""

    name: Verdict
    short: str
    """In tables and in ``submissions.yaml``."""
    failed: bool = True
    """The test point failed."""
    expected: bool = True
    """A submission of a package can be expected to get it."""
    limit: bool = False
    """The program used more of a resource than its limit allows."""
    sanitizer: Sanitizer | None = None
    """The check that finds it."""
    required_in_proof: bool = False
    """Every package has a submission that gets it (see `rigorbench.judge.verify`)."""
    kattis: str | None = None
    """The verdict of the Kattis format that includes it; None: the format has none."""
    kattis_directory: str | None = None
    """The format's directory below ``submissions/``; None: the format has none, and ours is `name`."""
    polygon: str | None = None
    """The tag of solutions in Polygon."""
    testlib: tuple[int, ...] = ()
    """Exit codes of a testlib checker."""
    published: str = "other"
    """Its class in the published distribution of verdicts (`rigorbench.bench.projects.scores.formulas`)."""

    @property
    def words(self) -> str:
        """As people are shown it: "wrong answer"."""
        return self.name.replace("_", " ")

    @property
    def directory(self) -> str:
        """The directory below ``submissions/`` for submissions that are expected to get it."""
        return self.kattis_directory or self.name


ROWS: Final[dict[Verdict, VerdictRow]] = {
    row.name: row
    for row in (
        VerdictRow(name="compile_error", short="CE", required_in_proof=True, published="compile_error"),
        VerdictRow(name="judge_error", short="JE", expected=False),
        VerdictRow(name="output_limit_exceeded", short="OLE", limit=True, kattis="RTE"),
        VerdictRow(name="disk_limit_exceeded", short="DLE", limit=True, kattis="RTE"),
        VerdictRow(
            name="memory_limit_exceeded",
            short="MLE",
            limit=True,
            required_in_proof=True,
            kattis="RTE",
            polygon="memory-limit-exceeded",
            published="memory_limit",
        ),
        VerdictRow(
            name="time_limit_exceeded",
            short="TLE",
            limit=True,
            required_in_proof=True,
            kattis="TLE",
            kattis_directory="time_limit_exceeded",
            polygon="time-limit-exceeded",
            published="time_limit",
        ),
        VerdictRow(name="idleness_limit_exceeded", short="ILE", kattis="TLE", published="time_limit"),
        VerdictRow(
            name="runtime_error",
            short="RE",
            required_in_proof=True,
            kattis="RTE",
            kattis_directory="run_time_error",
            published="runtime_error",
        ),
        VerdictRow(
            name="wrong_answer",
            short="WA",
            required_in_proof=True,
            kattis="WA",
            kattis_directory="wrong_answer",
            polygon="wrong-answer",
            testlib=(1,),
            published="wrong_answer",
        ),
        VerdictRow(
            name="presentation_error",
            short="PE",
            kattis="WA",
            polygon="presentation-error",
            # 4 and 8: too much output and too little, which testlib reports as a wrong format where it is asked to.
            testlib=(2, 4, 8),
            published="wrong_answer",
        ),
        # The published judge calls all of memcheck's errors leaks; here only lost memory is one.
        VerdictRow(name="invalid_access", short="IA", sanitizer="address", published="runtime_error"),
        VerdictRow(name="uninitialised_read", short="UR", sanitizer="uninitialised", published="runtime_error"),
        VerdictRow(name="memory_leak", short="ML", sanitizer="leak", published="memory_leak"),
        VerdictRow(name="skipped", short="SK", failed=False, expected=False),
        VerdictRow(
            name="accepted",
            short="AC",
            failed=False,
            kattis="AC",
            kattis_directory="accepted",
            polygon="accepted",
            testlib=(0,),
            published="accepted",
        ),
    )
}
VERDICTS: Final[tuple[Verdict, ...]] = tuple(ROWS)
SHORT: Final[dict[Verdict, str]] = {name: row.short for name, row in ROWS.items()}
# Verdicts that a submission of a package can be expected to get.
EXPECTED: Final = tuple(name for name, row in ROWS.items() if row.expected)
LIMITS: Final = frozenset(name for name, row in ROWS.items() if row.limit)
# Verdict of the Kattis format -> the verdicts that it includes. The format has no others for a program that fails.
KATTIS: Final[dict[str, tuple[Verdict, ...]]] = {
    kattis: tuple(name for name, row in ROWS.items() if row.kattis == kattis) for kattis in ("AC", "WA", "TLE", "RTE")
}


def worst(verdicts: list[Verdict]) -> Verdict:
    """The verdict of many: the first in the order of precedence; "skipped" when there is none."""
    return min(verdicts, key=VERDICTS.index) if verdicts else "skipped"


def findings(sanitizer: Sanitizer) -> frozenset[Verdict]:
    """The verdicts that a check may give: each check also finds what the ones before it find."""
    order = get_args(Sanitizer)
    found = order[: order.index(sanitizer) + 1]
    return frozenset(name for name, row in ROWS.items() if row.sanitizer in found)
