"""Build a review package and a submission from text, and review it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rigorbench.judge.codereview.result import ReviewResult, RuleResult
from rigorbench.judge.codereview.reviewing import review
from rigorbench.judge.problems.problem import Problem
from rigorbench.judge.submission import Submission

Files = Mapping[str, str | bytes]


def problem(root: Path, rules: str, **fields: Any) -> Problem:
    root.mkdir(parents=True, exist_ok=True)
    path = root / "review.toml"
    path.write_text(rules, encoding="utf-8")
    return Problem(id="p", name="P", root=root, digest="0" * 64, statement="", groups=(), review=path, **fields)


def submission(root: Path, files: Files, **fields: Any) -> Submission:
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
    return Submission(root, fields.pop("language", "cpp"), digest, **fields)


def reviewed(
    place: Path,
    rules: str,
    files: Files,
    *,
    fields: Mapping[str, Any] | None = None,
    base: str | None = None,
    **more: Any,
) -> ReviewResult:
    package = problem(place / "package", rules, **(fields or {}))
    return review(package, submission(place / "work", files, **more), base=base)


def decided(place: Path, kind: str, keys: str, files: Files, **more: Any) -> RuleResult:
    """The result of one rule."""
    [result] = reviewed(place, rule(kind, keys), files, **more).rules
    return result


def rule(kind: str, keys: str = "", id: str = "r") -> str:
    return f'[[rule]]\nid = "{id}"\ntext = "What must hold."\nkind = "{kind}"\n{keys}\n'


def decided_each(place: Path, cases: Mapping[str, tuple[str, str, str]], **more: Any) -> dict[str, RuleResult]:
    """The result of each case (kind of rule, its keys, code), as files of one submission that is compiled once.

    A case whose name begins with "C: " is a file in C.
    """
    names = {case: f"f{n}.{'c' if case.startswith('C: ') else 'cpp'}" for n, case in enumerate(cases)}
    rules = "".join(
        rule(kind, f'{keys}\nfiles = ["{names[case]}"]', f"r{n}")
        for n, (case, (kind, keys, _)) in enumerate(cases.items())
    )
    results = reviewed(place, rules, {names[case]: code for case, (_, _, code) in cases.items()}, **more).rules
    return dict(zip(cases, results, strict=True))


def lines(result: RuleResult) -> list[tuple[str, int | None]]:
    return [(finding.file, finding.line) for finding in result.findings]
