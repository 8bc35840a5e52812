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


def test_a_script_and_the_compiler_behind_it_are_one_check() -> None:
    bad = "> app@1.0.0 lint:types\n> tsc --noEmit\n\nsrc/a.ts(3,5): error TS2339: Property 'x' does not exist\n"
    session = Session("Fix it").edit("src/a.ts", "a", "b")
    session.shell("npx tsc --noEmit", bad.split("\n\n")[1], exit_status=2)
    session = session.edit("src/a.ts", "b", "c").shell("npm run lint:types", bad.split("\n\n")[0] + "\n", exit_status=0)
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert episode.resolved == "green"


def test_tests_that_pass_do_not_repair_an_error_beside_them() -> None:
    beside = (
        " ✓ test/a.test.ts (3 tests) 5ms\n\n⎯⎯⎯ Unhandled Source Error ⎯⎯⎯\nTypeCheckError: Type instantiation is "
        "excessively deep and possibly infinite.\n ❯ src/a.ts:12:7\n\n Test Files  1 passed (1)\n"
        "      Tests  3 passed (3)\n     Errors  1 error\n   Duration  301ms\n"
    )
    session = Session("Fix it").edit("src/a.ts", "a", "b").shell("npx vitest run", beside, exit_status=1)
    session = session.edit("src/a.ts", "b", "c").shell("npx vitest run", beside, exit_status=1)
    session.edit("src/a.ts", "c", "d").shell("npx vitest run", beside.partition("⎯")[0] + GREEN, exit_status=0)
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert (episode.resolved, episode.attempts, episode.failed_attempts) == ("green", 2, 1)


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


def test_a_module_that_is_not_built_is_a_failure_of_the_environment() -> None:
    missing = (
        "node:internal/modules/esm/resolve:275\n    throw new ERR_MODULE_NOT_FOUND(\n\nError [ERR_MODULE_NOT_FOUND]: "
        "Cannot find module '/app/packages/core/dist/cli.js' imported from /app/packages/core/bin.mjs\n"
    )
    session = Session("Fix it").edit("src/a.ts", "a", "b").shell("npx vitest run a.test.ts", missing, exit_status=1)
    session = session.edit("src/a.ts", "b", "c").shell("npx vitest run a.test.ts", vitest("core", GREEN), exit_status=0)
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert episode.attributed == "environment"


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


def test_the_last_of_a_chain_failed_if_all_before_it_passed() -> None:
    wanted = [("npm run typecheck", "passed"), ("npm run lint", "failed")]
    assert checks("npm run typecheck && npm run lint", TYPES + "\n> app@1.0.0 lint\n> xo\n\nodd words\n", 1) == wanted


def test_a_linter_in_its_own_words_shows_that_what_came_before_it_passed() -> None:
    eslint = "\n/app/src/a.ts\n  3:1  error  Unexpected var  no-var\n\n✖ 1 problem (1 error, 0 warnings)\n"
    wanted = [("npm run compile", "passed"), ("npx eslint src", "failed")]
    assert checks("npm run compile && npx eslint src && npx vitest run", eslint, 1) == wanted
    unformatted = "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file.\n"
    wanted = [("npx eslint .", "passed"), ("npx prettier -c src", "failed")]
    assert checks("npx eslint . && npx prettier -c src", unformatted, 1) == wanted


def test_a_script_of_pnpm_that_reports_no_failure_passed() -> None:
    output = "\n> app@1.0.0 test:types /app\n> cd types && tsc\n\nsrc/a.ts(3,5): error TS2339: no property\n"
    command = "pnpm test:types && pnpm exec tsc -p tests/tsconfig.json"
    assert [outcome for _, outcome in checks(command, output, 2)] == ["passed", "failed"]
    failed = checks(command, output + " ELIFECYCLE  Command failed with exit code 2.\n", 2)
    assert failed == [("pnpm test:types", "failed")]


def test_the_status_of_a_check_that_the_line_prints_is_the_check_s() -> None:
    assert checks("go vet ./...; echo $?", "0\n", 0) == [("go vet ./...", "passed")]
    assert checks('npm run build; echo "exit: $?"', "odd words\nexit: 2\n", 0) == [("npm run build", "failed")]


def test_what_depends_on_a_check_shows_that_it_passed_whatever_comes_after() -> None:
    command = 'go build -o /tmp/app ./cmd && cd /tmp && /tmp/app run 2>&1; echo "exit: $?"'
    assert checks(command, "Missing agent name.\nexit: 1\n", 0) == [("go build -o /tmp/app ./cmd", "passed")]
    broken = "cmd/main.go:3:1: undefined: total\nexit: 1\n"
    assert checks(command, broken, 0) == [("go build -o /tmp/app ./cmd", "failed")]
    tested = "\n> app@1.0.0 test\n> ava\n\n" + AVA
    assert checks("npm run build && npm test; git status", tested, 0)[0] == ("npm run build", "passed")
    # Not what comes after a semicolon: it runs in any case.
    assert checks("npm run build; npm test", tested, 0)[0] == ("npm run build", "unknown")


def test_a_check_behind_a_command_that_complained_was_not_started() -> None:
    missing = "sed: can't read test/a.ts: No such file or directory\n"
    assert checks("sed -n 1,9p test/a.ts && npm run typecheck", missing, 2) == []
    script = (
        "\n> nav@0.1.0 dev /opt/nav\n> tsx cli.ts refs total\n\nno target total\n/opt/nav:\n"
        " ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  nav@0.1.0 dev: `tsx cli.ts refs total`\nExit status 1\n"
    )
    assert checks("nav refs total && npx tsc --noEmit && npm test && npm run lint", script, 1) == []


def test_tests_behind_a_build_that_passed_have_the_status_of_the_line() -> None:
    header = "\n> app@1.0.0 test\n> vitest run --fast\n\nunknown words\n"
    assert checks("npm run build && npm test -- --fast", header, 1)[1:] == [("npm test -- --fast", "error")]


def test_a_tool_that_pnpm_does_not_find_is_not_the_failure_of_the_script_before_it() -> None:
    output = "\n> app@1.0.0 test:types /app\n> cd types && tsc\n\nundefined\n"
    output += '\u2009ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\u2009 Command "vitest" not found\n'
    wanted = [("pnpm test:types", "passed"), ("pnpm exec vitest run test/a.test.ts", "error")]
    assert checks("pnpm test:types && pnpm exec vitest run test/a.test.ts", output, 254) == wanted


def test_a_check_that_could_not_be_done_says_nothing_of_a_failure_that_is_known() -> None:
    session = Session("Fix it").edit("src/a.ts", "a", "b")
    session = session.shell("pnpm tsc", "src/a.ts(3,5): error TS2339: no property\n", exit_status=2)
    session = session.shell("pnpm tsc", " ERROR  This project is configured to use npm\n", exit_status=1)
    session = session.edit("src/a.ts", "b", "c").shell("pnpm tsc")
    found = [e for e in extract(session.build()).events if isinstance(e, EpisodeEvent)]
    assert [(e.attributed, e.resolved, e.attempts) for e in found] == [("own", "green", 1), ("environment", "green", 0)]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npx eslint --max-warnings 0 src",
         "✖ 2 problems (0 errors, 2 warnings)\n\nESLint found too many warnings (maximum: 0).\n"),
        ("golangci-lint run | head -3", "cmd/a.go:15:7: not enough arguments in call to start\n\thave (string)\n"),
        ("deno check mod.ts; true", "error: TS1005 [ERROR]: ';' expected.\n    at file:///app/mod.ts:3:5\n"),
    ],
)  # fmt: skip
def test_linters_and_compilers_in_their_own_words(command: str, output: str) -> None:
    wanted = ["failed"]
    assert [outcome for _, outcome in checks(command, output, 0 if "|" in command or ";" in command else 1)] == wanted


def test_types_keep_deno_from_running_tests() -> None:
    red = "error: TS2322 [ERROR]: Type 'false' is not assignable to type 'true'.\n\nFound 2 errors.\n"
    assert checks("deno fmt src && deno test test/a_test.ts", red, 1) == [("deno test test/a_test.ts", "error")]


def test_a_script_in_a_hidden_directory_is_no_test_of_the_project() -> None:
    assert checks("python .bench_scratch/test_speed.py", "{'median': 0.0038}\n", 0) == []
    assert checks("python tests/test_speed.py", "OK\n", 0) == [("python tests/test_speed.py", "passed")]


def test_tests_of_types_print_nothing_when_they_pass() -> None:
    header = "\n> app@1.0.0 test:types /app\n> tsd types\n\n"
    assert checks("pnpm test:types", header, 0) == [("pnpm test:types", "passed")]
    red = header + "  types/index.test-d.ts:4:7\n  ✖  4:7  Expected an error, but found none.\n\n  1 error\n"
    (run,) = (e for e in evidence("pnpm test:types", red, 1).events if isinstance(e, RunOfTests))
    assert (run.runner, run.outcome, run.failing) == ("tsd", "failed", ["types/index.test-d.ts"])
    whole = "\n> app@1.0.0 test:types /app\n> rimraf lib/* && rollup -c && tsd\n\ncreated lib/a.js in 1s\n"
    assert checks("pnpm test:types && git diff", whole, 0) == [("rollup -c", "passed"), ("pnpm test:types", "passed")]


def test_tests_before_a_linter_do_not_show_that_it_passed() -> None:
    whole = "\n> app@1.0.0 test\n> npm run typecheck && npm run lint && ava\n\n"
    wanted = [("npx ava test/a.ts", "passed"), ("tsc --noEmit", "passed"), ("xo", "failed")]
    assert checks("npx ava test/a.ts && npm test", AVA + whole + TYPES + XO, 1) == wanted


def test_a_library_for_another_interpreter_is_a_failure_of_the_environment() -> None:
    output = (
        " FAIL  test/db.test.ts [ test/db.test.ts ]\nError: The module '/app/node_modules/store/build/store.node'\nwas "
        "compiled against a different Node.js version using\nNODE_MODULE_VERSION 115.\n ❯ test/db.test.ts:4:1\n\n"
        " Test Files  1 failed | 1 passed (2)\n      Tests  3 passed (3)\n"
    )
    session = Session("Fix it").edit("src/a.ts", "a", "b").shell("npx vitest run", output, exit_status=1)
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert episode.attributed == "environment"


def test_two_projects_of_a_compiler_are_not_one_flaky_check() -> None:
    session = Session("Fix it").edit("src/a.ts", "a", "b").shell("npx tsc -p types")
    session = session.shell("npx tsc -p tests", "src/a.ts(3,5): error TS2339: no property\n", exit_status=2)
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert episode.resolved == "unresolved"


def test_a_formatter_may_repair_what_a_linter_found() -> None:
    session = Session("Fix it").edit("src/a.ts", "a", "b")
    session = session.shell(
        "npm run check-format", "[warn] src/a.ts\n[warn] Code style issues found in 1 file.\n", exit_status=1
    )
    session.shell("npm run format-fix").shell("npm run check-format", "All matched files use Prettier code style!\n")
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert (episode.resolved, episode.counts) == ("green", True)


def test_an_update_of_stored_expectations_is_no_repair_of_the_environment() -> None:
    red = "--- FAIL: TestGolden (0.1s)\nFAIL\nFAIL\texample.com/app/api\t0.2s\nFAIL\n"
    session = Session("Fix it").edit("api/a.go", "a", "b").shell("go test ./api -run Golden", red, exit_status=1)
    session = session.shell("go test ./api -run Golden -update-golden", "ok  \texample.com/app/api\t0.2s\n")
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert (episode.resolved, episode.counts) == ("green", True)


def test_a_silent_compiler_behind_a_script_passed() -> None:
    header = "\n> app@1.0.0 check\n> tsc -p tsconfig.json --noEmit\n\n"
    found = extract(Session("Fix it").shell("npm run check", header, exit_status=None).build())
    assert [e.outcome for e in found.events if isinstance(e, BuildEvent)] == ["passed"]


def test_the_wrong_package_manager_is_a_failure_of_the_environment() -> None:
    session = Session("Fix it").edit("src/a.ts", "a", "b")
    session = session.shell(
        "pnpm vitest run test/a.test.ts", " ERROR  This project is configured to use npm\n", exit_status=1
    )
    (episode,) = (e for e in extract(session.build()).events if isinstance(e, EpisodeEvent))
    assert episode.attributed == "environment"


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
