"""What the tests of compiling share: a problem to build for, a submission, programs to run as the engine does."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from rigorbench.judge.build.program import NONCE_FD, REPORTS_FD, RESULTS_FD, Built, BuiltProgram
from rigorbench.judge.problems.problem import BuildKind, PointLimits, Problem
from rigorbench.judge.submission import Submission, from_path
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellLimits as RunLimits
from rigorbench.sandbox.cell.spec import CellSpec, Measured

NONCE = "0123456789abcdef" * 2


def problem(limits: PointLimits | None = None, included: Path | None = None, **build_keys: object) -> Problem:
    return Problem(
        id="p", name="p", root=Path("/"), digest="", statement="", groups=(), limits=limits or PointLimits(),
        included=included,
        build=BuildKind(**build_keys),  # type: ignore[arg-type]
    )  # fmt: skip


Compile = Callable[..., Built]


def submitted(place: Path, files: dict[str, str], language: str = "auto") -> Submission:
    base = Path(tempfile.mkdtemp(dir=place))
    for name, text in files.items():
        path = base / "given" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return from_path(base / "given", base / "tree", language=language)


class Ran:
    """What a program did, with what it said on its own descriptors."""

    def __init__(self, measured: Measured, results: bytes, report: str) -> None:
        self.measured = measured
        self.results = results
        self.report = report


def execute(program: BuiltProgram, stdin: bytes = b"") -> Ran:
    """Run a program as the engine does, with the descriptors that it is to be given."""
    nonce, feed = os.pipe()
    os.write(feed, NONCE.encode() + b"\n")
    os.close(feed)
    limits = RunLimits(memory=(256 << 20) + program.startup_memory, processes=16 + program.processes)
    own = {RESULTS_FD: program.driver, REPORTS_FD: program.reports is not None}
    captured = {number: 1 << 20 for number, wanted in own.items() if wanted}
    files = {NONCE_FD: nonce} if program.driver or program.reports == "sanitizer" else {}
    try:
        with JudgeCell.start(CellSpec(mounts=program.mounts)) as cell:
            measured = cell.run(program.run((), limits, stdin=stdin, files=files, captured=captured))
    finally:
        os.close(nonce)
    said = measured.captured
    return Ran(measured, said.get(RESULTS_FD, b""), said.get(REPORTS_FD, b"").decode(errors="replace"))
