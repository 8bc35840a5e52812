"""Builds of a session's trees: by the project's command, else every module compiled and the packages imported."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .model import Build
from .project import compiled, packages
from .runner import Runner

if TYPE_CHECKING:
    from .session import ReplaySession


class Builder:
    def __init__(self, session: ReplaySession) -> None:
        self.session = session
        # By blob: what is wrong with a file that was compiled before (None: nothing).
        self.compile_ok: dict[str, str | None] = {}
        self.start_missing: frozenset[str] = frozenset()

    def build(self, tree: str, *, is_start: bool = False) -> Build:
        command = self.session.project.build
        key = self.session.key("build", tree, command or "python", *sorted(self.start_missing))
        cached = self.session.cache.get(key, Build)
        if cached is not None:
            if is_start:
                self.start_missing = frozenset(cached.lacking)
            return cached
        with self.session.borrow() as runner:
            if command is not None:
                runner.tree.switch(tree)
                done = runner.command(command)
                problem = "timed out" if done.timed_out else " ".join(done.output.split())[-300:]
                build = Build(done.exit_status == 0, "" if done.exit_status == 0 else problem, done.seconds)
            elif self.session.project.python:
                build = self.build_python(runner, tree, is_start=is_start)
            else:
                build = Build(None, "no build command is known for this project")
        self.session.cache.put(key, build)
        return build

    def build_python(self, runner: Runner, tree: str, *, is_start: bool) -> Build:
        """Compile what was not compiled before, import the packages; foreign modules that are missing do not count."""
        files = self.session.tests(tree).files
        wanted = {p: files[p].sha for p in compiled(files)}
        with self.session.lock:
            known = dict(self.compile_ok)
        names, roots = packages(files)
        runner.tree.switch(tree)
        started = time.monotonic()
        answer = runner.build_python([p for p, sha in wanted.items() if sha not in known], names, roots)
        seconds = time.monotonic() - started
        if answer is None:
            return Build(False, "the build did not come to an end", seconds)
        broken = {p: str(m) for p, m in answer["broken"].items()}
        with self.session.lock:
            for path, sha in wanted.items():
                if sha not in known:
                    self.compile_ok[sha] = broken.get(path)
        for path, sha in wanted.items():
            if known.get(sha) is not None:
                broken[path] = str(known[sha])
        failed = {p: v for p, v in answer["imports"].items() if v is not None}
        own = {path.split("/")[0] for path in files} | {path.split("/")[1] for path in files if path.startswith("src/")}
        own |= {name.removesuffix(".py") for name in own}
        missing = {v["missing"] for v in failed.values() if v["missing"] and v["missing"] not in own}
        if is_start:
            self.start_missing = frozenset(missing)
        problems = [f"{p}: {m}" for p, m in sorted(broken.items())]
        # What this machine lacked for the start tree already is not the agent's doing.
        problems += [f"import {p}: {v['error']}" for p, v in failed.items() if v["missing"] not in self.start_missing]
        return Build(not problems, "; ".join(problems)[:500], seconds, sorted(missing))
