"""Programs that the agent wrote to try the project's code: a check of their own kind, beside the project's tests."""

from __future__ import annotations

import re
import sys

from ...base.patterns import lazy
from ..commands.classify import Classified
from ..commands.programs import programs
from ..events import Outcome
from ..shell.wrappers import is_python
from .outcome import read_test_run, says_success
from .trust import can_check

_PYTHON_IMPORT = lazy(
    r"^\s*(?:from\s+([\w.]+)\s+import\b|import\s+(\w[\w.]*(?:\s+as\s+\w+)?(?:\s*,\s*\w[\w.]*)*))", re.MULTILINE
)
_JS_IMPORT = lazy(r"""(?:\brequire\(|\bimport\(|\bfrom|\bimport)\s*['"]([^'"\n]+)['"]""")
_NODE_MODULES = frozenset(
    "assert buffer child_process crypto events fs http https module net os path perf_hooks process querystring "
    "readline stream string_decoder timers tty url util v8 vm worker_threads zlib".split()
)
_STARTS_PROGRAMS = lazy(r"\bsubprocess\b|\bchild_process\b|\bos\.system\(|\bexecSync\(|\bspawn(?:Sync)?\(")
# What ends a program with a failure by itself.
_CAN_FAIL = lazy(
    r"\bassert|\braise\b|\bthrow\b|\bexpect\(|\bexit\(|\bexitCode\b|\bset -e|\bexit [1-9]|\bpanic\b|\bfail\("
)


def program_text(part: Classified, own: tuple[str, str] | None) -> tuple[str, str] | None:
    """Name and text of the agent's program that a command runs: a script of its own, or code in the command itself."""
    command = part.command
    if own is not None:
        return own
    python = is_python(command.program)
    if not python and command.program not in programs().groups.script_interpreters | programs().groups.launchers:
        return None
    name = "program.py" if python else "program.sh" if command.program.endswith("sh") else "program.js"
    words = command.args
    code = next((words[i + 1] for i, a in enumerate(words[:-1]) if a in ("-c", "-e", "--eval", "-p")), None)
    plain = [a for a in words if not a.startswith("-")]
    if code is None and not plain:
        code = command.stdin
    return None if code is None else (name, code)


def tries_project(path: str, text: str) -> bool:
    """Whether a program uses more than its language brings along: code of the project, or other programs."""
    if path.endswith(".py"):
        names = (n for m in _PYTHON_IMPORT.finditer(text) for n in re.split(r"[,\s]+", m[1] or m[2]))
        used = any(n and n.partition(".")[0] not in sys.stdlib_module_names for n in names)
        return used or _STARTS_PROGRAMS.search(text) is not None
    if re.search(r"\.[cm]?[jt]sx?$", path):
        names = (m[1] for m in _JS_IMPORT.finditer(text))
        used = any(not n.startswith("node:") and n.partition("/")[0] not in _NODE_MODULES for n in names)
        return used or _STARTS_PROGRAMS.search(text) is not None
    return can_check(path, text)


def read_reproduction(
    text: str, output: str, exit_status: int | None, *, failed_flag: bool | None, interrupted: bool, timed_out: bool
) -> Outcome:
    """The outcome of a run of a program with this text."""
    report = read_test_run(
        "script", output, exit_status, failed_flag=failed_flag, interrupted=interrupted, timed_out=timed_out
    )
    if report.outcome == "passed" and _CAN_FAIL.search(text) is None and not says_success(output):
        return "unknown"
    if report.outcome == "unknown" and exit_status is None and failed_flag is None and says_success(output):
        return "unknown" if interrupted else "passed"
    return report.outcome
