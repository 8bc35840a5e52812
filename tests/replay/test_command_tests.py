"""Projects that a command of their own tests: outcomes by test, units taken back, requirements traced."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.bench.replay.command_tests import command_mutants, command_run
from rigorbench.bench.replay.project import Project, compiled, describe, packages
from rigorbench.bench.replay.run import replay
from rigorbench.bench.replay.sandbox import CommandEnd
from rigorbench.bench.replay.store import Entry, ObjectStore
from rigorbench.bench.rigorscore.replayed import (
    build_health,
    coverage_delta,
    requirements_traceability,
    test_creation_rate,
    test_stability,
)
from rigorbench.session.task import Requirement, Task

from .conftest import Session, git, record

CPP_TESTS = "void test_far() { CHECK(1); }\nvoid test_near() { CHECK(2); }\nvoid helper(int) {}\n"
JS = {
    "src/toll.mjs": "export function toll(km, axles) {\n  return km * axles;\n}\n",
    "tests/toll.test.mjs": 'import assert from "node:assert";\nimport test from "node:test";\n\n'
    'import { toll } from "../src/toll.mjs";\n\ntest("a toll", () => {\n  assert.equal(toll(2, 3), 6);\n});\n',
}
FREE = "export function toll(km, axles) {\n  if (km < 1) {\n    return 0;\n  }\n  return km * axles;\n}\n"
CAPPED = FREE.replace("km * axles", "Math.min(km * axles, 90)")
FREE_TEST = '\ntest("a short way is free", () => {\n  assert.equal(toll(0.5, 2), 0);\n});\n'


class Tests:
    """The tests of a tree, without a store."""

    __test__ = False

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def text(self, path: str) -> str:
        return self.files[path]


def ran(files: dict[str, str], output: str, status: int) -> dict[str, str]:
    tests = Tests(files)
    run = command_run(CommandEnd(status, output, False, 1.0), tests)  # type: ignore[arg-type]
    return {**run.outcomes, **dict.fromkeys(run.broken, "broken"), **({"": run.problem} if run.problem else {})}


def test_declared_tests_get_what_the_output_says_of_them() -> None:
    files = {"tests/roads.cpp": CPP_TESTS}
    wanted = {"tests/roads.cpp::test_far": "passed", "tests/roads.cpp::test_near": "passed"}
    assert ran(files, "ok 1 - test_far\nok 2 - test_near\n1..2\n", 0) == wanted
    assert ran(files, "ok 1 - test_far\nnot ok 2 - test_near\n1..2\n", 1)["tests/roads.cpp::test_near"] == "failed"
    # No longer in the runner's list, and: the runner died before it came to that.
    assert ran(files, "ok 1 - test_far\n1..1\n", 0) == {"tests/roads.cpp::test_far": "passed"}
    assert ran(files, "ok 1 - test_far\nnot ok 2 - other\n1..2\n", 1)["tests/roads.cpp::test_near"] == "error"
    (problem,) = ran(files, "src/a.cpp:3:1: error: expected ';'\nmake: *** [a.o] Error 1\n", 2).values()
    assert "expected ';'" in problem


def test_a_name_that_ends_like_another_is_another() -> None:
    files = {
        "tests/roads.rs": "#[test]\nfn a_road() { assert!(true_()); }\n\n#[test]\nfn not_a_road() { assert!(x()); }\n"
    }
    output = "     Running tests/roads.rs (target/x)\ntest a_road ... ok\ntest not_a_road ... FAILED\n"
    output += "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.0s\n"
    assert ran(files, output, 101) == {"tests/roads.rs::a_road": "passed", "tests/roads.rs::not_a_road": "failed"}


def test_units_are_put_back_or_emptied() -> None:
    before = "int far(int n) { return n; }\nint same() { return 1; }\n"
    after = "int far(int n) { return n + 1; }\nint same() { return 1; }\nint fresh() { return 2; }\nvoid stub() {}\n"
    found = {m.check.unit: (m.check.how, m.texts) for m in command_mutants("src/a.cpp", before, after)}
    assert set(found) == {"far", "fresh"}
    how, texts = found["far"]
    assert how == "reverted"
    assert texts == [after.replace("n + 1", "n"), after.replace("{ return n + 1; }", "{ throw 0; }")]
    assert found["fresh"] == ("mutated", [after.replace("{ return 2; }", "{ throw 0; }")])


PROMISED = "const remove = async (name, { force = true } = {}) => {\n  await fs.unlink(name);\n};\n"


@pytest.mark.parametrize(
    ("before", "how"),
    [
        # Put back, it would call what nobody gives it, and a test may look before the file is gone.
        ("const remove = (name, { force = true } = {}, done = (a, b) => {}) => {\n  fs.unlink(name, done);\n};\n",
         "mutated"),
        ("const remove = (name, { force, forever } = {}) => {\n  fs.unlinkSync(name);\n};\n", "reverted"),
        ("const remove = (name) => {\n  fs.unlinkSync(name);\n};\n", "reverted"),
        ("const remove = name => {\n  fs.unlinkSync(name);\n};\n", "reverted"),
    ],
)  # fmt: skip
def test_a_function_of_a_script_that_took_more_parameters_is_emptied(before: str, how: str) -> None:
    (mutant,) = command_mutants("src/files.js", before, PROMISED)
    assert mutant.check.how == how
    emptied = [
        PROMISED[: PROMISED.rindex("{")] + body + ";\n"
        for body in ("{ return undefined; }", "{ return Object.create(null); }")
    ]
    assert mutant.texts == (emptied if how == "mutated" else [before])


def test_rusts_tests_beside_the_code_are_no_units() -> None:
    code = "pub fn far() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n"
    code += "    fn far_is_one() { assert_eq!(super::far(), 1); }\n}\n"
    assert [m.check.unit for m in command_mutants("src/lib.rs", None, code)] == ["far"]


@pytest.mark.bwrap
def test_a_session_in_javascript_is_measured_whole(make_repo, tmp_path: Path, bwrap: None) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    repo = make_repo(JS)
    for name, text in {"golden": CAPPED, "free": CAPPED.replace("km < 1", "km < 0"), "cap": FREE}.items():
        place = tmp_path / name / "src"
        place.mkdir(parents=True)
        (place / "toll.mjs").write_text(text, encoding="utf-8")
    requirements = [
        Requirement("free", faulty=str(tmp_path / "free")),
        Requirement("cap", faulty=str(tmp_path / "cap")),
    ]
    report = "--test-reporter=lcov --test-reporter-destination=lcov.info"
    task = Task(
        build="node --check src/toll.mjs",
        test="node --test tests/",
        coverage=f"node --test --experimental-test-coverage {report} tests/",
        reference=str(tmp_path / "golden"),
        requirements=requirements,
    )
    tests = JS["tests/toll.test.mjs"]
    session = Session().write("tests/toll.test.mjs", tests + FREE_TEST).run("node --test tests/", "", 1)
    session.write("src/toll.mjs", FREE).run("node --test tests/", "", 0)
    record(session, repo)
    result = replay(session.trajectory, session.events, task, cache_dir=tmp_path / "cache", jobs=2, timeout=60)
    assert result.unavailable is None
    # The old test, which is not the agent's, does not count as one that notices.
    assert result.agent_tests == ["tests/toll.test.mjs::a short way is free"]
    assert test_stability(result).value == 1.0
    assert test_creation_rate(result).value == 1.0
    assert coverage_delta(result).value == 1.0
    traced = requirements_traceability(result)
    assert (traced.value, traced.status) == (0.5, "scored")
    assert "none that passes there fails on the one that violates cap" in traced.reason


@pytest.mark.bwrap
def test_a_build_whose_program_is_not_there_is_unknown(make_repo, tmp_path: Path, bwrap: None) -> None:
    """Nothing shows that the tree does not build where a tool chain is missing."""
    session = Session().write("src/toll.mjs", FREE)
    task = Task(build="no-such-compiler src/toll.mjs", test="true")
    repo = make_repo(JS)
    record(session, repo)
    result = replay(session.trajectory, session.events, task, cache_dir=tmp_path / "cache", jobs=1, timeout=60)
    found = build_health(result)
    assert (found.value, found.status) == (None, "unscorable")
    assert found.reason.startswith("the build cannot be run here: ")


@pytest.mark.bwrap
def test_a_build_script_that_the_agent_took_away_is_a_broken_build(make_repo, tmp_path: Path, bwrap: None) -> None:
    session = Session().write("src/toll.mjs", FREE).delete("build.sh")
    task = Task(build="chmod +x build.sh; ./build.sh", test="true")
    repo = make_repo({**JS, "build.sh": "#!/bin/sh\nexit 0\n"})
    record(session, repo)
    result = replay(session.trajectory, session.events, task, cache_dir=tmp_path / "cache", jobs=1, timeout=60)
    assert build_health(result).value == 0


# -- how a project's commands, packages and environment are found


MakeRepo = Callable[[dict[str, str]], Path]


def project_of(make_repo: MakeRepo, tmp_path: Path, files: dict[str, str], task: Task | None = None) -> Project:
    with ObjectStore((repo := make_repo(files)) / ".git", repo, tmp_path) as store:
        tree = git(repo, "rev-parse", "HEAD^{tree}")
        return describe(store, store.files(tree), task)


@pytest.mark.parametrize("given", ["cargo test", "cargo test --no-fail-fast"])
def test_cargo_runs_every_test_also_after_a_file_that_fails(make_repo: MakeRepo, tmp_path: Path, given: str) -> None:
    project = project_of(make_repo, tmp_path, {"Cargo.toml": ""}, Task(id="t", test=given))
    assert (project.test, project.test_described) == ("cargo test --no-fail-fast", given)


def test_python_is_served_without_commands(make_repo: MakeRepo, tmp_path: Path) -> None:
    project = project_of(make_repo, tmp_path, {"a.py": "", "Makefile": "test:\n\tpytest\n", "pyproject.toml": ""})
    assert (project.build, project.test, project.args) == (None, None, [])


@pytest.mark.parametrize(
    ("command", "kept", "args"),
    [
        ("pytest -x -q tests/unit", False, ["tests/unit"]),
        ("python -m pytest --maxfail 1 -n 4 --cov=pkg -k 'not slow'", False, ["-k", "not slow"]),
        ("uv run pytest", False, []),
        ("cd sub && pytest", True, []),
        ("make check", True, []),
        ("FAST=1 pytest", True, []),
    ],
)
def test_the_tasks_test_command(make_repo: MakeRepo, tmp_path: Path, command: str, kept: bool, args: list[str]) -> None:
    project = project_of(make_repo, tmp_path, {"a.py": ""}, Task(test=command, build="make"))
    assert (project.args, project.build) == (args, "make")
    assert project.test == (command if kept else None)


@pytest.mark.parametrize(
    ("files", "build", "test"),
    [
        ({"package.json": '{"scripts": {"test": "jest", "build": "tsc"}}'}, "npm run --silent build",
         "npm test --silent"),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, None, None),
        ({"package.json": "broken"}, None, None),
        ({"Cargo.toml": ""}, "cargo build --offline --all-targets", "cargo test --offline --no-fail-fast"),
        ({"go.mod": ""}, "go build ./... && go vet ./...", "go test -v ./..."),
        ({"Makefile": "all:\n\tcc\ncheck: all\n\t./t\n"}, "make", "make check"),
        ({"notes.txt": ""}, None, None),
    ],
)  # fmt: skip
def test_other_languages_by_their_files(
    make_repo: MakeRepo, tmp_path: Path, files: dict[str, str], build: str | None, test: str | None
) -> None:
    project = project_of(make_repo, tmp_path, files)
    assert (project.build, project.test) == (build, test)


def test_packages_and_files_that_must_compile() -> None:
    entry = Entry("100644", "0" * 40)
    names = [
        "src/shop/__init__.py",
        "src/shop/a.py",
        "src/shop/sub/__init__.py",
        "tests/__init__.py",
        "lib2/__init__.py",
    ]
    names += ["tests/data/bad.py", "setup.py", "docs/conf.py", "{{cookiecutter}}/a.py", "README.md"]
    files = dict.fromkeys(names, entry)
    assert packages(files) == (["shop", "lib2"], ["src", ""])
    assert "tests/data/bad.py" not in compiled(files)
    assert "{{cookiecutter}}/a.py" not in compiled(files)
    assert {"setup.py", "src/shop/a.py", "tests/__init__.py"} <= set(compiled(files))


def test_tests_are_declared_by_their_files() -> None:
    text = "it('adds', () => { expect(f()).toBe(1) });\nit.skip('later', () => { expect(f()).toBe(1) });\n"
    wanted = {"a.test.js::adds": "passed", "a.test.js::later": "skipped"}
    assert ran({"a.test.js": text}, "ok 1 - adds\n1..1\n", 0) == wanted
