"""Builds and tests one work tree after another without starting Python and the test framework anew each time.

Requests are JSON objects, one per line, on standard input; each is served in a forked child, so that nothing of one
state of the code is left in the next. The answer is one line on standard output (the child's exit status and its
seconds); results go into the file that the request names.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import inspect
import json
import os
import signal
import sys
import time
import traceback
from typing import Any

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What the sandbox's Python has beside pytest. It may be imported before the project's own code.
INSTALLED = "attr attrs hypothesis packaging sortedcontainers"
USUAL = "coverage pytest unittest unittest.mock json decimal dataclasses asyncio typing pdb queue fractions gzip"


def preload() -> None:
    """Import what every test run needs."""
    for name in USUAL.split():
        attempt(name)
    from _pytest.config import default_plugins

    for name in default_plugins:
        attempt("_pytest." + name)
    # pytest loads its installed plugins at every start, and Hypothesis' one loads Hypothesis at its end.
    for package, module in plugins().items():
        attempt(module)
        if package == "_hypothesis_pytestplugin":
            attempt("hypothesis")


def attempt(name: str) -> None:
    # What is not there, or not on this system, is left to the tests to find out.
    with contextlib.suppress(Exception):
        importlib.import_module(name)


def plugins() -> dict[str, str]:
    """The packages of installed pytest plugins and the module of each, but for the project's own."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    root = os.getcwd()
    found: dict[str, str] = {}
    with contextlib.suppress(Exception):
        for entry in entry_points(group="pytest11"):
            module = entry.value.partition(":")[0].strip()
            package = module.partition(".")[0]
            spec = find_spec(package)
            if spec is not None and spec.origin is not None and not spec.origin.startswith(root):
                found.setdefault(package, module)
    return found


def serve() -> None:
    """Answer requests until standard input ends."""
    # Standard output is for answers alone; what an import prints goes where errors go.
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        preload()
        answer(answers, {"ready": True, "threads": threads()})
        for line in sys.stdin:
            request = json.loads(line)
            started = time.monotonic()
            wanted = [name for name in request.get("preload", ()) if name not in sys.modules]
            if wanted:
                allowed = {*sys.stdlib_module_names, *INSTALLED.split(), *plugins()}
                for name in wanted:
                    if name.partition(".")[0] in allowed:
                        attempt(name)
                # Fills the table of the modules' files, which every child would fill anew at its first traceback.
                with contextlib.suppress(Exception):
                    inspect.getmodule(compile("", "/dev/null", "exec"))
            # What is there by now never becomes garbage in the child: its collections need not look at it.
            gc.freeze()
            child = os.fork()
            if child == 0:
                code = 70
                try:
                    code = work(request)
                except BaseException:  # it goes into the log
                    traceback.print_exc()
                finally:
                    # Whatever went wrong: the child never comes back into this loop.
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            # Whatever the tests left running ends with them.
            with contextlib.suppress(OSError):
                os.killpg(child, signal.SIGKILL)
            code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
            answer(answers, {"status": code, "seconds": time.monotonic() - started, "threads": threads()})


def answer(stream: Any, value: dict[str, Any]) -> None:
    stream.write(json.dumps(value) + "\n")
    stream.flush()


def threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def work(request: dict[str, Any]) -> int:
    """Serve one request in the child; the return value is the exit status."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.closerange(3, 256)
    os.chdir(request["root"])
    # Compiled files outlive the clean-up between two trees. The server itself uses those of the installation.
    sys.pycache_prefix = "/tmp/pycache"
    sys.path[:] = [p for p in sys.path if p not in ("", TOOLS)]
    status = 70
    try:
        status = check(request) if request["op"] == "build" else run_tests(request)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # the traceback goes into the log, the status tells the server
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    return status & 0xFF


def check(request: dict[str, Any]) -> int:
    """Compile ``files`` and import ``packages``; problems go into the file ``out`` as JSON."""
    broken: dict[str, str] = {}
    for path in request["files"]:
        try:
            with open(path, "rb") as file:
                compile(file.read(), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # the latter: nested too deeply
            broken[path] = f"{type(error).__name__}: {error}"
        except OSError:
            continue
    root = os.getcwd()
    for directory in request["roots"]:
        sys.path.insert(0, os.path.join(root, directory) if directory else root)
    imports = {package: import_problem(package, root) for package in request["packages"]}
    with open(request["out"], "w") as out:
        json.dump({"broken": broken, "imports": imports}, out)
    return 0


def import_problem(package: str, root: str) -> dict[str, str | None] | None:
    """None when the import works, else what went wrong; a missing foreign module is named apart."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError as error:
        return {"error": f"ModuleNotFoundError: {error}", "missing": (error.name or "").partition(".")[0]}
    except (Exception, SystemExit) as error:  # whatever the project's code raises is the finding
        frames = traceback.extract_tb(error.__traceback__)
        place = next((f for f in reversed(frames) if f.filename.startswith(root)), None)
        where = "" if place is None else f" ({os.path.relpath(place.filename, root)}:{place.lineno})"
        return {"error": f"{type(error).__name__}: {error}{where}", "missing": None}
    return None


def run_tests(request: dict[str, Any]) -> int:
    """Run the project's tests under pytest and record every outcome as it happens, one JSON line each."""
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
