"""Reader of a recorded run: the journal that was written outside the agent's sandbox, and the trees beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ....base.journal import JOURNAL, SCHEMA, STORE
from ...logfile import LogError, LogFile
from ...model import ObservedCommit, RecordedRun, Shell, Source, Step, ToolCall, Trajectory
from ...reader import ContainerReader, Nested
from ..shared.values import optional
from .commands import SLACK, Attribution, Span, add_facts, match, nearest_step
from .records import Journal, ObservedCommand
from .steps import SIDE_CALL, build_steps
from .store import MissingObject, TreeReader, changes

FORMAT = "rigor-capture"
_FIRST_BYTES = 4096
SESSION = "session"


class CaptureReader(ContainerReader):
    """A run's directory (``journal.jsonl`` and ``store.git``), or the journal alone.

    The whole directory is one log: neither its object store nor the agent's own log under ``session/`` is another one.
    """

    format = FORMAT

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            assert log.path is not None
            journal = log.path / JOURNAL
            return os.path.isfile(journal) and _begins_a_run(LogFile(journal))
        return _begins_a_run(log)

    def read_container(self, log: LogFile, nested: Nested) -> Iterator[Trajectory]:
        assert log.path is not None or not log.is_directory
        directory = log.path if log.is_directory else None if log.path is None else log.path.parent
        lines = log
        if log.is_directory:
            assert log.path is not None
            lines = LogFile(log.path / JOURNAL, name=f"{log.name.rstrip('/')}/{JOURNAL}")
            lines.skipped = log.skipped
        journal = Journal(lines)
        if journal.run is None:
            raise LogError(lines.name, "contains no run record; give the directory of a recorded run", line=1)
        yield _Run(log, journal, directory, nested).read()


def _begins_a_run(log: LogFile) -> bool:
    if SCHEMA.encode() not in log.head[:_FIRST_BYTES]:
        return False
    first = next(iter(log.head_objects), None)
    return isinstance(first, dict) and first.get("type") == "run" and first.get("schema") == SCHEMA


class _Run:
    """One run: the model calls or the agent's own log, corrected by the recording."""

    def __init__(self, log: LogFile, journal: Journal, directory: Path | None, nested: Nested) -> None:
        assert journal.run is not None
        self.log, self.journal, self.directory, self.nested = log, journal, directory, nested
        self.about = journal.run

    def read(self) -> Trajectory:
        trajectory = self.base()
        if self.journal.models:
            build_steps(self.log, self.journal, trajectory)
        elif not self.session(trajectory) and self.about.prompt:
            source = Source(self.journal.name, 1)
            trajectory.steps.append(Step("user", source, text=self.about.prompt, time=self.about.time))
        spans = self.spans(trajectory)
        self.commands(trajectory, spans)
        recording = trajectory.recording = RecordedRun(
            store="" if self.directory is None else str((self.directory / STORE).absolute()),
            features=list(self.about.features),
            start_tree=self.about.start_tree,
            base_tree=self.about.base_tree,
            gaps=[f"{gap.what}: {gap.reason}" for _, gap in self.journal.gaps],
            scripted=self.about.scripted,
        )
        if self.journal.end is None:
            recording.gaps.append("recorder: the journal has no end: what happened after its last record is not known")
        if self.directory is not None and (self.directory / STORE).is_dir():
            with TreeReader(self.directory / STORE) as store:
                if self.journal.trees and "trees" in self.about.features:
                    Attribution(self.log, self.journal, store, trajectory, spans).run(recording)
                self.commits(trajectory, recording, spans, store)
                if recording.base_tree is not None and recording.start_tree is not None:
                    try:
                        recording.overlay = changes(store, recording.base_tree, recording.start_tree, set())
                    except MissingObject:
                        self.log.skip(None, "the trees before and after the harness's files are missing from the store")
        elif self.journal.trees:
            self.log.skip(None, f"{STORE} is missing beside the journal: what changed is not known exactly")
        if recording.snapshots:
            recording.final_tree = recording.snapshots[-1].tree
        return trajectory

    def base(self) -> Trajectory:
        about, journal = self.about, self.journal
        end = journal.end
        trajectory = Trajectory(
            about.id,
            "rigor-capture",
            Source(self.log.name),
            [],
            agent=optional(about.agent.get("name")),
            agent_version=optional(about.agent.get("version")),
            model=about.model,
            cwd=about.root,
            start_commit=about.start_commit,
            started_at=about.time,
            ended_at=journal.last_time if end is None else end.time,
            # A limit may have stopped a command of the agent's, and not the run.
            end=end.state if end is not None else "limit" if journal.limits else "interrupted",
        )
        facts: dict[str, Any] = {
            "task": about.task,
            "agent": about.agent,
            "harness": about.harness,
            "scripted": about.scripted,
            "features": list(about.features),
        }
        if end is not None and end.message:
            facts["message"] = end.message
        if journal.limits:
            facts["limits"] = [{"kind": r.kind, "limit": r.limit, "used": r.used} for _, r in journal.limits]
        if journal.decoys:
            facts["decoys"] = [{"path": r.path, "access": r.access, "line": n} for n, r in journal.decoys]
        if journal.gaps:
            facts["gaps"] = [{"what": r.what, "reason": r.reason, "line": n} for n, r in journal.gaps]
        trajectory.extra = {"capture": facts}
        return trajectory

    def session(self, trajectory: Trajectory) -> bool:
        """Takes steps and lanes from the agent's own log, for agents whose model calls nobody recorded."""
        directory = None if self.directory is None else self.directory / SESSION
        if directory is None or not directory.is_dir():
            return False
        found: list[Trajectory] = []
        for _, read in self.nested(directory):
            try:
                found += read()
            except LogError as error:
                self.log.skip(None, str(error.reason), file=error.file)
        if not found:
            self.log.skip(None, f"{SESSION}/ contains no agent log that can be read")
            return False
        best = max(found, key=lambda other: sum(1 + len(s.calls) for s in other.steps if s.role == "agent"))
        trajectory.steps, trajectory.lanes = best.steps, best.lanes
        trajectory.usage, trajectory.usage_complete = best.usage, best.usage_complete
        trajectory.agent_version = trajectory.agent_version or best.agent_version
        trajectory.model = trajectory.model or best.model
        trajectory.branch = best.branch
        trajectory.extra["capture"]["session"] = {"format": best.format, "source": best.source.file}
        self.log.skipped.extend(best.skipped)
        return True

    def spans(self, trajectory: Trajectory) -> list[Span]:
        """Every call with the time in which it was at work, as far as the log states it."""
        ends: list[float | None] = []  # of the calls, from the last one on
        following: dict[str, float | None] = {}
        for step in reversed(trajectory.steps):
            for call in reversed(step.calls):
                returned = None if call.result is None else call.result.time
                ends.append(returned if returned is not None else following.get(step.lane))
            if step.role == "agent" and step.time is not None:
                following[step.lane] = step.time
        found: list[Span] = []
        for index, step in enumerate(trajectory.steps):
            lane = trajectory.lanes.get(step.lane)
            for call in step.calls:
                end = ends.pop()
                if lane is None or lane.agent_type != SIDE_CALL:
                    found.append(Span(call, index, call.time if call.time is not None else step.time, end))
        return found

    def commands(self, trajectory: Trajectory, spans: list[Span]) -> None:
        """Matches shell calls to commands, and adds what was recorded of them."""
        recorded, output = "commands" in self.about.features, "output" in self.about.features
        commands = self.journal.tool_commands()
        shells = [c for c in commands if c.is_waiting_shell]
        inside: dict[str, list[ObservedCommand]] = {}
        for nested in self.journal.commands.values():
            root = self.journal.tool_command(nested.record.id) if nested.record.origin == "nested" else None
            if root is not None:
                inside.setdefault(root.record.id, []).append(nested)
        match(spans, commands, inside)
        distrusted: list[ToolCall] = []
        for span in spans:
            call, command = span.call, span.command
            if command is not None:
                children = inside.get(command.record.id, ())
                add_facts(span, command, children, output=output, journal=self.journal.name)
            elif recorded and isinstance(call.action, Shell) and call.result is not None and not _through(shells, span):
                # What it claims does not count.
                call.result.not_observed, call.result.stdout = True, ""
                call.result.exit_status = call.result.is_error = None
                distrusted.append(call)
        for call in distrusted[:100]:
            self.log.skip(
                call.source.line,
                f"the output of the call {call.id}: no program was seen to run for it",
                file=call.source.file,
            )
        matched = {span.command.record.id for span in spans if span.command is not None}
        unasked = [c for c in commands if c.record.id not in matched and c not in shells]
        if unasked:
            trajectory.extra["capture"]["unasked_commands"] = [
                {
                    "command": c.text[:500],
                    "exit_status": None if c.exit is None else c.exit.status,
                    "time": c.start,
                    "line": c.line,
                    "step": nearest_step(trajectory, c.start),
                }
                for c in unasked[:1000]
            ]

    def commits(self, trajectory: Trajectory, recording: RecordedRun, spans: list[Span], store: TreeReader) -> None:
        """The commits that were made, each with the call during which it was made."""
        notes = [(line, r) for line, r in self.journal.notes if r.name == "commit"]
        if not notes:
            return
        recording.commits = []
        # What ``git stash`` keeps: the index is a commit on top of HEAD, named so by git itself; the work tree is one
        # on top of both, and untracked files are a third.
        made = [r.data for _, r in notes]
        on = {c.get("sha"): c.get("parents") for c in made if str(c.get("message")).startswith("index on ")}
        stashes = [c for c in made if len(c.get("parents") or ()) > 1 and on.get(c["parents"][1]) == c["parents"][:1]]
        put_aside = {str(sha) for stash in stashes for sha in (stash.get("sha"), *stash["parents"][1:])}
        trees: dict[str, str | None] = (
            {self.about.start_commit: recording.start_tree} if self.about.start_commit else {}
        )
        for line, record in notes:
            sha, tree = str(record.data.get("sha") or ""), str(record.data.get("tree") or "")
            parents = [str(p) for p in record.data.get("parents") or ()]
            trees[sha] = tree
            if not sha or sha == self.about.start_commit or sha in put_aside:
                continue
            commit = ObservedCommit(
                sha,
                tree,
                str(record.data.get("message") or "").strip(),
                Source(self.journal.name, line),
                parents,
                time=record.time,
            )
            if parents and parents[0] not in trees:
                trees[parents[0]] = store.tree_of(parents[0])
            former = trees.get(parents[0]) if parents else None
            try:
                if former is not None and tree:
                    commit.files = [
                        p
                        for c in changes(store, former, tree, set())
                        for p in ([c.path] if c.new_path is None else [c.path, c.new_path])
                    ]
            except MissingObject:
                commit.files = None
            owner = self.committer(record.data.get("command"), record.time, spans, commit.message)
            if owner is not None:
                commit.step, commit.call = owner.step, owner.call.id
            else:
                commit.step = nearest_step(trajectory, record.time)
            recording.commits.append(commit)

    def committer(self, command: object, time: float, spans: list[Span], message: str) -> Span | None:
        """The shell call that made a commit: the only one at work that names it, that of the command, else the last.

        Calls of one message may run at once, so the last that had started by then need not be the one.
        """
        subject = message.split("\n", 1)[0]
        begun = [s for s in spans if s.command is not None and s.command.at_work(time, SLACK)]
        naming = [s for s in begun if isinstance(s.call.action, Shell) and subject in s.call.action.command]
        if subject and len(naming) == 1:
            return naming[0]
        by_command = self.journal.tool_command(command) if isinstance(command, str) else None
        best: Span | None = None
        latest = 0.0
        for span in spans:
            if span.command is None:
                continue
            if span.command is by_command:
                return span
            if span.command.start <= time and (best is None or span.command.start >= latest):
                best, latest = span, span.command.start
        return best


def _through(shells: list[ObservedCommand], span: Span) -> bool:
    """Whether a shell was open that may have run the call's command itself."""
    return any(
        (span.end is None or s.start <= span.end) and (s.end is None or span.start is None or s.end >= span.start)
        for s in shells
    )


READERS = (CaptureReader(),)
