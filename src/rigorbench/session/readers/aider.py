"""Aider's chat history, a markdown file in the repository to which all its sessions are appended.

``# aider chat started at <local time>`` opens a session; ``#### `` lines are the user's and ``> `` lines the program's;
all others are the model's. The program ends each of its messages, and each line of the user, with two spaces; the same
marks in pasted text have none. A message of several lines has the mark on its first line only.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from ..logfile import LogFile
from ..model import MAIN_LANE, Action, Edit, FileChange, Lane, Other, Result, Shell, Source, Step, ToolCall, Trajectory
from ..patches import parse_patch
from ..reader import Reader
from ..usage import TokenUsage
from .shared.builder import SessionBuilder
from .shared.usage import uncached
from .shared.values import iso_time

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
        taken: dict[str, int] = {}
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            session = _Session(log, marked)
            session.read(lines, start, stop)
            if not session.steps:
                continue
            if prompts is None:
                prompts = find_prompts(log.path, session.option("--llm-history-file")) if log.path is not None else {}
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
        self.found = Trajectory("", "aider", Source(log.name, 1), agent="aider", usage_complete=False)
        self.edit_format = ""
        self.started = ""
        self.arguments: list[str] = []
        self.text: list[str] = []
        self.answered = False  # whether the program said something after the answer
        self.all_answers: list[AiderAnswer] = []
        self.current: AiderAnswer | None = None  # the answer under way
        self.last_message = ""

    def option(self, name: str) -> str | None:
        """The value of a command-line option; the line is logged without its quotes."""
        if name not in self.arguments:
            return None
        following = self.arguments[self.arguments.index(name) + 1 :]
        return " ".join(takewhile(lambda word: not word.startswith("--"), following)) or None

    def read(self, lines: list[str], start: int, stop: int) -> None:
        self.found.source = Source(self.log.name, start + 1)
        if lines[start].startswith(_HEADER):
            self.started = lines[start][len(_HEADER) :].strip()
            self.at(iso_time(self.started))
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
            # Inside an open code block only unmistakable messages count as the program's, and commands as the user's.
            sure = (line.startswith(_TOOL) and line[2:].startswith(_SURE)) or line.startswith(f"{_USER}/")
            if in_block or (fence and not (sure and (line.endswith("  ") or not self.marked))):
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
                    more = [text.removeprefix(_TOOL) for text in lines[index + 1 : end]]
                    self._tool("\n".join([line[2:], *more]).strip(), index + 1)
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
                after = lines[index + 1 : min(stop, index + 20_000)]
                in_block = any(text.startswith(">>>>>") and "REPLACE" in text for text in after)
            after_tool = self._add_lines(lines, index, index + 1) and after_tool
            index += 1
        self._finish()

    def _message_end(self, lines: list[str], index: int, stop: int, after_tool: bool) -> int | None:
        """The line after a message of the program; None if the mark is part of the model's text."""
        line = lines[index]
        if line.endswith("  ") or not self.marked:
            end = index + 1
            # Some versions mark each line of a linter's report.
            while line[2:].startswith(_MANY_LINES[0]) and end < stop and lines[end].startswith(">"):
                if lines[end][2:].startswith((_MANY_LINES[0], *_SURE)) or QUESTION.search(lines[end]):
                    break
                end += 1
            return end
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
                self._finish(followed=True)
                start = first
                self.current = AiderAnswer(self.begin(Source(self.log.name, first + 1)))
                self.all_answers.append(self.current)
        if self.current is not None:
            self.text += lines[start:end]
        return blank

    def _finish(self, *, followed: bool = False) -> None:
        if self.current is not None:
            step, self.current.followed = self.current.step, followed
            self.current.raw = step.text = "\n".join(self.text).strip()
            # Some models put their reasoning in front of the answer.
            tagged = _THOUGHT.match(step.text)
            if tagged is not None:
                step.text, step.reasoning = step.text[tagged.end() :].strip(), tagged[2].strip()
            elif _THINKING in step.text and _SAYING in step.text:
                before, _, rest = step.text.partition(_THINKING)
                reasoning, _, said = rest.partition(_SAYING)
                step.text, step.reasoning = _RULE.sub("", before + said).strip(), _RULE.sub("", reasoning).strip()
            self.current.close(self.edit_format)
        self.current, self.text, self.answered = None, [], False

    def _user(self, texts: list[str], number: int) -> None:
        text = "\n".join("" if t == "<blank>" else t for t in texts)
        question = "? (Y)es/(N)o" in text
        self._finish(followed=not question)
        if question:
            return  # an answer to a question of the program, which some versions log as a message
        step = Step("user", Source(self.log.name, number), text=text)
        last = self.steps[-1] if self.steps else None
        name, _, words = text.partition(" ")
        asked = last.text if last is not None and last.role == "user" else ""
        if asked.startswith("/") and text == asked.partition(" ")[2].strip():
            if not asked.startswith("/ask"):  # which alone says that nothing should be edited
                self.steps[-1].text = text
            return  # "/code WORDS" is logged a second time without the command
        if last is not None and last.role == "agent" and len(text) > 20 and text.split() == last.text.split():
            step.role = "harness"  # the architect's answer, given to the editor as its task
        elif text.startswith("/") and text.split(None, 1)[0] not in _TO_MODEL:
            step.role = "harness"  # a command to the program, such as /add, which the model never sees
        self.steps.append(step)
        self.last_message, self.found.end = "", None
        if text.startswith("!"):
            name, words = "/run", text[1:]
        command = words.strip() if name in ("/run", "/test") else ""
        if command or (text.strip() == "/test" and (command := self.option("--test-cmd") or "")):
            # The human's own run is a call in the human's step.
            call = ToolCall(f"line-{number}", name.strip(), {"command": command}, Shell(command), step.source)
            step.calls.append(call)

    def _tool(self, message: str, number: int) -> None:
        source = Source(self.log.name, number)
        if message.startswith("##### "):  # some versions log the user's commands so
            self._user([line.removeprefix("##### ") for line in message.split("\n")], number)
            return
        self.answered = self.current is not None
        previous, self.last_message = self.last_message, message
        if self.current is None:
            if self._opening(message, source):
                return
            if self.steps and self.steps[-1].calls and "of output to the chat" in message:
                self.steps[-1].calls[-1].result = Result(message, source=source)
        if (message.startswith("Only ") and "reflections allowed" in message) or "has hit a token limit" in message:
            self.found.end = "limit"
        elif "KeyboardInterrupt" in message or message.startswith("^C"):
            if self.current is not None and self.current.step.usage is not None:
                return  # the answer was there: the user left
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
        removed = _REMOVED.match(message)
        if removed is None:
            return False
        # The answer of /undo: takes back the step that made the commit.
        for step in reversed(self.steps):
            if any(c.id == f"commit-{removed[1]}" for c in step.calls):
                step.lane = f"taken back {removed[1]}"
                self.lanes[step.lane] = Lane(step.lane, MAIN_LANE, taken_back=True)
                break
        return True

    def trajectory(self, prompts: Prompts) -> Trajectory:
        for answer in self.all_answers:
            logged = prompts.get(answer.raw.strip())
            if not logged:
                continue
            # The time of the answer, and the output of the command that ran after it.
            answer.step.time, ran = logged.pop(0)
            call = next((c for c in reversed(answer.after_edits) if c.name in ("auto-test", "shell")), None)
            if ran is not None and call is not None:
                command, output, time = ran
                if isinstance(call.action, Other):
                    call.action = Shell(command)
                if isinstance(call.action, Shell) and call.action.command == command and call.result is not None:
                    call.result.text, call.result.time = output, time
        name = self.started.replace(" ", "T") if self.started else f"line-{self.found.source.line}"
        self.found.id = f"aider-{name}"
        return self.finish(self.found)


# One answer of the model: its edits, and what the program did after them


COMMIT = re.compile(r"Commit ([0-9a-f]{6,40}) (.*)", re.DOTALL)
QUESTION = re.compile(
    r"(Create new file|Run shell commands?|Attempt to fix (?:test|lint) errors|Add .*command output to the chat"
    r"|Allow edits to file that has not been added to the chat)\?"
)
_TOKENS = re.compile(r"([\d.,]+)(k|M)? (sent|received|cache hit|cache write)")
_ANSWER = re.compile(r"\?[^?]*?\]?: ?(\S+)\s*\Z")
_LINT_RUN = re.compile(r"## Running: (.+)")
_THINKING, _SAYING = "► **THINKING**", "► **ANSWER**"
_THOUGHT = re.compile(r"<(think|thinking|thinking-content-\w{1,64})>(.*?)</\1>", re.DOTALL)
_RULE = re.compile(r"^-{10,}\s*$", re.MULTILINE)


class AiderAnswer:
    """An answer of the model, and what the program did with it."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.raw = ""
        self.applied: dict[str, Source] = {}
        self.created: set[str] = set()
        self.refused: set[str] = set()
        self.failure: tuple[str, Source] | None = None
        self.after_edits: list[ToolCall] = []
        self.added = ""  # "Added N lines of output to the chat."
        self.followed = False  # the log goes on with another request or answer

    def program_says(self, message: str, previous: str, source: Source, test_command: str | None) -> None:
        """A message of the program after the answer; ``previous`` is the message before it."""
        if message.startswith("Tokens: "):
            self.step.usage = _usage(message)
        elif message.startswith("Applied edit to "):
            self.applied.setdefault(message[len("Applied edit to ") :].strip(), source)
        elif (commit := COMMIT.match(message)) is not None:
            self.after_edits.append(commit_call(commit, source))
        elif message.startswith("Running "):
            self._shell(message[len("Running ") :], source)
        elif message.startswith("Added ") and "of output to the chat" in message:
            self.added = message
            if self.after_edits and self.after_edits[-1].name == "shell":
                self.after_edits[-1].result = Result(message, source=source)
        elif "SEARCH/REPLACE block" in message and "failed to match" in message:
            self.failure = (message, source)
        elif message.startswith("# Fix any errors below"):
            run = _LINT_RUN.search(message)
            action: Action = Shell(run[1].strip()) if run is not None else Other("automatic lint run")
            call = self._automatic("auto-lint", {"automatic": True}, action, source)
            call.result = Result(message, is_error=True, source=source)
        elif message.startswith("Skipping edits to "):
            self.refused.add(message[len("Skipping edits to ") :].strip())
        elif (question := QUESTION.search(message)) is not None:
            answer = _ANSWER.search(message)
            yes = answer is not None and answer[1][:1].lower() in ("y", "a")
            self._asked(question[1], yes, previous, source, test_command)

    def _asked(self, question: str, yes: bool, previous: str, source: Source, test_command: str | None) -> None:
        if question.startswith("Create new file"):
            (self.created if yes else self.refused).add(previous.strip())
        elif question.startswith("Allow edits") and not yes:
            self.refused.add(previous.strip())
        elif question.startswith("Run shell") and not yes:
            for command in filter(None, (line.strip() for line in previous.splitlines())):
                self._shell(command, source)
                self.after_edits[-1].result = Result("", denied=True, source=source)
        elif question.startswith("Attempt to fix test"):
            # The question comes only after a test run whose exit status was not 0.
            action: Action = Shell(test_command) if test_command else Other("automatic test run")
            call = self._automatic("auto-test", {"automatic": True, "command": test_command}, action, source)
            call.result = Result(self.added, is_error=True, source=source)

    def _shell(self, command: str, source: Source) -> None:
        self._automatic("shell", {"command": command}, Shell(command), source)

    def _automatic(self, name: str, arguments: dict[str, object], action: Action, source: Source) -> ToolCall:
        call = ToolCall(f"line-{source.line}-{len(self.after_edits)}", name, arguments, action, source)
        self.after_edits.append(call)
        return call

    def close(self, edit_format: str) -> None:
        """Puts the edits in the answer's text before the calls that followed from them."""
        paths = set(self.applied) | self.created
        source = self.step.source
        for index, (change, search, replace) in enumerate(edit_blocks(self.step.text, edit_format, paths)):
            if any(same_file(change.path, name) for name in self.created) or (search == "" and not self.applied):
                change.operation = "create"
            if change.operation == "create" and replace is not None:
                change.after, change.hunks = replace, []
            arguments = {"path": change.path}
            if search is not None and replace is not None:
                arguments |= {"search": search, "replace": replace}
            call = ToolCall(f"line-{source.line}-edit-{index}", "edit", arguments, Edit([change]), source)
            call.result = self._edit_result(change.path, search)
            self.step.calls.append(call)
        self.step.calls += self.after_edits

    def _edit_result(self, path: str, search: str | None) -> Result | None:
        if self.failure is not None:
            text, source = self.failure
            failed = not search or search.strip() in text or "were applied successfully" not in text
            return Result(text, is_error=failed, source=source)
        for name, source in self.applied.items():
            if same_file(path, name):
                return Result(f"Applied edit to {name}", is_error=False, source=source)
        if path in self.refused:
            return Result(f"Skipping edits to {path}", denied=True)
        # Aider names each file that it writes: it asked for a file first, say, and had the answer written again.
        dropped = self.followed and self.step.usage is not None and not self.applied
        return Result("", is_error=True) if dropped else None


def commit_call(commit: re.Match[str], source: Source) -> ToolCall:
    """Aider commits by itself; ``automatic`` means that nobody asked for it."""
    sha, message = commit[1], commit[2].strip()
    arguments = {"automatic": True, "sha": sha, "message": message}
    action = Shell(f"git commit -m {shlex.quote(message)}")
    return ToolCall(f"commit-{sha}", "git commit", arguments, action, source, Result(commit[0], source=source))


def _usage(message: str) -> TokenUsage | None:
    """Rounded counts: ``Tokens: 3.0k sent, 1.2k cache hit, 133 received``; "sent" includes the cache."""
    counts: dict[str, int] = {}
    for number, unit, name in _TOKENS.findall(message.split("Cost:", 1)[0]):
        try:
            counts[name] = round(float(number.replace(",", "")) * {"k": 1e3, "M": 1e6}.get(unit, 1))
        except (ValueError, OverflowError):
            continue
    if "sent" not in counts and "received" not in counts:
        return None
    sent, hit, written = counts.get("sent"), counts.get("cache hit"), counts.get("cache write")
    return TokenUsage(uncached(sent, hit, written), hit, written, counts.get("received"))


# The file changes in an answer: SEARCH/REPLACE blocks, whole files, unified diffs, patches


_SEARCH = re.compile(r"<{5,9} SEARCH>?\s*\Z")
_DIVIDER = re.compile(r"={5,9}\s*\Z")
_REPLACE = re.compile(r">{5,9} REPLACE\s*\Z")
# Aider chooses another pair of marks when the files contain the usual one.
_FENCE = re.compile(r"\s*(`{3,}|~{3,}|<(?:source|code|pre|codeblock|sourcecode)>(?=[\w+#-]*\s*\Z))")
_LOOK_BACK = 3


def edit_blocks(text: str, edit_format: str, applied: set[str]) -> list[tuple[FileChange, str | None, str | None]]:
    """The edits in an answer, in order, with the two halves of their blocks (None: whole files or diffs have none).

    Whole files count only where the log says that they were ``applied``.
    """
    if "<<<<< SEARCH" in text:
        return _search_replace(text.split("\n"))
    if "*** Begin Patch" in text or "*** Update File:" in text:
        return [(change, None, None) for change in parse_patch(text)]
    if "udiff" in edit_format or "```diff" in text:
        # The last block may be open.
        bodies = [part.split("\n```", 1)[0] + "\n" for part in text.split("```diff\n")[1:]]
        found = [change for body in bodies for change in parse_patch(body)]
        if found:
            return [(change, None, None) for change in found]
    return [(change, None, None) for change in _whole_files(text.split("\n"), applied)] if applied else []


def open_fence(line: str) -> str | None:
    """The line that closes the code block which this line opens; None if it opens none."""
    if line[:1] not in ("`", "~", "<"):
        return None
    fence = _FENCE.match(line)
    return closing_fence(fence[1]) if fence is not None else None


def closing_fence(opening: str) -> str:
    return "</" + opening.rstrip()[1:] if opening.startswith("<") else opening


def same_file(path: str, shown: str) -> bool:
    """Whether a path in an answer is the one in a message, which is relative to the repository."""
    path, shown = path.replace("\\", "/"), shown.replace("\\", "/")
    if not path or not shown:
        return False
    return path == shown or path.endswith("/" + shown) or shown.endswith("/" + path)


def _search_replace(lines: list[str]) -> list[tuple[FileChange, str | None, str | None]]:
    blocks: list[tuple[FileChange, str | None, str | None]] = []
    path = ""
    index, end = 0, len(lines)
    while index < end:
        if not lines[index].startswith("<") or _SEARCH.match(lines[index]) is None:
            index += 1
            continue
        path = _path_before(lines, index) or path
        search, index = _until(lines, index + 1, _DIVIDER)
        replace, index = _until(lines, index + 1, _REPLACE)
        if index >= end:
            break  # the answer was cut off inside the block
        change = FileChange(path, hunks=[(_as_applied(search, path), _as_applied(replace, path))])
        blocks.append((change, search, replace))
        index += 1
    return blocks


def _as_applied(text: str, path: str) -> str:
    """One half of a block as Aider applies it: without the file's name and the fence that models put inside.

    Aider joins the lines again and adds the last line end only if there is none yet, so one of the blank lines at the
    end is lost.
    """
    lines = text.split("\n")[:-1]
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    if lines and name and lines[0].strip().endswith(name):
        del lines[0]
    if len(lines) > 1 and (fence := open_fence(lines[0])) is not None and lines[-1].startswith(fence):
        lines = lines[1:-1]
    joined = "\n".join(lines)
    return joined if not joined or joined.endswith("\n") else joined + "\n"


def _until(lines: list[str], start: int, mark: re.Pattern[str]) -> tuple[str, int]:
    for index in range(start, len(lines)):
        if lines[index][:1] in ("=", ">") and mark.match(lines[index]) is not None:
            return "".join(line + "\n" for line in lines[start:index]), index
    return "", len(lines)


def _path_before(lines: list[str], index: int) -> str:
    """The file named on one of the lines above a block, around its fence."""
    for line in reversed(lines[max(0, index - _LOOK_BACK) : index]):
        if _FENCE.match(line) is not None:
            continue
        if _REPLACE.match(line) is not None:
            break
        name = line.strip().strip("#*`:").strip()
        if name:
            return name
    return ""


def _whole_files(lines: list[str], applied: set[str]) -> list[FileChange]:
    found: list[FileChange] = []
    index, end = 0, len(lines)
    while index < end:
        fence = _FENCE.match(lines[index])
        if fence is None:
            index += 1
            continue
        closing = closing_fence(fence[1])
        close = next((i for i in range(index + 1, end) if lines[i].rstrip() == closing), end)
        path = _path_before(lines, index)
        if close < end and any(same_file(path, name) for name in applied):
            content = "".join(line + "\n" for line in lines[index + 1 : close])
            found.append(FileChange(path, after=content))
        index = close + 1
    return found


# The log of prompts and answers (``--llm-history-file``): times, and outputs that the chat history omits


_ENTRY = re.compile(r"^(TO LLM|LLM RESPONSE) (\d{4}-\d\d-\d\dT\S+)$", re.MULTILINE)
_RAN = "USER I ran this command:\nUSER \n"
_GOT = "USER And got this output:\nUSER \n"
_LIMIT = 400_000_000


Ran = tuple[str, str, float | None]
"""Command, output and time of the run that a prompt reports at its end."""
Prompts = dict[str, list[tuple[float | None, Ran | None]]]
"""Answers by their text, each with its time and the run that the next prompt reports."""


def find_prompts(history: Path, named: str | None) -> Prompts:
    """The prompt log beside a chat history; ``named`` is how the command line called it."""
    names = [Path(named).name] if named else []
    for name in (*names, ".aider.llm.history", "llm.history"):
        path = history.parent / name
        try:
            if path.is_file() and path.stat().st_size <= _LIMIT and not path.samefile(history):
                return _prompts(path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n"))
        except OSError:
            continue
    return {}


def _prompts(text: str) -> Prompts:
    found: Prompts = {}
    _, *parts = _ENTRY.split(text)
    time: float | None = None
    after = ""  # the prompt after this entry
    for kind, stamp, body in reversed(list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))):
        if kind == "LLM RESPONSE":
            ran = _ran(after)
            answers = found.setdefault(_unprefixed(body, "ASSISTANT").strip(), [])
            answers.insert(0, (iso_time(stamp), None if ran is None else (*ran, time)))
        time, after = iso_time(stamp), body if kind == "TO LLM" else ""
    return found


def _ran(body: str) -> tuple[str, str] | None:
    start = body.rfind(_RAN)
    got = body.find(_GOT, start) if start >= 0 else -1
    if got < 0:
        return None
    command = _unprefixed(body[start + len(_RAN) : got], "USER").strip()
    # The prompt adds an empty line after the output.
    return command, _unprefixed(body[got + len(_GOT) :].split("\n-------\n", 1)[0], "USER").removesuffix("\n")


def _unprefixed(body: str, role: str) -> str:
    return "\n".join(line.removeprefix(role).removeprefix(" ") for line in body.split("\n"))


READERS = (AiderReader(),)
