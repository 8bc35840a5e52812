"""Validates the tasks of a suite: proves those without a valid record, in parallel, and saves each result at once."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from ...base.cache import cache_directory
from ...bench.tasks import proofs
from ...bench.tasks.proofs import ProofCheck, Standing, TaskFault, TaskProof
from ...bench.tasks.suite import Suite, SuiteTask
from ...sandbox.kit.errors import SandboxError
from ...sandbox.kit.toolchain import toolchain
from ..checklist import check_task
from .checks import prove
from .policies import PolicyResult, play
from .runs import Machine

Step = Callable[[str], None]


class TaskVerdict(Struct):
    """The result of one task."""

    id: str
    key: str
    standing: Standing = "unproven"
    cached: bool = True
    """Nothing was run, since the record is valid."""
    proof: TaskProof | None = None
    sampled: bool = False
    seconds: float = 0.0
    record: str | None = None
    unsaved: str | None = None

    @property
    def failed(self) -> bool:
        return self.proof is not None and any(c.status == "failed" for c in self.proof.all_checks)

    @property
    def skipped(self) -> str | None:
        """Why the task cannot be proved here."""
        checks = self.proof.checks if self.proof is not None else ()
        return next((c.detail for c in checks if c.status == "skipped" and c.name == "tools"), None)


class _Work:
    """A task that is being validated; ``before``: its valid entry, whose policies count until they are played again."""

    def __init__(self, task: SuiteTask, entry: TaskProof | None, *, fresh: bool, policies: bool) -> None:
        self.task, self.twin = task, proofs.find_twin(task)
        self.before = entry if proofs.is_valid(entry, task, self.twin) else None
        usable = self.before if not fresh else None
        self.prove = usable is None or any(c.status != "ok" for c in usable.checks)
        played = usable is not None and usable.policy_checks is not None
        played = played and usable is not None and all(c.status == "ok" for c in usable.policy_checks or ())
        self.play = policies and (self.prove or not played)
        self.found = TaskVerdict(task.id, task.key, proof=None if self.prove else usable)


def validate(
    suite: Suite,
    tasks: Sequence[SuiteTask],
    *,
    jobs: int = 1,
    fresh: bool = False,
    policies: bool = True,
    sample: int = 0,
    seed: str | None = None,
    watch: Callable[[int], Step] = lambda steps: lambda text: None,
) -> list[TaskVerdict]:
    """Prove those of ``tasks``, all or some of a suite's, that have no valid record.

    A task that breaks fails alone. Each result is recorded at once, so a killed validation can continue.

    Args:
        sample: number of proved tasks to prove again, chosen by ``seed`` (default: the suite's digest).
        watch: called once with the number of steps; what it returns is called after each with the task and the step.
    """
    known = proofs.load(tasks)
    works = [_Work(task, known.get(task.id), fresh=fresh, policies=policies) for task in tasks]
    chosen_by = seed if seed is not None else suite.digest
    proved = [w for w in works if not w.prove and not w.play]
    proved.sort(key=lambda w: hashlib.sha256(f"{chosen_by}\0{w.task.id}".encode()).hexdigest())
    for work in proved[:sample]:
        work.found.sampled = work.prove = True
        work.play = policies
    to_prove = [w for w in works if w.prove]
    step = watch(len(to_prove) + 2 * sum(w.play for w in works))
    asyncio.run(_prove_all(to_prove, jobs, step))
    _play_all([w for w in works if w.play and _can_be_played(w)], jobs, step)
    if len(tasks) == len(suite.tasks) and (directory := proofs.suite_directory(tasks[0])) == suite.path:
        proofs.prune(directory, [task.id for task in suite.tasks])
    for work in works:
        work.found.standing = proofs.standing_of(work.found.proof, work.task, work.twin)
        work.found.seconds = round(work.found.seconds, 1)
    return [work.found for work in works]


async def _prove_all(works: Sequence[_Work], jobs: int, step: Step) -> None:
    machine = Machine(jobs)
    # Only a few tasks at a time, so that the first ones are recorded early.
    begun = asyncio.Semaphore(jobs + 1)

    async def one(work: _Work) -> None:
        async with begun:
            checks = await _proved(work, machine)
            found, before = work.found, work.before
            found.cached = False
            found.seconds += machine.seconds.get(work.task.id, 0.0)
            found.proof = TaskProof(
                digest=work.task.digest,
                version=proofs.VERSION,
                date=proofs.today(),
                checks=tuple(checks),
                twin=work.twin.digest if work.twin is not None else None,
                policy_checks=before.policy_checks if before is not None else None,
                policies=before.policies if before is not None else {},
                seconds=round(found.seconds, 1),
                tools=_versions(),
            )
            await asyncio.to_thread(_keep, work)
            step(f"{work.task.id} proved")

    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(one(work))


async def _proved(work: _Work, machine: Machine) -> list[ProofCheck]:
    try:
        static = await asyncio.to_thread(check_task, work.task, work.twin)
        return [*static, *await prove(work.task, work.twin, machine)]
    except Exception as error:  # one task must not stop the others
        if os.environ.get("RIGOR_DEBUG"):
            raise
        what = f"the proof broke ({type(error).__name__}: {' '.join(str(error).split())[:300]})"
        return [ProofCheck("proof", "failed", problems=(TaskFault("task.toml", what, "RIGOR_DEBUG=1 shows where"),))]


def _can_be_played(work: _Work) -> bool:
    """Whether its policies can be played: not without the task's tools, and not in a scaffold."""
    checks = work.found.proof.checks if work.found.proof is not None else ()
    wrong = {c.name for c in checks if c.status != "ok"}
    return not wrong & {"tools", "sandbox", "proof", "starter-builds", "policies", "written"}


def _play_all(works: Sequence[_Work], jobs: int, step: Step) -> None:
    by_id = {work.task.id: work for work in works}

    def done(result: PolicyResult) -> None:
        work, found = by_id[result.task], by_id[result.task].found
        assert found.proof is not None
        found.cached = False
        found.seconds += result.seconds
        found.proof = msgspec.structs.replace(
            found.proof,
            policy_checks=result.checks,
            policies=result.plays,
            date=proofs.today(),
            seconds=round(found.proof.seconds + result.seconds, 1),
        )
        _keep(work)

    if works:
        play([work.task for work in works], jobs, done, lambda task: step(f"{task} played"))


def _keep(work: _Work) -> None:
    found = work.found
    assert found.proof is not None
    if any(check.status != "ok" and check.name in ("tools", "sandbox") for check in found.proof.checks):
        return  # it could not be run here: that is no fault of the task, and must not replace an entry
    try:
        found.record, found.unsaved = str(proofs.save(work.task, found.proof)), None
    except OSError as error:
        found.unsaved = f"the record cannot be written ({error.strerror or error})"


def _versions() -> dict[str, str]:
    """Versions of the programs that ran the proof."""
    try:
        tools = toolchain(cache_directory())
    except SandboxError:
        return {}
    packages = dict(package.split("==", 1) for package in tools.packages if "==" in package)
    return {"python": sys.version.split()[0], "pytest": packages.get("pytest", ""), "system": os.uname().sysname}
