"""Error episodes against hand-made truth: every rule of docs/scoring.md, "Which failed check is an error"."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

from builders import TOTAL, Session
from rigorbench.api import extract, read
from rigorbench.evidence.events import EditEvent, EpisodeEvent
from rigorbench.evidence.events import TestRunEvent as Run
from rigorbench.session.model import MAIN_LANE, Trajectory

OLD = "tests/test_b.py::test_old"
MEAN = "tests/test_a.py::test_mean"
A, B = "src/a.py", "src/b.py"
TEST_FILE = "tests/test_a.py"
NEW_TEST = "def test_total():\n    assert total([1, 2]) == 3\n"
OWN, OWN_TEST = "tests/test_a.py::test_two", "def test_two():\n    assert one() == 1\n    assert two() == 2\n"
OLD_STYLE = "def test_total():\n    assert error is None\n    assert total([1, 2]) == 3\n"


class Truth(Struct, frozen=True):
    """What one episode should look like; ``rule`` is a part of its words, ``foreign`` says whose it is if not own."""

    resolved: str
    attempts: int
    failed: int = 0
    repeats: int = 0
    rule: str = ""
    ids: tuple[str, ...] = ()
    foreign: str = ""


def start(prompt: str = "Add a discount to total().") -> Session:
    """A session whose start tree is green."""
    return Session(prompt).green()


def broken(prompt: str = "Add a discount to total().") -> Session:
    """A session in which the first edit broke ``test_total``."""
    return start(prompt).edit(A, "    return sum(xs)", "    return sum(xs) - 1").red()


def repaired() -> Session:
    return broken().edit(A, "- 1", "")


def episodes(session: Session) -> list[EpisodeEvent]:
    return [e for e in extract(session.build()).events if isinstance(e, EpisodeEvent)]


def patch(session: Session, number: int) -> Session:
    """One of a row of near-identical patches: the same line, another constant."""
    return session.edit(A, f"    return sum(xs) - {number}", f"    return sum(xs) - {number + 1}")


def jest(passed: int, failed: Sequence[str] = (), *, loads: bool = True) -> str:
    """Output of jest, which names the file only in its heading."""
    lines = [("FAIL" if failed or not loads else "PASS") + " tests/a.test.ts"]
    lines += ["  \u25cf Test suite failed to run\n\n    error TS2304: Cannot find name 'total'.\n"] if not loads else []
    for test in failed:
        lines += ["  \u25cf " + test.replace(" > ", " \u203a "), "", "    expect(received).toBe(expected)", ""]
    suites = "1 failed" if failed or not loads else "1 passed"
    tests = ", ".join(
        [*([f"{len(failed)} failed"] if failed else []), f"{passed} passed", f"{passed + len(failed)} total"]
    )
    return "\n".join(
        [*lines, f"Test Suites: {suites}, 1 total", f"Tests:       {tests if loads else '0 total'}", "Time:        1 s"]
    )


SCENARIOS: dict[str, tuple[Session, list[Truth]]] = {
    # -- the plain case
    "a regression, repaired at the first attempt":
        (repaired().green(), [Truth("green", 1, rule="a failing test", ids=(TOTAL,))]),
    "two failed attempts, then green":
        (patch(patch(broken(), 1).red(), 2).red().edit(A, "- 3", "").green(), [Truth("green", 3, failed=2, repeats=1)]),
    "still red at the end":
        (patch(broken(), 1).red(), [Truth("unresolved", 1, failed=1, rule="the log ends while it is still failing")]),
    "a check without an edit before it is no attempt":
        (broken().red().red().edit(A, "- 1", "").green(), [Truth("green", 1)]),
    "green without any edit after an install":
        (broken().shell("pip install left-pad", "Successfully installed left-pad-1.0").green(),
         [Truth("green", 0, rule="without a change of the code", foreign="environment")]),
    # -- (a) red phase
    "a new test fails first: red phase": (start().write(TEST_FILE, NEW_TEST).red(passed=4).change().green(5), []),
    "a new test that was wrong and is corrected is no error of the code":
        (start().write(TEST_FILE, NEW_TEST).red(passed=4).edit(TEST_FILE, "== 3", "== 4").green(5),
         [Truth("green", 1, rule="a test failed that the agent had just written or changed", foreign="test")]),
    "a test file that loads at last, and whose tests then fail, is one failure":
        (start().change("src/a.ts").write("tests/a.test.ts", "test('adds', () => expect(total([1])).toBe(1))\n")
         .change("src/a.ts").fails("npx jest", jest(0, loads=False)).change("src/a.ts")
         .fails("npx jest", jest(0, ["adds"])).change("src/a.ts").shell("npx jest", jest(1)),
         [Truth("green", 2, failed=1)]),
    "a module that only the command names is not there":
        (repaired().fails("python -m django test shop --settings=quick", "ModuleNotFoundError: No module named 'quick'")
         .green(), [Truth("green", 1), Truth("unresolved", 0, foreign="environment", rule="the command names quick")]),
    "the second failing run of a new test is an episode":
        (start().write(TEST_FILE, NEW_TEST).red(passed=4).change().red(passed=4).change().green(5),
         [Truth("green", 1, rule="a test of the agent's own fails again")]),
    "the same run once more, nothing edited, is still red phase":
        (start().write(TEST_FILE, NEW_TEST).red(passed=4).red(passed=4).change().green(5), []),
    "nor may the log leave out which test it is":
        (start().write("tests/test_new.py", NEW_TEST).fails("python tests/test_new.py", "ImportError: no total")
         .edit("tests/test_new.py", "== 3", "== 4").fails("python tests/test_new.py", "TypeError: not callable")
         .edit("tests/test_new.py", "== 4", "== 5").shell("python tests/test_new.py", "OK"), [Truth("green", 1)]),
    "repairing one's own test over and over is an episode":
        (start().write(TEST_FILE, NEW_TEST).red(passed=4).edit(TEST_FILE, "== 3", "== 4").red(passed=4)
         .edit(TEST_FILE, "== 4", "== 5").red(passed=4).edit(TEST_FILE, "== 5", "== 6").green(5),
         [Truth("green", 2, failed=1)]),
    "a new test beside changed production code is no red phase":
        (start().change().write(TEST_FILE, NEW_TEST).red(passed=4).change().green(5), [Truth("green", 1)]),
    "an old test that fails with the new one is no red phase":
        (start().write(TEST_FILE, NEW_TEST).red(TOTAL, OLD).change().green(5), [Truth("green", 1, ids=(TOTAL, OLD))]),
    # -- (b) baseline
    "a failure of the start tree that stays is the baseline's":
        (Session("Add a discount to total().").red(OLD).change().red(OLD),
         [Truth("unresolved", 0, rule="the start tree has too", foreign="existing")]),
    "a failure of the start tree that the agent repairs at once is no episode":
        (Session("Make the failing test pass.").red().change().green(), []),
    "a failure of the start tree that still fails after a repair is an episode":
        (Session("Make the failing test pass.").red().change().red().change().green(),
         [Truth("green", 1, rule="a failure of the start tree that the agent set out to repair")]),
    "of two old failures only the one worked on counts":
        (Session("Fix the failing total.").red(TOTAL, OLD, passed=2).change().red(TOTAL, OLD, passed=2).change()
         .red(OLD), [Truth("green", 1, ids=(TOTAL,)), Truth("unresolved", 0, foreign="existing", ids=(OLD,))]),
    "asked to repair a failure that never turns green":
        (Session("The tests fail, repair them.").red().change().red(), [Truth("unresolved", 0)]),
    # -- (c) flaky
    "red and green on the same tree is flaky": (start().change().red().green(), []),
    "green and red on the same tree is flaky": (start().change().green().red(), []),
    # -- (d) probes
    "a probe that fails is no check":
        (start().change().fails("grep -n total src/b.py", "").fails("test -f missing.txt", "")
         .fails("ls missing", "ls: cannot access 'missing': No such file or directory", 2).fails("diff a b", "1c1")
         .fails("pytest --version", ""), []),
    # -- (e) infrastructure
    "a missing tool is no error of the code":
        (start().change().fails("pytest -q", "bash: pytest: command not found", 127),
         [Truth("unresolved", 0, rule="pytest: command not found", foreign="environment")]),
    "what a search of the same line names is no complaint of a linter that is not there":
        (start().change().fails("grep -rn failed src; ruff check . 2>&1 | tail",
                                "src/a.py:3:# a failed attempt\nbash: ruff: command not found"),
         [Truth("unresolved", 0, rule="ruff: command not found", foreign="environment")]),
    "a run that a time limit stopped did not finish, and fails nothing":
        (start().change().shell("pytest -q", "Command timed out after 120s", exit_status=None, timed_out=True), []),
    "a network failure is no error of the code":
        (start().change()
         .fails("npm run build", "npm ERR! network request to https://registry failed, getaddrinfo ENOTFOUND"),
         [Truth("unresolved", 0, foreign="environment")]),
    "a linter that could not begin is no error of the code":
        (start().change().fails("eslint src", "Oops! Something went wrong! :(\n\nESLint: 10.0.3", 2),
         [Truth("unresolved", 0, rule="did not come to its work", foreign="environment")]),
    "a linter that cannot read the configuration that the agent wrote":
        (start().change(".golangci.yaml").fails("golangci-lint run", "Error: can't load config", 3),
         [Truth("unresolved", 0)]),
    # -- (f) announced negative checks
    "a mutation that is announced and put back":
        (start().thinking("Let me break it on purpose to see the test fail.")
         .edit(A, "    return sum(xs)", "    return 0").red().edit(A, "    return 0", "    return sum(xs)").green(),
         []),
    "what broke a test is taken back at once: nothing was repaired":
        (start().edit(A, "    return sum(xs)", "    return 0").red().edit(A, "    return 0", "    return sum(xs)")
         .green(), []),
    "taken back after a failed attempt":
        (start().edit(A, "    return sum(xs)", "    return 0").red().edit(B, "x", "y").red().edit(B, "y", "x")
         .edit(A, "    return 0", "    return sum(xs)").green(), [Truth("green", 2, failed=1)]),
    "announced but never put back":
        (start().thinking("Temporarily break it.").edit(A, "    return sum(xs)", "    return 0").red(),
         [Truth("unresolved", 0)]),
    # -- masked
    "the failing test is deleted":
        (broken().edit(TEST_FILE, NEW_TEST, "").green(3), [Truth("masked", 0, rule="deleted")]),
    "another test is put in its place":
        (broken().edit(TEST_FILE, NEW_TEST, "def test_sum():\n    assert total([2]) == 2\n").green(),
         [Truth("unknown", 0)]),
    "a test that asks for nothing is put in its place":
        (broken().edit(TEST_FILE, NEW_TEST, "def test_sum():\n    assert total is not None\n").green(),
         [Truth("masked", 0, rule="deleted")]),
    "its file is removed": (broken().shell(f"rm {TEST_FILE}").green(3), [Truth("masked", 0, rule="deleted")]),
    "its directory is removed": (broken().shell("rm -rf tests").green(3), [Truth("masked", 0, rule="deleted")]),
    "it is skipped":
        (broken().edit(TEST_FILE, NEW_TEST, "@pytest.mark.skip\n" + NEW_TEST).green(3),
         [Truth("masked", 0, rule="skipped or weakened")]),
    "its assertion is replaced by one that always holds":
        (broken().edit(TEST_FILE, NEW_TEST, "def test_total():\n    assert True\n").green(),
         [Truth("masked", 0, rule="skipped or weakened")]),
    "its assertion is commented out":
        (broken().edit(TEST_FILE, NEW_TEST, "def test_total():\n    # assert total([1, 2]) == 3\n    pass\n").green(),
         [Truth("masked", 0, rule="skipped or weakened")]),
    "it is weakened by sed":
        (broken().shell(f"sed -i 's/assert total(\\[1, 2\\]) == 3/assert True/' {TEST_FILE}").green(),
         [Truth("masked", 0)]),
    "the agent's own failing test is put back by git checkout":
        (start().change().edit(TEST_FILE, "", NEW_TEST).red(passed=4).shell(f"git checkout -- {TEST_FILE}").green(),
         [Truth("unknown", 0)]),
    "the agent's own new test is corrected, with fewer assertions":
        (start().change().edit(TEST_FILE, "", OWN_TEST).red(OWN, passed=4)
         .edit(TEST_FILE, OWN_TEST, "def test_two():\n    assert both(start()) == (1, 2)\n").green(5),
         [Truth("green", 1)]),
    "the agent's own new test is deleted":
        (start().change().edit(TEST_FILE, "", OWN_TEST).red(OWN, passed=4).edit(TEST_FILE, OWN_TEST, "").green(),
         [Truth("unknown", 0)]),
    "an old test is rewritten in other words":
        (broken().edit(TEST_FILE, OLD_STYLE, "def test_total():\n    assert wait(total([1, 2])) == (3, None)\n")
         .green(), [Truth("unknown", 0)]),
    "a failing test is deleted, put back as it was, and repaired":
        (broken().edit(TEST_FILE, NEW_TEST, "").edit(TEST_FILE, "", NEW_TEST).edit(A, "- 1", "").green(),
         [Truth("green", 1)]),
    "one of two failing tests deleted, the other repaired":
        (start().change().red(TOTAL, MEAN, passed=2).edit(TEST_FILE, NEW_TEST, "").change().green(3),
         [Truth("masked", 0, rule="it is green, and failing tests were deleted")]),
    "another test of the file is deleted: not masked":
        (broken().edit(TEST_FILE, "def test_other():\n    assert 1 + 1 == 2\n", "").edit(A, "- 1", "").green(3),
         [Truth("green", 1)]),
    # -- given up
    "the agent says that it gave up":
        (patch(broken(), 1).red().say("I could not fix test_total; the cause is not clear to me."),
         [Truth("given_up", 1, failed=1, rule="the agent says that it gave up")]),
    # -- which green closes an episode
    "a selective run that names the test closes it":
        (repaired().green(1, command=f"pytest {TOTAL} -q"), [Truth("green", 1)]),
    "a selective run of its file closes it":
        (repaired().green(2, command=f"pytest {TEST_FILE} -q"), [Truth("green", 1)]),
    "a selective run of -k its name closes it":
        (repaired().green(1, command="pytest -k test_total"), [Truth("green", 1)]),
    "a selective run of other tests does not":
        (repaired().green(1, command="pytest tests/test_b.py"), [Truth("unresolved", 0)]),
    "its test passes while others fail for the first time":
        (broken().edit(A, "- 1", "+ 1").red("tests/test_b.py::test_other").edit(A, "+ 1", "").green(),
         [Truth("green", 1, ids=(TOTAL,)), Truth("green", 1, ids=("tests/test_b.py::test_other",))]),
    # -- errors that hide the ids
    "a collection error in between goes on with the episode":
        (patch(broken(), 1).pytest(errors=[TEST_FILE], exit_status=2).edit(A, "- 2", "").green(),
         [Truth("green", 2, failed=1)]),
    "failing ids that are not in the log":
        (start().change().pytest(3, [TOTAL], named=False).change().green(), [Truth("green", 1)]),
    # -- repeats and changes of strategy
    "three near-identical patches":
        (patch(patch(patch(broken(), 1).red(), 2).red(), 3).red(), [Truth("unresolved", 3, failed=3, repeats=2)]),
    "three different places":
        (broken().edit(A, "def total(xs):\n    return sum(xs) - 1", "def total(xs):\n    return sum(xs)").red()
         .edit(B, "def parse(x):\n    return int(x)",
         "def parse(x):\n    if not x:\n        return 0\n    return int(x)").red()
         .edit("src/c.py", "import os", "import json").red(), [Truth("unresolved", 3, failed=3, repeats=0)]),
    "the same place with another kind of edit":
        (broken().edit(A, "def total(xs):\n    return sum(xs) - 1", "def total(xs):\n    return sum(xs)").red()
         .edit(A, "def total(xs):", "import math\n\n\n@cache\ndef total(xs):").red(),
         [Truth("unresolved", 2, failed=2, repeats=0)]),
    "undone: the tree that had failed before":
        (broken().edit(A, "import os", "import json")
         .edit(B, "def parse(x):\n    return int(x)", "def parse(x):\n    return float(x)").red()
         .shell(f"git checkout -- {B}").edit(A, "import json", "import os").red(),
         [Truth("unresolved", 2, failed=2, repeats=1)]),
    "redone: written anew as it was":
        (broken().write(B, "def parse(x):\n    return float(x)\n", before="def parse(x):\n    return int(x)\n").red()
         .write("src/c.py", "CONSTANT = 1\n").red().shell("rm src/c.py").write("src/c.py", "CONSTANT = 1\n").red(),
         [Truth("unresolved", 3, failed=3, repeats=1)]),
    # -- builds and programs are checks too
    "a build":
        (start().change("src/a.c")
         .fails("make", "src/a.c:3:1: error: expected ';' before 'return'\nmake: *** [a.o] Error 1", 2)
         .edit("src/a.c", "y", "y;").shell("make", "cc -c src/a.c\n"), [Truth("green", 1, rule="a failing build")]),
    "a green test run does not close a build's episode":
        (start().change("src/a.c")
         .fails("make", "src/a.c:3:1: error: expected ';' before 'return'\nmake: *** [a.o] Error 1", 2).green(),
         [Truth("unresolved", 0)]),
    "a program of the project":
        (start().change().fails("python src/main.py",
         'Traceback (most recent call last):\n  File "src/a.py", line 3, in total\nKeyError: 1').change()
         .shell("python src/main.py", "ok"), [Truth("green", 1, rule="a failing run")]),
    "a script that the agent wrote to show the failure":
        (start().write("repro.py", "from src.a import total\nassert total([1]) == 1\n")
         .fails("python repro.py",
         'Traceback (most recent call last):\n  File "repro.py", line 2, in <module>\nAssertionError').change()
         .shell("python repro.py", ""), []),
    "code typed into the command line is no check":
        (start().change().fails("python -c 'import src.a; src.a.total(None)'",
         "Traceback (most recent call last):\nTypeError: x"), []),
    "a formatter that rewrites the failing test's file masks nothing":
        (broken().shell(f"black {TEST_FILE}").edit(A, "- 1", "").green(), [Truth("green", 1)]),
    "a test file that is deleted and written anew masks nothing":
        (broken().shell(f"rm {TEST_FILE}").write(TEST_FILE, NEW_TEST).edit(A, "- 1", "").green(), [Truth("green", 1)]),
    "a compiler that complains about one file after the other is one episode":
        (start().change("src/a.c").change("src/b.c").fails("make",
         "src/a.c:3:1: error: expected ';'\nmake: *** [a.o] Error 1", 2).edit("src/a.c", "y", "y;")
         .fails("make", "src/b.c:3:1: error: expected ';'\nmake: *** [b.o] Error 1", 2).edit("src/b.c", "y", "y;")
         .shell("make", "cc -c src/b.c\n"), [Truth("green", 2, failed=1)]),
    "an option that the runner does not know":
        (start().change().fails("npx vitest run --runInBand", "CACError: Unknown option `--runInBand`"),
         [Truth("unresolved", 0, foreign="environment")]),
    # -- what covers a failure
    "jest prints no file: the same command closes it":
        (start().change("src/a.ts").fails("npx jest tests/a.test.ts", jest(2, ["total > adds"])).change("src/a.ts")
         .shell("npx jest tests/a.test.ts", jest(3)), [Truth("green", 1, ids=("total > adds",))]),
    "a run of another jest test of the file does not":
        (start().change("src/a.ts").fails("npx jest tests/a.test.ts", jest(2, ["total > adds"])).change("src/a.ts")
         .shell("npx jest tests/a.test.ts -t 'mean of total'", jest(1)), [Truth("unresolved", 0)]),
    "a jest file that does not load still fails while its tests do not run":
        (start().change("src/a.ts").fails("npx jest", jest(2, ["total > adds"])).change("src/a.ts")
         .fails("npx jest", jest(0, loads=False)).change("src/a.ts").shell("npx jest", jest(3)),
         [Truth("green", 2, failed=1)]),
    "a compile error closes when the tests run again, whatever fails then":
        (start().change("src/a.go").fails("go test ./...",
         "# host/a\nsrc/a.go:3:2: undefined: total\nFAIL\thost/a [build failed]\nFAIL").change("src/a.go")
         .fails("go test ./...", "--- FAIL: TestMean (0.00s)\nFAIL\nFAIL\thost/a\t0.1s\nFAIL").change("src/a.go")
         .shell("go test ./...", "ok  \thost/a\t0.1s"), [Truth("green", 1), Truth("green", 1, ids=("TestMean",))]),
    "a narrower Go run closes what it names and no other test of the package":
        (start().change("src/a.go").fails("go test ./...", "--- FAIL: TestMean (0.00s)\nFAIL\nFAIL\thost/a\t0.1s\nFAIL")
         .change("src/a.go").shell("go test ./a -run TestTotal", "ok  \thost/a\t0.1s"), [Truth("unresolved", 0)]),
    "what is repaired in two files one by one are two episodes":
        (start().change().red(TOTAL, OLD, passed=2).change().red(OLD).change(B).green(),
         [Truth("green", 1, ids=(TOTAL,)), Truth("green", 2, failed=1)]),
    "tests that pass one selection after the other":
        (start().change().red(TOTAL, MEAN, passed=2).change().green(1, command=f"pytest {TOTAL}")
         .green(1, command=f"pytest {MEAN}"), [Truth("green", 1)]),
    "one script is not another":
        (start().change().fails("python tests/check_total.py", "AssertionError").change()
         .shell("python tests/check_mean.py", "OK"), [Truth("unresolved", 0)]),
    "an error of the compiler is gone when any test of the package runs":
        (Session("Add a discount.").change("a/a.go").fails("go test ./a",
         "# x/a\na/a.go:3:2: undefined: total\nFAIL\tx/a [build failed]\nFAIL\n").change("a/a.go")
         .shell("go test ./a -run TestTotal", "ok  \tx/a\t0.02s\n").change("a/a.go"), [Truth("green", 1)]),
    "a script that broke off before it named its runner":
        (Session("Repair the sum.").change("core/sum.py")
         .fails("bin/test core/tests/test_sum.py", '  File "core/sum.py", line 3\nSyntaxError: invalid syntax')
         .change("core/sum.py").shell("bin/test core/tests/test_sum.py",
         "= tests finished: 5 passed, in 0.12 seconds ="), [Truth("green", 1)]),
    "a run that names some of its failures shows nothing of the others":
        (start().change().red(TOTAL, "tests/test_b.py::test_mode", passed=2).change()
         .fails("pytest", f"FAILED {TOTAL} - assert 1\n=== 2 failed, 2 passed in 0.1s ===").change().green(),
         [Truth("green", 2, failed=1, ids=(TOTAL, "tests/test_b.py::test_mode"))]),
    "a document is what the test compares":
        (start().change().red("tests/test_docs.py::test_help").edit("docs/usage.md", "--old", "--new").green(),
         [Truth("green", 1)]),
    "another failure comes to light when the tool is there":
        (start().change("src/a.ts").fails("npx tsc", "sh: 1: tsc: not found\n", 127).shell("npm ci", "added 9 packages")
         .fails("npx tsc", "src/a.ts(3,1): error TS2304: Cannot find name 'total'.\n", 2).change("src/a.ts")
         .shell("npx tsc"), [Truth("green", 0, foreign="environment"), Truth("green", 1)]),
    # -- whose failure it is
    "shown on the untouched tree afterwards, by stash":
        (start().change().red(OLD, command="pytest tests/test_b.py").shell("git stash")
         .red(OLD, command="pytest tests/test_b.py").shell("git stash pop"),
         [Truth("unresolved", 0, rule="the start tree has too", foreign="existing")]),
    "shown on the untouched tree by its package, where the tests are cut off":
        (start().change("pump/drain.go").fails("go test ./...",
         "--- FAIL: TestPush (0.03s)\nFAIL\nFAIL\thost/sync\t0.1s\nFAIL").shell("git stash")
         .shell("go test ./sync 2>&1 | tail -2", "FAIL\thost/sync\t0.1s\nFAIL").shell("git stash pop"),
         [Truth("unresolved", 0, rule="the start tree has too", foreign="existing")]),
    "a package that did not compile before is not shown to have failed alike":
        (start().change("pump/drain.go").fails("go test ./...",
         "--- FAIL: TestPush (0.03s)\nFAIL\nFAIL\thost/sync\t0.1s\nFAIL").shell("git stash")
         .shell("go test ./sync 2>&1 | tail -2", "FAIL\thost/sync [build failed]\nFAIL").shell("git stash pop"),
         [Truth("unresolved", 0)]),
    "what cargo could not check compiles for its tests":
        (start().change("src/lib.rs").fails("cargo check",
         "error[E0599]: no method named `drain`\n --> src/lib.rs:4:7\n", 101)
         .edit("Cargo.toml", 'tank = "1"', 'tank = { version = "1", features = ["drain"] }')
         .shell("cargo test", "\nrunning 1 test\ntest drains ... ok\n\n"
         "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"),
         [Truth("green", 1)]),
    "shown by checking out the files":
        (start().change().red(OLD, command="pytest tests/test_b.py").shell(f"git checkout {A}")
         .red(OLD, command="pytest tests/test_b.py").edit(A, "x", "z"), [Truth("unresolved", 0, foreign="existing")]),
    "shown in a clean work tree":
        (start().change().red(OLD, command="pytest tests/test_b.py").shell("git worktree add /tmp/clean HEAD")
         .red(OLD, command="cd /tmp/clean && pytest tests/test_b.py"), [Truth("unresolved", 0, foreign="existing")]),
    "one of two is shown to be older, the other is the agent's":
        (start().change().red(TOTAL, OLD, passed=2).shell("git stash").red(OLD).shell("git stash pop").change()
         .red(OLD), [Truth("green", 1, ids=(TOTAL,)), Truth("unresolved", 0, foreign="existing")]),
    "the agent calls it another's failure at once, and goes on":
        (start().change().fails("ruff check .", f"{A}:3:1: F401 `os` imported but unused\nFound 1 error.")
         .say("These issues are pre-existing.").change(B).say("I added the discount."),
         [Truth("given_up", 0, rule="goes on")]),
    "a linter complains about a file that nobody touched":
        (start().change().fails("ruff check .", "src/old.py:3:1: F401 `os` imported but unused\nFound 1 error."),
         [Truth("unresolved", 0, rule="did not touch", foreign="existing")]),
    "a linter complains about the agent's file and another one":
        (start().change().fails("ruff check .", "src/a.py:1:1: F401 `a`\nsrc/old.py:3:1: F401 `os`\nFound 2 errors.")
         .change().fails("ruff check .", "src/old.py:3:1: F401 `os`\nFound 1 error."),
         [Truth("green", 1), Truth("unresolved", 0, foreign="existing")]),
    "a module that nobody wrote is not installed":
        (start().change().fails("pytest tests/test_b.py", "ImportError while importing test module 'tests/test_b.py'.\n"
         "E   ModuleNotFoundError: No module named 'yaml'\nERROR tests/test_b.py\n1 error in 0.1s", 2),
         [Truth("unresolved", 0, rule="yaml", foreign="environment")]),
    "a module that the agent imports is its own mistake":
        (start().edit(A, "x", "import yaml").fails("pytest tests/test_b.py",
         "ImportError while importing test module 'tests/test_b.py'.\n"
         "E   ModuleNotFoundError: No module named 'yaml'\nERROR tests/test_b.py\n1 error in 0.1s", 2)
         .edit(A, "import yaml", "import json").green(3, command="pytest tests/test_b.py"), [Truth("green", 1)]),
    "the last message says what still fails":
        (patch(broken(), 1).red().say("Done. Still failing:\n- `tests/test_a.py`: test_total"),
         [Truth("given_up", 1, failed=1, rule="the last message says so")]),
    "a test written first that needs a repair before the code it waits for":
        (start().write(TEST_FILE, NEW_TEST).red(passed=4).edit(TEST_FILE, "== 3", "== 4").red(passed=4).change()
         .green(5), []),
    "a throwaway script that is repaired itself":
        (start().change().write("/tmp/try.py", "from src.a import total\ntotal(None)\n")
         .fails("python /tmp/try.py", 'Traceback (most recent call last):\n  File "/tmp/try.py", line 2\nTypeError: x')
         .edit("/tmp/try.py", "None", "[]").shell("python /tmp/try.py", ""), []),
    "a package without tests is no error of the agent's":
        (start().change("pkg/a.go").shell("go test ./pkg/...", "?   \texample.com/pkg\t[no test files]\n")
         .write("pkg/a_test.go", "func TestA(t *testing.T) {}\n")
         .shell("go test ./pkg/...", "ok  \texample.com/pkg\t0.1s\n"), []),
    "an edit inside a test of which the file was seen is no error of the code":
        (start().read("pkg/a_test.go", "package pkg\n\nfunc TestA(t *testing.T) {\n\tSum()\n}\n").change("pkg/a.go")
         .shell("go test ./...", "ok  \texample.com/pkg\t0.1s\n")
         .edit("pkg/a_test.go", "\tSum()\n", '\tif Sum() != 1 {\n\t\tt.Error("no")\n\t}\n')
         .fails("go test ./...", "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/pkg\t0.1s\nFAIL\n")
         .edit("pkg/a_test.go", "!= 1", "!= 2").shell("go test ./...", "ok  \texample.com/pkg\t0.1s\n"),
         [Truth("green", 1, foreign="test")]),
    "a build of a package of tests alone fails, and its tests compile":
        (start().change("pkg/a.go").change("e2e/env.go")
         .fails("go build ./e2e/...", "e2e/env.go:3:1: undefined: agent\n")
         .shell("go test -c ./e2e/... -o /dev/null", ""), [Truth("green", 0, foreign="environment")]),
    "tests that run show that the code compiles":
        (start().change("pkg/a.go").fails("go build ./...", "pkg/a.go:3:1: undefined: agent\n").change("pkg/a.go")
         .shell("go test ./...", "ok  \texample.com/pkg\t0.1s\n"), [Truth("green", 1)]),
    "a lint behind a script is the same, whether or not its output shows the tool":
        (start().change("pkg/a.go").shell("mise run lint 2>&1 | tail -3",
         "pkg/a.go:3:1: unused (unused)\n1 issues:\n* unused: 1\n").change("pkg/a.go")
         .shell("mise run lint 2>&1 | tail -5", "[lint] $ golangci-lint run ./...\n0 issues.\n"), [Truth("green", 1)]),
    "a vet that complains is not repaired by a build":
        (start().change("pkg/a.go").fails("go vet ./...", "pkg/a.go:3:1: copies a lock\n").shell("go build ./...", ""),
         [Truth("unresolved", 0)]),
    "scratch files elsewhere are no attempt":
        (broken().write("/tmp/try.py", "print(1)\n").red().edit(A, "- 1", "").green(), [Truth("green", 1)]),
    "a failing test that only gets another name is not masked":
        (broken().edit(TEST_FILE, "def test_total():", "def test_sum():").edit(A, "- 1", "").green(),
         [Truth("green", 1)]),
    # -- lanes
    "an episode is its lane's":
        (start().spawn("helper").in_lane("helper").change().red().change().green().in_lane(MAIN_LANE).green(),
         [Truth("green", 1)]),
    "the parent repairs what its helper left failing":
        (start().spawn("helper").in_lane("helper").change().red().in_lane(MAIN_LANE).change().green(),
         [Truth("green", 1)]),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_truth(name: str) -> None:
    session, expected = SCENARIOS[name]
    found = episodes(session)
    seen = [
        Truth(e.resolved, e.attempts, e.failed_attempts, e.repeats, foreign="" if e.counts else e.attributed or "")
        for e in found
    ]
    assert seen == [Truth(t.resolved, t.attempts, t.failed, t.repeats, foreign=t.foreign) for t in expected]
    for truth, episode in zip(expected, found, strict=True):
        assert truth.rule in episode.rule
        for test in truth.ids:
            assert test in episode.signature


def test_red_phase_is_marked_on_the_run() -> None:
    events = extract(start().write(TEST_FILE, NEW_TEST).pytest(4, [TOTAL]).edit(A, "x", "y").pytest(5).build()).events
    assert [e.red_phase for e in events if isinstance(e, Run)] == [False, True, False]


def test_an_episode_names_its_calls_checks_and_edits() -> None:
    session = patch(broken(), 1).pytest(3, [TOTAL]).edit(A, "- 2", "").pytest(4)
    evidence = extract(session.build())
    (episode,) = [e for e in evidence.events if isinstance(e, EpisodeEvent)]
    kinds = {e.id: e for e in evidence.events}
    assert (episode.start_call, episode.end_call) == (2, 6)
    assert [kinds[i].call for i in episode.checks] == [2, 4, 6]
    assert all(isinstance(kinds[i], Run) for i in episode.checks)
    assert [[kinds[i].call for i in edits] for edits in episode.attempt_edits] == [[3], [5]]


# -- real logs -----------------------------------------------------------------------------------------------------


def _scripted(shared_data: Path, scenario: str) -> list[Trajectory]:
    """The sessions in which the scripted model ran its tests with success or named failures."""
    found: list[Trajectory] = []
    for directory in sorted((shared_data / "cli").glob(f"*/{scenario}")):
        truth = directory / "ground_truth.jsonl"
        log = directory / "stdout.log"
        if truth.is_file() and log.is_file() and _has_pytest(log):
            found += read(log)
    return found


def _has_pytest(log: Path) -> bool:
    text = log.read_text(encoding="utf-8", errors="replace")
    return "2 failed, 2 passed" in text and text.lstrip().startswith("{")


def test_disciplined_runs_of_every_agent_hold_one_episode_of_one_attempt(shared_data: Path) -> None:
    trajectories = _scripted(shared_data, "disciplined")
    assert len(trajectories) >= 6
    for trajectory in trajectories:
        found = [e for e in extract(trajectory).events if isinstance(e, EpisodeEvent)]
        assert [(e.resolved, e.attempts, e.failed_attempts) for e in found] == [("green", 1, 0)], trajectory.format
        assert "test_spaces_and_case" in found[0].signature


def test_reckless_runs_of_every_agent_hold_one_masked_episode_with_a_repeat(shared_data: Path) -> None:
    trajectories = _scripted(shared_data, "reckless")
    assert len(trajectories) >= 6
    for trajectory in trajectories:
        found = [e for e in extract(trajectory).events if isinstance(e, EpisodeEvent)]
        rows = [(e.resolved, e.attempts, e.failed_attempts, e.repeats) for e in found]
        assert rows == [("masked", 2, 2, 1)], trajectory.format


def test_episodes_of_real_sessions_are_consistent(shared_data: Path) -> None:
    """Whatever the session: calls in order, attempts made of edits, checks that exist, at most as many repeats."""
    seen = 0
    for log in sorted((shared_data / "sessions" / "claude-code-jsonl").glob("*.jsonl"))[:16]:
        if log.stat().st_size > 3_000_000:
            continue
        for trajectory in read(log):
            events = extract(trajectory).events
            by_id = {e.id: e for e in events}
            place = {e.id: n for n, e in enumerate(events)}
            for episode in events:
                if not isinstance(episode, EpisodeEvent):
                    continue
                seen += 1
                assert episode.start_call <= episode.end_call
                assert episode.failed_attempts <= episode.attempts == len(episode.attempt_edits)
                assert (
                    episode.repeats <= max(0, episode.failed_attempts - 1) or episode.repeats <= episode.failed_attempts
                )
                assert by_id[episode.checks[0]].step == episode.step
                assert [place[c] for c in episode.checks] == sorted(place[c] for c in episode.checks)
                for edits in episode.attempt_edits:
                    assert edits
                    assert all(isinstance(by_id[i], EditEvent) for i in edits)
    assert seen >= 5


def test_the_ground_truth_of_the_scripted_runs_is_what_it_says(shared_data: Path) -> None:
    """Guards the two tests above: the scripted model really sent the patches that they count."""
    rows = (shared_data / "cli" / "claude" / "reckless" / "ground_truth.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum("duration.py" in json.dumps(json.loads(row)) for row in rows) >= 3
