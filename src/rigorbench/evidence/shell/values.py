"""Values of shell words: escapes, what a command prints, where a relative path leads."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Sequence

from .types import SimpleCommand

VARIABLE = re.compile(r"(?<!\\)\$(?:(\w+)|\{(\w+)\})")
ESCAPE = re.compile(r"\\(\n|.)", re.DOTALL)
DOUBLE_QUOTE_ESCAPE = re.compile(r'\\([$`"\\\n])')
EXPANSION = re.compile(r"(?<!\\)(?:\$[\w({@*#?!$-]|`)")
# A word without expansions and patterns.
LITERAL = re.compile(r"[^$`*?\[\]{}]*")
_MAX_PRINTED = 1_000_000  # characters
_ANSI_C = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_C_NAMES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


def printed(command: SimpleCommand) -> str | None:
    """What echo, printf or cat print, if their text is literal; None otherwise, and for any other command."""
    if command.program == "cat" and command.stdin is not None and all(a == "-" for a in command.args):
        return command.stdin
    args = command.args
    if command.program == "echo":
        escapes, end = False, "\n"
        while args and args[0] in ("-n", "-e", "-ne", "-en", "-E"):
            escapes = escapes or "e" in args[0]
            end = "" if "n" in args[0] else end
            args = args[1:]
        text = " ".join(args) + end
        if "$" in text or "`" in text:
            return None
        return _ANSI_C.sub(_ansi_character, text) if escapes and "\\" in text else text
    if command.program == "printf" and args and "$" not in (text := "".join(args)) and "`" not in text:
        text = _ANSI_C.sub(_ansi_character, args[0]) if "\\" in args[0] else args[0]
        if "%" not in text:
            return text
        if text.replace("%%", "").count("%") == 1 and "%s" in text and len(text) * len(args) < _MAX_PRINTED:
            return "".join(text.replace("%s", a).replace("%%", "%") for a in args[1:])
    return None


def join(cwd: str | None, path: str) -> str:
    """``path`` as seen from ``cwd`` (None: the call's own directory), normalised."""
    if path[1:2] == ":" or path.startswith("\\"):
        return path  # Windows
    return posixpath.normpath(posixpath.join(cwd, path) if cwd and not path.startswith("~") else path)


def operands(args: Sequence[str], valued: str | Collection[str] = "") -> list[str]:
    """The words that are no option; ``valued`` are options that take the next word."""
    taking = valued.split() if isinstance(valued, str) else valued
    words: list[str] = []
    rest = iter(args)
    for word in rest:
        if word == "--":
            words.extend(rest)
        elif word in taking:
            next(rest, None)
        elif not word.startswith("-") or word == "-":
            words.append(word)
    return [w for w in words if w]


def set_options(args: list[str], errexit: bool, pipefail: bool) -> tuple[bool, bool]:
    for i, arg in enumerate(args):
        on = arg.startswith("-")
        if arg[:1] in ("-", "+") and "e" in arg and not arg.startswith("--"):
            errexit = on
        if arg[:1] in ("-", "+") and arg.endswith("o") and i + 1 < len(args):
            if args[i + 1] == "pipefail":
                pipefail = on
            elif args[i + 1] == "errexit":
                errexit = on
    return errexit, pipefail


def unescape(match: re.Match[str]) -> str:
    return "" if match[1] == "\n" else match[1]


def unescape_unquoted(match: re.Match[str]) -> str:
    return match[0] if match[1] == '"' else unescape(match)  # quotes mean nothing in a here-document


def _ansi_character(match: re.Match[str]) -> str:
    code = match[1]
    if code in _ANSI_C_NAMES:
        return _ANSI_C_NAMES[code]
    if code[0] in "xu" and len(code) > 1:
        return chr(int(code[1:], 16))
    if code[0] in "01234567":
        return chr(int(code, 8) & 0x7F)
    return code if code in "\\'\"?" else "\\" + code


def ansi_c(text: str) -> str:
    """The value of the text in ``$'...'``, ``echo -e`` or ``printf``."""
    return _ANSI_C.sub(_ansi_character, text)
