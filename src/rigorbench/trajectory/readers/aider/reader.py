"""Aider's chat history, a markdown file in the repository to which all its sessions are appended.

``# aider chat started at <local time>`` opens a session; ``#### `` lines are the user's and ``> `` lines the program's;
all others are the model's. The program ends each of its messages, and each line of the user, with two spaces; the same
marks in pasted text have none. A message of several lines has the mark on its first line only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...logfile import LogFile
from ...model import MAIN_LANE, Lane, Result, Shell, Source, Step, ToolCall, Trajectory
from ...reader import Reader
from ..shared.builder import SessionBuilder
from ..shared.values import iso_time, span, step_times
from .answer import COMMIT, QUESTION, Answer, commit_call, without_thinking
from .edits import open_fence
from .prompts import Prompts, find_prompts

_HEADER = "# aider chat started at "
_USER, _TOOL = "#### ", "> "
_MARKS = frozenset("#>`~<")
_VERSION = re.compile(r"Aider v(\S+)")
_REMOVED = re.compile(r"Removed: ([0-9a-f]{6,40})\b")
_MODEL = re.compile(r"(?:Main model|Model): (\S+) with (.+?) edit format")
_TO_MODEL = ("/ask", "/code", "/architect", "/context", "/help", "/run", "/test", "/lint", "/web", "/commit", "/undo")
_SURE = ("Tokens: ", "Applied edit to ", "Commit ", "Only ")
_MANY_LINES = ("# Fix any errors below", "# ")


class AiderReader(Reader):
    format = "aider"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if head.startswith(_HEADER.encode()) or b"\n" + _HEADER.encode() in head:
            return head[:1] not in (b"{", b"[")
        # A history that lost its beginning.
        return b"\n> Aider v" in head and b"\n> Git repo" in head and head[:1] not in (b"{", b"[")

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        lines = log.content().decode("utf-8", "replace").replace("\r\n", "\n").replace("\x00", "").split("\n")
        marked = any(line.endswith("  ") and line.startswith(_TOOL) for line in lines)
        starts = [i for i, line in enumerate(lines) if line.startswith(_HEADER)]
        if not starts or any(line.strip() for line in lines[: starts[0]]):
            starts.insert(0, 0)
        prompts: Prompts | None = None
        looked = False
        taken: dict[str, int] = {}
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            session = _Session(log, marked)
            session.read(lines, start, stop)
            if not session.steps:
                continue
            if not looked and log.path is not None:
                prompts, looked = find_prompts(log.path, session.option("--llm-history-file")), True
            trajectory = session.trajectory(prompts)
            count = taken[trajectory.id] = taken.get(trajectory.id, 0) + 1
            if count > 1:
                trajectory.id = f"{trajectory.id}-{count}"
            yield trajectory


class _Session(SessionBuilder):
    """One session: lines ``start`` to ``stop`` of the history."""

    def __init__(self, log: LogFile, marked: bool) -> None:
        super().__init__(log)
        self.marked = marked
        self.found = Trajectory("", "aider", Source(log.name, 1), self.steps, agent="aider", usage_complete=False)
        self.edit_format = ""
        self.started = ""
        self.arguments: list[str] = []
        self.text: list[str] = []
        self.answered = False  # whether the program said something after the answer
        self.all_answers: list[Answer] = []
        self.current: Answer | None = None  # the answer under way
        self.last_message = ""

    def option(self, name: str) -> str | None:
        """The value of a command-line option; the line is logged without its quotes."""
        for index, word in enumerate(self.arguments):
            if word == name:
                value: list[str] = []
                for following in self.arguments[index + 1 :]:
                    if following.startswith("--"):
                        break
                    value.append(following)
                return " ".join(value) or None
        return None

    def read(self, lines: list[str], start: int, stop: int) -> None:
        self.found.source = Source(self.log.name, start + 1)
        if lines[start].startswith(_HEADER):
            self.started = lines[start][len(_HEADER) :].strip()
            self.found.started_at = iso_time(self.started)
            start += 1
        marks = iter([i for i in range(start, stop) if lines[i][:1] in _MARKS])
        index, fence, in_block, after_tool = start, "", False, True
        while index < stop:
            line = lines[index]
            if line[:1] not in _MARKS:  # the bulk of a history: the model's words
                following = min(next((i for i in marks if i > index), stop), stop)
                after_tool = self._add_lines(lines, index, following) and after_tool
                index = following
                continue
            if in_block or (fence and not self._breaks_fence(line)):
                self._add_lines(lines, index, index + 1)
                if in_block:
                    in_block = not (line.startswith(">>>>>") and "REPLACE" in line)
                elif line.rstrip() == fence:
                    fence = ""
                elif line.startswith("<<<<<") and "SEARCH" in line:
                    in_block = True
                index, after_tool = index + 1, False
                continue
            fence = ""
            if line.startswith(_TOOL) or line == ">":
                end = self._message_end(lines, index, stop, after_tool)
                if end is not None:
                    self._tool("\n".join([line[2:], *lines[index + 1 : end]]).strip(), index + 1)
                    index, after_tool = end, True
                    continue
            elif line.startswith(_USER) and (line.endswith("  ") or not self.marked):
                end = index
                while end < stop and lines[end].startswith(_USER):
                    end += 1
                self._user([text[len(_USER) :].rstrip() for text in lines[index:end]], index + 1)
                index, after_tool = end, True
                continue
            fence = open_fence(line) or ""
            if not fence and line.startswith("<<<<<") and "SEARCH" in line:
                in_block = _block_ends(lines, index, stop)
            after_tool = self._add_lines(lines, index, index + 1) and after_tool
            index += 1
        self._finish()

    def _breaks_fence(self, line: str) -> bool:
        """Inside an open code block only unmistakable messages count as the program's, and commands as the user's."""
        sure = (line.startswith(_TOOL) and line[2:].startswith(_SURE)) or line.startswith(f"{_USER}/")
        return sure and (line.endswith("  ") or not self.marked)

    def _message_end(self, lines: list[str], index: int, stop: int, after_tool: bool) -> int | None:
        """The line after a message of the program; None if the mark is part of the model's text."""
        line = lines[index]
        if line.endswith("  ") or not self.marked:
            return index + 1
        if not after_tool and not line[2:].startswith(_MANY_LINES):
            return None
        for end in range(index + 1, min(stop, index + 2000)):
            if lines[end].startswith((_USER, _TOOL)) and lines[end].endswith("  "):
                return None if not lines[end].startswith(_TOOL) else index + 1
            if lines[end].endswith("  ") and lines[end].strip():
                return end + 1
        return None

    def _add_lines(self, lines: list[str], start: int, end: int) -> bool:
        """Adds lines to the answer, a new one if the last was answered to. True if they are all blank."""
        blank = False
        if self.current is None or self.answered:
            first = next((i for i in range(start, end) if lines[i].strip()), None)
            blank = first is None
            if first is not None:
                self._finish()
                start = first
                self.current = Answer(self.begin(Source(self.log.name, first + 1)))
                self.all_answers.append(self.current)
        if self.current is not None:
            self.text += lines[start:end]
        return blank

    def _finish(self) -> None:
        if self.current is not None:
            text = "\n".join(self.text).strip()
            self.current.raw = text
            self.current.step.text, self.current.step.reasoning = without_thinking(text)
            self.current.close(self.edit_format)
        self.current, self.text, self.answered = None, [], False

    def _user(self, texts: list[str], number: int) -> None:
        self._finish()
        text = "\n".join("" if t == "<blank>" else t for t in texts)
        step = Step("user", Source(self.log.name, number), text=text)
        last = self.steps[-1] if self.steps else None
        if last is not None and last.role == "user" and last.text.startswith("/") and text == _after_word(last.text):
            return  # "/ask WORDS" is logged a second time without the command
        if last is not None and last.role == "agent" and len(text) > 20 and _alike(text, last.text):
            step.role = "harness"  # the architect's answer, given to the editor as its task
        elif text.startswith("/") and text.split(None, 1)[0] not in _TO_MODEL:
            step.role = "harness"  # a command to the program, such as /add, which the model never sees
        self.steps.append(step)
        self.last_message, self.found.end = "", None
        command = _command_of(text, self.option("--test-cmd"))
        if command is not None:
            # The human's own run is a call in the human's step.
            name = "/run" if text.startswith("!") else text.split(None, 1)[0]
            step.calls.append(ToolCall(f"line-{number}", name, {"command": command}, Shell(command), step.source))

    def _tool(self, message: str, number: int) -> None:
        source = Source(self.log.name, number)
        if message.startswith("##### "):  # some versions log the user's commands so
            self._user([line.removeprefix("##### ") for line in message.split("\n")], number)
            return
        self.answered = self.current is not None
        previous, self.last_message = self.last_message, message
        if self.current is None:
            if self._opening(message, source) or self._removed(message):
                return
            if self.steps and self.steps[-1].calls and "of output to the chat" in message:
                self.steps[-1].calls[-1].result = Result(message, source=source)
        if (message.startswith("Only ") and "reflections allowed" in message) or "has hit a token limit" in message:
            self.found.end = "limit"
        elif "KeyboardInterrupt" in message or message.startswith("^C"):
            self._finish()
            self.say("interrupt", message, source)
            self.found.end = "interrupted"
        elif self.current is not None:
            self.current.program_says(message, previous, source, self.option("--test-cmd"))

    def _opening(self, message: str, source: Source) -> bool:
        version = _VERSION.match(message)
        if version is not None:
            self.found.agent_version = version[1]
            return True
        model = _MODEL.match(message)
        if model is not None:
            self.model, self.edit_format = model[1], model[2]
            return True
        words = message.split(None, 1)
        if words and (words[0].rsplit("/", 1)[-1] in ("aider", "aider.exe", "__main__.py")) and not self.arguments:
            self.arguments = message.split()
            return True
        commit = COMMIT.match(message)
        if commit is not None and not QUESTION.search(message):
            # A commit of the user's own changes, before an answer or by /commit.
            self.say("harness", message, source).calls.append(commit_call(commit, source))
            return True
        return False

    def _removed(self, message: str) -> bool:
        """The answer of /undo: takes back the step that made the commit."""
        removed = _REMOVED.match(message)
        for step in reversed(self.steps) if removed is not None else ():
            if removed is not None and any(c.id == f"commit-{removed[1]}" for c in step.calls):
                step.lane = f"taken back {removed[1]}"
                self.found.lanes[step.lane] = Lane(step.lane, MAIN_LANE, taken_back=True)
                break
        return removed is not None

    def trajectory(self, prompts: Prompts | None) -> Trajectory:
        if prompts is not None:
            for answer in self.all_answers:
                answer.add_prompts(prompts)
        found = self.found
        found.model = self.model
        found.id = f"aider-{self.started.replace(' ', 'T')}" if self.started else f"aider-line-{found.source.line}"
        found.started_at, found.ended_at = span((found.started_at, *step_times(self.steps)))
        return found


def _command_of(text: str, test_command: str | None) -> str | None:
    """The command of ``/run CMD``, ``!CMD`` and ``/test [CMD]``; None for other words."""
    for mark in ("/run ", "!"):
        if text.startswith(mark):
            return text[len(mark) :].strip() or None
    if text.strip() == "/test":
        return test_command
    return text[6:].strip() or None if text.startswith("/test ") else None


def _after_word(text: str) -> str:
    return text.partition(" ")[2].strip()


def _alike(text: str, other: str) -> bool:
    return text.split() == other.split()


def _block_ends(lines: list[str], index: int, stop: int) -> bool:
    return any(
        lines[i].startswith(">>>>>") and "REPLACE" in lines[i] for i in range(index + 1, min(stop, index + 20_000))
    )


READERS = (AiderReader(),)
