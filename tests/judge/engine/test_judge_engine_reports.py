"""Reports of sanitizers: what they found, whether they looked at all, and what a program can forge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.judge.engine.trial import read_report
from rigorbench.judge.problems.problem import Sanitizer
from rigorbench.judge.problems.verdicts import Verdict

NONCE = "0123456789abcdef0123456789abcdef"
DONE = f"rigor-checked {NONCE}\n".encode()
LEAK = b"""
=================================================================
==2==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 48 byte(s) in 2 object(s) allocated from:
    #0 0x7fb510e11e35 in malloc

SUMMARY: LeakSanitizer: 48 byte(s) leaked in 2 allocation(s).
"""
USE = b"==2==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000058 at pc 0x55 bp 0x7f sp 0x7f\n"
VALGRIND = b"""==7== Memcheck, a memory error detector
==7== Conditional jump or move depends on uninitialised value(s)
==7==    at 0x109170: main (main.c:3)
==7== Invalid write of size 4
==7==    at 0x109180: main (main.c:4)
==7== LEAK SUMMARY:
==7==    definitely lost: 1,024 bytes in 3 blocks
==7==    indirectly lost: 0 bytes in 0 blocks
==7== ERROR SUMMARY: 3 errors from 3 contexts (suppressed: 0 from 0)
"""
CLEAN = b"""==7== HEAP SUMMARY:
==7==    definitely lost: 0 bytes in 0 blocks
==7==    still reachable: 72,704 bytes in 1 blocks
==7== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)
"""


@pytest.mark.parametrize(
    ("report", "sanitizer", "verdict", "words"),
    [
        (DONE, "leak", None, ""),
        (LEAK + DONE, "leak", "memory_leak", "48 bytes leaked in 2 allocations"),
        (LEAK, "address", "memory_leak", "48 bytes"),
        (USE, "address", "invalid_access", "heap use after free"),
        (USE + LEAK, "address", "invalid_access", "heap use after free"),
        (CLEAN, "uninitialised", None, ""),
        (VALGRIND, "uninitialised", "invalid_access", "invalid write of size 4"),
        # Where valgrind stands in, what was not asked for is no finding.
        (VALGRIND, "leak", "memory_leak", "1024 bytes leaked in 3 allocations"),
        (VALGRIND.replace(b"Invalid write", b"Other"), "uninitialised", "uninitialised_read", "uninitialised value"),
        (b"==7== Process terminating with default action of signal 11 (SIGSEGV)\n", "address", "invalid_access", "11"),
    ],
)
def test_findings(report: bytes, sanitizer: Sanitizer, verdict: Verdict | None, words: str) -> None:
    found, message, state = read_report(report, NONCE, sanitizer)
    assert found == verdict
    assert words in message
    assert verdict is not None or state == "checked"


@pytest.mark.parametrize(
    "report",
    [b"", b"rigor-checked\n", b"rigor-checked 00000000000000000000000000000000\n", f"x {NONCE}\n".encode(), DONE[:-5]],
)
def test_without_its_last_line_nothing_was_checked(report: bytes) -> None:
    assert read_report(report, NONCE, "leak")[2] == "unchecked"


def test_a_tool_that_gave_up_is_no_leak() -> None:
    report = b"==2==LeakSanitizer has encountered a fatal error.\n"
    assert read_report(report, NONCE, "leak")[2] == "failed"


@given(st.binary(max_size=300))
def test_any_bytes_are_read(report: bytes) -> None:
    assert read_report(report, NONCE, "uninitialised")[2] in ("checked", "unchecked", "failed")
