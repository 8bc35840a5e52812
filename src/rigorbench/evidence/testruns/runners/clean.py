"""Terminal output as plain text: without colours, rewritten lines, and what is too far from both ends to matter."""

from __future__ import annotations

import re
from functools import lru_cache

from ....base.patterns import lazy

# A verdict is at the end of the output, a missing tool or a usage error at its beginning.
HEAD_CHARS = 32 * 1024
TAIL_CHARS = 128 * 1024
# A longer line is data; cutting it keeps every pattern fast.
_LONG_LINE = 2000

_ESCAPE = lazy(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()][0-9A-Z]|[@-Z\\-_])")
_COLUMN = lazy(r"\x1b\[\d*G")
# The rest of a colour sequence where the log dropped the escape character.
_BARE_COLOUR = lazy(r"\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m")
# What runners of several tasks put before each line: the task ("[lint:go] "), the container ("web-1  | "), the package
# ("@acme/web:test: ", "packages/web test: ").
_PREFIX = lazy(
    r"(?:\[(?!(?:info|error|warn|warning|debug|trace|success|ok|pass|passed|fail|failed|skip|skipped|note|fatal)\])"
    r"(?:[a-z@][\w:./@-]*|\d+)\]:?(?: |$)"
    r"|(?!(?:ok|FAILED) \|)[A-Za-z][\w./@-]* +\|(?: |$)"
    r"|(?:@?[a-z][\w.-]*(?:/[\w.-]+)*[:#][a-z][\w.-]*|@[\w.-]+/[\w.-]+|[a-z.][\w.-]*/[\w./-]+ [a-z][\w:.-]*)[:$]"
    r"(?: |$))",
    re.M,
)
_PREFIXED = lazy(f"^{_PREFIX.source}", re.M)
# Numbers of last lines that show whether lines have prefixes at all: few, or more of them where a package manager has
# the last words.
_LAST_LINES = (9, 20)
# A prefix of digits or with a colon may be the program's own output: it counts only if it occurs so often.
_MANY = 3


@lru_cache(maxsize=8)
def clean(output: str) -> str:
    """``output`` without escape sequences; carriage returns and jumps to a column start a new line;
    the prefixes of task runners ("[test] ", "web-1  | ") are taken off.

    Only the ends of a very long line are kept, and then only the head and tail of a long output.
    """
    text = output
    if len(text) > HEAD_CHARS + TAIL_CHARS:
        text = _short_lines(text)
    if len(text) > HEAD_CHARS + TAIL_CHARS:
        text = f"{text[:HEAD_CHARS]}\n{text[-TAIL_CHARS:]}"
    if "\x1b" in text:
        text = _ESCAPE.sub("", _COLUMN.sub("\n", text))
    elif "[0m" in text or "[39m" in text or "[22m" in text:
        text = _BARE_COLOUR.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _without_prefixes(_short_lines(text))


def _short_lines(text: str) -> str:
    if len(text) <= _LONG_LINE:
        return text
    lines = text.split("\n")
    if len(max(lines, key=len)) <= _LONG_LINE:
        return text
    return "\n".join(line if len(line) <= _LONG_LINE else f"{line[:1400]} ... {line[-400:]}" for line in lines)


def _mostly_prefixed(lines: list[str]) -> bool:
    filled = [line for line in lines if line]
    return 2 * sum(1 for line in filled if _PREFIX.match(line)) > len(filled)


def _without_prefixes(text: str) -> str:
    """Without the names that runners of several tasks put before each line, if most of the last lines have one."""
    lines = text[-2000:].split("\n")
    if not any(_mostly_prefixed(lines[-number:]) for number in _LAST_LINES):
        return text
    found: dict[str, int] = {}
    for match in _PREFIXED.finditer(text):
        found[match[0]] = found.get(match[0], 0) + 1
    names = {
        name
        for name, times in found.items()
        if times >= _MANY or (name[0] == "[" and not name[1].isdigit()) or name.rstrip().endswith("|")
    }
    return _PREFIXED.sub(lambda m: "" if m[0] in names else m[0], text) if names else text
