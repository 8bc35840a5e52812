"""Every check that Inspect has for sandbox providers (`inspect_ai.util._sandbox.self_check`), one test each."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from sources import text_file

pytest.importorskip("inspect_ai", reason="Inspect is not installed")

from inspect_ai.util._sandbox import self_check

from .conftest import Unprivileged

pytestmark = pytest.mark.bwrap

NOT_APPLICABLE = {
    # It makes a user with adduser, as root. The sandbox has one user, and nobody in it is root or can become it.
    "test_exec_as_user": "the sandbox has no root and takes no further users",
}
WAITING = {"test_exec_timeout_kills_process", "test_exec_timeout_kills_child_processes"}
CHECKS = [name for name, _ in inspect.getmembers(self_check) if name.startswith("test_")]
CASES = [
    pytest.param(name, marks=[pytest.mark.slow(reason="the check waits for 7 s")] if name in WAITING else [])
    for name in CHECKS
]

# Each check has a sandbox of its own; some wait for seconds, so they run beside each other.
PROGRAM = text_file("self_check.program.txt")


def selected(request: pytest.FixtureRequest, function: str) -> list[str]:
    items = [i for i in request.session.items if getattr(i, "originalname", "") == function]
    names = [i.callspec.params["name"] for i in items if hasattr(i, "callspec")]
    return sorted((n for n in names if n not in NOT_APPLICABLE), key=lambda n: n not in WAITING)


@pytest.fixture(scope="module")
def ours(request: pytest.FixtureRequest) -> dict[str, str | None]:
    directory = tempfile.mkdtemp(prefix="rigor-check-")
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *selected(request, "test_self_check")],
            env={**os.environ, "TMPDIR": directory},
            capture_output=True,
            check=True,
            timeout=120,
        )
        left = list(Path(directory).glob("rigor-sandboxes-*/*"))
        assert not left, "the sandboxes' directories were not removed"
        return json.loads(done.stdout)  # type: ignore[no-any-return]
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="module")
def theirs(request: pytest.FixtureRequest, unprivileged: Unprivileged) -> dict[str, Any]:
    return json.loads(unprivileged.run(PROGRAM, *selected(request, "test_self_check_unprivileged")))  # type: ignore[no-any-return]


def test_the_checks_are_all_there() -> None:
    assert len(CHECKS) >= 40
    assert set(NOT_APPLICABLE) | WAITING <= set(CHECKS)


@pytest.mark.parametrize("name", CASES)
def test_self_check(name: str, ours: dict[str, str | None]) -> None:
    if name in NOT_APPLICABLE:
        pytest.skip(NOT_APPLICABLE[name])
    assert ours[name] is None, ours[name]


@pytest.mark.parametrize("name", CASES)
def test_self_check_unprivileged(name: str, request: pytest.FixtureRequest) -> None:
    if name in NOT_APPLICABLE:
        pytest.skip(NOT_APPLICABLE[name])
    if os.geteuid() != 0:
        pytest.skip("the other test is this one: the tests do not run as root")
    result = request.getfixturevalue("theirs")[name]
    assert result is None, result
