"""Why tests fail on a tree: runs them in a sandbox with a plugin that writes down what they compared."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ...base.cache import cache_directory
from ...bench.outcome.hidden import new_directory, sandbox
from ...sandbox.toolchain import toolchain
from ...tasks.workspace import ROOT
from ..languages import language
from ..model import Recipe
from ..states import with_dependencies
from ..trees import Tree, write_tree
from . import observer

_SECONDS = 120.0
_PLUGIN = "rigor_observer"


class Failure(Struct, frozen=True):
    """One failing test.

    Attributes:
        test: its id, from the root of the repository.
        error: name of the exception's class.
        compared: operator and both sides of the last comparison that failed, as text; or empty.
        frames: file, line and function of each level of the trace; files are relative to the repository.
        params: the texts of the values with which a parametrized test was called.
        fixtures: names of the fixtures that it has.
    """

    test: str
    error: str
    message: str
    compared: list[str]
    frames: list[tuple[str, int, str]]
    params: dict[str, str]
    fixtures: list[str]


def failures(recipe: Recipe, tree: Tree, tests: Sequence[str]) -> list[Failure]:
    """What the failing ones of these tests (ids relative to the tests' directory) say; none if they do not run."""
    return asyncio.run(_failures(recipe, tree, tests))


async def _failures(recipe: Recipe, tree: Tree, tests: Sequence[str]) -> list[Failure]:
    tools = toolchain(cache_directory())
    ids = [f"{recipe.tests.directory}/{test}" for test in tests]
    plugin = {f"{_PLUGIN}.py": Path(observer.__file__).read_bytes()}
    with new_directory("rigor-draw-") as name:
        work = Path(name) / "work"
        write_tree({**with_dependencies(recipe, tree), **plugin, **language(recipe).settings(recipe)}, work)
        async with sandbox(Path(name), ROOT, tools) as box:
            command = [tools.python, "-m", "pytest", "-q", "-p", _PLUGIN, "-p", "no:cacheprovider", *ids]
            await box.exec(command, cwd=ROOT, timeout=_SECONDS, origin="engine")
        try:
            return msgspec.json.decode((work / observer.FILE).read_bytes(), type=list[Failure])
        except (OSError, msgspec.DecodeError):
            return []
