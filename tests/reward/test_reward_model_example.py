"""The recipes of examples/reward_model.py: data sets in the formats of trainers, a model that learns, and transfer."""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOGS = [str(ROOT / "tests" / "data" / "pi" / name) for name in ("disciplined.jsonl", "session.jsonl")]


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("reward_model", ROOT / "examples" / "reward_model.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_pairs_have_the_columns_of_the_trainers(example, tmp_path: Path) -> None:
    trl, factory, steps = tmp_path / "trl.jsonl", tmp_path / "factory.json", tmp_path / "steps.jsonl"
    for style, out in (("trl", trl), ("llama-factory", factory), ("trl-steps", steps)):
        assert example.main(["pairs", *LOGS, "--format", style, "--out", str(out)]) == 0
    (row,) = [json.loads(line) for line in trl.read_text().splitlines()]
    assert set(row) == {"prompt", "chosen", "rejected"}
    assert row["prompt"].startswith("The test suite of this package fails.")
    assert "[" in row["chosen"]
    assert row["chosen"] != row["rejected"]
    (ranked,) = json.loads(factory.read_text())
    assert ranked == {
        "instruction": row["prompt"], "input": "", "chosen": row["chosen"], "rejected": row["rejected"],
    }  # fmt: skip
    for line in steps.read_text().splitlines():
        one = json.loads(line)
        assert set(one) == {"prompt", "completions", "labels"}
        assert len(one["completions"]) == len(one["labels"]) > 1
    assert any(False in json.loads(line)["labels"] for line in steps.read_text().splitlines())


def invented(example, task: str, category: str, good: bool, chance: random.Random):
    """Disciplined sessions test before and after; the others commit at once. Their further words are by chance."""
    noise = [chance.choice(["alpha", "beta", "gamma", "delta"]) * chance.randint(1, 2) for _ in range(8)]
    work = ["[bash] pytest -q", "[edit] code", "[bash] pytest -q"] if good else ["[edit] code", "[bash] git commit"]
    return example.Session(task, f"Do {task}.", [*noise, *work], 0.9 if good else 0.2, category)


def test_a_model_learns_the_pairs_and_orders_those_of_other_tasks(example, tmp_path: Path, capsys) -> None:
    chance = random.Random(3)
    found = [invented(example, f"t{n}", "", good, chance) for n in range(10) for good in (True, False)]
    data = tmp_path / "pairs.jsonl"
    data.write_text(example.encoded(example.rows(found, 0.05, "trl"), "trl"))
    assert example.main(["train", str(data)]) == 0
    said = capsys.readouterr().out
    assert "trained on 8 pairs: 100 % in order" in said
    assert "held out 2 pairs of other tasks: 100 % in order" in said


def test_transfer_is_to_categories_that_were_not_trained_on(example) -> None:
    chance = random.Random(5)
    found = [
        invented(example, f"{category}{n}", category, good, chance)
        for category in ("a", "b")
        for n in range(6)
        for good in (True, False)
    ]
    # In the third category the same habits are rated the other way round.
    found += [invented(example, f"c{n}", "c", good, chance) for n in range(6) for good in (True, False)]
    for session in found[-12:]:
        session.reward = 1 - session.reward
    shares = {key: share for key, (share, _) in example.transfer(found, 0.05).items()}
    assert len(shares) == 6
    assert shares["a", "b"] == shares["b", "a"] == 1.0
    assert shares["a", "c"] == shares["c", "a"] == 0.0


def test_only_sessions_of_one_task_that_differ_enough_are_pairs(example) -> None:
    chance = random.Random(7)
    a, b, c = (invented(example, task, "", good, chance) for task, good in (("t", True), ("t", False), ("u", False)))
    assert example.pairs([a, b, c], 0.05) == [(a, b)]
    assert example.pairs([a, b, c], 0.8) == []
