"""Failures: the same one has the same signature, another one another; what is not the code's fault is told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.testruns.failures import FailedTest, infrastructure, normalise, read_failure, signature
from sources import text_file

SAMPLES = Path(__file__).parents[1] / "data" / "runner-output"


def sample(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text(errors="replace")


CHAIN = text_file("failures.chain.txt")

SHOWN = [
    (sample("pytest/exitfirst"), "AssertionError", "assert N == N", "pkg/tests/test_calc.py:test_add"),
    (sample("pytest/mixed-tb-short"), "RuntimeError", "no database at N.N:N", "pkg/tests/test_calc.py:broken"),
    (sample("unittest/mixed"), "KeyError", "'k'", "bad/test_ut.py:test_err"),
    (sample("pytest/collection-error"), "ImportError", None, "bad/test_imp.py:<module>"),
    (CHAIN, "StoreError", "no item N in db", "shop/store.py:load"),
    (sample("cargo-test/mixed"), "panic", "assertion `left == right` failed: sum of N and N",
     "src/lib.rs:tests::adds_wrongly"),
    (sample("cargo-test/broken"), "E0425", "cannot find value `c` in this scope", "src/lib.rs"),
    (sample("go-test/panic"), "panic", "assignment to entry in nil map", "panics/p_test.go:panics.TestPanics"),
    (sample("go-test/broken"), "compile error", "undefined: undefinedThing", "broken/b_test.go"),
    (sample("go-test/mixed-v"), None, "Sub(N, N) = N, want N", "bad_test.go"),
    (sample("go-test/mixed"), None, "Sub(N, N) = N, want N", "bad_test.go"),
    (sample("maven/mixed"), None, None, "CalcTest.java:raises"),
    (sample("maven/broken"), "compile error", "cannot find symbol", None),
    (sample("jest/mixed"), "AssertionError", None, "calc.test.js:Object.toBe"),
    (sample("vitest/mixed"), "AssertionError", "expected N to be N // Object.is equality", "v/calc.test.ts"),
    (sample("mocha/mixed"), "AssertionError", "N == N", "m/calc.js:Context.<anonymous>"),
    (sample("builds/tsc-fail"), "TS2322", "Type 'string' is not assignable to type 'number'.", "ts/bad.ts"),
    (sample("builds/gcc-fail"), "compile error", None, "broken.cpp"),
    (sample("builds/mypy-fail"), "return-value", None, "lint_bad.py"),
    (sample("builds/py-compile-fail"), "SyntaxError", "invalid syntax", "syn.py"),
    (sample("gtest/mixed"), "assertion", "Expected equality of these values:", "src/t.cpp"),
    (sample("rspec/mixed"), "NoMethodError", None, None),
    ("a.out: a.c:9: main: Assertion `n > 0' failed.\nAborted (core dumped)\n", "assertion", "n > N", "a.c"),
    ("Segmentation fault (core dumped)\n", "crash", "Segmentation fault", None),
    ("/usr/bin/ld: a.o: undefined reference to `frob'\n", "link error", "frob", None),
    ("bash: line 3: frob: command not found\n", "command not found", None, None),
    ("cat: nope.txt: No such file or directory\n", "No such file or directory", None, None),
    ("PHP Fatal error:  Uncaught TypeError: no in /app/src/a.php:3\n", "TypeError", "no", "src/a.php"),
]  # fmt: skip


@pytest.mark.parametrize(("output", "exception", "message", "frame"), SHOWN)
def test_read_failure(output: str, exception: str | None, message: str | None, frame: str | None) -> None:
    failure = read_failure(output)
    assert failure is not None
    if exception is not None:
        assert failure.exception == exception
    if message is not None:
        assert failure.message == message
    if frame is not None:
        assert failure.frame == frame


@pytest.mark.parametrize(
    "output", ["", "fine\n", sample("pytest/pass"), sample("cargo-test/pass"), sample("jest/pass")]
)
def test_no_failure(output: str) -> None:
    assert read_failure(output) is None


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        # What varies between runs is made alike.
        ("object at 0x7f3b16ace250 took 0.12s", "object at 0x7f3b99999999 took 3.40s", True),
        ("no file /tmp/pytest-of-me/pytest-12/test_a0/x", "no file /tmp/pytest-of-you/pytest-3/test_a1/x", True),
        ("run 6f9619ff-8b86-d011-b42d-00c04fc964ff failed", "run 7a0719ff-8b86-4011-b42d-00c04fc964aa failed", True),
        ("at 2026-01-02T03:04:05Z", "at 2025-11-12T13:14:15.123Z", True),
        ("line 12, column 3", "line 9, column 41", True),
        ("in /home/a/repo/src/x.py", "in /work/b/src/x.py", True),
        ("tmpk3j2h1aa gone", "tmpzz91ks_1 gone", True),
        # What matters stays.
        ("no key 'a'", "no key 'b'", False),
        ("in /repo/a.py", "in /repo/b.py", False),
        ("None is None", "None is not None", False),
    ],
)
def test_what_is_made_alike(one: str, other: str, alike: bool) -> None:
    assert (normalise(one) == normalise(other)) is alike


def test_the_same_failure_twice_has_one_signature() -> None:
    first = sample("pytest/mixed")
    again = first.replace("0.04s", "1.92s").replace("test_calc.py:7", "test_calc.py:9")
    assert signature([], read_failure(first), "x") == signature([], read_failure(again), "x")


def test_signature_prefers_tests_then_the_failure_then_the_fallback() -> None:
    failure = FailedTest("KeyError", "'a'", "a.py:f")
    assert signature(["b", "a"], failure, "pytest") == "tests: a, b"
    assert signature([], failure, "pytest") == "KeyError: 'a' at a.py:f"
    assert signature([], FailedTest(None, "wrong", None), "pytest") == "failure: wrong"
    assert signature([], None, "pytest tests/") == "pytest tests/"


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=60), st.randoms())
def test_the_order_of_tests_does_not_matter(names: list[str], random: object) -> None:
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert signature(names, None, "") == signature(shuffled, None, "")
    assert len(signature(names, None, "")) < 1000
    more = signature([*names, "one more test that was not there"], None, "")
    assert more != signature(names, None, "")


INFRASTRUCTURE = [
    ("", 127, "missing tool"),
    ("", 124, "timeout"),
    ("sh: 1: vitest: not found\n", None, "missing tool"),
    ("/bin/bash: line 1: cd: app: No such file or directory\n", 1, "missing tool"),
    ("/usr/bin/python: No module named pytest\n", 1, "missing tool"),
    ("npm error code ENOTFOUND\nnpm error network request failed\n", 1, "network"),
    ("curl: (6) Could not resolve host: example.org\n", 6, "network"),
    ("Error: HTTP 429 Too Many Requests\n", 1, "rate limit"),
    ("OSError: [Errno 28] No space left on device\n", 1, "disk full"),
    ("error: Read-only file system (os error 30)\n", 1, "permission"),
    ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.\n", 1, "permission"),
    ("Command timed out after 120000 milliseconds\n", None, "timeout"),
    ("collecting ...\nError: Command timed out after 2m 0.0s\n", None, "timeout"),
]


@pytest.mark.parametrize(("output", "status", "kind"), INFRASTRUCTURE)
def test_infrastructure(output: str, status: int | None, kind: str) -> None:
    reason = infrastructure(output, status)
    assert reason.startswith(kind)


@pytest.mark.parametrize(
    "message",
    ["Connection timed out after 3 seconds", "429 Too Many Requests", "No space left on device",
     "frob: command not found"],
)  # fmt: skip
def test_a_failing_test_may_speak_of_timeouts(message: str) -> None:
    """The words stand in an assertion: the code under test said them, not the surroundings."""
    red = f"E       AssertionError: {message}\n\ntests/test_net.py:9: AssertionError\n"
    red += "FAILED tests/test_net.py::test_get - AssertionError\n=== 1 failed, 3 passed in 0.20s ===\n"
    assert infrastructure(red, 1) is None


@pytest.mark.parametrize(
    "name", ["builds/gcc-fail", "builds/tsc-fail", "cargo-test/broken", "script/traceback", "lint/ruff-fail"]
)
def test_errors_of_the_code_are_not_infrastructure(name: str) -> None:
    assert infrastructure(sample(name), 1) is None


PIECES = ["Traceback (most recent call last):\n", '  File "a.py", line 1, in f\n', "E   ", "ValueError: ", "\n",
    "panic: ", "\tat a.B.c(B.java:1)\n"]  # fmt: skip
PIECES += ["a.go:1:2: x\n", " --> a.rs:1:2\n", "error: ", "thread 'x' panicked at a.rs:1:2:\n", "a.c:1:2: error: ",
    "  ● a › b\n", "/", "0x1f"]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=15)), max_size=30).map("".join))
def test_any_text(text: str) -> None:
    failure = read_failure(text)
    assert failure is None or failure.exception or failure.message
    assert signature([], failure, "fallback")
    infrastructure(text, 1)
    assert len(normalise(text)) <= 4000
