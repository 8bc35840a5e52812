"""Synthetic sessions for tests: a few chained calls give a trajectory as a reader would return it.

    Session("Fix the bug in src/a.py").todo("Fix total in src/a.py", "Run the tests").edit("src/a.py", OLD, NEW)
    .pytest(passed=3, failed=["tests/test_a.py::test_total"]).commit("Sum every item").say("Done.").build()

Every call is one agent step with one tool call, a result as the real tool prints it, and usage of its own. Outputs of
pytest and git have the shape that those programs give them; whatever they do not cover goes through :meth:`shell`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rigorbench.session.model import (
    MAIN_LANE,
    Action,
    Ask,
    Edit,
    FileChange,
    Lane,
    Plan,
    PlanItem,
    PlanStatus,
    Read,
    Result,
    Search,
    Shell,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
)
from rigorbench.session.usage import TokenUsage

ROOT = "/home/dev/project"
FILE = "session.jsonl"
# Output tokens of a step that no test says otherwise about.
TOKENS = 100
# The test that fails where no other is named, and the texts that one file gets in turn.
TOTAL = "tests/test_a.py::test_total"
LETTERS = "xyzwvut"


def rows(table: Mapping[Any, Sequence[str]]) -> list[tuple[str, Any]]:
    """(case, value) for :func:`pytest.mark.parametrize`, of a table with the cases of each value."""
    return [(case, value) for value, cases in table.items() for case in cases]


class Session:
    """A trajectory under construction. Every method returns the session, so that calls chain."""

    def __init__(self, prompt: str = "", *, states_failure: bool = False, usage: bool = True) -> None:
        self.steps: list[Step] = []
        self.lanes: dict[str, Lane] = {}
        self.states_failure, self.usage = states_failure, usage
        self.lane = MAIN_LANE
        self.tokens = TOKENS
        self._calls = 0
        self._thought = ""
        self._changes: dict[str, int] = {}
        if prompt:
            self.user(prompt)

    # -- words ---------------------------------------------------------------------------------------------------

    def user(self, text: str) -> Session:
        self.steps.append(Step("user", self._source(), self.lane, text))
        return self

    def say(self, text: str) -> Session:
        """A message without tool calls."""
        self.steps.append(Step("agent", self._source(), self.lane, text, usage=self._usage()))
        return self

    def thinking(self, text: str) -> Session:
        """Text that accompanies the next call."""
        self._thought = text
        return self

    def spend(self, tokens: int) -> Session:
        """Output tokens of every step from here on."""
        self.tokens = tokens
        return self

    def in_lane(self, lane: str) -> Session:
        """Continue in another lane (a sub-agent started by :meth:`spawn`, or ``"main"``)."""
        self.lane = lane
        return self

    # -- calls ---------------------------------------------------------------------------------------------------

    def call(self, name: str, action: Action, result: Result | None, arguments: Any = None) -> Session:
        self._calls += 1
        source = self._source()
        call = ToolCall(f"call-{self._calls}", name, arguments if arguments is not None else {}, action, source, result)
        step = Step("agent", source, self.lane, self._thought, calls=[call], usage=self._usage())
        self._thought = ""
        self.steps.append(step)
        return self

    def shell(
        self,
        command: str,
        output: str = "",
        *,
        exit_status: int | None = 0,
        is_error: bool | None = None,
        timed_out: bool = False,
    ) -> Session:
        result = Result(output, exit_status=exit_status, is_error=is_error, timed_out=timed_out)
        return self.call("Bash", Shell(command), result, {"command": command})

    def edit(self, path: str, old: str, new: str, *, applied: bool = True) -> Session:
        """A search-and-replace edit."""
        change = FileChange(path, "modify", hunks=[(old, new)])
        return self._change("Edit", change, applied, {"file_path": path, "old_string": old, "new_string": new})

    def write(self, path: str, text: str, *, before: str | None = None) -> Session:
        """A whole file written; ``before`` is its former text where it existed."""
        operation = "create" if before is None else "modify"
        change = FileChange(path, operation, before=before, after=text)
        return self._change("Write", change, True, {"file_path": path, "content": text})

    def change(self, *paths: str) -> Session:
        """An edit of each file, ``src/a.py`` where none is named, every time to another text."""
        for path in paths or ("src/a.py",):
            number = self._changes[path] = self._changes.get(path, -1) + 1
            self.edit(path, *LETTERS[number : number + 2])
        return self

    def delete(self, path: str) -> Session:
        return self.shell(f"rm {path}")

    def _change(self, name: str, change: FileChange, applied: bool, arguments: Any) -> Session:
        text = f"The file {change.path} has been updated." if applied else "Error: String to replace not found in file."
        return self.call(name, Edit([change]), Result(text, is_error=not applied), arguments)

    def read(self, path: str, text: str = "...") -> Session:
        return self.call("Read", Read(path), Result(text, is_error=False), {"file_path": path})

    def search(self, pattern: str, shown: str = "src/a.py:1", *, path: str | None = None) -> Session:
        arguments = {"pattern": pattern} | ({} if path is None else {"path": path})
        return self.call("Grep", Search(pattern), Result(shown, is_error=False), arguments)

    def ask(self, question: str) -> Session:
        return self.call(
            "AskUserQuestion", Ask(question), Result("(no answer)", is_error=False), {"question": question}
        )

    def todo(self, *items: str, done: int = 0, cancelled: Sequence[str] = ()) -> Session:
        """The todo list, written anew; the first ``done`` items are ticked."""
        plan = [PlanItem(text, _status(n < done, text in cancelled)) for n, text in enumerate(items)]
        return self.call("TodoWrite", Plan(plan), Result("Todos have been modified", is_error=False))

    def task_create(self, text: str, key: str) -> Session:
        """One item added to a task list (tools that build their list one call at a time)."""
        action = Plan([PlanItem(text, key=key)], update="add")
        return self.call("TaskCreate", action, Result(f"Task #{key} created", is_error=False))

    def plan_mode(self, *items: str) -> Session:
        text = "\n".join(f"{n}. {i}" for n, i in enumerate(items, 1))
        action = Plan([PlanItem(i) for i in items], mode="mode", text=text)
        return self.call("ExitPlanMode", action, Result("User has approved your plan.", is_error=False), {"plan": text})

    def spawn(self, lane: str, prompt: str = "Carry out the plan") -> Session:
        """Starts a sub-agent; go on in its lane with :meth:`in_lane`."""
        self.call("Task", Spawn(prompt, lane), Result("done", is_error=False), {"prompt": prompt})
        self.lanes[lane] = Lane(lane, parent=self.lane, parent_call=f"call-{self._calls}")
        return self

    # -- programs whose output matters ---------------------------------------------------------------------------

    def pytest(
        self,
        passed: int = 0,
        failed: Sequence[str] = (),
        *,
        command: str = "python -m pytest -q",
        errors: Sequence[str] = (),
        named: bool = True,
        exit_status: int | None = -1,
        message: str = "assert 2 == 3",
    ) -> Session:
        """A run of pytest. ``errors``: files that could not be collected; ``named`` False: the ids are cut off."""
        output = pytest_output(passed, failed, errors, named=named, message=message)
        status = (1 if failed else 2 if errors else 0) if exit_status == -1 else exit_status
        return self.shell(command, output, exit_status=status, is_error=bool(status) if self.states_failure else None)

    def green(self, passed: int = 4, *, command: str = "python -m pytest -q") -> Session:
        return self.pytest(passed, command=command)

    def red(self, *failed: str, passed: int = 3, command: str = "python -m pytest -q") -> Session:
        """``failed``: :data:`TOTAL` where none is named."""
        return self.pytest(passed, failed or [TOTAL], command=command)

    def fails(self, command: str, output: str = "", status: int = 1) -> Session:
        """A command that ends with this status."""
        return self.shell(command, output, exit_status=status)

    def commit(self, message: str, *files: str, add: str = "git add -A", empty: bool = False) -> Session:
        """``git add`` and ``git commit``; ``files`` are those that git lists as created."""
        listed = "".join(f" create mode 100644 {f}\n" for f in files)
        changed = "" if empty else f" {max(1, len(files))} file changed, 2 insertions(+), 1 deletion(-)\n"
        output = f"[main 1a2b3c4] {message.splitlines()[0]}\n{changed}{listed}"
        if empty:
            return self.shell(f'git commit --allow-empty -m "{message}"', output)
        quoted = message.replace('"', '\\"')
        return self.shell(f'{add} && git commit -m "{quoted}"', output)

    # -- the result ----------------------------------------------------------------------------------------------

    def build(self) -> Trajectory:
        return Trajectory(
            id="synthetic",
            format="claude-code",
            source=Source(FILE),
            steps=list(self.steps),
            agent="claude-code",
            model="model-1",
            cwd=ROOT,
            started_at=1_700_000_000.0,
            ended_at=1_700_000_600.0,
            lanes=dict(self.lanes),
            states_failure=self.states_failure,
            end="completed" if self.steps and self.steps[-1].calls else None,  # where no closing message shows it
        )

    def _source(self) -> Source:
        return Source(FILE, len(self.steps) + 1)

    def _usage(self) -> TokenUsage | None:
        return TokenUsage(input=50, cache_read=1000, cache_write=10, output=self.tokens) if self.usage else None


def _status(done: bool, cancelled: bool) -> PlanStatus:
    return "cancelled" if cancelled else "completed" if done else "pending"


def pytest_output(
    passed: int,
    failed: Sequence[str] = (),
    errors: Sequence[str] = (),
    *,
    named: bool = True,
    message: str = "assert 2 == 3",
) -> str:
    """What ``pytest -q`` prints for these outcomes."""
    lines = ["." * passed + "F" * len(failed), ""]
    if errors and named:
        lines.append("==================================== ERRORS ====================================")
        for path in errors:
            lines += [
                f"_______________ ERROR collecting {path} _______________",
                f"{path}:1: in <module>",
                "    from project import missing",
                "E   ImportError: cannot import name 'missing' from 'project'",
            ]
    if failed and named:
        lines.append("=================================== FAILURES ===================================")
        for test in failed:
            path, _, name = test.partition("::")
            lines += [
                f"_________________________________ {name} _________________________________",
                "",
                f"    def {name}():",
                f">       {message}",
                f"E       {message}",
                "",
                f"{path}:5: AssertionError",
            ]
    if named and (failed or errors):
        lines.append("=========================== short test summary info ============================")
        lines += [f"FAILED {test} - {message}" for test in failed]
        lines += [f"ERROR {path}" for path in errors]
    counts = [(len(failed), "failed"), (passed, "passed"), (len(errors), "error" if len(errors) == 1 else "errors")]
    words = ", ".join(f"{n} {word}" for n, word in counts if n) or "no tests ran"
    lines.append(f"{words} in 0.12s")
    return "\n".join(lines)
