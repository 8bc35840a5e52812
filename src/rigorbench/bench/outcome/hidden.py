"""Runs files of tests in sandboxes that no agent has used, and trusts only signed results (see ``grader.py``)."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from msgspec import Struct, field

from ...evidence.testruns.results import read_results
from ...sandbox.box.box import Box
from ...sandbox.box.spec import BoxSpec
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.toolchain import PYTHON, Toolchain
from ..tasks.hidden_tests import copy_tests, files_below
from ..tasks.workspace import ROOT

GRADER = Path(__file__).with_name("grader.py")
# The programs of the sandbox; what they are decides what a test's outcome is.
PROGRAMS = (
    GRADER,
    *(
        GRADER.parent / "boundary" / f"{name}.py"
        for name in ("comparisons", "proxies", "references", "stand_ins", "streams", "under_test", "values")
    ),
)
HIDDEN = "/tests"
_GRADER_DIRECTORY = "/opt/grader"
_TIME_UP = "the time was up"
_WORDS = (
    "accepts adds applies builds checks counts drops empty finds first formats handles keeps large last lists merges "
    "mixed nested order pairs parses plain reads rejects repeated returns rounds single skips small sorts sums unknown"
).split()


class HiddenSeconds(Struct, frozen=True):
    """Seconds for one file of tests, and for all of them together."""

    file: float = 120.0
    total: float = 900.0


class FileReport(Struct):
    """The results of one file of tests, or of several run together."""

    outcomes: dict[str, str] = field(default_factory=dict)
    """By test id, "passed", "failed", "error" or "skipped"."""
    finished: bool = False
    tampering: list[str] = field(default_factory=list)
    """What the code under test did to the tests."""
    stopped: str | None = None
    why: dict[str, str] = field(default_factory=dict)


@contextlib.asynccontextmanager
async def sandbox(directory: Path, tools: Toolchain, hidden: Path | None = None) -> AsyncIterator[Box]:
    """A sandbox whose repository is ``directory``/work, without network and recorder; ``hidden`` is at ``/tests``."""
    ini = directory / "grader"
    ini.mkdir(exist_ok=True)
    (ini / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    for program in PROGRAMS:
        (ini / program.name).write_bytes(program.read_bytes())
    for path in (ini, *ini.iterdir()):
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    binds = [*tools.binds, Mount(str(ini), _GRADER_DIRECTORY)]
    if hidden is not None:
        binds.append(Mount(str(hidden), HIDDEN))
    env = (*tools.env, ("PATH", tools.path), ("PYTHONHASHSEED", "0"), ("TZ", "UTC"))
    spec = BoxSpec(str(directory), root=ROOT, binds=tuple(binds), env=env)
    box = await Box.start(spec)
    try:
        yield box
    finally:
        await box.stop()


async def run_hidden(
    tools: Toolchain,
    hidden: Path,
    files: Sequence[str],
    isolated: Sequence[str],
    budget: HiddenSeconds,
    place: Callable[[Path], object],
) -> dict[str, FileReport]:
    """Run files of hidden tests on a repository that ``place`` writes into a directory, isolated where they can be.

    An isolated file has a sandbox of its own: a program that another one left behind could look on.
    """
    deadline = time.monotonic() + budget.total
    reports: dict[str, FileReport] = {}
    for file in files:
        with new_directory("rigor-outcome-") as name:
            directory = Path(name)
            (directory / "work").mkdir()
            place(directory / "work")
            left = min(budget.file, deadline - time.monotonic())
            if left <= 0:
                reports[file] = FileReport(stopped=_TIME_UP)
            elif file in isolated:
                async with sandbox(directory, tools) as box:
                    reports[file] = await run_isolated(box, hidden, file, left)
            else:
                async with sandbox(directory, tools, copy_tests(hidden, directory / "hidden")) as box:
                    reports[file] = await run_together(box, [file], left)
    return reports


async def run_files(
    box: Box, files: Sequence[str], budget: HiddenSeconds, *, tests: str = HIDDEN, ini: str | None = None
) -> dict[str, FileReport]:
    """Run each file in a process of its own. Arguments as for :func:`run_together`.

    A file for which no time is left is reported as timed out, without tests.
    """
    deadline = time.monotonic() + budget.total
    reports: dict[str, FileReport] = {}
    for file in files:
        left = min(budget.file, deadline - time.monotonic())
        reports[file] = (
            FileReport(stopped=_TIME_UP) if left <= 0 else await run_together(box, [file], left, tests=tests, ini=ini)
        )
    return reports


async def run_isolated(box: Box, hidden: Path, file: str, timeout: float) -> FileReport:
    """Run a file of tests in another process than the code under test. The sandbox, which is new, does not show it.

    Args:
        hidden: the directory of the tests; the file's name is relative to it. Files of other kinds are put beside it.
    """
    others = [f for f in files_below(hidden) if not f.endswith((".py", ".sh"))]
    data = {f: base64.b64encode((hidden / f).read_bytes()).decode() for f in others}
    sources = {file: (hidden / file).read_text(encoding="utf-8")}
    return await run_together(box, [file], timeout, isolated={"sources": sources, "data": data})


async def run_together(
    box: Box,
    files: Sequence[str],
    timeout: float,
    *,
    tests: str = HIDDEN,
    ini: str | None = None,
    isolated: dict[str, dict[str, str]] | None = None,
) -> FileReport:
    """Run files in one process, which is quicker; but one of them can then end all.

    Args:
        files: relative to ``tests``, a directory of the sandbox, as the ids of tests are.
        ini: pytest's settings in the sandbox; None: none.
        isolated: see the grader.
    """
    key = secrets.token_bytes(32)
    # Three names that look like those of other tests.
    chance = secrets.SystemRandom()
    canaries: list[str] = []
    while len(canaries) < 3:
        name = "test_" + "_".join(chance.sample(_WORDS, 3))
        if name not in canaries:
            canaries.append(name)
    request = {
        "key": key.hex(),
        "files": [f"{tests}/{file}" for file in files],
        "root": tests,
        "ini": ini or f"{_GRADER_DIRECTORY}/pytest.ini",
        "path": [ROOT, f"{ROOT}/src"],
        "isolated": isolated,
        "canaries": canaries,
    }
    done = await box.exec(
        [PYTHON, "-I", f"{_GRADER_DIRECTORY}/grader.py"],
        input=json.dumps(request).encode(),
        cwd=ROOT,
        timeout=timeout,
        origin="engine",
    )
    report = read_report(done.stdout, key, canaries)
    if not report.finished:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        output = f": {last[-1][:200]}" if last else ""
        report.stopped = _TIME_UP if done.timed_out else f"status {done.status}{output}"
    return report


async def run_command(box: Box, command: str, timeout: float) -> FileReport:
    """Run a project's own test command and take the results of the tests that its output names."""
    done = await box.exec(["/bin/sh", "-c", f"exec 2>&1\n{command}"], timeout=timeout, origin="engine")
    output = done.stdout.decode("utf-8", "replace")
    report = FileReport(dict(read_results(output)))
    report.finished = not done.timed_out and bool(report.outcomes)
    if not report.finished:
        end = " ".join(output.split())[-200:]
        report.stopped = (
            _TIME_UP if done.timed_out else f"status {done.status}, and no test is named in its output: {end}"
        )
    return report


def read_report(data: bytes, key: bytes, canaries: Sequence[str]) -> FileReport:
    """Read signed lines; the first line that is not signed ends the reading, and the rest is ignored."""
    report = FileReport()
    chain = hmac.new(key, digestmod=hashlib.sha256)
    for line in data.split(b"\n"):
        if not line:
            continue
        content, _, signature = line.rpartition(b"\t")
        chain.update(content)
        if not hmac.compare_digest(chain.hexdigest().encode(), signature):
            report.tampering.append("wrote to the channel of the results")
            break
        _add_record(report, json.loads(content))
    expected = dict(zip(canaries, ("failed", "passed", "failed"), strict=True))
    found = {n: report.outcomes.pop(n) for n in list(report.outcomes) if n.rsplit("::", 1)[-1] in expected}
    for name in found:
        report.why.pop(name, None)
    by_name = {name.rsplit("::", 1)[-1]: outcome for name, outcome in found.items()}
    wrong = [n for n, outcome in by_name.items() if outcome != expected[n]]
    if wrong:
        report.tampering.append("tests that had to fail passed, or the reverse")
    elif any(o == "passed" for o in report.outcomes.values()):
        needed = canaries if report.finished else canaries[:1]
        if any(name not in by_name for name in needed):
            report.tampering.append("tests were left out of the run")
    return report


def _add_record(report: FileReport, record: dict[str, object]) -> None:
    if "changed" in record:
        report.tampering.append(f"replaced {record['changed']}")
    elif "end" in record:
        report.finished = True
    elif "collect" in record:
        report.why[str(record["collect"])] = str(record["why"] or record["outcome"])
    elif "test" in record:
        name, outcome = str(record["test"]), str(record["outcome"])
        if outcome == "failed" and record["when"] != "call":
            outcome = "error"
        if record["xfail"]:
            # A hidden test that is expected to fail is neither an achievement nor a failure.
            outcome = "skipped"
        if outcome == "passed" and record["when"] != "call":
            return  # only set up, or taken down: whoever leaves in between has not passed
        before = report.outcomes.get(name)
        if before is None or before == "passed":
            report.outcomes[name] = outcome
            if record["why"]:
                report.why[name] = str(record["why"])


def new_directory(prefix: str) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
