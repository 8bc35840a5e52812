"""Canaries: each task has a text of its own in every hidden file, by which a leak into a training set can be found.

People who train a model can leave out files with a canary, and a model that is suspected of knowing a task can be asked
for the task's canary. Agents never see one: no file in ``environment/`` and no ``instruction.md`` contains it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ..session.task import load_task

MARK = "rigorbench-canary"
# The parts of a task that no agent may see, beside the task file itself.
HIDDEN_PARTS = ("faulty", "near_misses", "policies", "proof", "solution", "tests")
# Text formats with comments; other files (fixtures in JSON or CSV, for example) cannot have a line of ours.
_COMMENTS = {
    **dict.fromkeys((".py", ".toml", ".sh", ".patch", ".diff", ".yaml", ".yml", ".cfg", ".ini"), ("# ", "")),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".ts", ".java", ".rs", ".c", ".cc", ".cpp", ".h", ".hpp"), ("// ", "")),
    **dict.fromkeys((".md", ".html"), ("<!-- ", " -->")),
}
_SKIPPED = frozenset({"__pycache__", ".pytest_cache"})


def new_canary() -> str:
    return f"{MARK} {uuid.uuid4()}"


def hidden_files(directory: Path) -> Iterator[Path]:
    """The hidden files of a task that can have a canary, in order; the task file is one of them.

    Files that a policy writes into the repository (``content_from``, below ``policies/``) are left out, since they are
    copied unchanged into an agent's sandbox.
    """
    yield directory / "task.toml"
    from_recipe = load_task(directory / "task.toml").recipe
    for part in HIDDEN_PARTS:
        for path in sorted((directory / part).rglob("*")):
            inside = PurePosixPath(path.relative_to(directory).as_posix())
            if path.suffix not in _COMMENTS or not path.is_file() or not _SKIPPED.isdisjoint(inside.parts):
                continue
            if part == "policies" and not (len(inside.parts) == 2 and path.suffix == ".toml"):
                continue
            # The tests of a recipe are those of a published package, and some of their files are data.
            if part == "tests" and from_recipe and path.name != "test.sh":
                continue
            yield path


def unmarked(directory: Path, canary: str) -> list[Path]:
    """The hidden files that should contain the canary and do not."""
    return [path for path in hidden_files(directory) if canary not in path.read_text("utf-8", "replace")]


def stamp(directory: Path, canary: str) -> list[Path]:
    """Write the canary as a comment into every hidden file that lacks it; returns those that were written.

    An interpreter's line (``#!``) stays the first. ``git apply`` ignores text before the first file of a patch.
    """
    written = []
    for path in unmarked(directory, canary):
        if path.name == "task.toml":
            continue  # there it is a value, not a comment
        before, after = _COMMENTS[path.suffix]
        # As bytes, so that line ends and invalid text stay unchanged.
        lines = path.read_bytes().splitlines(keepends=True)
        at = 1 if lines and lines[0].startswith(b"#!") else 0
        # A canary of another task, from which this one was copied, is removed.
        other = f"{before}{MARK}".encode()
        lines = [line for n, line in enumerate(lines) if n > at + 1 or other not in line]
        lines.insert(at, f"{before}{canary}{after}\n".encode())
        path.write_bytes(b"".join(lines))
        written.append(path)
    return written
