"""One run inside the engine: what is prepared before the agent starts, and what is saved after it has ended."""

from __future__ import annotations

import asyncio
import contextlib
import io
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import anyio
from inspect_ai.util import SandboxEnvironment, sandbox
from inspect_ai.util._sandbox.environment import SandboxUnavailableError

from ....base import journal
from ....base.agent_paths import ORIGIN
from ....base.files import extract_inside, write_json
from ....sandbox.kit.errors import SandboxError
from ....sandbox.record.ignoring import Ignoring
from ....sandbox.record.scan import Scanner
from ....sandbox.record.treestore import TreeWriter
from ...agents.spec import AgentSpec
from ...experiment.grid import is_scripted
from ...experiment.records import LimitHit
from ...experiment.store import FACTS, FACTS_SCHEMA, RunFacts
from ...recording.calls import calls, flush
from ...recording.context import HostJournal, Recorder, forget_recorder, on_behalf, set_recorder
from ...recording.failures import CallFailure, cause_of
from ...recording.metering import Meter
from ...tasks.workspace import ROOT
from ..provider import BwrapSandbox
from .prepared import Prepared, run_record

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
        ended = settle(error, limit, answers=answers, failure=self.meter.failure, gone=gone, limits=kinds)
        self.ending, self.limit, self.error = ended

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


Ending = Literal["completed", "limit", "crashed", "error", "interrupted"]


def settle(
    error: BaseException | None,
    limit: str | None,
    *,
    answers: int | None,
    failure: CallFailure | None = None,
    gone: str | None = None,
    limits: Sequence[str] = (),
) -> tuple[Ending, str | None, str | None]:
    """How a run ended that raised ``error``, or exceeded ``limit`` of the engine's, or did neither: "completed" (the
    agent itself stopped), "limit", "crashed" (it did not, by its own doing) or "error" (not its doing); the limit; and
    why, in one line (None: the agent itself stopped).

    What an agent brings about counts as its result and is named: a limit that it exceeded, a program that crashed, a
    bridge or a sandbox that it killed. What the provider of the model or this machine brings about says nothing of the
    agent: the run is an error, is repeated and never counts.

    The provider comes first: a run whose last model call nobody answered could not go on, whatever limit ended it then.

    Args:
        answers: completed model calls; None: the calls of this agent are not recorded.
        failure: how the last model call failed; None: it was answered.
        gone: why the sandbox has ended; None: it is up.
        limits: kinds of the limits of the sandbox that were exceeded.
    """
    what = cause_of(error) if error is not None else None
    if answers == 0:
        reason = (failure.text if failure is not None else what) or (
            f"the limit {limit}" if limit else "its agent ended"
        )
        return "error", None, f"no model call was completed: {reason}"
    if failure is not None and failure.kind == "unavailable":
        return "error", None, f"the model did not answer to the end: {failure.text}"
    # Only these end the sandbox, or kill the largest process in it, which may be the agent's own.
    for kind in ("disk", "recording", "memory"):
        if limit is None and kind in limits and (gone is not None or error is not None):
            return "limit", kind, gone or what
    if failure is not None and failure.kind == "full":
        return "limit", limit or "context", f"the conversation did not fit into the model: {failure.text}"
    if limit is not None and failure is not None:
        return "error", None, f"the model calls were refused to the end: {failure.text}"
    if limit is not None:
        return "limit", limit, None
    if gone is not None:
        return "crashed", None, f"its sandbox ended: {gone}"
    if failure is not None:
        return "crashed", None, f"its last model call was refused: {failure.text}"
    if error is None:
        return "completed", None, None
    if isinstance(error, RuntimeError | SandboxError | SandboxUnavailableError):
        return "crashed", None, what
    return "error", None, what


_IN = ".rigor-repository.tar"
_OUT = ".rigor-final.tar"


class TransferError(Exception):
    """The repository could not be brought into the sandbox. One line."""


# Hashes of the trees at the start and at the end in the run's store, or why they are not there.
TreeHashes = tuple[str | None, str | None, str | None]


async def put_repository(environment: SandboxEnvironment, repository: Path, root: str, kind: str) -> str:
    """Unpack a repository of the host in the sandbox; returns its path there.

    A ``local`` sandbox is a directory of the host; the repository then goes into its working directory.

    Raises:
        TransferError: it could not be unpacked.
    """
    if kind == "local":
        root = (await environment.exec(["pwd", "-P"])).stdout.strip()
    data = await asyncio.to_thread(_pack, repository)
    await environment.write_file(f"/tmp/{_IN}" if kind != "local" else _IN, data)
    archive = f"/tmp/{_IN}" if kind != "local" else f"{root}/{_IN}"
    script = 'mkdir -p "$1" && cd "$1" && tar -xf "$2" && rm -f "$2"'
    done = await environment.exec(["sh", "-c", script, "sh", root, archive], timeout=120)
    if not done.success:
        raise TransferError(f"the repository could not be unpacked in the sandbox: {done.stderr.strip()[:200]}")
    return root


def _pack(repository: Path) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for path in sorted(repository.iterdir()):
            archive.add(path, path.name, filter=_of_root)
    return out.getvalue()


def _of_root(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return info


async def take_trees(environment: SandboxEnvironment, root: str, prepared: Prepared) -> TreeHashes:
    """Download the final work tree; write it and the one at the start into the run's store, as git trees.

    Files that the starter's own rules ignore are left out.
    """
    archive = f"/tmp/{_OUT}" if prepared.sandbox != "local" else f"{root}/{_OUT}"
    exclude = ["--exclude=./.git", f"--exclude=./{_OUT}"]
    try:
        done = await environment.exec(["tar", "-C", root, *exclude, "-cf", archive, "."], timeout=300)
        if not done.success:
            return None, None, f"tar: {done.stderr.strip()[:200]}"
        data = await environment.read_file(archive, text=False)
    except (OSError, TimeoutError, RuntimeError, ValueError) as error:
        return None, None, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return await asyncio.to_thread(_write_trees, data, prepared)


def _write_trees(data: bytes, prepared: Prepared) -> TreeHashes:
    store = TreeWriter(prepared.directory / journal.STORE)
    repository = prepared.workspace.path
    with tempfile.TemporaryDirectory(prefix="rigor-final-", ignore_cleanup_errors=True) as name:
        work = Path(name) / "work"
        work.mkdir()
        ignoring = Ignoring(repository, Path(name) / "rules")
        try:
            start = Scanner(str(repository), store, ignoring.ignored).look().tree
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                for member in archive:
                    with contextlib.suppress(OSError):
                        extract_inside(archive, member, work, set_attrs=member.isreg())
            final = Scanner(str(work), store, ignoring.ignored).look().tree
        except (OSError, tarfile.TarError) as error:
            return None, None, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        finally:
            ignoring.close()
        return start, final, None


# The log must not fill the disk.
SESSION_BYTES = 64 << 20
_ARCHIVE = "/var/tmp/.rigor-session.tar"


async def save_session(environment: SandboxEnvironment, spec: AgentSpec, target: Path) -> str | None:
    """Copy the agent's own log into the directory ``target``; returns why that failed, or None.

    The log is read in the sandbox as the agent's user, so a link that the agent planted cannot lead to anything that
    the agent could not read itself.
    """
    if not spec.session_paths:
        return None
    # The patterns are ours and stand unquoted: the shell inside resolves them. Files that are not there are left out.
    script = (
        'cd "$HOME" && for f in %s; do [ -e "$f" ] && printf "%%s\\0" "$f"; done | tar -cf - --null -T - 2>/dev/null'
    )
    command = ["sh", "-c", f"{script % ' '.join(spec.session_paths)} > {_ARCHIVE}"]
    try:
        await environment.exec(command, timeout=60)
        data = await environment.read_file(_ARCHIVE, text=False)
    except (OSError, TimeoutError, UnicodeDecodeError, RuntimeError, ValueError) as error:
        return f"the agent's own log could not be copied ({type(error).__name__})"
    if len(data) > SESSION_BYTES:
        return f"the agent's own log is larger than {SESSION_BYTES >> 20} MiB and was left out"
    await asyncio.to_thread(unpack, data, target)
    return None


def unpack(data: bytes, target: Path) -> None:
    """Write the regular files of a tar archive below ``target``; anything else in it is ignored."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            if member.isreg():
                with contextlib.suppress(OSError):
                    extract_inside(archive, member, target, set_attrs=False)
