"""Programs that could not even be started: the words of shells, interpreters and package managers for it."""

from __future__ import annotations

import re

from .patterns import lazy

_MISSING = (
    lazy(r"^(?:\S*/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?[^\s:]+: (?:command )?not found", re.M),
    lazy(r"^(?:\S*: )?(?:line \d+: )?[^\s:]+: command not found", re.M),
    lazy(r"^zsh: command not found: \S+", re.M),
    lazy(r"^\S*python[\d.]*(?:\.exe)?: No module named \S+", re.M),
    lazy(r"^\S*python[\d.]*: can't open file .*", re.M),
    lazy(r"^timeout: failed to run command .*", re.M),
    lazy(r"^env: .*: No such file or directory", re.M),
    lazy(
        r"^(?:\S*/)?(?:ba|da|z)?sh: (?:line )?(?:\d+: )?\S+: (?:No such file or directory|Permission denied"
        r"|cannot execute.*)",
        re.M,
    ),
    lazy(r"^npm (?:ERR!|error) (?:Missing script|missing script): .*", re.M),
    lazy(r"^npm (?:ERR!|error) (?:code E404|404 Not Found).*", re.M),
    lazy(r"^npm (?:ERR!|error) could not determine executable to run", re.M),
    lazy(r"^npx canceled due to missing packages.*", re.M),
    lazy(r"^ERR_PNPM_NO_SCRIPT.*", re.M),
    lazy(r"^error: no such command: .*", re.M),
    lazy(r"^error Command \"[^\"\n]*\" not found\.", re.M),
    lazy(r"^\S*make(?:\[\d+\])?: \*\*\* No rule to make target .*", re.M),
    lazy(r"^error: Failed to spawn: .*", re.M),
    lazy(r"^.* is not recognized as (?:an internal or external command|the name of a cmdlet).*", re.M),
    lazy(r"^The term '.*' is not recognized.*", re.M),
)
_MISSING_MARKS = (
    "not found",
    "No module named",
    "can't open file",
    "failed to run",
    "No such file",
    "denied",
    "issing script",
    "E404",
    "could not determine",
    "npx canceled",
    "NO_SCRIPT",
    "no such command",
    "No rule to make",
    "Failed to spawn",
    "not recognized",
    "cannot execute",
)


def missing_tool(text: str) -> str | None:
    """The line that says that the program itself could not be started, if there is one. ``text`` must be clean."""
    if not any(mark in text for mark in _MISSING_MARKS):
        return None
    for pattern in _MISSING:
        match = pattern.search(text)
        if match is not None:
            return match[0].strip()[:160]
    return None
