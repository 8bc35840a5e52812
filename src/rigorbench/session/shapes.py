"""What a call does by the shape of its arguments: which of them is a path, a text, a command or a pattern.

Servers name their tools as they like, but a call that edits a file states the file and a text. The words of the tool's
name only decide between actions of the same shape: a path alone is read, listed or deleted.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .model import Action, Edit, FileChange, Other, Plan, Read, Search, Shell, ShellOutput
from .patches import parse_patch
from .plans import plan_items

Arguments = Mapping[str, Any]
Shape = dict[str, Any]
"""The values of the arguments by what they are; the first of each kind."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ROLES = {
    name: role
    for role, names in {
        "content": "content contents text filetext filecontent filecontents codecontent body code inserttext",
        "sketch": "codeedit",
        "old": "toreplace targetcontent",
        "find": "search needle find searchstring searchtext",
        "pattern": "pattern regex glob globpattern searchpattern substringpattern searchterm term keyword filemask "
        "namekeyword filepattern",
        "query": "query q queries searchquery informationrequest sql",
        "asked": "url urls uri thought question topic",
        "command": "command cmd commandline shellcommand argv",
        "patch": "patch diff patchtext patchcontent diffcontent udiff unifieddiff",
        "plan": "todos todolist plan tasklist newtodos",
        "source": "source from oldpath src",
        "destination": "destination dest to newpath newfilepath",
        "directory": "directory dir dirpath directorypath targetdirectory folder folderpath",
        "repository": "repo repository projectid",
        "operation": "operation action",
        "dry": "dryrun",
        "process": "pid processid bashid shellid terminalid commandid",
    }.items()
    for name in names.split()
}
_FILES = frozenset(("path", "file", "filepath", "filename"))
_OF_A_PATH = _FILES | frozenset("name absolute relative target full document notebook in project".split())
_PLACES = frozenset("line lines start end range ranges cell symbol anchor offset column selection position".split())

# Words of tools' names, where shapes are alike.
_SEARCHES = frozenset("list ls dir tree grep rg ripgrep glob search find symbols overview".split())
_READS = frozenset("read view cat open get show head tail fetch print".split())
_WRITES = frozenset("write create save overwrite".split())
_DELETES = frozenset("delete remove rm unlink".split())
_INSERTS = frozenset("insert append prepend".split())
_EDITS = frozenset("edit replace rename undo patch modify".split()) | _INSERTS
_POLLS = ("poll", "log", "kill")
_SHELLS = frozenset("bash sh shell powershell terminal cmd".split())
_DIRECTORIES = frozenset("dir directory folder".split())
_EDITOR_COMMANDS = frozenset(
    "view read open create write str_replace strReplace replace edit insert append undo_edit delete".split()
)
_TOUCHING = frozenset("content new old sketch patch command path paths".split())
# What a search by a question looks through: the project rather than the web.
_PROJECT = frozenset("codebase file files grep rg ripgrep glob find dir".split())


@lru_cache(maxsize=4096)
def words(name: str) -> frozenset[str]:
    """The words of a name in lower case: ``newText``, ``new_text`` and ``new-text`` have the same."""
    return frozenset(w.lower() for w in _WORD.findall(name))


@lru_cache(maxsize=4096)
def _role(argument: str) -> str:
    parts = [w.lower() for w in _WORD.findall(argument)]
    if not parts:
        return ""
    role = _ROLES.get("".join(parts))
    if role is not None:
        return role
    first, last = parts[0], parts[-1]
    if last in ("paths", "files", "filepaths", "operations"):
        return "paths"
    if first != "name" and _OF_A_PATH.issuperset(parts) and not _FILES.isdisjoint(parts):
        return "path"
    if first in ("old", "original"):
        return "old"
    if first in ("new", "repl", "replace", "replacement", "rewrite") and last not in ("all", "name", "path"):
        return "new"
    return "place" if first == "name" or not _PLACES.isdisjoint(parts) else ""


def shape(args: Arguments) -> Shape:
    found: Shape = {}
    for name, value in args.items():
        if value is None or not isinstance(name, str):
            continue
        role = "patch" if isinstance(value, str) and value.startswith("*** Begin Patch") else _role(name)
        if role == "path" and not (isinstance(value, str) and value):
            role = "paths" if isinstance(value, list) else ""
        found.setdefault(role, value)
    return found


def names_repository(args: Any) -> bool:
    """Whether the arguments name a repository elsewhere: what such a call changes is not the work tree."""
    return isinstance(args, Mapping) and "repository" in shape(args)


def is_web(name: str, args: Any) -> bool:
    """Whether a call is one of a tool of the web or of a browser that states no file, and none that writes."""
    known = words(name)
    named = not known.isdisjoint(("web", "browser")) and known.isdisjoint(_WRITES | _DELETES | _EDITS | {"download"})
    return named and isinstance(args, Mapping) and _TOUCHING.isdisjoint(shape(args))


def action_of_shape(name: str, args: Arguments, *, native: bool) -> Action | None:
    """The action of a call; None: its shape does not decide.

    ``native``: the tool is of the agent itself, and no server's.
    """
    known, found = words(name), shape(args)
    command, does = found.get("command"), known
    operation = command if isinstance(command, str) and command in _EDITOR_COMMANDS else found.get("operation")
    if "path" in found and isinstance(operation, str):
        does, command = words(operation), None if operation == command else command
        # A strict schema makes the model state all arguments; those of other operations are empty.
        unused = {"old", "new"} if does & _WRITES else {"old", "new", "content"}
        found = {role: value for role, value in found.items() if value != "" or role not in unused}
    elif "path" in found and command and not _EDITS.isdisjoint(known):
        return None  # an editor's command that is not known
    if ("command" in found and command is not None) or not _SHELLS.isdisjoint(known):
        return _shell(args, found, known, native)
    if "process" in found or (operation in _POLLS and isinstance(args.get("sessionId"), str)):
        return ShellOutput(str(found.get("process") or args["sessionId"]), _text(args, "input") or None)
    if isinstance(found.get("plan"), list):
        return Plan(plan_items(found["plan"]), update="add" if args.get("merge") is True else "replace")
    if found.get("dry") in (True, "true"):
        return Read(_text(found, "path"))
    changes = _changes(does, args, found)
    return Edit(changes) if changes else _look(does, found, native) or _asks(does, found)


def _text(found: Arguments, *roles: str) -> str:
    return next((found[r] for r in roles if isinstance(found.get(r), str) and found[r]), "")


def command_text(value: Any) -> str:
    """A command line from a string or an argument vector; ``bash -lc SCRIPT`` vectors give SCRIPT."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        if (
            len(value) == 3
            and value[0].rsplit("/", 1)[-1] in ("bash", "sh", "zsh", "dash")
            and value[1].lstrip("-") in ("c", "lc", "ic")
        ):
            return str(value[2])
        return shlex.join(value)
    return ""


def _shell(args: Arguments, found: Shape, known: frozenset[str], native: bool) -> Action | None:
    if args.get("restart") is True and not args.get("command"):
        return Other(target="restart")
    value = found.get("command")
    if not value and native and not _SHELLS.isdisjoint(known):
        value = args.get("script") or args.get("code") or args.get("input")
    command = command_text(value)
    if command and isinstance(args.get("args"), list):
        command = f"{command} {command_text(args['args'])}".rstrip()
    shell_id = args.get("session_id") or args.get("shellId") or args.get("sessionId") or args.get("terminal_id")
    if args.get("is_input") in (True, "true") or (not command and shell_id is not None):
        return ShellOutput(shell_id=None if shell_id is None else str(shell_id), stdin=command or None)
    if not command:
        # OpenHands and Copilot poll a running command with an empty one.
        return ShellOutput() if "command" in found else None
    background = any(
        args.get(k) is True for k in ("run_in_background", "background", "is_background", "isBackground", "detach")
    )
    background = background or args.get("mode") in ("async", "detached") or args.get("wait") is False
    where = _text(args, "workdir", "cwd", "Cwd", "working_directory")
    return Shell(
        command=command,
        cwd=where or _text(found, "directory") or None,
        background=background,
        shell_id=None if shell_id is None else str(shell_id),
    )


def _changes(does: frozenset[str], args: Arguments, found: Shape) -> list[FileChange]:
    """The changes of one call: by a patch, of its own path, or of the entries of its lists."""
    patch, path = _text(found, "patch"), _text(found, "path")
    if patch and (parsed := parse_patch(patch)):
        return parsed
    if path and (change := _change(does, args, found, path)) is not None:
        return [change]
    entries = [v for value in args.values() if isinstance(value, list) for v in value if isinstance(v, Mapping)]
    entries += [v for v in args.values() if isinstance(v, Mapping) and {"old", "new"} <= shape(v).keys()]
    each = [(e, shape(e)) for e in entries]
    inner = [c for e, s in each if (p := _text(s, "path") or path) and (c := _change(does, e, s, p)) is not None]
    own = [c for c in inner if c.path == path]
    if len(own) > 1:  # several replacements in one file
        hunks = [hunk for c in own for hunk in c.hunks]
        inner = [FileChange(path, hunks=hunks), *(c for c in inner if c.path != path)]
    return inner or _moved(does, found, path)


def _change(does: frozenset[str], args: Arguments, found: Shape, path: str) -> FileChange | None:
    """The change of one file by the texts beside its path. A change whose text is not stated has neither."""
    if _looks(does) and not does & (_WRITES | _EDITS):
        return None
    old, new, text = (found[r] if isinstance(found.get(r), str) else None for r in ("old", "new", "content"))
    sought = None if old is not None else found.get("find", found.get("pattern"))
    new = text if new is None and old is not None else new
    if old is not None or (new is not None and isinstance(sought, str)):
        literal = "pattern" not in found and args.get("mode") != "regex"
        before = old if old is not None else sought if literal else None
        change = FileChange(path, hunks=[] if not isinstance(before, str) else [(before, new or "")])
        change.replace_all = any(args.get(k) is True for k in args if "all" in words(k) or "multiple" in words(k))
        if before == "" and new:
            change.operation, change.after = "create", new
        return change
    text = new if text is None else text
    if "patch" in found or "sketch" in found:
        return FileChange(path)
    if text is None:
        return None
    if (does & _INSERTS and "edit" not in does) or args.get("mode") == "append":
        # ``insert_line`` is the line before the text, ``line_number`` that of the text.
        line, before = args.get("line_number"), args.get("insert_line")
        at = before if isinstance(before, int) else line - 1 if isinstance(line, int) else None
        return FileChange(path, hunks=[("", text)], at_line=at)
    whole = bool(does & _WRITES) or ("edit" not in does and "place" not in found)
    # A write gives the whole file. Whether the file existed before, only the reader can say, if its log states it.
    return FileChange(path, "create", after=text) if whole else FileChange(path)


def _moved(does: frozenset[str], found: Shape, path: str) -> list[FileChange]:
    """Changes without a text: a file is deleted, moved or copied, or changed in a way that is not stated."""
    source, destination = _text(found, "source") or path, _text(found, "destination")
    if source and destination:
        if does & {"move", "rename", "mv"}:
            return [FileChange(source, "rename", new_path=destination)]
        return [FileChange(destination, "create")] if does & {"copy", "cp"} else []
    several = found.get("paths")
    files = [path] if path else [p for p in several if isinstance(p, str)] if isinstance(several, list) else []
    if does & _DELETES:
        return [FileChange(p, "modify" if "place" in found else "delete") for p in files]
    if does & _EDITS:
        return [FileChange(p) for p in files]
    return [FileChange(p, "create") for p in files] if does & _WRITES and not does & _DIRECTORIES else []


def _looks(does: frozenset[str]) -> bool:
    return not does.isdisjoint(_SEARCHES | _READS)


def _look(does: frozenset[str], found: Shape, native: bool) -> Action | None:
    """A read or a search: the name says so, and the arguments name a place in the project."""
    if not _looks(does) or does & (_WRITES | _DELETES):
        return None
    sought, question = _text(found, "pattern", "find"), _text(found, "query")
    path, place = _text(found, "path"), _text(found, "path", "directory")
    if sought or (question and (place or (native and (does == {"search"} or does & _PROJECT)))):
        return Search(sought or question)
    if does & _SEARCHES and place:
        return Search(place)
    several = found.get("paths")
    if not path and isinstance(several, list):
        path = "\n".join(_text(shape(p), "path") if isinstance(p, Mapping) else str(p) for p in several)
    return Read(path) if path and does & _READS else None


def _asks(does: frozenset[str], found: Shape) -> Action | None:
    """A call that cannot touch the project: it only asks for something, or makes a directory."""
    if "mkdir" in does or ("create" in does and does & _DIRECTORIES):
        return Other(_text(found, "path", "directory"), inert=True)
    asks = _looks(does) or does & {"think", "resolve"} or not {"query", "asked"}.isdisjoint(found)
    if asks and not does & (_WRITES | _DELETES | _EDITS) and _TOUCHING.isdisjoint(found):
        return Other(_text(found, "asked", "query"), inert=True)
    return None
