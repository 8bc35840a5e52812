"""Runs the project's tests under pytest and records every outcome as it happens, one JSON line each."""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def run(request: dict[str, Any]) -> int:
    with open(request["out"], "w", buffering=1) as out:
        recorder = OutcomeRecorder(out)
        wanted = request.get("coverage")
        if wanted:
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
            recorder.coverage, recorder.contexts = measured, wanted["contexts"]
        try:
            import pytest

            arguments = [*request["args"], "-p", "no:cacheprovider"]
            # Nobody reads the tracebacks, and to write those of large objects can take longer than the tests.
            arguments += ["-q", "--no-header", "--tb=no"]
            # A new test file whose subject is still to be written says nothing about all the other tests.
            arguments.append("--continue-on-collection-errors")
            # The plugins are imported already; that their assertions are plain ones is no fault of the project.
            arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
            sys.argv = ["pytest", *arguments]
            sys.path.insert(0, "")
            status = int(pytest.main(arguments, plugins=[recorder]))
        finally:
            if wanted:
                import coverage

                recorder.coverage.stop()
                recorder.coverage.save()
                files = {}
                report = wanted["data"] + ".json"
                for path in wanted["files"]:
                    try:
                        recorder.coverage.json_report(
                            morfs=[path], outfile=report, show_contexts=wanted["contexts"], ignore_errors=True
                        )
                    except coverage.CoverageException:
                        continue
                    with open(report) as file:
                        for data in json.load(file)["files"].values():
                            files[path] = data
                with open(wanted["out"], "w") as out:
                    json.dump(files, out)
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


class OutcomeRecorder:
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
        expected = hasattr(report, "wasxfail")
        if report.skipped:
            found = "xfailed" if expected else "skipped"
        elif report.failed:
            found = "failed" if report.when == "call" else "error"
        elif report.when != "call":
            found = None
        else:
            found = "xpassed" if expected else "passed"
        # The worst phase counts: a passed test whose teardown fails did not pass.
        if found is not None and self.state.get(report.nodeid) not in ("failed", "error"):
            self.state[report.nodeid] = found
        if report.when == "teardown":
            self.line({"test": report.nodeid, "outcome": self.state.pop(report.nodeid, "error")})
