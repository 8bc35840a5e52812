"""One package of the suite, drawn by what is committed, is proved again, so that a false record would be noticed.

`make validate` proves every package that has changed since its proof.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from rigorbench import cli

SUITE = Path(__file__).parents[3] / "suites" / "projdev"


@pytest.mark.bwrap
@pytest.mark.slow  # some minutes: all submissions of a package are judged three times
def test_a_package_is_proved_again() -> None:
    for tool in ("bwrap", "cmake", "g++"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing")
    seed = hashlib.sha256((SUITE / "proofs.json").read_bytes()).digest()
    packages = sorted(file.parent for file in SUITE.glob("*/problem.yaml"))
    drawn = packages[int.from_bytes(seed) % len(packages)]
    assert cli.main(["judge", "verify", str(drawn)]) == 0
