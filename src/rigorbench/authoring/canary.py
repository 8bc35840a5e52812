"""Canaries: a text of its own in every hidden file of a task, by which a leak into a training set can be found.

Whoever trains a model can leave files out that hold a canary, and whoever suspects a model of knowing a task can ask it
for the task's canary. An agent never sees one: nothing in ``environment/`` or ``instruction.md`` holds it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

MARK = "rigorbench-canary"
# The parts of a task that no agent may see, beside the task file itself.
HIDDEN_PARTS = ("faulty", "near_misses", "policies", "proof", "solution", "tests")
# Text formats that have comments; files of others (fixtures in JSON or CSV, say) cannot carry a line of ours.
_COMMENTS = {
    **dict.fromkeys((".py", ".toml", ".sh", ".patch", ".diff", ".yaml", ".yml", ".cfg", ".ini"), ("# ", "")),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".java", ".rs", ".c", ".cc", ".cpp", ".h", ".hpp"), ("// ", "")),
    **dict.fromkeys((".md", ".html"), ("<!-- ", " -->")),
}
_SKIPPED = frozenset({"__pycache__", ".pytest_cache"})


def new_canary() -> str:
    return f"{MARK} {uuid.uuid4()}"


def hidden_files(directory: Path) -> Iterator[Path]:
    """The hidden files of a task that can carry a canary, in order; the task file is one of them.

    What a policy writes into the repository (``content_from``, below ``policies/``) is left out: an agent's sandbox
    gets it as it stands there.
    """
    yield directory / "task.toml"
    for part in HIDDEN_PARTS:
        for path in sorted((directory / part).rglob("*")):
            inside = PurePosixPath(path.relative_to(directory).as_posix())
            if path.suffix not in _COMMENTS or not path.is_file() or not _SKIPPED.isdisjoint(inside.parts):
                continue
            if part != "policies" or (len(inside.parts) == 2 and path.suffix == ".toml"):
                yield path


def unmarked(directory: Path, canary: str) -> list[Path]:
    """The hidden files that should hold the canary and do not."""
    return [path for path in hidden_files(directory) if canary not in path.read_text("utf-8", "replace")]


def stamp(directory: Path, canary: str) -> list[Path]:
    """Write the canary as a comment into every hidden file that lacks it; returns those that were written.

    An interpreter's line (``#!``) stays the first. ``git apply`` skips what stands before the first file of a patch.
    """
    written = []
    for path in unmarked(directory, canary):
        if path.name == "task.toml":
            continue  # there it is a value, not a comment
        before, after = _COMMENTS[path.suffix]
        # Bytes, so that line ends and what is no text stay as they are.
        lines = path.read_bytes().splitlines(keepends=True)
        place = 1 if lines and lines[0].startswith(b"#!") else 0
        # The canary of a task that this one was copied from is not this one's.
        other = f"{before}{MARK}".encode()
        lines = [line for n, line in enumerate(lines) if n > place + 1 or other not in line]
        lines.insert(place, f"{before}{canary}{after}\n".encode())
        path.write_bytes(b"".join(lines))
        written.append(path)
    return written
