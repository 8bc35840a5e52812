"""Test runs: every sample output gives the outcome, counts and failing tests that stand in it, and nothing fools us."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.testruns.outcome import detect_runner, read_test_run
from rigorbench.evidence.testruns.runners import RUNNERS, find_runner, recognise
from rigorbench.evidence.testruns.runners.clean import clean

SAMPLES = Path(__file__).parents[1] / "data" / "runner-output"
INDEX: dict[str, dict[str, Any]] = json.loads((SAMPLES / "index.json").read_text())
RUNS = [name for name in INDEX if not name.startswith(("builds/", "lint/"))]


def sample(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text(errors="replace")


def family(name: str) -> str:
    return name.split("/")[0]


@pytest.mark.parametrize("name", RUNS)
def test_sample(name: str) -> None:
    want = INDEX[name]
    report = read_test_run(family(name), sample(name), want["exit_status"])
    got = {
        key: getattr(report, key) for key in ("runner", "outcome", "passed", "failed", "skipped", "errors", "never_ran")
    }
    assert got == {key: want[key] for key in got}
    assert report.failing == want["failing"]


@pytest.mark.parametrize("name", RUNS)
def test_sample_without_exit_status(name: str) -> None:
    report = read_test_run(family(name), sample(name), None)
    assert report.outcome == INDEX[name]["outcome_without_status"]


def test_every_sample_is_in_the_index() -> None:
    files = {str(path.relative_to(SAMPLES))[:-4] for path in SAMPLES.rglob("*.txt")}
    assert files == set(INDEX)


@pytest.mark.parametrize("name", [n for n in RUNS if INDEX[n]["outcome"] == "failed"])
def test_a_failure_is_one_whoever_ran_it(name: str) -> None:
    """Behind npm, make or an unknown command the runner is found by its output, with the same outcome."""
    if family(name) in ("script", "doctest") or name == "node-test/dot":
        pytest.skip("it has no closing words of its own")
    report = read_test_run("npm-script", sample(name), None)
    assert report.outcome in ("failed", "error")
    assert report.failing == INDEX[name]["failing"] or family(name) in ("mocha", "ava", "bats", "cypress")


@pytest.mark.parametrize("name", [n for n in RUNS if INDEX[n]["outcome"] == "passed" and family(n) != "script"])
def test_a_pass_is_recognised_by_its_output(name: str) -> None:
    if INDEX[name]["outcome_without_status"] != "passed" or name == "gradle/pass":
        pytest.skip("its output alone proves nothing, or is any Gradle build's")
    assert read_test_run(None, sample(name), None).outcome == "passed"


@pytest.mark.parametrize("name", [n for n in RUNS if INDEX[n]["outcome_without_status"] in ("failed", "passed")])
def test_colours_change_nothing(name: str) -> None:
    plain = sample(name)
    coloured = "\n".join(f"\x1b[1;31m{line}\x1b[0m" if line.strip() else line for line in plain.split("\n"))
    want, got = read_test_run(family(name), plain, None), read_test_run(family(name), coloured, None)
    assert (got.outcome, got.passed, got.failed, got.failing) == (want.outcome, want.passed, want.failed, want.failing)


# Closing blocks of several lines of which the last alone speak only of what passed: how many lines must be left.
CLOSING_BLOCK = {"pytest/two-runs": 1, "jest/broken-mixed": 5, "vitest/broken-mixed": 4, "gtest/brief": 3,
    "dotnet-test/written-two-projects": 1, "dotnet-test/written-platform": 4}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in RUNS if INDEX[n]["outcome_without_status"] == "failed"])
def test_cutting_the_head_never_turns_red_into_green(name: str) -> None:
    """``| tail -n K`` of a failed run: as long as its closing words are there, it is not said to have passed."""
    lines = sample(name).rstrip("\n").split("\n")
    for kept in range(CLOSING_BLOCK.get(name, 1), len(lines)):
        report = read_test_run(family(name), "\n".join(lines[-kept:]), None)
        assert report.outcome != "passed", f"tail -n {kept}"


@pytest.mark.parametrize("name", [n for n in RUNS if INDEX[n]["outcome_without_status"] == "passed"])
def test_cutting_the_head_never_turns_green_into_red(name: str) -> None:
    lines = sample(name).rstrip("\n").split("\n")
    for kept in range(1, len(lines)):
        report = read_test_run(family(name), "\n".join(lines[-kept:]), None)
        assert report.outcome in ("passed", "unknown"), f"tail -n {kept}"


# --- rules ----------------------------------------------------------------------------------------------------------


FAKE = "5 passed\nAll 5 tests passed!\nOK then\n"
STOPPED = " Test Files  1 passed (1)\n      Tests  3 passed (3)\n"


@pytest.mark.parametrize(
    ("runner", "output", "status", "flag", "outcome"),
    [
        # The summary beats an exit status of zero, tests that pass do not beat a bad one; a late stop changes nothing.
        ("pytest", "1 failed, 2 passed in 0.10s\n", 0, None, "failed"),
        ("pytest", "2 passed in 0.10s\n", 1, None, "error"),
        ("vitest", STOPPED, 124, None, "passed"),
        ("pytest", "=== 3 skipped in 0.01s ===\n", 0, None, "unknown"),
        # A fake summary is none.
        ("pytest", FAKE, None, None, "unknown"),
        ("pytest", FAKE + "=== 1 failed in 0.03s ===\n", None, None, "failed"),
        # The flag of the log stands for the status.
        ("pytest", "....\n", None, False, "passed"),
        ("script", "", None, True, "failed"),
        ("script", "", None, None, "unknown"),
    ],
)
def test_what_decides(runner: str, output: str, status: int | None, flag: bool | None, outcome: str) -> None:
    report = read_test_run(runner, output, status, failed_flag=flag)
    assert (report.outcome, report.never_ran) == (outcome, False)
    assert report.timed_out is (status == 124)


@pytest.mark.parametrize(
    ("runner", "outcome"), [("pytest", "passed"), ("jest", "passed"), ("mocha", "unknown"), ("cargo-test", "unknown")]
)
def test_exit_status_zero_without_summary(runner: str, outcome: str) -> None:
    """Some runners cannot exit 0 without a passing test, others can; silence proves nothing unless it was asked for."""
    assert read_test_run(runner, "....\n", 0).outcome == outcome
    assert read_test_run(runner, "", 0).outcome == "unknown"
    assert read_test_run(runner, "", 0, redirected=True).outcome == outcome


DOWNLOADS = "go: downloading example.com/x v1.0.0\n"
NOT_ASSIGNABLE = (
    "error: TS2322 [ERROR]: Type 'false' is not assignable to type 'true'.\n    at file:///app/a_test.ts:5:13\n"
)
NO_MANIFEST = "error: JSR package manifest for '@std/io' failed to load.\n    at file:///app/prompt/a.ts:15:41\n"


@pytest.mark.parametrize(
    ("runner", "output", "status"),
    [
        ("pytest", "bash: line 1: pytest: command not found\n", None),
        ("pytest", "/usr/bin/python3: No module named pytest\n", 1),
        ("pytest", "", 127),
        ("pytest", "", 5),
        ("pytest", "no tests ran in 0.01s\n", 5),
        ("pytest", "=== 12 deselected in 0.02s ===\n", None),
        ("pytest", "sh: 1: pytest: not found\n", 127),
        ("pytest", "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)\n", 2),
        ("pytest", "make: *** No rule to make target 'test'.  Stop.\n", 2),
        ("npm-script", "\u2009ERR_PNPM_NO_SCRIPT\u2009 Missing script: check\n", 1),
        ("npm-script", " ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT  None has it\n", 1),
        ("go-test", f"{DOWNLOADS}go: -mod may only be set to readonly or vendor when in workspace mode\n", 1),
        ("deno-test", NOT_ASSIGNABLE, None),
        ("deno-test", NO_MANIFEST, None),
    ],
)
def test_a_run_that_never_ran_is_no_pass_and_no_failure(runner: str, output: str, status: int | None) -> None:
    report = read_test_run(runner, output, status)
    assert (report.outcome, report.never_ran) == ("error", True)
    assert read_test_run("go-test", DOWNLOADS, None).outcome == "unknown"


def test_a_run_that_was_stopped_did_not_finish_but_what_failed_before_failed() -> None:
    head = "============ test session starts ============\ncollected 9 items\n\ntests/test_a.py ..."
    report = read_test_run("pytest", head, None, timed_out=True)
    assert (report.outcome, report.never_ran, report.timed_out) == ("unknown", False, True)
    red = f"{head}F\n\nFAILED tests/test_a.py::test_sum - assert 1 == 2\n"
    assert read_test_run("pytest", red, 124).outcome == "failed"


def test_a_long_line_of_sympy_has_no_room_for_its_frame() -> None:
    line = " tests finished: 106 passed, 2 expected to fail, 2 exceptions, in 3.14 seconds ="
    report = read_test_run("script", f"____ sympy/core/tests/test_expr.py:test_zoo ____\n{line}\nDO *NOT* COMMIT!\n", 1)
    assert (report.passed, report.skipped, report.errors) == (106, 2, 2)


def test_failures_of_ava_are_seen_without_its_last_lines() -> None:
    report = read_test_run("ava", "  ✔ grid › adds\n  ✘ [fail]: grid › spans (12ms)\n", None)
    assert (report.outcome, report.failing) == ("failed", ["grid > spans"])


def test_several_runs_are_added_up() -> None:
    report = read_test_run("pytest", "2 passed in 0.1s\nnoise\n1 failed, 4 passed in 0.2s\n", None)
    assert (report.outcome, report.passed, report.failed) == ("failed", 6, 1)
    cargo = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n" * 2
    report = read_test_run("cargo-test", cargo, 0)
    assert (report.outcome, report.passed, report.skipped) == ("passed", 6, 2)


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("Bestanden!   : Fehler:     0, erfolgreich:     5, übersprungen:     0, gesamt:     5, Dauer: 1 s", (5, 0, 0)),
        ("Fehler!      : Fehler:     2, erfolgreich:     5, übersprungen:     1, gesamt:     8, Dauer: 1 s", (5, 2, 1)),
        ("Réussi!  - échec :     0, réussite :     3, ignorée(s) :     0, total :     3, durée : 5 ms", (3, 0, 0)),
        ("已通过! - 失败:     0，通过:     5，已跳过:     0，总计:     5，持续时间: 1 s", (5, 0, 0)),
    ],
)
def test_dotnet_in_other_languages(line: str, counts: tuple[int, int, int]) -> None:
    report = read_test_run(None, f"Build\n\n{line} - A.dll (net8.0)\n", None)
    assert (report.runner, report.passed, report.failed, report.skipped) == ("dotnet-test", *counts)
    assert report.outcome == ("failed" if counts[1] else "passed")


def test_scripts() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: no\n'
    assert read_test_run("script", trace, None).outcome == "failed"
    assert read_test_run("script", "caught:\n" + trace + "2 cases passed\n", 0).outcome == "passed"
    assert read_test_run("script", "caught:\n" + trace + "the bug is there\n", 0).outcome == "unknown"
    assert read_test_run("script", "running\nERROR executing SQL: near 'x'\ndone\n", 0).outcome == "unknown"
    assert read_test_run("script", "checking\n" + trace, 0).outcome == "failed"
    assert read_test_run("script", "✗ adds wrongly\n", 0).outcome == "failed"
    missing = trace.replace("ValueError: no", "ModuleNotFoundError: No module named 'x'")
    report = read_test_run("script", missing, 1)
    assert (report.outcome, report.never_ran) == ("error", True)


def test_long_outputs_are_read_at_their_ends() -> None:
    noise = "tests/test_a.py::test_b PASSED [ 50%]\n" * 40_000
    report = read_test_run("pytest", f"=== test session starts ===\n{noise}==== 40000 passed in 9.00s ====\n", 0)
    assert (report.outcome, report.passed) == ("passed", 40_000)


ORDINARY = ["", "5 passed", "hello world\n", "def test_a():\n    assert 1\n", "12 files changed, 3 insertions(+)\n",
    "error: no\n"]  # fmt: skip


@pytest.mark.parametrize("text", [*ORDINARY, *(sample(n) for n in INDEX if n.startswith(("builds/", "lint/")))])
def test_ordinary_output_and_that_of_a_build_are_no_test_run(text: str) -> None:
    assert detect_runner(text) is None


GRADLE = "> Task :spotless:spotlessApply\n\nBUILD SUCCESSFUL in 3s\n2 actionable tasks: 2 executed\n"
GRADLE_BROKEN = "> Task :compileJava FAILED\n\n* What went wrong:\nExecution failed\n\nBUILD FAILED in 3s\n"


def test_the_end_of_a_build_counts_only_where_tests_were_asked_for() -> None:
    assert detect_runner(GRADLE) is None
    assert detect_runner(GRADLE_BROKEN) is None
    assert detect_runner(GRADLE.replace(":spotless:spotlessApply", ":app:test")) == "gradle"
    assert read_test_run("gradle", GRADLE, None).outcome == "passed"
    assert read_test_run("make", GRADLE, None).outcome == "passed"
    report = read_test_run("npm-script", GRADLE_BROKEN, None)
    assert (report.outcome, report.never_ran) == ("error", True)


PREFIXES = ["[test] ", "[test:unit] ", "[@acme/web]: ", "[0] ", "web-1  | ", "web:test: ", "@acme/web#test: ",
    "packages/web test: "]  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("name", ["pytest/mixed", "jest/pass", "go-test/mixed", "cargo-test/mixed", "gtest/mixed"])
def test_what_task_runners_put_before_each_line_is_taken_off(name: str, prefix: str) -> None:
    lines = sample(name).rstrip("\n").split("\n")
    report = read_test_run("make", "\n".join(prefix + line for line in lines) + "\n", None)
    want = read_test_run("make", "\n".join(lines) + "\n", None)
    assert want.outcome in ("passed", "failed")
    assert report == want


def test_what_follows_lines_with_prefixes_does_not_hide_them() -> None:
    lines = [" FAIL  test/a.test.ts > adds", " Test Files  1 failed (1)", "      Tests  1 failed | 2 passed (3)"]
    lines += ["   Start at  10:00:00", "   Duration  301ms", "Failed"]
    after = "/app/packages/web:\n ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  web@1.0.0 test: `vitest run`\nExit status 1\n"
    text = "".join(f"packages/web test: {line}\n" for line in lines) + after + " ELIFECYCLE  Test failed.\n"
    report = read_test_run("npm-script", text, 1)
    assert (report.runner, report.passed, report.failed) == ("vitest", 2, 1)
    assert report.failing == ["test/a.test.ts > adds"]


@pytest.mark.parametrize(
    "text",
    ["PASS: a\nPASS: b\nPASS: c\nFAIL: d\n",
     "Tests run: 3, Failures: 0\nTests run: 4, Failures: 1\nTests run: 5, Failures: 0\n",
     "test result: ok. 1 passed\ntest result: ok. 2 passed\ntest result: ok. 3 passed\n",
     "[INFO] a\n[ERROR] b\n[INFO] c\n", "[info] a\n[error] b\n[info] c\n",
     "[ RUN      ] A.b\n[       OK ] A.b\n[  PASSED  ] 1 test.\n",
     "[100%] Built target a\n[100%] Built target b\n[100%] Built target c\n",
     "[1/3] Compiling a\n[2/3] Compiling b\n[3/3] Linking\n", "a.py:1: error: x\na.py:1: error: y\na.py:1: error: z\n",
     "src/a.c:1:2: error: x\nsrc/a.c:1:3: error: y\nsrc/a.c:1:4: error: z\n", "ok 1 - a\nok 2 - b\nok 3 - c\n"
    ],
)  # fmt: skip
def test_the_runners_own_words_are_no_prefixes(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("name", "runner"),
    [
        ("go test", "go-test"),
        ("py.test", "pytest"),
        ("cargo_test", "cargo-test"),
        ("googletest", "gtest"),
        ("nose", "unittest"),
    ],
)
def test_runner_names(name: str, runner: str) -> None:
    found = find_runner(name)
    assert found.name == runner


def test_runner_names_are_unambiguous() -> None:
    names = [name for runner in RUNNERS for name in (runner.name, *runner.aliases)]
    assert len(names) == len(set(names))
    assert find_runner("make") is None
    assert find_runner(None) is None


# --- any text -------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [mark for runner in RUNNERS for mark in runner.marks]
    + ["1 passed", "2 failed, ", " in 0.1s\n", "\n", "\r", "=== ", "\x1b[31m", "\x00", "{", "}", "Traceback", "::",
        "not ok 1"]
    + ["FAILED a.py::b[c - d] - e\n", "Tests: 1 failed, 2 total\n", "E   assert 1\n", "--- FAIL: T (0.0s)\n", "💥",
        "٣ passed"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=400), st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=40).map("".join))


@settings(max_examples=150)
@given(TEXTS, st.sampled_from([None, 0, 1, 2, 5, 101, 124, 127, 137, -1, -9]))
def test_no_text_makes_a_reader_stumble(text: str, status: int | None) -> None:
    for name in (*(runner.name for runner in RUNNERS), "npm-script", "script", None):
        report = read_test_run(name, text, status)
        assert report.outcome in ("passed", "failed", "error", "unknown")
        assert all(n is None or n >= 0 for n in (report.passed, report.failed, report.skipped, report.errors))
        assert not (report.outcome == "passed" and (report.never_ran or report.failed or report.failing))


@settings(max_examples=100)
@given(TEXTS)
def test_recognising_agrees_with_the_readers(text: str) -> None:
    """The marks only save time: whoever reads a closing summary in a text is not missed by them."""
    cleaned = clean(text)
    found = recognise(cleaned)
    finals = {runner.name for runner in RUNNERS if (s := runner.read(cleaned)) is not None and s.final}
    if found is not None and found.final:
        assert finals
