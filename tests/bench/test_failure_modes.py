"""Failure modes of projects, each planted once, and beside each a project that has nothing of it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Literal

import pytest

from builders import Session as Log
from rigorbench.bench.experiment.records import ProjectOutcome, SubmissionFact
from rigorbench.bench.projects.failure_modes import failure_modes
from rigorbench.bench.projects.outcome import code_size, local_results
from rigorbench.judge.codereview.result import ReviewResult, RuleResult, Violation
from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.judge.judgement import Compilation, GroupResult, Judgement, PointResult
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.verdicts import Verdict
from rigorbench.judge.submission import from_path

AC, WA, TLE, LEAK, RE = "accepted", "wrong_answer", "time_limit_exceeded", "memory_leak", "runtime_error"
CHECK = "import subprocess, sys\nsys.exit(subprocess.call(['./code']))\n"
SUBMIT = "git push -q origin HEAD:main && python3 /opt/rigor-oj/oj_client.py submit --wait"


def judgement(**groups: list[Verdict]) -> Judgement:
    """A judgement with a group for each name, and a point for each verdict; ``sample`` has no points to win."""
    made = [
        GroupResult(
            name if name == "sample" else f"secret/{name}",
            max(verdicts, key=lambda v: v != AC),
            0.0,
            0.0 if name == "sample" else 50.0,
            [PointResult(f"{name}/{n}", verdict, float(verdict == AC)) for n, verdict in enumerate(verdicts, 1)],
        )
        for name, verdicts in groups.items()
    ]
    return Judgement("p", "", "", "cpp", WA, 0.0, 100.0, made, Compilation(True))


def project(*scores: float, turns: tuple[int, ...] = (), **more: object) -> ProjectOutcome:
    facts = [
        SubmissionFact(n, 1.0, turn, AC if score == 100 else WA, score, 100.0)
        for n, (score, turn) in enumerate(zip(scores, turns or range(1, len(scores) + 1), strict=True), 1)
    ]
    curve: list[float | None] = [max(scores[:n]) for n in range(1, len(scores) + 1)]
    best = scores.index(max(scores)) + 1 if scores else None
    made = ProjectOutcome(max(scores, default=0.0), 50.0, 50.0, curve, None, best, 9, facts, {}, "x", unsubmitted=False)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def review(kind: str, outcome: str = "failed", task: bool = False) -> ReviewResult:
    found = [Violation("src/a.cpp", 3, "std::map is not allowed")]
    rule = RuleResult("own-map", kind, "", outcome, found, disqualifies=task)  # type: ignore[arg-type]
    return ReviewResult("p", "", "", 50.0, [rule])


@pytest.mark.parametrize(
    ("groups", "kind", "said"),
    [
        ({"sample": [WA], "basic": [AC, AC]}, "misread-specification", "an example of the statement: 1 wrong answer"),
        ({"sample": [AC], "basic": [AC, AC], "restart": [WA, WA, WA]}, "misread-specification", "secret/restart"),
        ({"sample": [AC], "basic": [AC, AC, AC, WA]}, "edge-cases", "3 of 4 points are right; not 4 wrong answer"),
        ({"sample": [AC], "basic": [AC, AC], "edges": [WA, "skipped", "skipped"]}, "edge-cases", "0 of 3 points are"),
        ({"basic": [AC], "edges": [AC, WA, *["skipped"] * 8]}, "edge-cases", "1 of 10 points are right; not 2 wrong"),
        ({"basic": [WA, "skipped"]}, "misread-specification", "secret/basic is right: 1 wrong answer; 1 not judged"),
        ({"sample": [AC], "basic": [AC], "volume": [TLE, TLE]}, "complexity", "secret/volume: 1 time limit exceeded"),
        ({"basic": [AC], "volume": [AC, "memory_limit_exceeded", "skipped"]}, "complexity", "2 memory limit exceeded"),
        ({"basic": [AC], "files": [AC, "disk_limit_exceeded"]}, "complexity", "secret/files: 2 disk limit exceeded"),
        ({"basic": [AC], "leaks": [LEAK]}, "exceptions-and-leaks", "secret/leaks: 1 memory leak"),
        ({"basic": [AC], "throwing": [AC, RE]}, "exceptions-and-leaks", "secret/throwing: 2 runtime error"),
        ({"basic": [AC], "memory": [AC, "invalid_access"]}, "exceptions-and-leaks", "secret/memory: 2 invalid access"),
    ],
)  # fmt: skip
def test_a_mode_is_seen_in_the_verdicts_of_points(groups: dict[str, list[Verdict]], kind: str, said: str) -> None:
    (found,) = failure_modes(project(50), judgement(**groups), None, 5)
    assert (found.kind, found.submission) == (kind, 1)
    assert said in found.evidence


def test_a_finished_project_has_no_failure() -> None:
    broken = review("constructs", task=True)
    made = project(0, 0, 0, 100, unsubmitted=True, unsubmitted_files=["a.cpp"])
    assert failure_modes(made, judgement(sample=[AC], basic=[AC, AC]), broken, 60) == []


def test_nothing_is_slow_that_never_worked() -> None:
    assert failure_modes(project(0), judgement(basic=[TLE], volume=[TLE]), None, 5) == []


@pytest.mark.parametrize("task", [True, False])
def test_a_broken_rule_that_is_the_task_is_named_with_its_place_and_one_of_style_is_not(task: bool) -> None:
    found = failure_modes(project(90), judgement(basic=[AC]), review("constructs", task=task), 5)
    assert [f.kind for f in found] == ["misread-specification"] * task
    assert all("src/a.cpp:3" in f.evidence for f in found)


@pytest.mark.parametrize(
    ("scores", "files", "said"),
    [
        ((90,), ["a.cpp"], "a.cpp"),
        ((20, 90), ["README.md", "src/a.cpp"], "README.md, src/a.cpp"),
        ((90, 20), ["a.c", "b.c", "c.c", "d.c"], "a.c, b.c, c.c and 1 more"),
    ],
)
def test_work_that_was_never_submitted(scores: tuple[float, ...], files: list[str], said: str) -> None:
    (found,) = failure_modes(project(*scores, unsubmitted=True, unsubmitted_files=files), None, None, 5)
    expected = ("version-control-gap", len(scores), f"not as submitted last: {said}")
    assert (found.kind, found.submission, found.evidence) == expected


@pytest.mark.parametrize(
    ("scores", "turns", "total", "said"),
    [
        ((40, 40, 30, 20), (5, 6, 7, 8), 9, "3 submissions without a gain after submission 1 (40 of 100)"),
        ((0, 0, 0), (5, 6, 7), 9, "3 submissions without a gain from the start"),
        ((40, 40), (10, 60), 90, "80 of 90 turns without a gain after submission 1 (40 of 100)"),
        ((40, 80), (10, 80), 90, None),
        ((40, 100), (10, 20), 90, None),
        ((40,), (10,), 25, None),
    ],
)
def test_long_without_progress(scores: tuple[float, ...], turns: tuple[int, ...], total: int, said: str | None) -> None:
    found = [f for f in failure_modes(project(*scores, turns=turns), None, None, total) if f.kind == "no-progress"]
    assert [f.evidence for f in found] == ([said] if said else [])


def log(*steps: str) -> Log:
    made = Log("Write it").write("main.cpp", "int main() { return 1; }\n").write("tests/check.py", CHECK)
    for step in steps:
        if step == "edit":
            made = made.write("main.cpp", f"// {len(made.steps)}\n")
        else:
            made = made.shell("python3 tests/check.py", exit_status=0 if step == "green" else 1)
    return made


@pytest.mark.parametrize(
    ("steps", "local"),
    [
        (["green"], "passed"),
        (["red"], "failed"),
        (["green", "edit"], None),
        ([], None),
        (["red", "edit", "green"], "passed"),
    ],
)
def test_what_the_agents_own_tests_said_when_it_submitted(steps: list[str], local: str | None) -> None:
    made = log(*steps).shell(SUBMIT, "submission 1: wrong answer, 40 of 100 points\n", exit_status=1)
    assert local_results(made.say("Done.").build()) == [local]


def test_asking_for_a_verdict_is_no_test_of_its_own() -> None:
    status = "python3 /opt/rigor-oj/oj_client.py status 1"
    made = log("green").shell(SUBMIT, "submission 1: wrong answer, 40 of 100 points\n", exit_status=1)
    made = made.shell(status, "submission 1: wrong answer, 40 of 100 points\n", exit_status=0)
    made = made.shell(SUBMIT, "submission 2: wrong answer, 40 of 100 points\n", exit_status=1)
    assert local_results(made.say("Done.").build()) == ["passed", "passed"]


def test_what_a_compiled_program_of_its_own_shows_is_not_known() -> None:
    made = Log("Write it").write("queue.hpp", "int f();\n")
    made = made.write(
        "tests/check.cpp", '#include "../queue.hpp"\n#include <cassert>\nint main() { assert(f() == 1); }\n'
    )
    made = made.shell("g++ -o /tmp/check tests/check.cpp && /tmp/check", "", exit_status=0)
    made = made.shell(SUBMIT, "submission 1: wrong answer, 40 of 100 points\n", exit_status=1)
    assert local_results(made.say("Done.").build()) == [None]


@pytest.mark.parametrize(
    ("local", "misled"),
    [
        (["passed", "passed"], [1]),
        (["passed", "passed", "passed"], [1, 3]),
        ([None, "failed", "passed"], [3]),
        (["failed", "passed", None], []),
    ],
)
def test_green_at_home_and_wrong_at_the_judge(
    local: list[Literal["passed", "failed"] | None], misled: list[int]
) -> None:
    made = project(40, 90, 40)
    made.submissions = made.submissions[: len(local)]
    made.submissions[1].verdict = AC
    for one, ended in zip(made.submissions, local, strict=True):
        one.local = ended
    found = failure_modes(made, None, None, 5)
    assert [(f.kind, f.submission) for f in found] == [("local-green", number) for number in misled]
    assert all("wrong answer (40 of 100 points)" in f.evidence for f in found)


def test_the_size_of_the_code(tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_text("int f(int a) {\n  if (a) return 1;\n\n  return 2;\n}\n")
    (tmp_path / "test_main.cpp").write_text("int main() { return 0; }\n")
    (tmp_path / "README.md").write_text("words\n")
    found = code_size(tmp_path)
    assert (found.files, found.lines) == (1, 4)


def test_the_complexity_of_the_code(tmp_path: Path) -> None:
    pytest.importorskip("lizard")
    (tmp_path / "a.cpp").write_text("int f(int a) { if (a > 1 && a < 3) return 1; return 2; }\nint g() { return 1; }\n")
    found = code_size(tmp_path)
    assert (found.functions, found.complexity, found.most_complex) == (2, 2.0, 3)


SUITE = Path(__file__).parents[2] / "suites" / "projdev"


@pytest.mark.bwrap
@pytest.mark.slow(reason="compiles and judges twenty submissions")
@pytest.mark.parametrize(
    ("package", "submission", "kinds"),
    [
        ("booked-minutes", "accepted/blocks-cpp", set()),
        ("page-allocator", "accepted/bitmaps", set()),
        ("bookshop", "accepted/tables-cpp", set()),
        ("booked-minutes", "presentation_error/capital-letters", {"misread-specification"}),
        ("booked-minutes", "wrong_answer/later-end-wins", {"misread-specification"}),
        ("page-allocator", "wrong_answer/takes-the-highest", {"misread-specification"}),
        ("booked-minutes", "wrong_answer/needs-a-booking", {"edge-cases"}),
        ("booked-minutes", "wrong_answer/times-of-32-bits", {"edge-cases"}),
        ("page-allocator", "wrong_answer/shrink-loses-the-rest", {"edge-cases"}),
        ("booked-minutes", "time_limit_exceeded/inserts-in-order", {"complexity"}),
        ("booked-minutes", "memory_limit_exceeded/every-minute", {"complexity"}),
        ("page-allocator", "time_limit_exceeded/looks-at-every-frame", {"complexity"}),
        ("booked-minutes", "run_time_error/room-for-a-thousand", {"exceptions-and-leaks"}),
        ("stable-map", "memory_leak/forgotten-on-assignment", {"exceptions-and-leaks"}),
        ("page-allocator", "run_time_error/looks-beyond-the-zone", {"exceptions-and-leaks"}),
    ],
)
def test_the_fault_of_a_judged_submission_is_named(
    package: str, submission: str, kinds: set[str], tmp_path: Path
) -> None:
    problem = load_problem(SUITE / package)
    with contextlib.closing(Judge(JudgeSettings(slots=1))) as judge:
        taken = from_path(SUITE / package / "submissions" / submission, tmp_path / "s", limit=problem.limits.code)
        judged = judge.judge(problem, taken)
    assert judged.score is not None
    assert {f.kind for f in failure_modes(project(100 * judged.score / judged.full), judged, None, 5)} == kinds
