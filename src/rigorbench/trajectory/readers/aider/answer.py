"""One answer of the model in an Aider session: its edits, and what the program did after them."""

from __future__ import annotations

import re
import shlex

from ...model import Action, Edit, Other, Result, Shell, Source, Step, ToolCall
from ...usage import Usage
from ..shared.usage import uncached
from .edits import edit_blocks, same_file
from .prompts import Prompts

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


class Answer:
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
            self._lint(message, source)
        elif message.startswith("Skipping edits to "):
            self.refused.add(message[len("Skipping edits to ") :].strip())
        elif (question := QUESTION.search(message)) is not None:
            self._asked(question[1], _yes(message), previous, source, test_command)

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
            self._test(test_command, source)

    def _shell(self, command: str, source: Source) -> None:
        self._automatic("shell", {"command": command}, Shell(command), source)

    def _automatic(self, name: str, arguments: dict[str, object], action: Action, source: Source) -> ToolCall:
        call = ToolCall(f"line-{source.line}-{len(self.after_edits)}", name, arguments, action, source)
        self.after_edits.append(call)
        return call

    def _test(self, command: str | None, source: Source) -> None:
        """The question comes only after a test run whose exit status was not 0."""
        action: Action = Shell(command) if command else Other("automatic test run")
        call = self._automatic("auto-test", {"automatic": True, "command": command}, action, source)
        call.result = Result(self.added, is_error=True, source=source)

    def _lint(self, message: str, source: Source) -> None:
        run = _LINT_RUN.search(message)
        action: Action = Shell(run[1].strip()) if run is not None else Other("automatic lint run")
        call = self._automatic("auto-lint", {"automatic": True}, action, source)
        call.result = Result(message, is_error=True, source=source)

    def close(self, edit_format: str) -> None:
        """Puts the edits in the answer's text before the calls that followed from them."""
        paths = set(self.applied) | self.created
        for index, block in enumerate(edit_blocks(self.step.text, edit_format, paths)):
            change = block.change
            if any(same_file(change.path, name) for name in self.created) or (block.search == "" and not self.applied):
                change.operation = "create"
            if change.operation == "create" and block.replace is not None:
                change.after, change.hunks = block.replace, []
            arguments = {"path": change.path}
            if block.search is not None and block.replace is not None:
                arguments |= {"search": block.search, "replace": block.replace}
            call = ToolCall(
                f"line-{self.step.source.line}-edit-{index}", "edit", arguments, Edit([change]), self.step.source
            )
            call.result = self._edit_result(change.path, block.search)
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
        return Result(f"Skipping edits to {path}", denied=True) if path in self.refused else None

    def add_prompts(self, prompts: Prompts) -> None:
        """Adds the time of the answer, and the output of the command that ran after it."""
        index = prompts.answer(self.raw)
        if index is None:
            return
        self.step.time = prompts.time(index)
        tests = [call for call in self.after_edits if call.name in ("auto-test", "shell")]
        ran = prompts.ran_after(index) if tests else None
        if ran is None:
            return
        call, (command, output, time) = tests[-1], ran
        if isinstance(call.action, Other):
            call.action = Shell(command)
        if isinstance(call.action, Shell) and call.action.command == command and call.result is not None:
            call.result.text, call.result.time = output, time


def commit_call(commit: re.Match[str], source: Source) -> ToolCall:
    """Aider commits by itself; ``automatic`` means that nobody asked for it."""
    sha, message = commit[1], commit[2].strip()
    arguments = {"automatic": True, "sha": sha, "message": message}
    action = Shell(f"git commit -m {shlex.quote(message)}")
    return ToolCall(f"commit-{sha}", "git commit", arguments, action, source, Result(commit[0], source=source))


def _usage(message: str) -> Usage | None:
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
    return Usage(uncached(sent, hit, written), hit, written, counts.get("received"))


def without_thinking(text: str) -> tuple[str, str]:
    """The answer and, apart from it, the reasoning that some models put in front."""
    tagged = _THOUGHT.match(text)
    if tagged is not None:
        return text[tagged.end() :].strip(), tagged[2].strip()
    if _THINKING not in text or _SAYING not in text:
        return text, ""
    before, _, rest = text.partition(_THINKING)
    reasoning, _, said = rest.partition(_SAYING)
    return _RULE.sub("", before + said).strip(), _RULE.sub("", reasoning).strip()


def _yes(message: str) -> bool:
    answer = _ANSWER.search(message)
    return answer is not None and answer[1][:1].lower() in ("y", "a")
