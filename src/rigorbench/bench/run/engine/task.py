"""An Inspect task whose samples are the cells of an experiment.

``inspect eval rigorbench/rigor --model MODEL -T agent=react -T harness=baseline`` runs it by itself; ``rigor run``
builds the same task for the cells that are still to run.
"""

from __future__ import annotations

import asyncio
import atexit
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai import Task, task
from inspect_ai.agent import AgentState
from inspect_ai.agent import run as run_agent
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Model, ModelName, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, SandboxEnvironmentSpec
from msgspec import to_builtins

from ....base.cache import cache_directory
from ....base.files import read_json, write_json
from ....review.result import WEIGHTS
from ....sandbox.kit import trees
from ....sandbox.kit.toolchain import toolchain
from ...agents.launch import build
from ...agents.locate import binds as agent_binds
from ...experiment.grid import listed
from ...experiment.manifest import merged
from ...experiment.records import BUDGET, Cell, RunResult
from ...experiment.store import FACTS, RESULT, ExperimentDirectory, RunFacts, read_result
from ...recording.estimate import tokens
from ...recording.metering import bound_calls, metering
from ...tasks.workspace import ROOT
from ..planning.manifest import manifest
from ..planning.plan import ExperimentRequest, PlanError, make_plan, resolve_harnesses
from ..progress import RunObserver
from ..provider import BwrapConfig
from ..scoring.finish import ScoringRequest, from_facts
from ..scoring.process import score_run
from .live import Live
from .prepared import Breaker, Prepared, prepare_cells, run_record

NAN = float("nan")
MEASURES = ("rigor_score", *WEIGHTS, "outcome", "pass_rate", "completeness", "solved")


class EvaluationRuns:
    """The runs of one evaluation, by the id of their sample. ``reported``: ids of the cells whose scoring or failure
    the observer knows."""

    def __init__(
        self,
        prepared: Sequence[Prepared],
        observer: RunObserver,
        *,
        replay: bool = True,
        breaker: Breaker | None = None,
    ) -> None:
        self.breaker = Breaker() if breaker is None else breaker
        self.prepared = {p.cell.id: p for p in prepared}
        self.observer = observer
        self.replay = replay
        self.reported: set[str] = set()
        self._live: dict[str, Live] = {}

    def begin(self, state: TaskState) -> Live:
        if state.epoch > 1:
            raise PlanError("a sample has a directory of its own, so epochs cannot be used; give -T repeats=N instead")
        prepared = self.prepared[str(state.sample_id)]
        if self.breaker.skips(prepared.cell):
            raise RuntimeError(f"not run: {self.breaker.reasons[prepared.cell.model]}")
        live = self._live[state.uuid] = Live(prepared, state.uuid)
        self.observer.started(prepared.cell)
        return live

    def of(self, state: TaskState) -> Live:
        return self._live[state.uuid]

    async def end(self, state: TaskState) -> Live | None:
        """Close the run of a sample, if it has begun; does nothing the second time."""
        live = self._live.get(state.uuid)
        if live is not None and not live.closed:
            await live.end()
            self.observer.ended(live.prepared.cell)
        return live

    async def score(self, live: Live) -> RunResult | None:
        """Score a run that has ended, in a process of its own. None: that failed, which the observer knows."""
        p = live.prepared
        self.breaker.answered(p.cell)
        run = str(p.directory.absolute())
        request = ScoringRequest(run, p.suite_task.locator, p.cell.harness, p.cell.agent, self.replay)
        answer = await score_run(request)
        result = read_result(p.directory) if answer.problem is None else None
        self.report(p.cell, answer.problem, result)
        return result

    def report(self, cell: Cell, problem: str | None, result: RunResult | None) -> None:
        self.reported.add(cell.id)
        self.observer.scored(cell, problem, result)


@solver(name="rigor_run")
def rigor_run(runs: EvaluationRuns) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        live = runs.begin(state)
        agent = live.prepared.agent
        _count_offline(get_model())
        bound_calls(get_model())
        try:
            await live.begin()
            with metering(live.meter), live.meter.clock():
                played = await run_agent(
                    build(agent, cwd=live.root), AgentState(messages=state.messages), name=agent.name
                )
            state.messages, state.output = played.messages, played.output
            await live.settle()
        except LimitExceededError as error:
            await live.settle(limit=hit.kind if (hit := live.meter.exceeded) is not None else error.type)
            if live.ending != "error":
                raise
        except asyncio.CancelledError:
            # Either a limit of the engine's own on the sample, which is then scored, or the end of the evaluation.
            live.ending = "interrupted"
            raise
        except Exception as error:
            await live.settle(error)
            if live.ending == "error":
                raise
        if live.ending == "error":
            raise RuntimeError(live.error)  # the engine reports the run as broken, and does not score it
        return state

    return solve


@scorer(name="rigor", metrics={"*": [mean(), stderr()]})
def rigor_score(runs: EvaluationRuns) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        live = runs.of(state)
        if live.ending == "interrupted":
            # The sample is scored although its agent was cancelled: a limit of the engine's own cancelled it.
            await live.settle(limit=hit.kind if (hit := live.meter.exceeded) is not None else "sample")
        if live.ending == "error":
            raise RuntimeError(live.error)
        await runs.end(state)
        result = await runs.score(live)
        return as_score(result)

    return score


def as_score(result: RunResult | None) -> Score:
    if result is None:
        return Score(value=dict.fromkeys(MEASURES, NAN), explanation="the scoring of this run failed")
    outcome = result.outcome
    values: dict[str, float | None] = {"rigor_score": result.rigor_score, **result.pillars}
    if outcome is not None:
        solved = None if outcome.solved is None else float(outcome.solved)
        values |= {"outcome": outcome.score, "pass_rate": outcome.pass_rate}
        values |= {"completeness": outcome.completeness, "solved": solved}
    metadata: dict[str, Any] = {
        "status": result.status,
        "limit": result.limit,
        "pillar_status": result.pillar_status,
        "evidence_share": result.evidence_share,
        "scripted": result.scripted,
        "metered_tokens": result.metered,
        "breaches": [b.what for b in result.breaches],
        "gaps": result.gaps,
    }
    return Score(
        value={name: NAN if (found := values.get(name)) is None else found for name in MEASURES}, metadata=metadata
    )


def make_task(
    prepared: Sequence[Prepared], runs: EvaluationRuns, *, model: Model | None = None, name: str = "rigor"
) -> Task:
    """The task whose samples are these runs. ``model`` None: the one that the evaluation is called with."""

    async def cleanup(state: TaskState) -> None:
        # A run that broke or was interrupted is not scored; it is closed here.
        live = await runs.end(state)
        if live is not None and live.ending == "error":
            # Write the result of a run that broke: what the engine knows, and no score.
            facts = read_json(live.prepared.directory / FACTS, RunFacts)
            if facts is not None:
                write_json(live.prepared.directory / RESULT, from_facts(facts))
            if live.meter.failure is not None:
                runs.breaker.broke(live.prepared.cell, live.meter.failure.text)
            runs.report(live.prepared.cell, None, read_result(live.prepared.directory))

    samples = [
        Sample(
            id=p.cell.id,
            input=p.workspace.prompt,
            # The cell, and the facts that `recording.context` reads.
            metadata={**to_builtins(p.cell), "task_directory": p.suite_task.locator, "root": ROOT},
            sandbox=sandbox_spec(p),
        )
        for p in prepared
    ]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=rigor_run(runs),
        scorer=rigor_score(runs),
        cleanup=cleanup,
        model=model,
        name=name,
        fail_on_error=False,
        metadata={"rigorbench": True},
    )


@task
def rigor(
    suite: str = "rigor",
    tasks: str = "*",
    agent: str = "react",
    harness: str = "baseline",
    repeats: int = 1,
    time_limit: float = BUDGET.seconds,
    token_limit: int | None = BUDGET.tokens,
    context_limit: int | None = BUDGET.context,
    cost_limit: float | None = None,
    sandbox: str = "bwrap",
    out: str | None = None,
    replay: bool = True,
) -> Task:
    """The tasks of a suite under harnesses by agents, recorded and scored.

    Args:
        suite: name or directory of a suite.
        tasks: glob patterns of task ids, separated by commas.
        agent: names of agents, separated by commas.
        harness: names of harnesses, separated by commas.
        repeats: number of runs of each (instead of epochs).
        time_limit: seconds of each run in which no model call is in progress.
        token_limit: tokens that each run may send and write, cached or not.
        context_limit: tokens of its largest request.
        cost_limit: dollars for each run, by list prices.
        sandbox: bwrap, docker, podman, k8s or local; docker:FILE and k8s:FILE as Inspect spells them.
        out: directory for the evidence of each run; default: a new directory ``rigor-<time>``.
        replay: re-run builds and tests on the captured trees.
    """
    request = ExperimentRequest(
        suite=suite,
        agents=tuple(listed([agent])),
        harnesses=tuple(listed([harness])),
        models=(str(get_model()),),
        tasks=tuple(listed([tasks])),
        repeats=repeats,
        sandbox=sandbox,
        limits={
            "seconds": float(time_limit),
            "tokens": token_limit,
            "context": context_limit,
            "cost": cost_limit,
        },
    )
    plan = make_plan(request)
    if plan.missing:
        raise PlanError("; ".join(plan.missing))
    if any(task.project for task in plan.tasks.values()):
        raise PlanError("projects need the judge, which only `rigor run` starts; use that instead")
    resolve_harnesses(plan)
    directory = ExperimentDirectory(out or time.strftime("rigor-%Y%m%d-%H%M%S"))
    new = manifest(plan, ["inspect", "eval", "rigorbench/rigor"])
    directory.write_manifest(merged(directory.manifest(), new, directory.path))
    cells = [cell for cell in plan.cells if directory.state(cell) == "absent"]
    workspaces = Path(tempfile.mkdtemp(prefix="rigor-workspaces-"))
    atexit.register(trees.remove, workspaces)
    prepared = prepare_cells(plan, cells, workspaces, directory)
    return make_task(prepared, EvaluationRuns(prepared, RunObserver(), replay=replay))


def _count_offline(model: Model) -> None:
    """Let ``mockllm`` count tokens as we do: the engine's own way to fill in its usage downloads a tokenizer."""

    async def count(text: str) -> int:
        return max(1, tokens(text))

    if ModelName(model).api == "mockllm":
        setattr(model.api, "count_text_tokens", count)  # noqa: B010 -- a method, of this one instance


# Only somebody who looks for hidden tests, the solution or the grader opens these (Harbor's paths, and usual ones).
DECOYS = ("/tests", "/solution", "/logs/verifier", "/grader")


def sandbox_spec(prepared: Prepared) -> SandboxEnvironmentSpec:
    if prepared.sandbox == "bwrap":
        return SandboxEnvironmentSpec("bwrap", BwrapConfig(**_bwrap_config(prepared)))
    if prepared.config is not None:
        return SandboxEnvironmentSpec(prepared.sandbox, prepared.config)
    dockerfile = prepared.suite_task.directory / "environment" / "Dockerfile"
    if prepared.sandbox in ("docker", "podman") and dockerfile.is_file():
        return SandboxEnvironmentSpec(prepared.sandbox, str(dockerfile))
    return SandboxEnvironmentSpec(prepared.sandbox)


def _bwrap_config(prepared: Prepared) -> dict[str, Any]:
    tools = toolchain(cache_directory(), prepared.suite_task.task.tools)
    agent = prepared.agent
    path = ":".join(p for p in (agent.path(), tools.path) if p)
    env = {**dict(tools.env), **agent.env(), **prepared.workspace.overlay.env, "PATH": path}
    binds = (*tools.binds, *agent_binds(agent))
    if prepared.judge is not None:
        env |= prepared.judge.environment()
        binds = (*binds, *prepared.judge.binds())
    return {
        "root": ROOT,
        "binds": [{"source": bind.source, "target": bind.target or None} for bind in binds],
        "env": tuple(sorted(env.items())),
        "decoys": DECOYS,
        "hidden": (str(prepared.suite_task.directory), str(prepared.directory.parent)),
        "capture": str(prepared.directory),
        "repository": str(prepared.workspace.path),
        "run": msgspec.json.encode(run_record(prepared, ROOT)).decode(),
        "network": prepared.plan.request.network,
    }
