"""What became of the readings of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Count:
    """How many readings came into a stage, and how many left it."""

    seen: int = 0
    passed: int = 0

    @property
    def rejected(self) -> int:
        return self.seen - self.passed


@dataclass
class Report:
    """``lines``: how many lines of the input were read; ``finished``: whether that was all."""

    stages: dict[str, Count] = field(default_factory=dict)
    lines: int = 0
    finished: bool = False

    @property
    def written(self) -> int:
        """How many readings left the last stage."""
        return list(self.stages.values())[-1].passed

    @property
    def rejected(self) -> int:
        return sum(count.rejected for count in self.stages.values())

    def as_json(self) -> Any:
        return {
            "finished": self.finished,
            "lines": self.lines,
            "written": self.written,
            "rejected": self.rejected,
            "stages": [
                {"name": name, "in": count.seen, "out": count.passed, "rejected": count.rejected}
                for name, count in self.stages.items()
            ],
        }

    def as_text(self) -> str:
        """A table with a line for each stage."""
        lines = [f"{'stage':<12}{'in':>9}{'out':>9}{'rejected':>10}"]
        for name, count in self.stages.items():
            lines.append(f"{name:<12}{count.seen:>9}{count.passed:>9}{count.rejected:>10}")
        end = "finished" if self.finished else "stopped"
        lines.append(f"{end} after {self.lines} lines: {self.written} written, {self.rejected} rejected")
        return "\n".join(lines)
