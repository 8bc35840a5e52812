"""Builds and linters: exit status, diagnostics and the log's flag, in that order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import Session, rows
from rigorbench.api import extract
from rigorbench.evidence.builds.outcome import Kind, read_outcome, silence_proves
from rigorbench.evidence.events import BuildEvent
from rigorbench.evidence.shell.parse import parse

SAMPLES = Path(__file__).parents[1] / "data" / "runner-output"
INDEX: dict[str, dict[str, Any]] = json.loads((SAMPLES / "index.json").read_text())
CHECKS = [name for name in INDEX if name.startswith(("builds/", "lint/"))]


def kind(name: str) -> Kind:
    return "build" if name.startswith("builds/") else "lint"


@pytest.mark.parametrize("name", CHECKS)
def test_sample(name: str) -> None:
    want, output = INDEX[name], (SAMPLES / f"{name}.txt").read_text(errors="replace")
    assert read_outcome(kind(name), want["program"], [], output, want["exit_status"]) == want["outcome"]
    assert read_outcome(kind(name), want["program"], [], output, None) == want["outcome_without_status"]


@pytest.mark.parametrize("name", [n for n in CHECKS if INDEX[n]["outcome"] == "failed"])
def test_no_failure_becomes_a_pass_behind_a_pipe(name: str) -> None:
    """A format that flags failed commands flags the pipe, not the compiler: its diagnostics say more."""
    output = (SAMPLES / f"{name}.txt").read_text(errors="replace")
    assert read_outcome(kind(name), INDEX[name]["program"], [], output, None, failed_flag=False) == "failed"


BUILD_LINES = rows({
    "failed": ["error[E0308]: mismatched types", "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
         "[ERROR] BUILD FAILURE", "file.c:3:5: error: expected ';' before 'return'", "./x.go:3:2: undefined: y",
         "webpack 5.90.0 compiled with 2 errors in 1201 ms", "Found 3 errors in the same file, starting at: src/a.ts:1",
         "make: *** [Makefile:3: all] Error 2", "ninja: build stopped: subcommand failed.",
         "/usr/bin/ld: a.o: undefined reference to `f'"],
    "passed": ["[INFO] BUILD SUCCESS", "BUILD SUCCESSFUL in 3s",
         "    Finished `release` profile [optimized] target(s) in 3.21s",
         "    Finished dev [unoptimized + debuginfo] target(s) in 0.10s", "✓ built in 1.42s",
         "webpack 5.90.0 compiled successfully in 1201 ms", "Found 0 errors. Watching for file changes.",
         "Success: no issues found in 12 source files", "Build succeeded.", "** BUILD SUCCEEDED **"],
    "unknown": ["file.c:3:5: warning: unused variable 'x'", ""],
    "error": ["sh: 1: tsc: not found"],
})  # fmt: skip


@pytest.mark.parametrize(("line", "outcome"), BUILD_LINES)
def test_the_words_of_builds(line: str, outcome: str) -> None:
    assert read_outcome("build", "x", [], f"before\n{line}\nafter\n" if line else "", None) == outcome


LINT_LINES = [
    ("eslint", "✖ 3 problems (2 errors, 1 warning)", "failed"),
    ("eslint", "✖ 1 problem (0 errors, 1 warning)", "passed"),
    ("ruff", "Found 3 errors.", "failed"),
    ("ruff", "Found 3 errors (3 fixed, 0 remaining).", "failed"),
    ("ruff", "All checks passed!", "passed"),
    ("ruff", "Found 2 errors in 1 file (checked 9 source files)\nAll checks passed!", "passed"),
    ("mypy", "Found 2 errors in 1 file (checked 9 source files)\nAll checks passed!", "failed"),
    ("black", "2 files would be reformatted, 3 files would be left unchanged.", "failed"),
    ("black", "All done! ✨ 🍰 ✨\n5 files would be left unchanged.", "passed"),
    ("prettier", "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.", "failed"),
    ("prettier", "All matched files use Prettier code style!", "passed"),
    ("flake8", "a.py:1:1: F401 'os' imported but unused", "failed"),
    ("golangci-lint", "0 issues.", "passed"),
    ("golangci-lint", "pkg/a.go:12:2: Error return value is not checked (errcheck)", "failed"),
    ("golangci-lint", "2 issues:\n* errcheck: 2", "failed"),
    ("rubocop", "3 files inspected, 2 offenses detected", "failed"),
    ("rubocop", "3 files inspected, no offenses detected", "passed"),
    ("phpstan", " [OK] No errors", "passed"),
    ("pyright", "0 errors, 0 warnings, 0 informations", "passed"),
    ("pyright", "2 errors, 0 warnings, 0 informations", "failed"),
    ("pre-commit", "ruff.....................................................................Failed\n- hook id: ruff",
     "failed"),
    ("shellcheck", "In a.sh line 3:\necho $x", "failed"),
    # They did not come to their work.
    ("golangci-lint", "Error: can't load config: no version\nThe command is terminated due to an error: the same",
     "error"),
    ("golangci-lint", "Error: unknown linters: 'dead'\nThe command is terminated due to an error: the same\n0 issues.",
     "error"),
    ("eslint", "Oops! Something went wrong! :(\n\nESLint couldn't find an eslint.config.js file.", "error"),
    ("eslint", 'Failed to load plugin "import" declared in ".eslintrc"', "error"),
    ("prettier", '[error] Cannot find package "prettier-plugin-x" imported from /app/noop.js', "error"),
    ("ruff", "ruff failed\n  Cause: Failed to parse /app/pyproject.toml", "error"),
    ("flake8", "There was a critical error during execution of Flake8: plugin code does not match", "error"),
    ("stylelint", "Error: No configuration provided for /app/a.css", "error"),
    ("gofmt", "stat ./cmd/...: no such file or directory", "error"),
    # A place in a file: they did.
    ("eslint", "/app/src/a.ts\n  3:1  error  Unable to resolve path to module './config'  import/no-unresolved",
     "failed"),
    ("black", "error: cannot format src/a.py: Cannot parse: 1:4: x =\n1 file failed to reformat.", "failed"),
    # Words of the project's own code, which the script ran.
    ("npm", "npm error code 1\nError: could not load config: no key", "failed"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "lines", "outcome"), LINT_LINES)
def test_the_words_of_linters(program: str, lines: str, outcome: str) -> None:
    assert read_outcome("lint", program, [], lines + "\n", None) == outcome


def test_the_exit_status_comes_first() -> None:
    assert read_outcome("build", "make", [], "x.c:1:1: error: ignored with -k\n", 0) == "passed"
    assert read_outcome("build", "make", [], "Build complete!\n", 2) == "failed"
    assert read_outcome("build", "make", [], "", 127) == "error"
    assert read_outcome("build", "make", [], "", 124) == "unknown"  # it did not finish
    assert read_outcome("lint", "ruff", [], "ruff failed\n  Cause: bad configuration\n", 2) == "error"


@pytest.mark.parametrize(
    ("command", "outcome"), [("npx next build 2>&1", "passed"), ("npx next build | tail", "failed")]
)
def test_what_is_flagged_as_not_failed_ended_with_0_unless_it_is_behind_a_pipe(command: str, outcome: str) -> None:
    words = "Compiled with warnings\n./a.js\nModule not found: Can't resolve 'x' in 'y'\n"
    session = Session("Build it", states_failure=True).shell(command, words, is_error=False)
    assert [e.outcome for e in extract(session.build()).events if isinstance(e, BuildEvent)] == [outcome]


def test_silence_counts_only_where_failures_are_flagged() -> None:
    assert read_outcome("build", "tsc", ["--noEmit"], "", None, failed_flag=False) == "passed"
    assert read_outcome("build", "tsc", ["--noEmit"], "", None, failed_flag=True) == "failed"
    assert read_outcome("build", "tsc", ["--noEmit"], "", None) == "unknown"


@pytest.mark.parametrize(
    ("line", "proves"),
    rows({
        True: ["go build ./... 2>&1 | head -40", "cd x && go vet ./... 2>&1", "npx tsc --noEmit | tail -5",
             "gcc -Wall -c a.c", "cargo check -q 2>&1 | tail", "gofmt -l ."],
        False: ["cargo check 2>&1 | tail", "go test ./... 2>&1 | head", "go build ./... > build.log 2>&1",
             "go build ./... 2>/dev/null", "go build ./... 2>&1 | grep error", "go build ./... &", "make"],
    }),
)  # fmt: skip
def test_silence_proves_something_where_no_failure_is_silent(line: str, proves: bool) -> None:
    command = next(c for c in parse(line) if c.program != "cd")
    assert silence_proves(command, "\n") is proves
    assert not silence_proves(command, "x")


def test_a_formatter_that_lists_files_has_found_something() -> None:
    assert read_outcome("lint", "gofmt", ["-l", "."], "a.go\npkg/b.go\n", 0) == "failed"
    assert read_outcome("lint", "gofmt", ["-l", "."], "", 0) == "passed"
    assert read_outcome("lint", "gofmt", ["-l", "-w", "."], "a.go\n", 0) == "passed"


def test_a_task_runner_names_the_task_before_each_line() -> None:
    head = "[lint:go] $ golangci-lint run\n[lint:sh] $ shellcheck x\n[lint:sh] Finished in 60ms\n"
    found = head + "[lint:go] 1 issues:\n[lint:go] * unused: 1\nFinished in 3s\n[lint:go] ERROR task failed\n"
    none = head + "[lint:go] 0 issues.\nFinished in 1s\n"
    assert [read_outcome("lint", "mise", ["run", "lint"], t, None) for t in (none, found)] == ["passed", "failed"]


@settings(max_examples=150)
@given(
    st.lists(st.one_of(st.text(max_size=20), st.sampled_from([line for line, _ in BUILD_LINES])), max_size=20).map(
        "\n".join
    ),
    st.sampled_from([None, 0, 1, 2, 124, 126, 127, -9]),
    st.sampled_from([None, True, False]),
)
def test_any_text(text: str, status: int | None, flag: bool | None) -> None:
    for check in ("build", "lint"):
        outcome = read_outcome(check, "tsc", [], text, status, failed_flag=flag)
        assert outcome in ("passed", "failed", "error", "unknown")


@pytest.mark.parametrize(
    ("command", "output", "outcome"),
    [
        ("go build -o /tmp/x ./cmd/x && ./setup.sh", "==> Setting up\nhint: use -f\n", "passed"),
        ("go build -o /tmp/x ./cmd/x && /tmp/x aaa", "Usage:\n  x\n\nError: unknown command: aaa\n", "passed"),
        ("go build -o /tmp/x ./cmd/x && ./setup.sh", "cmd/x/main.go:3:1: undefined: run\n", "failed"),
        ("go build -o /tmp/x ./cmd/y && ./setup.sh", "no required module provides package ./cmd/y\n", "unknown"),
        ("npm run build && ./setup.sh", "==> Setting up\n", "unknown"),
    ],
)
def test_words_of_a_later_command_prove_a_silent_build(command: str, output: str, outcome: str) -> None:
    events = extract(Session("Fix it").shell(command, output, exit_status=1).build()).events
    assert [e.outcome for e in events if isinstance(e, BuildEvent)] == [outcome]
