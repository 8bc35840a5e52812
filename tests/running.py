"""The command ``rigor`` for tests: in a process of its own, or in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from rigorbench.cli import main

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = "import sys; from rigorbench.cli import main; sys.exit(main())"
RIGOR = [sys.executable, "-c", PROGRAM]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}


def rigor(*words: object, cwd: Path | None = None, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[str]:
    """Run in a process of its own."""
    command = [*RIGOR, *map(str, words)]
    done = subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=ENVIRONMENT | env, check=False)
    out, err = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


def status_of(*words: object) -> int:
    """Run in this process, also where the reading of the options ends it."""
    try:
        return main(list(map(str, words)))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
