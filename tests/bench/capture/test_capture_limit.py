"""What an agent makes the recorder store is under a limit of its own: it ends the run, not the machine's disk."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.base import journal
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxLimits
from rigorbench.sandbox.kit.errors import SandboxGoneError

from .conftest import Journal

pytestmark = pytest.mark.bwrap

Recorder = Callable[..., Journal]
MIB = 1 << 20
LIMIT = BoxLimits(recording=4 * MIB)


def size(directory: Path) -> int:
    return int(subprocess.run(["du", "-sB1", directory], check=True, capture_output=True, text=True).stdout.split()[0])


def only_limit(found: Journal) -> journal.Limit:
    (limit,) = found.of(journal.Limit)
    assert (limit.kind, limit.limit) == ("recording", 4 * MIB)
    assert limit.used > 4 * MIB
    assert size(found.run) < 6 * MIB
    return limit


def test_a_file_that_is_rewritten_again_and_again(record: Recorder) -> None:
    """The work tree never has more than one MiB of it, so no limit of the disk would see it."""

    async def work(box: Box) -> None:
        for _ in range(20):
            await box.exec(["sh", "-c", "head -c 1M /dev/urandom > data.bin"])
        await asyncio.sleep(1)

    with pytest.raises(SandboxGoneError, match=r"recording what the sandbox did took \S+ MiB, the limit is 4.0 MiB"):
        record(work, limits=LIMIT)


def test_the_states_before_the_limit_are_on_record_and_the_rest_is_a_gap(record: Recorder) -> None:
    """Files with holes take no room on the agent's disk, and all of them are stored in one look."""
    holes = "for n in $(seq 40); do truncate -s 1500000 hole$n; echo $n >> hole$n; done"

    async def work(box: Box) -> None:
        await box.exec(["sh", "-c", "echo kept > early"])
        await box.exec(["sh", "-c", holes])
        for _ in range(40):
            await asyncio.sleep(0.1)
            if box.gone is not None:
                return
        raise AssertionError("the sandbox was not ended")

    found = record(work, limits=LIMIT)
    only_limit(found)
    assert found.file(found.of(journal.TreeRecord)[-1].tree, "early") == "kept"
    assert any("the limit of the recording is reached" in gap.reason for gap in found.of(journal.Gap))


def test_what_was_there_at_first_is_not_counted(record: Recorder, repository: Path) -> None:
    for number in range(4):
        (repository / f"large{number}").write_bytes(bytes([number]) * (2 * MIB))

    async def work(box: Box) -> None:
        await box.exec(["sh", "-c", "echo small > early"])
        await asyncio.sleep(0.6)
        assert box.gone is None
        assert "recording" in box.limits_in_force

    assert not record(work, limits=LIMIT).of(journal.Limit)
