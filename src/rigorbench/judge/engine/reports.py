"""Reads the reports of LeakSanitizer, AddressSanitizer and valgrind.

Their exit status says little (LeakSanitizer uses the same one for a leak and for its own failure), and standard error
belongs to the program. So a report comes through its own descriptor. Without its last line nothing was checked: a
program may exit in ways that skip the leak check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from ..problems.problem import Sanitizer
from ..problems.verdicts import VERDICTS, Verdict, findings

# The last line of valgrind's report. Sanitized programs end theirs with `rigor-checked NONCE` after the leak check.
_SUMMARY = re.compile(rb"^==\d+== ERROR SUMMARY: \d+ errors", re.MULTILINE)
_ADDRESS = re.compile(rb"ERROR: AddressSanitizer: ([\w-]+)")
_FAILED = re.compile(rb"LeakSanitizer has encountered a fatal error|(?:Address|Leak)Sanitizer: CHECK failed")
_LEAKED = re.compile(rb"SUMMARY: \w+Sanitizer: (\d+) byte\(s\) leaked in (\d+) allocation")
_LEAK = re.compile(rb"ERROR: LeakSanitizer: detected memory leaks")
_LOST = re.compile(rb"^==\d+== +definitely lost: ([\d,]+) bytes in ([\d,]+) blocks", re.MULTILINE)
_INVALID = re.compile(
    rb"^==\d+== (Invalid (?:read|write) of size \d+|Invalid free\(\)[^\n]*|Mismatched (?:free|new)[^\n]*|"
    rb"Jump to the invalid address|Source and destination overlap|"
    rb"Process terminating with default action of signal (?:11|7) )",
    re.MULTILINE,
)
_UNINITIALISED = re.compile(
    rb"^==\d+== (?:Conditional jump or move depends on uninitialised|Use of uninitialised value|Syscall param [^\n]* "
    rb"(?:uninitialised|contains uninit))",
    re.MULTILINE,
)
# Errors of AddressSanitizer for lack of memory: no access was wrong.
_NO_ACCESS = (b"out-of-memory", b"allocation-size-too-big", b"rss-limit-exceeded", b"calloc-overflow")
_WORDS = {
    b"alloc-dealloc-mismatch": "memory freed by another function than allocated it",
    b"attempting": "memory freed twice, or never allocated",
}


class CheckerReport(Struct, frozen=True):
    """The result of a check."""

    verdict: Verdict | None
    """None: nothing was found."""
    message: str = ""
    state: Literal["checked", "unchecked", "failed"] = "checked"
    """"failed": the tool itself failed; "unchecked": the program exited before the tool's final check, so only what was
    found until then is known."""


def read(report: bytes, nonce: str, sanitizer: Sanitizer) -> CheckerReport:
    """The worst finding of a report; its message contains no data of the program.

    Findings that `sanitizer` does not look for are left out: where valgrind replaces another tool it sees more, and a
    verdict must not depend on the tool.

    Args:
        nonce: known to the program's start-up code only, so that the program cannot write the last line itself.
    """
    found = [(verdict, message) for verdict, message in _findings(report) if verdict in findings(sanitizer)]
    if found:
        verdict, message = min(found, key=lambda item: VERDICTS.index(item[0]))
        return CheckerReport(verdict, message)
    if _FAILED.search(report):
        return CheckerReport(None, "the sanitizer failed", "failed")
    if f"rigor-checked {nonce}".encode() not in report.splitlines() and not _SUMMARY.search(report):
        return CheckerReport(None, "the program exited before its memory could be checked", "unchecked")
    return CheckerReport(None)


def _findings(report: bytes) -> Iterator[tuple[Verdict, str]]:
    for address in _ADDRESS.finditer(report):
        kind = address[1]
        if kind not in _NO_ACCESS:
            yield "invalid_access", _WORDS.get(kind, kind.decode().replace("-", " "))
    if match := _INVALID.search(report):
        words = match[1].decode(errors="replace").strip()
        yield "invalid_access", words[0].lower() + words[1:]
    if _UNINITIALISED.search(report):
        yield "uninitialised_read", "an uninitialised value was used"
    if match := _LEAKED.search(report):
        yield "memory_leak", f"{int(match[1])} bytes leaked in {int(match[2])} allocations"
    elif _LEAK.search(report):
        yield "memory_leak", "memory leaked"
    for lost in _LOST.finditer(report):
        if count := int(lost[1].replace(b",", b"")):
            yield "memory_leak", f"{count} bytes leaked in {lost[2].decode().replace(',', '')} allocations"
