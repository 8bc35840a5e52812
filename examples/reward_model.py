"""Data sets for reward models from scored sessions, and a small model trained on them without any dependency.

    python examples/reward_model.py pairs LOG... --format trl --out pairs.jsonl
    python examples/reward_model.py pairs OUT --format llama-factory --out pairs.json
    python examples/reward_model.py train pairs.jsonl
    python examples/reward_model.py transfer OUT

Sessions are logs, or the runs of an experiment (an ``--out`` directory of `rigor run`). Two sessions make a pair only
if they are of one task and differ by the margin. Formats: ``trl`` (TRL's RewardTrainer and DPOTrainer: prompt, chosen,
rejected), ``trl-steps`` (TRL's PRMTrainer: prompt, completions, labels; a step is good if it earned at least what it
lost), ``llama-factory`` (a JSON list: instruction, input, chosen, rejected).

``train`` fits a Bradley-Terry model of hashed words by gradient descent, on a CPU in seconds. It is an example of the
data's use and shows whether they can be learned at all; a model for use is trained by the trainers named above.
``transfer`` trains on the pairs of one category of tasks and tests on those of another, for all categories.
"""

# ruff: noqa: T201 (a script that prints its result)
from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

import rigorbench
from rigorbench.base.text import count
from rigorbench.bench.experiment.store import MANIFEST, ExperimentDirectory, load_manifest, read_result
from rigorbench.bench.rigorscore.reward.reward import Reward
from rigorbench.session.logfile import LogError
from rigorbench.session.model import Trajectory
from rigorbench.session.registry import read_path

_BUCKETS = 4096
_CALL = 400  # characters of a tool call


@dataclass
class Session:
    """A session as training data. ``steps``: what the agent did, one text a step; ``good``: of each step, None: no
    credit is known; ``reward``: of 1."""

    task: str
    prompt: str
    steps: list[str]
    reward: float
    category: str = ""
    good: list[bool] | None = field(default=None)

    @property
    def text(self) -> str:
        return "\n".join(self.steps)


def session_of(trajectory: Trajectory, task: str, reward: float, category: str = "") -> Session:
    """The prompt and what the agent said and did. Outputs of tools are left out: the agent did not write them."""
    prompt = next((s.text.strip() for s in trajectory.steps if s.role == "user" and s.text.strip()), "")
    steps = []
    for step in trajectory.steps:
        if step.role == "agent":
            calls = [f"[{c.name}] {msgspec.json.encode(c.input).decode()[:_CALL]}" for c in step.calls]
            steps.append("\n".join([*([step.text.strip()] if step.text.strip() else []), *calls]))
    return Session(task, prompt, steps, reward, category)


def from_logs(paths: list[str]) -> list[Session]:
    """Sessions with their overall grade, and which of their steps earned at least what they lost."""
    found = []
    for trajectory in rigorbench.read_all(paths, on_error=_left_out):
        reward = rigorbench.reward(trajectory, of="score")
        if reward.total is None:
            print(f"left out: {reward.source}: {reward.reason}", file=sys.stderr)
            continue
        one = session_of(trajectory, "", reward.total / reward.most)
        one.task = hashlib.sha256(" ".join(one.prompt.split()).encode()).hexdigest()[:12]
        one.good = _good(reward)
        found.append(one)
    return found


def _left_out(error: LogError) -> None:
    print(f"left out: {error}", file=sys.stderr)


def _good(reward: Reward) -> list[bool]:
    return [(step.credit or 0) >= (step.lost or 0) for step in reward.steps]


def from_experiment(out: Path) -> list[Session]:
    """The runs of an experiment that have a RigorScore, each with its task and category."""
    manifest, directory = load_manifest(out), ExperimentDirectory(out)
    found = []
    for cell in manifest.cells:
        run = directory.run(cell)
        result = read_result(run)
        if result is None or result.status == "error" or result.rigor_score is None:
            print(f"left out: {cell.id}: no RigorScore", file=sys.stderr)
            continue
        category = manifest.tasks[cell.task].facts.get("category") if cell.task in manifest.tasks else None
        (trajectory, *_) = read_path(run)
        found.append(session_of(trajectory, cell.task, result.rigor_score, category or ""))
    return found


def sessions(paths: list[str]) -> list[Session]:
    outs = [Path(p) for p in paths if (Path(p) / MANIFEST).is_file()]
    logs = [p for p in paths if Path(p) not in outs]
    return [s for out in outs for s in from_experiment(out)] + (from_logs(logs) if logs else [])


Pair = tuple[Session, Session]


def pairs(found: Iterable[Session], margin: float) -> list[Pair]:
    """(chosen, rejected) for every two sessions of one task whose rewards differ by ``margin`` or more."""
    by_task: defaultdict[str, list[Session]] = defaultdict(list)
    for one in found:
        if one.steps:
            by_task[one.task].append(one)
    ordered = [sorted(of, key=lambda s: -s.reward) for _, of in sorted(by_task.items())]
    return [(a, b) for of in ordered for a, b in combinations(of, 2) if a.reward - b.reward >= margin]


# -- formats -------------------------------------------------------------------------------------------------------


def rows(found: list[Session], margin: float, style: str) -> list[dict[str, Any]]:
    if style == "trl-steps":
        known = [s for s in found if s.good is not None and len(s.good) == len(s.steps) > 0]
        return [{"prompt": s.prompt, "completions": s.steps, "labels": s.good} for s in known]
    prompt = ("instruction", "prompt")[style == "trl"]
    further = {} if style == "trl" else {"input": ""}
    return [{prompt: a.prompt, **further, "chosen": a.text, "rejected": b.text} for a, b in pairs(found, margin)]


def encoded(found: list[dict[str, Any]], style: str) -> str:
    if style == "llama-factory":
        return json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in found)


# -- a small model -------------------------------------------------------------------------------------------------


def features(text: str) -> dict[int, float]:
    """Hashed words, each as the logarithm of its number, and scaled to length 1."""
    words = Counter(re.findall(r"[A-Za-z_]{2,}|[\[\]{}()/]", text.lower()))
    found: defaultdict[int, float] = defaultdict(float)
    for word, number in words.items():
        found[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % _BUCKETS] += math.log1p(number)
    length = math.sqrt(sum(v * v for v in found.values())) or 1.0
    return {bucket: v / length for bucket, v in found.items()}


Texts = Sequence[tuple[str, str]]


class RewardModel:
    """A linear reward of the words of a session, fitted by the likelihood of the preferences (Bradley and Terry)."""

    def __init__(self) -> None:
        self.weights: defaultdict[int, float] = defaultdict(float)

    def reward(self, text: str) -> float:
        return sum(self.weights.get(bucket, 0.0) * v for bucket, v in features(text).items())

    def fit(self, preferences: Texts, *, epochs: int = 60, rate: float = 1.0, decay: float = 1e-3) -> RewardModel:
        chance = random.Random(20_260)
        gaps = []
        for chosen, rejected in preferences:
            a, b = features(chosen), features(rejected)
            gaps.append({k: a.get(k, 0.0) - b.get(k, 0.0) for k in a.keys() | b.keys()})
        for _ in range(epochs):
            chance.shuffle(gaps)
            for gap in gaps:
                score = sum(self.weights[k] * v for k, v in gap.items())
                push = rate / (1 + math.exp(min(score, 30)))
                for k, v in gap.items():
                    self.weights[k] += push * v - rate * decay * self.weights[k]
        return self

    def accuracy(self, preferences: Texts) -> float | None:
        """Share of the pairs whose chosen side has the larger reward; None without pairs."""
        right = [self.reward(a) > self.reward(b) for a, b in preferences]
        return sum(right) / len(right) if right else None


def held_out(preferences: Sequence[dict[str, str]]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """A fifth of the prompts for testing, so that no task is on both sides; with one prompt nothing is held out."""
    prompts = sorted({row["prompt"] for row in preferences}, key=lambda p: hashlib.sha256(p.encode()).hexdigest())
    test = set(prompts[: max(1, len(prompts) // 5)] if len(prompts) > 1 else [])
    sides: tuple[list[tuple[str, str]], list[tuple[str, str]]] = ([], [])
    for row in preferences:
        sides[row["prompt"] in test].append((row["chosen"], row["rejected"]))
    return sides


def transfer(found: list[Session], margin: float) -> dict[tuple[str, str], tuple[float | None, int]]:
    """(trained on, tested on) -> (accuracy, pairs tested). Within a category no other task is held out, so that only
    the cells of two categories say anything about transfer."""
    by_category: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for a, b in pairs(found, margin):
        by_category[a.category].append((a.text, b.text))
    models = {name: RewardModel().fit(of) for name, of in sorted(by_category.items())}
    return {
        (name, other): (model.accuracy(of), len(of))
        for name, model in models.items()
        for other, of in sorted(by_category.items())
        if other != name
    }


# -- commands ------------------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("pairs", help="write a data set")
    write.add_argument("paths", nargs="+", metavar="LOG")
    write.add_argument("--format", choices=("trl", "trl-steps", "llama-factory"), default="trl")
    write.add_argument("--out", type=Path, required=True)
    fit = commands.add_parser("train", help="fit a small model to a data set in the format trl")
    fit.add_argument("data", type=Path)
    across = commands.add_parser("transfer", help="train on one category of tasks, test on another")
    across.add_argument("paths", nargs="+", metavar="OUT")
    for one in (write, across):
        one.add_argument("--margin", type=float, default=0.05, help="least difference, of 1 (default: %(default)s)")
    args = parser.parse_args(arguments)
    if args.command == "pairs":
        made = rows(sessions(args.paths), args.margin, args.format)
        args.out.write_text(encoded(made, args.format), encoding="utf-8")
        print(f"{count(len(made), 'row')}: {args.out}")
    elif args.command == "train":
        data = [json.loads(line) for line in args.data.read_text(encoding="utf-8").splitlines()]
        train, test = held_out(data)
        model = RewardModel().fit(train)
        print(f"trained on {count(len(train), 'pair')}: {_percent(model.accuracy(train))} in order")
        print(f"held out {count(len(test), 'pair')} of other tasks: {_percent(model.accuracy(test))} in order")
    else:
        for (name, other), (share, number) in transfer(sessions(args.paths), args.margin).items():
            print(f"{name} -> {other}: {_percent(share)} of {count(number, 'pair')} in order (chance: 50 %)")
    return 0


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.0f} %"


if __name__ == "__main__":
    sys.exit(main())
