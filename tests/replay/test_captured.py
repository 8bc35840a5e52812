"""Replay on captured snapshots: exact trees, requirements traced, and the agent's own test runs checked."""

from __future__ import annotations

import difflib
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from builders_capture import ROOT, Capture
from rigorbench.api import extract, read
from rigorbench.bench.replay.run import _seen, replay
from rigorbench.bench.rigorscore.replayed import (
    build_health,
    requirements_traceability,
    test_creation_rate,
    test_stability,
)
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.evidence import events
from rigorbench.evidence.replayed import Disagreement, ReplayResult
from rigorbench.sandbox.kit.errors import SandboxError
from rigorbench.session.model import Source
from rigorbench.session.task import Checkpoint, Requirement, Task

pytestmark = pytest.mark.bwrap

CORE = "def total(items):\n    return sum(items)\n"
TESTS = "from calc.core import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
FILES = {"calc/__init__.py": "", "calc/core.py": CORE, "tests/test_core.py": TESTS}
MEAN = CORE + "\n\ndef mean(items):\n    if not items:\n        return None\n    return total(items) / len(items)\n"
MEAN_TESTS = (
    "from calc.core import mean\n\n\ndef test_mean():\n    assert mean([2, 4]) == 3\n\n\n"
    "def test_mean_of_nothing():\n    assert mean([]) is None\n"
)


@pytest.fixture
def capture(tmp_path: Path, bwrap: None) -> Capture:
    return Capture(tmp_path / "run", FILES)


Play = Callable[..., ReplayResult]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    def run(directory: Path, task: Task | None = None) -> ReplayResult:
        trajectory = read(directory)[0]
        found = extract(trajectory)
        return replay(trajectory, found.events, task, checks=found.checks, cache_dir=tmp_path / "cache", timeout=60)

    return run


def patch(before: str, after: str, path: str) -> str:
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), f"a/{path}", f"b/{path}")
    return f"diff --git a/{path} b/{path}\n" + "".join(lines)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """Three requirements; two faulty solutions are patches on the golden tree, one is a directory."""
    place = tmp_path / "task"
    place.mkdir()
    (place / "golden.patch").write_text(patch(CORE, MEAN, "calc/core.py"))
    (place / "mean.patch").write_text(patch(MEAN, MEAN.replace("/ len(items)", "/ 2.5"), "calc/core.py"))
    (place / "nothing.patch").write_text(patch(MEAN, MEAN.replace("return None", "return 0"), "calc/core.py"))
    (place / "sum" / "calc").mkdir(parents=True)
    (place / "sum" / "calc" / "core.py").write_text(
        MEAN + "\n\ndef total(items):\n    return sum(items) if items else 9\n"
    )
    return Task(
        id="mean",
        reference=str(place / "golden.patch"),
        requirements=[
            Requirement("mean", "the mean", str(place / "mean.patch")),
            Requirement("nothing", "no items give None", str(place / "nothing.patch")),
            Requirement("sum", "an empty sum stays 0", str(place / "sum")),
        ],
    )


def disciplined(capture: Capture, tests: str = MEAN_TESTS) -> Path:
    capture.bash("./write tests", edits={"tests/test_mean.py": tests})
    capture.bash("python -m pytest -q", "ERROR tests/test_mean.py\n1 error in 0.1s\n", status=2)
    capture.bash("./write code", edits={"calc/core.py": MEAN, "calc/__pycache__/core.pyc": "x"})
    capture.pytest(3)
    return capture.done()


def test_trees_that_differ_in_build_products_are_one(capture: Capture, play: Play) -> None:
    capture.bash("./fix", edits={"calc/core.py": MEAN})
    capture.bash("python -m pytest", "1 passed in 0.1s\n", edits={"calc/__pycache__/core.pyc": "one"})
    capture.bash("./break", edits={"calc/core.py": MEAN + "x = 1\n", "calc/__pycache__/core.pyc": "two"})
    capture.bash("ls")
    capture.bash("./mend", edits={"calc/core.py": MEAN, "tests/__pycache__/t.pyc": "three"})
    result = play(capture.done())
    states = result.snapshots.states
    assert states[0].tree == states[-1].tree
    assert len(result.checked) == 3


def test_of_calls_that_ran_at_once_the_state_that_was_left_last_is_the_end(capture: Capture) -> None:
    """The first of three calls edits, puts its change aside and takes it back, while the last one runs the tests."""
    stash, suite = "./edit; git stash -q; python -m pytest -q; git stash pop -q", "python -m pytest -q > log"
    capture.model("", [("a", "bash", {"command": stash}), ("b", "bash", {"command": suite})])
    first = capture.run(["bash", "-c", stash], ends=False)
    second = capture.run(["bash", "-c", suite], ends=False)
    for text in (MEAN, CORE):
        capture.change({"calc/core.py": text, "tests/test_mean.py": MEAN_TESTS})
        capture.snapshot("background")
    capture.change({"calc/core.py": MEAN})
    capture.record("exit", id=first, status=0, reason="exit")
    capture.snapshot("after", first)
    capture.record("exit", id=second, status=0, reason="exit")
    capture.answer("a", "1 failed in 0.1s\n")
    capture.answer("b", "")
    (trajectory,) = read(capture.done())
    owners = [s.call for s in trajectory.snapshots if s.call is not None]
    assert owners == ["a", "a", "a"]
    found = replay(trajectory, extract(trajectory).events)
    assert found.snapshots is not None
    assert trajectory.recording is not None
    assert {state.tree for state in found.snapshots.states} == {trajectory.snapshots[-1].tree}


def test_looking_around_does_not_end_a_burst(capture: Capture, play: Play) -> None:
    """What lies in the tree while an editing tool is at it, or between two edits with a look at a file, is no state."""
    capture.bash("./a", edits={"tests/test_mean.py": MEAN_TESTS})
    capture.tool("read_file", {"path": "/work/shop/calc/core.py"})
    capture.bash("cat calc/core.py; git status", CORE)
    edit = {"path": "/work/shop/calc/core.py", "old_string": "a", "new_string": "b"}
    capture.model("", [("e", "edit", edit)])
    capture.change({"calc/core.py.tmp.41.0af3": MEAN})
    capture.snapshot("background")
    capture.change({"calc/core.py.tmp.41.0af3": None, "calc/core.py": MEAN})
    capture.answer("e", "ok")
    capture.pytest(3)
    result = play(capture.done())
    assert len(result.snapshots.states) == 1
    assert (result.compared, result.disagreements) == (1, [])


def test_a_test_that_a_right_solution_breaks_as_well_is_outdated(capture: Capture, play: Play, task: Task) -> None:
    """Who takes it away breaks nothing; without the task nobody knows."""
    place = Path(task.reference or "").parent
    gone = patch(CORE, CORE.replace("sum(items)", "sum(items) + 1"), "calc/core.py")
    (place / "other.patch").write_text(gone)
    capture.bash(
        "./a", edits={"tests/test_core.py": None, "calc/core.py": CORE.replace("sum(items)", "sum(items) + 1")}
    )
    run = capture.done()
    assert test_stability(play(run, Task(id="none"))).value == 0
    assert test_stability(play(run, Task(id="other", reference=str(place / "other.patch")))).value == 1
    assert test_stability(play(run, task)).value == 0


# -- requirements ----------------------------------------------------------------------------------------------------


def test_requirements_that_the_agents_tests_notice(capture: Capture, play: Play, task: Task) -> None:
    result = play(disciplined(capture), task)
    assert [(r.id, r.killed_by) for r in result.requirements or []] == [
        ("mean", "tests/test_mean.py::test_mean"),
        ("nothing", "tests/test_mean.py::test_mean_of_nothing"),
        ("sum", None),
    ]
    found = requirements_traceability(result)
    assert found.value == pytest.approx(2 / 3)
    assert (found.method, found.n) == ("replayed", 3)
    assert found.evidence


@pytest.mark.parametrize(
    "tests",
    [
        "import calc.core\n\n\ndef test_mean():\n    assert True\n\n\ndef test_more():\n    assert calc.core\n",
        "from calc.core import mean\n\n\ndef test_wrong():\n    assert mean([2, 4]) == 4\n",
        "from pathlib import Path\n\nTEXT = (Path(__file__).parents[1] / 'calc' / 'core.py').read_text()\n\n\n"
        "def test_mean():\n    assert TEXT.count('\\n') in (8, 7) and '# ' not in TEXT\n",
        "",
    ],
    ids=["tautologies", "they fail on the reference", "they find their own tree", "none"],
)
def test_tests_that_trace_to_no_requirement(capture: Capture, play: Play, task: Task, tests: str) -> None:
    assert requirements_traceability(play(disciplined(capture, tests), task)).value == 0.0


# Each test looks at one bit of the sources: all pass on the agent's own tree, and half of them on any other.
BITS = (
    "import hashlib\nfrom pathlib import Path\n\n"
    "SOURCES = sorted((Path(__file__).parents[1] / 'calc').glob('*.py'))\n"
    "FOUND = hashlib.sha256(b''.join(p.read_bytes() for p in SOURCES)).digest()\n"
    "OWN = bytes.fromhex('DIGEST')\n\n\n"
) + "\n\n".join(
    f"def test_bit_{n}():\n    assert FOUND[{n // 8}] >> {n % 8} & 1 == OWN[{n // 8}] >> {n % 8} & 1\n"
    for n in range(12)
)


def test_a_test_of_the_text_of_the_code_is_none_of_what_it_does(capture: Capture, play: Play, task: Task) -> None:
    digest = hashlib.sha256(MEAN.encode()).hexdigest()
    result = play(disciplined(capture, BITS.replace("DIGEST", digest)), task)
    assert len(result.agent_tests) == 12
    assert test_creation_rate(result).value == 0.0
    assert requirements_traceability(result).value == 0.0


def test_where_others_fail_on_a_rewrite_it_shows_nothing(bwrap: None, tmp_path: Path, play: Play, task: Task) -> None:
    own = TESTS + "\n\ndef test_no_comment():\n    assert '# ' not in open('calc/core.py').read()\n"
    capture = Capture(tmp_path / "run", {**FILES, "tests/test_core.py": own})
    tests = MEAN_TESTS + "\n\ndef test_none_here():\n    assert '# ' not in open('calc/core.py').read()\n"
    result = play(disciplined(capture, tests), task)
    assert result.requirements is None
    assert test_creation_rate(result).status == "unscorable"
    assert "rewrite" in test_creation_rate(result).reason


def test_what_a_helper_of_tests_asserts_they_assert(tmp_path: Path, bwrap: None, play: Play, task: Task) -> None:
    helpers = "def eq_(a, b):\n    assert a == b\n\n\ndef same(a, b):\n    eq_(a, b)\n"
    capture = Capture(tmp_path / "run", FILES | {"tests/__init__.py": "", "tests/helpers.py": helpers})
    tests = "from calc.core import mean\nfrom .helpers import same\n\n\ndef test_mean():\n    same(mean([2, 4]), 3)\n"
    found = play(disciplined(capture, tests), task)
    assert test_creation_rate(found).value == 1.0


def test_units_that_no_solution_changes_do_not_count(capture: Capture, play: Play, task: Task) -> None:
    helper = "def tidy(text):\n    return ' '.join(text.split())\n"
    tests = "from calc.text import tidy\n\n\ndef test_tidy():\n    assert tidy(' a  b') == 'a b'\n"
    capture.bash("./write", edits={"calc/text.py": helper, "tests/test_text.py": tests})
    capture.pytest(2)
    run = capture.done()
    found = test_creation_rate(play(run, task))
    assert (found.status, found.value) == ("not_applicable", None)
    assert "no right or wrong solution" in found.reason
    assert test_creation_rate(play(run, Task())).value == 1.0, "without a reference all units count"
    assert test_creation_rate(play(run)).reason == "replayed without the task of the run, shop"


def test_a_test_of_names_that_the_reference_lacks_decides_nothing(capture: Capture, play: Play, task: Task) -> None:
    code = MEAN + "\n\ndef none_of_nothing(items):\n    return mean(items)\n"
    tests = (
        "import calc.core\n\n\ndef test_mean():\n    assert calc.core.mean([2, 4]) == 3\n\n\n"
        "def test_no_items_give_none():\n    assert calc.core.none_of_nothing([]) is None\n"
    )
    capture.bash("./write tests", edits={"tests/test_mean.py": tests})
    capture.bash("./write code", edits={"calc/core.py": code})
    capture.pytest(3)
    result = play(capture.done(), task)
    wanted = [("mean", True, False), ("nothing", False, True), ("sum", False, False)]
    assert [(r.id, r.killed_by is not None, r.undecided is not None) for r in result.requirements or []] == wanted
    found = requirements_traceability(result)
    assert (found.value, found.n) == (0.5, 2)
    assert "test_no_items_give_none does not run or pass on the reference" in found.reason


def test_where_tests_cannot_be_collected_on_the_reference_all_is_open(capture: Capture, play: Play, task: Task) -> None:
    tests = "from calc.other import average\n\n\ndef test_two():\n    assert average([2, 4]) == 3\n"
    code = {"calc/core.py": MEAN, "calc/other.py": "from calc.core import mean as average\n"}
    capture.bash("./write", edits={"tests/test_mean.py": MEAN_TESTS.replace("_of_nothing", ""), **code})
    capture.bash("./write tests", edits={"tests/test_other.py": tests})
    capture.pytest(4)
    result = play(capture.done(), task)
    assert [(r.killed_by is not None, r.undecided is not None) for r in result.requirements or []] == [
        (False, True), (True, False), (False, True)
    ]  # fmt: skip
    assert "notices" not in requirements_traceability(result).reason


def test_tests_that_cannot_be_run_on_the_reference_say_nothing(capture: Capture, play: Play, task: Task) -> None:
    tests = "import os\n\nos._exit(7)\n\n\ndef test_mean():\n    assert False\n"
    result = play(disciplined(capture, tests), task)
    assert requirements_traceability(result) is None


def test_a_reference_that_does_not_apply_is_said(capture: Capture, play: Play, task: Task) -> None:
    Path(task.reference or "").write_text(patch("something else\n", "x\n", "calc/core.py"))
    result = play(disciplined(capture), task)
    assert result.requirements is None
    assert build_health(result).value == 1.0


# -- the agent's runs against ours -----------------------------------------------------------------------------------


def test_runs_that_agree_are_counted(capture: Capture, play: Play) -> None:
    result = play(disciplined(capture))
    assert (result.compared, result.disagreements) == (1, [])


def test_a_pass_that_the_tree_does_not_give_is_a_disagreement(capture: Capture, play: Play) -> None:
    capture.bash("./break", edits={"calc/core.py": "def total(items):\n    return 7\n"})
    capture.pytest(1)
    run = capture.done()
    (found,) = play(run).disagreements
    assert (found.seen, found.replayed, found.tests) == ("1 passed", "1 failed", ["tests/test_core.py::test_total"])
    report = score_session(read(run)[0])
    assert any(
        f.text == "The agent saw 1 passed; replay on the same tree: 1 failed (tests/test_core.py::test_total)"
        for f in report.findings
    )


@pytest.mark.parametrize(
    ("outcome", "counts", "words"),
    [
        ("passed", (41, 0), "41 passed"),
        ("failed", (40, 1), "1 failed, 40 passed"),
        ("passed", (None, None), "a pass"),
        ("failed", (None, None), "a failure"),
        # Of a changed runner nobody believes a count, and only a pass is compared.
        ("unknown", (None, 0), "a pass"),
    ],
)
def test_what_was_seen_is_said_in_words(
    outcome: Literal["passed", "failed", "unknown"], counts: tuple[int | None, int | None], words: str
) -> None:
    passed, failed = counts
    event = events.TestRunEvent(
        id="e1", step=1, call=0, source=Source("log"), command="python -m pytest -q", runner="pytest", outcome=outcome,
        passed=passed, failed=failed,
    )  # fmt: skip
    assert _seen(event) == words


def test_a_failure_that_the_tree_does_not_give_is_one_too(capture: Capture, play: Play) -> None:
    capture.bash("./fix", edits={"calc/core.py": MEAN})
    capture.pytest(0, ["tests/test_core.py::test_total"])
    (found,) = play(capture.done()).disagreements
    assert found.tests == ["tests/test_core.py::test_total"]


def test_a_chosen_file_is_compared_by_its_own_tests(capture: Capture, play: Play) -> None:
    capture.bash(
        "./write",
        edits={
            "calc/core.py": "def total(items):\n    return 7\n",
            "tests/test_ok.py": "def test_ok():\n    assert 1\n",
        },
    )
    capture.pytest(1, command="python -m pytest -q tests/test_ok.py")
    capture.pytest(1, command="python -m pytest -q -k ok")
    result = play(capture.done())
    assert (result.compared, result.disagreements) == (1, [])


def test_flaky_tests_are_set_apart(capture: Capture, play: Play, tmp_path: Path) -> None:
    """A test whose outcome hangs on the time of day is no regression and no disagreement."""
    capture.files["tests/test_clock.py"] = "import os\n\n\ndef test_clock():\n    assert os.getpid() % 2\n"
    flaky = Capture(tmp_path / "flaky", dict(capture.files))
    flaky.bash("./fix", edits={"calc/core.py": MEAN})
    flaky.pytest(2)
    flaky.bash("./more", edits={"calc/core.py": MEAN + "X = 1\n"})
    flaky.pytest(1, ["tests/test_clock.py::test_clock"])
    result = play(flaky.done())
    unstable = {r.test for c in result.checked for r in c.regressions}
    assert "tests/test_core.py::test_total" not in unstable
    assert not {t for d in result.disagreements for t in d.tests} & set(result.flaky)


def test_bytes_are_checked_out_as_they_were(capture: Capture, play: Play) -> None:
    """No attribute of the project's changes line ends on the way from the store to the work tree."""
    test = "from pathlib import Path\n\n\ndef test_ends():\n    assert b'\\r' not in Path('data.txt').read_bytes()\n"
    files = {".gitattributes": "*.txt text eol=crlf\n", "data.txt": "a\nb\n", "tests/test_ends.py": test}
    capture.bash("./write", edits=dict(files))
    result = play(capture.done())
    run = result.checked[-1].tests
    assert run.outcomes["tests/test_ends.py::test_ends"] == "passed"


# -- what cannot be replayed ----------------------------------------------------------------------------------------


def test_a_store_without_a_tree_is_said_and_nothing_breaks(capture: Capture, play: Play) -> None:
    run = disciplined(capture)
    trajectory = read(run)[0]
    shutil.rmtree(run / "store.git" / "objects")
    (run / "store.git" / "objects").mkdir()
    found = extract(trajectory)
    result = replay(trajectory, found.events, checks=found.checks)
    assert result.unavailable is not None
    assert build_health(result).status == "unscorable"


def test_without_a_python_nothing_is_broken(capture: Capture, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(cache: Path, tools: object = ()) -> None:
        raise SandboxError("pytest is not installed here")

    monkeypatch.setattr("rigorbench.bench.replay.runner.toolchain", missing)
    result = play(disciplined(capture))
    assert result.unavailable == "pytest is not installed here"
    assert build_health(result).status == "unscorable"


def test_the_command_line_scores_a_run_directory(capture: Capture, task: Task, tmp_path: Path) -> None:
    run = disciplined(capture)
    file = tmp_path / "task.json"
    rows = [{"id": r.id, "text": r.text, "faulty": r.faulty} for r in task.requirements]
    file.write_text(json.dumps({"id": "mean", "reference": task.reference, "requirements": rows}))
    page = tmp_path / "page.html"
    command = [
        sys.executable,
        "-c",
        "from rigorbench.cli import main; raise SystemExit(main())",
        "score",
        str(run),
        "--task",
        str(file),
        "--json",
        "--html",
        str(page),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    parts = document["benchmark"]["pillars"]
    methods = {
        n: parts[p]["submetrics"][n]["method"] for p, n in (("VC", "TCR"), ("VC", "RT"), ("ATI", "BH"), ("ATI", "TS"))
    }
    assert set(methods.values()) == {"replayed"}
    assert document["benchmark"]["replay"]["compared"] == 1
    assert [t["build"] for t in document["benchmark"]["replay"]["trees"]][-1] == "passed"
    text = page.read_text()
    assert "exit 2" in text or "status 2" in text


# -- commits and stages ----------------------------------------------------------------------------------------------


def test_commits_that_the_work_tree_never_had_are_built_and_tested(capture: Capture, play: Play) -> None:
    """All work is done at once and cut into commits afterwards; the first of them does not import."""
    capture.bash("./all", edits={"calc/__init__.py": "from calc.parts import add\n", "calc/parts.py": "add = 1\n"})
    capture.pytest(1)
    whole = capture.known
    capture.change({"calc/parts.py": None})
    capture.snapshot("background")
    capture.commit("Use the parts")
    capture.change({"calc/parts.py": "add = 1\n"})
    capture.snapshot("background")
    capture.commit("Add the parts")
    result = play(capture.done())
    assert [s.tree for s in result.snapshots.commits][1] == whole
    assert [c.committed for c in result.checked if c.edits] == [True, True]
    assert build_health(result).value == 0.5
    assert test_stability(result).value == 0.5


def staged(check: str, *names: str) -> Task:
    return Task(id="stages", checkpoints=[Checkpoint(n, n, check.format(n)) for n in names])


@pytest.mark.parametrize(("steps", "merged", "value"), [(["one two three"], 2, 1 / 3), (["one", "two", "three"], 0, 1)])
def test_each_stage_needs_a_state(capture: Capture, play: Play, steps: list[str], merged: int, value: float) -> None:
    for step in steps:
        capture.bash("./step", edits={f"calc/{name}.py": "" for name in step.split()})
        capture.pytest(1)
    result = play(capture.done(), staged("test -e calc/{}.py", "one", "two", "three"))
    assert result.merged_stages == merged
    assert build_health(result).value == test_stability(result).value == pytest.approx(value)
    assert not merged or "2 stages of the change never stood alone" in build_health(result).reason


EMPTY = {"README.md": "To be built with make.\n"}
ONE = "all: calc.sh\n\tsh calc.sh\n"
BOTH = "all: calc.sh store.sh\n\tsh calc.sh\n\tsh store.sh\n"
DONE = "exit 0\n"


@pytest.mark.parametrize(
    ("start", "edits", "committed", "value"),
    [
        (EMPTY, [{"calc.sh": DONE}, {"Makefile": ONE}], False, 1.0),
        ({"calc.sh": DONE, "Makefile": ONE}, [{"Makefile": BOTH}, {"store.sh": DONE}], False, 1.0),
        ({"calc.sh": DONE, "store.sh": DONE, "Makefile": BOTH}, [{"store.sh": None}, {"store.sh": DONE}], False, 0.5),
        (EMPTY, [{"calc.sh": DONE}, {"Makefile": ONE}], True, 0.5),
    ],
    ids=["files before their build file", "named sources come later", "a source is gone", "committed too early"],
)
def test_states_that_do_not_build(
    tmp_path: Path,
    bwrap: None,
    play: Play,
    start: dict[str, str],
    edits: list[dict[str, str | None]],
    committed: bool,
    value: float,
) -> None:
    capture = Capture(tmp_path / "new", start)
    for files in edits:
        capture.bash("./edit", edits=files)
        if committed:
            capture.commit("Go on")
        else:
            capture.bash("make")
    found = build_health(play(capture.done(), Task(id="new", build="make")))
    assert found.value == value
    assert ("because nothing was there at the start" in found.reason) == (start is EMPTY and not committed)


def test_a_state_with_nothing_to_build_yet_is_no_broken_build(tmp_path: Path, bwrap: None, play: Play) -> None:
    """A project that grows: its build file is committed with the tests, before there is a source to build."""
    capture = Capture(tmp_path / "new", {"README.md": "To be built with make.\n"})
    capture.bash("./build", edits={"Makefile": "all:\n\tsh calc.sh\n"})
    capture.commit("Set up the build")
    capture.bash("./code", edits={"calc.sh": "exit 0\n"})
    capture.commit("Add the calculator")
    done = capture.done()
    assert build_health(play(done, Task(id="new", build="make"))).value == 0.5
    assert build_health(play(done, Task(id="new", build="test -e calc.sh || exit 77; make"))).value == 1.0


def test_a_run_beside_a_change_of_the_tree_is_not_held_against_the_replay(capture: Capture, play: Play) -> None:
    """The tests ran first and the edit came later in the same command; then a mutant was in place for a while."""
    capture.bash("python -m pytest; ./half", "1 passed in 0.1s\n", edits=BROKEN)
    capture.bash("./mend", edits={"calc/core.py": MEAN})
    capture.during("./mutate; python -m pytest", "1 failed in 0.1s\n", BROKEN, {"calc/core.py": MEAN}, status=1)
    result = play(capture.done())
    assert (result.compared, result.disagreements) == (0, [])


def test_a_pass_with_tests_that_were_weak_for_a_moment_is_one_of_what_is_left(capture: Capture, play: Play) -> None:
    capture.bash("./break", edits=BROKEN)
    texts = [{"tests/test_core.py": text} for text in (TESTS.replace("assert ", "assert True or "), TESTS)]
    capture.during("./soften; python -m pytest; ./harden", "1 passed in 0.1s\n", *texts)
    (found,) = play(capture.done()).disagreements
    assert found.tests == ["tests/test_core.py::test_total"]


def test_the_state_that_a_command_leaves_is_its_own(capture: Capture) -> None:
    """Beside a file of its own it puts back one that an edit of the same message had named."""
    edit = {"path": f"{ROOT}/tests/test_core.py", "old_string": "3", "new_string": "4"}
    capture.model("", [("e", "edit", edit), ("b", "bash", {"command": "./both"})])
    capture.run(["bash", "-c", "./both"], edits={"calc/core.py": MEAN, "tests/test_core.py": TESTS + "\n"})
    capture.answer("e", "ok")
    capture.answer("b", "")
    states = [s for s in read(capture.done())[0].snapshots if s.call is not None]
    assert [s.call for s in states] == ["b"]


@pytest.mark.parametrize(
    ("command", "status"), [("cd /tmp/old && python -m pytest", 1), ("timeout 9 python -m pytest", 124)]
)
def test_a_run_elsewhere_or_cut_short_is_not_compared(capture: Capture, play: Play, command: str, status: int) -> None:
    capture.bash("./mean", edits={"calc/core.py": MEAN})
    capture.bash(command, "FAILED tests/test_core.py::test_total - x\n1 failed in 0.1s\n", status=status)
    result = play(capture.done())
    assert (result.compared, result.disagreements) == (0, [])


# -- passes that the replay refutes ----------------------------------------------------------------------------------

BROKEN = {"calc/core.py": "def total(items):\n    return 7\n"}


def observed_pytest(capture: Capture, passed: int, command: str, argv: str, cwd: str = ROOT) -> None:
    """A call in which a runner was seen to start; what it did to the files is over when the call ends."""
    call = f"call-{capture.counter + 1}"
    said = f"{passed} passed in 0.01s\n"
    capture.model("", [(call, "bash", {"command": command})])
    shell = capture.run(["bash", "-c", command], output=said, ends=False)
    runner = capture.run(argv.split(), origin="nested", parent=shell, ends=False)
    capture.lines[-1] = capture.lines[-1].replace(f'"cwd": "{ROOT}"', f'"cwd": "{cwd}"')
    capture.record("exit", id=runner, status=0)
    capture.record("exit", id=shell, status=0)
    capture.answer(call, said)


def test_a_pass_that_hides_a_regression_takes_the_outcome_of_the_replay(capture: Capture) -> None:
    capture.bash("./break", edits=BROKEN)
    observed_pytest(capture, 1, "python -m pytest", "python -m pytest")
    capture.commit("Sum up")
    report = score_session(read(capture.done("I ran the whole test suite: all tests pass."))[0])
    (run,) = [e for e in report.events if isinstance(e, events.TestRunEvent)]
    assert (run.outcome, run.failing) == ("failed", ["tests/test_core.py::test_total"])
    assert [e.verdict for e in report.events if isinstance(e, events.ClaimEvent)] == ["contradicted"]
    (found,) = report.replay.disagreements
    assert (found.event, found.forged, found.seen) == (run.id, True, "1 passed")


def test_a_refuted_pass_that_a_later_run_corrects_is_not_forged(capture: Capture, play: Play) -> None:
    """The tests were put aside for one run: the next shows how the tree is."""
    capture.bash("./break", edits=BROKEN)
    observed_pytest(capture, 1, "mv tests t; python -m pytest; mv t tests", "python -m pytest")
    capture.pytest(0, ["tests/test_core.py::test_total"])
    (found,) = play(capture.done()).disagreements
    assert (found.refuted, found.covered, found.forged) == (["tests/test_core.py::test_total"], True, False)


def test_a_refuted_pass_is_not_forged_where_the_tests_pass_in_the_end(capture: Capture, play: Play) -> None:
    capture.bash("./break", edits=BROKEN)
    observed_pytest(capture, 1, "python -m pytest", "python -m pytest")
    capture.bash("./mend", edits={"calc/core.py": MEAN})
    (found,) = play(capture.done()).disagreements
    assert found.refuted
    assert not found.forged


def test_a_script_that_may_have_run_a_part_of_the_tests_is_unknown_and_not_forged(capture: Capture) -> None:
    capture.files["Makefile"] = "test:\n\tpython -m pytest tests/unit\n"
    capture.bash("./break", edits={**BROKEN, "tests/unit/test_one.py": "def test_one():\n    assert 1\n"})
    observed_pytest(capture, 1, "make test", "python -m pytest tests/unit/test_one.py")
    report = score_session(read(capture.done())[0])
    (run,) = [e for e in report.events if isinstance(e, events.TestRunEvent)]
    assert run.outcome in ("unknown", "passed")
    assert not any(d.forged for d in report.replay.disagreements)


def test_a_run_in_a_directory_below_the_project_need_not_run_all_tests(capture: Capture, play: Play) -> None:
    capture.bash("./break", edits={**BROKEN, "tests/unit/test_one.py": "def test_one():\n    assert 1\n"})
    observed_pytest(capture, 1, "python -m pytest", "python -m pytest", f"{ROOT}/tests/unit")
    assert not any(d.forged for d in play(capture.done()).disagreements)


def test_a_test_that_never_passed_in_a_replay_refutes_nothing(capture: Capture, play: Play) -> None:
    """What it needs may be there for the agent and not for the replay."""
    needs = "import os\n\n\ndef test_served():\n    assert os.path.exists('/tmp/server')\n"
    capture.bash("./write", edits={"tests/test_served.py": needs})
    observed_pytest(capture, 2, "python -m pytest", "python -m pytest")
    (found,) = play(capture.done()).disagreements
    assert (found.tests, found.refuted, found.forged) == (["tests/test_served.py::test_served"], [], False)


def in_a_copy(capture: Capture, claim: str) -> list[Disagreement]:
    """The disagreements, of a run on the old code in a copy after the change."""
    capture.bash("./break", edits=BROKEN)
    copy = "cp -r /work/shop /tmp/copy; cd /tmp/copy; git checkout -q -- .; python -m pytest"
    observed_pytest(capture, 1, copy, "python -m pytest", "/tmp/copy")
    report = score_session(read(capture.done(claim))[0])
    return report.replay.disagreements


def test_a_pass_of_the_old_code_that_is_claimed_for_the_new_is_forged(capture: Capture) -> None:
    (found,) = in_a_copy(capture, "I ran the whole test suite: all tests pass.")
    assert (found.elsewhere, found.forged) == (True, True)


def test_a_pass_of_the_old_code_that_nobody_claims_for_the_new_is_none(capture: Capture) -> None:
    assert in_a_copy(capture, "The old code is fine; I could not run the tests on my change.") == []
