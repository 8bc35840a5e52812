"""An agent's check of the program as a whole, in any form: what it covers is unknown, and it is no missing test."""

from __future__ import annotations

import pytest

from builders import Session as Log
from rigorbench.bench.rigorscore.verification import dc, tcr
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.session import Session

SOURCE = "int main() { return 1; }\n"
CHECKS = {
    "tests/check.py": ("import subprocess, sys\nsys.exit(subprocess.call(['./code']))\n", "python3 tests/check.py"),
    "tests/check.sh": ('test "$(./code < in.txt)" = 3\n', "sh tests/check.sh"),
    "tests/check.cpp": ('#include "../q.hpp"\nint main() { return q(); }\n', "g++ -o /tmp/check tests/check.cpp"),
}


def session(path: str, *statuses: int) -> Session:
    text, command = CHECKS[path]
    log = Log("Write main.cpp").write(path, text)
    for status in statuses:
        log = log.write("main.cpp", f"{SOURCE}// {status}\n").shell(command, exit_status=status)
    return Session(extract(log.say("Done.").build()))


@pytest.mark.parametrize("path", CHECKS)
def test_a_check_that_was_red_and_green_is_a_test(path: str) -> None:
    for metric in (tcr, dc):
        found = metric(session(path, 1, 0))
        assert found.status == "unscorable"
        assert path in found.reason


@pytest.mark.parametrize("path", CHECKS)
@pytest.mark.parametrize("statuses", [(), (0,), (1,), (0, 0)])
def test_a_file_that_was_never_seen_failing_and_passing_is_none(path: str, statuses: tuple[int, ...]) -> None:
    assert [metric(session(path, *statuses)).value for metric in (tcr, dc)] == [0.0, 0.0]


def test_a_compiled_check_is_seen_in_the_runs_of_its_program() -> None:
    text = '#include "../q.hpp"\n#include <cassert>\nint main() { assert(q() == 1); return 0; }\n'
    build = CHECKS["tests/check.cpp"][1]
    log = Log("Write q.hpp").write("tests/check.cpp", text).write("q.hpp", "int q() { return 2; }\n")
    log = log.shell(build, exit_status=0).shell("/tmp/check", exit_status=1).write("q.hpp", "int q() { return 1; }\n")
    log = log.shell(build, exit_status=0).shell("/tmp/check", exit_status=0)
    found = tcr(Session(extract(log.say("Done.").build())))
    assert found.status == "unscorable"
    assert "tests/check.cpp" in found.reason
