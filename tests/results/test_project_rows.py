"""Projects in the tables of results: what `rigor query` finds of submissions and failures."""

from __future__ import annotations

from pathlib import Path

from fake_projects import write_projects
from rigorbench.bench.experiment.records import HintFact, RunResult
from rigorbench.bench.experiment.results.read import read_experiment


def test_submissions_and_failures_are_rows(tmp_path: Path) -> None:
    def hinted(run: RunResult) -> None:
        run.project.hints = [
            HintFact(1, 30.0, 4, "2-edges", None, "package", "use 64 bits", 0.0, 45.0),
            HintFact(2, 90.0, 9, None, "Why?", "person", None, 45.0, None),
        ]

    write_projects(tmp_path, hinted, tasks=("queue", "store"), models=("acme/fast",), repeats=1)
    tables = read_experiment(tmp_path, ".", print)
    queue, store = tables.rows["runs"]
    assert (queue["execution"], queue["code_review"], queue["final"]) == (100, 80, 96)
    assert (queue["submissions"], queue["best_submission"], queue["first_pass_turn"]) == (2, 2, 21)
    assert (queue["files"], queue["lines"], queue["complexity"]) == (3, 200, 2.5)
    assert (queue["failure_modes"], store["failure_modes"]) == ([], ["edge-cases"])
    assert store["first_pass_turn"] is None
    found = [s for s in tables.rows["submissions"] if s["run"] == store["run"]]
    assert [(s["submission"], s["turn"], s["points"], s["best"]) for s in found] == [(1, 6, 45, 45), (2, 25, 90, 90)]
    (failure,) = tables.rows["project_failures"]
    assert (failure["run"], failure["kind"], failure["submission"]) == (store["run"], "edge-cases", 2)
    assert (store["hints"], store["verdicts"]) == (1, ["wrong_answer", "wrong_answer"])
    given, asked = (h for h in tables.rows["hints"] if h["run"] == store["run"])
    assert (given["part"], given["source"], given["before"], given["after"]) == ("2-edges", "package", 0, 45)
    assert (asked["question"], asked["text"], asked["seconds"], asked["turn"]) == ("Why?", None, 90, 9)
    facts = {t["task"]: (t["category"], t["difficulty"], t["starter"]) for t in tables.rows["tasks"]}
    assert facts == {"queue": ("storage", "easy", True), "store": ("game", "hard", False)}
