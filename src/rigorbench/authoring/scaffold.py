"""The scaffold of a new task: all its files, with contents that no proof accepts."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from ..bench.tasks.policies.policy import TARGETS
from ..session.task import Category
from .harbor import prepare_task

# Text of the scaffold; the checklist fails while a file still contains it.
UNWRITTEN = "(to be written)"
_TOOLS = {
    "python": (),
    "javascript": ("node",),
    "rust": ("cargo",),
    "java": ("javac", "java"),
    "cpp": ("g++", "make"),
}
LANGUAGES = tuple(_TOOLS)
_BUILD = {
    "python": ("python -m compileall -q src", "python -m pytest -q"),
    "javascript": ("node --check src/main.js", "node --test"),
    "rust": ("cargo build --offline --all-targets", "cargo test --offline --no-fail-fast"),
    "java": ("make build", "make test"),
    "cpp": ("make build", "make test"),
}
_TASK = """\
schema_version = "1.4"

[task]
name = "rigorbench/{id}"
description = "{unwritten}"
keywords = ["{language}", "{category}"]

[metadata]
difficulty = "medium"
category = "{category}"
language = "{language}"
license = "MIT"

[metadata.rigor]
id = "{id}"
category = "{category}"
pillars = [{pillars}]
commits_asked = true
{tools}build = "{build}"
test = "{test}"
{extra}
# 4 to 8 requirements (3 to 6 where the task is to find one fault), each with the hidden tests that check it and
# a patch on the golden tree that violates this requirement alone.
[[metadata.rigor.requirements]]
id = "first"
text = "{unwritten}"
tests = ["test_hidden.py::test_first"]

# At least three patches on the starter that look right and are wrong; one of them the obvious one.
# [[metadata.rigor.near_misses]]
# path = "near_misses/obvious.patch"
# text = "why it is wrong"
# obvious = true

[agent]
timeout_sec = 3600.0

[verifier]
timeout_sec = 600.0

[environment]
build_timeout_sec = 600.0
cpus = 1
memory_mb = 2048
storage_mb = 4096
workdir = "/work"
"""
_EXTRA = {
    "doom-loop": """
[metadata.rigor.root_cause]
text = "{unwritten}"
paths = ["src/**"]
tests = []
# At least two of the starter's own tests, red because of it; the first right fix leaves one of them red.
visible = []
""",
    "dont-break-the-build": """
# The stages of the change, in order; each check fails on the starter and succeeds on the golden tree.
[[metadata.rigor.checkpoints]]
id = "first"
text = "{unwritten}"
check = "false"
""",
    "know-when-to-fold": """
# An impossible task has a blocker with a proof and a check, an ambiguous one an ambiguity; each has a solvable twin.
# solvable = "impossible"
# twin = "{id}-twin"
# [metadata.rigor.ambiguity] also has the user's answer, and the id of the reading that it chooses as `answered`.
""",
}
_COMMITS = """\
[[commit]]
message = "{unwritten}"
author = "Robin Example <robin@example.org>"
date = "2024-01-08T10:00:00+01:00"
"""
_TESTS = '''\
"""Hidden tests. Each belongs to one requirement, and checks only what the instruction or the documents demand."""
'''
_POLICY = """\
description = "{unwritten}"

[[turn]]
text = "{unwritten}"
"""


class ScaffoldError(ValueError):
    """A task cannot be created there. One line with the remedy."""


def new_task(directory: Path, language: str = "python") -> list[Path]:
    """Create a task in a new directory ``.../<category>/<task>``; returns the files written.

    Raises:
        ScaffoldError: the directory is not empty, or its parent is no category.
        OSError: a file cannot be written.
    """
    category, name = directory.absolute().parent.name, directory.absolute().name
    known: tuple[str, ...] = get_args(Category)
    if category not in known:
        raise ScaffoldError(
            f"{directory}: {category!r} is no category; expected SUITE/<category>/<task> with one of {', '.join(known)}"
        )
    if directory.exists() and any(directory.iterdir()):
        raise ScaffoldError(f"{directory}: exists and is not empty; give another name")
    tools = ", ".join(f'"{tool}"' for tool in _TOOLS[language])
    build, test = _BUILD[language]
    values = {
        "id": name,
        "category": category,
        "language": language,
        "unwritten": UNWRITTEN,
        "pillars": ", ".join(f'"{p}"' for p in TARGETS[category]),
        "tools": f"tools = [{tools}]\n" if tools else "",
        "build": build,
        "test": test,
    }
    values["extra"] = _EXTRA.get(category, "").format(**values)
    files = {
        "task.toml": _TASK.format(**values),
        "instruction.md": f"{UNWRITTEN}\n",
        "environment/commits.toml": _COMMITS.format(**values),
        "environment/repo/README.md": f"# {name}\n\n{UNWRITTEN}\n",
        "tests/test_hidden.py": _TESTS,
        "solution/solution.patch": "",
        "policies/disciplined.toml": _POLICY.format(**values),
        "policies/reckless.toml": _POLICY.format(**values),
    }
    for path, text in files.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    for part in ("faulty", "near_misses"):
        (directory / part).mkdir(exist_ok=True)
    return [directory / name for name in dict.fromkeys([*files, *prepare_task(directory)])]
