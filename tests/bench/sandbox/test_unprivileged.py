"""All tests of the sandbox once more, as a user without rights (when they run as root)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import Unprivileged

pytestmark = pytest.mark.bwrap

PROGRAM = """
import sys, pytest
sys.exit(pytest.main([*sys.argv[1:], "-q", "-p", "no:cacheprovider", "-x", "--no-header"]))
"""
FILES = ["test_box_processes.py", "test_box_hardening.py", "test_box_limits.py", "test_box_files.py"]


@pytest.mark.slow(reason="four files of tests over again: half a minute")
@pytest.mark.parametrize("file", FILES)
def test_as_nobody(file: str, unprivileged: Unprivileged) -> None:
    if os.geteuid() != 0:
        pytest.skip("the tests do not run as root in the first place")
    here = Path(__file__).parent
    base = unprivileged.directory / file
    unprivileged.run(
        PROGRAM, str(here / file), f"--basetemp={base}", f"--rootdir={here}", "-m", "not slow", timeout=200
    )
