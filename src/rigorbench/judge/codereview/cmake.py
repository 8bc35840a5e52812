"""Read ``CMakeLists.txt`` by the grammar of CMake: commands with their arguments, without comments.

Nothing is configured. Variables from plain ``set`` commands are expanded; all other references stay as written.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from .sources import Sources

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<comment>#\[(?P<ce>=*)\[(?s:.*?)\](?P=ce)\]|#[^\n]*)"
    r"|\[(?P<be>=*)\[\n?(?P<bracket>(?s:.*?))\](?P=be)\]"
    r'|"(?P<quoted>(?:\\(?s:.)|[^"\\])*)"'
    r"|(?P<paren>[()])"
    r'|(?P<word>(?:\\.|\$<[^<>]*(?:<[^<>]*>[^<>]*)*>|"(?:\\(?s:.)|[^"\\])*"|[^\s()#"\\])+)'
    r"|(?P<odd>.)"
)
_REFERENCE = re.compile(r"\$\{([A-Za-z0-9_./+-]+)\}")
_KEYWORDS = frozenset(
    "STATIC SHARED MODULE OBJECT INTERFACE IMPORTED ALIAS GLOBAL UNKNOWN EXCLUDE_FROM_ALL WIN32 MACOSX_BUNDLE".split()
)


class Command(Struct, frozen=True):
    """One command.

    Attributes:
        file: The CMake file.
        line: The line of its name, from 1.
        name: Its name in lower case.
        arguments: Its arguments with known variables expanded.
    """

    file: str
    line: int
    name: str
    arguments: tuple[str, ...]


class Target(Struct, frozen=True):
    """One build target.

    Attributes:
        name: Its name.
        kind: "executable", "library" or "custom".
        file: The CMake file that defines it.
        line: The line of the definition, from 1.
        sources: Its source files as written.
        builds_file: False for imported targets and aliases, which build nothing.
    """

    name: str
    kind: str
    file: str
    line: int
    sources: tuple[str, ...] = ()
    builds_file: bool = True


def commands(sources: Sources) -> list[Command]:
    """The commands of all CMake files of a submission, those nearest to the root first.

    Raises:
        Undecidable: one of them is too large.
    """
    paths = [p for p in sources.files if p.rsplit("/", 1)[-1] == "CMakeLists.txt" or p.endswith(".cmake")]
    variables: dict[str, str] = {}
    found: list[Command] = []
    for path in sorted(paths, key=lambda p: (p.count("/"), p)):
        for line, name, arguments in _parse(sources.files[path].text):
            filled = tuple(word for argument in arguments for word in _expand_variables(argument, variables))
            if name == "project" and filled:
                variables.setdefault("PROJECT_NAME", filled[0])
                variables.setdefault("CMAKE_PROJECT_NAME", filled[0])
            elif name == "set" and filled:
                values = [v for v in filled[1:] if v not in ("CACHE", "PARENT_SCOPE")]
                variables[filled[0]] = ";".join(values)
            found.append(Command(path, line, name, filled))
    return found


def build_targets(found: list[Command]) -> list[Target]:
    """All targets that the commands define, with their sources."""
    by_name: dict[str, Target] = {}
    for command in found:
        if not command.arguments:
            continue
        name, rest = command.arguments[0], command.arguments[1:]
        kind = {"add_executable": "executable", "add_library": "library", "add_custom_target": "custom"}.get(
            command.name
        )
        if kind is not None:
            builds_file = not {"IMPORTED", "ALIAS"} & set(rest)
            files = tuple(word for word in rest if word not in _KEYWORDS)
            by_name.setdefault(name, Target(name, kind, command.file, command.line, files, builds_file))
        elif command.name == "target_sources" and name in by_name:
            added = (word for word in rest if word not in ("PRIVATE", "PUBLIC", "INTERFACE"))
            by_name[name] = replace(by_name[name], sources=(*by_name[name].sources, *added))
    return list(by_name.values())


def _parse(text: str) -> list[tuple[int, str, list[tuple[str, bool]]]]:
    """(line, command, [(argument, whether it was quoted)]) of each command."""
    found: list[tuple[int, str, list[tuple[str, bool]]]] = []
    name, start, depth = "", 1, 0
    arguments: list[tuple[str, bool]] = []
    line, position = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", position, match.start())
        position = match.start()
        kind = match.lastgroup
        if kind in ("space", "comment", "ce"):
            continue
        if kind == "paren":
            depth += 1 if match[0] == "(" else -1
            if depth == 0 and match[0] == ")" and name:
                found.append((start, name, arguments))
                name = ""
            depth = max(depth, 0)
            if depth == 1 and match[0] == "(":
                arguments = []
        elif depth:
            plain = match["word"] is not None
            value = match["word"] if plain else match["quoted"] if match["quoted"] is not None else match["bracket"]
            arguments.append((value if value is not None else match[0], not plain))
        elif kind == "word":
            name, start = match[0].lower(), line
    return found


def _expand_variables(argument: tuple[str, bool], variables: dict[str, str]) -> list[str]:
    """An argument with its variables expanded; an unquoted one is split at ";"."""
    text, quoted = argument
    for _ in range(5):
        filled = _REFERENCE.sub(lambda found: variables.get(found[1], found[0]), text)[:10_000]
        if filled == text:
            break
        text = filled
    return [text] if quoted else [word for word in text.split(";") if word]


def active_commands(found: list[Command]) -> list[Command]:
    """The commands that can take effect.

    Commands in a branch that is certainly not taken, and in a function or macro that is never called, are left out.
    A condition that cannot be decided counts as taken.
    """
    called = {command.name for command in found}
    active: list[Command] = []
    file = ""
    # For each open block: whether it is dead, and whether an earlier branch was certainly taken.
    blocks: list[tuple[bool, bool]] = []
    for command in found:
        if command.file != file:
            file, blocks = command.file, []
        value = _constant_condition(command)
        match command.name:
            case "if":
                blocks.append((value is False, value is True))
            case "elseif" if blocks:
                taken = blocks[-1][1]
                blocks[-1] = (taken or value is False, taken or value is True)
            case "else" if blocks:
                blocks[-1] = (blocks[-1][1], blocks[-1][1])
            case "function" | "macro":
                name = command.arguments[0].lower() if command.arguments else ""
                blocks.append((name not in called, False))
            case "endif" | "endfunction" | "endmacro":
                if blocks:
                    blocks.pop()
            case _ if not any(dead for dead, _ in blocks):
                active.append(command)
    return active


def _constant_condition(command: Command) -> bool | None:
    """The value of a condition that is a single CMake constant; None for any other condition."""
    words = [word.upper() for word in command.arguments]
    if len(words) != 1:
        return None
    if words[0] in ("0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND", "") or words[0].endswith("-NOTFOUND"):
        return False
    return True if words[0] in ("1", "ON", "YES", "TRUE", "Y") else None
