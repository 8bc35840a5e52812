"""Boxes for tests, and a way to do things as a user without any rights."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

import rigorbench
from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec

T = TypeVar("T")
InBox = Callable[..., Any]
NOBODY = 65534


def sh(script: str) -> list[str]:
    return ["bash", "-c", script]


@pytest.fixture
def in_box(tmp_path: Path) -> Callable[..., T]:
    """Run a coroutine function with a box, which is stopped afterwards."""

    def run(work: Callable[[Box], Awaitable[T]], **fields: object) -> T:
        async def main() -> T:
            spec = BoxSpec(directory=str(tmp_path / "box"), **fields)  # type: ignore[arg-type]
            async with await Box.start(spec) as box:
                return await work(box)

        return asyncio.run(asyncio.wait_for(main(), 90))

    return run


class Unprivileged:
    """Runs Python programs as a user without rights, with this checkout and these packages."""

    def __init__(self, python: str, directory: Path) -> None:
        self.python = python
        self.directory = directory

    def start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(
            str(p)
            for p in (Path(rigorbench.__path__[0]).parent, Path(msgspec.__file__).parents[1], Path(__file__).parent)
        )
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": path, "HOME": str(self.directory), "LANG": "C.UTF-8"}
        environment |= {"TMPDIR": str(self.directory), "PYTHONDONTWRITEBYTECODE": "1"}
        other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        return subprocess.Popen(
            [self.python, "-c", program, *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.directory,
            **other,  # type: ignore[call-overload]
        )

    def run(self, program: str, *arguments: str, timeout: float = 120) -> str:
        """What the program printed; its failure fails the test."""
        process = self.start(program, *arguments)
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            process.kill()
        assert process.returncode == 0, out.decode() + err.decode()
        return out.decode()


@pytest.fixture(scope="session")
def unprivileged() -> Iterator[Unprivileged]:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    directory = Path(tempfile.mkdtemp(prefix="rigor-nobody-"))
    try:
        if os.geteuid() == 0:
            os.chown(directory, NOBODY, NOBODY)
        found = [os.path.realpath(sys.executable), shutil.which(version, path="/usr/bin:/usr/local/bin:/bin")]
        for python in found:
            if python is not None:
                able = Unprivileged(python, directory)
                process = None
                try:
                    process = able.start("import msgspec, rigorbench.sandbox.box.box")
                    process.communicate(timeout=60)
                except OSError:
                    continue
                if process.returncode == 0:
                    yield able
                    return
        pytest.skip(f"no {version} here that a user without rights can run with these packages")
    finally:
        shutil.rmtree(directory, ignore_errors=True)
