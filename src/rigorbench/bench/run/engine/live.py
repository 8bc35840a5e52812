"""One run inside the engine: what is prepared before the agent starts, and what is saved after it has ended."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import anyio
from inspect_ai.util import SandboxEnvironment, sandbox

from ....base import journal
from ....base.agent_paths import ORIGIN
from ....base.files import write_json
from ....sandbox.kit.errors import SandboxError
from ...experiment.grid import is_scripted
from ...experiment.records import LimitHit
from ...experiment.store import FACTS, FACTS_SCHEMA, RunFacts
from ...recording.calls import calls, flush
from ...recording.context import HostJournal, Recorder, forget_recorder, on_behalf, set_recorder
from ...recording.metering import Meter
from ...tasks.workspace import ROOT
from ..provider import BwrapSandbox
from .ending import EndEvidence, Ending, settle
from .prepared import Prepared, run_record
from .transfer import put_repository, save_session, take_trees

_HOST_ONLY = ("commands", "output of commands", "states of the work tree between start and end", "decoys")


class Live:
    """A run from the first to the last record of its journal. Nothing here waits for a model."""

    def __init__(self, prepared: Prepared, sample: str) -> None:
        self.prepared = prepared
        self.sample = sample
        self.ending: Ending = "interrupted"
        self.limit: str | None = None
        self.error: str | None = None
        self.closed = False
        self.meter = Meter(prepared.plan.budget)
        self.root = ROOT
        self.recorder: Recorder | None = None
        adapter = prepared.agent.adapter
        self._unseen = adapter is not None and adapter.api == "own"
        """Whether the agent asks its own provider, around the engine."""
        self._started = time.time()
        self._clock = time.monotonic()
        self._missing: list[str] = []
        self._notes: list[str] = list(prepared.workspace.overlay.notes)
        self._start_tree: str | None = prepared.workspace.start_tree

    # -- before

    async def begin(self) -> None:
        """Open the journal, and put the repository and the harness into the sandbox."""
        with on_behalf("engine"):
            await self._begin()

    async def _begin(self) -> None:
        prepared, environment = self.prepared, sandbox()
        if prepared.sandbox == "bwrap":
            # This sandbox has opened the journal and copied the repository itself.
            self.recorder = environment.as_type(BwrapSandbox).box
            assert self.recorder is not None
            if prepared.judge is not None:
                await _make_origin(environment, self.root)
            await self.recorder.snapshot("start")
        else:
            prepared.directory.mkdir(parents=True, exist_ok=True)
            self.recorder = HostJournal(prepared.directory)
            self._missing = [f"{what}: not recorded in a {prepared.sandbox} sandbox" for what in _HOST_ONLY]
            self.root = await put_repository(environment, prepared.workspace.path, ROOT, prepared.sandbox)
            await self.recorder.record(run_record(prepared, self.root))
        for gap in self._missing:
            what, _, why = gap.partition(": ")
            await self.recorder.record(journal.Gap(time.time(), what, why))
        if files := prepared.workspace.overlay.home:
            home = (await environment.exec(["sh", "-c", 'printf %s "$HOME"'])).stdout or "/root"
            for file in files:
                await environment.write_file(f"{home}/{file.path}", file.data)
            if executable := [f"{home}/{file.path}" for file in files if file.executable]:
                await environment.exec(["chmod", "+x", *executable])
        set_recorder(self.sample, self.recorder)
        self._started, self._clock = time.time(), time.monotonic()

    # -- after

    async def settle(self, error: BaseException | None = None, limit: str | None = None) -> None:
        """Find out who brought the run to its end; sets ``ending``, ``limit`` and ``error``."""
        with anyio.CancelScope(shield=True), on_behalf("engine"), contextlib.suppress(SandboxError):
            await flush()
        recorded = calls()
        answers = None if self._unseen else recorded.completed if recorded is not None else 0
        gone = None if self.recorder is None else self.recorder.gone
        # Its last words come from the supervisor a moment later than from the programs that it ended.
        limits = journal.read_records(self.prepared.directory / journal.JOURNAL, "limit")
        kinds = [record.kind for _, record in limits if isinstance(record, journal.Limit)]
        ended = settle(error, limit, EndEvidence(answers, self.meter.failure, gone, kinds))
        self.ending, self.limit, self.error = ended.status, ended.limit, ended.why

    async def end(self) -> None:
        """Save the evidence, stop the sandbox and close the journal, however the run ended (only once)."""
        if self.closed:
            return
        self.closed = True
        seconds = time.monotonic() - self._clock
        with anyio.CancelScope(shield=True), on_behalf("engine"):
            with contextlib.suppress(SandboxError):
                await flush()
            await self._save(seconds)

    async def _save(self, seconds: float) -> None:
        recorder, prepared = self.recorder, self.prepared
        if recorder is None:
            return
        environment = sandbox()
        if self.ending == "limit" and self.limit is not None and self.limit not in ("disk", "recording", "memory"):
            with contextlib.suppress(SandboxError):
                reached = self.meter.exceeded
                if reached is None or reached.kind != self.limit:
                    reached = LimitHit(self.limit, None, seconds if self.limit != "context" else self.meter.largest)
                record = journal.Limit(
                    time.time(), "tokens" if self.limit == "token" else self.limit, reached.limit, reached.used
                )
                await recorder.record(record)
        problem = await save_session(environment, prepared.agent, prepared.directory / "session")
        if problem is not None:
            self._notes.append(problem)
        if prepared.judge is not None and self.ending != "interrupted":
            gap = await prepared.judge.collect(prepared.directory)
            if gap is not None:
                self._missing.append(gap)
        if recorder.gone is not None:
            self._missing.append(f"recorder: the sandbox had ended before the run did: {recorder.gone}")
        # For whoever reads the session, a crash is an error.
        end = journal.End(time.time(), "error" if self.ending == "crashed" else self.ending, self.error)
        if isinstance(recorder, HostJournal):
            start, final, problem = await take_trees(environment, self.root, prepared)
            if problem is not None:
                self._missing.append(f"final work tree: {problem}")
            if start is not None:
                await recorder.record(journal.TreeRecord(time.time(), start, "start"))
            if final is not None:
                await recorder.record(journal.TreeRecord(time.time(), final, "end"))
            self._start_tree, end.final_tree = start, final
        if self.ending != "interrupted":
            write_json(prepared.directory / FACTS, self._facts(seconds))
        end.time = time.time()
        if isinstance(recorder, HostJournal):
            await recorder.record(end)
            recorder.close()
        else:
            box: Any = recorder
            await box.stop(end)
        forget_recorder(self.sample)

    def _facts(self, seconds: float) -> RunFacts:
        assert self.ending != "interrupted"
        return RunFacts(
            schema=FACTS_SCHEMA,
            cell=self.prepared.cell,
            status=self.ending,
            started=round(self._started, 3),
            seconds=round(seconds, 3),
            sandbox=self.prepared.sandbox,
            working=None if self._unseen else round(self.meter.worked, 3),
            scripted=is_scripted(self.prepared.cell.model),
            limit=self.limit,
            error=self.error,
            cost=None if self.meter.cost is None else round(self.meter.cost, 6),
            start_commit=self.prepared.workspace.start_commit,
            start_tree=self._start_tree,
            missing=self._missing,
            notes=self._notes,
        )


async def _make_origin(environment: SandboxEnvironment, root: str) -> None:
    """Make the repository that an agent pushes a project to: the remote ``origin`` of the one it works in."""
    commands = (
        ["git", "clone", "--quiet", "--bare", root, ORIGIN],
        ["git", "-C", ORIGIN, "remote", "remove", "origin"],
        ["git", "-C", root, "remote", "add", "origin", ORIGIN],
        ["git", "-C", root, "fetch", "--quiet", "origin"],
        ["git", "-C", root, "branch", "--quiet", "--set-upstream-to", "origin/main"],
    )
    for command in commands:
        done = await environment.exec(command, timeout=60)
        if not done.success:
            raise RuntimeError(f"{' '.join(command[:4])}: {done.stderr.strip()[:200]}")
