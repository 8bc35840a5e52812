"""Peak memory of a running process and of its children, as the kernel counts it."""

from __future__ import annotations

from pathlib import Path


class Peaks:
    """Peaks of resident memory in bytes: ``own``, and of the ``largest`` child; as far as :meth:`look` saw them."""

    def __init__(self) -> None:
        self.own = self.largest = 0

    def look(self, pid: int) -> None:
        self.own = max(self.own, _peak(pid))
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except OSError:
            return
        self.largest = max([self.largest, *(_peak(int(child)) for child in children)])


def _peak(pid: int) -> int:
    """Of a process so far; 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
