"""Threads that read a type for the first time at once do not crash the process."""

from __future__ import annotations

import subprocess
import sys

from sources import text_file

# In a process of its own: what is tested is that it does not crash. Without the lock it does within a second.
PROGRAM = text_file("decoding.program.txt")


def test_a_type_is_first_read_by_several_threads_at_once() -> None:
    assert subprocess.run([sys.executable, "-c", PROGRAM], check=False, capture_output=True).returncode == 0
