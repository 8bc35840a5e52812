"""Runs files of tests in sandboxes that no agent has seen, and believes only what is signed (see ``grader.py``)."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from ..evidence.testruns.results import read_results
from ..sandbox.box.box import Box
from ..sandbox.box.spec import BoxSpec, Limits
from ..sandbox.mount import Mount
from ..sandbox.toolchain import Toolchain

GRADER = Path(__file__).with_name("grader.py")
HIDDEN = "/tests"
_PLACE = "/opt/grader"
_WORDS = (
    "accepts adds applies builds checks counts drops empty finds first formats handles keeps large last lists merges "
    "mixed nested order pairs parses plain reads rejects repeated returns rounds single skips small sorts sums unknown"
).split()


class Budget(Struct, frozen=True):
    """Seconds for one file of tests, and for all of them together."""

    file: float = 120.0
    total: float = 900.0


class FileReport(Struct):
    """What came of one file of tests, or of several run together.

    ``outcomes``: by test id, "passed", "failed", "error" or "skipped". ``finished``: the run came to its end.
    ``tampering``: what the code under test did to the tests. ``stopped``: why the run did not come to its end.
    """

    outcomes: dict[str, str] = field(default_factory=dict)
    collected: list[str] = field(default_factory=list)
    finished: bool = False
    timed_out: bool = False
    tampering: list[str] = field(default_factory=list)
    stopped: str | None = None
    why: dict[str, str] = field(default_factory=dict)


class Order(Struct, frozen=True):
    """How tests are run: ``root``: where the repository lies inside; ``tests``: what test ids are relative to.

    ``ini``: path inside of the ini file (None: an empty one). ``conftest``: whether ``conftest.py`` files are read.
    """

    root: str
    tests: str
    ini: str | None = None
    conftest: bool = True


@contextlib.asynccontextmanager
async def sandbox(
    directory: Path, root: str, tools: Toolchain, hidden: Path | None = None, limits: Limits | None = None
) -> AsyncIterator[Box]:
    """A sandbox over ``directory``/work, without network and without a recorder. ``hidden`` is shown at ``/tests``."""
    ini = directory / "grader"
    ini.mkdir(exist_ok=True)
    (ini / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (ini / "grader.py").write_bytes(GRADER.read_bytes())
    for path in (ini, *ini.iterdir()):
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
    binds = [*tools.binds, Mount(str(ini), _PLACE)]
    if hidden is not None:
        binds.append(Mount(str(hidden), HIDDEN))
    env = (*tools.env, ("PATH", tools.path), ("PYTHONHASHSEED", "0"), ("TZ", "UTC"))
    spec = BoxSpec(str(directory), root=root, binds=tuple(binds), env=env, limits=limits or Limits())
    box = await Box.start(spec)
    try:
        yield box
    finally:
        await box.stop()


async def run_files(
    box: Box, tools: Toolchain, order: Order, files: Sequence[str], budget: Budget | None = None
) -> dict[str, FileReport]:
    """Run each file (a path relative to ``order.tests``) in a process of its own.

    A file for which no time is left is reported as timed out, with no test in it.
    """
    budget = budget or Budget()
    deadline = time.monotonic() + budget.total
    reports: dict[str, FileReport] = {}
    for file in files:
        left = min(budget.file, deadline - time.monotonic())
        reports[file] = (
            FileReport(timed_out=True, stopped="the time was up")
            if left <= 0
            else await run_together(box, tools, order, [file], left)
        )
    return reports


async def run_together(box: Box, tools: Toolchain, order: Order, files: Sequence[str], timeout: float) -> FileReport:
    """Run files in one process, which is quicker; what one of them does may then be the end of all."""
    key = secrets.token_bytes(32)
    canaries = _names()
    request = {
        "key": key.hex(),
        "files": [f"{order.tests}/{file}" for file in files],
        "root": order.tests,
        "confcutdir": order.tests,
        "ini": order.ini or f"{_PLACE}/pytest.ini",
        "path": [order.root, f"{order.root}/src"],
        "conftest": order.conftest,
        "canaries": canaries,
    }
    done = await box.exec(
        [tools.python, "-I", f"{_PLACE}/grader.py"],
        input=json.dumps(request).encode(),
        cwd=order.root,
        timeout=timeout,
        origin="engine",
    )
    report = read_report(done.stdout, key, canaries)
    report.timed_out = done.timed_out
    if not report.finished:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        said = f": {last[-1][:200]}" if last else ""
        report.stopped = "the time was up" if done.timed_out else f"status {done.status}{said}"
    return report


async def run_command(box: Box, command: str, timeout: float) -> FileReport:
    """Run a project's own test command, and take its word for what came of each test that it names."""
    done = await box.exec(["/bin/sh", "-c", f"exec 2>&1\n{command}"], timeout=timeout, origin="engine")
    output = done.stdout.decode("utf-8", "replace")
    report = FileReport(dict(read_results(output)), timed_out=done.timed_out)
    report.collected = sorted(report.outcomes)
    report.finished = not done.timed_out and bool(report.outcomes)
    if not report.finished:
        said = " ".join(output.split())[-200:]
        report.stopped = (
            "the time was up" if done.timed_out else f"status {done.status}, and no test is named in its output: {said}"
        )
    return report


def _names() -> list[str]:
    """Three names that look like those of other tests."""
    random = secrets.SystemRandom()
    names: list[str] = []
    while len(names) < 3:
        name = "test_" + "_".join(random.sample(_WORDS, 3))
        if name not in names:
            names.append(name)
    return names


def read_report(data: bytes, key: bytes, canaries: Sequence[str]) -> FileReport:
    """What signed lines say; reading ends at the first that is not signed, and what comes after it is ignored."""
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
        _take(report, json.loads(content))
    _judge(report, canaries)
    return report


def _take(report: FileReport, record: dict[str, object]) -> None:
    if "collected" in record and isinstance(record["collected"], list):
        report.collected = [str(test) for test in record["collected"]]
    elif "changed" in record:
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
            # A test of the hidden suite that is expected to fail counts as such: it is no achievement, and no failure.
            outcome = "skipped"
        before = report.outcomes.get(name)
        if before is None or before == "passed":
            report.outcomes[name] = outcome
            if record["why"]:
                report.why[name] = str(record["why"])


def _judge(report: FileReport, canaries: Sequence[str]) -> None:
    """The tests that were there to see whether outcomes are true; they are taken out of the report."""
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


def new_directory(prefix: str) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
