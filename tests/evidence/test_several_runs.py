"""Lines that run several checks: each run is its own, and what ``&&`` did not start leaves no event."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders import Session
from rigorbench.evidence.events import BuildEvent, EditEvent, EpisodeEvent, LintEvent
from rigorbench.evidence.events import TestRunEvent as RunOfTests
from rigorbench.evidence.facts import Evidence
from rigorbench.evidence.walk.extract import extract
from rigorbench.session.registry import read_path
from sources import text_file

VITEST = text_file("several_runs.vitest.txt")
GREEN = " ✓ test/{0}.test.ts (3 tests) 5ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)"
RED = (
    " ❯ test/{0}.test.ts (2 tests | 1 failed) 5ms\n   × {0} > adds 2ms\n\n FAIL  test/{0}.test.ts > {0} > adds\n"
    "AssertionError: expected 2 to be 3\n\n Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)"
)
PYTEST = "..                                   [100%]\n2 passed in 0.02s\n"
PYTEST_RED = (
    "F                                    [100%]\n=========== short test summary info ===========\n"
    "FAILED tests/test_b.py::test_b - assert 1 == 2\n1 failed in 0.03s\n"
)


def vitest(name: str, body: str) -> str:
    return VITEST.format(name=name, body=body.format(name))


def runs(evidence: Evidence) -> list[tuple[str, str]]:
    return [(e.command, e.outcome) for e in evidence.events if isinstance(e, RunOfTests)]


def evidence(command: str, output: str, status: int | None) -> Evidence:
    return extract(Session("Fix it").shell(command, output, exit_status=status).build())


BOTH = "pnpm --filter core test && pnpm --filter web test"
FIRST, SECOND = BOTH.split(" && ")


@pytest.mark.parametrize(
    ("output", "status", "wanted"),
    [
        (vitest("core", GREEN) + vitest("web", GREEN), 0, [(FIRST, "passed"), (SECOND, "passed")]),
        (vitest("core", GREEN) + vitest("web", RED), 1, [(FIRST, "passed"), (SECOND, "failed")]),
        (vitest("core", RED) + " ELIFECYCLE  Test failed.\n", 1, [(FIRST, "failed")]),
    ],
    ids=["green", "second-red", "second-not-started"],
)
def test_package_scripts_in_a_chain_are_told_apart(output: str, status: int, wanted: list[tuple[str, str]]) -> None:
    found = evidence(BOTH, output, status)
    assert runs(found) == wanted


def test_each_run_has_its_own_counts_and_ids() -> None:
    found = evidence(BOTH, vitest("core", GREEN) + vitest("web", RED), 1)
    one, other = (e for e in found.events if isinstance(e, RunOfTests))
    assert (one.passed, one.failed, one.failing) == (3, 0, [])
    assert (other.passed, other.failed, other.failing) == (1, 1, ["test/web.test.ts > web > adds"])


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest tests/test_a.py; pytest tests/test_b.py", PYTEST + PYTEST_RED),
        ("pytest tests/test_a.py; echo '== b'; pytest tests/test_b.py", PYTEST + "== b\n" + PYTEST_RED),
    ],
    ids=["closing-line", "echo"],
)
def test_runs_after_each_other_are_told_apart(command: str, output: str) -> None:
    assert [outcome for _, outcome in runs(evidence(command, output, 1))] == ["passed", "failed"]


def test_a_filter_leaves_counts_by_which_runs_of_node_are_told_apart() -> None:
    counts = "not ok 2 - ends\n# pass 3\n# fail 2\n# pass 18\n# fail 0\n"
    command = "node --test a.test.js | grep -E '^not ok|^# [pf]a'\nsed -i s/a/b/ a.js\nnode --test | grep -E '^# [pf]a'"
    first, last = (e for e in evidence(command, counts, 0).events if isinstance(e, RunOfTests))
    assert [(e.outcome, e.passed, e.failed) for e in (first, last)] == [("failed", 3, 2), ("passed", 18, 0)]


def test_go_runs_are_told_apart_by_package() -> None:
    command = "go test ./store && go test ./api -run TestList"
    ok, red = (
        "ok  \texample.com/app/store\t0.2s\n",
        "--- FAIL: TestList (0.00s)\nFAIL\nFAIL\texample.com/app/api\t0.1s\n",
    )
    assert [o for _, o in runs(evidence(command, ok + red + "FAIL\n", 1))] == ["passed", "failed"]
    stopped = red.replace("/api", "/store") + "FAIL\n"
    assert [o for _, o in runs(evidence(command, stopped, 1))] == ["failed"]


def test_a_green_chain_that_cannot_be_told_apart_passed_each_time() -> None:
    green = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    found = evidence("cargo test -p a && cargo test -p b", green * 2, 0)
    assert runs(found) == [("cargo test -p a", "passed"), ("cargo test -p b", "passed")]
    assert all(e.passed is None for e in found.events if isinstance(e, RunOfTests))


def test_what_follows_a_failure_in_a_chain_was_not_started() -> None:
    assert runs(evidence("make verify && make test | tail", PYTEST, None)) == [("make verify ; make test", "passed")]
    lint = "\n/app/src/a.ts\n  3:1  error  Unexpected var  no-var\n\n✖ 1 problem (1 error, 0 warnings)\n"
    session = Session("Fix it")
    session.shell("npx eslint src && npx tsc --noEmit && sed -i s/a/b/ src/a.ts && npx vitest run", lint, exit_status=1)
    found = extract(session.build())
    checks = [e for e in found.events if isinstance(e, LintEvent | BuildEvent | RunOfTests | EditEvent)]
    assert [(e.command, e.outcome) for e in checks if not isinstance(e, EditEvent)] == [("npx eslint src", "failed")]
    assert len(checks) == 1


GO_RED = (
    "# example.com/app/cmd\ncmd/main.go:9:2: undefined: maps\nFAIL\texample.com/app/cmd [build failed]\n"
    "--- FAIL: TestRoutes (0.10s)\n    api_test.go:7: missing route\nFAIL\nFAIL\texample.com/app/api\t0.2s\nFAIL\n"
)


def test_a_package_that_does_not_compile_fails_beside_others_whose_tests_do() -> None:
    (run,) = (e for e in evidence("go test ./cmd ./api", GO_RED, 1).events if isinstance(e, RunOfTests))
    assert run.failing == ["example.com/app/api.TestRoutes", "example.com/app/cmd"]
    assert run.failed == 1


def test_the_runners_words_are_no_text_of_a_file_that_the_log_lost() -> None:
    found = evidence("sed -n '1,40p' cmd/main.go && go test ./cmd ./api", GO_RED, 1)
    (run,) = (e for e in found.events if isinstance(e, RunOfTests))
    assert "example.com/app/api.TestRoutes" in run.failing


def test_long_lines_do_not_hide_the_failures_between_them() -> None:
    dump = "    actual: " + "x" * 120_000 + "\n"
    output = (
        f"--- FAIL: TestA (0.1s)\n{dump}--- FAIL: TestB (0.1s)\n{dump}FAIL\nFAIL\texample.com/app/api\t0.2s\nFAIL\n"
    )
    (run,) = (e for e in evidence("go test ./api", output, 1).events if isinstance(e, RunOfTests))
    assert run.failing == ["example.com/app/api.TestA", "example.com/app/api.TestB"]


def test_a_command_of_a_stream_that_never_completed_is_a_run_of_unknown_outcome(tmp_path: Path) -> None:
    def item(kind: str, number: int, command: str, **more: object) -> dict[str, object]:
        return {"type": kind, "item": {"id": f"item_{number}", "type": "command_execution", "command": command, **more}}

    done = {"aggregated_output": "ok\n", "exit_code": 0, "status": "completed"}
    lines = [
        {"type": "thread.started", "thread_id": "t1"},
        {"type": "turn.started"},
        item("item.started", 1, "bash -lc 'go build ./... && go test ./...'"),
        item("item.started", 2, "bash -lc 'git status --short'"),
        item("item.completed", 2, "bash -lc 'git status --short'", **done),
    ]
    path = tmp_path / "codex.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (trajectory,) = read_path(path)
    found = extract(trajectory)
    checks = [e for e in found.events if isinstance(e, BuildEvent | RunOfTests)]
    assert [(e.command, e.outcome) for e in checks] == [("go build ./...", "unknown"), ("go test ./...", "unknown")]


TYPES = "\n> app@1.0.0 typecheck\n> tsc --noEmit\n\n"
XO = "\n> app@1.0.0 lint\n> xo\n\n\n  src/a.ts:3:1\n  ✖  3:1  Unexpected var.  no-var\n\n  1 warning\n  1 error\n\n"
AVA = "\n  ✔ adds\n  ✔ subtracts\n  ─\n\n  2 tests passed\n"


def checks(command: str, output: str, status: int) -> list[tuple[str, str]]:
    found = evidence(command, output, status).events
    return [(e.command, e.outcome) for e in found if isinstance(e, LintEvent | BuildEvent | RunOfTests)]


ESLINT = "\n/app/src/a.ts\n  3:1  error  Unexpected var  no-var\n\n✖ 1 problem (1 error, 0 warnings)\n"
UNFORMATTED = "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file.\n"
NO_PROPERTY = "\n> app@1.0.0 test:types /app\n> cd types && tsc\n\nsrc/a.ts(3,5): error TS2339: no property\n"
BUILD = 'go build -o /tmp/app ./cmd && cd /tmp && /tmp/app run 2>&1; echo "exit: $?"'
TESTED = "\n> app@1.0.0 test\n> ava\n\n" + AVA
TYPED = "pnpm test:types && pnpm exec tsc -p tests/tsconfig.json"
TSD = "\n> app@1.0.0 test:types /app\n> tsd types\n\n"
ROLLUP = "\n> app@1.0.0 test:types /app\n> rimraf lib/* && rollup -c && tsd\n\ncreated lib/a.js in 1s\n"
NO_TARGET = (
    "\n> nav@0.1.0 dev /opt/nav\n> tsx cli.ts refs total\n\nno target total\n/opt/nav:\n"
    " ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  nav@0.1.0 dev: `tsx cli.ts refs total`\nExit status 1\n"
)
NOT_FOUND = '\u2009ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\u2009 Command "vitest" not found\n'
NOT_ASSIGNABLE = "error: TS2322 [ERROR]: Type 'false' is not assignable to type 'true'.\n\nFound 2 errors.\n"
WHOLE = "\n> app@1.0.0 test\n> npm run typecheck && npm run lint && ava\n\n"


@pytest.mark.parametrize(
    ("command", "output", "status", "wanted"),
    [
        # The last of a chain failed if all before it passed; a linter's own words show as much.
        ("npm run typecheck && npm run lint", TYPES + "\n> app@1.0.0 lint\n> xo\n\nodd words\n", 1,
         [("npm run typecheck", "passed"), ("npm run lint", "failed")]),
        ("npm run compile && npx eslint src && npx vitest run", ESLINT, 1,
         [("npm run compile", "passed"), ("npx eslint src", "failed")]),
        ("npx eslint . && npx prettier -c src", UNFORMATTED, 1,
         [("npx eslint .", "passed"), ("npx prettier -c src", "failed")]),
        # A script of pnpm that reports no failure passed.
        (TYPED, NO_PROPERTY, 2, [("pnpm test:types", "passed"), (TYPED.split(" && ")[1], "failed")]),
        (TYPED, NO_PROPERTY + " ELIFECYCLE  Command failed with exit code 2.\n", 2, [("pnpm test:types", "failed")]),
        # The status of a check that the line prints is the check's.
        ("go vet ./...; echo $?", "0\n", 0, [("go vet ./...", "passed")]),
        ('npm run build; echo "exit: $?"', "odd words\nexit: 2\n", 0, [("npm run build", "failed")]),
        # What depends on a check shows that it passed, whatever comes after; not so what follows a semicolon.
        (BUILD, "Missing agent name.\nexit: 1\n", 0, [("go build -o /tmp/app ./cmd", "passed")]),
        (BUILD, "cmd/main.go:3:1: undefined: total\nexit: 1\n", 0, [("go build -o /tmp/app ./cmd", "failed")]),
        ("npm run build && npm test; git status", TESTED, 0, [("npm run build", "passed"), ("npm test", "passed")]),
        ("npm run build; npm test", TESTED, 0, [("npm run build", "unknown"), ("npm test", "passed")]),
        # A check behind a command that complained was not started.
        ("sed -n 1,9p test/a.ts && npm run typecheck", "sed: can't read test/a.ts: No such file or directory\n", 2, []),
        ("nav refs total && npx tsc --noEmit && npm test && npm run lint", NO_TARGET, 1, []),
        # A tool that pnpm does not find is not the failure of the script before it.
        ("pnpm test:types && pnpm exec vitest run test/a.test.ts",
         "\n> app@1.0.0 test:types /app\n> cd types && tsc\n\nundefined\n" + NOT_FOUND, 254,
         [("pnpm test:types", "passed"), ("pnpm exec vitest run test/a.test.ts", "error")]),
        ("deno fmt src && deno test test/a_test.ts", NOT_ASSIGNABLE, 1, [("deno test test/a_test.ts", "error")]),
        # A script in a hidden directory is no test of the project.
        ("python .bench_scratch/test_speed.py", "{'median': 0.0038}\n", 0, []),
        ("python tests/test_speed.py", "OK\n", 0, [("python tests/test_speed.py", "passed")]),
        # Tests of types, and a compiler behind a script, print nothing when they pass.
        ("pnpm test:types", TSD, 0, [("pnpm test:types", "passed")]),
        ("pnpm test:types && git diff", ROLLUP, 0, [("rollup -c", "passed"), ("pnpm test:types", "passed")]),
        ("npm run check", "\n> app@1.0.0 check\n> tsc -p tsconfig.json --noEmit\n\n", None,
         [("npm run check", "passed")]),
        # Tests before a linter do not show that it passed.
        ("npx ava test/a.ts && npm test", AVA + WHOLE + TYPES + XO, 1,
         [("npx ava test/a.ts", "passed"), ("tsc --noEmit", "passed"), ("xo", "failed")]),
        ("npx eslint --max-warnings 0 src",
         "✖ 2 problems (0 errors, 2 warnings)\n\nESLint found too many warnings (maximum: 0).\n", 1,
         [("npx eslint --max-warnings 0 src", "failed")]),
        ("golangci-lint run | head -3", "cmd/a.go:15:7: not enough arguments in call to start\n\thave (string)\n", 0,
         [("golangci-lint run", "failed")]),
        ("deno check mod.ts; true", "error: TS1005 [ERROR]: ';' expected.\n    at file:///app/mod.ts:3:5\n", 0,
         [("deno check mod.ts", "failed")]),
    ],
)  # fmt: skip
def test_checks_of_a_line(command: str, output: str, status: int | None, wanted: list[tuple[str, str]]) -> None:
    assert checks(command, output, status) == wanted


def test_tests_behind_a_build_that_passed_have_the_status_of_the_line() -> None:
    header = "\n> app@1.0.0 test\n> vitest run --fast\n\nunknown words\n"
    assert checks("npm run build && npm test -- --fast", header, 1)[1:] == [("npm test -- --fast", "error")]


def test_failing_tests_of_types_are_named_by_their_file() -> None:
    red = TSD + "  types/index.test-d.ts:4:7\n  ✖  4:7  Expected an error, but found none.\n\n  1 error\n"
    (run,) = (e for e in evidence("pnpm test:types", red, 1).events if isinstance(e, RunOfTests))
    assert (run.runner, run.outcome, run.failing) == ("tsd", "failed", ["types/index.test-d.ts"])


def edited(path: str = "src/a.ts") -> Session:
    return Session("Fix it").change(path)


TSC = "src/a.ts(3,5): error TS2339: no property\n"
NPM = " ERROR  This project is configured to use npm\n"
LINT_TYPES = "> app@1.0.0 lint:types\n> tsc --noEmit\n"
BESIDE = (
    " ✓ test/a.test.ts (3 tests) 5ms\n\n⎯⎯⎯ Unhandled Source Error ⎯⎯⎯\nTypeCheckError: Type instantiation is "
    "excessively deep and possibly infinite.\n ❯ src/a.ts:12:7\n\n Test Files  1 passed (1)\n"
    "      Tests  3 passed (3)\n     Errors  1 error\n   Duration  301ms\n"
)
NOT_BUILT = (
    "node:internal/modules/esm/resolve:275\n    throw new ERR_MODULE_NOT_FOUND(\n\nError [ERR_MODULE_NOT_FOUND]: "
    "Cannot find module '/app/packages/core/dist/cli.js' imported from /app/packages/core/bin.mjs\n"
)
COMPILED = (
    " FAIL  test/db.test.ts [ test/db.test.ts ]\nError: The module '/app/node_modules/store/build/store.node'\nwas "
    "compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.\n ❯ test/db.test.ts:4:1\n\n"
    " Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)\n"
)
GOLDEN = "--- FAIL: TestGolden (0.1s)\nFAIL\nFAIL\texample.com/app/api\t0.2s\nFAIL\n"
# A session, and of each episode: whose it is, how it ended, its attempts and those that failed.
EPISODES: dict[str, tuple[Session, list[str]]] = {
    "a script and the compiler behind it are one check":
        (edited().fails("npx tsc --noEmit", TSC, 2).change("src/a.ts").shell("npm run lint:types", LINT_TYPES),
         ["own green 1 0"]),
    "tests that pass do not repair an error beside them":
        (edited().fails("npx vitest run", BESIDE).change("src/a.ts").fails("npx vitest run", BESIDE).change("src/a.ts")
         .shell("npx vitest run", BESIDE.partition("⎯")[0] + GREEN), ["own green 2 1"]),
    "a module that is not built is a failure of the environment":
        (edited().fails("npx vitest run a.test.ts", NOT_BUILT).change("src/a.ts")
         .shell("npx vitest run a.test.ts", vitest("core", GREEN)), ["environment green 0 0"]),
    "a check that could not be done says nothing of a failure that is known":
        (edited().fails("pnpm tsc", TSC, 2).fails("pnpm tsc", NPM).change("src/a.ts").shell("pnpm tsc"),
         ["own green 1 0", "environment green 0 0"]),
    "a library for another interpreter is a failure of the environment":
        (edited().fails("npx vitest run", COMPILED), ["environment unresolved 0 0"]),
    "two projects of a compiler are not one flaky check":
        (edited().shell("npx tsc -p types").fails("npx tsc -p tests", TSC, 2), ["own unresolved 0 0"]),
    "a formatter may repair what a linter found":
        (edited().fails("npm run check-format", "[warn] src/a.ts\n[warn] Code style issues found in 1 file.\n")
         .shell("npm run format-fix")
         .shell("npm run check-format", "All matched files use Prettier code style!\n"), ["own green 0 0"]),
    "an update of stored expectations is no repair of the environment":
        (edited("api/a.go").fails("go test ./api -run Golden", GOLDEN)
         .shell("go test ./api -run Golden -update-golden", "ok  \texample.com/app/api\t0.2s\n"), ["None green 0 0"]),
    "the wrong package manager is a failure of the environment":
        (edited().fails("pnpm vitest run test/a.test.ts", NPM), ["environment unresolved 0 0"]),
}  # fmt: skip


@pytest.mark.parametrize("name", EPISODES)
def test_episodes_of_checks(name: str) -> None:
    session, wanted = EPISODES[name]
    found = [e for e in extract(session.build()).events if isinstance(e, EpisodeEvent)]
    assert [f"{e.attributed} {e.resolved} {e.attempts} {e.failed_attempts}" for e in found] == wanted
    assert [e.counts for e in found] == [e.attributed != "environment" for e in found]


def test_the_echo_of_one_yarn_script_is_not_that_of_another() -> None:
    echo = "Done in 0.09s.\nyarn run v1.22.22\n$ jest\n"
    output = echo + "PASS test/a.test.ts\nTests:       3 passed, 3 total\nTime:        2 s\n"
    assert runs(evidence("yarn grammar && yarn jest", output, 0)) == [("yarn jest", "passed")]


def test_an_edit_between_two_runs_of_one_call_keeps_them_apart() -> None:
    """The output has the summary of the last run alone, and the first saw another tree."""
    write = "sed -i 's/1/2/' src/a.py"
    line = f"pytest tests/test_a.py >/tmp/a.log; {write}; pytest -q"
    kinds = [type(e).__name__ for e in evidence(line, PYTEST, 0).events]
    assert kinds == ["TestRunEvent", "EditEvent", "TestRunEvent"]
    wanted = [("pytest tests/test_a.py >/tmp/a.log", "unknown"), ("pytest -q", "passed")]
    assert runs(evidence(line, PYTEST, 0)) == wanted
    again = f"pytest -q | tail -1; {write}; pytest -q | tail -1"
    assert [outcome for _, outcome in runs(evidence(again, PYTEST, 0))] == ["unknown", "passed"]
    together = line.replace(f"{write}; ", "")
    assert [outcome for _, outcome in runs(evidence(together, PYTEST, 0))] == ["passed"]


def test_a_windows_project_is_where_a_git_shell_goes() -> None:
    trajectory = Session("Fix it").shell("cd /c/work/app/api && npx hardhat test", "  3 passing (2s)\n").build()
    trajectory.cwd = "c:\\work\\app"
    assert runs(extract(trajectory)) == [("npx hardhat test", "passed")]
