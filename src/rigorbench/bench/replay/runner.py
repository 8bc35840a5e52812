"""Builds and tests trees in the sandbox: one checked-out directory, one warm Python, any number of trees."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct, field

from ...base.cache import cache_directory
from ...base.version import __version__
from ...evidence.replayed import FileCoverage, TestOutcome, TestRun
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.mount import Mount
from ...sandbox.kit.toolchain import PYTHON, toolchain
from . import sandbox
from .sandbox import HOME, CommandLimits, Mounts
from .store import ObjectStore, ReplayTree

INSIDE = Path(__file__).parent / "inside"
TOOLS = Path("/tmp/rigor-tools")


class Environment(Struct):
    """What a sandbox for builds and tests needs beside the work tree."""

    binds: tuple[Mount, ...]
    env: dict[str, str]
    fingerprint: str
    """Changes when results may: interpreter, installed distributions, RigorBench version, machine."""


def find_environment(tools: Sequence[str]) -> Environment:
    """The environment of the agent of a recorded run: the sandbox's own Python with pytest, the task's tool chains.

    Raises:
        SandboxError: one is not available here.
    """
    try:
        chain = toolchain(cache_directory(), tools)
    except OSError as error:
        raise SandboxError(f"the sandbox's Python cannot be made here ({error})") from None
    binds = (*chain.binds, Mount(str(INSIDE), str(TOOLS / "inside")))
    env = {"PYTHONHASHSEED": "0", **dict(chain.env), "PATH": chain.path}
    # The directory of the sandbox's Python has a name of its own for each interpreter.
    parts = [__version__, platform.machine(), platform.release(), chain.binds[0].source, *chain.packages, HOME]
    parts += [script.read_text(encoding="utf-8") for script in sorted(INSIDE.glob("*.py"))]
    return Environment(binds, env, hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16])


OUT = Path("/tmp/rigor-out")
# The exit status of a shell whose last program is not there.
NO_PROGRAM = 127
_OUTCOMES = frozenset(get_args(TestOutcome))


class CoveredRun(Struct):
    """A test run with coverage."""

    run: TestRun
    files: dict[str, FileCoverage] = field(default_factory=dict)
    contexts: dict[str, dict[int, list[str]]] = field(default_factory=dict)
    """By file and line, the tests that executed it, if that was requested."""


class ReplayRunner:
    """One worker, until it is stopped.

    The work directory is mounted where the run had it, so that absolute paths lead to the tree under test.
    """

    def __init__(self, store: ObjectStore, environment: Environment, directory: Path, limits: CommandLimits) -> None:
        self.environment, self.limits = environment, limits
        self.tree = ReplayTree(store, directory / "work")
        self.out = directory / "out"
        self.out.mkdir()
        self.root = store.root
        self.mounts = Mounts(self.tree.path, self.root, (*environment.binds, Mount(str(self.out), str(OUT), True)))
        self._server: subprocess.Popen[bytes] | None = None
        self._modules: list[str] = []
        self._preload = True

    def stop(self) -> None:
        if self._server is not None:
            with contextlib.suppress(OSError):
                for stream in (self._server.stdin, self._server.stdout):
                    if stream is not None:
                        stream.close()
            sandbox.kill(self._server)
        self._server = None

    def start(self) -> None:
        """Start the warm Python.

        Raises:
            SandboxError: it does not start.
        """
        if self._server is not None:
            return
        code = f"import sys; sys.path.insert(0, {str(TOOLS)!r}); from inside.server import serve; serve()"
        command = [PYTHON, "-c", code]
        # Not in a directory of the sandbox, which could put a link there.
        with tempfile.TemporaryFile() as log:
            self._server = subprocess.Popen(
                sandbox.command_line(self.mounts, command, self.environment.env, self.limits),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
            if self._answer(60.0) is None:
                self.stop()
                log.seek(0)
                error = " ".join(log.read().decode("utf-8", "replace").split())[-300:]
                raise SandboxError(f"the project's Python does not start: {error or 'it does not answer'}")

    def _answer(self, timeout: float) -> dict[str, Any] | None:
        assert self._server is not None
        assert self._server.stdout is not None
        answers = self._server.stdout
        deadline = time.monotonic() + timeout
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                data = os.read(answers.fileno(), 4096)
                if not data:
                    return None
                line += data
        value: dict[str, Any] = json.loads(line)
        return value

    def request(self, value: dict[str, Any], timeout: float) -> int | None:
        """Send one request; its exit status, None when the time was over or the server died."""
        self.start()
        assert self._server is not None
        assert self._server.stdin is not None
        ahead = self._modules if self._preload else []
        value = {"root": str(self.root), "log": str(OUT / "log"), "preload": ahead, **value}
        try:
            self._server.stdin.write(json.dumps(value).encode() + b"\n")
            self._server.stdin.flush()
        except OSError:
            self.stop()
            return None
        answer = self._answer(timeout)
        if answer is None:
            self.stop()
            return None
        if answer["threads"] != 1:
            # A fork of a process with threads is not safe: go on without importing ahead.
            self._preload = False
            self.stop()
        return int(answer["status"])

    # Requests

    def build_python(self, files: list[str], packages: list[str], roots: list[str]) -> dict[str, Any] | None:
        """Compile files and import packages of the current tree; None when that did not end."""
        out = self.out / "build.json"
        out.unlink(missing_ok=True)
        request = {"op": "build", "files": files, "packages": packages, "roots": roots, "out": str(OUT / out.name)}
        if self.request(request, self.limits.timeout) is None:
            return None
        try:
            value = json.loads(out.read_bytes())
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def pytest(self, args: Sequence[str], timeout: float, coverage: Mapping[str, object] | None = None) -> CoveredRun:
        """Run tests on the current tree.

        Args:
            coverage: what to measure: ``files``, ``config`` (the coverage configuration, as a path in the tree; None:
                none) and ``contexts`` (record for each line which tests executed it: only of few tests, since that of a
                thousand takes minutes and gigabytes).
        """
        out = self.out / "tests.jsonl"
        out.unlink(missing_ok=True)
        value: dict[str, Any] = {"op": "test", "args": list(args), "out": str(OUT / out.name)}
        if coverage is not None:
            for name in ("coverage.json", "data.json"):
                (self.out / name).unlink(missing_ok=True)
            value["coverage"] = {**coverage, "data": str(OUT / "data"), "out": str(OUT / "coverage.json")}
        started = time.monotonic()
        status = self.request(value, timeout)
        run, modules = _recorded(out)
        run.seconds = time.monotonic() - started
        if modules:
            self._modules = modules
        run.exit_status = status
        if status is None:
            run.problem = "the tests did not end within their time"
        elif status < 0 or not modules:
            run.problem = f"the test run broke off (exit status {status}): {self._log_tail()}"
        elif status in (3, 4):
            run.problem = f"pytest could not run the tests: {self._log_tail()}"
        measured = CoveredRun(run)
        if coverage is not None:
            try:
                report = json.loads((self.out / "coverage.json").read_bytes())
            except (OSError, ValueError):
                pass
            else:
                for file, data in report.items() if isinstance(report, Mapping) else ():
                    measured.files[file] = FileCoverage(
                        executed=set(data["executed_lines"]),
                        missing=set(data["missing_lines"]),
                        branches={(a, b) for a, b in data.get("executed_branches", ())},
                        missing_branches={(a, b) for a, b in data.get("missing_branches", ())},
                    )
                    measured.contexts[file] = {int(line): names for line, names in data.get("contexts", {}).items()}
        return measured

    def command(self, command: str, timeout: float | None = None) -> sandbox.CommandEnd:
        """Run a shell command on the current tree."""
        limits = self.limits if timeout is None else CommandLimits(timeout=timeout, memory=None)
        return sandbox.run(command, self.mounts, self.environment.env, limits)

    def _log_tail(self) -> str:
        try:
            text = (self.out / "log").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return "no output"
        lines = [line for line in text.splitlines() if line.strip()]
        return " ".join(" ".join(lines[-3:]).split())[-300:]


def _recorded(path: Path) -> tuple[TestRun, list[str]]:
    """The recorded outcomes (of a run that broke off: those of the tests before)."""
    run = TestRun()
    modules: list[str] = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return run, modules
    for line in lines:
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if not isinstance(value, dict):
            continue
        if isinstance(value.get("test"), str) and value.get("outcome") in _OUTCOMES:
            run.outcomes[value["test"]] = value["outcome"]
        elif isinstance(value.get("broken"), str):
            run.broken[value["broken"]] = str(value.get("message", ""))
        elif isinstance(value.get("modules"), list):
            modules = [m for m in value["modules"] if isinstance(m, str)] or ["sys"]
    return run, modules
