"""One recorded run as a trajectory: the model calls or the agent's own log, corrected by what the witness saw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...journal import JOURNAL, STORE
from ...logfile import LogError, LogFile
from ...model import EndState, SeenCommit, Shell, Skipped, Source, Step, ToolCall, Trajectory, Witness
from .changes import Attribution, Span, nearest_step
from .commands import Window, disown, match, tell
from .records import Journal, SeenCommand
from .steps import SIDE_CALL, build_steps
from .store import MissingObject, TreeStore, changes

SESSION = "session"


def read_run(log: LogFile) -> list[Trajectory]:
    """The run of a directory (or of a journal with its store beside it)."""
    assert log.path is not None or not log.is_directory
    directory = log.path if log.is_directory else None if log.path is None else log.path.parent
    lines = log
    if log.is_directory:
        assert log.path is not None
        lines = LogFile(log.path / JOURNAL, name=f"{log.name.rstrip('/')}/{JOURNAL}")
        lines.skipped = log.skipped
    journal = Journal(lines)
    if journal.run is None:
        raise LogError(lines.name, "holds no run record; give the directory of a recorded run", line=1)
    return [_Run(log, journal, directory).read()]


class _Run:
    def __init__(self, log: LogFile, journal: Journal, directory: Path | None) -> None:
        assert journal.run is not None
        self.log, self.journal, self.directory, self.about = log, journal, directory, journal.run
        self.sent: dict[int, float] = {}

    def read(self) -> Trajectory:
        trajectory = self.base()
        if self.journal.models:
            self.sent = build_steps(self.journal, trajectory)
        elif not self.session(trajectory) and self.about.prompt:
            source = Source(self.journal.name, 1)
            trajectory.steps.append(Step("user", source, text=self.about.prompt, time=self.about.time))
        spans = self.spans(trajectory)
        matched = self.commands(trajectory, spans)
        witness = Witness(
            store="" if self.directory is None else str((self.directory / STORE).absolute()),
            features=list(self.about.features),
            start_tree=self.about.start_tree,
            base_tree=self.about.base_tree,
            gaps=[f"{g.what}: {g.reason}" for _, g in self.journal.gaps],
            scripted=self.about.scripted,
        )
        trajectory.witness = witness
        if self.directory is not None and (self.directory / STORE).is_dir():
            with TreeStore(self.directory / STORE) as store:
                if self.journal.trees and "trees" in self.about.features:
                    Attribution(self.log, self.journal, store, trajectory, spans, matched).run(witness)
                self.commits(trajectory, witness, spans, matched, store)
                if witness.base_tree is not None and witness.start_tree is not None:
                    try:
                        witness.overlay = changes(store, witness.base_tree, witness.start_tree, set())
                    except MissingObject:
                        self.log.skip(None, "the trees before and after the harness's files are missing from the store")
        elif self.journal.trees:
            self.log.skip(None, f"{STORE} is missing beside the journal: what changed is not known exactly")
        if witness.snapshots:
            witness.final_tree = witness.snapshots[-1].tree
        return trajectory

    def base(self) -> Trajectory:
        about, journal = self.about, self.journal
        end = journal.end
        trajectory = Trajectory(
            about.id,
            "rigor-capture",
            Source(self.log.name),
            [],
            agent=_named(about.agent),
            agent_version=_version(about.agent),
            model=about.model,
            cwd=about.root,
            start_commit=about.start_commit,
            started_at=about.time,
            ended_at=journal.last_time if end is None else end.time,
            end=self.ending(),
        )
        told: dict[str, Any] = {
            "task": about.task,
            "agent": about.agent,
            "harness": about.harness,
            "scripted": about.scripted,
            "features": list(about.features),
        }
        if end is not None and end.message:
            told["message"] = end.message
        if journal.limits:
            told["limits"] = [{"kind": r.kind, "limit": r.limit, "used": r.used} for _, r in journal.limits]
        if journal.decoys:
            told["decoys"] = [{"path": r.path, "access": r.access, "line": n} for n, r in journal.decoys]
        if journal.gaps:
            told["gaps"] = [{"what": r.what, "reason": r.reason, "line": n} for n, r in journal.gaps]
        trajectory.extra = {"capture": told}
        return trajectory

    def ending(self) -> EndState:
        if self.journal.limits:
            return "limit"
        return "interrupted" if self.journal.end is None else self.journal.end.state

    # The agent's own log

    def session(self, trajectory: Trajectory) -> bool:
        """Take steps and lanes from the agent's own log, for agents whose model calls nobody recorded."""
        from ...registry import discover, read_log

        place = None if self.directory is None else self.directory / SESSION
        if place is None or not place.is_dir():
            return False
        best: Trajectory | None = None
        for item in discover([str(place)]):
            try:
                found = [] if isinstance(item, LogError) else read_log(item)
            except LogError as error:
                self.log.skip(None, str(error.reason), file=error.file)
                continue
            for other in found:
                if best is None or _work(other) > _work(best):
                    best = other
        if best is None:
            self.log.skip(None, f"{SESSION}/ holds no agent log that can be read")
            return False
        trajectory.steps, trajectory.lanes = best.steps, best.lanes
        trajectory.usage, trajectory.usage_complete = best.usage, best.usage_complete
        trajectory.agent_version = trajectory.agent_version or best.agent_version
        trajectory.model = trajectory.model or best.model
        trajectory.branch = best.branch
        trajectory.extra["capture"]["session"] = {"format": best.format, "source": best.source.file}
        for part in best.skipped:
            self.log.skipped.append(Skipped(part.file, part.line, part.reason))
        for step in trajectory.steps:
            for call in step.calls:
                if call.result is not None and call.result.time is not None:
                    self.sent[id(call)] = call.result.time
        return True

    # Commands

    def spans(self, trajectory: Trajectory) -> list[Span]:
        """Every call with the time in which it was at work, as far as the log tells."""
        found: list[Span] = []
        following: dict[str, float | None] = {}
        ends: dict[int, float | None] = {}
        for step in reversed(trajectory.steps):
            for call in step.calls:
                ends[id(call)] = self.sent.get(id(call), following.get(step.lane))
            if step.role == "agent" and step.time is not None:
                following[step.lane] = step.time
        for index, step in enumerate(trajectory.steps):
            lane = trajectory.lanes.get(step.lane)
            if lane is not None and lane.agent_type == SIDE_CALL:
                continue
            for call in step.calls:
                start = call.time if call.time is not None else step.time
                found.append(Span(call, index, start, ends[id(call)]))
        return found

    def commands(self, trajectory: Trajectory, spans: list[Span]) -> dict[int, SeenCommand]:
        """Match shell calls to commands, and put what the witness knows into them."""
        watched = "commands" in self.about.features
        windows = [
            Window(s.call, s.call.action, s.step, s.start, s.end) for s in spans if isinstance(s.call.action, Shell)
        ]
        commands = self.journal.tool_commands()
        hears = "output" in self.about.features
        shells = [c for c in commands if c.is_waiting_shell]
        inside: dict[str, list[SeenCommand]] = {}
        for nested in self.journal.commands.values():
            root = self.journal.tool_command(nested.record.id) if nested.record.origin == "nested" else None
            if root is not None:
                inside.setdefault(root.record.id, []).append(nested)
        disowned: list[ToolCall] = []
        matched = match(windows, commands, inside) if commands else {}
        for window in windows:
            command = matched.get(id(window.call))
            if command is not None:
                children = inside.get(command.record.id, ())
                tell(window.call, window.action, command, children, hears=hears, journal=self.journal.name)
            elif watched and window.call.result is not None and not _through(shells, window):
                disown(window.call)
                disowned.append(window.call)
        for call in disowned[:100]:
            self.log.skip(
                call.source.line,
                f"no program was seen to run for the call {call.id}; what is claimed of it is not believed",
                file=call.source.file,
            )
        mine = {c.record.id for c in matched.values()}
        unasked = [c for c in commands if c.record.id not in mine and c not in shells]
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
        return matched

    # Commits

    def commits(
        self,
        trajectory: Trajectory,
        witness: Witness,
        spans: list[Span],
        matched: dict[int, SeenCommand],
        store: TreeStore,
    ) -> None:
        """The commits that came into being, each with the call during which it did."""
        notes = [(line, r) for line, r in self.journal.notes if r.name == "commit"]
        if not notes:
            return
        witness.commits = []
        trees: dict[str, str | None] = {self.about.start_commit: witness.start_tree} if self.about.start_commit else {}
        for line, record in notes:
            sha, tree = str(record.data.get("sha") or ""), str(record.data.get("tree") or "")
            parents = [str(p) for p in record.data.get("parents") or ()]
            trees[sha] = tree
            if not sha or sha == self.about.start_commit:
                continue
            commit = SeenCommit(
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
            owner = self.committer(record.data.get("command"), record.time, spans, matched)
            if owner is not None:
                commit.step, commit.call = owner.step, owner.call.id
            else:
                commit.step = nearest_step(trajectory, record.time)
            witness.commits.append(commit)

    def committer(
        self, command: object, time: float, spans: list[Span], matched: dict[int, SeenCommand]
    ) -> Span | None:
        """The shell call that made a commit: the one whose command it was, else the last that was at work then."""
        by_command = self.journal.tool_command(command) if isinstance(command, str) else None
        best: Span | None = None
        for span in spans:
            seen = matched.get(id(span.call))
            if seen is None:
                continue
            if seen is by_command:
                return span
            if seen.start <= time and (best is None or seen.start >= matched[id(best.call)].start):
                best = span
        return best


def _through(shells: list[SeenCommand], window: Window) -> bool:
    """Whether a shell stood open that may have run the call's command as its own."""
    return any(
        (window.end is None or s.start <= window.end)
        and (s.end is None or window.start is None or s.end >= window.start)
        for s in shells
    )


def _work(trajectory: Trajectory) -> int:
    return sum(1 + len(s.calls) for s in trajectory.steps if s.role == "agent")


def _named(about: dict[str, Any]) -> str | None:
    name = about.get("name")
    return name if isinstance(name, str) else None


def _version(about: dict[str, Any]) -> str | None:
    version = about.get("version")
    return version if isinstance(version, str) else None
