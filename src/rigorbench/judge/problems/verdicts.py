"""The registry of verdicts: a row of ``verdicts.toml`` for each, with its names here and in other systems.

Every list of verdicts elsewhere is derived from these rows. Two places cannot import them (the client, which is a file
of its own, and the reader of its output in ``evidence``); ``tests/judge/test_judge_verdicts.py`` compares them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec
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


class VerdictRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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


# In order of precedence.
ROWS: Final[dict[Verdict, VerdictRow]] = {
    row.name: row
    for row in msgspec.convert(
        tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["verdict"], list[VerdictRow]
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
