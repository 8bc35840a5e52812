"""What a program sends besides its standard output: the result of a driver, the report of a sanitizer.

Both come through pipes that are for the program's start-up code only. They end with a nonce, which that code reads once
at the start: a program that leaves before the end, or writes to the pipes itself, cannot know it.
"""

from __future__ import annotations

import os
import re
import secrets
import select
import threading
from collections.abc import Iterator
from typing import Final, Literal

from ..build.program import NONCE_FD, REPORTS_FD, RESULTS_FD, BuiltProgram
from ..problems.problem import Sanitizer
from ..problems.verdicts import VERDICTS, Verdict, findings

_REPORT: Final = 1 << 20
_CHUNK: Final = 64 << 10


class _Stream:
    def __init__(self, most: int) -> None:
        self.read, self.write = os.pipe()
        os.set_blocking(self.read, False)
        self.most = most
        self.data = bytearray()
        self.received = 0

    def drain(self) -> bool:
        """Read what is available; False: nobody can write any more."""
        while True:
            try:
                chunk = os.read(self.read, _CHUNK)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            self.received += len(chunk)
            if len(self.data) < self.most:
                self.data += chunk[: self.most - len(self.data)]


class Channels:
    """The private descriptors of one run: pass :attr:`files` to it, and read the results after :meth:`close`."""

    def __init__(self, program: BuiltProgram, most: int) -> None:
        """``most``: bytes of a driver's result."""
        self.nonce = secrets.token_hex(16)
        self.files: dict[int, int] = {}
        self._streams: dict[int, _Stream] = {}
        if program.driver:
            # The trailer with the nonce comes on top of what the problem allows.
            self._streams[RESULTS_FD] = _Stream(most + 64)
        if program.reports is not None:
            self._streams[REPORTS_FD] = _Stream(_REPORT)
        self.files.update({number: stream.write for number, stream in self._streams.items()})
        if program.driver or program.reports == "sanitizer":
            nonce, write = os.pipe()
            os.write(write, f"{self.nonce}\n".encode())
            os.close(write)
            self.files[NONCE_FD] = nonce
        self._reader: threading.Thread | None = None
        if self._streams:
            self._end_read, self._end_write = os.pipe()
            self._reader = threading.Thread(target=self._collect, name="judge-channels", daemon=True)
            self._reader.start()

    def _collect(self) -> None:
        poll = select.poll()
        poll.register(self._end_read, select.POLLIN)
        streams = {stream.read: stream for stream in self._streams.values()}
        for number in streams:
            poll.register(number, select.POLLIN)
        while True:
            for number, _ in poll.poll():
                if number == self._end_read:
                    return
                if not streams[number].drain():
                    poll.unregister(number)

    def close(self) -> None:
        """After the run: read the rest and close everything."""
        for descriptor in self.files.values():
            os.close(descriptor)
        self.files = {}
        if self._reader is not None:
            os.write(self._end_write, b"x")
            self._reader.join()
            self._reader = None
            os.close(self._end_read)
            os.close(self._end_write)
            for stream in self._streams.values():
                # Not up to the end of file: processes that the program left behind may take a moment to disappear.
                stream.drain()
                os.close(stream.read)

    def report(self) -> bytes:
        stream = self._streams.get(REPORTS_FD)
        return bytes(stream.data) if stream is not None else b""

    def overflowed(self) -> bool:
        stream = self._streams.get(RESULTS_FD)
        return stream is not None and stream.received > stream.most

    def result(self) -> bytes | None:
        """The driver's result; None: the driver did not finish, or something was written after it."""
        stream = self._streams.get(RESULTS_FD)
        if stream is None:
            return None
        trailer = f"\n{self.nonce}\n".encode()
        data = bytes(stream.data)
        return data[: -len(trailer)] if data.endswith(trailer) else None


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


def read_report(
    report: bytes, nonce: str, sanitizer: Sanitizer
) -> tuple[Verdict | None, str, Literal["checked", "unchecked", "failed"]]:
    """The worst finding of a report of LeakSanitizer, AddressSanitizer or valgrind, without data of the program; a
    message; and whether the tool failed, or the program exited before the tool's final check.

    Their exit status says little: LeakSanitizer uses the same one for a leak and for its own failure. Without the last
    line nothing was checked: a program may exit in ways that skip the leak check.
    Findings that `sanitizer` does not look for are left out: where valgrind replaces another tool it sees more, and a
    verdict must not depend on the tool.

    `nonce`: known to the program's start-up code only, so that the program cannot write the last line itself.
    """
    found = [(verdict, message) for verdict, message in _findings(report) if verdict in findings(sanitizer)]
    if found:
        verdict, message = min(found, key=lambda item: VERDICTS.index(item[0]))
        return verdict, message, "checked"
    if _FAILED.search(report):
        return None, "the sanitizer failed", "failed"
    if f"rigor-checked {nonce}".encode() not in report.splitlines() and not _SUMMARY.search(report):
        return None, "the program exited before its memory could be checked", "unchecked"
    return None, "", "checked"


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
