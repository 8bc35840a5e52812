"""Test runs from the log to the event: each runner as a user types it, with what it really printed.

Every case is a Claude Code session of its own with one shell call; all are read by one `rigor events --json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rigorbench.api import extract, read
from rigorbench.evidence import events

SAMPLES = Path(__file__).parents[1] / "data" / "runner-output"
INDEX: dict[str, dict[str, Any]] = json.loads((SAMPLES / "index.json").read_text())
CWD = "/home/dev/shop"

# The sample of a failing and of a passing run, and the ways in which people start that runner.
RUNNERS: list[tuple[str, str | None, list[str]]] = [
    ("pytest/mixed-q", "pytest/pass-q",
     ["pytest -q", "uv run pytest -q", "poetry run python -m pytest -q pkg", "make test"]),
    ("pytest/mixed-xdist", "pytest/pass",
     [".venv/bin/python -m pytest -n 2", "hatch run pytest", "coverage run -m pytest"]),
    ("unittest/mixed", "unittest/pass",
     ["python3 -m unittest -v", "python -m unittest discover -s tests", "make check"]),
    ("jest/mixed", "jest/pass",
     ["npx jest", "npm test", "yarn test", "pnpm run test:unit", "CI=1 npm run test -- --ci"]),
    ("vitest/mixed", "vitest/pass", ["npx vitest run", "npm run test", "pnpm vitest run", "bunx vitest run"]),
    ("mocha/mixed", "mocha/pass", ["npx mocha", "npm test", "yarn mocha test/"]),
    ("node-test/mixed-spec", "node-test/pass", ["node --test", "npm test", "node --import tsx --test"]),
    ("go-test/mixed", "go-test/pass", ["go test ./...", "make test", "go test -race -count=1 ./..."]),
    ("gotestsum/mixed", "gotestsum/pass",
     ["gotestsum ./...", "gotestsum --format testname -- -race ./...", "just test"]),
    ("cargo-test/mixed", "cargo-test/pass", ["cargo test", "cargo test --workspace", "just test"]),
    ("cargo-nextest/written-mixed", "cargo-nextest/written-pass",
     ["cargo nextest run", "cargo nextest run --workspace"]),
    ("ctest/mixed", "ctest/pass", ["ctest --test-dir build", "cd build && ctest", "cmake --build build --target test"]),
    ("gtest/mixed", "gtest/pass", ["./build/unit_tests", "build/tests/calc_test --gtest_brief=0", "make check"]),
    ("maven/mixed", "maven/pass", ["mvn test", "./mvnw -B verify", "mvn -pl core -am test"]),
    ("gradle/mixed", "gradle/up-to-date",
     ["./gradlew test", "gradle :app:check", "./gradlew clean test --console=plain"]),
    ("rspec/mixed", "rspec/pass", ["bundle exec rspec", "bin/rspec", "bundle exec rake spec"]),
    ("phpunit/mixed", "phpunit/pass", ["vendor/bin/phpunit", "php vendor/bin/phpunit tests", "composer test"]),
    ("dotnet-test/written-mixed", None, ["dotnet test", "dotnet test --no-build Calc.sln"]),
    ("bats/mixed-pretty", "bats/pass", ["bats test.bats", "bats -r test/", "make test"]),
    ("playwright/mixed", "playwright/pass", ["npx playwright test", "npm run e2e", "pnpm exec playwright test"]),
    ("minitest/mixed", "minitest/pass", ["bin/rails test", "ruby -Itest test/calc_test.rb", "bundle exec rake test"]),
    ("deno-test/mixed", None, ["deno test -A", "deno task test"]),
    ("bun-test/mixed", "bun-test/pass", ["bun test", "bun run test"]),
    ("tap/prove", "tap/prove-pass", ["prove -r t", "make test"]),
]  # fmt: skip
# Runs of which not one test was executed, and how they were started.
NEVER: list[tuple[str, str]] = [
    ("pytest/collection-error", "python -m pytest bad/test_imp.py"),
    ("pytest/no-tests", "pytest pkg/calc.py"),
    ("pytest/command-not-found", "pytest -q"),
    ("unittest/import-error", "python -m unittest bad.test_nope"),
    ("jest/no-tests", "npx jest nosuchthing"),
    ("jest/written-not-installed", "npx jest"),
    ("vitest/broken", "npx vitest run broken"),
    ("mocha/broken", "npx mocha m/broken.js"),
    ("go-test/broken", "go test ./broken"),
    ("go-test/no-test-files", "go test ./none"),
    ("cargo-test/broken", "cargo test"),
    ("cargo-test/filtered-out", "cargo test nosuchtest"),
    ("cargo-nextest/written-none", "cargo nextest run nosuch"),
    ("ctest/none", "ctest -R nope"),
    ("gtest/none", "./unit_tests --gtest_filter=Nope"),
    ("maven/broken", "mvn test"),
    ("maven/none", "mvn test -Dtest=Nope"),
    ("gradle/broken", "./gradlew test"),
    ("rspec/broken", "bundle exec rspec spec/broken_spec.rb"),
    ("phpunit/none", "vendor/bin/phpunit --filter nope"),
    ("dotnet-test/written-broken", "dotnet test"),
    ("bats/no-file", "bats nosuch.bats"),
    ("playwright/none", "npx playwright test nosuch"),
    ("npm/no-script", "npm test"),
]
# npm has no runner to name when it finds no script.
NAMED = {"npm/no-script": "npm-script"}


class Case(NamedTuple):
    """One session: how the command was typed, what came out, and what the event must say.

    It says what the index says of ``sample``; of a ``cut`` output only runner and outcome are known.
    """

    sample: str
    records: list[dict[str, Any]]
    outcome: str
    cut: bool


def output_of(sample: str) -> str:
    return (SAMPLES / f"{sample}.txt").read_text(errors="replace")


def message(role: str, content: object, **rest: Any) -> dict[str, Any]:
    inner = {"role": role, "content": content, **({"id": "m", "model": "claude"} if role == "assistant" else {})}
    return {"type": role, "message": inner, **rest}


def called(name: str, key: str, **arguments: Any) -> dict[str, Any]:
    return message("assistant", [{"type": "tool_use", "id": key, "name": name, "input": arguments}])


def answered(key: str, text: str, outcome: object, *, error: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": key, "content": text, "is_error": error}
    return message("user", [block], toolUseResult=outcome)


def ran(command: str, output: str, status: int) -> list[dict[str, Any]]:
    """A shell call as Claude Code writes it: the exit status stands only before the output of a failed command."""
    if status:
        text = f"Exit code {status}\n{output}"
        return [called("Bash", "t1", command=command), answered("t1", text, f"Error: {text}", error=True)]
    outcome = {"stdout": output.rstrip("\n"), "stderr": "", "interrupted": False}
    return [called("Bash", "t1", command=command), answered("t1", output.rstrip("\n"), outcome)]


def in_background(command: str, output: str, status: int) -> list[dict[str, Any]]:
    """Started, looked at while it still runs, and read when it has ended."""
    started = "Command running in background with ID: bash_7"
    running = "<status>running</status>\n\n<timestamp>2026-01-01T00:00:01Z</timestamp>"
    ended = f"<status>{'failed' if status else 'completed'}</status>\n\n<exit_code>{status}</exit_code>\n\n"
    ended += f"<stdout>\n{output}</stdout>"
    return [
        called("Bash", "t1", command=command, run_in_background=True),
        answered("t1", started, {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "bash_7"}),
        called("BashOutput", "t2", bash_id="bash_7"),
        answered("t2", running, {"shellId": "bash_7", "status": "running", "stdout": "", "stderr": ""}),
        called("BashOutput", "t3", bash_id="bash_7"),
        answered("t3", ended, {"shellId": "bash_7", "exitCode": status, "stdout": output, "stderr": ""}),
    ]  # fmt: skip


def into_a_file(command: str, output: str, status: int) -> list[dict[str, Any]]:
    read = {"stdout": output, "stderr": "", "interrupted": False}
    return [
        *ran(f"{command} > /tmp/out.log 2>&1", "", status),
        called("Bash", "t2", command="cat /tmp/out.log"),
        answered("t2", output, read),
    ]


Wrapped = Callable[[str, str, int], list[dict[str, Any]]]
# The status of these is the runner's own.
WITH_STATUS: dict[str, Wrapped] = {
    "plain": ran,
    "timeout": lambda c, o, s: ran(f"timeout 60 {c}", o, s),
    "docker compose exec": lambda c, o, s: ran(f"docker compose exec -T web {c}", o, s),
    "kubectl exec": lambda c, o, s: ran(f"kubectl exec -n dev web-0 -- {c}", o, s),
    "another directory": lambda c, o, s: ran(f"cd {CWD} && {c} 2>&1", o, s),
    "bash -lc": lambda c, o, s: ran(f'bash -lc "{c}"', o, s),
    "time": lambda c, o, s: ran(f"time {c}", f"{o}\nreal\t0m3.210s\nuser\t0m2.900s\nsys\t0m0.300s\n", s),
    "pipefail": lambda c, o, s: ran(f"set -o pipefail; {c} 2>&1 | tee test.log", o, s),
    "printed status": lambda c, o, s: ran(f'{c}; echo "exit: $?"', f"{o.rstrip()}\nexit: {s}\n", 0),
    "background": in_background,
}
# Only the output speaks.
WITHOUT_STATUS: dict[str, Wrapped] = {
    "tail": lambda c, o, s: ran(f"{c} 2>&1 | tail -400", o, 0),
    "true": lambda c, o, s: ran(f"{c} || true", o, 0),
    "docker and true": lambda c, o, s: ran(f"docker compose exec -T web {c} || true", o, 0),
    "then": lambda c, o, s: ran(f"{c}; git status --short", f"{o}\n M src/a\n", 0),
    "prefixed": lambda c, o, s: ran(
        f"docker compose run --rm web {c} 2>&1 | cat", "".join(f"web-1  | {row}\n" for row in o.rstrip().split("\n")), 0
    ),
    "file": into_a_file,
}


def last_lines(command: str, output: str, status: int) -> list[dict[str, Any]]:
    return ran(f"{command} 2>&1 | tail -20", "\n".join(output.rstrip("\n").split("\n")[-20:]) + "\n", 0)


def cases() -> dict[str, Case]:
    found: dict[str, Case] = {}

    def add(name: str, sample: str, command: str, wrap: Wrapped, *, stated: bool, cut: bool = False) -> None:
        want, output = INDEX[sample], output_of(sample)
        outcome = want["outcome"] if stated else want["outcome_without_status"]
        records = wrap(command, output, want["exit_status"] or 0)
        found[f"{name} | {command} | {sample}"] = Case(sample, records, outcome, cut)

    for failing, passing, commands in RUNNERS:
        for sample in filter(None, (failing, passing)):
            for command in commands:
                add("plain", sample, command, ran, stated=True)
                add("cut", sample, command, last_lines, stated=False, cut=True)
            for name, wrap in WITH_STATUS.items():
                add(name, sample, commands[0], wrap, stated=True)
            for name, wrap in WITHOUT_STATUS.items():
                add(name, sample, commands[0], wrap, stated=False)
    for sample, command in NEVER:
        add("plain", sample, command, ran, stated=True)
        add("timeout", sample, command, WITH_STATUS["timeout"], stated=True)
        add("true", sample, command, WITHOUT_STATUS["true"], stated=False)
    return found


CASES = cases()


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """The test_run events of every case."""
    directory = tmp_path_factory.mktemp("sessions")
    files = {}
    for number, (name, case) in enumerate(CASES.items()):
        opening = message("user", "Please run the tests.")
        closing = message("assistant", [{"type": "text", "text": "That is what came out."}])
        common = {
            "sessionId": f"s{number}",
            "cwd": CWD,
            "version": "2.1.0",
            "isSidechain": False,
            "userType": "external",
        }
        lines = []
        for at, record in enumerate([opening, *case.records, closing]):
            stamp = f"2026-01-01T00:00:{at:02d}.000Z"
            about = {"uuid": f"u{at}", "parentUuid": f"u{at - 1}" if at else None, "timestamp": stamp, **common}
            lines.append(json.dumps({**about, **record}))
        path = directory / f"case{number}.jsonl"
        path.write_text("\n".join(lines) + "\n")
        files[path.name] = name
    start = "import sys; from rigorbench.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "events", "--json", str(directory)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in CASES}
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["kind"] == "test_run":
            found[files[Path(event["source"]["file"]).name]].append(event)
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_event_says_what_the_runner_printed(name: str, runs: dict[str, list[dict[str, Any]]]) -> None:
    case, want = CASES[name], INDEX[CASES[name].sample]
    assert len(runs[name]) == 1, runs[name]
    (event,) = runs[name]
    assert event["outcome"] == case.outcome
    assert event["runner"] == NAMED.get(case.sample, want["runner"])
    if case.cut:
        return
    assert [event[key] for key in ("passed", "failed", "skipped")] == [want[k] for k in ("passed", "failed", "skipped")]
    assert event["failing"] == want["failing"]


def test_a_build_before_the_tests_passed_when_they_ran(tmp_path: Path) -> None:
    output = output_of("go-test/mixed")
    opening = {"type": "user", "message": {"role": "user", "content": "Go on."}, "sessionId": "s", "uuid": "u"}
    records = [opening, *ran("go build ./... && go test ./...", output, 1)]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps({"sessionId": "s", "cwd": CWD, **r}) + "\n" for r in records))
    (trajectory,) = read(path)
    checks = (events.BuildEvent, events.TestRunEvent)
    found = [(type(e), e.outcome) for e in extract(trajectory).events if isinstance(e, checks)]
    assert found == [(events.BuildEvent, "passed"), (events.TestRunEvent, "failed")]
