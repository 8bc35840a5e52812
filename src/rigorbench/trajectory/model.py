"""The trajectory model: what one agent session did, in the order its log tells it.

Every reader produces these structures and everything downstream consumes only them. Three rules hold throughout:

* Unknown is ``None``: an exit status, a time or a token count that the log does not state is never 0 or "".
* Times are seconds since the epoch (float, UTC); durations are seconds.
* Everything points back to its ``Source`` (file, and line where the log is line-based).
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import force_setattr

MAIN_LANE = "main"


class Source(Struct, frozen=True, gc=False):
    """Where in the log a thing stands: the file as named to the user, and its 1-based line (None: not line-based)."""

    file: str
    line: int | None = None


class Usage(Struct, frozen=True, gc=False):
    """Tokens of one model call, normalised over vendors.

    ``input`` excludes everything read from or written to the prompt cache; ``output`` includes reasoning.
    The prompt is therefore ``input + cache_read + cache_write``. ``None`` means that the log does not say; what it says
    in negative numbers, whatever the format, is no count and becomes ``None`` here.
    """

    input: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            count = getattr(self, name)
            if count is not None and count < 0:
                force_setattr(self, name, None)


Operation = Literal["create", "modify", "delete", "rename"]


class FileChange(Struct):
    """One file changed by one call.

    ``hunks`` are (old text, new text) replacements in order; ``before``/``after`` the whole file where the log has it
    (``None``: unknown). ``path`` is as the log writes it; ``new_path`` is set for renames. ``replace_all``:
    the one hunk applies to every occurrence. ``at_line``: 1-based line after which the text was inserted.
    """

    path: str
    operation: Operation = "modify"
    hunks: list[tuple[str, str]] = field(default_factory=list)
    before: str | None = None
    after: str | None = None
    new_path: str | None = None
    replace_all: bool = False
    at_line: int | None = None


PlanStatus = Literal["pending", "in_progress", "completed", "cancelled"]


class PlanItem(Struct):
    """One item of a plan or todo list. ``key`` is the tool's own id where it has one."""

    text: str
    status: PlanStatus = "pending"
    key: str | None = None


# What a call does, in the same words for every agent. `Other` is a tool we do not know: kept, never interpreted.


class Shell(Struct, tag="shell"):
    """A command line given to a shell. ``background``: started and not waited for (``shell_id`` names it later)."""

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
    """A tool that is none of the above (web fetch, MCP tools, ...)."""

    target: str = ""


Action = Shell | ShellOutput | Edit | Read | Search | Plan | Spawn | Ask | Wait | Finish | Other


class SeenProgram(Struct):
    """A program that a witness saw run inside a command, with its exit status (None: not seen)."""

    argv: list[str]
    exit_status: int | None = None


class Result(Struct):
    """What came back from a call.

    ``text`` is what the model saw, verbatim. ``exit_status`` only where the log states one. ``is_error`` is the log's
    own flag that the *tool* failed (None: no such flag). ``stdout`` is the program's output apart from what the
    harness put around it, when the log keeps both; otherwise None and ``text`` stands for it.
    ``interrupted``: stopped by the user, a timeout or the harness before it ended.
    ``shell_id``: the id under which a background command goes on. ``full_output``: a file that holds the whole.
    ``unseen``: a witness watched every program of the run, and this command was none of them: what is claimed of it is
    not believed. ``programs``: what ran inside the command, in order of their starts, where a witness saw it.
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
    source: Source | None = None
    unseen: bool = False
    programs: list[SeenProgram] = field(default_factory=list)


class ToolCall(Struct):
    """One tool call. ``name`` and ``input`` are the log's own; ``action`` is what we understood by them.

    ``observed``: what the call did to the files of the project, as a witness saw it (whole files before and after,
    build products left out); None where nobody watched. ``background``: no call of the agent's at all, but changes that
    the witness saw while none was at work that would explain them.
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

    role "agent": one model call (its text, reasoning, tool calls and usage); "user": words of a human; "harness": text
    that the harness put in front of the model (environment context, reminders, notifications, sub-agent prompts);
    "compaction": the history was summarised (``text`` is the summary); "interrupt": the user stopped the agent.
    """

    role: Role
    source: Source
    lane: str = MAIN_LANE
    text: str = ""
    reasoning: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage | None = None
    model: str | None = None
    message_id: str | None = None
    time: float | None = None


class Lane(Struct):
    """A strand of work: "main", or a sub-agent. ``parent_call`` is the id of the call that started it."""

    id: str
    parent: str | None = None
    parent_call: str | None = None
    agent_type: str | None = None
    prompt: str | None = None


class Skipped(Struct, frozen=True):
    """A part of the log that could not be read, and why (one line, plain words)."""

    file: str
    line: int | None
    reason: str


class TreeState(Struct):
    """The work tree as a witness saw it. ``tree`` is a git tree hash in the trajectory's ``store``.

    ``step`` and ``call`` (its id) name the call that made it what it is (None: it was so from the start, or no step
    could be told). ``cause``: "start", "before" or "after" a command, "model", "background" or "end".
    """

    tree: str
    cause: str
    source: Source
    time: float | None = None
    step: int | None = None
    call: str | None = None


class SeenCommit(Struct):
    """A commit that a witness saw come into being. ``files``: what it changes (None: its parent is not known).

    ``call``: id of the call during which it was made (None: not known).
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


class Witness(Struct):
    """What was recorded of a run from outside the agent's reach.

    ``store``: the path of a git repository that holds the trees. ``base_tree`` is the project before the harness's
    files were added (``overlay``: those files), ``start_tree`` what the agent found. ``features``: what was watched
    ("commands", "output", "trees", "models", "decoys"). ``snapshots``: every state of the work tree, in order.
    ``commits``: None where nobody watched.
    """

    store: str
    features: list[str]
    start_tree: str | None = None
    base_tree: str | None = None
    final_tree: str | None = None
    snapshots: list[TreeState] = field(default_factory=list)
    commits: list[SeenCommit] | None = None
    overlay: list[FileChange] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    scripted: bool = False


EndState = Literal["completed", "interrupted", "limit", "error"]


class Trajectory(Struct):
    """One session of one agent, all lanes.

    ``steps`` are in log order with the lanes interleaved where the log tells the order (else by time, else a
    sub-agent's steps follow its spawning call). ``usage`` are totals stated by the log itself, only where per-step
    usage is absent or incomplete. ``states_failure``: this format flags *every* failed shell command, so that a
    command without the flag did not fail (its exit status stays None all the same). ``extra`` keeps what the
    interchange format carries and we do not use, so that a round trip loses nothing. ``witness``: what was seen from
    outside, for runs in a recorded sandbox.
    """

    id: str
    format: str
    source: Source
    steps: list[Step]
    agent: str | None = None
    agent_version: str | None = None
    model: str | None = None
    cwd: str | None = None
    branch: str | None = None
    start_commit: str | None = None
    started_at: float | None = None
    ended_at: float | None = None
    lanes: dict[str, Lane] = field(default_factory=dict)
    usage: Usage | None = None
    usage_complete: bool = True
    end: EndState | None = None
    states_failure: bool = False
    skipped: list[Skipped] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    witness: Witness | None = None

    @property
    def snapshots(self) -> list[TreeState]:
        """The states of the work tree that a witness saw ([]: nobody watched)."""
        return [] if self.witness is None else self.witness.snapshots

    def total_usage(self) -> Usage | None:
        """Token totals over all lanes: the log's own totals if given, else the sum of the steps; None if neither."""
        if self.usage is not None:
            return self.usage
        parts = [s.usage for s in self.steps if s.usage is not None]
        if not parts:
            return None
        return Usage(*(_sum(getattr(u, name) for u in parts) for name in Usage.__struct_fields__))


def _sum(values: Any) -> int | None:
    known = [v for v in values if v is not None]
    return sum(known) if known else None
