"""Whether a program can run code of a project at all, by their languages.

A Python script that models a Java class shows nothing of that class. What counts is the language of the files, and
whether the program starts another one or talks to a server, which may be the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Languages whose code runs in one process with others of its row only. Those that are built into extension modules
# (C, Rust) or are data to others (SQL, templates) are not here: anything may run them.
_FAMILIES = {
    "python": "py pyw",
    "ruby": "rb rake",
    "php": "php",
    "java": "java kt kts scala groovy clj",
    "javascript": "js mjs cjs jsx ts mts cts tsx vue svelte",
    "go": "go",
    "dotnet": "cs fs vb",
    "swift": "swift",
}
_FAMILY = {extension: family for family, extensions in _FAMILIES.items() for extension in extensions.split()}
# What leads out of the program: another process, a server, a bridge between two languages.
_LEAVES = re.compile(
    r"subprocess|os\.system|popen|pexpect|child_process|\bexec|spawn|system\(|socket|https?\b|urllib|requests|fetch\(|"
    r"jpype|py4j|jnius|ctypes|cffi|pythonnet|\bclr\b|execjs|ProcessBuilder|Runtime\.getRuntime|os/exec",
    re.IGNORECASE,
)


def family(path: str) -> str | None:
    """The languages that can call the code of a file in its own process; None: any may, or it is not known."""
    return _FAMILY.get(path.rsplit(".", 1)[-1].lower()) if "." in path else None


def out_of_reach(program: str, text: str, changed: Iterable[str]) -> bool:
    """Whether a program cannot run any of the changed files.

    Args:
        program: its path; ``text``: its whole text.
        changed: paths.
    """
    own, others = family(program), {family(path) for path in changed}
    return own is not None and bool(others) and others.isdisjoint({own, None}) and _LEAVES.search(text) is None
