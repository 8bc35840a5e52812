"""Test programs in C and C++ that the agent compiled itself: by what was built from which sources, not by names."""

from __future__ import annotations

import pytest
from test_reproductions import checks

from builders import Session

TEST = """#include "../queue.hpp"
#include <cstdlib>
static void check(bool holds) { if (!holds) std::exit(1); }
int main() { Queue q; q.push(2); check(q.top() == 2); }
"""
PLAIN = """#include "../queue.hpp"
#include <cassert>
int main() { Queue q; q.push(2); assert(q.top() == 2); return 0; }
"""
# The product, which asserts and ends with a failure, but works on input.
PRODUCT = """#include "queue.hpp"
#include <cassert>
#include <iostream>
int main() { int n; std::cin >> n; assert(n > 0); if (n > 9) return 1; std::cout << n; }
"""
# It looks at something, and can say nothing.
PRINTS = """#include "../queue.hpp"
#include <cstdio>
int main() { Queue q; q.push(2); std::printf("%d", q.top()); return 0; }
"""
BUILD = "g++ -std=c++20 -o /tmp/check tests/check.cpp"


@pytest.mark.parametrize("text", [TEST, PLAIN])
@pytest.mark.parametrize(("status", "outcome"), [(0, "passed"), (1, "failed")])
def test_a_compiled_test_is_a_test_run(text: str, status: int, outcome: str) -> None:
    session = Session("Write it").write("tests/check.cpp", text).shell(f"{BUILD} && /tmp/check", "", exit_status=status)
    found = checks(session)
    assert found[-1][0] == "test"
    if status == 0:
        assert found == [("test", outcome)]


def test_it_may_be_built_in_a_call_of_its_own() -> None:
    session = Session("Write it").write("tests/check.cpp", TEST).shell(BUILD, "", exit_status=0)
    assert checks(session.shell("/tmp/check", "", exit_status=1)) == [("test", "failed")]


def test_it_may_be_written_in_the_same_line() -> None:
    command = f"cat > tests/check.cpp <<'EOF'\n{TEST}EOF\n{BUILD} && /tmp/check"
    assert checks(Session("Write it").shell(command, "", exit_status=0)) == [("test", "passed")]


def test_a_target_of_cmake() -> None:
    cmake = "add_executable(code main.cpp)\nadd_executable(queue_check tests/check.cpp queue.cpp)\n"
    session = Session("Write it").write("CMakeLists.txt", cmake).write("tests/check.cpp", TEST)
    session.shell("cmake --build build", "", exit_status=0)
    assert checks(session.shell("./build/queue_check", "", exit_status=0)) == [("test", "passed")]


def test_a_source_beside_the_project_is_a_trial() -> None:
    text = TEST.replace("../queue.hpp", "/work/queue.hpp")
    session = Session("Write it").write("/tmp/t.cpp", text)
    session.shell("g++ -o /tmp/t /tmp/t.cpp", "", exit_status=0)
    # That it compiles shows nothing yet.
    assert checks(session.shell("/tmp/t", "", exit_status=0)) == [
        ("reproduction", "unknown"),
        ("reproduction", "passed"),
    ]


IDLE = [TEST.replace("q.top() == 2", said) for said in ("true", "1 == 1", "2 + 2 == 4")]


@pytest.mark.parametrize("text", [PRODUCT, PRINTS, *IDLE, "int add() { return 1; }"])
def test_other_programs_are_no_tests(text: str) -> None:
    session = Session("Write it").write("tests/check.cpp", text).shell("g++ -o try tests/check.cpp", "", exit_status=0)
    assert ("test", "passed") not in checks(session.shell("./try", "2", exit_status=0))


def test_a_program_that_was_not_built_from_known_sources_is_none() -> None:
    session = Session("Write it").write("tests/check.cpp", TEST).shell("make all", "", exit_status=0)
    assert checks(session.shell("./other", "", exit_status=0)) == [("run", "")]
