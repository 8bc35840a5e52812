"""Runs the project's tests under pytest (or unittest) and records every outcome as it happens, one JSON line each."""

from __future__ import annotations

import json
import os
import sys
import unittest
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any


def run(request: dict[str, Any]) -> int:
    with open(request["out"], "w", buffering=1) as out:
        recorder = Recorder(out)
        wanted = request.get("coverage")
        if wanted:
            recorder.coverage, recorder.contexts = start_coverage(wanted), wanted["contexts"]
        try:
            status = int((run_pytest if request["framework"] == "pytest" else run_unittest)(request, recorder))
        finally:
            if wanted:
                report_coverage(recorder.coverage, wanted)
        recorder.line({"modules": imported()})
        recorder.line({"end": status})
    return status


def imported() -> list[str]:
    """The modules in use that are not the project's own."""
    root = os.getcwd()
    names = []
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if (
            isinstance(origin, str)
            and not origin.startswith(root)
            and name.partition(".")[0] not in ("_pytest", "pytest", "test", "tests", "conftest")
        ):
            names.append(name)
    return names


class Recorder:
    """A pytest plugin. With ``coverage`` and ``contexts``, each line is credited to the tests that executed it."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.coverage: Any = None
        self.contexts = False
        self.state: dict[str, str] = {}

    def line(self, value: dict[str, Any]) -> None:
        self.file.write(json.dumps(value) + "\n")

    def context(self, name: str) -> None:
        if self.contexts and self.coverage is not None:
            self.coverage.switch_context(name)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.line({"broken": report.nodeid, "message": str(report.longrepr)[-1500:]})

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.context(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.context("")

    def pytest_runtest_logreport(self, report: Any) -> None:
        found = outcome_of(report)
        # The worst phase counts: a passed test whose teardown fails did not pass.
        if found is not None and self.state.get(report.nodeid) not in ("failed", "error"):
            self.state[report.nodeid] = found
        if report.when == "teardown":
            self.line({"test": report.nodeid, "outcome": self.state.pop(report.nodeid, "error")})


def outcome_of(report: Any) -> str | None:
    """What one phase of a test says; None when it says nothing of the test (setup and teardown that worked)."""
    expected = hasattr(report, "wasxfail")
    if report.skipped:
        return "xfailed" if expected else "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.when != "call":
        return None
    return "xpassed" if expected else "passed"


def run_pytest(request: dict[str, Any], recorder: Recorder) -> int:
    import pytest

    arguments = [*request["args"], "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:random_order"]
    # Nobody reads the tracebacks, and to write those of large objects can take longer than the tests.
    arguments += ["-q", "--no-header", "--tb=no"]
    # A new test file whose subject is still to be written says nothing about all the other tests.
    arguments.append("--continue-on-collection-errors")
    # The plugins are imported already; that their assertions are plain ones is no fault of the project.
    arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    if importable("xdist"):
        arguments += ["-n", "0"]
    if importable("pytest_cov"):
        arguments.append("--no-cov")
    sys.argv = ["pytest", *arguments]
    sys.path.insert(0, "")
    return int(pytest.main(arguments, plugins=[recorder]))


def importable(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class Result(unittest.TestResult):
    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder
        self.found = "passed"

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.found = "passed"
        self.recorder.context(test_id(test))

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self.found = "failed"

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self.found = "error"

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self.found = "skipped"

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addExpectedFailure(test, err)
        self.found = "xfailed"

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self.found = "xpassed"

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.found = "failed"

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.recorder.context("")
        name = test.id()
        if name.startswith("unittest.loader._FailedTest."):
            # unittest makes a test of a module that cannot be imported.
            module = name[len("unittest.loader._FailedTest.") :]
            message = str(getattr(test, "_exception", ""))[-1500:]
            self.recorder.line({"broken": module.replace(".", "/") + ".py", "message": message})
        else:
            self.recorder.line({"test": test_id(test), "outcome": self.found})


def test_id(test: unittest.TestCase) -> str:
    """pytest's node id for a unittest test."""
    kind = type(test)
    file = os.path.relpath(getattr(sys.modules.get(kind.__module__), "__file__", None) or kind.__module__)
    return f"{file}::{kind.__qualname__}::{test.id().rsplit('.', 1)[-1]}"


def run_unittest(request: dict[str, Any], recorder: Recorder) -> int:
    sys.argv = ["unittest"]
    sys.path.insert(0, os.getcwd())
    wanted = set(request["args"])
    suite = unittest.TestSuite()
    for start in [d for d in ("tests", "test") if os.path.isdir(d)] or ["."]:
        top = "." if os.path.exists(os.path.join(start, "__init__.py")) else None
        suite.addTests(unittest.TestLoader().discover(start, top_level_dir=top))
    if wanted:
        suite = unittest.TestSuite(t for t in flat(suite) if test_id(t) in wanted)
    result = Result(recorder)
    suite.run(result)
    return 0 if result.wasSuccessful() else 1


def flat(suite: Any) -> Iterator[unittest.TestCase]:
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


def start_coverage(wanted: dict[str, Any]) -> Any:
    import coverage

    options: dict[str, Any] = {
        "data_file": wanted["data"],
        "branch": True,
        "include": wanted["files"],
        "messages": False,
    }
    try:
        measured = coverage.Coverage(config_file=wanted["config"] or False, **options)
        measured.start()
    except coverage.CoverageException as error:
        # The project's own configuration may name plugins that are not here.
        sys.stderr.write(f"coverage without the project's configuration: {error}\n")
        measured = coverage.Coverage(config_file=False, **options)
        measured.start()
    return measured


def report_coverage(measured: Any, wanted: dict[str, Any]) -> None:
    """Write what coverage's JSON report says of each file; with ``contexts``, also which tests executed each line."""
    import coverage

    measured.stop()
    measured.save()
    files = {}
    report = wanted["data"] + ".json"
    for path in wanted["files"]:
        try:
            measured.json_report(morfs=[path], outfile=report, show_contexts=wanted["contexts"], ignore_errors=True)
        except coverage.CoverageException:
            continue
        with open(report) as file:
            for data in json.load(file)["files"].values():
                files[path] = data
    with open(wanted["out"], "w") as out:
        json.dump(files, out)
