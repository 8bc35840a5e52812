"""What runs behind a script or target is read from the echo or the manifest, not from its name."""

from __future__ import annotations

import json

import pytest

from builders import Session
from rigorbench.api import extract
from rigorbench.evidence.events import BuildEvent, LintEvent
from rigorbench.evidence.events import TestRunEvent as Run

VITEST = "\n Test Files  1 passed (1)\n      Tests  5 passed (5)\n   Duration  1.0s\n"
JEST = "PASS src/a.test.js\n\nTests:       5 passed, 5 total\nTime:        1.0 s\n"
TYPE_ERROR = "src/a.ts(1,2): error TS2339: Property 'x' does not exist on type 'A'.\n"
LINT_ERROR = "\n/app/a.js\n  1:2  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n"


def checks(session: Session) -> list[tuple[str, str]]:
    kinds = {Run: "test", BuildEvent: "build", LintEvent: "lint"}
    return [(kinds[type(e)], getattr(e, "outcome", "")) for e in extract(session.build()).events if type(e) in kinds]


def package(**scripts: str) -> str:
    return json.dumps({"name": "app", "scripts": scripts, "devDependencies": {"types": "^1"}}, indent=2)


@pytest.mark.parametrize("script", ["test-type", "test-contracts", "test"])
def test_the_echoed_command_decides(script: str) -> None:
    session = Session("Fix it").shell(f"npm run {script}", f"\n> app@1.0.0 {script}\n> tsc --noEmit\n\n", exit_status=0)
    assert checks(session) == [("build", "passed")]


def test_an_echo_is_remembered() -> None:
    session = Session("Fix it").shell("npm run test-a", "\n> app@1.0.0 test-a\n> tsc --noEmit\n\n", exit_status=0)
    session.shell("npm run test-a --silent", TYPE_ERROR, exit_status=2)
    assert checks(session) == [("build", "passed"), ("build", "failed")]


@pytest.mark.parametrize("call", ["npm test -- -t 'adds up' --no-coverage", "pnpm test -t 'adds up' --no-coverage"])
def test_what_a_call_added_to_a_script_is_not_remembered(call: str) -> None:
    session = Session("Fix it")
    session.shell(call, "\n> app@1.0.0 test\n> jest -t adds up --no-coverage\n\n" + JEST, exit_status=0)
    session.shell("npm test --silent", JEST, exit_status=0)
    evidence = extract(session.build())
    assert [evidence.checks[e.id].targets for e in evidence.events if isinstance(e, Run)] == [("adds up",), ()]


@pytest.mark.parametrize("numbered", [False, True])
def test_the_manifest_decides(numbered: bool) -> None:
    text = package(**{"test-shape": "prettier --check ."})
    if numbered:
        text = "\n".join(f"{n:6}→{line}" for n, line in enumerate(text.split("\n"), 1))
    session = Session("Fix it").read("package.json", text)
    session.shell("npm run test-shape -s", "All matched files use Prettier code style!\n", exit_status=0)
    assert checks(session) == [("lint", "passed")]


def test_a_manifest_that_was_edited_counts_as_it_is_now() -> None:
    session = Session("Fix it").read("package.json", package(probe="tsc"))
    session.write("package.json", package(probe="vitest run")).shell("npm run probe -s", VITEST, exit_status=0)
    assert checks(session) == [("test", "passed")]


def test_a_lint_failure_before_the_tests_is_not_lost() -> None:
    session = Session("Fix it").read("package.json", package(test="eslint . && vitest run"))
    session.shell("npm test --silent", LINT_ERROR, exit_status=1)
    assert checks(session) == [("lint", "failed")]  # the tests were not started


def test_checks_in_a_script_that_calls_others() -> None:
    scripts = package(test="npm run shape && npm run unit", shape="eslint .", unit="vitest run")
    session = Session("Fix it").read("package.json", scripts).shell("npm test --silent", VITEST, exit_status=0)
    assert checks(session) == [("lint", "passed"), ("test", "passed")]


def test_a_makefile_shows_what_its_target_does() -> None:
    makefile = "test-style:\n\truff check .\n\nunit:\n\tpytest -q\n"
    session = Session("Fix it").shell("cat Makefile", makefile, exit_status=0)
    session.shell("make -s test-style", "All checks passed!\n", exit_status=0)
    assert checks(session) == [("lint", "passed")]


def test_a_script_of_unknown_make_goes_by_its_name() -> None:
    assert checks(Session("Fix it").shell("npm run test:unit", VITEST, exit_status=0)) == [("test", "passed")]
    assert checks(Session("Fix it").shell("npm run test-format", "", exit_status=0)) == [("lint", "passed")]


@pytest.mark.parametrize(
    "output", ["sed: can't read src/a.ts: No such file or directory\n", "bash: line 1: sed: command not found\n"]
)
def test_tests_behind_a_command_that_failed_were_not_started(output: str) -> None:
    session = Session("Fix it").shell("sed -n 1,20p src/a.ts && npm test", output, exit_status=2)
    assert checks(session) == []


def test_the_status_of_a_chain_is_that_of_its_tests_when_nothing_else_complained() -> None:
    output = "const a = 1;\ngo: -mod may only be set to readonly or vendor when in workspace mode\n"
    session = Session("Fix it").shell("sed -n 1,1p a.ts && go test ./...", output, exit_status=1)
    assert checks(session) == [("test", "error")]


def test_a_build_that_failed_before_the_tests_behind_a_pipe() -> None:
    session = Session("Fix it").read("package.json", package(test="tsc --noEmit && ava"))
    session.shell("npm test 2>&1 | tail -20", TYPE_ERROR, exit_status=0)
    assert checks(session) == [("build", "failed")]


def test_a_monorepo_runs_tests_if_one_of_its_targets_does() -> None:
    session = Session("Fix it").shell("nx affected --targets=test:eslint,test:lib,build", VITEST, exit_status=0)
    assert checks(session) == [("test", "passed")]
