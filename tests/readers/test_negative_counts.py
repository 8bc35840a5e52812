"""A negative number of tokens is damage, not a count: in every format it is unknown, never shown and never summed."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from rigorbench.session.logfile import LogError
from rigorbench.session.registry import discover, read_log
from rigorbench.session.usage import TokenUsage

SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "sessions"
_COUNT = re.compile(rb'("\w*[tT]okens?\w*"\s*:\s*)(\d+)')


def test_a_usage_holds_no_negative_number() -> None:
    assert TokenUsage(-1, 0, -5, 3, None) == TokenUsage(None, 0, None, 3, None)
    assert msgspec.json.decode(b'{"output": -5, "input": 7}', type=TokenUsage) == TokenUsage(input=7)


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.*j*")), ids=lambda path: path.name)
def test_no_format_lets_one_through(sample: Path, tmp_path: Path) -> None:
    files = [path for path in ([sample] if sample.is_file() else sample.rglob("*")) if path.is_file()]
    changed = 0
    for file in files:
        target = tmp_path / sample.name / file.relative_to(sample) if sample.is_dir() else tmp_path / sample.name
        target.parent.mkdir(parents=True, exist_ok=True)
        text, count = _COUNT.subn(rb"\1-\2", file.read_bytes())
        target.write_bytes(text)
        changed += count
    if not changed:
        pytest.skip("its counts are not written in such a way")
    usages = []
    for log in discover([str(tmp_path / sample.name)]):
        assert not isinstance(log, LogError)
        for trajectory in read_log(log):
            usages += [trajectory.total_usage(), trajectory.usage, *(step.usage for step in trajectory.steps)]
    counts = [n for usage in usages if usage is not None for n in msgspec.structs.astuple(usage) if n is not None]
    assert all(n >= 0 for n in counts)
