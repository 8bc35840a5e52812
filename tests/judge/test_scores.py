"""Scores: the formulas, the published figures from their own parts, and settings from documents on disk."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_experiment import make_manifest
from rigorbench.bench.projects.scores.formulas import (
    JudgedPart,
    best_of_first,
    curve,
    distribution,
    execution,
    expected_best,
    final_score,
    released_execution,
    released_mean,
    setting_mean,
)
from rigorbench.cli.judge.scores import command
from rigorbench.judge.codereview.result import ReviewResult
from rigorbench.judge.judgement import Judgement
from rigorbench.judge.problems.verdicts import VERDICTS, Verdict

# What the benchmark's page publishes for each configuration (facts, arXiv 2602.01655): execution and code review on the
# 15 Easy problems, on the 5 Hard ones, on all; final.
PUBLISHED = {
    "Codex, GPT-5": (79.24, 82.11, 69.22, 82.90, 76.73, 82.31, 77.85),
    "Cursor, Gemini-3-Pro": (72.87, 88.67, 71.47, 80.03, 72.52, 86.51, 75.32),
    "Augment, GPT-5": (77.10, 76.00, 57.22, 65.03, 72.13, 73.26, 72.35),
    "Cursor, GPT-5": (69.74, 80.56, 67.80, 87.27, 69.26, 82.23, 71.85),
    "Cursor, Sonnet-4.5": (71.12, 85.67, 60.17, 66.47, 68.39, 80.87, 70.88),
    "Augment, Sonnet-4.5": (69.14, 92.56, 56.81, 67.43, 66.06, 86.28, 70.10),
    "Claude Code, Sonnet-4.5": (66.85, 92.89, 54.47, 78.57, 63.76, 89.31, 68.87),
    "Gemini CLI, Gemini-3-Pro": (74.57, 80.33, 35.53, 94.20, 64.81, 83.80, 68.61),
    "Copilot, Sonnet-4.5": (71.10, 87.89, 36.63, 80.23, 62.48, 85.97, 67.18),
    "Codex, Sonnet-4.5": (66.07, 68.22, 31.88, 83.23, 57.52, 71.98, 60.41),
}
# Each published figure is rounded to .01; a weighted mean of rounded ones can be off by as much again.
ROUNDING = 0.0101


@pytest.mark.parametrize("row", PUBLISHED.values(), ids=PUBLISHED.keys())
def test_the_published_aggregates_follow_from_the_published_parts(row: tuple[float, ...]) -> None:
    easy_exec, easy_review, hard_exec, hard_review, all_exec, all_review, final = row
    names = [f"E{n}" for n in range(15)] + [f"H{n}" for n in range(5)]
    executions = {name: easy_exec if name[0] == "E" else hard_exec for name in names}
    reviews = {name: easy_review if name[0] == "E" else hard_review for name in names}
    assert setting_mean(executions, names) == pytest.approx(all_exec, abs=ROUNDING)
    assert setting_mean(reviews, names) == pytest.approx(all_review, abs=ROUNDING)
    assert final_score(all_exec, all_review) == pytest.approx(final, abs=ROUNDING)
    # The check has teeth: neither an unweighted mean of the two groups nor another weight of the review gives the rows.
    assert abs((easy_exec + hard_exec) / 2 - all_exec) > ROUNDING
    assert abs(0.7 * all_exec + 0.3 * all_review - final) > ROUNDING


def test_the_published_distribution_of_verdicts() -> None:
    counts: dict[Verdict, int] = {
        "accepted": 484,
        "wrong_answer": 740,
        "time_limit_exceeded": 246,
        "runtime_error": 124,
        "compile_error": 80,
        "memory_leak": 62,
        "memory_limit_exceeded": 24,
        "judge_error": 8,
    }
    found = distribution(itertools.chain.from_iterable([verdict] * n for verdict, n in counts.items()))
    assert {name: (n, round(share, 2)) for name, (n, share) in found.items()} == {
        "accepted": (484, 27.38),
        "wrong_answer": (740, 41.86),
        "time_limit": (246, 13.91),
        "runtime_error": (124, 7.01),
        "compile_error": (80, 4.52),
        "memory_leak": (62, 3.51),
        "memory_limit": (24, 1.36),
        "other": (8, 0.45),
    }
    assert sum(n for n, _ in found.values()) == 1_768


def test_every_verdict_has_a_class_and_nothing_gives_no_share() -> None:
    assert sum(n for n, _ in distribution(VERDICTS).values()) == len(VERDICTS)
    assert distribution([])["accepted"] == (0, 0.0)


def test_execution_over_several_parts() -> None:
    parts = [JudgedPart((40, 80, 60), 100, 1), JudgedPart((5, None), 50, 3)]
    assert execution(parts) == pytest.approx((0.8 * 1 + 0.1 * 3) / 4 * 100)
    assert execution(parts, 1) == pytest.approx((0.4 * 1 + 0.1 * 3) / 4 * 100)
    assert execution([JudgedPart((), 100, 1), JudgedPart((100,), 100, 1)]) == 50
    assert execution([JudgedPart((None, None))]) is None, "the judge failed: that is not 0"
    assert execution([]) is None
    assert execution([JudgedPart((), 100)]) == 0


def test_where_the_release_differs() -> None:
    """It reaches 125 of 100, leaves out what nobody submitted to, and drops failed runs."""
    parts = [JudgedPart((125,), 100)]
    assert (released_execution(parts), execution(parts)) == (125, 100)
    parts = [JudgedPart((100,), 100, 1), JudgedPart((), 100, 1)]
    assert (released_execution(parts), execution(parts)) == (100, 50)
    scores = {"a": 80.0, "b": None}
    assert (released_mean(scores), setting_mean(scores, ["a", "b", "c"])) == (80, pytest.approx(80 / 3))


@given(st.lists(st.none() | st.floats(-50, 200), max_size=12))
def test_the_best_of_the_first_never_falls_and_is_of_100(points: list[float | None]) -> None:
    best = best_of_first(points)
    assert len(best) == len(points)
    known = [value for value in best if value is not None]
    assert known == sorted(known)
    assert all(0 <= value <= 100 for value in known)
    if points:
        assert best[-1] == execution([JudgedPart(tuple(points))])
        assert all(best[k] == execution([JudgedPart(tuple(points))], k + 1) for k in range(len(points)))


def test_a_judge_error_counts_for_nothing() -> None:
    assert best_of_first([None, 30, None, 20]) == [None, 30, 30, 30]


@given(st.lists(st.sampled_from([0.0, 25.0, 50.0, 100.0]), min_size=1, max_size=6))
def test_the_expected_best_is_the_mean_over_all_choices(values: list[float]) -> None:
    for k in range(1, len(values) + 1):
        every = [max(chosen) for chosen in itertools.combinations(values, k)]
        assert expected_best(values, k) == pytest.approx(sum(every) / len(every))
    with pytest.raises(ValueError, match="no best of"):
        expected_best(values, len(values) + 1)


@pytest.mark.parametrize(
    ("points", "progress", "last_gain", "idle", "dropped"),
    [
        ([], "none", None, 0, None),
        ([None], "none", None, 1, None),
        ([0, 0], "none", None, 2, 0),
        ([0, 0, 0], "plateau", None, 3, 0),
        ([10, 20, 30], "improving", 3, 0, 0),
        ([10, 30, 20, 30], "improving", 2, 2, 0),
        ([10, 30, 20, 30, 5], "plateau", 2, 3, 25),
        ([10, 100, 0, 0, 0], "solved", 2, 3, 100),
        ([125], "solved", 1, 0, 0),
    ],
)
def test_the_course_of_a_run(
    points: list[float | None], progress: str, last_gain: int | None, idle: int, dropped: float | None
) -> None:
    found = curve(points)
    assert (found.progress, found.last_gain, found.idle, found.dropped) == (progress, last_gain, idle, dropped)


def test_final_needs_both() -> None:
    assert final_score(50, 100) == 60
    assert final_score(None, 100) is None
    assert final_score(50, None) is None


# -- documents


def judgement(problem: str, score: float | None, verdict: Verdict = "wrong_answer", **more: object) -> bytes:
    started = more.pop("started", 0.0)
    made = Judgement(problem, "0" * 64, "1" * 64, "cpp", verdict, score, 100.0, started=started)  # type: ignore[arg-type]
    return msgspec.json.encode({**msgspec.to_builtins(made), **more})


def scored(paths: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    code = command([*paths, "--json"])
    return code, json.loads(capfd.readouterr().out)


def test_settings_from_documents(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [
        judgement("p", 40, started=2.0, setting="s", run="1"),
        judgement("p", 10, started=1.0, setting="s", run="1"),
        judgement("p", 100, "accepted", started=3.0, setting="s", run="1"),
        judgement("p", 90, started=4.0, setting="s", run="1", counted=False),
        judgement("p", 50, started=1.0, setting="s", run="2"),
        judgement("q", None, "judge_error", started=1.0, setting="s", run="1"),
        msgspec.json.encode(
            {**msgspec.to_builtins(ReviewResult("p", "x", "y", 80.0)), "setting": "s", "run": "1"},
        ),
    ]
    file = tmp_path / "all.jsonl"
    file.write_bytes(b"\n".join(lines))
    problems = tmp_path / "problems.toml"
    problems.write_text(
        '[[problem]]\nid = "p"\nsubmissions = 5\n[[problem]]\nid = "q"\n[[problem]]\nid = "never-tried"\n'
    )
    code, found = scored([str(file), "--problems", str(problems)], capfd)
    assert code == 0
    [setting] = found["settings"]  # type: ignore[misc]
    assert (setting["problems"], setting["runs"], setting["submissions"]) == (3, 3, 5)
    assert setting["execution"] == pytest.approx((100 + 50) / 2 / 3)
    assert setting["first"] == pytest.approx((10 + 50) / 2 / 3)
    assert setting["at"] == pytest.approx([(10 + 50) / 6, (40 + 50) / 6, (100 + 50) / 6])
    assert setting["released"] == pytest.approx(75), "the release drops what has no score"
    runs = {(run["run"], run["problem"]): run for run in found["runs"]}  # type: ignore[attr-defined]
    assert runs["1", "p"]["final"] == pytest.approx(0.8 * 100 + 0.2 * 80)
    assert runs["1", "p"]["curve"]["best"] == [10, 40, 100]
    assert runs["1", "q"]["execution"] is None
    assert setting["verdicts"]["accepted"] == [1, 20.0]
    capfd.readouterr()
    assert command([str(file), "--runs"]) == 0
    out = capfd.readouterr().out
    assert "Exec@k" in out
    assert "solved" in out


def test_parts_with_weights(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.jsonl").write_bytes(
        b"\n".join(
            [judgement("add", 100, started=1.0), judgement("mul", 0, started=2.0), judgement("mul", 50, started=3.0)]
        )
    )
    problems = tmp_path / "p.toml"
    problems.write_text('[[problem]]\nid = "big"\nparts = { add = 1, mul = 3 }\n')
    _, found = scored([str(tmp_path / "run.jsonl"), "--problems", str(problems)], capfd)
    [run] = found["runs"]  # type: ignore[misc]
    assert run["curve"]["best"] == [25, 25, 62.5]
    assert run["execution"] == 62.5
    assert run["run"] == "run"


def test_repeats_give_pass_at_and_hat(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for run, score in (("a", 100), ("b", 100), ("c", 40)):
        folder = tmp_path / run
        folder.mkdir()
        (folder / "1.json").write_bytes(judgement("p", score))
    _, found = scored([str(tmp_path)], capfd)
    [setting] = found["settings"]  # type: ignore[misc]
    assert setting["runs"] == 3
    assert setting["pass_at"] == pytest.approx({"1": 2 / 3, "2": 1, "3": 1})
    assert setting["pass_hat"] == pytest.approx({"1": 2 / 3, "2": 1 / 3, "3": 0})
    assert setting["best_of"] == pytest.approx({"1": 80, "2": 100, "3": 100})


def test_an_interval_over_problems(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("scipy")
    scores = {f"p{n}": value for n, value in enumerate((10, 30, 50, 70, 90, 20, 60))}
    (tmp_path / "run.jsonl").write_bytes(b"\n".join(judgement(name, value) for name, value in scores.items()))
    _, found = scored([str(tmp_path)], capfd)
    interval = found["settings"][0]["execution_interval"]  # type: ignore[index]
    mean = sum(scores.values()) / len(scores)
    assert 0 < interval["low"] < mean < interval["high"] < 100
    assert found["settings"][0]["execution"] == pytest.approx(mean)  # type: ignore[index]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "line 1: not JSON"),
        (b"[1]", "expected rigor-judgement/1"),
        (b'{"schema": "rigor-judgement/1"}', "missing required field"),
        (b"", "no judgement"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_input_that_cannot_be_used(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    assert command([str(file)]) == 1
    err = capfd.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "good.json").write_bytes(judgement("p", 50))
    code, found = scored([str(tmp_path), str(tmp_path / "absent")], capfd)
    assert code == 1
    assert len(found["runs"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "[[problem]]\nid = 3",
        '[[problem]]\nid = "p"\nparts = { a = -1 }',
        '[[problem]]\nid = "p"\nsubmissions = 0',
        '[[problem]]\nid = "p"\n[[problem]]\nid = "p"',
        '[[problem]]\nid = "p"\nother = 1',
        "x",
    ],
)
def test_wrong_problem_files(tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str) -> None:
    from rigorbench.cli.common import run

    file = tmp_path / "p.toml"
    file.write_text(text)
    assert run(command, "judge scores", [str(tmp_path), "--problems", str(file)]) == 2
    err = capfd.readouterr().err
    assert str(file) in err
    assert err.count("\n") == 1


# -- experiments


def experiment(out: Path) -> None:
    """Two policies on two problems: one submits twice, one does nothing, one run broke, and one was never made."""
    from rigorbench.bench.experiment.records import ProjectOutcome, RunResult, SubmissionFact

    policies = ("scripted/good", "scripted/idle")
    manifest = make_manifest(tasks=("p", "q"), models=policies)
    for subject in manifest.tasks.values():
        subject.facts["project"] = {}
    out.mkdir()
    (out / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    for cell in manifest.cells:
        good = cell.model == "scripted/good"
        facts = [("wrong_answer", 30.0), ("accepted", 100.0)] if good else []
        submissions = [SubmissionFact(n, 1.0, n, verdict, score, 100.0) for n, (verdict, score) in enumerate(facts, 1)]
        project = ProjectOutcome(
            100.0 if good else 0.0, 50.0 if good else 0.0, None, [], None, None, 3, submissions, {}, "x"
        )
        status = "error" if (cell.task, good) == ("q", True) else "completed"
        if (cell.task, good) == ("q", False):
            continue
        run = out / "runs" / cell.id
        (run / "submissions" / "1").mkdir(parents=True)
        # What the judge wrote beside a submission is the same verdict once more, and no run of its own.
        (run / "submissions" / "1" / "judgement.json").write_bytes(judgement("p", 30))
        result = RunResult("rigor-run/1", cell, status, 1.0, 1.0, project=None if status == "error" else project)  # type: ignore[arg-type]
        (run / "result.json").write_bytes(msgspec.json.encode(result))


def test_an_experiment_is_read_by_its_conditions(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    experiment(tmp_path / "out")
    assert command([str(tmp_path), "--json"]) == 0
    out, err = capfd.readouterr()
    found = json.loads(out)
    settings = {s["setting"]: s for s in found["settings"]}
    assert sorted(settings) == ["react, baseline, scripted/good", "react, baseline, scripted/idle"]
    good, idle = settings["react, baseline, scripted/good"], settings["react, baseline, scripted/idle"]
    assert (good["runs"], good["submissions"], good["failed"]) == (1, 2, 1)
    assert (good["execution"], good["first"], good["at"]) == (50, 15, [15, 50])
    assert (idle["runs"], idle["submissions"], idle["execution"]) == (1, 0, 0)
    (run,) = [r for r in found["runs"] if r["submissions"]]
    assert run["final"] == pytest.approx(0.8 * 100 + 0.2 * 50)
    assert "1 of 4 runs have no result yet" in err
    assert "1 of 4 runs broke" in err


def test_the_easiest_problems(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    experiment(tmp_path / "out")
    assert command([str(tmp_path / "out"), "--easiest", "1", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert {r["problem"] for r in found["runs"]} == {"p"}
    assert [s["problems"] for s in found["settings"]] == [1, 1]
    assert max(s["execution"] for s in found["settings"]) == 100
