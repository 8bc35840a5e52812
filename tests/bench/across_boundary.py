"""Runs hidden tests against a package `shop` in a sandbox, with the code in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from rigorbench.base.cache import cache_directory
from rigorbench.bench.outcome.hidden import FileReport, run_isolated, sandbox
from rigorbench.sandbox.kit.toolchain import toolchain


def measured(directory: Path, hidden: str, modules: Mapping[str, str], timeout: float = 60) -> FileReport:
    """What one file of hidden tests gives. ``modules``: file name -> text, of the package."""
    package = directory / "box" / "work" / "shop"
    package.mkdir(parents=True)
    for name, text in modules.items():
        (package / name).write_text(text)
    tests = directory / "hidden"
    tests.mkdir()
    (tests / "test_hidden.py").write_text(hidden)

    async def work() -> FileReport:
        tools = toolchain(cache_directory())
        async with sandbox(directory / "box", tools) as box:
            return await run_isolated(box, tests, "test_hidden.py", timeout)

    return asyncio.run(work())


def passed(report: FileReport) -> set[str]:
    """Names of the tests that passed, if nothing was tampered with."""
    if report.tampering:
        return set()
    return {test.split("::")[-1] for test, outcome in report.outcomes.items() if outcome == "passed"}
