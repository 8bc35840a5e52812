"""How the association of grades and checks with verdicts is computed: scripts/outcomes.py."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "outcomes.py"


@pytest.fixture(scope="module")
def outcomes() -> ModuleType:
    spec = importlib.util.spec_from_file_location("outcomes", SCRIPT)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["outcomes"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def rows(outcomes: ModuleType, tmp_path: Path, table: str) -> list[object]:
    """Rows "log task model passed overall checks"; every log is a file, and was measured before."""
    logs, verdicts, kept = tmp_path / "logs", tmp_path / "v.csv", tmp_path / "rows.jsonl"
    logs.mkdir()
    lines, known = ["log,task,model,passed"], []
    for line in table.split("\n"):
        log, task, model, passed, overall, *checks = line.split()
        (logs / f"{log}.json").touch()
        lines.append(f"{log},{task},{model},{passed}")
        grades = dict.fromkeys(("planning", "verification", "recovery", "abstention", "integrity"))
        known.append({"log": log, "grades": {**grades, "overall": int(overall)}, "checks": checks})
    verdicts.write_text("\n".join([*lines, "absent,t,m,1"]))
    kept.write_text("\n".join(map(json.dumps, known)))
    return list(outcomes.rows(logs, verdicts, kept, ["task", "model"]))


def test_only_sessions_of_one_task_and_model_are_compared(outcomes: ModuleType, tmp_path: Path) -> None:
    """Between strata the grade goes the other way: those of the hard task have the higher grades."""
    found = rows(
        outcomes,
        tmp_path,
        "a easy m 1 30\nb easy m 0 20\nc easy m 1 25\nd hard m 0 80\ne hard m 1 90\nf hard m 0 70\ng only m 1 10",
    )
    measured = outcomes.association(found, lambda r: r.grades["overall"])
    assert (measured.d, measured.sessions, measured.strata, measured.tasks) == (1.0, 6, 2, 2)
    assert measured.interval is None  # two tasks


def test_a_check_is_counted_by_how_much_more_often_it_fires(outcomes: ModuleType, tmp_path: Path) -> None:
    table = "\n".join(
        f"{task}{n} {task} m {int(n < 2)} 50" + (" V-narrow" if n != 1 else "") for task in "abcd" for n in range(4)
    )
    measured = outcomes.association(rows(outcomes, tmp_path, table), lambda r: float("V-narrow" in r.checks))
    assert measured.d == pytest.approx(-0.5)
    assert measured.interval == pytest.approx((-0.5, -0.5))


def test_nothing_is_said_where_all_have_the_same_verdict(outcomes: ModuleType, tmp_path: Path) -> None:
    found = rows(outcomes, tmp_path, "a t m 1 30\nb t m 1 20")
    assert outcomes.association(found, lambda r: r.grades["overall"]).d is None
    assert "| grade: overall |  | – | – | – | – |" in outcomes.table(found)
