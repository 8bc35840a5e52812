"""What a submission's program finds of this machine: an image of its language, and no file that others may open."""

from __future__ import annotations

import os
import re
import shutil

import pytest
from judge_engine_builders import Bench

from rigorbench.judge.engine import Judge
from sources import text_file

pytestmark = pytest.mark.bwrap

LOOK = text_file("judge_engine_image.look.c")


def test_a_c_program_finds_a_c_library_and_nothing_that_another_process_can_open(judge_bench: Bench) -> None:
    if os.geteuid() != 0 or shutil.which("gcc") is None:
        pytest.skip("device files of its own need root; and gcc")
    problem = judge_bench.problem([("\n", "\n")] * 2)
    submission = judge_bench.submit(LOOK, name="main.c", language="c")
    with Judge() as judge:
        points = [point for group in judge.judge(problem, submission).groups for point in group.points]
    seen = points[0].details
    assert "found" not in seen
    assert "fadvise 0" in seen
    inodes = {tuple(map(int, pair)) for pair in re.findall(r"inode (\d+):(\d+)", seen)}
    assert len(inodes) == 5
    host = [os.stat(path) for path in ("/usr/lib", "/dev/null", "/dev/zero", *_libraries())]
    assert inodes.isdisjoint((one.st_dev, one.st_ino) for one in host)


def _libraries() -> list[str]:
    return [path for path in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6") if os.path.exists(path)]
