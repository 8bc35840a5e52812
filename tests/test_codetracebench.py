"""The adapter to CodeTraceBench: invented rows in its published form, from the manifest to precision and recall."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from judged_answers import whole
from rigorbench.api import read
from rigorbench.cli import main

SPEC = spec_from_file_location("codetracebench", Path(__file__).parents[1] / "benchmarks/codetracebench.py")
assert SPEC.loader is not None
bench: Any = module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


def step(number: int, action: str, observation: str | None, **more: str) -> dict[str, Any]:
    file = {"path": "agent-logs/mini.traj.json", "line_start": number, "line_end": number, "content": action}
    return {"step_id": number, "action": action, "observation": observation, "action_ref": file, **more}


STEPS = {
    "miniswe-shop-1a2b": [
        step(1, "cat shop/cart.py", "def total(items):\n    return 0", thinking="Look at the sum first."),
        step(2, "sed -i 's/return 0/return 1/' shop/cart.py", ""),
        step(3, "python -m pytest -q", "1 failed in 0.10s"),
        step(4, "echo done", None),
    ],
    "openhands-shop-3c4d": [
        step(7, 'str_replace_editor({"command": "view", "path": "/shop/cart.py"})', "1 def total", tool_type="editor"),
        step(8, "python -m pytest -q", "2 passed in 0.10s", tool_type="execute_bash"),
    ],
}
ROWS = [
    {
        "traj_id": "miniswe-shop-1a2b", "agent": "mini-SWE-agent", "model": "Some/Model", "task_name": "shop-total",
        "solved": False, "step_count": 4, "stages": [{"stage_id": 1, "start_step_id": 1, "end_step_id": 4}],
        "incorrect_stages": [{"stage_id": 1, "incorrect_step_ids": [2, 3], "unuseful_step_ids": [1], "steps": []}],
    },
    {
        "traj_id": "openhands-shop-3c4d", "agent": "OpenHands", "model": "Some/Model", "task_name": "shop-total",
        "solved": True, "step_count": 2, "stages": [],
        "incorrect_stages": json.dumps([{"stage_id": 1, "incorrect_step_ids": [8], "unuseful_step_ids": []}]),
    },
    {"traj_id": "not-downloaded", "agent": "Terminus2", "model": "m", "task_name": "t", "incorrect_stages": []},
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    for name, steps in STEPS.items():
        (tmp_path / "steps" / name).mkdir(parents=True)
        (tmp_path / "steps" / name / "steps.json").write_text(json.dumps(steps))
    (tmp_path / "steps" / "miniswe-shop-1a2b" / "task.md").write_text("Make total() add up the prices.")
    bench.main(["sessions", "rows.jsonl", "steps", "logs"])
    return tmp_path


def answer(at: list[str], quote: str, low: list[str]) -> dict[str, Any]:
    found = whole(at=(), accusations=[{"what": "a constant", "at": at, "quote": quote, "fact": "other"}])
    found["grades"]["verification"] |= {"value": "2", "at": low}
    return found


def test_a_trajectory_becomes_a_session_whose_places_are_its_steps_and_that_has_no_label(data: Path) -> None:
    assert sorted(p.name for p in (data / "logs").iterdir()) == ["miniswe-shop-1a2b.json", "openhands-shop-3c4d.json"]
    (session,) = read(data / "logs" / "miniswe-shop-1a2b.json")
    assert session.steps[0].text == "Make total() add up the prices."
    assert [s.calls[0].input["command"] for s in session.steps[1:]] == [s["action"] for s in STEPS["miniswe-shop-1a2b"]]
    (session,) = read(data / "logs" / "openhands-shop-3c4d.json")
    assert (session.steps[0].text, session.steps[1].calls[0].name) == ("shop-total", "str_replace_editor")
    texts = [p.read_text() for p in (data / "logs").iterdir()]
    assert not any(word in text for text in texts for word in ("incorrect", "unuseful", "solved"))


def test_the_steps_that_a_stored_answer_blames_are_compared_with_those_that_people_labelled(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["reader", "export", "logs"]) == 0
    prompts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    first = next(p for p in prompts if "sed -i" in p["user"])
    given = {"custom_id": first["custom_id"], "answer": answer(["2.1", "99"], "return 1", ["4"])}
    Path("answers.jsonl").write_text(json.dumps(given) + "\n")
    assert main(["reader", "import", "answers.jsonl", "--reader", "anna"]) == 0
    capsys.readouterr()
    bench.main(["compare", "rows.jsonl", "logs", "--reader", "anna"])
    out = capsys.readouterr().out
    assert "| accusations | 1 | 1 | 2 | 1.00 [1.00, 1.00] | 0.50 [0.50, 0.50] |" in out
    assert "| accusations, and grades of 2 or less | 1 | 2 | 2 | 0.50 [0.50, 0.50] | 0.50 [0.50, 0.50] |" in out
    assert "Who blames every step has a precision of 0.50." in out
    assert "1 trajectories without a reading are left out." in out
    bench.main(["compare", "rows.jsonl", "logs", "--reader", "anna", "--labels", "both"])
    assert "| accusations | 1 | 1 | 3 | 1.00 [1.00, 1.00] | 0.33 [0.33, 0.33] |" in capsys.readouterr().out


def test_step_ids_that_do_not_begin_with_one_are_those_of_the_labels(data: Path) -> None:
    ids = json.loads((data / "logs.steps.json").read_text())
    assert ids["openhands-shop-3c4d"] == [7, 8]
    assert bench.labelled(ROWS[1], bench.LABELS["incorrect"]) == {8}


def test_an_interval_over_trajectories_contains_the_figure_and_is_none_where_nobody_blamed() -> None:
    counts = [(1, 2, 2, 9), (0, 1, 3, 9), (2, 2, 2, 9), (1, 4, 1, 9)]
    assert bench.share(counts, 1) == pytest.approx(4 / 9)
    assert bench.interval(counts, lambda c: bench.share(c, 1)).startswith("0.44 [")
    assert bench.interval([(0, 0, 1, 9)], lambda c: bench.share(c, 1)) == "-"
