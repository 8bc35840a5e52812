"""``sed -i`` carried out on a text: the commands s, d, a, i, c with their usual addresses.

Only what behaves the same everywhere is carried out. For the rest :func:`sed` raises; the file is then unknown.
"""

from __future__ import annotations

import re

from ..evidence.edits.sed import ESCAPES, Address, SedCommand, SedError, sed_commands

_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "space": r"\s",
    "blank": r" \t",
    "upper": "A-Z",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
}


def sed(text: str, script: str, *, extended: bool) -> str:
    """``text`` after a sed script.

    Raises:
        SedError: the script uses something that is not carried out here.
    """
    steps = [_Step(c, extended) for c in sed_commands(script)]
    ends = text.endswith("\n")
    lines = text.split("\n")
    if ends:
        lines.pop()
    out: list[str] = []
    kept, after = True, list[str]()
    for number, line in enumerate(lines, 1):
        current, kept = line, True
        after = []
        for step in steps:
            command = step.command
            if step.selects(number, len(lines), current) is command.negated:
                continue
            if command.name == "s":
                current = step.substitute(current)
            elif command.name == "i":
                out.append(command.text)
            elif command.name == "a":
                after.append(command.text)
            else:  # d, and c, which prints its text once for a range
                if command.name == "c" and (command.second is None or command.negated or not step.inside):
                    out.append(command.text)
                kept = False
                break
        if kept:
            out.append(current)
        out += after
    # Only a last line that is printed unchanged keeps its missing line end.
    bare = not ends and kept and not after
    return "\n".join(out) + ("" if bare or not out else "\n")


class _Step:
    """A command while the lines go by. ``inside`` its range, which ends at line ``end``, or at a pattern (None)."""

    def __init__(self, command: SedCommand, extended: bool) -> None:
        if command.name not in "sdaic":
            raise SedError(f"the sed command {command.name} is not carried out")
        if set(command.flags) - set("gIi0123456789"):
            raise SedError("sed flags that are not carried out")
        self.command = command
        self.first, self.second = (_address(a, extended) for a in (command.first, command.second))
        if command.name == "s":
            self.pattern = _regex(command.pattern, extended, ignore_case="i" in command.flags.lower())
        number = re.sub(r"\D", "", command.flags)
        self.count = int(number) if number else 1
        self.inside = False
        self.end: int | None = None

    def selects(self, number: int, total: int, line: str) -> bool:
        first, second = self.command.first, self.command.second
        if first is None:
            return True
        if second is None:
            return _matches(first, self.first, number, total, line)
        if self.inside:
            if self.second is not None:
                self.inside = self.second.search(line) is None
                return True
            end = self.end if self.end is not None else total
            self.inside = number < end
            return number <= end
        zero = first.line == 0 and number == 1
        if not (zero or _matches(first, self.first, number, total, line)):
            return False
        if self.second is not None:
            # The end is looked for from the next line on; only with 0,/re/ the first line may end it.
            self.inside = not (zero and self.second.search(line) is not None)
            return True
        if second.plus is not None:
            self.end = number + second.plus
        else:
            self.end = total if second.last else second.line
        self.inside = self.end is not None and number < self.end
        return True

    def substitute(self, line: str) -> str:
        seen = 0

        def replaced(match: re.Match[str]) -> str:
            nonlocal seen
            seen += 1
            if seen < self.count or (seen > self.count and "g" not in self.command.flags):
                return match.group()
            return _expanded(self.command.text, match)

        return self.pattern.sub(replaced, line)


def _address(address: Address | None, extended: bool) -> re.Pattern[str] | None:
    if address is None or address.pattern is None:
        return None
    return _regex(address.pattern, extended, ignore_case=address.ignore_case)


def _matches(address: Address, pattern: re.Pattern[str] | None, number: int, total: int, line: str) -> bool:
    if pattern is not None:
        return pattern.search(line) is not None
    return number == total if address.last else number == address.line


def _expanded(template: str, match: re.Match[str]) -> str:
    out: list[str] = []
    i = 0
    while i < len(template):
        c = template[i]
        if c == "&":
            out.append(match.group())
        elif c == "\\" and i + 1 < len(template):
            i += 1
            c = template[i]
            if c.isdigit():
                if int(c) > match.re.groups:
                    raise SedError("sed names a group that the pattern does not have")
                out.append(match.group(int(c)) or "")
            elif c in "LUluE":
                raise SedError("sed changes the case of letters")
            else:
                out.append(ESCAPES.get(c, c))
        else:
            out.append(c)
        i += 1
    return "".join(out)


def _regex(pattern: str, extended: bool, *, ignore_case: bool) -> re.Pattern[str]:
    if pattern == "":
        raise SedError("sed repeats its last pattern")
    try:
        return re.compile(_translated(pattern, extended), re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise SedError(f"a sed pattern that is not understood ({error})") from None


def _translated(pattern: str, extended: bool) -> str:
    """A POSIX pattern (basic or extended) as a Python one."""
    out: list[str] = []
    i = 0
    while i < len(pattern):
        c = pattern[i]
        i += 1
        if c == "[":
            bracket, i = _bracket(pattern, i)
            out.append(bracket)
        elif c == "\\" and i < len(pattern):
            c = pattern[i]
            i += 1
            if c in "(){}|+?":
                if c == "|" and not extended:
                    raise SedError("a sed pattern with alternatives")
                out.append("\\" + c if extended else c)
            elif c in "<>":
                out.append(r"\b")
            elif c in "nt" or c in "wWsSbB" or c.isdigit():
                out.append("\\" + c)
            else:
                out.append(re.escape(c))
        elif c in "(){}|+?" and not extended:
            out.append("\\" + c)
        elif c == "|":
            # POSIX takes the longest alternative, Python the first.
            raise SedError("a sed pattern with alternatives")
        elif c == "*" and (not out or out == ["^"] or out[-1] == "("):
            out.append(r"\*")
        elif c == "^" and not extended and out and out[-1] != "(":
            out.append(r"\^")
        elif c == "$" and not extended and i < len(pattern) and not pattern.startswith("\\)", i):
            out.append(r"\$")
        else:
            out.append("$(?!\\n)" if c == "$" else c)
    return "".join(out)


def _bracket(pattern: str, i: int) -> tuple[str, int]:
    out = ["["]
    if pattern.startswith("^", i):
        out.append("^")
        i += 1
    first = True
    while i < len(pattern):
        c = pattern[i]
        if c == "]" and not first:
            return "".join(out) + "]", i + 1
        first = False
        if c == "[" and pattern.startswith("[:", i):
            name, _, _ = pattern[i + 2 :].partition(":]")
            if name not in _CLASSES:
                raise SedError(f"the character class {name}")
            out.append(_CLASSES[name])
            i += len(name) + 4
            continue
        # GNU sed takes \n and \t for themselves inside brackets, and any other backslash literally.
        if c == "\\" and pattern[i + 1 : i + 2] in ("n", "t"):
            out.append(pattern[i : i + 2])
            i += 2
            continue
        out.append("\\" + c if c in "\\[]^&~|" else c)
        i += 1
    raise SedError("a sed pattern without its closing bracket")
