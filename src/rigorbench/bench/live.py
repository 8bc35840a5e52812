"""One run inside the engine: what is prepared before the agent starts, and what is saved when it has ended."""

from __future__ import annotations

import asyncio
import io
import tarfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import anyio
from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.util import SandboxEnvironment, sandbox

from ..base.agent_paths import ORIGIN
from ..base.files import write_json
from ..experiment.store import FACTS, FACTS_SCHEMA, Facts
from ..trajectory import journal
from .context import on_behalf
from .prepared import Prepared, run_record
from .recorders import HostJournal, Recorder, forget_recorder, set_recorder
from .recording import flush

Ending = Literal["completed", "limit", "error", "interrupted"]
# The agent's own log is kept for the reader's convenience; it is no evidence, and must not fill the disk.
SESSION_BYTES = 64 << 20
_HOST_ONLY = ("commands", "output of commands", "states of the work tree between start and end", "decoys")


class Live:
    """A run from its first record to its last. Nothing here waits for a model."""

    def __init__(self, prepared: Prepared, sample: str) -> None:
        self.prepared = prepared
        self.sample = sample
        self.ending: Ending = "interrupted"
        self.limit: str | None = None
        self.error: str | None = None
        self.closed = False
        self.root = prepared.root
        self._started = time.time()
        self._clock = time.monotonic()
        self._recorder: Recorder | None = None
        self._missing: list[str] = []
        self._notes: list[str] = list(prepared.workspace.notes)
        self._start_tree: str | None = prepared.workspace.start_tree

    @property
    def recorder(self) -> Recorder | None:
        return self._recorder

    # -- before

    async def begin(self) -> None:
        """Open the journal; put the repository (where the sandbox did not bring it) and the harness in place."""
        with on_behalf("engine"):
            await self._begin()

    async def _begin(self) -> None:
        prepared, environment = self.prepared, sandbox()
        box = _box(environment) if prepared.sandbox == "bwrap" else None
        if box is None:
            prepared.directory.mkdir(parents=True, exist_ok=True)
            self._recorder = HostJournal(prepared.directory)
            self._missing = [f"{what}: not recorded in a {prepared.sandbox} sandbox" for what in _HOST_ONLY]
            from .transfer import put_repository

            self.root = await put_repository(environment, prepared.workspace.path, prepared.root, prepared.sandbox)
            await self._recorder.record(run_record(prepared, self.root))
        else:
            # The sandbox has opened the journal itself, and brought the repository.
            self._recorder = box
            if prepared.desk is not None:
                await _make_origin(environment, self.root)
            await box.snapshot("start")
        for what in self._missing:
            await self._recorder.record(journal.Gap(time.time(), what.split(":")[0], what.partition(": ")[2]))
        await self._place_home(environment)
        set_recorder(self.sample, self._recorder)
        self._started, self._clock = time.time(), time.monotonic()

    async def _place_home(self, environment: SandboxEnvironment) -> None:
        files = {file.path: file.data for file in self.prepared.workspace.home_files}
        files |= {path: text.encode() for path, text in self.prepared.agent.home_files().items()}
        executable = [file.path for file in self.prepared.workspace.home_files if file.executable]
        if not files:
            return
        home = (await environment.exec(["sh", "-c", 'printf %s "$HOME"'])).stdout or "/root"
        for path, data in files.items():
            await environment.write_file(f"{home}/{path}", data)
        if executable:
            await environment.exec(["chmod", "+x", *(f"{home}/{path}" for path in executable)])

    # -- after

    async def end(self) -> None:
        """Save what there is, stop the sandbox, and close the journal; however the run ended, and only once."""
        if self.closed:
            return
        self.closed = True
        seconds = time.monotonic() - self._clock
        with anyio.CancelScope(shield=True), on_behalf("engine"):
            await flush()
            await self._save(seconds)

    async def _save(self, seconds: float) -> None:
        if self._recorder is None:
            return
        environment = sandbox()
        if self.limit is not None and self.limit != "token":
            amount = self.prepared.budget.seconds if self.limit == "time" else None
            await self._recorder.record(journal.Limit(time.time(), self.limit, amount, seconds))
        problem = await save_session(environment, self.prepared, self.prepared.directory / "session")
        if problem is not None:
            self._notes.append(problem)
        if self.prepared.desk is not None and self.ending != "interrupted":
            late = await self.prepared.desk.settle(self.prepared.directory)
            if late is not None:
                self._missing.append(late)
        end = journal.End(time.time(), self.ending, self.error)
        if isinstance(self._recorder, HostJournal):
            from .transfer import take_trees

            trees = await take_trees(environment, self.root, self.prepared)
            if trees.problem is not None:
                self._missing.append(f"final work tree: {trees.problem}")
            for cause, tree in (("start", trees.start), ("end", trees.final)):
                if tree is not None:
                    await self._recorder.record(journal.Tree(time.time(), tree, cause))  # type: ignore[arg-type]
            self._start_tree, end.final_tree = trees.start, trees.final
        facts = self._facts(seconds)
        if facts is not None:
            write_json(self.prepared.directory / FACTS, facts)
        end.time = time.time()
        if isinstance(self._recorder, HostJournal):
            await self._recorder.record(end)
            self._recorder.close()
        else:
            box: Any = self._recorder
            await box.stop(end)
        forget_recorder(self.sample)

    def _facts(self, seconds: float) -> Facts | None:
        if self.ending == "interrupted":
            return None
        return Facts(
            schema=FACTS_SCHEMA,
            cell=self.prepared.cell,
            status=self.ending,
            started=round(self._started, 3),
            seconds=round(seconds, 3),
            sandbox=self.prepared.sandbox,
            working=_working(),
            scripted=self.prepared.scripted,
            limit=self.limit,
            error=self.error,
            cost=_cost(),
            start_commit=self.prepared.workspace.start_commit,
            start_tree=self._start_tree,
            missing=self._missing,
            notes=self._notes,
        )


async def _make_origin(environment: SandboxEnvironment, root: str) -> None:
    """The repository that an agent pushes a project to, as the remote ``origin`` of the one it works in."""
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


def _box(environment: SandboxEnvironment) -> Any:
    from .provider import BwrapSandbox

    return environment.as_type(BwrapSandbox).box


def _working() -> float | None:
    """Seconds of the running sample without waiting for rate limits and the like."""
    from inspect_ai.util import sample_limits

    try:
        return round(float(sample_limits().working.usage), 3)
    except RuntimeError:
        return None


def _cost() -> float | None:
    """Dollars, where the engine knows the model's prices."""
    known = [
        usage.total_cost
        for event in transcript().events
        if isinstance(event, ModelEvent) and (usage := event.output.usage) is not None and usage.total_cost is not None
    ]
    return round(sum(known), 6) if known else None


async def save_session(environment: SandboxEnvironment, prepared: Prepared, target: Path) -> str | None:
    """Copy the agent's own log out of the sandbox; why it could not be had, or None.

    It is read inside, as the agent's user, so a link that the agent planted leads nowhere it could not read itself.
    """
    patterns = prepared.agent.session_paths
    if not patterns:
        return None
    # Unquoted on purpose: patterns are ours, and the shell inside resolves them. What is not there is left out.
    script = (
        'cd "$HOME" && for f in %s; do [ -e "$f" ] && printf "%%s\\0" "$f"; done | tar -cf - --null -T - 2>/dev/null'
    )
    file = "/var/tmp/.rigor-session.tar"
    command = ["sh", "-c", f"{script % ' '.join(patterns)} > {file}"]
    try:
        await environment.exec(command, timeout=60)
        data = await environment.read_file(file, text=False)
    except (OSError, TimeoutError, UnicodeDecodeError, RuntimeError, ValueError) as error:
        return f"the agent's own log could not be copied ({type(error).__name__})"
    if len(data) > SESSION_BYTES:
        return f"the agent's own log is larger than {SESSION_BYTES >> 20} MiB and was left out"
    await asyncio.to_thread(_unpack, data, target)
    return None


def _unpack(data: bytes, target: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            if member.isreg():
                member.name = member.name.lstrip("/")
                member.mode = 0o644
                try:
                    archive.extract(member, target, filter="data", set_attrs=False)
                except (tarfile.FilterError, OSError):
                    continue


OnEnd = Callable[[Live], None]
