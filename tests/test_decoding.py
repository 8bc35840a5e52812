"""Threads that read a type for the first time at once do not crash the process."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: what is tested is that it does not crash. Without the lock it does within a second.
PROGRAM = """
import sys, threading, msgspec
from rigorbench.base.decoding import decoder

sys.setswitchinterval(1e-6)
fields = [f"f{n}" for n in range(20)]
data = msgspec.json.encode({name: {"a": 1, "b": ["x"]} for name in fields})
for _ in range(300):
    inner = [msgspec.defstruct("Inner" + name, [("a", int), ("b", "list[str] | None", None)]) for name in fields]
    outer = msgspec.defstruct("Outer", list(zip(fields, inner)))
    start = threading.Barrier(4)
    def read():
        start.wait()
        assert decoder(outer).decode(data).f0.a == 1
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_a_type_is_first_read_by_several_threads_at_once() -> None:
    assert subprocess.run([sys.executable, "-c", PROGRAM], check=False, capture_output=True).returncode == 0
