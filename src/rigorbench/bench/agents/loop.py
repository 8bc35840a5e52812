"""The built-in loop: `react`, the control of an experiment, has a shell and files; `react-plan` a todo list as well."""

from __future__ import annotations

from typing import Literal

from inspect_ai.agent import Agent, AgentPrompt, AgentState, agent, react
from inspect_ai.event import ToolEvent
from inspect_ai.log import transcript
from inspect_ai.tool import Tool, ToolError, tool
from inspect_ai.util import sandbox
from typing_extensions import TypedDict

from ..recording.context import on_behalf, root
from .user import scripted_user, was_answered

# Nothing here says how to work: that is for a harness to say.
PROMPT = (
    "You work on the git repository in {root}. Use the tools to do what the user asks. "
    "When you are done, or cannot go on, answer without calling a tool."
)
INSTRUCTIONS = "AGENTS.md"

_TIMEOUT = 600
_CHARACTERS = 30_000


@agent
def loop(cwd: str | None = None, *, plan: bool = False) -> Agent:
    """Inspect's react agent with our tools. ``AGENTS.md`` in the repository's root becomes part of its instructions.

    Where the task has a scripted user, its replies continue a session that ended with a question.
    """

    async def execute(state: AgentState) -> AgentState:
        instructions = PROMPT.format(root=cwd or root())
        try:
            text = await sandbox().read_file(f"{cwd or root()}/{INSTRUCTIONS}")
        except (FileNotFoundError, UnicodeDecodeError):
            text = ""
        if text.strip():
            instructions += f"\n\nInstructions of this repository ({INSTRUCTIONS}):\n\n{text.strip()}"
        prompt = AgentPrompt(instructions=instructions, handoff_prompt=None, assistant_prompt=None)
        tools = [bash(cwd), read_file(cwd), write_file(cwd), edit_file(cwd), *([update_plan()] if plan else [])]
        state = await react(prompt=prompt, tools=tools, submit=False, truncation="auto")(state)
        user = scripted_user()
        while await was_answered(state, user):
            # The conversation has its instructions already.
            state = await react(prompt=None, tools=tools, submit=False, truncation="auto")(state)
        return state

    return execute


# The tools run one after the other, since a call may need the result of the one before.


@tool(parallel=False)
def bash(cwd: str | None = None) -> Tool:
    async def execute(command: str) -> str:
        """Run a command in bash, in the root of the repository.

        Args:
            command: The command line or script.
        """
        # The id of the tool call that is running; only the transcript of the engine contains it.
        events = reversed(list(transcript().events)[-50:])
        with on_behalf(
            "tool",
            next((e.id for e in events if isinstance(e, ToolEvent) and e.pending and e.function == "bash"), None),
        ):
            try:
                done = await sandbox().exec(["bash", "-c", command], cwd=cwd or root(), timeout=_TIMEOUT)
            except TimeoutError:
                raise ToolError(f"The command was stopped after {_TIMEOUT} seconds.") from None
        output = _cut(done.stdout + done.stderr)
        if done.returncode != 0:
            output = f"{output.rstrip()}\n[exit status {done.returncode}]".lstrip()
        return output or "[no output]"

    return execute


@tool(parallel=False)
def read_file(cwd: str | None = None) -> Tool:
    async def execute(path: str) -> str:
        """Read a text file.

        Args:
            path: The file, from the root of the repository.
        """
        return _cut(await _read(cwd, path))

    return execute


@tool(parallel=False)
def write_file(cwd: str | None = None) -> Tool:
    async def execute(path: str, content: str) -> str:
        """Write a text file; what it held before is replaced.

        Args:
            path: The file, from the root of the repository.
            content: Its whole text.
        """
        await _write(cwd, path, content)
        return f"Wrote {path}."

    return execute


@tool(parallel=False)
def edit_file(cwd: str | None = None) -> Tool:
    async def execute(path: str, old: str, new: str) -> str:
        """Replace a piece of a text file.

        Args:
            path: The file, from the root of the repository.
            old: The text to replace; it must occur exactly once.
            new: The text to put there.
        """
        text = await _read(cwd, path)
        number = text.count(old) if old else 0
        if number != 1:
            raise ToolError(f"{path}: the text to replace occurs {number} times, not once.")
        await _write(cwd, path, text.replace(old, new))
        return f"Edited {path}."

    return execute


class LoopStep(TypedDict):
    step: str
    status: Literal["pending", "in_progress", "completed"]


@tool(parallel=False)
def update_plan() -> Tool:
    async def execute(plan: list[LoopStep]) -> str:
        """Keep a plan of your work: all steps in order, each with its status.

        Args:
            plan: The steps.
        """
        return "Plan updated."

    return execute


def _absolute(cwd: str | None, path: str) -> str:
    return path if path.startswith("/") else f"{cwd or root()}/{path}"


async def _read(cwd: str | None, path: str) -> str:
    try:
        return await sandbox().read_file(_absolute(cwd, path))
    except FileNotFoundError:
        raise ToolError(f"{path}: no such file.") from None
    except IsADirectoryError:
        raise ToolError(f"{path}: is a directory.") from None
    except UnicodeDecodeError:
        raise ToolError(f"{path}: is no text.") from None


async def _write(cwd: str | None, path: str, content: str) -> None:
    try:
        await sandbox().write_file(_absolute(cwd, path), content)
    except IsADirectoryError:
        raise ToolError(f"{path}: is a directory.") from None


def _cut(text: str) -> str:
    if len(text) <= _CHARACTERS:
        return text
    half = _CHARACTERS // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"
