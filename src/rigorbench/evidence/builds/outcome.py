"""From the output and exit status of builds, type checkers and linters to their outcome."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from ...base.code.grammars import is_source
from ...base.patterns import lazy
from ..commands.programs import programs
from ..events import Outcome
from ..shell.types import SimpleCommand
from ..tables import load
from ..testruns.messages import messages as common
from ..testruns.messages import missing_tool
from ..testruns.runners.base import LineRule, first_match, line_rules
from ..testruns.runners.clean import clean

Kind = Literal["build", "lint"]


class _Messages(Struct, frozen=True):
    """The messages of failure and of success, and the exit statuses that mean wrong usage.

    ``unstarted``: messages that the program did not come to its work.
    """

    failed: tuple[LineRule, ...] = ()
    passed: tuple[LineRule, ...] = ()
    unstarted: tuple[LineRule, ...] = ()
    usage_status: frozenset[int] = frozenset()


class _Table(Struct, frozen=True):
    """``messages.toml``, which explains the keys."""

    build: _Messages
    lint: _Messages
    tools: dict[str, _Messages]
    empty: frozenset[str]
    silent_subcommands: dict[str, frozenset[str]]
    complaints: dict[str, str]


@cache
def _table() -> _Table:
    document = load(__file__, "messages.toml")

    def messages(table: dict[str, Any]) -> _Messages:
        failed, passed, unstarted = (line_rules(table.get(key, {})) for key in ("failed", "passed", "unstarted"))
        return _Messages(failed, passed, unstarted, frozenset(table.get("usage_status", ())))

    return _Table(
        messages(document["build"]),
        messages(document["lint"]),
        {name: messages(table) for name, table in document["tools"].items()},
        frozenset(document["empty"]),
        {name: frozenset(words.split()) for name, words in document["silent_subcommands"].items()},
        document["complaints"],
    )


def silence_proves(command: SimpleCommand, output: str) -> bool:
    """Whether an empty output shows that this build or lint succeeded: it would have printed its complaints, here."""
    return output.strip().lower() in _table().empty and _only_complains(command)


def others_words_prove(command: SimpleCommand, output: str) -> bool:
    """Whether this build or lint, on which a later command depends, succeeded: what was printed are not its complaints.

    It prints nothing else, so the words are those of the later command, which did not run if it failed.
    """
    complaints = _table().complaints.get(command.program)
    if complaints is None or output.strip().lower() in _table().empty:
        return False
    return _only_complains(command) and not re.search(complaints, clean(output), re.MULTILINE)


def _only_complains(command: SimpleCommand) -> bool:
    """Whether this build or lint prints nothing but complaints, and prints them to the output of the call."""
    if command.background or "xargs" in command.wrappers:
        return False
    if any(not (r.operator.endswith(">&") and r.target.isdigit()) and "<" not in r.operator for r in command.redirects):
        return False
    groups = programs().groups
    if not groups.pass_through.issuperset(command.piped_into):
        return False
    subs = _table().silent_subcommands.get(command.program)
    if subs is not None:
        # Cargo prints each step unless -q is given.
        return any(a in subs for a in command.args[:3]) and (
            command.program != "cargo" or any(a in ("-q", "--quiet") for a in command.args)
        )
    return command.program in groups.silent or (command.program in groups.file_listers and "-l" in command.args)


def read_outcome(
    kind: Kind, program: str, args: list[str], output: str, exit_status: int | None, failed_flag: bool | None = None
) -> Outcome:
    """The outcome of a build or type check ("build"), or of a linter or format check ("lint").

    ``exit_status`` must be the program's own (None behind a pipe or ``|| true``); ``failed_flag`` is the flag of a log
    that flags every failed command: True failed, False did not fail, None for formats that do not flag.

    A known exit status decides; then the diagnostics in the output, a failure among them before any word of success;
    then the flag. ``error`` means that the program could not do its work (missing, wrong usage); of a linter also that
    it says that it could not begin (no such rule, a configuration that it cannot read), and names no place in a file.
    Behind a script such words may be those of the project's own code.
    """
    groups = programs().groups
    if kind == "build":
        return _read(program, output, exit_status, failed_flag, _table().build)
    if program in groups.file_listers and exit_status in (None, 0) and "-l" in args and "-w" not in args:
        listed = [line for line in clean(output).split("\n") if line.strip()]
        if listed and all(line.endswith(".go") for line in listed):
            return "failed"
    outcome = _read(program, output, exit_status, failed_flag, _table().lint)
    if outcome in ("failed", "unknown") and program not in groups.task_runners:
        unstarted = first_match(_table().lint.unstarted, clean(output)) is not None
        return "error" if unstarted and not diagnosed(output) else outcome
    return outcome


def complains(program: str, output: str) -> bool:
    """Whether the output contains the words with which this very tool, and no other, says that it failed."""
    own = _table().tools.get(program)
    return own is not None and first_match(own.failed, clean(output)) is not None


def _read(program: str, output: str, exit_status: int | None, failed_flag: bool | None, messages: _Messages) -> Outcome:
    own = _table().tools.get(program, _Messages())
    if exit_status == 0:
        return "passed"
    text = clean(output)
    missing = missing_tool(text) is not None
    if exit_status is not None:
        if exit_status in (124, 137, 143) or exit_status < 0:
            return "unknown"  # stopped before it ended
        return "error" if missing or exit_status in (126, 127) or exit_status in own.usage_status else "failed"
    if first_match(own.failed, text) is not None:
        return "failed"
    if first_match(own.passed, text) is not None:
        return "passed"
    if first_match(messages.failed, text) is not None:
        return "error" if missing else "failed"
    if missing and failed_flag is not False:
        return "error"
    if first_match(messages.passed, text) is not None:
        return "passed"
    return "unknown" if failed_flag is None else "failed" if failed_flag else "passed"


# path:12:5: message · path(12,5): error TS2345: message · path:12: message · --> path:12:5
_LINE = lazy(
    r"^(?:\s*-->\s*|\W{0,3}|.{0,60}?[\s\[(])?((?:[A-Za-z]:)?[\w@./\\+-]+\.[A-Za-z]\w{0,5})"
    r"(?::\d+|\(\d+[,:]\d+\)| \(\d+:\d+\))(.*)$"
)
# rollup and its like: [plugin name] path: message
_PLUGIN = lazy(r"^.{0,200}\[[^\]]+\] ([\w@./\\+-]+\.[A-Za-z]\w{0,5}): (.*)$")
# eslint and its like: the path on a line of its own, and below it "  12:5  error  message".
_HEADING = lazy(r"^((?:[A-Za-z]:)?[\w@./\\+-]+\.[A-Za-z]\w{0,5})$")
_ROW = lazy(r"^\s+\d+:\d+\s+(.*)$")
# prettier: "[warn] path", "[error] path: SyntaxError: ...", ruff format and black: "would reformat path",
# "error: cannot format path: Cannot parse: 1:4: ...".
_UNFORMATTED = lazy(
    r"^(?:\[(?:warn|error)\]|[Ww]ould reformat:?|error: cannot format) "
    r"((?:[A-Za-z]:)?[\w@./\\+-]+\.[A-Za-z]\w{0,5})(?:: (.*))?$"
)
_LONGEST = 2000  # characters kept of what is said about one file
# The end of every path that _LINE matches.
_PLACE = re.compile(r"\.[A-Za-z]\w{0,5}(?::\d| ?\(\d)")


def diagnosed(output: str) -> dict[str, str]:
    """What the output says about each file that it names; files of libraries and warnings apart."""
    found: dict[str, str] = {}
    libraries = common().libraries
    heading: str | None = None
    for line in clean(output).split("\n"):
        if len(line) > 1000 or not ("." in line or (heading is not None and ":" in line)):
            continue
        path, said = "", ""
        if (match := _HEADING.match(line)) is not None:
            heading = match[1]
        elif heading is not None and (row := _ROW.match(line)) is not None:
            path, said = heading, row[1]
        elif (unformatted := _UNFORMATTED.match(line)) is not None:
            path, said = unformatted[1], unformatted[2] or ""
        elif (match := _named(line)) is not None:
            path, said = match[1], match[2]
        if not path or said.lstrip(" :-").lower().startswith("warning") or any(x in path for x in libraries):
            continue
        if is_source(path) or "/" in path:
            found[path] = f"{found.get(path, '')}\n{said}"[:_LONGEST]
    return found


def _named(line: str) -> re.Match[str] | None:
    """The file that a line names, and what it says about it."""
    plugin = _PLUGIN.match(line) if "] " in line else None
    return plugin or (_LINE.match(line) if _PLACE.search(line) else None)
