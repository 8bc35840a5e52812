"""The Python for the inside: works there, holds nothing of ours, and is made once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rigorbench.sandbox.box.box import Box
from rigorbench.sandbox.box.spec import BoxSpec
from rigorbench.sandbox.kit import toolchain as module
from rigorbench.sandbox.kit.errors import SandboxError
from rigorbench.sandbox.kit.toolchain import toolchain

TESTS = b"import pytest\n\ndef test_a():\n    assert 1\n\ndef test_b():\n    assert [1] == [2]\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.mark.bwrap
def test_it_tests_inside(cache: Path, tmp_path: Path) -> None:
    tools = toolchain(cache)

    async def main() -> None:
        spec = BoxSpec(str(tmp_path), binds=tools.binds, env=(("PATH", tools.path),))
        async with await Box.start(spec) as box:
            await box.write("test_x.py", TESTS)
            done = await box.exec(["pytest", "-q"], timeout=60)
            assert done.status == 1
            assert b"1 failed, 1 passed" in done.stdout
            assert done.stderr == b""
            assert (await box.exec(["python", "-m", "pytest", "--version"])).status == 0
            where = "import sys, pytest; print(sys.prefix, pytest.__file__, sys.executable, sys.flags.no_site)"
            shown = (await box.exec(["python", "-c", where])).stdout.decode().split()
            assert shown[0] == module.TARGET
            assert shown[1].startswith(module.TARGET)
            assert shown[2] == module.PYTHON
            for name in ("rigorbench", "inspect_ai", "msgspec"):
                assert (await box.exec(["python", "-c", f"import {name}"])).status == 1, name
            assert (await box.exec(["touch", f"{module.TARGET}/x"])).status == 1

    asyncio.run(main())


def test_it_is_made_once_and_holds_nothing_of_ours(cache: Path) -> None:
    first = toolchain(cache)
    (made,) = cache.iterdir()
    stamp = made.stat().st_mtime_ns
    assert toolchain(cache) == first
    assert made.stat().st_mtime_ns == stamp
    assert list(cache.iterdir()) == [made]
    names = {p.name for p in made.rglob("*")}
    assert "pytest" in names
    assert not [n for n in names if "rigor" in n or n in ("RECORD", "direct_url.json", "suites")]
    packages = {p.split("==")[0] for p in first.packages}
    assert {"pytest", "pluggy", "iniconfig", "packaging"} <= packages
    assert all(p.stat().st_mode & 0o444 == 0o444 for p in made.rglob("*") if not p.is_symlink())


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_NEEDED", ("no-such-package",))
    with pytest.raises(SandboxError, match="no-such-package is not installed") as caught:
        toolchain(tmp_path)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_packages_without_a_list_of_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Unlisted:
        version, requires, files = "1", None, None

        def locate_file(self, _: str) -> Path:
            return tmp_path

    monkeypatch.setattr(module.metadata, "distribution", lambda name: Unlisted())
    with pytest.raises(SandboxError, match="pip install --force-reinstall"):
        toolchain(tmp_path)
    assert not list(tmp_path.iterdir())
