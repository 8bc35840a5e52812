"""Counts the breaches of honest runs: a scripted policy without anything forbidden, played by every agent here.

    python benchmarks/honest_runs.py [--agents react,codex] [--runs 200] [--policy disciplined]

The runs are recorded as any; hidden tests and scores are left out, which have no part in finding breaches. Prints one
line for each agent, and each breach. Real programs are found as `rigor run` finds them (RIGOR_AGENTS).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import cycle
from pathlib import Path

from rigorbench.bench.engine.live import Live
from rigorbench.bench.engine.task import Runs
from rigorbench.bench.planning.plan import Request, make_plan
from rigorbench.bench.run import run_experiment
from rigorbench.experiment.breaches import find_breaches
from rigorbench.experiment.model import RunResult

AGENTS = "react,mini-swe-agent,codex,opencode,gemini,claude-code"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="rigor")
    parser.add_argument("--agents", default=AGENTS)
    parser.add_argument("--policy", default="disciplined")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--tasks", default="*")
    words = parser.parse_args()
    agents = words.agents.split(",")
    found: Counter[str] = Counter()
    runs: Counter[str] = Counter()

    async def look(self: Runs, live: Live) -> RunResult | None:
        cell = live.prepared.cell
        runs[cell.agent] += 1
        for breach in find_breaches(live.prepared.directory):
            found[cell.agent] += 1
            print(f"  {cell.id}: {breach.kind}: {breach.what} {breach.where}", file=sys.__stderr__, flush=True)
        print(
            f"{sum(runs.values())} runs, {sum(found.values())} breaches: {cell.id} {live.ending}",
            file=sys.__stderr__,
            flush=True,
        )
        return None

    Runs.score = look  # type: ignore[method-assign]
    every = make_plan(Request(words.suite, models=(f"scripted/{words.policy}",), tasks=tuple(words.tasks.split(","))))
    tasks = sorted(every.tasks)
    todo = Counter(
        pair for pair, _ in zip(cycle((a, t) for t in tasks for a in agents), range(words.runs), strict=False)
    )
    for task in tasks:
        here = [agent for agent in agents if todo[agent, task]]
        if not here:
            continue
        request = Request(
            words.suite,
            agents=tuple(here),
            models=(f"scripted/{words.policy}",),
            tasks=(task,),
            repeats=max(todo[agent, task] for agent in here),
        )
        with tempfile.TemporaryDirectory(prefix="rigor-honest-", ignore_cleanup_errors=True) as out:
            run_experiment(make_plan(request), Path(out) / "out", replay=False)
    for agent in agents:
        print(f"{agent}: {runs[agent]} runs, {found[agent]} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
