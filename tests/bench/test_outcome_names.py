"""Tests that share a name: nobody has replaced one of them by another."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rigorbench.base.cache import cache_directory
from rigorbench.bench.outcome.hidden import FileReport, PytestLayout, run_together, sandbox
from rigorbench.bench.replay import sandbox as replay_sandbox
from rigorbench.sandbox.kit.toolchain import toolchain

SAME_NAMES = """
import functools, pytest

def noted(function):
    @functools.wraps(function)
    def call():
        function()
    return call

def test_one():
    assert 1

class TestThings:
    def test_one(self):
        assert 2

@pytest.mark.parametrize("n", [1, 2])
def test_two(n):
    assert n

class TestOthers:
    @pytest.mark.parametrize("n", [1, 2])
    def test_two(self, n):
        assert n > 0

def test_three():
    assert 0

@noted
def test_three():
    assert 3
"""


def together(directory: Path, tests: str, code: str) -> FileReport:
    reason = replay_sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)
    (directory / "work").mkdir(parents=True)
    (directory / "work" / "test_names.py").write_text(tests)
    (directory / "work" / "code_of_them.py").write_text(code)

    async def work() -> FileReport:
        tools = toolchain(cache_directory())
        async with sandbox(directory, "/work", tools) as box:
            return await run_together(box, tools, PytestLayout("/work", "/work"), ["test_names.py"], 60)

    return asyncio.run(work())


def test_tests_of_one_name_are_not_tampered_with(tmp_path: Path) -> None:
    report = together(tmp_path, SAME_NAMES, "")
    assert (report.stopped, report.tampering) == (None, [])
    assert sorted(test.partition("::")[2] for test in report.outcomes) == [
        "TestOthers::test_two[1]",
        "TestOthers::test_two[2]",
        "TestThings::test_one",
        "test_one",
        "test_three",
        "test_two[1]",
        "test_two[2]",
    ]
    assert set(report.outcomes.values()) == {"passed"}


def test_a_test_that_the_code_replaces_is_noticed(tmp_path: Path) -> None:
    code = "def later(function):\n    function.__code__ = (lambda: None).__code__\n"
    tests = "from code_of_them import later\n\ndef test_one():\n    assert 0\n\nlater(test_one)\n"
    report = together(tmp_path, tests, code)
    assert any("test_one" in text for text in report.tampering)
