"""Rank trajectories for training: the best of several on one task, and pairs for preference learning.

    python examples/rank_trajectories.py LOG... [--margin 0.05] [--task FILE] [--pairs pairs.jsonl]

Sessions are compared only within a task, because tasks differ in how hard it is to work well on them. Two sessions have
the same task here if their first user message is the same; if you know your tasks better, change :func:`task_of`.
They are compared by the RigorScore, which needs no reader. Sessions without one (too little evidence) are left out and
named: no score is not a low score.

A line of ``pairs.jsonl`` contains ``chosen`` and ``rejected`` with the reward of each step, so that a trainer can
weight steps as well as sessions.
"""

# ruff: noqa: T201 (a script that prints its result)
from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

import rigorbench
from rigorbench.base.text import count
from rigorbench.bench.rigorscore.reward.reward import Reward
from rigorbench.session.model import Trajectory


def task_of(trajectory: Trajectory) -> tuple[str, str]:
    """(key, words) of the task: its first user message, regardless of white space."""
    text = next((" ".join(s.text.split()) for s in trajectory.steps if s.role == "user" and s.text.strip()), "")
    return hashlib.sha256(text.encode()).hexdigest()[:12], text[:70]


def rewards(paths: list[str], task: str | None) -> tuple[dict[str, list[Reward]], dict[str, str]]:
    """The rewards of all sessions with a total, by task; and the words of each task."""
    by_task: dict[str, list[Reward]] = defaultdict(list)
    words: dict[str, str] = {}
    for trajectory in rigorbench.read_all(paths, on_error=lambda error: print(f"left out: {error}", file=sys.stderr)):
        found = rigorbench.reward(trajectory, task=task, of="score")
        if found.total is None:
            print(f"left out: {found.source}: {found.reason}", file=sys.stderr)
            continue
        key, text = task_of(trajectory)
        if not text:
            print(f"left out: {found.source}: the log has no user message, so its task is unknown", file=sys.stderr)
            continue
        by_task[key].append(found)
        words[key] = text
    return by_task, words


def ranked(found: list[Reward]) -> list[Reward]:
    """Best first; of equal ones the one named first."""
    return sorted(found, key=lambda r: (-(r.total or 0.0), r.source, r.id))


def pairs(found: list[Reward], margin: float) -> list[tuple[Reward, Reward]]:
    """(chosen, rejected) for every two sessions of one task that differ by ``margin`` or more of the best value."""
    return [(a, b) for a, b in combinations(ranked(found), 2) if (a.total or 0.0) - (b.total or 0.0) >= margin * a.most]


def _side(reward: Reward) -> dict[str, Any]:
    steps = [{"step": s.step, "line": s.line, "message_id": s.message_id, "credit": s.credit} for s in reward.steps]
    return {"source": reward.source, "id": reward.id, "reward": reward.total, "steps": steps}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", metavar="LOG", help="logs, directories, globs")
    parser.add_argument("--margin", type=float, default=0.05, help="least difference, of 1 (default: %(default)s)")
    parser.add_argument("--task", metavar="FILE", help="task file, if all sessions are of one task")
    parser.add_argument("--pairs", type=Path, metavar="FILE", help="write the pairs there, one JSON object per line")
    args = parser.parse_args(arguments)
    by_task, words = rewards(args.paths, args.task)
    lines: list[str] = []
    for key, found in sorted(by_task.items()):
        order = ranked(found)
        if len(order) < 2:
            continue
        chosen = pairs(found, args.margin)
        print(f"task {key}  {count(len(order), 'session')}, {count(len(chosen), 'pair')}  {json.dumps(words[key])}")
        for place, reward in enumerate(order, 1):
            print(f"  {place:>3}  {reward.total:.4g}  {json.dumps(reward.source)}")
        for better, worse in chosen:
            row = {"task": key, "margin": (better.total or 0.0) - (worse.total or 0.0)}
            lines.append(msgspec.json.encode({**row, "chosen": _side(better), "rejected": _side(worse)}).decode())
    alone = sum(len(f) < 2 for f in by_task.values())
    print(f"{count(len(lines), 'pair')}; left out {count(alone, 'task')} with only one session")
    if args.pairs is not None:
        args.pairs.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
