"""``sed -i`` on a text: carried out by the machine's own sed, in the sandbox.

Only what every sed does alike is carried out. For the rest :func:`sed` raises; the file is then unknown.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..evidence.edits.sed import SedCommand, SedError, sed_commands
from ..sandbox.errors import SandboxError
from .sandbox import Limits, Mounts, run

_LIMITS = Limits(timeout=10.0, cpu=10, memory=1 << 30, file=64 << 20, output=1 << 10)
_CASE = re.compile(r"(?<!\\)(?:\\\\)*\\[LUluE]")


def sed(text: str, scripts: Sequence[str], *, extended: bool) -> str:
    """``text`` after sed scripts, with basic or ``extended`` patterns.

    Raises:
        SedError: a script is wrong, or uses something that is not carried out here.
    """
    for command in sed_commands("\n".join(scripts)):
        _refuse(command, extended)
    with tempfile.TemporaryDirectory(prefix="rigor-sed-") as directory:
        file = Path(directory) / "text"
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        words = ["sed", "-i", *["-E"] * extended, *(word for script in scripts for word in ("-e", script)), file.name]
        try:
            done = run(words, Mounts(Path(directory), Path("/tmp/sed")), limits=_LIMITS)
        except (SandboxError, OSError, ValueError) as error:  # the latter two: words that no program can be given
            raise SedError(f"sed cannot be run ({error})") from None
        if done.exit_status != 0:
            raise SedError(" ".join(done.output.split())[:200] or "sed failed")
        return file.read_bytes().decode("utf-8", "surrogateescape")


def _refuse(command: SedCommand, extended: bool) -> None:
    if command.name not in "sdaic":
        raise SedError(f"the sed command {command.name} is not carried out")
    if set(command.flags) - set("gIi0123456789"):
        raise SedError("sed flags that are not carried out")
    patterns = [command.pattern, *(a.pattern or "" for a in (command.first, command.second) if a is not None)]
    if not extended and any("\\|" in pattern for pattern in patterns):
        raise SedError("a sed pattern with alternatives")
    if command.name == "s" and _CASE.search(command.text):
        raise SedError("sed changes the case of letters")
