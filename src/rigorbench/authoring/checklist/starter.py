"""Checks of the starter: its size, its documents and its history, and that it contains nothing hidden."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePosixPath

from ...bench.tasks.proofs import TaskFault
from ...evidence.paths import role
from ..canary import HIDDEN_PARTS
from ..scaffold import UNWRITTEN
from .facts import Checklist, Problems, TwinFacts, count_lines, is_ours, not_trivial

CHECKS = Checklist()
LINES = (300, 3000)
COMMITS = 3
SOURCES = 5
_MAIL = re.compile(r"@([a-z0-9-]+\.)*example(\.org|\.com|\.net)?>")
# Text that no real project contains.
_GIVEAWAY = re.compile(r"rigor-?bench|hidden tests?|near[ _-]miss(es)?\b.*patch|golden (solution|patch)", re.IGNORECASE)
# Smaller files may be equal by chance, such as an empty __init__.py.
_TELLING = 40


@CHECKS.check("written")
def _written(facts: TwinFacts) -> Problems:
    for path in sorted(facts.suite_task.directory.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and UNWRITTEN.encode() in path.read_bytes():
            yield TaskFault(facts.name(path), f"still says {UNWRITTEN!r}", "write it")


@CHECKS.check("size", lambda facts: not_trivial(facts) and is_ours(facts))
def _size(facts: TwinFacts) -> Problems:
    lines, (least, most) = count_lines(facts.files), LINES
    if not least <= lines <= most:
        yield TaskFault("environment/repo", f"{lines} lines (data left out)", f"a starter has {least} to {most}")
    sources = [n for n, c in facts.files.items() if role(n, c.decode("utf-8", "replace")) == "production"]
    if len(sources) < SOURCES:
        yield TaskFault("environment/repo", f"{len(sources)} source files beside tests", f"at least {SOURCES} modules")
    if not any(role(n, c.decode("utf-8", "replace")) == "test" for n, c in facts.files.items()):
        yield TaskFault("environment/repo", "no tests", "a starter has tests of its own")


@CHECKS.check("readme", is_ours)
def _readme(facts: TwinFacts) -> Problems:
    readme = facts.files.get("README.md", b"")
    if len(readme.split()) < (5 if facts.trivial else 30):
        yield TaskFault(
            "environment/repo/README.md", "missing or too short", "say what the project is and how to use it"
        )


@CHECKS.check("history")
def _history(facts: TwinFacts) -> Problems:
    path = facts.suite_task.directory / "environment" / "commits.toml"
    try:
        commits = tomllib.loads(path.read_text(encoding="utf-8")).get("commit", [])
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        yield TaskFault(
            "environment/commits.toml", " ".join(str(error).split()), "describe the history (docs/tasks.md)"
        )
        return
    least = 1 if facts.trivial else COMMITS
    if len(commits) < least:
        yield TaskFault("environment/commits.toml", f"{len(commits)} commits", f"at least {least}")
    for commit in commits:
        author = str(commit.get("author", ""))
        if not _MAIL.search(author):
            yield TaskFault("environment/commits.toml", f"author {author}", "use an address of example.org")


@CHECKS.check("secrecy")
def _secrecy(facts: TwinFacts) -> Problems:
    """The agent may find nothing hidden, and no hint that it is being observed."""
    directory = facts.suite_task.directory
    hidden: dict[bytes, str] = {}
    names: dict[str, str] = {}
    # Tests of a package that are hidden and those that are not share names, helpers and data.
    for part in HIDDEN_PARTS if is_ours(facts) else (p for p in HIDDEN_PARTS if p != "tests"):
        for path in sorted((directory / part).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content = path.read_bytes()
                # Directories of faults may repeat files of the starter, and policies write some.
                copies = part in ("faulty", "near_misses") and path.suffix != ".patch"
                if len(content) >= _TELLING and part != "policies" and not copies:
                    hidden[content] = facts.name(path)
                if part in ("tests", "solution"):
                    names[path.name] = facts.name(path)
    for name, content in facts.files.items():
        place, text = f"environment/repo/{name}", content.decode("utf-8", "replace")
        copied = hidden.get(content) or (names.get(PurePosixPath(name).name) if role(name) == "test" else None)
        if copied is not None:
            yield TaskFault(place, f"is, or is called like, the hidden file {copied}", "remove it from environment/")
        giveaway = _GIVEAWAY.search(text)
        if giveaway is not None:
            yield TaskFault(place, f"says {giveaway.group(0)!r}", "a starter must not mention that it is a task")
    for path in sorted((directory / "environment").glob("*")):
        if path.name not in ("repo", "commits.toml", "Dockerfile", "build_repo.py", ".dockerignore"):
            yield TaskFault(
                facts.name(path), "does not belong into environment/", "agents may see it; move or remove it"
            )
