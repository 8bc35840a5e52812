"""The trajectory model: what one agent session did, in the order of its log.

Every reader produces these structures and everything downstream consumes only them. Three rules hold throughout:

* Unknown is ``None``: an exit status, a time or a token count that the log does not state is never 0 or "".
* Times are seconds since the epoch (float, UTC); durations are seconds.
* Everything points back to its ``Source`` (file, and line where the log is line-based).
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from .usage import TokenUsage, sum_usage

MAIN_LANE = "main"


class Source(Struct, frozen=True, gc=False):
    """Where something is in the log: the file as the user named it, and the line from 1 (None: not line-based)."""

    file: str
    line: int | None = None


Operation = Literal["create", "modify", "delete", "rename"]


class FileChange(Struct):
    """One file changed by one call.

    Attributes:
        hunks: (old text, new text) replacements, in order.
        before: the whole file before the change (None: unknown); ``after`` likewise.
        new_path: of a renamed file.
        replace_all: each hunk applies to every occurrence.
        at_line: 1-based line after which the text was inserted.
        formatted: a formatter rewrote the file: what changed is layout, if anything did.
    """

    path: str
    operation: Operation = "modify"
    hunks: list[tuple[str, str]] = field(default_factory=list)
    before: str | None = None
    after: str | None = None
    new_path: str | None = None
    replace_all: bool = False
    at_line: int | None = None
    formatted: bool = False


PlanStatus = Literal["pending", "in_progress", "completed", "cancelled"]


class PlanItem(Struct):
    """One item of a plan or todo list. ``key`` is the tool's own id where it has one."""

    text: str
    status: PlanStatus = "pending"
    key: str | None = None


# What a call does, in the same terms for every agent. `Other` is an unknown tool: kept, never interpreted.


class Shell(Struct, tag="shell"):
    """A command line given to a shell. ``background``: nobody waits for it (``shell_id`` names it later)."""

    command: str
    cwd: str | None = None
    background: bool = False
    shell_id: str | None = None


class ShellOutput(Struct, tag="shell_output"):
    """Reads, feeds or polls a shell started by an earlier call; ``stdin`` is what was typed into it."""

    shell_id: str | None = None
    stdin: str | None = None


class Edit(Struct, tag="edit"):
    """Changes files through an editing tool."""

    changes: list[FileChange]


class Read(Struct, tag="read"):
    target: str


class Search(Struct, tag="search"):
    target: str


class Plan(Struct, tag="plan"):
    """A plan or todo tool. ``replace``: ``items`` is the whole list; ``add``: new items; ``update``: status by key.

    ``mode`` is "mode" for plan mode (ExitPlanMode and alike), with ``text`` the plan as written.
    """

    items: list[PlanItem]
    update: Literal["replace", "add", "update"] = "replace"
    mode: Literal["tool", "mode"] = "tool"
    text: str | None = None


class Spawn(Struct, tag="spawn"):
    """Starts a sub-agent; ``lane`` is the lane in which its steps appear (None: its steps are not in the log)."""

    prompt: str
    lane: str | None = None
    description: str | None = None


class Ask(Struct, tag="ask"):
    """Asks the user a question and waits for the answer."""

    text: str


class Wait(Struct, tag="wait"):
    """Sleeps or waits for something else to finish."""

    target: str = ""


class Finish(Struct, tag="finish"):
    """Declares the work done; ``text`` is the final message carried by the call."""

    text: str = ""


class Other(Struct, tag="other"):
    """A tool that is none of the above. ``inert``: it cannot touch the project (a web search, a thought)."""

    target: str = ""
    inert: bool = False


Action = Shell | ShellOutput | Edit | Read | Search | Plan | Spawn | Ask | Wait | Finish | Other


class ObservedProcess(Struct):
    """A program that was recorded while it ran inside a command, with its exit status (None: not recorded)."""

    argv: list[str]
    exit_status: int | None = None
    cwd: str | None = None


class Result(Struct):
    """What came back from a call.

    Attributes:
        text: what the model saw, verbatim.
        exit_status: only where the log states one.
        is_error: the log's own flag that the *tool* failed (None: no such flag).
        stdout: the program's output without what the harness added to it, if the log has both (None: see ``text``).
        interrupted: stopped by the user, a timeout or the harness before it ended.
        denied: the permission for the call was refused.
        truncated: ``text`` is not the whole output, nor is ``stdout``; ``full_output`` is a file with all of it.
        shell_id: the id under which a background command goes on.
        running: the command had not ended when its output was shown.
        not_observed: the command did not run: no program was started, or all were recorded and it is not among them.
        programs: what ran inside the command, in order of their starts, where that was recorded.
    """

    text: str
    exit_status: int | None = None
    is_error: bool | None = None
    time: float | None = None
    duration: float | None = None
    stdout: str | None = None
    interrupted: bool = False
    timed_out: bool = False
    denied: bool = False
    truncated: bool = False
    shell_id: str | None = None
    full_output: str | None = None
    running: bool = False
    source: Source | None = None
    not_observed: bool = False
    programs: list[ObservedProcess] = field(default_factory=list)


class ToolCall(Struct):
    """One tool call.

    Attributes:
        id: as the log states it, or made up.
        name: as the log has it; also ``input``.
        action: what we understood by name and input.
        observed: what the call did to the files of the project, as it was recorded (whole files before and after,
            without build products); None: nothing was recorded.
        background: the agent made no such call; it represents recorded changes that no call at work explains.
    """

    id: str
    name: str
    input: Any
    action: Action
    source: Source
    result: Result | None = None
    time: float | None = None
    observed: list[FileChange] | None = None
    background: bool = False


Role = Literal["user", "agent", "harness", "compaction", "interrupt"]


class Step(Struct):
    """One turn of a lane.

    Role "agent": one model call (its text, reasoning, tool calls and usage). "user": words of a human. "harness": text
    that the harness put in front of the model (environment context, reminders, notifications, sub-agent prompts).
    "compaction": the history was summarised (``text`` is the summary). "interrupt": the user stopped the agent.
    """

    role: Role
    source: Source
    lane: str = MAIN_LANE
    text: str = ""
    reasoning: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    usage: TokenUsage | None = None
    model: str | None = None
    message_id: str | None = None
    time: float | None = None


class Lane(Struct):
    """A strand of work: "main", a sub-agent, or what the user took back.

    Attributes:
        parent_call: the id of the call that started a sub-agent.
        taken_back: the user went back to before these steps. Whether their edits were undone, the log does not show.
    """

    id: str
    parent: str | None = None
    parent_call: str | None = None
    agent_type: str | None = None
    prompt: str | None = None
    taken_back: bool = False


class Skipped(Struct, frozen=True):
    """A part of the log that could not be read as it stands, and why (one line, plain words).

    ``lost``: something of it is missing in the trajectory (False: it was repaired).
    """

    file: str
    line: int | None
    reason: str
    lost: bool = True


class TreeState(Struct):
    """A recorded state of the work tree.

    Attributes:
        tree: a git tree hash in the recording's ``store``.
        cause: "start", "before" or "after" a command, "model", "background" or "end".
        step: the step that made it (None: it was so from the start, or no step is known); ``call`` is the call's id.
    """

    tree: str
    cause: str
    source: Source
    time: float | None = None
    step: int | None = None
    call: str | None = None


class ObservedCommit(Struct):
    """A commit that was recorded when it was made.

    Attributes:
        files: what it changes (None: its parent is not known).
        step: the step during which it was made (None: not known); ``call`` is the call's id.
    """

    sha: str
    tree: str
    message: str
    source: Source
    parents: list[str] = field(default_factory=list)
    files: list[str] | None = None
    time: float | None = None
    step: int | None = None
    call: str | None = None


class RecordedRun(Struct):
    """What was recorded of a run from outside the agent's reach.

    Attributes:
        store: the path of a git repository that contains the trees.
        features: what was recorded ("commands", "output", "trees", "models", "decoys").
        start_tree: the project as the agent found it.
        base_tree: the project before the harness's files were added.
        snapshots: every state of the work tree, in order.
        commits: None: commits were not recorded.
        overlay: the harness's files.
        gaps: what could not be recorded, and why.
        scripted: the "model" is a scripted policy.
    """

    store: str
    features: list[str]
    start_tree: str | None = None
    base_tree: str | None = None
    final_tree: str | None = None
    snapshots: list[TreeState] = field(default_factory=list)
    commits: list[ObservedCommit] | None = None
    overlay: list[FileChange] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    scripted: bool = False


EndState = Literal["completed", "interrupted", "limit", "error"]


class Trajectory(Struct):
    """One session of one agent, all lanes.

    Attributes:
        id: as the log states it, or the file's name.
        steps: in log order, with the lanes interleaved if the log states the order (else by time, else a sub-agent's
            steps follow the call that started it).
        model: the first or most frequent model of the main lane.
        started_at: the first time in the log; ``ended_at`` is the last.
        usage: totals that the log itself states, only where usage per step is absent or incomplete.
        usage_complete: no tokens are missing in the log.
        end: how the session ended (None: unknown).
        complete: whether the log has all of the session. False: it was cut off, or ends before the first model call.
            None: nothing in the log shows how the session ended, or parts of the log could not be read.
        continues: the id of the session that this one goes on from, whose log has the part before; None: it has a
            beginning of its own.
        unread: parts of the log (lines, values, calls) that are missing here because they could not be read.
        states_failure: this format flags *every* failed shell command, so that a command without the flag did not fail
            (its exit status stays None all the same).
        unread_calls: calls of tools of which the log does not decide what they did (computed inside a script).
        extra: what the interchange format carries and we do not use, so that a round trip loses nothing.
        recording: what was recorded from outside, for runs in a recorded sandbox.
    """

    id: str
    format: str
    source: Source
    steps: list[Step] = field(default_factory=list)
    agent: str | None = None
    agent_version: str | None = None
    model: str | None = None
    cwd: str | None = None
    branch: str | None = None
    start_commit: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    lanes: dict[str, Lane] = field(default_factory=dict)
    usage: TokenUsage | None = None
    usage_complete: bool = True
    end: EndState | None = None
    complete: bool | None = None
    continues: str | None = None
    unread: int = 0
    states_failure: bool = False
    skipped: list[Skipped] = field(default_factory=list)
    unread_calls: int = 0
    extra: dict[str, Any] = field(default_factory=dict)
    recording: RecordedRun | None = None

    @property
    def snapshots(self) -> list[TreeState]:
        """The recorded states of the work tree ([]: nothing was recorded)."""
        return [] if self.recording is None else self.recording.snapshots

    def total_usage(self) -> TokenUsage | None:
        """Token totals over all lanes: the log's own totals if given, else the sum of the steps; None if neither."""
        if self.usage is not None:
            return self.usage
        return sum_usage(s.usage for s in self.steps)
