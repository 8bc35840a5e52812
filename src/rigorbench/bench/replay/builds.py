"""Builds of a session's trees: by the project's command, else by compiling all modules and importing the packages."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ...evidence.replayed import Build
from ...session.task import NOTHING_TO_BUILD
from .project import compiled, packages
from .runner import NO_PROGRAM, Runner

if TYPE_CHECKING:
    from .session import ReplaySession


# What CMake and make say of a source that a build file names and that is not there.
_ABSENT = re.compile(
    r"Cannot find source file:\s+(?P<cmake>\S+)|No rule to make target [`'](?P<make>[^'\n]+)', needed by"
)


class Builder:
    """Builds the trees of a session.

    Attributes:
        compile_errors: by blob, the error of a file that was compiled before (None: none).
        start_missing: foreign modules, or the build's program, that were not there for the start tree either.
    """

    def __init__(self, session: ReplaySession) -> None:
        self.session = session
        self.compile_errors: dict[str, str | None] = {}
        self.start_missing: frozenset[str] = frozenset()

    def build(self, tree: str, *, is_start: bool = False) -> Build:
        command = self.session.project.build
        key = self.session.key("build", tree, command or "python", *sorted(self.start_missing))

        def work(runner: Runner) -> Build:
            if command is not None:
                done = runner.command(command)
                if done.exit_status == NOTHING_TO_BUILD:
                    return Build(None, "there is nothing to build yet", done.seconds)
                problem = "timed out" if done.timed_out else " ".join(done.output.split())[-300:]
                if done.exit_status == 0:
                    return Build(True, "", done.seconds)
                if done.exit_status == NO_PROGRAM and (is_start or command in self.start_missing):
                    # The start tree could not be built either: that is this machine, and not the agent's change.
                    return Build(None, f"the build cannot be run here: {problem}", done.seconds, [command])
                return Build(False, problem, done.seconds, absent=absent_sources(done.output))
            if self.session.project.python:
                return self.build_python(runner, tree, is_start=is_start)
            return Build(None, "no build command is known for this project")

        build = self.session.cached(key, Build, tree, work)
        if is_start:
            self.start_missing = frozenset(build.missing)
        return build

    def build_python(self, runner: Runner, tree: str, *, is_start: bool) -> Build:
        """Compile what was not compiled before, and import the packages. Missing foreign modules are no problem."""
        files = self.session.tests(tree).files
        sources = {p: files[p].sha for p in compiled(files)}
        with self.session.lock:
            known = dict(self.compile_errors)
        names, roots = packages(files)
        started = time.monotonic()
        answer = runner.build_python([p for p, sha in sources.items() if sha not in known], names, roots)
        seconds = time.monotonic() - started
        if answer is None:
            return Build(False, "the build did not end in time", seconds)
        broken = {p: str(m) for p, m in answer["broken"].items()}
        with self.session.lock:
            for path, sha in sources.items():
                if sha not in known:
                    self.compile_errors[sha] = broken.get(path)
        for path, sha in sources.items():
            if known.get(sha) is not None:
                broken[path] = str(known[sha])
        failed = {p: v for p, v in answer["imports"].items() if v is not None}
        own = {path.split("/")[0] for path in files} | {path.split("/")[1] for path in files if path.startswith("src/")}
        own |= {name.removesuffix(".py") for name in own}
        missing = {v["missing"] for v in failed.values() if v["missing"] and v["missing"] not in own}
        accepted = missing if is_start else self.start_missing
        problems = [f"{p}: {m}" for p, m in sorted(broken.items())]
        # Modules that were already missing for the start tree are not the agent's fault.
        problems += [f"import {p}: {v['error']}" for p, v in failed.items() if v["missing"] not in accepted]
        return Build(not problems, "; ".join(problems)[:500], seconds, sorted(missing))


def absent_sources(output: str) -> list[str]:
    """The sources that a failed build did not find."""
    return list(dict.fromkeys(m["cmake"] or m["make"] for m in _ABSENT.finditer(output)))


def set_up_later(
    builds: Mapping[str, Build], trees: Sequence[str], files: Mapping[str, Collection[str]]
) -> dict[str, Build]:
    """The builds, without those of states in which a project is being set up.

    Its build file names sources that were never there before and come later: that breaks nothing. A source that was
    there and is gone, or that never comes, is a broken build.

    Args:
        trees: in the order of their states, the start first.
        files: paths in each tree.
    """
    judged = dict(builds)
    for number, tree in enumerate(trees):
        absent = builds[tree].absent
        if not absent or builds[tree].ok is not False:
            continue
        new = all(not any(_has(files[t], path) for t in trees[:number]) for path in absent)
        come = all(any(_has(files[t], path) for t in trees[number + 1 :]) for path in absent)
        if new and come:
            judged[tree] = Build(None, f"the build file names {absent[0]}, which is written later")
    return judged


def _has(files: Collection[str], path: str) -> bool:
    """Whether a path that a build tool names, perhaps absolute, is one of the files."""
    return path in files or any(path.endswith("/" + name) for name in files)
