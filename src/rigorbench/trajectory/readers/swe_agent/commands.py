"""SWE-agent's command line: its file viewer, editors and search tools beside plain bash.

An action is one command line. The editors change the file that is open in the viewer and address lines by number: only
what the viewer last showed contains the replaced text, so :class:`Viewer` remembers it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...model import Action, Edit, FileChange, Finish, Other, Read, Search, Shell
from ...tools import interpret

_WORD = re.compile(r"""(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+""", re.DOTALL)
_PART = re.compile(r"""([^\s'"\\]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)""", re.DOTALL)
_ESCAPE = re.compile(r"\\([\"\\$`])")
_RANGE = re.compile(r"(\d+):(\d+)(?=\s|$)[ \t\r]*\n?")
_SHOWN = re.compile(r"\[File: (.+?) \((\d+) lines? total\)\]\r?\n")
_LINE = re.compile(r"(\d+):(.*)")

VIEWER = frozenset({"open", "goto", "scroll_down", "scroll_up", "set_cursors", "filemap", "view_image"})
SEARCHES = frozenset({"find_file", "search_dir", "search_file"})
EDITORS = frozenset({"edit", "insert", "create", "str_replace_editor", "append"})
ENDINGS = frozenset({"submit", "exit", "exit_forfeit"})
COMMANDS = VIEWER | SEARCHES | EDITORS | ENDINGS

# What the tools print when they changed nothing.
_REFUSED = (
    "Your proposed edit has introduced new syntax error",
    "Your changes have NOT been applied",
    "Your edit was not applied",
    "No replacement was performed",
    "No changes were made",
    "No file open",
    "Usage: ",
    "Error: ",
    "Invalid `",
    "Parameter `",
    "The path ",
    "The parent directory",
    "File already exists at",
    "Warning: File ",
    "usage: ",
)


def words(text: str, limit: int = 64) -> list[str]:
    """Up to ``limit`` words of a command line, with the shell's quoting removed."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0]
        if "'" in word or '"' in word or "\\" in word:
            word = "".join(
                plain or single or (_ESCAPE.sub(r"\1", double) if double else "") or escaped or ""
                for plain, single, double, escaped in _PART.findall(word)
            )
        found.append(word)
        if len(found) == limit:
            break
    return found


def name_of(action: str) -> str:
    """The tool that an action line names: one of SWE-agent's own, else ``bash``."""
    head = action.split(None, 1)
    return head[0] if head and head[0] in COMMANDS else "bash"


def refused(name: str, observation: str) -> bool:
    """Whether an editor says that it changed nothing."""
    return name in EDITORS and observation[:200].lstrip().startswith(_REFUSED)


class Viewer:
    """The open file and what is known of its lines, as SWE-agent showed them.

    ``window``: first and last line shown (or, in the editor with cursors, the lines between them).
    """

    def __init__(self) -> None:
        self.path: str | None = None
        self.lines: dict[int, str] = {}
        self.total = 0
        self.window: tuple[int, int] | None = None

    def show(self, observation: str, path: str | None) -> None:
        """Remembers what an observation shows; ``path`` is the open file by the environment's own state."""
        found = _SHOWN.search(observation) if "[File: " in observation else None
        if found is None:
            if path is not None and path != self.path:
                self.path, self.lines, self.total, self.window = path, {}, 0, None
            return
        shown = path or found[1]
        total = int(found[2])
        if shown != self.path or total != self.total:
            self.lines = {}
        self.path, self.total = shown, total
        numbers: list[int] = []
        cursor: list[int] = []
        for line in observation[found.end() :].splitlines():
            match = _LINE.match(line)
            if match is not None:
                number = int(match[1])
                if numbers and number != numbers[-1] + 1:
                    break
                numbers.append(number)
                self.lines[number] = match[2]
            elif line.startswith("<<<<< "):
                cursor.append(len(numbers))
            elif numbers and not line.startswith("("):
                break
        marked = numbers[cursor[0] : cursor[1]] if len(cursor) == 2 else numbers
        self.window = (marked[0], marked[-1]) if marked else None

    def replace(self, path: str, first: int, last: int, text: str) -> FileChange:
        """The change "lines ``first`` to ``last`` become ``text``"; without hunks if those lines were never shown."""
        change = FileChange(path)
        new = text.split("\n")
        if path != self.path or any(n not in self.lines for n in range(first, last + 1)):
            return change
        old = [self.lines[n] for n in range(first, last + 1)]
        if "\n".join(old).strip() == "" and first - 1 in self.lines:
            # An empty line alone is not unique: the line above is added.
            old.insert(0, self.lines[first - 1])
            new.insert(0, self.lines[first - 1])
        change.hunks.append(("\n".join(old), "\n".join(new)))
        return change


def interpret_action(action: str, named: tuple[str, Any] | None, viewer: Viewer, cwd: str | None) -> Action:
    """What an action line does. ``named``: the function call (name, arguments) behind it, if the log keeps it."""
    name = name_of(action)
    args = named[1] if named is not None and isinstance(named[1], Mapping) else None
    if name == "bash":
        return Shell(action.strip(), cwd=cwd)
    rest = action.strip()[len(name) :].lstrip(" \t")
    if name == "submit":
        return Finish(rest.strip())
    if name in ENDINGS:
        return Finish(action.strip())
    if name in SEARCHES:
        return Search(words(rest, 1)[0] if rest.strip() else "")
    if name == "open" or name in ("filemap", "view_image"):
        return Read((words(rest, 1) or [""])[0])
    if name in VIEWER:
        return Read(viewer.path or "")
    if name == "str_replace_editor":
        return interpret(name, args if args is not None else editor_arguments(rest))
    return _edit(name, rest, args, viewer)


def editor_arguments(rest: str) -> dict[str, Any]:
    """Arguments of ``str_replace_editor COMMAND PATH --old_str ... --new_str ...``."""
    found = words(rest)
    values: dict[str, Any] = {}
    plain: list[str] = []
    key: str | None = None
    for word in found:
        if word in ("--old_str", "--new_str", "--file_text", "--insert_line", "--view_range"):
            key = word[2:]
            values.setdefault(key, "")
        elif key is None:
            plain.append(word)
        else:
            values[key] = word
            key = None
    if str(values.get("insert_line", "")).isdigit():
        values["insert_line"] = int(values["insert_line"])
    values.update(zip(("command", "path"), plain, strict=False))
    return values


def _edit(name: str, rest: str, args: Mapping[str, Any] | None, viewer: Viewer) -> Action:
    if name == "create":
        path = _text(args, "filename") or (words(rest, 1) or [""])[0]
        return Edit([FileChange(path, "create", after="")]) if path else Other(target=name)
    path = viewer.path or ""
    if name == "append":
        return Edit([FileChange(path, hunks=[("", _body(rest))])])
    if name == "insert":
        text, line = _text(args, "text"), args.get("line") if args is not None else None
        if text is None:
            parts = words(rest, 2)
            text = parts[0] if parts else ""
            line = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else None
        change = FileChange(path, hunks=[("", text)])
        change.at_line = line if isinstance(line, int) else (viewer.total or None)
        return Edit([change])
    lines = _RANGE.match(rest)
    if lines is not None:
        return Edit([viewer.replace(path, int(lines[1]), int(lines[2]), _body(rest[lines.end() :]))])
    if args is not None and isinstance(args.get("start_line"), int) and isinstance(args.get("end_line"), int):
        text = _text(args, "replacement_text") or ""
        return Edit([viewer.replace(path, args["start_line"], args["end_line"], text.removesuffix("\n"))])
    search, replacement = _text(args, "search"), _text(args, "replace")
    if search is None and rest.startswith(("\n", "\r\n")):
        # The cursor editor and the rewriting editor replace what the viewer shows.
        window = viewer.window
        return Edit([viewer.replace(path, *window, _body(rest.lstrip("\r\n"))) if window else FileChange(path)])
    if search is None:
        parts = words(rest, 3)
        if len(parts) < 2:
            text = parts[0] if parts else _text(args, "text") or ""
            window = viewer.window
            return Edit([viewer.replace(path, *window, text) if window else FileChange(path)])
        search, replacement = parts[0], parts[1]
        everywhere = len(parts) > 2 and parts[2].lower() == "true"
    else:
        everywhere = args is not None and args.get("replace-all") is True
    return Edit([FileChange(path, hunks=[(search, replacement or "")], replace_all=everywhere)])


def _body(text: str) -> str:
    """The text of a multi-line command, without the word that ends it."""
    end = text.rfind("end_of_edit")
    if end < 0:
        end = text.rfind("end_of_append")
    if end >= 0 and not text[end:].strip().removeprefix("end_of_edit").removeprefix("end_of_append"):
        text = text[:end]
    return text.removesuffix("\n")


def _text(args: Mapping[str, Any] | None, name: str) -> str | None:
    value = args.get(name) if args is not None else None
    return value if isinstance(value, str) else None
