"""Reader of a recorded run: the journal that was written outside the agent's sandbox, and the trees beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ....base import journal as records
from ....base.journal import JOURNAL, SCHEMA, STORE
from ...logfile import LogError, LogFile
from ...model import (
    MAIN_LANE,
    Edit,
    Finish,
    Lane,
    ObservedCommit,
    RecordedRun,
    Result,
    Shell,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from ...patches import parse_patch
from ...reader import ContainerReader, Nested
from ...tools import interpret, text_of
from ...usage import TokenUsage
from ..codex.results import REFUSED
from ..shared.builder import SessionBuilder
from ..shared.usage import count
from ..shared.values import arguments, mapping, objects, optional
from .commands import SLACK, Attribution, Span, add_facts, match, nearest_step
from .records import Journal, ObservedCommand
from .store import MissingObject, TreeReader, changes

FORMAT = "rigor-capture"
SESSION = "session"
SIDE_CALL = "side call"
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
# What agents without tools write their commands in.
_PATCH_ALONE = re.compile(r"\s*apply_patch\s.*?\n\*\*\* End Patch(?:\s*\n\s*\w+|['\"])?\s*", re.DOTALL)
_FENCED = re.compile(r"^```(?:bash|sh|shell|mswea_bash_command)[ \t]*\n(.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)


class CaptureReader(ContainerReader):
    """A run's directory (``journal.jsonl`` and ``store.git``), or the journal alone.

    The whole directory is one log: neither its object store nor the agent's own log under ``session/`` is another one.
    """

    format, marks = FORMAT, (SCHEMA.encode(),)

    def is_record(self, value: dict[str, Any]) -> bool:
        return value.get("type") == "run" and value.get("schema") == SCHEMA

    def matches(self, log: LogFile) -> bool:
        if not log.is_directory or log.path is None:
            return super().matches(log)
        return (log.path / JOURNAL).is_file() and super().matches(LogFile(log.path / JOURNAL))

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


class _Run:
    """One run: the model calls or the agent's own log, corrected by the recording."""

    def __init__(self, log: LogFile, journal: Journal, directory: Path | None, nested: Nested) -> None:
        assert journal.run is not None
        self.log, self.journal, self.directory, self.nested = log, journal, directory, nested
        self.about = journal.run

    def read(self) -> Trajectory:
        trajectory = self.base()
        if self.journal.models:
            conversations = _Conversations(self.log, self.journal)
            conversations.run()
            trajectory.steps, trajectory.lanes = conversations.steps, conversations.lanes
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
        distrusted: list[Span] = []
        for span in spans:
            call, command = span.call, span.command
            if command is not None:
                children = inside.get(command.record.id, ())
                add_facts(span, command, children, output=output, journal=self.journal.name)
            elif recorded and isinstance(call.action, Shell) and call.result is not None and not _through(shells, span):
                call.result.stdout = ""
                if REFUSED.match(call.result.text):
                    call.result.denied = True
                    continue
                call.result.not_observed = True  # what it claims does not count
                call.result.exit_status = call.result.is_error = None
                distrusted.append(span)
        for call in [span.call for span in distrusted[:100]]:
            self.log.skip(
                call.source.line,
                f"the output of the call {call.id}: no program was seen to run for it",
                file=call.source.file,
            )
        matched = {span.command.record.id for span in spans if span.command is not None}
        unasked = [c for c in commands if c.record.id not in matched and c not in shells]
        # One of them may be what a call without a program ran, in words of the agent's own program.
        trajectory.unread_calls += sum(any(map(span.may_have_run, unasked)) for span in distrusted)
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
        start = self.about.start_commit
        trees: dict[str, str | None] = {start: recording.start_tree} if start else {}
        for line, record in notes:
            sha, tree = str(record.data.get("sha") or ""), str(record.data.get("tree") or "")
            parents = [str(p) for p in record.data.get("parents") or ()]
            trees[sha] = tree
            if not sha or sha == start or sha in put_aside:
                continue
            message = str(record.data.get("message") or "").strip()
            source = Source(self.journal.name, line)
            commit = ObservedCommit(sha, tree, message, source, parents, time=record.time)
            if parents and parents[0] not in trees:
                trees[parents[0]] = store.tree_of(parents[0])
            former = trees.get(parents[0]) if parents else None
            try:
                if former is not None and tree:
                    found = changes(store, former, tree, set())
                    commit.files = [path for c in found for path in (c.path, c.new_path) if path is not None]
            except MissingObject:
                commit.files = None
            owner = self.committer(record.data.get("command"), record.time, spans, message)
            commit.step = owner.step if owner is not None else nearest_step(trajectory, record.time)
            commit.call = owner.call.id if owner is not None else None
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
        ran = [(s.command, s) for s in reversed(spans) if s.command is not None]
        own = next((s for command, s in ran if command is by_command), None)
        earlier = [(command.start, s) for command, s in ran if command.start <= time]
        return own or max(earlier, key=lambda pair: pair[0], default=(0.0, None))[1]


def _through(shells: list[ObservedCommand], span: Span) -> bool:
    """Whether a shell was open that may have run the call's command itself."""
    return any(
        (span.end is None or s.start <= span.end) and (s.end is None or span.start is None or s.end >= span.start)
        for s in shells
    )


# The steps of the recorded model calls: one lane per conversation


class _Conversations(SessionBuilder):
    """The lanes of a run. Ids of calls are unique within a lane only: ``lane_calls`` has the calls by lane and id."""

    def __init__(self, log: LogFile, journal: Journal) -> None:
        super().__init__(log)
        self.journal = journal
        self.prompt = (journal.run.prompt or "").strip() if journal.run is not None else ""
        self.has_prompt = False
        self.replies = [str(note.data.get("text", "")).strip() for _, note in journal.notes if note.name == "reply"]
        self.lane_calls: dict[tuple[str, str], ToolCall] = {}
        self.first_text: dict[str, str] = {}
        self.lane_of: dict[str, str] = {}
        self.shown: dict[str, int] = {}

    def run(self) -> None:
        threads: dict[str, list[records.Model]] = {}
        for _, record in self.journal.models:
            threads.setdefault(record.conversation, []).append(record)
        self.first_text = {name: "\n".join(_texts(calls[0], "user")) for name, calls in threads.items()}
        working = [
            name
            for name, calls in threads.items()
            if any(c.tools or objects(mapping(c.output).get("tool_calls")) for c in calls)
        ]
        asked = {name for name, text in self.first_text.items() if self.prompt and self.prompt in text}
        main = max(
            working or list(threads), key=lambda n: (n == "main", n in asked, len(threads[n]), -threads[n][0].time)
        )
        self.lane_of[main] = MAIN_LANE
        main_ended = max(c.time for c in threads[main])
        for name, calls in threads.items():
            if name == main:
                continue
            if name not in working:
                kind: str | None = SIDE_CALL if working else None
                self.lanes[name] = Lane(name, MAIN_LANE, agent_type=kind)
                self.lane_of[name] = name
            elif (calls[0].started or calls[0].time) >= main_ended and not self._is_task(name, threads, main):
                # The main conversation goes on under another name: its history was rewritten.
                self.lane_of[name] = MAIN_LANE
                main_ended = max(main_ended, *(c.time for c in calls))
            else:
                self.lanes[name] = Lane(name, MAIN_LANE, prompt=self.first_text[name] or None)
                self.lane_of[name] = name
        for line, record in self.journal.models:
            self._model_call(line, record)
        if self.prompt and not self.has_prompt:
            time = None if self.journal.run is None else self.journal.run.time
            self.steps.insert(0, Step("user", Source(self.journal.name, 1), text=self.prompt, time=time))

    def _is_task(self, name: str, threads: dict[str, list[records.Model]], main: str) -> bool:
        """Whether a call of the main conversation contains this one's prompt."""
        text = self.first_text[name]
        for record in threads[main]:
            for call in objects(mapping(record.output).get("tool_calls")):
                action = interpret(str(call.get("name") or ""), arguments(call.get("arguments")))
                if isinstance(action, Spawn) and _gave(action, text):
                    return True
        return False

    def _adopt(self, lane: str, conversation: str) -> None:
        """Links a sub-agent's lane to the call that started it."""
        known = self.lanes.get(lane)
        if known is None or known.parent_call is not None or known.agent_type == SIDE_CALL:
            return
        text = self.first_text.get(conversation, "")
        for step in reversed(self.steps):
            for call in step.calls:
                if isinstance(call.action, Spawn) and call.action.lane is None and _gave(call.action, text):
                    call.action.lane = lane
                    known.parent, known.parent_call = step.lane, call.id
                    return

    def _model_call(self, line: int, record: records.Model) -> None:
        lane = self.lane_of[record.conversation]
        source = Source(self.journal.name, line)
        if lane != MAIN_LANE and lane not in self.last:
            self._adopt(lane, record.conversation)
        side = lane in self.lanes and self.lanes[lane].agent_type == SIDE_CALL
        if not side:
            # A message that is only sent in other words (a reminder, a cut output) is no rewritten history.
            compacted = lane in self.last and record.dropped * 2 > self.shown.get(lane, 0)
            if compacted:
                summary = "\n".join(_texts(record, "user"))
                self.say("compaction", summary, source, record.started, lane=lane)
                self.shown[lane] = 0
            for message in record.input:
                self._message(message, lane, source, record, compacted=compacted)
            self.shown[lane] = self.shown.get(lane, 0) + len(record.input) + 1
        usage, output = None, record.output
        if record.usage is not None:
            usage = TokenUsage(*(count(record.usage.get(name)) for name in TokenUsage.__struct_fields__))
        if output is None:
            if usage is not None or record.error is None:
                self.steps.append(Step("agent", source, lane=lane, usage=usage, model=record.model, time=record.time))
            else:
                self.say("harness", record.error, source, record.time, lane=lane)
            return
        step = self.begin(source, record.time, lane=lane, model=record.model)
        step.usage, step.message_id = usage, record.id
        if side:
            return
        step.text = text_of(output.get("content"))
        step.reasoning = text_of(output.get("reasoning"))
        for value in objects(output.get("tool_calls")):
            name, given = str(value.get("name") or ""), arguments(value.get("arguments"))
            action = interpret(name, given)
            if name == "python" and isinstance(given, dict) and isinstance(given.get("code"), str):
                action = Shell(f"python3 - <<'EOF'\n{given['code']}\nEOF")
            if isinstance(action, Shell) and _PATCH_ALONE.fullmatch(action.command):
                # Codex carries it out itself: no such program runs.
                changes = parse_patch(action.command)
                action = Edit(changes) if changes else action
            if isinstance(action, Finish) and not action.text and isinstance(given, dict):
                action.text = next((v for v in given.values() if isinstance(v, str)), "")
            call = self.call(step, str(value.get("id")), name, given, action, source, record.time)
            self.lane_calls[(lane, call.id)] = call
        # The command of an agent that has no tools: the one fenced block of its answer.
        blocks = _FENCED.findall(step.text)
        if len(blocks) == 1 and not step.calls and not record.tools:
            self.call(step, record.id, "text", {"command": blocks[0]}, Shell(blocks[0]), source, record.time)

    def _message(self, message: Any, lane: str, source: Source, record: records.Model, *, compacted: bool) -> None:
        if not isinstance(message, dict):
            return
        role, text, time = message.get("role"), text_of(message.get("content")), record.started or record.time
        if role == "tool":
            self._result(message, text, lane, source, time)
        elif role == "user":
            self._said(text, lane, source, time, compacted=compacted)
        elif role == "system" and text.strip():
            self.say("harness", text, source, time, lane=lane)

    def _result(self, message: dict[str, Any], text: str, lane: str, source: Source, time: float) -> None:
        call = self.lane_calls.get((lane, str(message.get("tool_call_id"))))
        if call is None and lane in self.last:
            # Not every protocol has ids, but all keep the order.
            call = next((c for c in self.last[lane].calls if c.result is None), None)
        if call is None or call.result is not None:
            return
        error = message.get("error")
        problem = error if isinstance(error, str) else text_of(error)
        result = call.result = Result(text or problem, is_error=True if error else None, time=time, source=source)
        result.timed_out = isinstance(error, dict) and error.get("type") == "timeout"

    def _said(self, text: str, lane: str, source: Source, time: float, *, compacted: bool) -> None:
        """A text for the model. The task and recorded replies are the user's, all others are the harness's."""
        step = self.last.get(lane)
        call = step.calls[0] if step is not None and len(step.calls) == 1 else None
        if call is not None and call.name == "text" and call.result is None:
            call.result = Result(text, time=time, source=source)  # the output of a command that was written as text
            return
        if not text.strip() or compacted:
            return
        rest, own = text, _REMINDER.sub("", text).strip()
        if lane == MAIN_LANE and self.has_prompt and own in self.replies:
            self.replies.remove(own)
            self._user(own, source, time)
            rest = "\n".join(_REMINDER.findall(text))
        elif lane == MAIN_LANE and not self.has_prompt:
            if self.prompt and self.prompt in text:
                rest = text.replace(self.prompt, "", 1)
                self._user(self.prompt, source, time)
            elif not self.prompt and own:
                self._user(own, source, time)
                rest = "\n".join(_REMINDER.findall(text))
        if rest.strip():
            self.say("harness", rest.strip(), source, time, lane=lane)

    def _user(self, text: str, source: Source, time: float) -> None:
        self.has_prompt = True
        self.say("user", text, source, time)


def _texts(record: records.Model, role: str) -> list[str]:
    return [
        text for m in objects(record.input) if m.get("role") == role and (text := text_of(m.get("content"))).strip()
    ]


def _gave(action: Spawn, text: str) -> bool:
    prompt = action.prompt.strip()
    return len(prompt) > 3 and prompt in text


READERS = (CaptureReader(),)
