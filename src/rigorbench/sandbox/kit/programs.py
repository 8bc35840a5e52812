"""The programs that a task may need beyond Python and the shell (its key ``tools``), and who has them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class TaskTool(Struct, frozen=True):
    """One entry of a task's ``tools``."""

    name: str
    """Of its directory below ``/opt``."""
    programs: tuple[str, ...]
    packages: tuple[str, ...]
    """The Debian packages with them."""
    mark: str = ""
    """A path that exists in every directory of this toolchain."""


_NODE = TaskTool("node", ("node",), ("nodejs",), "include/node")
_NPM = TaskTool("node", ("node", "npm"), ("nodejs", "npm"), "include/node")
_RUST = TaskTool("rust", ("cargo", "rustc", "cc"), ("cargo", "rustc", "gcc", "libc6-dev"), "lib/rustlib")
_JAVA = TaskTool("java", ("javac", "java"), ("default-jdk-headless",), "lib/modules")
_JAR = TaskTool("java", ("java", "jar"), ("default-jdk-headless",), "lib/modules")
_C = TaskTool("gcc", ("gcc", "cc"), ("gcc", "libc6-dev"), "lib/gcc")
_CXX = TaskTool("gcc", ("g++",), ("g++",), "lib/gcc")
TOOLS: dict[str, TaskTool] = {
    "node": _NODE,
    "npm": _NPM,
    "cargo": _RUST,
    "rustc": _RUST,
    "java": _JAVA,
    "javac": _JAVA,
    "jar": _JAR,
    "gcc": _C,
    "cc": _C,
    "g++": _CXX,
    "c++": _CXX,
    "make": TaskTool("make", ("make",), ("make",)),
    "cmake": TaskTool("cmake", ("cmake",), ("cmake",)),
}


def packages(tools: Sequence[str]) -> list[str]:
    """The Debian packages that an image needs for a task's ``tools``; a tool not known here is its own package."""
    found: dict[str, None] = {}
    for name in tools:
        found.update(dict.fromkeys(TOOLS[name].packages if name in TOOLS else (name,)))
    return list(found)
