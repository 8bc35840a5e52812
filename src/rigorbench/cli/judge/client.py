"""``rigor judge client``: the client for agents' sandboxes, as a file, or run from here."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from ..common import Usage, message

_USAGE = """usage: rigor judge client [COMMAND [ARGUMENTS]]
       rigor judge client --copy PATH

The client that submits to `rigor judge serve`: one file for Python 3.8 or newer, to be copied into a sandbox.
Without arguments: print its path. With a command: run it (submit, status, list, problem, budget, abort; all have
--help).
Environment variables say where to submit: RIGOR_OJ_URL, RIGOR_OJ_TOKEN, RIGOR_OJ_PROBLEM and RIGOR_OJ_REPOSITORY.
"""


def command(arguments: list[str]) -> int:
    from ...judge.client import CLIENT_FILE

    if not arguments:
        print(CLIENT_FILE)
        return 0
    if arguments[0] in ("-h", "--help", "help"):
        print(_USAGE, end="")
        return 0
    if arguments[0] == "--copy":
        if len(arguments) != 2:
            raise Usage("--copy PATH: an existing directory, or the file to write")
        return _copy(CLIENT_FILE, Path(arguments[1]))
    sys.stdout.flush()
    return subprocess.run([sys.executable, str(CLIENT_FILE), *arguments], check=False).returncode


def _copy(source: Path, target: Path) -> int:
    if target.is_dir():
        target = target / source.name
    try:
        shutil.copyfile(source, target)
        target.chmod(0o755)
    except OSError as error:
        message(f"{target}: {error.strerror}")
        return 1
    print(target)
    return 0
