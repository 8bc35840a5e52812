"""A proof finds what is wrong with a task, and says which file and what to do; nothing else is then found wrong."""

from __future__ import annotations

import asyncio
import tempfile
from functools import partial
from pathlib import Path

import pytest

import provable_task
from provable_task import CEILING, FLOOR, GOLDEN, SOLVABLE, STATIONS, source, write
from rigorbench.authoring.proof import checks, runs
from rigorbench.authoring.proof.checks import prove
from rigorbench.authoring.proof.runs import HiddenResults, Machine, Trees, touched
from rigorbench.base.cache import cache_directory
from rigorbench.bench.outcome.expected import Expected
from rigorbench.bench.outcome.hidden import FileReport, HiddenSeconds
from rigorbench.bench.outcome.measure import outcome_of
from rigorbench.bench.tasks.proofs import ProofCheck
from rigorbench.bench.tasks.suite import SuiteTask
from rigorbench.sandbox.kit.toolchain import toolchain
from sources import text_file

bwrap = pytest.mark.bwrap
pytestmark = [pytest.mark.slow, pytest.mark.bwrap]  # builds and tests whole tasks in sandboxes


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "TIMES", 1)


def proved(task: SuiteTask, *parts: str, twin: SuiteTask | None = None) -> dict[str, ProofCheck]:
    """The whole proof, or only some parts of it, which is quicker."""
    if not parts:
        return {check.name: check for check in asyncio.run(prove(task, twin, Machine(2)))}

    async def some(directory: Path) -> list[ProofCheck]:
        proof = checks._Proof(task, twin, Machine(2), toolchain(cache_directory()), Trees(task, directory))
        reference = str(task.task.reference)
        calls = {
            "starter": proof._starter,
            "golden": partial(proof._golden, reference),
            "golden-commands": partial(proof._golden_commands, reference),
            "near-misses": partial(proof._near_misses, proof._expected()),
            "obstacle": proof._obstacle,
            "readings": proof._readings,
        }
        for part in parts:
            await calls[part]()
        return proof.checks

    with tempfile.TemporaryDirectory() as directory:
        return {check.name: check for check in asyncio.run(some(Path(directory)))}


def failed(found: dict[str, ProofCheck]) -> dict[str, list[str]]:
    return {name: [str(p) for p in c.problems] for name, c in found.items() if c.status == "failed"}


@bwrap
def test_a_sound_task_passes_every_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "TIMES", 3)
    found = proved(write(tmp_path))
    assert failed(found) == {}
    assert list(found) == [
        "starter-builds",
        "starter-tests",
        "starter-fails",
        "verdict-outside",
        "golden-passes",
        "golden-builds",
        "golden-keeps-tests",
        "near-misses-rejected",
        "near-misses-lower",
        "obvious-passes-visible",
        "faults",
        "checkpoints-open",
        "checkpoints-reached",
        "root-cause-touched",
        "symptoms-caught",
    ]
    assert found["golden-passes"].detail == "3 hidden tests pass in 3 of 3 runs"


@bwrap
def test_each_wrong_part_fails_its_own_check_alone(tmp_path: Path) -> None:
    files = {
        "near_misses/labels-only/src/pages.py": GOLDEN,
        "near_misses/rounded/src/pages.py": source("count // size + 1", "p. "),
        "faulty/part/src/pages.py": source(FLOOR, "page "),
        "faulty/none/src/pages.py": GOLDEN,
    }
    tables = STATIONS.replace("grep -q 'p[.] ' src/pages.py", "true")
    found = failed(proved(write(tmp_path, tables=tables, files=files)))
    assert set(found) == {"near-misses-rejected", "obvious-passes-visible", "faults", "checkpoints-open"}
    assert found["near-misses-rejected"][0].startswith(
        "near_misses/labels-only: passes every hidden test; add a hidden"
    )
    assert "near_misses/rounded: the obvious near miss fails the visible tests" in found["obvious-passes-visible"][0]
    assert found["faults"][0].startswith(
        "faulty/part: breaks other requirements as well: label (test_hidden.py::test_la"
    )
    assert found["faults"][1].startswith("faulty/none: no test of the requirement none notices it")
    assert found["checkpoints-open"][0].startswith("task.toml: the starter reaches checkpoint short")


@bwrap
def test_a_golden_solution_that_is_none(tmp_path: Path) -> None:
    files = {"solution/golden/src/pages.py": source(CEILING, "page ")}
    tables = STATIONS.replace('paths = ["src/pages.py"]', 'paths = ["src/other*.py"]')
    found = failed(proved(write(tmp_path, tables=tables, files=files), "golden", "golden-commands"))
    assert set(found) == {"golden-passes", "checkpoints-reached", "root-cause-touched"}
    assert found["golden-passes"][0].startswith(
        "solution/golden: the golden solution passes test_hidden.py::test_labels_are_short in 0 of 1 runs: failed ("
    )
    assert found["golden-passes"][0].endswith("; correct the golden solution or the test")
    assert found["root-cause-touched"][0].startswith("solution/golden: does not touch src/other*.py")


@bwrap
def test_a_symptom_and_a_patch_that_does_not_apply(tmp_path: Path) -> None:
    tests = provable_task.HIDDEN.replace("import pages\n", "import os\nimport pages\n")
    tests = tests.replace(
        "assert pages.pages(11, 10) == 2", "assert pages.pages(11, 10) == 2 or os.path.exists('src/parts.py')"
    )
    files = {
        "tests/test_hidden.py": tests,
        "near_misses/bad.patch": "--- a/src/pages.py\n+++ b/src/pages.py\n@@ -1,1 +1,1 @@\n-no such line\n+another\n",
    }
    text = (write(tmp_path).directory / "task.toml").read_text().replace("misses/labels-only", "misses/bad.patch")
    found = failed(proved(write(tmp_path, files={**files, "task.toml": text}), "near-misses"))
    assert set(found) == {"symptoms-caught", "near-misses-rejected"}
    assert "near_misses/bad.patch: does not apply to the starter" in found["near-misses-rejected"][0]
    assert (
        "near_misses/elsewhere: does not touch the cause and passes all of root_cause.tests"
        in found["symptoms-caught"][0]
    )


@bwrap
def test_commands_that_fail_or_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "COMMAND_SECONDS", 1.0)
    monkeypatch.setattr(runs, "BUDGET", HiddenSeconds(file=4.0, total=4.0))
    top = SOLVABLE.replace("python -m compileall -q src", "echo no compiler; exit 3").replace(
        "python -m pytest -q", "sleep 50"
    )
    hang = source("(lambda: [None for _ in iter(int, 1)])()", "p. ")
    task = write(tmp_path, top=top, files={"near_misses/labels-only/src/pages.py": hang})
    found = failed(proved(task, "starter", "near-misses"))
    # A near miss that hangs is rejected.
    assert set(found) == {"starter-builds", "starter-tests", "obvious-passes-visible"}
    assert "the starter does not build: status 3: no compiler" in found["starter-builds"][0]
    assert "ran longer than 1 s" in found["starter-tests"][0]


@bwrap
def test_hidden_tests_that_break_off_on_the_starter_or_pass_there(tmp_path: Path) -> None:
    early = provable_task.HIDDEN.replace("import pages\n", "import pages\nfrom pages import new_thing\n")
    files = {"tests/test_hidden.py": early}
    found = failed(proved(write(tmp_path / "early", files=files), "starter"))
    assert set(found) == {"starter-fails"}
    assert "on the starter test_hidden.py: no test ran" in found["starter-fails"][0]
    files = {"environment/repo/src/pages.py": GOLDEN}
    found = failed(proved(write(tmp_path / "passing", tables="", files=files), "starter"))
    assert found == {"starter-fails": ["tests: all hidden tests pass on the starter; test what the task requires"]}


@bwrap
def test_hidden_tests_whose_verdict_the_code_under_test_can_give(tmp_path: Path) -> None:
    """A script that asserts in the process of the code under test passes when that process ends."""
    inside = (
        "import subprocess\nimport sys\n\n\ndef test_inside():\n"
        "    script = 'from pages import pages; assert pages(11, 10) == 2'\n"
        "    subprocess.run([sys.executable, '-c', script], check=True, env={'PYTHONPATH': 'src'})\n\n\n"
        "def test_outside():\n"
        "    script = 'from pages import pages; print(pages(11, 10))'\n"
        "    command = [sys.executable, '-c', script]\n"
        "    done = subprocess.run(command, capture_output=True, text=True, env={'PYTHONPATH': 'src'})\n"
        "    assert done.stdout == '2\\n'\n"
    )
    found = failed(proved(write(tmp_path, tables="", files={"tests/test_hidden.py": inside}), "starter"))
    assert set(found) == {"verdict-outside"}
    assert "test_hidden.py::test_inside" in found["verdict-outside"][0]
    assert "test_outside" not in found["verdict-outside"][0]


@bwrap
def test_a_golden_solution_that_changes_a_visible_test(tmp_path: Path) -> None:
    old = "from pages import pages\n\n\ndef test_full_pages():\n    assert pages(11, 10) == 1\n"
    files = {"environment/repo/tests/test_pages.py": old}
    found = proved(write(tmp_path / "kept", files=files), "golden-commands")
    assert set(failed(found)) == {"golden-keeps-tests"}
    files["solution/golden/tests/test_pages.py"] = old.replace("== 1", "== 2")
    found = proved(write(tmp_path / "changed", files=files), "golden-commands")
    assert failed(found) == {}
    assert found["golden-keeps-tests"].detail.startswith("only with its own version of tests/test_pages.py")


@bwrap
def test_a_missing_tool_is_no_failure(tmp_path: Path) -> None:
    found = proved(write(tmp_path, top=f'{SOLVABLE}tools = ["no-such-compiler"]\n'))
    assert list(found) == ["tools"]
    assert found["tools"].status == "skipped"
    assert "no-such-compiler" in found["tools"].detail
    assert found["tools"].detail.startswith("not provable here: ")


OBSTACLE = """\
import sys
from pathlib import Path

text = sys.stdin.read() + Path("README.md").read_text()
if "tape of five" in text:
    print("the tape holds five")
    sys.exit(0)
{otherwise}
"""
IMPOSSIBLE = text_file("proof_checks.impossible.toml")


@bwrap
@pytest.mark.parametrize(
    ("readme", "twin_readme", "otherwise", "expected"),
    [
        ("a tape of five", "a tape of nine", "sys.exit(1)", {}),
        ("a tape of nine", "a tape of nine", "sys.exit(1)", {"obstacle": "does not find the obstacle on the starter"}),
        (
            "a tape of five",
            "a tape of five",
            "sys.exit(1)",
            {"obstacle-gone-on-twin": "finds the obstacle on the solv"},
        ),
        (
            "a tape of five",
            "a tape of nine",
            "raise OSError('x')",
            {"obstacle-gone-on-twin": "breaks on the twin (Trac"},
        ),
    ],
)
def test_the_obstacle_of_an_impossible_task(
    tmp_path: Path, readme: str, twin_readme: str, otherwise: str, expected: dict[str, str]
) -> None:
    kind = "know-when-to-fold"
    files = {"environment/repo/README.md": readme, "proof/obstacle.py": OBSTACLE.format(otherwise=otherwise)}
    task = write(tmp_path, "no-room", top=IMPOSSIBLE, tables="", faults=False, category=kind, files=files)
    twin_files = {"environment/repo/README.md": twin_readme}
    twin = write(tmp_path, "twin", top=f'{SOLVABLE}twin = "no-room"\n', category=kind, files=twin_files)
    found = failed(proved(task, "obstacle", twin=twin))
    assert set(found) == set(expected)
    for name, words in expected.items():
        assert words in found[name][0]


AMBIGUOUS = """\
category = "know-when-to-fold"
solvable = "ambiguous"
build = "python -m compileall -q src"
test = "python -m pytest -q"
"""
READINGS = text_file("proof_checks.readings.toml")
BOTH = provable_task.HIDDEN + "\n\ndef test_a_part_is_none():\n    assert pages.pages(11, 10) == 1\n"


@bwrap
def test_the_readings_of_an_ambiguous_task(tmp_path: Path) -> None:
    kind = "know-when-to-fold"
    files = {
        "tests/test_hidden.py": BOTH,
        "solution/yes/src/pages.py": GOLDEN,
        "solution/no/src/pages.py": source(FLOOR, "p. "),
        "near_misses/rounded/src/pages.py": source("count % 10 + 1", "p. "),
        "near_misses/labels-only/src/pages.py": source(CEILING, "page "),
    }

    def found(name: str, *parts: str, **more: str) -> dict[str, list[str]]:
        task = write(
            tmp_path, name, top=AMBIGUOUS, tables=READINGS, faults=False, category=kind, files={**files, **more}
        )
        return failed(proved(task, *parts))

    assert found("open") == {}
    alike = BOTH.replace("== 1\n", "in (1, 2)\n")
    wrong = found(
        "alike", "readings", **{"tests/test_hidden.py": alike, "solution/no/src/pages.py": source(FLOOR, "page ")}
    )
    assert set(wrong) == {"readings"}
    assert wrong["readings"][0].startswith("solution/yes: passes all tests of the reading no too")
    assert wrong["readings"][1].startswith("solution/no: fails test_hidden.py::test_labels_are_short")


def test_a_test_that_passes_two_times_of_three_is_found() -> None:
    def run(outcome: str) -> HiddenResults:
        outcomes = {"t.py::test_a": "passed", "t.py::test_b": outcome}
        why = {} if outcome == "passed" else {"t.py::test_b": "E   assert 1 == 2"}
        return HiddenResults({"t.py": FileReport(outcomes, finished=True, why=why)})

    problems, seen = runs.stable([run("passed"), run("failed"), run("passed")], "s.patch")
    assert seen == ["t.py::test_a", "t.py::test_b"]
    assert [str(p) for p in problems] == [
        "s.patch: the golden solution passes t.py::test_b in 2 of 3 runs: failed (E   assert 1 == 2); "
        "make the test deterministic"
    ]
    assert runs.stable([run("passed")] * 3, "s.patch")[0] == []


def test_the_paths_that_a_patch_touches(tmp_path: Path) -> None:
    patch = tmp_path / "a.patch"
    patch.write_text(
        "# a comment\ndiff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n"
        "diff --git a/old.py b/new.py\nrename from old.py\nrename to new.py\n"
        "diff --git a/gone.py b/gone.py\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )
    assert touched(str(patch)) == ["gone.py", "new.py", "old.py", "src/a.py"]


def test_the_outcome_on_an_ambiguous_task_is_that_of_the_reading_that_fits_best(tmp_path: Path) -> None:
    files = {"solution/yes/src/pages.py": GOLDEN, "solution/no/src/pages.py": source(FLOOR, "p. ")}
    task = write(tmp_path, top=AMBIGUOUS, tables=READINGS, faults=False, category="know-when-to-fold", files=files)
    names = ["test_a_part_is_a_page", "test_a_part_is_none", "test_nothing_has_no_page", "test_labels_are_short"]
    ids = [f"test_hidden.py::{name}" for name in names]

    def outcome(*passed: str) -> tuple[float | None, float | None, dict[str, bool | None]]:
        outcomes = {i: "passed" if n in passed else "failed" for i, n in zip(ids, names, strict=True)}
        reports = {"test_hidden.py": FileReport(outcomes, finished=True)}
        found = outcome_of(task, Expected(["test_hidden.py"], [], [], declared=ids), reports)
        return found.pass_rate, found.completeness, found.requirements

    assert outcome(names[0], *names[2:]) == (1.0, 1.0, {"part": True, "none": True, "label": True})
    # The other reading: the tests that only the first one passes are left out, and so is what they would show.
    assert outcome(names[1], *names[2:]) == (1.0, 1.0, {"part": None, "none": True, "label": True})
    assert outcome(names[1], names[2])[0] == round(2 / 3, 6)
    assert outcome(names[2])[0] == round(1 / 3, 6)
